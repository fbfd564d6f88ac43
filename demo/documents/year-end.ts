// Documents for a year: W-2s with their W-3, 1099-NECs with their 1096, and the employee earnings record.
import { quarterOf } from '../calendar.ts';
import type { Company } from '../companies.ts';
import { amount, amountOrDash, dollars, sumOf } from '../money.ts';
import { type Ledger, runsOfYear, totalsOf } from '../payroll.ts';
import { type Contractor, contractorsOf, type FormW2, formsW2 } from '../returns.ts';
import { stateOf } from '../states.ts';
import type { YearDocument } from './descriptor.ts';
import { openFirmSheet, openFormSheet } from './letterhead.ts';
import type { Sheet } from './sheet.ts';
import { COLORS } from './typesetter.ts';

const IRS = 'Department of the Treasury – Internal Revenue Service';

const counted = (count: number, form: string) => `${count} ${count === 1 ? 'Form' : 'Forms'} ${form}`;

/** A cell of a wage statement: its box number and name over the value. */
function cell(sheet: Sheet, x: number, y: number, width: number, label: string, value: string): void {
  sheet.box(x, y, width, 26, { stroke: COLORS.faint, weight: 0.6 });
  sheet.text(sheet.fitted(label, width - 6, { size: 5.8 }), x + 3, y + 3, { size: 5.8, color: COLORS.muted });
  const style = { size: 8.5, face: 'bold' } as const;
  sheet.text(sheet.fitted(value, width - 6, style), x + 3, y + 13, style);
}

const W2_HEIGHT = 172;

function drawW2(sheet: Sheet, company: Company, form: FormW2, year: number): void {
  const { employee, totals } = form;
  sheet.need(W2_HEIGHT);
  const top = sheet.y;
  const half = sheet.width / 2;
  const quarter = half / 2;
  const x = sheet.left;
  const money = x + half;
  sheet.text('W-2', x, top, { size: 13, face: 'bold' });
  sheet.text(`Wage and Tax Statement ${year}`, x + 36, top + 4, { size: 8.5 });
  sheet.text('Copy D, for employer', x, top + 4, {
    size: 7.5,
    color: COLORS.muted,
    width: sheet.width,
    align: 'right',
  });
  const row = (index: number) => top + 18 + index * 26;
  cell(sheet, x, row(0), quarter, "a  Employee's social security number", `•••-••-${employee.ssnEnding}`);
  cell(sheet, x + quarter, row(0), quarter, 'b  Employer identification number (EIN)', company.federalId);
  cell(sheet, x, row(1), half, "c  Employer's name, address, and ZIP code", company.legalName);
  cell(sheet, x, row(2), half, '', `${company.street}, ${company.cityLine}`);
  cell(sheet, x, row(3), half, "e  Employee's name", employee.name);
  cell(sheet, x, row(4), quarter, "15  State, employer's state ID", `${company.state}  ${company.stateId}`);
  cell(sheet, x + quarter, row(4), quarter, '16  State wages, tips, etc.', amount(totals.grossCents));
  const roth = employee.deduction?.label === 'Roth 401(k)' ? `AA  ${amount(totals.deductionCents)}` : '';
  cell(sheet, money, row(0), quarter, '1  Wages, tips, other compensation', amount(totals.grossCents));
  cell(sheet, money + quarter, row(0), quarter, '2  Federal income tax withheld', amount(totals.federalCents));
  cell(sheet, money, row(1), quarter, '3  Social security wages', amount(totals.grossCents));
  cell(sheet, money + quarter, row(1), quarter, '4  Social security tax withheld', amount(totals.socialSecurityCents));
  cell(sheet, money, row(2), quarter, '5  Medicare wages and tips', amount(totals.grossCents));
  cell(sheet, money + quarter, row(2), quarter, '6  Medicare tax withheld', amount(totals.medicareCents));
  cell(sheet, money, row(3), quarter, '7  Social security tips', '');
  cell(sheet, money + quarter, row(3), quarter, '12a  See instructions for box 12', roth);
  cell(sheet, money, row(4), quarter, '17  State income tax', amountOrDash(totals.stateCents));
  cell(sheet, money + quarter, row(4), quarter, '18-20  Local', '');
  sheet.y = top + W2_HEIGHT;
}

/** The W-3 on top, then the employer's copies, four on a page. */
export function w2Set(ledger: Ledger, document: YearDocument): Promise<Buffer> {
  const { company } = ledger;
  const forms = formsW2(ledger, document.year);
  const totals = totalsOf(forms.map((form) => form.totals));
  const sheet = openFormSheet({
    number: 'W-3',
    title: 'Transmittal of Wage and Tax Statements',
    year: document.year,
    period: [String(document.year), counted(forms.length, 'W-2')],
    company,
    preparedDay: document.preparedDay,
    agency: 'Social Security Administration',
  });
  sheet.formLines([
    { line: 'b', label: 'Kind of payer: 941. Kind of employer: none of the listed', value: '941' },
    { line: 'c', label: 'Total number of Forms W-2', value: String(forms.length) },
    { line: '1', label: 'Wages, tips, other compensation', value: amount(totals.grossCents), strong: true },
    { line: '2', label: 'Federal income tax withheld', value: amount(totals.federalCents) },
    { line: '3', label: 'Social security wages', value: amount(totals.grossCents) },
    { line: '4', label: 'Social security tax withheld', value: amount(totals.socialSecurityCents) },
    { line: '5', label: 'Medicare wages and tips', value: amount(totals.grossCents) },
    { line: '6', label: 'Medicare tax withheld', value: amount(totals.medicareCents) },
    { line: '16', label: `State wages, ${stateOf(company.state).name}`, value: amount(totals.grossCents) },
    { line: '17', label: 'State income tax', value: amount(totals.stateCents) },
  ]);
  sheet.continueWith(() => {});
  sheet.newPage();
  for (const form of forms) drawW2(sheet, company, form, document.year);
  return sheet.finish();
}

