// The payroll of a company, run by run and employee by employee, in whole cents: every document adds up from it.
import {
  ANCHOR_DAY,
  businessDayOnOrBefore,
  type Day,
  dayOf,
  lastDayOfMonth,
  partsOf,
  quarterOf,
  weekdayOf,
  yearOf,
} from './calendar.ts';
import { COMPANIES, type Company } from './companies.ts';
import { shareOf } from './money.ts';
import { createRandom, type Random } from './random.ts';
import { type Employee, employeesOf, RUNS_PER_YEAR } from './roster.ts';
import { stateOf } from './states.ts';

/** Figures begin here, so that the yearly forms of the first year on file cover the whole year. */
const FIRST_YEAR = 2024;

export const SOCIAL_SECURITY_RATE = 620;
export const MEDICARE_RATE = 145;
export const FUTA_RATE = 60;
export const FUTA_BASE_CENTS = 700_000;
const BONUS_WITHHOLDING_RATE = 2200;

export interface PayLine {
  /** Position in the ledger's employees. */
  readonly employee: number;
  /** Hundredths of an hour; 0 for salaries and bonuses. */
  readonly hours: number;
  readonly overtimeHours: number;
  readonly regularCents: number;
  readonly overtimeCents: number;
  readonly bonusCents: number;
  readonly grossCents: number;
  readonly federalCents: number;
  readonly socialSecurityCents: number;
  readonly medicareCents: number;
  readonly stateCents: number;
  readonly deductionCents: number;
  readonly netCents: number;
}

export interface PayRun {
  readonly index: number;
  /** 1 to 52 within the year of the check date; 0 for a bonus run. */
  readonly number: number;
  readonly kind: 'regular' | 'bonus';
  readonly beginDay: Day;
  readonly endDay: Day;
  /** Taxes follow this day. */
  readonly checkDay: Day;
  readonly lines: readonly PayLine[];
  readonly totals: PayTotals;
  /** The employer's own unemployment taxes on this run; they add up to the returns without a cent's difference. */
  readonly futaTaxableCents: number;
  readonly futaCents: number;
  readonly unemploymentTaxableCents: number;
  readonly unemploymentCents: number;
}

export type PayTotals = Omit<PayLine, 'employee'>;

export interface Ledger {
  readonly company: Company;
  readonly employees: readonly Employee[];
  readonly runs: readonly PayRun[];
}

const AMOUNTS = [
  'hours',
  'overtimeHours',
  'regularCents',
  'overtimeCents',
  'bonusCents',
  'grossCents',
  'federalCents',
  'socialSecurityCents',
  'medicareCents',
  'stateCents',
  'deductionCents',
  'netCents',
] as const satisfies readonly (keyof PayTotals)[];

export function totalsOf(items: readonly PayTotals[]): PayTotals {
  const totals = Object.fromEntries(AMOUNTS.map((key) => [key, 0])) as Record<(typeof AMOUNTS)[number], number>;
  for (const item of items) for (const key of AMOUNTS) totals[key] += item[key];
  return totals;
}

/** What a run makes the employer owe the IRS: tax withheld and both halves of social security and Medicare. */
export function federalLiabilityCents(totals: PayTotals): number {
  return totals.federalCents + 2 * (totals.socialSecurityCents + totals.medicareCents);
}

// ---- The runs -----------------------------------------------------------------------------------------------------

type Period = Pick<PayRun, 'kind' | 'beginDay' | 'endDay' | 'checkDay'>;

/** Fridays every `weeks` weeks for the weeks that ended on the Saturday before. */
function weeklyPeriods(weeks: 1 | 2, phase: number): Period[] {
  const periods: Period[] = [];
  let checkDay = dayOf(FIRST_YEAR, 1, 1);
  while (weekdayOf(checkDay) !== 5) checkDay += 1;
  for (checkDay += phase * 7; checkDay <= ANCHOR_DAY + 14; checkDay += weeks * 7) {
    const endDay = checkDay - 6;
    periods.push({ kind: 'regular', beginDay: endDay - weeks * 7 + 1, endDay, checkDay });
  }
  return periods;
}

function monthlyPeriods(halves: boolean): Period[] {
  const periods: Period[] = [];
  for (let month = 1; ; month += 1) {
    const first = dayOf(FIRST_YEAR, month, 1);
    if (first > ANCHOR_DAY) return periods;
    const { year, month: calendarMonth } = partsOf(first);
    const last = lastDayOfMonth(year, calendarMonth);
    const regular = (beginDay: Day, endDay: Day): Period => ({
      kind: 'regular',
      beginDay,
      endDay,
      checkDay: businessDayOnOrBefore(endDay),
    });
    if (halves) periods.push(regular(first, first + 14), regular(first + 15, last));
    else periods.push(regular(first, last));
  }
}

