// Documents one after the other in one PDF, as a payroll program prints them for many companies, and what each of them is.
import { ParseSpeeds, PDFDocument } from '@cantoo/pdf-lib';
import { type Day, momentMs } from '../calendar.ts';
import { FIRM } from '../companies.ts';
import type { ReportTypeName } from '../staff.ts';

/** What a document is, for whoever checks what becomes of it. */
export interface Truth {
  /** Index into COMPANIES; null where it is no client's, or nobody can tell. */
  readonly company: number | null;
  readonly reportTypeName: ReportTypeName | null;
  /** As in contract/period.ts; a month is none. */
  readonly period: string | null;
  /** It replaces a document filed before. */
  readonly correction?: true;
  /** Why nobody but a person can file it; null for an honest document. */
  readonly trap: string | null;
}

export interface Part {
  readonly bytes: Uint8Array;
  readonly truth: Truth;
  /** Pages that were lost on the way, the first being 1. */
  readonly lost?: readonly number[];
}

export interface PrintedPart extends Truth {
  /** In the print file, the first being 1, both inclusive. */
  readonly fromPage: number;
  readonly toPage: number;
}

export interface PrintFile {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly parts: readonly PrintedPart[];
}

/** One PDF of all `parts`. The same parts give the same bytes. */
export async function printFile(name: string, preparedDay: Day, parts: readonly Part[]): Promise<PrintFile> {
  const whole = await PDFDocument.create({ updateMetadata: false });
  whole.setTitle(name);
  whole.setCreator(`${FIRM.name}, payroll desk`);
  whole.setCreationDate(new Date(momentMs(preparedDay, 15 * 60)));
  const printed: PrintedPart[] = [];
  for (const { bytes, truth, lost = [] } of parts) {
    const part = await PDFDocument.load(bytes, { updateMetadata: false, parseSpeed: ParseSpeeds.Fastest });
    const kept = part.getPageIndices().filter((index) => !lost.includes(index + 1));
    const fromPage = whole.getPageCount() + 1;
    for (const page of await whole.copyPages(part, kept)) whole.addPage(page);
    printed.push({ ...truth, fromPage, toPage: whole.getPageCount() });
  }
  return { name, bytes: await whole.save(), parts: printed };
}