function draw1099(sheet: Sheet, company: Company, contractor: Contractor, year: number): void {
  sheet.need(106);
  const top = sheet.y;
  const half = sheet.width / 2;
  sheet.text('1099-NEC', sheet.left, top, { size: 12, face: 'bold' });
  sheet.text(`Nonemployee Compensation ${year}`, sheet.left + 66, top + 3, { size: 8.5 });
  const row = (index: number) => top + 18 + index * 26;
  cell(sheet, sheet.left, row(0), half, "PAYER'S name", company.legalName);
  cell(sheet, sheet.left, row(1), half / 2, "PAYER'S TIN", company.federalId);
  cell(sheet, sheet.left + half / 2, row(1), half / 2, "RECIPIENT'S TIN", `•••-••-${contractor.tinEnding}`);
  cell(sheet, sheet.left + half, row(0), half, "RECIPIENT'S name", contractor.name);
  cell(sheet, sheet.left + half, row(1), half / 2, '1  Nonemployee compensation', dollars(contractor.cents));
  cell(sheet, sheet.left + half + half / 2, row(1), half / 2, '4  Federal income tax withheld', '');
  cell(sheet, sheet.left, row(2), half, 'Account number', contractor.service);
  cell(sheet, sheet.left + half, row(2), half, '5-7  State', company.state);
  sheet.y = top + 110;
}

export function form1099Set(ledger: Ledger, document: YearDocument): Promise<Buffer> {
  const { company } = ledger;
  const contractors = contractorsOf(company, document.year);
  const sheet = openFormSheet({
    number: '1096',
    title: 'Annual Summary and Transmittal of U.S. Information Returns',
    year: document.year,
    period: [String(document.year), counted(contractors.length, '1099-NEC')],
    company,
    preparedDay: document.preparedDay,
    agency: IRS,
  });
  sheet.formLines([
    { line: '3', label: 'Total number of forms', value: String(contractors.length) },
    { line: '4', label: 'Federal income tax withheld', value: amount(0) },
    {
      line: '5',
      label: 'Total amount reported',
      value: amount(sumOf(contractors, (contractor) => contractor.cents)),
      strong: true,
    },
    { line: '6', label: 'Type of form: 1099-NEC', value: 'X' },
  ]);
  sheet.y += 10;
  for (const contractor of contractors) draw1099(sheet, company, contractor, document.year);
  return sheet.finish();
}

/** What each employee earned, quarter by quarter. */
export function employeeEarnings(ledger: Ledger, document: YearDocument): Promise<Buffer> {
  const runs = runsOfYear(ledger, document.year);
  const forms = formsW2(ledger, document.year);
  const total = totalsOf(forms.map((form) => form.totals));
  const sheet = openFirmSheet({
    title: 'Employee Earnings',
    subtitle: `Year ${document.year}`,
    company: ledger.company,
    preparedDay: document.preparedDay,
    landscape: true,
    facts: [
      ['Employees', String(forms.length)],
      ['Runs', String(runs.length)],
      ['Gross wages', dollars(total.grossCents)],
      ['Net pay', dollars(total.netCents)],
    ],
  });
  const byQuarter = new Map<number, [number, number, number, number]>();
  for (const run of runs) {
    const index = quarterOf(run.checkDay) - 1;
    for (const line of run.lines) {
      const sums = byQuarter.get(line.employee) ?? [0, 0, 0, 0];
      sums[index as 0 | 1 | 2 | 3] += line.grossCents;
      byQuarter.set(line.employee, sums);
    }
  }
  const none: [number, number, number, number] = [0, 0, 0, 0];
  const rows = forms.map((form) => ({
    form,
    quarters: byQuarter.get(ledger.employees.indexOf(form.employee)) ?? none,
  }));
  sheet.table(
    [
      { head: 'Employee', weight: 26 },
      { head: 'Job title', weight: 26 },
      { head: 'Pay', weight: 10 },
      { head: 'Q1', weight: 13, align: 'right' },
      { head: 'Q2', weight: 13, align: 'right' },
      { head: 'Q3', weight: 13, align: 'right' },
      { head: 'Q4', weight: 13, align: 'right' },
      { head: 'Gross', weight: 14, align: 'right' },
      { head: 'Taxes', weight: 13, align: 'right' },
      { head: 'Deductions', weight: 13, align: 'right' },
      { head: 'Net pay', weight: 14, align: 'right' },
    ],
    rows.map(({ form: { employee, totals }, quarters }) => [
      employee.name,
      employee.jobTitle,
      employee.kind === 'salaried' ? 'Salary' : 'Hourly',
      ...quarters.map(amountOrDash),
      amount(totals.grossCents),
      amount(totals.grossCents - totals.deductionCents - totals.netCents),
      amountOrDash(totals.deductionCents),
      amount(totals.netCents),
    ]),
    {
      size: 7.5,
      totals: [
        [
          'Total',
          '',
          '',
          ...[0, 1, 2, 3].map((quarter) => amountOrDash(sumOf(rows, ({ quarters }) => quarters[quarter] ?? 0))),
          amount(total.grossCents),
          amount(total.grossCents - total.deductionCents - total.netCents),
          amountOrDash(total.deductionCents),
          amount(total.netCents),
        ],
      ],
    },
  );
  return sheet.finish();
}
