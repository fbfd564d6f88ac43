// Reports for a month or a quarter: summaries, tax liabilities, deposits, deductions and the state's return.
import { lastDayOfQuarter, longDate, monthName, usDate } from '../calendar.ts';
import { depositDay, depositNumber, semiweeklyDepositDay } from '../deposits.ts';
import { amount, amountOrDash, dollars, percent, sumOf } from '../money.ts';
import {
  FUTA_RATE,
  federalLiabilityCents,
  type Ledger,
  MEDICARE_RATE,
  type PayRun,
  runsOfMonth,
  runsOfQuarter,
  SOCIAL_SECURITY_RATE,
  totalsOf,
} from '../payroll.ts';
import { createRandom } from '../random.ts';
import { stateReturn } from '../returns.ts';
import { stateOf } from '../states.ts';
import type { MonthDocument, QuarterDocument } from './descriptor.ts';
import { FICTION, openFirmSheet, signatureBlock } from './letterhead.ts';
import { COLORS, Sheet } from './sheet.ts';

const runLabel = (run: PayRun) => (run.kind === 'bonus' ? 'Bonus' : `No. ${run.number}`);
const quarterLabel = ({ year, quarter }: { year: number; quarter: number }) => `Quarter ${quarter}, ${year}`;

export function payrollSummary(ledger: Ledger, document: QuarterDocument): Promise<Buffer> {
  const runs = runsOfQuarter(ledger, document.year, document.quarter);
  const totals = totalsOf(runs.map((run) => run.totals));
  const sheet = openFirmSheet({
    title: 'Payroll Summary',
    subtitle: quarterLabel(document),
    company: ledger.company,
    preparedDay: document.preparedDay,
    landscape: true,
    facts: [
      ['Runs', String(runs.length)],
      ['First check date', runs[0] ? usDate(runs[0].checkDay) : '–'],
      ['Last check date', usDate(runs.at(-1)?.checkDay ?? document.preparedDay)],
    ],
  });
  const cells = (line: typeof totals) => [
    amount(line.grossCents),
    amount(line.federalCents),
    amount(line.socialSecurityCents),
    amount(line.medicareCents),
    amountOrDash(line.stateCents),
    amountOrDash(line.deductionCents),
    amount(line.netCents),
    amount(line.socialSecurityCents + line.medicareCents),
  ];
  sheet.table(
    [
      { head: 'Check date', weight: 12 },
      { head: 'Run', weight: 9 },
      { head: 'Paid', weight: 7, align: 'right' },
      { head: 'Gross', weight: 14, align: 'right' },
      { head: 'Federal', weight: 13, align: 'right' },
      { head: 'Soc. sec.', weight: 13, align: 'right' },
      { head: 'Medicare', weight: 12, align: 'right' },
      { head: 'State', weight: 12, align: 'right' },
      { head: 'Deductions', weight: 12, align: 'right' },
      { head: 'Net pay', weight: 14, align: 'right' },
      { head: 'Employer taxes', weight: 14, align: 'right' },
    ],
    runs.map((run) => [usDate(run.checkDay), runLabel(run), String(run.lines.length), ...cells(run.totals)]),
    { size: 8, totals: [['Total', '', '', ...cells(totals)]] },
  );
  sheet.panel(
    [
      ['Wages, tips and other compensation', dollars(totals.grossCents)],
      ['Withheld from employees', dollars(totals.grossCents - totals.netCents)],
      ['Paid to employees', dollars(totals.netCents)],
    ],
    { highlightLast: true },
  );
  return sheet.finish();
}

