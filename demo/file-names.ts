// How people name the files they upload: tidy, plain or messy, by the habit of the company's people.
import { compactDate, type Day, isoDate, longDate, monthName, partsOf, shortDate } from './calendar.ts';
import type { Company, NamingHabit } from './companies.ts';
import type { PayRun } from './payroll.ts';
import type { Random } from './random.ts';
import { stateOf } from './states.ts';

interface Words {
  /** PayrollRegister */
  readonly token: string;
  /** Payroll Register */
  readonly plain: string;
  /** reg */
  readonly short: string;
}

interface When {
  /** 2025-03-14_PP05 */
  readonly token: string;
  /** 3-14-25 */
  readonly plain: string;
  /** 03142025 */
  readonly run: string;
}

/** Nobody keeps to a habit every time. */
function habitToday(company: Company, random: Random): NamingHabit {
  return random.chance(0.12) ? random.pick(['tidy', 'plain', 'messy']) : company.naming;
}

function habitualName(company: Company, words: Words, when: When, random: Random): string {
  const habit = habitToday(company, random);
  if (habit === 'tidy') return `${company.fileCode}_${words.token}_${when.token}.pdf`;
  if (habit === 'plain') return `${company.initials} ${words.plain} ${when.plain}.pdf`;
  return random.pick([
    `${words.plain} - ${company.legalName} ${when.plain}.pdf`,
    `${words.plain.toLowerCase()} ${when.run} final FINAL.pdf`,
    `${company.initials}_${words.short}_${when.run} (1).pdf`,
    `${company.initials} ${words.short} ${when.plain} REVISED.PDF`,
    `${when.plain} ${words.short}.pdf`,
  ]);
}

function runWhen(run: PayRun): When {
  const { year, month, date } = partsOf(run.checkDay);
  const period = run.kind === 'bonus' ? 'BONUS' : `PP${String(run.number).padStart(2, '0')}`;
  return {
    token: `${isoDate(run.checkDay)}_${period}`,
    plain: run.kind === 'bonus' ? `${shortDate(run.checkDay)} bonus` : shortDate(run.checkDay),
    run: `${String(month).padStart(2, '0')}${String(date).padStart(2, '0')}${year}`,
  };
}

const RUN_WORDS = {
  'payroll-register': { token: 'PayrollRegister', plain: 'Payroll Register', short: 'reg' },
  'payroll-journal': { token: 'PayrollJournal', plain: 'Payroll Journal', short: 'journal' },
  'direct-deposit': { token: 'DirectDeposit', plain: 'Direct Deposit', short: 'DD' },
} as const satisfies Record<string, Words>;

export function runFileName(kind: keyof typeof RUN_WORDS, company: Company, run: PayRun, random: Random): string {
  return habitualName(company, RUN_WORDS[kind], runWhen(run), random);
}

export function achFileName(run: PayRun): string {
  return `ACH_${compactDate(run.checkDay)}.txt`;
}

const QUARTER_WORDS = {
  'payroll-summary': { token: 'PayrollSummary', plain: 'Payroll Summary', short: 'summary' },
  'tax-liability': { token: 'TaxLiability', plain: 'Tax Liability', short: 'tax liab' },
} as const satisfies Record<string, Words>;

export function quarterFileName(
  kind: keyof typeof QUARTER_WORDS,
  company: Company,
  period: { year: number; quarter: number },
  random: Random,
): string {
  const { year, quarter } = period;
  const when = { token: `${year}Q${quarter}`, plain: `Q${quarter} ${year % 100}`, run: `${year}q${quarter}` };
  return habitualName(company, QUARTER_WORDS[kind], when, random);
}

export function form941FileName(company: Company, year: number, quarter: number, random: Random): string {
  const habit = habitToday(company, random);
  if (habit === 'tidy') return `${year}Q${quarter}_941_${company.fileCode}_FILED.pdf`;
  if (habit === 'plain') return `Form 941 Q${quarter} ${year} - ${company.legalName}.pdf`;
  return random.pick([
    `941 q${quarter} ${year % 100} final FINAL.pdf`,
    `${company.initials} 941 ${quarter}Q${year % 100} signed.pdf`,
    `Form941-${year}-Q${quarter} (${random.int(1, 3)}).pdf`,
  ]);
}

