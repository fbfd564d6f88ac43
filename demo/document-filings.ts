// A company's documents: letters, papers and accounts.
import type { DocumentType } from '#contract/file-kinds.ts';
import { ANCHOR_DAY, businessDayOnOrAfter, type Day, dayOf, HISTORY_START_DAY, lastDayOfQuarter } from './calendar.ts';
import type { Company } from './companies.ts';
import type { DocumentDescriptor, LetterSubject, Paper } from './documents/descriptor.ts';
import { letterFileName, scanFileName, yearDocumentFileName } from './file-names.ts';
import type { Ledger } from './payroll.ts';
import type { Random } from './random.ts';
import { quartersOnFile, yearsOf } from './returns.ts';
import { burst, type Filing, type Uploaders } from './uploads.ts';

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

export function documentFilings(ledger: Ledger, uploaders: Uploaders, random: Random): Filing[] {
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