export function taxLiability(ledger: Ledger, document: QuarterDocument): Promise<Buffer> {
  const { company } = ledger;
  const runs = runsOfQuarter(ledger, document.year, document.quarter);
  const sheet = openFirmSheet({
    title: 'Tax Liability',
    subtitle: quarterLabel(document),
    company,
    preparedDay: document.preparedDay,
    landscape: true,
    facts: [
      ['Deposit schedule', company.deposits === 'monthly' ? 'Monthly' : 'Semiweekly'],
      ['State account', company.stateId],
      ['Unemployment account', company.unemploymentId],
      ['Unemployment rate', percent(company.unemploymentRate)],
    ],
  });
  const both = (run: PayRun) => 2 * (run.totals.socialSecurityCents + run.totals.medicareCents);
  const row = (
    label: string,
    part: { wages: number; federal: number; fica: number; futa: number; state: number; unemployment: number },
  ) => [
    label,
    amount(part.wages),
    amount(part.federal),
    amount(part.fica),
    amount(part.federal + part.fica),
    amountOrDash(part.futa),
    amountOrDash(part.state),
    amountOrDash(part.unemployment),
    amount(part.federal + part.fica + part.futa + part.state + part.unemployment),
  ];
  const partsOfRun = (run: PayRun) => ({
    wages: run.totals.grossCents,
    federal: run.totals.federalCents,
    fica: both(run),
    futa: run.futaCents,
    state: run.totals.stateCents,
    unemployment: run.unemploymentCents,
  });
  const all = runs.map(partsOfRun);
  sheet.table(
    [
      { head: 'Check date', weight: 14 },
      { head: 'Taxable wages', weight: 15, align: 'right' },
      { head: 'Federal withheld', weight: 15, align: 'right' },
      { head: 'FICA, both halves', weight: 15, align: 'right' },
      { head: '941 liability', weight: 15, align: 'right' },
      { head: 'FUTA', weight: 11, align: 'right' },
      { head: 'State withheld', weight: 14, align: 'right' },
      { head: 'State unempl.', weight: 13, align: 'right' },
      { head: 'Total', weight: 15, align: 'right' },
    ],
    runs.map((run) => row(usDate(run.checkDay), partsOfRun(run))),
    {
      size: 8,
      totals: [
        row('Total', {
          wages: sumOf(all, (part) => part.wages),
          federal: sumOf(all, (part) => part.federal),
          fica: sumOf(all, (part) => part.fica),
          futa: sumOf(all, (part) => part.futa),
          state: sumOf(all, (part) => part.state),
          unemployment: sumOf(all, (part) => part.unemployment),
        }),
      ],
    },
  );
  sheet.paragraph(
    `Employer social security and Medicare are ${percent(SOCIAL_SECURITY_RATE)} and ${percent(MEDICARE_RATE)} of taxable wages; FUTA is ${percent(FUTA_RATE)} of the first $7,000.00 of each employee's wages in the year.`,
    { size: 7.5, color: COLORS.muted },
  );
  return sheet.finish();
}

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

