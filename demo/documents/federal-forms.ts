// The federal payroll returns as client copies: 941 with its Schedule B, 941-X, 940, and all clients' 941s in one file.
import { isoDate, lastDayOfQuarter, monthName, usDate } from '../calendar.ts';
import { COMPANIES, FIRM } from '../companies.ts';
import { amount, dollars } from '../money.ts';
import { filingLedgerOf, type Ledger } from '../payroll.ts';
import { type Form941, form940, form941 } from '../returns.ts';
import type { QuarterDocument, YearDocument } from './descriptor.ts';
import { drawFormHead, FICTION, openFormSheet, signatureBlock } from './letterhead.ts';
import { type FormLine, Sheet } from './sheet.ts';
import { COLORS } from './typesetter.ts';

const IRS = 'Department of the Treasury – Internal Revenue Service';

function quarterMonths(quarter: number): string {
  return [1, 2, 3].map((position) => monthName((quarter - 1) * 3 + position).slice(0, 3)).join(', ');
}

function head941(ledger: Ledger, document: QuarterDocument, number = '941') {
  return {
    number,
    title:
      number === '941' ? "Employer's QUARTERLY Federal Tax Return" : "Adjusted Employer's QUARTERLY Federal Tax Return",
    year: document.year,
    period: [`Quarter ${document.quarter}, ${document.year}`, quarterMonths(document.quarter)],
    company: ledger.company,
    preparedDay: document.preparedDay,
    agency: IRS,
  };
}

function lines941(form: Form941): FormLine[] {
  const month = (position: number) => monthName((form.quarter - 1) * 3 + position);
  return [
    {
      line: '1',
      label: `Number of employees who received wages for the pay period including ${month(3)} 12`,
      value: String(form.line1Employees),
    },
    { line: '2', label: 'Wages, tips, and other compensation', value: amount(form.line2WagesCents) },
    {
      line: '3',
      label: 'Federal income tax withheld from wages, tips, and other compensation',
      value: amount(form.line3WithheldCents),
    },
    {
      line: '5a',
      label: `Taxable social security wages ${amount(form.line2WagesCents)} x 12.4%`,
      value: amount(form.line5aTaxCents),
    },
    {
      line: '5c',
      label: `Taxable Medicare wages and tips ${amount(form.line2WagesCents)} x 2.9%`,
      value: amount(form.line5cTaxCents),
    },
    { line: '5d', label: 'Taxable wages and tips subject to Additional Medicare Tax withholding', value: amount(0) },
    { line: '5e', label: 'Total social security and Medicare taxes', value: amount(form.line5eCents) },
    { line: '6', label: 'Total taxes before adjustments (line 3 plus line 5e)', value: amount(form.line6Cents) },
    { line: '7', label: "Current quarter's adjustment for fractions of cents", value: amount(form.line7Cents) },
    { line: '10', label: 'Total taxes after adjustments', value: amount(form.line10Cents) },
    { line: '11', label: 'Nonrefundable credits', value: amount(0) },
    {
      line: '12',
      label: 'Total taxes after adjustments and nonrefundable credits',
      value: amount(form.line12Cents),
      strong: true,
    },
    { line: '13', label: 'Total deposits for this quarter', value: amount(form.line13DepositsCents) },
    { line: '14', label: 'Balance due', value: amount(form.line14DueCents), strong: true },
    { line: '15', label: 'Overpayment', value: amount(form.line15OverpaidCents) },
  ];
}

function liabilityPart(sheet: Sheet, ledger: Ledger, form: Form941): void {
  sheet.heading('Part 2: Deposit schedule and tax liability for this quarter');
  const schedule = ledger.company.deposits;
  sheet.paragraph(
    schedule === 'monthly'
      ? 'Line 16: monthly schedule depositor for the entire quarter. Tax liability for each month:'
      : 'Line 16: semiweekly schedule depositor for part of the quarter or all of it. Schedule B follows.',
    { size: 8.5 },
  );
  const [first, second, third] = form.monthLiabilityCents;
  const month = (position: number) => monthName((form.quarter - 1) * 3 + position);
  sheet.formLines([
    { line: 'M1', label: month(1), value: amount(first) },
    { line: 'M2', label: month(2), value: amount(second) },
    { line: 'M3', label: month(3), value: amount(third) },
    {
      line: '',
      label: 'Total liability for quarter, equal to line 12',
      value: amount(first + second + third),
      strong: true,
    },
  ]);
}

