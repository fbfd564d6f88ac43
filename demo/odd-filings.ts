// Files that come as nobody expects them.
import type { DocumentType } from '#contract/file-kinds.ts';
import { type Day, dayOf, momentMs } from './calendar.ts';
import type { DocumentDescriptor } from './documents/descriptor.ts';
import type { Ledger } from './payroll.ts';
import type { Random } from './random.ts';
import type { Filing, Uploaders } from './uploads.ts';

const LONG_NAME =
  "Élodie's reply to the bank & the IRS, owner's copy, with the café's deposit slips (août, 2026) – scanned à la maison.pdf";

/** The files that a portal must survive, each with the company it happens to. */
export function oddFilings(ledger: Ledger, uploaders: Uploaders, random: Random): Filing[] {
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