/** Withholding and unemployment of one quarter as reported to the state, with the wages of each employee. */
export function stateQuarterly(ledger: Ledger, document: QuarterDocument): Promise<Buffer> {
  const { company } = ledger;
  const state = stateOf(company.state);
  const figures = stateReturn(ledger, document.year, document.quarter);
  const runs = runsOfQuarter(ledger, document.year, document.quarter);
  const sheet = openFirmSheet({
    title: state.formName,
    subtitle: `${state.name} ${state.agency}, ${quarterLabel(document).toLowerCase()}`,
    company,
    preparedDay: document.preparedDay,
    facts: [
      ['State account', company.stateId],
      ['Unemployment account', company.unemploymentId],
      ['Quarter ended', usDate(lastDayOfQuarter(document.year, document.quarter))],
    ],
  });
  sheet.formLines([
    { line: '1', label: 'Employees paid in the quarter', value: String(figures.employees) },
    { line: '2', label: 'Total wages paid', value: amount(figures.wagesCents) },
    { line: '3', label: 'State income tax withheld', value: amount(figures.withheldCents) },
    {
      line: '4',
      label: `Wages above ${dollars(state.unemploymentBaseCents)} a year for each employee`,
      value: amount(figures.overBaseCents),
    },
    { line: '5', label: 'Wages subject to unemployment tax (line 2 less line 4)', value: amount(figures.taxableCents) },
    {
      line: '6',
      label: `Unemployment tax at ${percent(company.unemploymentRate)}`,
      value: amount(figures.unemploymentCents),
    },
    {
      line: '7',
      label: 'Total due (line 3 plus line 6)',
      value: amount(figures.withheldCents + figures.unemploymentCents),
      strong: true,
    },
  ]);
  sheet.heading('Wage detail');
  const rows = ledger.employees.flatMap((employee, position) => {
    const lines = runs.flatMap((run) => run.lines.filter((line) => line.employee === position));
    return lines.length === 0 ? [] : [{ employee, totals: totalsOf(lines) }];
  });
  sheet.table(
    [
      { head: 'SSN', weight: 14 },
      { head: 'Employee', weight: 34 },
      { head: 'Wages', weight: 18, align: 'right' },
      { head: 'Withheld', weight: 16, align: 'right' },
    ],
    rows.map(({ employee, totals }) => [
      `•••-••-${employee.ssnEnding}`,
      employee.name,
      amount(totals.grossCents),
      amountOrDash(totals.stateCents),
    ]),
    { totals: [['Total', '', amount(figures.wagesCents), amountOrDash(figures.withheldCents)]] },
  );
  signatureBlock(sheet, document.preparedDay, company.index * 7 + document.quarter);
  return sheet.finish();
}

/** The deductions of a month's runs, employee by employee, and to whom they are remitted. */
export function deductionReport(ledger: Ledger, document: MonthDocument): Promise<Buffer> {
  const runs = runsOfMonth(ledger, document.year, document.month);
  const sheet = openFirmSheet({
    title: 'Deductions & Garnishments',
    subtitle: `${monthName(document.month)} ${document.year}`,
    company: ledger.company,
    preparedDay: document.preparedDay,
    facts: [
      ['Runs', String(runs.length)],
      ['Check dates', runs.map((run) => usDate(run.checkDay).slice(0, 5)).join(', ')],
      ['Withheld', dollars(sumOf(runs, (run) => run.totals.deductionCents))],
    ],
  });
  const rows = ledger.employees.flatMap((employee, position) => {
    const lines = runs.flatMap((run) =>
      run.lines.filter((line) => line.employee === position && line.deductionCents > 0),
    );
    if (employee.deduction === null || lines.length === 0) return [];
    return [
      {
        employee,
        deduction: employee.deduction,
        count: lines.length,
        cents: sumOf(lines, (line) => line.deductionCents),
      },
    ];
  });
  sheet.table(
    [
      { head: 'Employee', weight: 28 },
      { head: 'Deduction', weight: 24 },
      { head: 'Remitted to', weight: 28 },
      { head: 'Each run', weight: 14, align: 'right' },
      { head: 'Runs', weight: 8, align: 'right' },
      { head: 'Amount', weight: 14, align: 'right' },
    ],
    rows.map(({ employee, deduction, count, cents }) => [
      employee.name,
      deduction.label,
      deduction.payee,
      amount(deduction.cents),
      String(count),
      amount(cents),
    ]),
    { totals: [['Total', '', '', '', '', amount(sumOf(rows, (row) => row.cents))]] },
  );
  sheet.heading('To be remitted');
  const payees = [...new Set(rows.map(({ deduction }) => `${deduction.payee}\t${deduction.label}`))].sort();
  sheet.table(
    [
      { head: 'Payee', weight: 40 },
      { head: 'For', weight: 36 },
      { head: 'Amount', weight: 20, align: 'right' },
    ],
    payees.map((key) => {
      const [payee = '', label = ''] = key.split('\t');
      const cents = sumOf(
        rows.filter(({ deduction }) => deduction.payee === payee && deduction.label === label),
        (row) => row.cents,
      );
      return [payee, label, amount(cents)];
    }),
    { totals: [['Total', '', amount(sumOf(rows, (row) => row.cents))]] },
  );
  return sheet.finish();
}