function scheduleB(sheet: Sheet, form: Form941): void {
  sheet.newPage();
  sheet.text('Schedule B (Form 941)', sheet.left, sheet.y, { size: 13, face: 'bold' });
  sheet.text('Report of Tax Liability for Semiweekly Schedule Depositors', sheet.left, sheet.y + 18, {
    size: 9,
    color: COLORS.muted,
  });
  sheet.y += 40;
  sheet.table(
    [
      { head: 'Paid on', weight: 30 },
      { head: 'Month of quarter', weight: 30 },
      { head: 'Tax liability', weight: 30, align: 'right' },
    ],
    form.dayLiabilities.map(({ day, cents }) => [
      usDate(day),
      monthName(Number(isoDate(day).slice(5, 7))),
      amount(cents),
    ]),
    { size: 9, rowHeight: 17, totals: [['Total liability for the quarter', '', amount(form.line12Cents)]] },
  );
}

function draw941(sheet: Sheet, ledger: Ledger, document: QuarterDocument): void {
  const form = form941(ledger, document.year, document.quarter);
  sheet.heading('Part 1: Answer these questions for this quarter');
  sheet.formLines(lines941(form));
  liabilityPart(sheet, ledger, form);
  if (ledger.company.endDay !== undefined && ledger.company.endDay <= lastDayOfQuarter(form.year, form.quarter)) {
    sheet.heading('Part 3: About the business');
    sheet.paragraph(
      `Line 17: the business has closed or stopped paying wages. Final date wages were paid: ${usDate(ledger.company.endDay)}.`,
      { size: 8.5 },
    );
  }
  signatureBlock(sheet, document.preparedDay, ledger.company.index * 13 + form.quarter);
  if (ledger.company.deposits === 'semiweekly') scheduleB(sheet, form);
}

export function form941Copy(ledger: Ledger, document: QuarterDocument): Promise<Buffer> {
  const sheet = openFormSheet(head941(ledger, document));
  draw941(sheet, ledger, document);
  return sheet.finish();
}

/** The amended return: as first reported, as it should be, and the difference, line by line. */
export function form941xCopy(ledger: Ledger, document: QuarterDocument): Promise<Buffer> {
  const filed = form941(ledger, document.year, document.quarter);
  const correct = form941(ledger, document.year, document.quarter, true);
  const sheet = openFormSheet(head941(ledger, document, '941-X'));
  sheet.heading('Part 3: Corrections for this quarter');
  const row = (line: string, label: string, of: (form: Form941) => number) => [
    line,
    label,
    amount(of(correct)),
    amount(of(filed)),
    amount(of(correct) - of(filed)),
  ];
  sheet.table(
    [
      { head: 'Line', weight: 7 },
      { head: 'Entry', weight: 46 },
      { head: 'Corrected', weight: 17, align: 'right' },
      { head: 'As reported', weight: 17, align: 'right' },
      { head: 'Difference', weight: 17, align: 'right' },
    ],
    [
      row('6', 'Wages, tips, and other compensation', (form) => form.line2WagesCents),
      row('7', 'Federal income tax withheld', (form) => form.line3WithheldCents),
      row('8', 'Taxable social security wages, tax', (form) => form.line5aTaxCents),
      row('12', 'Taxable Medicare wages, tax', (form) => form.line5cTaxCents),
      row('15', 'Fractions of cents', (form) => form.line7Cents),
      row('23', 'Total taxes', (form) => form.line12Cents),
      row('25', 'Deposits for the quarter', (form) => form.line13DepositsCents),
      row('27', 'Overpayment', (form) => form.line15OverpaidCents),
    ],
    { size: 8.5, rowHeight: 17 },
  );
  sheet.heading('Part 4: Explanation');
  sheet.paragraph(
    `A bonus run of ${dollars(correct.line2WagesCents - filed.line2WagesCents)} in August was paid and its taxes were deposited, but it was not on the return as first filed. Forms W-2 already include it. The corrected tax equals the deposits, so nothing is due and nothing is to be refunded.`,
    { size: 9 },
  );
  signatureBlock(sheet, document.preparedDay, ledger.company.index * 17);
  return sheet.finish();
}

