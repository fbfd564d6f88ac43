// The tax returns that follow from a payroll: 941, 940, W-2 and W-3, 1099-NEC and the state's, with their line numbers.
import { ANCHOR_DAY, type Day, HISTORY_START_DAY, lastDayOfQuarter, partsOf, quarterOf, yearOf } from './calendar.ts';
import type { Company } from './companies.ts';
import { shareOf, sumOf } from './money.ts';
import {
  FUTA_BASE_CENTS,
  FUTA_RATE,
  federalLiabilityCents,
  isMissedBonusRun,
  type Ledger,
  type PayTotals,
  runsOfQuarter,
  runsOfYear,
  totalsOf,
} from './payroll.ts';
import { personName } from './people.ts';
import { createRandom } from './random.ts';
import type { Employee } from './roster.ts';

const SOCIAL_SECURITY_BOTH_RATE = 1240;
const MEDICARE_BOTH_RATE = 290;

/** The quarter whose return is three cents off its registers. */
const ROUNDING_GAP = { year: 2025, quarter: 2, cents: 3 } as const;

/** Names follow the lines of the form. */
export interface Form941 {
  readonly year: number;
  readonly quarter: number;
  readonly line1Employees: number;
  readonly line2WagesCents: number;
  readonly line3WithheldCents: number;
  readonly line5aTaxCents: number;
  readonly line5cTaxCents: number;
  readonly line5eCents: number;
  readonly line6Cents: number;
  /** Fractions of cents. */
  readonly line7Cents: number;
  readonly line10Cents: number;
  readonly line12Cents: number;
  readonly line13DepositsCents: number;
  readonly line14DueCents: number;
  readonly line15OverpaidCents: number;
  /** The quarter's three months in order; they add up to line 12. */
  readonly monthLiabilityCents: readonly [number, number, number];
  /** Schedule B. */
  readonly dayLiabilities: readonly { readonly day: Day; readonly cents: number }[];
}

/** The return as it was filed; `corrected` is what it should have been. */
export function form941(ledger: Ledger, year: number, quarter: number, corrected = false): Form941 {
  const all = runsOfQuarter(ledger, year, quarter);
  const runs = corrected ? all : all.filter((run) => !isMissedBonusRun(ledger, run));
  const totals = totalsOf(runs.map((run) => run.totals));
  const gap =
    !corrected &&
    ledger.company.discrepancy === 'rounding-gap' &&
    year === ROUNDING_GAP.year &&
    quarter === ROUNDING_GAP.quarter
      ? ROUNDING_GAP.cents
      : 0;
  const line2WagesCents = totals.grossCents + gap;
  const line5aTaxCents = shareOf(line2WagesCents, SOCIAL_SECURITY_BOTH_RATE);
  const line5cTaxCents = shareOf(line2WagesCents, MEDICARE_BOTH_RATE);
  const line5eCents = line5aTaxCents + line5cTaxCents;
  const line6Cents = totals.federalCents + line5eCents;
  const line12Cents = federalLiabilityCents(totals);
  const line13DepositsCents = sumOf(all, (run) => federalLiabilityCents(run.totals));
  const monthLiability = (monthOfQuarter: number) =>
    sumOf(
      runs.filter((run) => partsOf(run.checkDay).month === (quarter - 1) * 3 + monthOfQuarter),
      (run) => federalLiabilityCents(run.totals),
    );
  return {
    year,
    quarter,
    line1Employees: new Set(runs.flatMap((run) => run.lines.map((line) => line.employee))).size,
    line2WagesCents,
    line3WithheldCents: totals.federalCents,
    line5aTaxCents,
    line5cTaxCents,
    line5eCents,
    line6Cents,
    line7Cents: line12Cents - line6Cents,
    line10Cents: line12Cents,
    line12Cents,
    line13DepositsCents,
    line14DueCents: Math.max(0, line12Cents - line13DepositsCents),
    line15OverpaidCents: Math.max(0, line13DepositsCents - line12Cents),
    monthLiabilityCents: [monthLiability(1), monthLiability(2), monthLiability(3)],
    dayLiabilities: runs.map((run) => ({ day: run.checkDay, cents: federalLiabilityCents(run.totals) })),
  };
}

export interface Form940 {
  readonly year: number;
  readonly employees: number;
  readonly line3PaymentsCents: number;
  readonly line5OverBaseCents: number;
  readonly line7TaxableCents: number;
  readonly line8TaxCents: number;
  readonly quarterLiabilityCents: readonly [number, number, number, number];
}

