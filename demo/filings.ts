// Which files a company has in the portal: what is produced at each run, month, quarter and year, and who uploads it when.
import {
  ANCHOR_DAY,
  businessDayBefore,
  businessDayOnOrAfter,
  type Day,
  dayOf,
  lastDayOfMonth,
  lastDayOfQuarter,
  partsOf,
} from './calendar.ts';
import type { Company } from './companies.ts';
import { depositDay, depositNumber } from './deposits.ts';
import { documentFilings } from './document-filings.ts';
import type { DocumentDescriptor, NoticeCode } from './documents/descriptor.ts';
import {
  achFileName,
  deductionsFileName,
  depositFileName,
  depositsOfQuarterFileName,
  earningsFileName,
  form940FileName,
  form941FileName,
  form941xFileName,
  form1099FileName,
  noticeFileName,
  quarterFileName,
  runFileName,
  stateReturnFileName,
  w2FileName,
} from './file-names.ts';
import { oddFilings } from './odd-filings.ts';
import { filingLedgerOf, type Ledger, ledgerOf, type PayRun, runsOfMonth } from './payroll.ts';
import { createRandom, type Random } from './random.ts';
import { contractorsOf, formsW2, quartersOnFile, yearsOf } from './returns.ts';
import type { Person, ReportTypeName } from './staff.ts';
import { burst, type Filing, Uploaders } from './uploads.ts';

type Report = (
  reportTypeName: ReportTypeName | null,
  originalName: string,
  uploadedAtMs: number,
  document: DocumentDescriptor,
) => Filing;

function reportsBy(uploaders: Uploaders, random: Random): Report {
  return (reportTypeName, originalName, uploadedAtMs, document) => ({
    fileType: 'report',
    reportTypeName,
    documentType: null,
    originalName,
    uploadedAtMs,
    uploaderIndex: uploaders.ofReport(reportTypeName, random),
    document,
  });
}

// ---- Each run -----------------------------------------------------------------------------------------------------

function uploadDayOf(run: PayRun, random: Random): Day {
  const day = businessDayBefore(run.checkDay);
  return random.chance(0.04) ? businessDayOnOrAfter(run.checkDay + random.int(1, 3)) : day;
}

function runFilings(ledger: Ledger, report: Report, random: Random): Filing[] {
  const { company } = ledger;
  const also = company.runReports ?? [];
  return ledger.runs.flatMap((run) => {
    const preparedDay = uploadDayOf(run, random);
    const next = burst(preparedDay, random);
    const about = { company: company.index, run: run.index, preparedDay };
    const filings = [
      report('Payroll Register', runFileName('payroll-register', company, run, random), next(), {
        kind: 'payroll-register',
        ...about,
      }),
    ];
    if (also.includes('Payroll Journal')) {
      filings.push(
        report('Payroll Journal', runFileName('payroll-journal', company, run, random), next(), {
          kind: 'payroll-journal',
          ...about,
        }),
      );
    }
    if (also.includes('Direct Deposit / ACH')) {
      const asText = random.chance(0.25);
      const name = asText ? achFileName(run) : runFileName('direct-deposit', company, run, random);
      filings.push(
        report('Direct Deposit / ACH', name, next(), { kind: asText ? 'ach-text' : 'direct-deposit', ...about }),
      );
    }
    return filings;
  });
}

// ---- Each month ---------------------------------------------------------------------------------------------------

function monthsOf(ledger: Ledger): { year: number; month: number }[] {
  const months = new Map<number, { year: number; month: number }>();
  for (const run of ledger.runs) {
    const { year, month } = partsOf(run.checkDay);
    months.set(year * 12 + month, { year, month });
  }
  return [...months.values()];
}

function depositFilings(ledger: Ledger, report: Report, random: Random): Filing[] {
  const { company } = ledger;
  if (company.deposits !== 'monthly') return [];
  return monthsOf(ledger).map(({ year, month }) => {
    const day = depositDay(year, month);
    const name = depositFileName(depositNumber(company, day), day);
    return report('Deposit Confirmation (EFTPS)', name, burst(day, random)(), {
      kind: 'deposit-confirmation',
      company: company.index,
      preparedDay: day,
      year,
      month,
    });
  });
}

function deductionFilings(ledger: Ledger, report: Report, random: Random): Filing[] {
  const { company } = ledger;
  if (!company.runReports?.includes('Deductions & Garnishments')) return [];
  return monthsOf(ledger)
    .filter(({ year, month }) => runsOfMonth(ledger, year, month).some((run) => run.totals.deductionCents > 0))
    .map(({ year, month }) => {
      const preparedDay = businessDayOnOrAfter(lastDayOfMonth(year, month) + random.int(1, 4));
      return report(
        'Deductions & Garnishments',
        deductionsFileName(company, year, month, random),
        burst(preparedDay, random)(),
        { kind: 'deductions', company: company.index, preparedDay, year, month },
      );
    });
}

// ---- Each quarter and year ----------------------------------------------------------------------------------------

/** From this many employees on, the owner gets the quarter on one page. */
const SUMMARY_EMPLOYEES = 9;

function summaryFilings(ledger: Ledger, report: Report, random: Random): Filing[] {
  const { company } = ledger;
  if (company.employees < SUMMARY_EMPLOYEES) return [];
  return quartersOnFile(ledger).map(({ year, quarter }) => {
    const preparedDay = businessDayOnOrAfter(lastDayOfQuarter(year, quarter) + random.int(3, 9));
    return report(
      'Payroll Summary',
      quarterFileName('payroll-summary', company, { year, quarter }, random),
      burst(preparedDay, random)(),
      { kind: 'payroll-summary', company: company.index, preparedDay, year, quarter },
    );
  });
}

