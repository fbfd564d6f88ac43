// Reports for a month or a quarter: summaries, tax liabilities, deductions and the state's return.
import { lastDayOfQuarter, monthName, quarterLabel, usDate } from '../calendar.ts';
import { amount, amountOrDash, dollars, percent, sumOf } from '../money.ts';
import {
  FUTA_RATE,
  type Ledger,
  MEDICARE_RATE,
  type PayRun,
  runsOfMonth,
  runsOfQuarter,
  SOCIAL_SECURITY_RATE,
  totalsOf,
} from '../payroll.ts';
import { stateReturn } from '../returns.ts';
import { stateOf } from '../states.ts';
import type { MonthDocument, QuarterDocument } from './descriptor.ts';
import { openFirmSheet, signatureBlock } from './letterhead.ts';
import { COLORS } from './typesetter.ts';

const runLabel = (run: PayRun) => (run.kind === 'bonus' ? 'Bonus' : `No. ${run.number}`);

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
