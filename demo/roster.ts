// The people on a company's payroll: who they are, what they earn in a year, and what is taken from it.
import { ANCHOR_DAY, type Day, dayOf } from './calendar.ts';
import { type Company, companyByCode, type Frequency } from './companies.ts';
import { shareOf } from './money.ts';
import { personNames } from './people.ts';
import { createRandom, type Random } from './random.ts';

export const RUNS_PER_YEAR: Record<Frequency, number> = { weekly: 52, biweekly: 26, semimonthly: 24, monthly: 12 };

interface Deduction {
  readonly label: string;
  /** Where the money goes. */
  readonly payee: string;
  /** Each regular run. */
  readonly cents: number;
}

export interface Employee {
  readonly name: string;
  /** The last four digits; the rest is on no document. */
  readonly ssnEnding: string;
  readonly department: string;
  readonly jobTitle: string;
  readonly kind: 'salaried' | 'hourly';
  /** In the first year; later years add a raise. */
  readonly annualCents: number;
  /** Parts of 10,000. */
  readonly federalRate: number;
  readonly deduction: Deduction | null;
  readonly bank: string;
  readonly accountEnding: string;
  /** Paid by this company within these days. */
  readonly fromDay: Day;
  readonly untilDay: Day;
}

const HOURLY_TITLES = ['Associate', 'Technician', 'Assistant', 'Operator', 'Attendant', 'Specialist'] as const;
const SALARIED_TITLES = ['Manager', 'Supervisor', 'Coordinator', 'Analyst', 'Director'] as const;
const BANKS = ['First Prairie Bank', 'Lakeshore Credit Union', 'Union Harbor Bank', 'Summit Savings', 'Old Mill Bank'];
const ALWAYS: { fromDay: Day; untilDay: Day } = { fromDay: dayOf(2000, 1, 1), untilDay: dayOf(2099, 12, 31) };

function federalRateFor(annualCents: number, random: Random): number {
  const dollarsAYear = annualCents / 100;
  const rate = dollarsAYear < 32_000 ? 420 : dollarsAYear < 50_000 ? 690 : dollarsAYear < 80_000 ? 1010 : 1420;
  return rate + random.int(-120, 120);
}

function deductionFor(annualCents: number, runsPerYear: number, random: Random): Deduction | null {
  const draw = random.next();
  if (draw < 0.035) {
    return {
      label: 'Child support',
      payee: 'State disbursement unit',
      cents: Math.round(random.int(180_000, 480_000) / runsPerYear),
    };
  }
  if (draw < 0.05) {
    return {
      label: 'Creditor garnishment',
      payee: 'County court clerk',
      cents: Math.round(random.int(90_000, 200_000) / runsPerYear),
    };
  }
  if (draw < 0.25) {
    return {
      label: 'Roth 401(k)',
      payee: 'Plan custodian',
      cents: shareOf(annualCents / runsPerYear, random.int(2, 7) * 100),
    };
  }
  if (draw < 0.34) {
    return {
      label: 'Supplemental life',
      payee: 'Insurance carrier',
      cents: Math.round(random.int(12_000, 40_000) / runsPerYear),
    };
  }
  return null;
}

function rosterOf(company: Company): Employee[] {
  const random = createRandom('roster', company.fileCode);
  const runsPerYear = RUNS_PER_YEAR[company.frequency];
  const hourly = Math.round((company.employees * company.hourlyPercent) / 100);
  return personNames(random, company.employees).map((name, position) => {
    const kind = position < company.employees - hourly ? 'salaried' : 'hourly';
    // Everyone earns more than the FUTA base within half a year, and nobody reaches the social security base.
    const annualCents = (kind === 'salaried' ? random.int(46_000, 118_000) : random.int(29_000, 54_000)) * 100;
    const department = random.pick(company.departments);
    return {
      name,
      ssnEnding: random.digits(4),
      department,
      jobTitle: `${department} ${random.pick(kind === 'salaried' ? SALARIED_TITLES : HOURLY_TITLES)}`,
      kind,
      annualCents,
      federalRate: federalRateFor(annualCents, random),
      deduction: deductionFor(annualCents, runsPerYear, random),
      bank: random.pick(BANKS),
      accountEnding: random.digits(4),
      ...ALWAYS,
    };
  });
}

/** A company's own people and, from the day after it ended, those of the company it took over. */
export function employeesOf(company: Company): Employee[] {
  const own = rosterOf(company);
  if (company.tookOver === undefined) return own;
  const former = companyByCode(company.tookOver);
  const fromDay = (former.endDay ?? ANCHOR_DAY) + 1;
  return [...own, ...rosterOf(former).map((employee) => ({ ...employee, fromDay }))];
}

/** How many people the company employs at the end of its story. */
export function headcount(company: Company): number {
  return company.employees + (company.tookOver === undefined ? 0 : companyByCode(company.tookOver).employees);
}
