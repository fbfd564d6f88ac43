// Reports for each payroll run: register, journal, direct deposit listing, and the two machine-readable exports.
import { compactDate, usDate } from '../calendar.ts';
import { FIRM } from '../companies.ts';
import { amount, amountOrDash, dollars, hoursText, percent, sumOf } from '../money.ts';
import {
  FUTA_RATE,
  federalLiabilityCents,
  type Ledger,
  type PayLine,
  type PayRun,
  type PayTotals,
  totalsOf,
} from '../payroll.ts';
import type { Employee } from '../roster.ts';
import type { RunDocument } from './descriptor.ts';
import { openFirmSheet } from './letterhead.ts';
import type { Column } from './sheet.ts';
import { COLORS } from './typesetter.ts';

function runOf(ledger: Ledger, document: RunDocument): PayRun {
  const run = ledger.runs[document.run];
  if (run === undefined) throw new RangeError(`${ledger.company.name} has no run ${document.run}`);
  return run;
}

function employeeOf(ledger: Ledger, line: PayLine): Employee {
  const employee = ledger.employees[line.employee];
  if (employee === undefined) throw new RangeError(`${ledger.company.name} has no employee ${line.employee}`);
  return employee;
}

function periodFacts(run: PayRun): [string, string][] {
  return [
    ['Pay period', `${usDate(run.beginDay).slice(0, 5)} – ${usDate(run.endDay)}`],
    ['Check date', usDate(run.checkDay)],
    ['Run', run.kind === 'bonus' ? 'Off-cycle bonus' : `Regular, no. ${run.number}`],
    ['Employees paid', String(run.lines.length)],
  ];
}

interface RegisterColumn extends Column {
  readonly of: (line: PayTotals) => number;
  readonly print: (value: number) => string;
}

const hoursOrDash = (hundredths: number) => (hundredths === 0 ? '–' : hoursText(hundredths));

const REGISTER_COLUMNS: readonly RegisterColumn[] = [
  { head: 'Hours', weight: 9, of: (line) => line.hours, print: hoursOrDash },
  { head: 'OT hours', weight: 9, of: (line) => line.overtimeHours, print: hoursOrDash },
  { head: 'Regular', weight: 13, of: (line) => line.regularCents, print: amountOrDash },
  { head: 'Overtime', weight: 12, of: (line) => line.overtimeCents, print: amountOrDash },
  { head: 'Bonus', weight: 12, of: (line) => line.bonusCents, print: amountOrDash },
  { head: 'Gross', weight: 13, of: (line) => line.grossCents, print: amount },
  { head: 'Federal', weight: 12, of: (line) => line.federalCents, print: amount },
  { head: 'Soc. sec.', weight: 12, of: (line) => line.socialSecurityCents, print: amount },
  { head: 'Medicare', weight: 11, of: (line) => line.medicareCents, print: amount },
  { head: 'State', weight: 11, of: (line) => line.stateCents, print: amountOrDash },
  { head: 'Deductions', weight: 12, of: (line) => line.deductionCents, print: amountOrDash },
  { head: 'Net pay', weight: 13, of: (line) => line.netCents, print: amount },
];

export function payrollRegister(ledger: Ledger, document: RunDocument): Promise<Buffer> {
  const run = runOf(ledger, document);
  const { totals } = run;
  const sheet = openFirmSheet({
    title: 'Payroll Register',
    subtitle: `Check date ${usDate(run.checkDay)}`,
    company: ledger.company,
    preparedDay: document.preparedDay,
    landscape: true,
    facts: periodFacts(run),
  });
  // A column in which nobody has anything is left out.
  const columns = REGISTER_COLUMNS.filter((column) => column.of(totals) !== 0);
  const cells = (name: string, line: PayTotals) => [name, ...columns.map((column) => column.print(column.of(line)))];
  sheet.table(
    [{ head: 'Employee', weight: 25 }, ...columns.map((column) => ({ ...column, align: 'right' as const }))],
    run.lines.map((line) => cells(employeeOf(ledger, line).name, line)),
    { size: 7.5, totals: [cells(`Total, ${run.lines.length} employees`, totals)] },
  );
  sheet.panel(
    [
      ['Gross wages', dollars(totals.grossCents)],
      [
        'Employee taxes',
        dollars(totals.federalCents + totals.socialSecurityCents + totals.medicareCents + totals.stateCents),
      ],
      ['Employer social security and Medicare', dollars(totals.socialSecurityCents + totals.medicareCents)],
      ['Federal deposit due', dollars(federalLiabilityCents(totals))],
      ['Net pay', dollars(totals.netCents)],
    ],
    { highlightLast: true },
  );
  return sheet.finish();
}

