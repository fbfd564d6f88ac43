// Whether a piece holds the pages that it was made of, as pdf.js reads both: what was accepted was read by it, and made by another.
import type { PDFDocumentProxy, PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';

/** What stands on the first and the last of some pages; the one where they are one. */
export interface Printed {
  readonly pages: number;
  readonly ends: readonly { readonly text: string; readonly isWrittenOver: boolean }[];
}

/** The first page being 1, both inclusive. */
export interface PageRange {
  readonly from: number;
  readonly to: number;
}

export async function printedOn(document: PDFDocumentProxy, { from, to }: PageRange): Promise<Printed> {
  const ends = [];
  for (const number of new Set([from, to])) {
    const page = await document.getPage(number);
    ends.push({ text: await lettersOf(page), isWrittenOver: await isWrittenOver(page) });
    page.cleanup();
  }
  return { pages: to - from + 1, ends };
}

/** Without the spaces that a reader puts between. */
async function lettersOf(page: PDFPageProxy): Promise<string> {
  const { items } = await page.getTextContent();
  return items
    .map((item) => ('str' in item ? item.str : ''))
    .join('')
    .replaceAll(/\s/gu, '');
}

/** Those for the printer first: of those for the screen, pdf.js reads what each of them says too, which takes most of the time. */
async function isWrittenOver(page: PDFPageProxy): Promise<boolean> {
  return (
    (await page.getAnnotations({ intent: 'print' })).length > 0 ||
    (await page.getAnnotations({ intent: 'display' })).length > 0
  );
}

/**
 * Whether the one is the other, by the number of pages, and by what stands on the first and the last. What was written over the
 * original's page is drawn on the piece's, behind all else.
 */
export function isSame(made: Printed, original: Printed): boolean {
  return (
    made.pages === original.pages &&
    made.ends.length === original.ends.length &&
    original.ends.every(({ text, isWrittenOver: over }, nth) => {
      const other = made.ends[nth]?.text;
      return other === text || (over && other?.startsWith(text) === true);
    })
  );
}