export function form940Copy(ledger: Ledger, document: YearDocument): Promise<Buffer> {
  const form = form940(ledger, document.year);
  const sheet = openFormSheet({
    number: '940',
    title: "Employer's Annual Federal Unemployment (FUTA) Tax Return",
    year: document.year,
    period: [String(document.year), 'Tax year'],
    company: ledger.company,
    preparedDay: document.preparedDay,
    agency: IRS,
  });
  sheet.heading('Part 1: About the return');
  sheet.formLines([{ line: '1a', label: 'State in which unemployment tax was paid', value: ledger.company.state }]);
  sheet.heading('Part 2: FUTA tax before adjustments');
  sheet.formLines([
    { line: '3', label: 'Total payments to all employees', value: amount(form.line3PaymentsCents) },
    { line: '5', label: 'Payments to each employee in excess of $7,000.00', value: amount(form.line5OverBaseCents) },
    { line: '6', label: 'Subtotal', value: amount(form.line5OverBaseCents) },
    {
      line: '7',
      label: `Total taxable FUTA wages (${form.employees} employees)`,
      value: amount(form.line7TaxableCents),
    },
    {
      line: '8',
      label: 'FUTA tax before adjustments (line 7 x 0.006)',
      value: amount(form.line8TaxCents),
      strong: true,
    },
  ]);
  sheet.heading('Parts 3 and 4: Adjustments, tax and balance');
  sheet.formLines([
    { line: '11', label: 'Credit reduction', value: amount(0) },
    { line: '12', label: 'Total FUTA tax after adjustments', value: amount(form.line8TaxCents), strong: true },
    { line: '13', label: 'FUTA tax deposited for the year', value: amount(form.line8TaxCents) },
    { line: '14', label: 'Balance due', value: amount(0) },
  ]);
  sheet.heading('Part 5: FUTA tax liability by quarter');
  sheet.formLines([
    ...form.quarterLiabilityCents.map((cents, index) => ({
      line: `16${'abcd'[index] ?? ''}`,
      label: `Quarter ${index + 1}`,
      value: amount(cents),
    })),
    {
      line: '17',
      label: 'Total tax liability for the year, equal to line 12',
      value: amount(form.line8TaxCents),
      strong: true,
    },
  ]);
  signatureBlock(sheet, document.preparedDay, ledger.company.index * 19);
  return sheet.finish();
}

/** The print file of a quarter: every company's return one after the other, as it should never be sent to one of them. */
export function combined941(document: QuarterDocument): Promise<Buffer> {
  const ledgers = COMPANIES.flatMap((company) => filingLedgerOf(company) ?? []).filter((ledger) => {
    const { line1Employees } = form941(ledger, document.year, document.quarter);
    return line1Employees > 0;
  });
  const sheet = new Sheet({
    title: `Form 941, all clients, ${document.year} Q${document.quarter}`,
    author: FIRM.name,
    preparedDay: document.preparedDay,
    footer: `Form 941, all clients  ·  Print file for ${FIRM.name}, not for clients  ·  ${FICTION}`,
  });
  ledgers.forEach((ledger, index) => {
    if (index > 0) {
      sheet.continueWith(() => {});
      sheet.newPage();
    }
    drawFormHead(sheet, head941(ledger, document));
    draw941(sheet, ledger, document);
  });
  return sheet.finish();
}