/** Debits and credits of one run for the general ledger; both sides are equal. */
export function payrollJournal(ledger: Ledger, document: RunDocument): Promise<Buffer> {
  const run = runOf(ledger, document);
  const { totals } = run;
  const sheet = openFirmSheet({
    title: 'Payroll Journal',
    subtitle: `Check date ${usDate(run.checkDay)}`,
    company: ledger.company,
    preparedDay: document.preparedDay,
    facts: periodFacts(run).slice(0, 3),
  });
  const employerFica = totals.socialSecurityCents + totals.medicareCents;
  const departments = ledger.company.departments.map((department) => {
    const lines = run.lines.filter((line) => employeeOf(ledger, line).department === department);
    return { department, count: lines.length, totals: totalsOf(lines) };
  });

  const entries: [account: string, name: string, debit: number, credit: number][] = [
    ...departments.map(({ department, totals: part }, index): [string, string, number, number] => [
      String(6010 + index * 10),
      `Wages – ${department}`,
      part.grossCents,
      0,
    ]),
    ['6110', 'Payroll tax expense – social security and Medicare', employerFica, 0],
    ['6120', 'Payroll tax expense – federal unemployment', run.futaCents, 0],
    ['6130', 'Payroll tax expense – state unemployment', run.unemploymentCents, 0],
    ['2110', 'Federal tax deposits payable', 0, federalLiabilityCents(totals)],
    ['2120', 'State withholding payable', 0, totals.stateCents],
    ['2130', 'Federal unemployment payable', 0, run.futaCents],
    ['2140', 'State unemployment payable', 0, run.unemploymentCents],
    ['2150', 'Employee deductions payable', 0, totals.deductionCents],
    ['1010', 'Payroll checking', 0, totals.netCents],
  ];
  const kept = entries.filter(([, , debit, credit]) => debit !== 0 || credit !== 0);
  sheet.heading('Journal entry');
  sheet.table(
    [
      { head: 'Account', weight: 10 },
      { head: 'Description', weight: 50 },
      { head: 'Debit', weight: 18, align: 'right' },
      { head: 'Credit', weight: 18, align: 'right' },
    ],
    kept.map(([account, name, debit, credit]) => [
      account,
      name,
      debit === 0 ? '' : amount(debit),
      credit === 0 ? '' : amount(credit),
    ]),
    {
      size: 8.5,
      totals: [
        ['', 'Total', amount(sumOf(kept, ([, , debit]) => debit)), amount(sumOf(kept, ([, , , credit]) => credit))],
      ],
    },
  );
  sheet.heading('Wages by department');
  sheet.table(
    [
      { head: 'Department', weight: 30 },
      { head: 'Employees', weight: 12, align: 'right' },
      { head: 'Gross', weight: 18, align: 'right' },
      { head: 'Taxes withheld', weight: 18, align: 'right' },
      { head: 'Deductions', weight: 16, align: 'right' },
      { head: 'Net pay', weight: 18, align: 'right' },
    ],
    departments.map(({ department, count, totals: part }) => [
      department,
      String(count),
      amount(part.grossCents),
      amount(part.federalCents + part.socialSecurityCents + part.medicareCents + part.stateCents),
      amountOrDash(part.deductionCents),
      amount(part.netCents),
    ]),
    {
      size: 8.5,
      totals: [
        [
          'Total',
          String(run.lines.length),
          amount(totals.grossCents),
          amount(totals.federalCents + totals.socialSecurityCents + totals.medicareCents + totals.stateCents),
          amountOrDash(totals.deductionCents),
          amount(totals.netCents),
        ],
      ],
    },
  );
  sheet.paragraph(
    `Unemployment taxes: ${amount(run.futaTaxableCents)} of this run's wages are subject to FUTA at ${percent(FUTA_RATE)}, ${amount(run.unemploymentTaxableCents)} to ${ledger.company.state} unemployment tax at ${percent(ledger.company.unemploymentRate)}.`,
    { size: 7.5, color: COLORS.muted },
  );
  return sheet.finish();
}

