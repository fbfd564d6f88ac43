// Which files a company has in the portal: what is produced at each run, month, quarter and year, and who uploads it when.
import type { DocumentType, FileType } from '#contract/file-kinds.ts';
import {
  ANCHOR_DAY,
  businessDayBefore,
  businessDayOnOrAfter,
  type Day,
  dayOf,
  HISTORY_START_DAY,
  lastDayOfMonth,
  lastDayOfQuarter,
  momentMs,
  partsOf,
  yearOf,
} from './calendar.ts';
import type { Company } from './companies.ts';
import { depositDay, depositNumber } from './deposits.ts';
import type { DocumentDescriptor, LetterSubject, NoticeCode, Paper } from './documents/descriptor.ts';
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
  letterFileName,
  noticeFileName,
  quarterFileName,
  runFileName,
  scanFileName,
  stateReturnFileName,
  w2FileName,
  yearDocumentFileName,
} from './file-names.ts';
import { filingLedgerOf, type Ledger, ledgerOf, type PayRun, runsOfMonth } from './payroll.ts';
import { createRandom, type Random } from './random.ts';
import { contractorsOf, finishedQuarters, formsW2 } from './returns.ts';
import type { Person, ReportTypeName } from './staff.ts';

export interface Filing {
  readonly fileType: FileType;
  readonly reportTypeName: ReportTypeName | null;
  readonly documentType: DocumentType | null;
  readonly originalName: string;
  readonly uploadedAtMs: number;
  /** Index into the people given. */
  readonly uploaderIndex: number;
  readonly document: DocumentDescriptor;
}

/** The people who upload for a company, and when in the day. */
class Uploaders {
  readonly #people: readonly Person[];
  readonly #company: Company;

  constructor(people: readonly Person[], company: Company) {
    this.#people = people;
    this.#company = company;
  }

  #indexesWhere(test: (person: Person) => boolean): number[] {
    return this.#people.flatMap((person, index) => (test(person) ? [index] : []));
  }

  /** Mostly the first of the company's CPAs who reaches the type; without one, an Admin. */
  ofReport(reportTypeName: ReportTypeName | null, random: Random): number {
    const staff = this.#indexesWhere(
      (person) =>
        (person.roleName === 'CPA' || person.roleName === 'Bookkeeper') &&
        person.companies.includes(this.#company.index) &&
        (reportTypeName === null || person.reportTypes.includes(reportTypeName)),
    );
    const [first] = staff;
    if (first === undefined) return 0;
    return random.chance(0.7) ? first : random.pick(staff);
  }

  /** Somebody of the client company, or its CPA where nobody there has an account. */
  ofClient(random: Random): number {
    const people = this.#indexesWhere(
      (person) => person.roleName === 'Client' && person.companies.includes(this.#company.index),
    );
    const owners = people.filter((index) => this.#people[index]?.owner);
    const [owner] = owners;
    if (owner === undefined) return this.ofReport(null, random);
    return random.chance(0.75) ? owner : random.pick(people);
  }
}

/** Office hours of the firm, as minutes after midnight UTC; a batch goes up within minutes. */
function burst(day: Day, random: Random): () => number {
  let minutes = 14 * 60 + random.int(0, 330) + random.next();
  return () => {
    minutes += 0.4 + random.next() * 2;
    return momentMs(day, minutes);
  };
}

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

