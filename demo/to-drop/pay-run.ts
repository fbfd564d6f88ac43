// The print file of the next pay run: every company's reports, one company after the other, and nothing odd about any of them.
import { ANCHOR_DAY, businessDayBefore, isoDate, partsOf } from '../calendar.ts';
import type { Company } from '../companies.ts';
import type { DocumentDescriptor, RunDocument } from '../documents/descriptor.ts';
import type { Render } from '../documents/render.ts';
import { ledgerOf, type PayRun, runsOfMonth } from '../payroll.ts';
import type { ReportTypeName } from '../staff.ts';
import { type Part, type PrintFile, printFile } from './print-file.ts';

/** More would be slow to look through, and each is like the others. */
const MOST_COMPANIES = 20;
/** A register of more people fills page after page. */
const MOST_EMPLOYEES = 80;

interface NextRun {
  readonly company: Company;
  readonly run: PayRun;
  /** What was held back in the month of the run, for the companies that get a list of it. */
  readonly hasDeductions: boolean;
}

function nextRunOf(company: Company): NextRun[] {
  const ledger = ledgerOf(company);
  const run = ledger.runs.find(({ checkDay }) => checkDay > ANCHOR_DAY);
  if (run === undefined) return [];
  const { year, month } = partsOf(run.checkDay);
  const held = runsOfMonth(ledger, year, month).some(({ totals }) => totals.deductionCents > 0);
  // The list of a month is made with its last run.
  const isLast = !ledger.runs.some((other) => other.index > run.index && partsOf(other.checkDay).month === month);
  const asked = company.runReports?.includes('Deductions & Garnishments') === true;
  return [{ company, run, hasDeductions: asked && held && isLast }];
}

function documentsOf({ company, run, hasDeductions }: NextRun): {
  reportTypeName: ReportTypeName;
  period: string;
  document: DocumentDescriptor;
}[] {
  const about = { company: company.index, preparedDay: businessDayBefore(run.checkDay) };
  const day = isoDate(run.checkDay);
  const ofRun = (kind: RunDocument['kind'], reportTypeName: ReportTypeName) => ({
    reportTypeName,
    period: day,
    document: { kind, run: run.index, ...about },
  });
  const { year, month } = partsOf(run.checkDay);
  return [
    ofRun('payroll-register', 'Payroll Register'),
    ofRun('payroll-journal', 'Payroll Journal'),
    ...(company.runReports?.includes('Direct Deposit / ACH') ? [ofRun('direct-deposit', 'Direct Deposit / ACH')] : []),
    ...(hasDeductions
      ? [
          {
            reportTypeName: 'Deductions & Garnishments' as const,
            period: day.slice(0, 'YYYY-MM'.length),
            document: { kind: 'deductions' as const, year, month, ...about },
          },
        ]
      : []),
  ];
}

/** Nothing of it is on file yet: a run is filed on the day before its check date. */
export async function payRunFile(companies: readonly Company[], render: Render): Promise<PrintFile> {
  const runs = companies
    .filter(({ employees }) => employees <= MOST_EMPLOYEES)
    .flatMap(nextRunOf)
    .sort((one, other) => one.run.checkDay - other.run.checkDay || one.company.index - other.company.index)
    .slice(0, MOST_COMPANIES)
    .sort((one, other) => one.company.index - other.company.index);
  const parts: Part[] = [];
  for (const next of runs) {
    for (const { reportTypeName, period, document } of documentsOf(next)) {
      const truth = { company: next.company.index, reportTypeName, period, trap: null };
      parts.push({ bytes: await render(document), truth });
    }
  }
  const day = Math.min(...runs.map(({ run }) => run.checkDay));
  return printFile(`payrun-${isoDate(day)}.pdf`, businessDayBefore(day), parts);
}