/** The bonus run that never reached the return of its quarter. */
const MISSED_BONUS_DAY = dayOf(2025, 8, 27);
const MISSED_BONUS_EACH_CENTS = 30_000;
const MISSED_BONUS_PEOPLE = 4;

function bonusPeriods(company: Company): Period[] {
  const bonus = (day: Day): Period => ({ kind: 'bonus', beginDay: day, endDay: day, checkDay: day });
  const holidayBonus = company.index % 4 === 0 ? [2024, 2025].map((year) => bonus(dayOf(year, 12, 18))) : [];
  return company.discrepancy === 'missed-bonus-run' ? [bonus(MISSED_BONUS_DAY), ...holidayBonus] : holidayBonus;
}

function periodsOf(company: Company): Period[] {
  const regular = {
    weekly: () => weeklyPeriods(1, 0),
    biweekly: () => weeklyPeriods(2, company.index % 2),
    semimonthly: () => monthlyPeriods(true),
    monthly: () => monthlyPeriods(false),
  }[company.frequency]();
  return [...regular, ...bonusPeriods(company)]
    .filter((period) => period.beginDay >= company.startDay && period.checkDay <= (company.endDay ?? period.checkDay))
    .sort((one, other) => one.checkDay - other.checkDay || one.kind.localeCompare(other.kind));
}

function raisedCents(employee: Employee, year: number): number {
  // Whole dollars a year, three percent more each January.
  return Math.round((employee.annualCents * 1.03 ** (year - FIRST_YEAR)) / 100) * 100;
}

function earningsOf(employee: Employee, company: Company, period: Period, random: Random) {
  const none = { hours: 0, overtimeHours: 0, regularCents: 0, overtimeCents: 0, bonusCents: 0 };
  const annualCents = raisedCents(employee, yearOf(period.checkDay));
  const runsPerYear = RUNS_PER_YEAR[company.frequency];
  if (period.kind === 'bonus') return { ...none, bonusCents: Math.round(annualCents / 10_000) * 100 };
  if (employee.kind === 'salaried') return { ...none, regularCents: Math.round(annualCents / runsPerYear) };
  const fullHours = Math.round(208_000 / runsPerYear / 25) * 25;
  const hourlyCents = Math.round(annualCents / 2080);
  const hours = Math.min(fullHours, fullHours - 25 * random.int(-6, 22));
  const overtimeHours = hours === fullHours && random.chance(0.45) ? 25 * random.int(2, 26) : 0;
  return {
    ...none,
    hours,
    overtimeHours,
    regularCents: Math.round((hours * hourlyCents) / 100),
    overtimeCents: Math.round((overtimeHours * hourlyCents * 1.5) / 100),
  };
}

function payLine(employee: Employee, position: number, company: Company, period: Period, random: Random): PayLine {
  const earned =
    period.checkDay === MISSED_BONUS_DAY && company.discrepancy === 'missed-bonus-run'
      ? { hours: 0, overtimeHours: 0, regularCents: 0, overtimeCents: 0, bonusCents: MISSED_BONUS_EACH_CENTS }
      : earningsOf(employee, company, period, random);
  const grossCents = earned.regularCents + earned.overtimeCents + earned.bonusCents;
  const federalCents = shareOf(grossCents, period.kind === 'bonus' ? BONUS_WITHHOLDING_RATE : employee.federalRate);
  const socialSecurityCents = shareOf(grossCents, SOCIAL_SECURITY_RATE);
  const medicareCents = shareOf(grossCents, MEDICARE_RATE);
  const stateCents = shareOf(grossCents, stateOf(company.state).withholdingRate);
  const deductionCents = period.kind === 'bonus' ? 0 : (employee.deduction?.cents ?? 0);
  return {
    employee: position,
    ...earned,
    grossCents,
    federalCents,
    socialSecurityCents,
    medicareCents,
    stateCents,
    deductionCents,
    netCents: grossCents - federalCents - socialSecurityCents - medicareCents - stateCents - deductionCents,
  };
}

/** Follows each employee's wages up to a yearly base, and the tax on them as its rounded running total. */
class BaseTracker {
  readonly #baseCents: number;
  readonly #rate: number;
  readonly #wages = new Map<number, number>();
  #taxableCents = 0;
  #taxCents = 0;

  constructor(baseCents: number, rate: number) {
    this.#baseCents = baseCents;
    this.#rate = rate;
  }