export function form941xFileName(year: number, quarter: number): string {
  return `941-X_${year}Q${quarter}_amended.pdf`;
}

export function stateReturnFileName(company: Company, year: number, quarter: number, random: Random): string {
  const { fileToken, formName } = stateOf(company.state);
  const habit = habitToday(company, random);
  if (habit === 'tidy') return `${fileToken}_${year}Q${quarter}.pdf`;
  if (habit === 'plain') return `${company.initials} ${formName.replaceAll(/[/]/g, '-')} Q${quarter} ${year}.pdf`;
  return `${fileToken.replaceAll('_', ' ')} Q${quarter} ${year % 100} final FINAL.pdf`;
}

/** `number` is the acknowledgement the confirmation carries; `day` is the settlement day. */
export function depositFileName(number: string, day: Day): string {
  return `EFTPS_${number}_${isoDate(day)}.pdf`;
}

export function depositsOfQuarterFileName(company: Company, year: number, quarter: number): string {
  return `EFTPS_deposits_${company.fileCode}_${year}Q${quarter}.pdf`;
}

export function deductionsFileName(company: Company, year: number, month: number, random: Random): string {
  const two = String(month).padStart(2, '0');
  const when = { token: `${year}-${two}`, plain: `${monthName(month)} ${year}`, run: `${two}-${year}` };
  return habitualName(company, { token: 'Deductions', plain: 'Deductions & Garnishments', short: 'ded' }, when, random);
}

export function form940FileName(company: Company, year: number, random: Random): string {
  return habitToday(company, random) === 'tidy'
    ? `${year}_940_${company.fileCode}_FILED.pdf`
    : `Form 940 ${year} - ${company.legalName}.pdf`;
}

export function w2FileName(company: Company, year: number, employees: number): string {
  return `W2_Batch_${year}_${company.fileCode}_${employees}ee.pdf`;
}

export function form1099FileName(company: Company, year: number, recipients: number, random: Random): string {
  return habitToday(company, random) === 'messy'
    ? `1099s ${year % 100} (${company.initials}).pdf`
    : `1099NEC_${year}_${recipients}recips.pdf`;
}

export function earningsFileName(company: Company, year: number, random: Random): string {
  const when = { token: String(year), plain: String(year), run: `${year}YE` };
  return habitualName(
    company,
    { token: 'EmployeeEarnings', plain: 'Employee Earnings', short: 'EE earnings' },
    when,
    random,
  );
}

export function noticeFileName(notice: string, day: Day, random: Random): string {
  return random.pick([
    `IRS ${notice} dated ${shortDate(day)}.pdf`,
    `${isoDate(day)}_${notice}_notice.pdf`,
    `${notice} NOTICE - ${longDate(day)}.pdf`,
  ]);
}

export function scanFileName(random: Random): string {
  return random.pick([
    `scan${random.digits(4)}.pdf`,
    `Scan_${random.digits(3)}.pdf`,
    `Document (${random.int(2, 9)}).pdf`,
  ]);
}

const DOCUMENT_NAMES = {
  'Tax Return': 'TaxReturn',
  'Financial Statement': 'FinancialStatement',
} as const;

export function yearDocumentFileName(
  kind: keyof typeof DOCUMENT_NAMES,
  company: Company,
  period: string,
  random: Random,
): string {
  return habitToday(company, random) === 'tidy'
    ? `${company.fileCode}_${DOCUMENT_NAMES[kind]}_${period.replaceAll(' ', '')}.pdf`
    : `${company.legalName} - ${kind} ${period}.pdf`;
}

export function letterFileName(subject: string, day: Day, random: Random): string {
  return random.chance(0.5) ? `Letter ${isoDate(day)} ${subject}.pdf` : `${subject} ${shortDate(day)}.pdf`;
}