export function directDeposit(ledger: Ledger, document: RunDocument): Promise<Buffer> {
  const run = runOf(ledger, document);
  const sheet = openFirmSheet({
    title: 'Direct Deposit',
    subtitle: `Settlement ${usDate(run.checkDay)}`,
    company: ledger.company,
    preparedDay: document.preparedDay,
    facts: [
      ...periodFacts(run).slice(0, 2),
      ['Entries', String(run.lines.length)],
      ['Batch total', dollars(run.totals.netCents)],
    ],
  });
  sheet.table(
    [
      { head: 'Employee', weight: 30 },
      { head: 'Department', weight: 22 },
      { head: 'Bank', weight: 26 },
      { head: 'Account', weight: 14 },
      { head: 'Trace', weight: 14, align: 'right' },
      { head: 'Amount', weight: 16, align: 'right' },
    ],
    run.lines.map((line, index) => {
      const employee = employeeOf(ledger, line);
      return [
        employee.name,
        employee.department,
        employee.bank,
        `•••• ${employee.accountEnding}`,
        String(index + 1).padStart(7, '0'),
        amount(line.netCents),
      ];
    }),
    { totals: [['Total', '', '', '', String(run.lines.length), amount(run.totals.netCents)]] },
  );
  return sheet.finish();
}

/** Bytes of plain ASCII, as banks and spreadsheets of another time want them. */
const plain = (text: string) =>
  text
    .normalize('NFD')
    .replace(/[’]/g, "'")
    .replace(/[^\x20-\x7e]/g, '');

const RECORD_LENGTH = 94;
const RECORDS_A_BLOCK = 10;
/** A routing number with a wrong check digit, so that it belongs to no bank. */
const ROUTING = '000000001';

/** The run's payments in the layout of an ACH file: records of 94 characters, with counts and totals that hold. */
export function achText(ledger: Ledger, document: RunDocument): Buffer {
  const run = runOf(ledger, document);
  const { company } = ledger;
  const left = (text: string, length: number) => plain(text).toUpperCase().slice(0, length).padEnd(length);
  const right = (value: number | string, length: number) => String(value).slice(-length).padStart(length, '0');
  const date = compactDate(run.checkDay).slice(2);
  const prepared = compactDate(document.preparedDay).slice(2);
  const companyId = `1${company.federalId.replace('-', '')}`;
  const trace = (index: number) => `${ROUTING.slice(0, 8)}${right(index + 1, 7)}`;
  const entries = run.lines.map((line, index) => {
    const employee = employeeOf(ledger, line);
    const account = left(`000${employee.accountEnding}`, 17);
    return `622${ROUTING}${account}${right(line.netCents, 10)}${left(`EE${right(line.employee + 1, 5)}`, 15)}${left(employee.name, 22)}  0${trace(index)}`;
  });
  const hash = right(entries.length * Number(ROUTING.slice(0, 8)), 10);
  const batch = [
    `5220${left(company.legalName, 16)}${left('', 20)}${companyId}PPD${left('PAYROLL', 10)}${date}${date}   1${ROUTING.slice(0, 8)}0000001`,
    ...entries,
    `8220${right(entries.length, 6)}${hash}${right(0, 12)}${right(run.totals.netCents, 12)}${companyId}${left('', 25)}${ROUTING.slice(0, 8)}0000001`,
  ];
  const records = batch.length + 2;
  const blocks = Math.ceil(records / RECORDS_A_BLOCK);
  const lines = [
    `101 ${ROUTING}${companyId}${prepared}1530A094101${left('UNION HARBOR BANK', 23)}${left(FIRM.name, 23)}${left('', 8)}`,
    ...batch,
    `9000001${right(blocks, 6)}${right(entries.length, 8)}${hash}${right(0, 12)}${right(run.totals.netCents, 12)}${left('', 39)}`,
    ...Array.from({ length: blocks * RECORDS_A_BLOCK - records }, () => '9'.repeat(RECORD_LENGTH)),
  ];
  return Buffer.from(`${lines.join('\r\n')}\r\n`, 'latin1');
}

export function registerCsv(ledger: Ledger, document: RunDocument): Buffer {
  const run = runOf(ledger, document);
  const decimal = (cents: number) => (cents / 100).toFixed(2);
  const rows = run.lines.map((line) => [
    usDate(run.checkDay),
    `"${employeeOf(ledger, line).name}"`,
    decimal(line.hours),
    decimal(line.overtimeHours),
    decimal(line.grossCents),
    decimal(line.federalCents),
    decimal(line.socialSecurityCents),
    decimal(line.medicareCents),
    decimal(line.stateCents),
    decimal(line.deductionCents),
    decimal(line.netCents),
  ]);
  const head = 'Check Date,Employee,Hours,OT Hours,Gross,Federal,Social Security,Medicare,State,Deductions,Net';
  return Buffer.from(`${[head, ...rows.map((row) => row.join(','))].join('\r\n')}\r\n`, 'utf8');
}
