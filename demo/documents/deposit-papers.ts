// What shows that taxes were deposited: the agency's acknowledgement, and all deposits of a quarter.
import { longDate, monthName, quarterLabel, usDate } from '../calendar.ts';
import { depositDay, depositNumber, semiweeklyDepositDay } from '../deposits.ts';
import { amount, dollars, sumOf } from '../money.ts';
import { federalLiabilityCents, type Ledger, runsOfMonth, runsOfQuarter, totalsOf } from '../payroll.ts';
import { createRandom } from '../random.ts';
import type { MonthDocument, QuarterDocument } from './descriptor.ts';
import { FICTION, openFirmSheet } from './letterhead.ts';
import { Sheet } from './sheet.ts';
import { COLORS } from './typesetter.ts';

/** The acknowledgement of one deposit, plain as the agency's own print. */
export function depositConfirmation(ledger: Ledger, document: MonthDocument): Promise<Buffer> {
  const { company } = ledger;
  const day = depositDay(document.year, document.month);
  const totals = totalsOf(runsOfMonth(ledger, document.year, document.month).map((run) => run.totals));
  const sheet = new Sheet({
    title: `EFTPS deposit confirmation ${depositNumber(company, day)}`,
    author: 'Electronic Federal Tax Payment System',
    preparedDay: document.preparedDay,
    marginPoints: 54,
    footer: `Please keep this page for your records  ·  ${FICTION}`,
  });
  sheet.text('EFTPS', sheet.left, sheet.y, { size: 22, face: 'bold', color: '#1d4e89' });
  sheet.text('Electronic Federal Tax Payment System', sheet.left + 84, sheet.y + 9, { size: 9.5, color: COLORS.muted });
  sheet.y += 32;
  sheet.rule(sheet.y, { color: '#1d4e89', weight: 2 });
  sheet.y += 22;
  sheet.text('Deposit Confirmation', sheet.left, sheet.y, { size: 15, face: 'bold' });
  sheet.y += 26;
  sheet.paragraph('Your payment has been accepted and settled. The details are below.', { size: 9.5, gapAfter: 14 });
  const amountDue = federalLiabilityCents(totals);
  const rows: [string, string][] = [
    ['EFT acknowledgement number', depositNumber(company, day)],
    ['Taxpayer EIN', company.federalId],
    ['Taxpayer name', company.legalName],
    ['Tax form', '941 Employers Federal Tax'],
    ['Tax type', 'Federal tax deposit'],
    ['Tax period', `Q${Math.ceil(document.month / 3)}/${document.year}`],
    ['Liability month', `${monthName(document.month)} ${document.year}`],
    ['Settlement date', longDate(day)],
    ['Account number', `•••••${createRandom('operating-account', company.fileCode).digits(4)}`],
    ['Account type', 'Checking'],
  ];
  for (const [label, value] of rows) {
    sheet.text(label, sheet.left, sheet.y, { size: 9.5, color: COLORS.muted });
    sheet.text(value, sheet.left + 210, sheet.y, { size: 10, face: 'mono' });
    sheet.y += 19;
  }
  sheet.y += 8;
  sheet.table(
    [
      { head: 'Subcategory', weight: 60 },
      { head: 'Amount', weight: 30, align: 'right' },
    ],
    [
      ['1  Social security', amount(2 * totals.socialSecurityCents)],
      ['2  Medicare', amount(2 * totals.medicareCents)],
      ['3  Federal withholding', amount(totals.federalCents)],
    ],
    { size: 9.5, rowHeight: 18, totals: [['Payment amount', dollars(amountDue)]] },
  );
  return sheet.finish();
}

/** Every deposit of a quarter, for those who deposit after each run. */
export function depositListing(ledger: Ledger, document: QuarterDocument): Promise<Buffer> {
  const { company } = ledger;
  const runs = runsOfQuarter(ledger, document.year, document.quarter);
  const total = sumOf(runs, (run) => federalLiabilityCents(run.totals));
  const sheet = openFirmSheet({
    title: 'EFTPS Deposits',
    subtitle: quarterLabel(document),
    company,
    preparedDay: document.preparedDay,
    facts: [
      ['Deposit schedule', 'Semiweekly'],
      ['Deposits', String(runs.length)],
      ['Total', dollars(total)],
    ],
  });
  sheet.table(
    [
      { head: 'Check date', weight: 14 },
      { head: 'Settled', weight: 14 },
      { head: 'Acknowledgement', weight: 24 },
      { head: 'Social security', weight: 17, align: 'right' },
      { head: 'Medicare', weight: 15, align: 'right' },
      { head: 'Withholding', weight: 16, align: 'right' },
      { head: 'Deposit', weight: 17, align: 'right' },
    ],
    runs.map((run) => [
      usDate(run.checkDay),
      usDate(semiweeklyDepositDay(run.checkDay)),
      depositNumber(company, semiweeklyDepositDay(run.checkDay)),
      amount(2 * run.totals.socialSecurityCents),
      amount(2 * run.totals.medicareCents),
      amount(run.totals.federalCents),
      amount(federalLiabilityCents(run.totals)),
    ]),
    { size: 8.5, totals: [['Total', '', '', '', '', '', amount(total)]] },
  );
  return sheet.finish();
}