/** The finished quarters whose registers are on file. */
function quartersOnFile(ledger: Ledger, untilDay: Day = ANCHOR_DAY): { year: number; quarter: number }[] {
  return finishedQuarters(ledger, untilDay).filter(
    ({ year, quarter }) => lastDayOfQuarter(year, quarter) > HISTORY_START_DAY,
  );
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

function yearsOf(ledger: Ledger): number[] {
  return [...new Set(ledger.runs.map((run) => yearOf(run.checkDay)))].filter((year) => year < yearOf(ANCHOR_DAY));
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

// ---- Company documents --------------------------------------------------------------------------------------------

interface DocumentPlan {
  readonly documentType: DocumentType;
  readonly name: string;
  readonly preparedDay: Day;
  readonly byClient: boolean;
  readonly document: DocumentDescriptor;
}

function lettersAndPapers(company: Company, random: Random): DocumentPlan[] {
  const plans: DocumentPlan[] = [];
  const letter = (subject: LetterSubject, preparedDay: Day, byClient: boolean) => {
    plans.push({
      documentType: 'Correspondence',
      name: letterFileName(subject, preparedDay, random),
      preparedDay,
      byClient,
      document: { kind: 'letter', subject, company: company.index, preparedDay },
    });
  };
  const paper = (kind: Paper, name: string, preparedDay: Day, documentType: DocumentType = 'Supporting Document') => {
    plans.push({
      documentType,
      name,
      preparedDay,
      byClient: true,
      document: { kind: 'paper', paper: kind, company: company.index, preparedDay },
    });
  };
  const nearStart = Math.max(company.startDay, HISTORY_START_DAY) + random.int(3, 25);
  letter('Engagement letter', businessDayOnOrAfter(nearStart), false);
  letter('Year-end payroll checklist', businessDayOnOrAfter(dayOf(2025, 12, random.int(1, 10))), false);
  if (random.chance(0.6)) {
    letter('Unemployment rate change', businessDayOnOrAfter(dayOf(2026, 1, random.int(5, 20))), false);
  }
  if (random.chance(0.35)) letter('Question about overtime', dayOf(2026, random.int(2, 10), random.int(1, 28)), true);
  if (random.chance(0.3)) letter('Change of bank account', dayOf(2025, random.int(2, 12), random.int(1, 28)), true);
  if (random.chance(0.3)) letter('Reply to IRS notice', dayOf(2026, random.int(1, 9), random.int(1, 28)), false);
  paper('W-9', random.chance(0.5) ? 'W-9 signed.pdf' : `${company.initials} W9.pdf`, nearStart + 2);
  if (random.chance(0.7)) paper('Form 8655', `Form 8655 ${company.legalName}.pdf`, nearStart + 4);
  if (random.chance(0.6)) paper('EIN assignment', 'CP575 EIN letter.pdf', nearStart + 6, 'Other');
  if (random.chance(0.5))
    paper('Voided check', scanFileName(random), dayOf(2025, random.int(1, 12), random.int(1, 28)));
  for (const year of [2025, 2026]) {
    if (random.chance(0.6)) {
      paper('Workers comp audit', `Workers comp audit ${year - 1}.pdf`, dayOf(year, 3, random.int(2, 28)));
    }
  }
  if (company.ending === 'left') letter('Disengagement letter', dayOf(2026, 1, 9), false);
  if (company.ending === 'merged') letter('Merger of payroll accounts', dayOf(2025, 6, 18), false);
  return plans;
}

function accountsOf(ledger: Ledger, random: Random): DocumentPlan[] {
  const { company } = ledger;
  // A congregation files no income tax return.
  const returns = company.business === 'Congregation' ? [] : yearsOf(ledger);
  const taxReturns = returns.map((year): DocumentPlan => {
    const preparedDay = businessDayOnOrAfter(dayOf(year + 1, random.int(3, 9), random.int(1, 14)));
    return {
      documentType: 'Tax Return',
      name: yearDocumentFileName('Tax Return', company, String(year), random),
      preparedDay,
      byClient: false,
      document: { kind: 'tax-return', company: company.index, preparedDay, year },
    };
  });
  const quarters = quartersOnFile(ledger).filter(({ quarter }) => quarter === 4 || company.index % 6 === 0);
  const statements = quarters.map(({ year, quarter }): DocumentPlan => {
    const preparedDay = businessDayOnOrAfter(lastDayOfQuarter(year, quarter) + random.int(18, 44));
    const period = quarter === 4 ? String(year) : `${year} Q${quarter}`;
    return {
      documentType: 'Financial Statement',
      name: yearDocumentFileName('Financial Statement', company, period, random),
      preparedDay,
      byClient: false,
      document: { kind: 'financial-statement', company: company.index, preparedDay, year, quarter },
    };
  });
  return [...taxReturns, ...statements];
}

function documentFilings(ledger: Ledger, uploaders: Uploaders, random: Random): Filing[] {
  const { company } = ledger;
  const lastDay = (company.endDay ?? ANCHOR_DAY) + 120;
  return [...lettersAndPapers(company, random), ...accountsOf(ledger, random)]
    .filter(({ preparedDay }) => preparedDay >= company.startDay && preparedDay <= lastDay)
    .map(({ documentType, name, preparedDay, byClient, document }) => ({
      fileType: 'company_document',
      reportTypeName: null,
      documentType,
      originalName: name,
      uploadedAtMs: burst(preparedDay, random)(),
      uploaderIndex: byClient ? uploaders.ofClient(random) : uploaders.ofReport(null, random),
      document,
    }));
}

// ---- What does not fit --------------------------------------------------------------------------------------------

const LONG_NAME =
  "Élodie's reply to the bank & the IRS, owner's copy, with the café's deposit slips (août, 2026) – scanned à la maison.pdf";

/** The files that a portal must survive, each with the company it happens to. */
function oddFilings(ledger: Ledger, uploaders: Uploaders, random: Random): Filing[] {
  const { company } = ledger;
  const about = (preparedDay: Day) => ({ company: company.index, preparedDay });
  const at = (day: Day, hour: number) => momentMs(day, hour * 60 + random.int(0, 59));
  const document = (name: string, day: Day, descriptor: DocumentDescriptor, type: DocumentType = 'Other'): Filing => ({
    fileType: 'company_document',
    reportTypeName: null,
    documentType: type,
    originalName: name,
    uploadedAtMs: at(day, 19),
    uploaderIndex: uploaders.ofClient(random),
    document: descriptor,
  });
  const untyped = (name: string, day: Day, descriptor: DocumentDescriptor): Filing => ({
    fileType: 'report',
    reportTypeName: null,
    documentType: null,
    originalName: name,
    uploadedAtMs: at(day, 18),
    uploaderIndex: uploaders.ofReport(null, random),
    document: descriptor,
  });
  const newestRun = ledger.runs.findLast((run) => run.checkDay < dayOf(2026, 11, 10));
  if (newestRun === undefined) return [];
  const ofRun = (kind: 'payroll-register' | 'register-csv') => ({
    kind,
    ...about(newestRun.checkDay),
    run: newestRun.index,
  });

  switch (company.fileCode) {
    case 'HarborPineBakery': {
      const notice = {
        kind: 'tax-notice',
        ...about(dayOf(2026, 10, 12)),
        notice: 'CP134B',
        year: 2026,
        quarter: 2,
        photographed: true,
      } as const;
      const check = { kind: 'photo', ...about(dayOf(2026, 11, 3)) } as const;
      return [
        document('scan0047.pdf', dayOf(2026, 10, 14), notice, 'Supporting Document'),
        // Sent again a week later, because nobody answered: the same bytes.
        document('scan0047 (1).pdf', dayOf(2026, 10, 21), notice, 'Supporting Document'),
        document('IMG_2291.png', dayOf(2026, 11, 3), check, 'Supporting Document'),
        untyped('Reports (3).pdf', dayOf(2026, 11, 6), ofRun('payroll-register')),
      ];
    }
    case 'AcmePlumbing':
      return [
        document('invoice_viewer.pdf', dayOf(2026, 10, 27), { kind: 'renamed-program', ...about(dayOf(2026, 10, 27)) }),
        untyped('register export.csv', dayOf(2026, 11, 9), ofRun('register-csv')),
      ];
    case 'AcmePlumbingOhio':
      return [
        document('new doc.pdf', dayOf(2026, 11, 5), { kind: 'nothing', ...about(dayOf(2026, 11, 5)) }),
        document('Employee roster LOCKED.pdf', dayOf(2026, 10, 30), {
          kind: 'locked-roster',
          ...about(dayOf(2026, 10, 30)),
        }),
      ];
    case 'BrasserieElodie': {
      const day = dayOf(2026, 8, 19);
      const letter = { kind: 'letter', subject: 'Reply to IRS notice', ...about(day) } as const;
      return [document(LONG_NAME, day, letter, 'Correspondence')];
    }
    case 'AlderWren':
      return [
        untyped('all_clients_941_Q1_2025.pdf', dayOf(2025, 4, 29), {
          kind: 'combined-941',
          ...about(dayOf(2025, 4, 29)),
          year: 2025,
          quarter: 1,
        }),
        untyped('all_clients_941_Q3_2026.pdf', dayOf(2026, 10, 29), {
          kind: 'combined-941',
          ...about(dayOf(2026, 10, 29)),
          year: 2026,
          quarter: 3,
        }),
      ];
    default:
      return [];
  }
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