function quarterFilings(ledger: Ledger, report: Report, random: Random): Filing[] {
  const { company } = ledger;
  return quartersOnFile(ledger).flatMap(({ year, quarter }) => {
    const preparedDay = businessDayOnOrAfter(lastDayOfQuarter(year, quarter) + random.int(9, 27));
    const next = burst(preparedDay, random);
    const about = { company: company.index, preparedDay, year, quarter };
    const filings = [
      report('Form 941', form941FileName(company, year, quarter, random), next(), { kind: 'form-941', ...about }),
      report('State Quarterly (withholding, SUTA)', stateReturnFileName(company, year, quarter, random), next(), {
        kind: 'state-return',
        ...about,
      }),
      report('Tax Liability', quarterFileName('tax-liability', company, { year, quarter }, random), next(), {
        kind: 'tax-liability',
        ...about,
      }),
    ];
    if (company.deposits === 'semiweekly') {
      filings.push(
        report('Deposit Confirmation (EFTPS)', depositsOfQuarterFileName(company, year, quarter), next(), {
          kind: 'deposit-listing',
          ...about,
        }),
      );
    }
    return filings;
  });
}

function yearFilings(ledger: Ledger, report: Report, random: Random): Filing[] {
  const { company } = ledger;
  return yearsOf(ledger).flatMap((year) => {
    const preparedDay = businessDayOnOrAfter(dayOf(year + 1, 1, random.int(12, 29)));
    const next = burst(preparedDay, random);
    const about = { company: company.index, preparedDay, year };
    const recipients = contractorsOf(company, year).length;
    return [
      report('W-2 / W-3', w2FileName(company, year, formsW2(ledger, year).length), next(), {
        kind: 'w2-set',
        ...about,
      }),
      report('1099-NEC / 1096', form1099FileName(company, year, recipients, random), next(), {
        kind: 'form-1099',
        ...about,
      }),
      report('Form 940', form940FileName(company, year, random), next(), { kind: 'form-940', ...about }),
      report('Employee Earnings', earningsFileName(company, year, random), next(), {
        kind: 'employee-earnings',
        ...about,
      }),
    ];
  });
}

// ---- Notices ------------------------------------------------------------------------------------------------------

const COMMON_NOTICES = ['CP14', 'CP134B', 'CP136', 'CP259', 'CP2100'] as const satisfies readonly NoticeCode[];

function noticeFilings(ledger: Ledger, report: Report, random: Random): Filing[] {
  const { company } = ledger;
  const quarters = quartersOnFile(ledger, ANCHOR_DAY - 60);
  const filings: Filing[] = [];
  const add = (notice: NoticeCode, period: { year: number; quarter: number }, waitDays: number) => {
    const preparedDay = businessDayOnOrAfter(lastDayOfQuarter(period.year, period.quarter) + waitDays);
    filings.push(
      report(
        'Tax Notice',
        noticeFileName(notice, preparedDay - random.int(4, 9), random),
        burst(preparedDay, random)(),
        {
          kind: 'tax-notice',
          company: company.index,
          preparedDay,
          notice,
          ...period,
          photographed: false,
        },
      ),
    );
  };
  if (quarters.length > 0) {
    for (let count = random.int(0, 2); count > 0; count -= 1) {
      add(random.pick(COMMON_NOTICES), random.pick(quarters), random.int(55, 110));
    }
  }
  if (company.discrepancy === 'missed-bonus-run') {
    // The return omits a bonus run whose taxes were deposited: the IRS asks, and an amended return follows.
    const period = { year: 2025, quarter: 3 };
    add('CP134R', period, 68);
    const preparedDay = dayOf(2026, 1, 14);
    filings.push(
      report('Form 941', form941xFileName(period.year, period.quarter), burst(preparedDay, random)(), {
        kind: 'form-941x',
        company: company.index,
        preparedDay,
        ...period,
      }),
    );
  }
  return filings;
}

/** Every file of the company, in no order and regardless of where the firm's history begins. */
export function filingsOf(company: Company, people: readonly Person[]): Filing[] {
  const ledger = ledgerOf(company);
  const filing = filingLedgerOf(company);
  const uploaders = new Uploaders(people, company);
  // Each kind draws from a stream of its own, so that a change to one leaves the others as they were.
  const stream = (kind: string) => createRandom('filings', company.fileCode, kind);
  const report = (kind: string) => reportsBy(uploaders, stream(`${kind}-uploader`));
  return [
    ...runFilings(ledger, report('runs'), stream('runs')),
    ...deductionFilings(ledger, report('deductions'), stream('deductions')),
    ...summaryFilings(ledger, report('summaries'), stream('summaries')),
    ...(filing === null
      ? []
      : [
          ...depositFilings(filing, report('deposits'), stream('deposits')),
          ...quarterFilings(filing, report('quarters'), stream('quarters')),
          ...yearFilings(filing, report('years'), stream('years')),
          ...noticeFilings(filing, report('notices'), stream('notices')),
        ]),
    ...documentFilings(ledger, uploaders, stream('documents')),
    ...oddFilings(ledger, uploaders, stream('odd')),
  ];
}