  startYear(): void {
    this.#wages.clear();
    this.startReturn();
  }

  /** Where a return begins, so that the runs' taxes add up to the tax on the return's total. */
  startReturn(): void {
    this.#taxableCents = 0;
    this.#taxCents = 0;
  }

  add(lines: readonly PayLine[]): { taxableCents: number; taxCents: number } {
    let taxableCents = 0;
    for (const line of lines) {
      const before = this.#wages.get(line.employee) ?? 0;
      taxableCents += Math.max(0, Math.min(line.grossCents, this.#baseCents - before));
      this.#wages.set(line.employee, before + line.grossCents);
    }
    this.#taxableCents += taxableCents;
    const taxBefore = this.#taxCents;
    this.#taxCents = shareOf(this.#taxableCents, this.#rate);
    return { taxableCents, taxCents: this.#taxCents - taxBefore };
  }
}

/** The whole payroll of one company since its first year here, up to two weeks beyond the demo's today. */
export function ledgerOf(company: Company): Ledger {
  const employees = employeesOf(company);
  const random = createRandom('hours', company.fileCode);
  const futa = new BaseTracker(FUTA_BASE_CENTS, FUTA_RATE);
  const unemployment = new BaseTracker(stateOf(company.state).unemploymentBaseCents, company.unemploymentRate);
  let year = 0;
  let quarter = 0;
  let number = 0;
  const runs = periodsOf(company).map((period, index): PayRun => {
    if (yearOf(period.checkDay) !== year) {
      year = yearOf(period.checkDay);
      quarter = 0;
      number = 0;
      futa.startYear();
      unemployment.startYear();
    }
    if (quarterOf(period.checkDay) !== quarter) {
      quarter = quarterOf(period.checkDay);
      unemployment.startReturn();
    }
    const present = employees.flatMap((employee, position) =>
      employee.fromDay <= period.checkDay && period.checkDay <= employee.untilDay ? [{ employee, position }] : [],
    );
    const missed = company.discrepancy === 'missed-bonus-run' && period.checkDay === MISSED_BONUS_DAY;
    const lines = (missed ? present.slice(0, MISSED_BONUS_PEOPLE) : present).map(({ employee, position }) =>
      payLine(employee, position, company, period, random),
    );
    const federalUnemployment = futa.add(lines);
    const stateUnemployment = unemployment.add(lines);
    if (period.kind === 'regular') number += 1;
    return {
      index,
      number: period.kind === 'regular' ? number : 0,
      ...period,
      lines,
      totals: totalsOf(lines),
      futaTaxableCents: federalUnemployment.taxableCents,
      futaCents: federalUnemployment.taxCents,
      unemploymentTaxableCents: stateUnemployment.taxableCents,
      unemploymentCents: stateUnemployment.taxCents,
    };
  });
  return { company, employees, runs };
}

/**
 * What is filed under the company's EIN: its own payroll and that of the client that shares the number. Null for the
 * client whose taxes are filed with the other one.
 */
export function filingLedgerOf(company: Company): Ledger | null {
  if (company.einOf !== undefined) return null;
  const own = ledgerOf(company);
  const partner = COMPANIES.find((candidate) => candidate.einOf === company.fileCode);
  if (partner === undefined) return own;
  const other = ledgerOf(partner);
  const shift = own.employees.length;
  const moved = other.runs.map((run) => ({
    ...run,
    lines: run.lines.map((line) => ({ ...line, employee: line.employee + shift })),
  }));
  return {
    company,
    employees: [...own.employees, ...other.employees],
    runs: [...own.runs, ...moved]
      .sort((one, another) => one.checkDay - another.checkDay)
      .map((run, index) => ({ ...run, index })),
  };
}

export function runsOfQuarter(ledger: Ledger, year: number, quarter: number): PayRun[] {
  return ledger.runs.filter((run) => yearOf(run.checkDay) === year && quarterOf(run.checkDay) === quarter);
}

export function runsOfYear(ledger: Ledger, year: number): PayRun[] {
  return ledger.runs.filter((run) => yearOf(run.checkDay) === year);
}

export function runsOfMonth(ledger: Ledger, year: number, month: number): PayRun[] {
  return ledger.runs.filter((run) => {
    const parts = partsOf(run.checkDay);
    return parts.year === year && parts.month === month;
  });
}

export function isMissedBonusRun(ledger: Ledger, run: PayRun): boolean {
  return ledger.company.discrepancy === 'missed-bonus-run' && run.checkDay === MISSED_BONUS_DAY;
}