export function form940(ledger: Ledger, year: number): Form940 {
  const runs = runsOfYear(ledger, year);
  const line3PaymentsCents = sumOf(runs, (run) => run.totals.grossCents);
  const line7TaxableCents = sumOf(runs, (run) => run.futaTaxableCents);
  const inQuarter = (quarter: number) =>
    sumOf(
      runs.filter((run) => quarterOf(run.checkDay) === quarter),
      (run) => run.futaCents,
    );
  return {
    year,
    employees: new Set(runs.flatMap((run) => run.lines.map((line) => line.employee))).size,
    line3PaymentsCents,
    line5OverBaseCents: line3PaymentsCents - line7TaxableCents,
    line7TaxableCents,
    line8TaxCents: shareOf(line7TaxableCents, FUTA_RATE),
    quarterLiabilityCents: [inQuarter(1), inQuarter(2), inQuarter(3), inQuarter(4)],
  };
}

/** What FUTA comes to when everybody reached the base: 7,000.00 x employees x 0.6 %. */
export function fullFutaCents(employees: number): number {
  return shareOf(FUTA_BASE_CENTS * employees, FUTA_RATE);
}

export interface FormW2 {
  readonly employee: Employee;
  readonly totals: PayTotals;
}

/** One for each employee paid in the year, in the order of the roster. */
export function formsW2(ledger: Ledger, year: number): FormW2[] {
  const lines = new Map<number, PayTotals[]>();
  for (const run of runsOfYear(ledger, year)) {
    for (const line of run.lines) {
      const known = lines.get(line.employee);
      if (known) known.push(line);
      else lines.set(line.employee, [line]);
    }
  }
  return ledger.employees.flatMap((employee, position) => {
    const paid = lines.get(position);
    return paid ? [{ employee, totals: totalsOf(paid) }] : [];
  });
}

export interface StateReturn {
  readonly employees: number;
  readonly wagesCents: number;
  readonly withheldCents: number;
  readonly taxableCents: number;
  readonly overBaseCents: number;
  readonly unemploymentCents: number;
}

export function stateReturn(ledger: Ledger, year: number, quarter: number): StateReturn {
  const runs = runsOfQuarter(ledger, year, quarter);
  const totals = totalsOf(runs.map((run) => run.totals));
  const taxableCents = sumOf(runs, (run) => run.unemploymentTaxableCents);
  return {
    employees: new Set(runs.flatMap((run) => run.lines.map((line) => line.employee))).size,
    wagesCents: totals.grossCents,
    withheldCents: totals.stateCents,
    taxableCents,
    overBaseCents: totals.grossCents - taxableCents,
    unemploymentCents: sumOf(runs, (run) => run.unemploymentCents),
  };
}

export interface Contractor {
  readonly name: string;
  readonly tinEnding: string;
  readonly service: string;
  readonly cents: number;
}

const SERVICES = ['Bookkeeping', 'Cleaning', 'Repairs', 'Marketing', 'IT support', 'Delivery', 'Consulting'] as const;

/** Who was paid without being employed: those with 600.00 or more, whom Form 1099-NEC is for. */
export function contractorsOf(company: Company, year: number): Contractor[] {
  const random = createRandom('contractors', company.fileCode, year);
  return Array.from({ length: random.int(1, 6) }, () => ({
    name: personName(random),
    tinEnding: random.digits(4),
    service: random.pick(SERVICES),
    cents: random.int(60_000, 3_200_000),
  }));
}

/** The quarters, oldest first, in which the company paid anybody by `untilDay` and that had ended by then. */
export function finishedQuarters(ledger: Ledger, untilDay: Day): { year: number; quarter: number }[] {
  const seen = new Map<string, { year: number; quarter: number }>();
  const now = { year: yearOf(untilDay), quarter: quarterOf(untilDay) };
  for (const run of ledger.runs) {
    const year = yearOf(run.checkDay);
    const quarter = quarterOf(run.checkDay);
    if (year > now.year || (year === now.year && quarter >= now.quarter)) continue;
    seen.set(`${year}-${quarter}`, { year, quarter });
  }
  return [...seen.values()];
}

/** The finished quarters whose registers are on file. */
export function quartersOnFile(ledger: Ledger, untilDay: Day = ANCHOR_DAY): { year: number; quarter: number }[] {
  return finishedQuarters(ledger, untilDay).filter(
    ({ year, quarter }) => lastDayOfQuarter(year, quarter) > HISTORY_START_DAY,
  );
}

/** The years of its payroll that are over. */
export function yearsOf(ledger: Ledger): number[] {
  return [...new Set(ledger.runs.map((run) => yearOf(run.checkDay)))].filter((year) => year < yearOf(ANCHOR_DAY));
}
