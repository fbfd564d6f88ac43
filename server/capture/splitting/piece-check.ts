// Whether a piece holds the pages that it was made of, as pdf.js reads both: what was accepted was read by it, and made by another.
import type { PDFDocumentLoadingTask, PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';

/** What stands on a page, without the spaces that a reader puts between. */
async function printedOn(page: PDFPageProxy): Promise<string> {
  const { items } = await page.getTextContent();
  return items
    .map((item) => ('str' in item ? item.str : ''))
    .join('')
    .replaceAll(/\s/gu, '');
}

/** Whether the one page is the other. What was written over the original's page is drawn on the piece's, behind all else. */
async function isSamePage(page: PDFPageProxy, original: PDFPageProxy): Promise<boolean> {
  const [made, read] = [await printedOn(page), await printedOn(original)];
  if (made === read) return true;
  return made.startsWith(read) && (await hasAnnotations(original));
}

/** Those for the printer first: of those for the screen, pdf.js reads what each of them says too, which takes most of the time. */
async function hasAnnotations(page: PDFPageProxy): Promise<boolean> {
  return (
    (await page.getAnnotations({ intent: 'print' })).length > 0 ||
    (await page.getAnnotations({ intent: 'display' })).length > 0
  );
}

export class PieceCheck {
  readonly #bytes: Uint8Array<ArrayBuffer>;
  readonly #password: string | undefined;
  #original: PDFDocumentLoadingTask | undefined;

  /** `bytes` are those of the whole file, and gone from the caller once a piece is looked at. */
  constructor(bytes: Uint8Array<ArrayBuffer>, password: string | undefined) {
    this.#bytes = bytes;
    this.#password = password;
  }

  /** By the number of pages, and by what stands on the first and the last. */
  async holds(piece: Uint8Array, { from, to }: { readonly from: number; readonly to: number }): Promise<boolean> {
    const { openPdf } = await import('../reading/pdfjs.ts');
    this.#original ??= openPdf(this.#bytes, this.#password);
    const original = await this.#original.promise;
    const task: PDFDocumentLoadingTask = openPdf(piece.slice(), undefined);
    try {
      const made = await task.promise;
      if (made.numPages !== to - from + 1) return false;
      for (const number of new Set([1, made.numPages])) {
        const [page, before] = [await made.getPage(number), await original.getPage(from + number - 1)];
        if (!(await isSamePage(page, before))) return false;
        before.cleanup();
      }
      return true;
    } finally {
      await task.destroy();
    }
  }

  async close(): Promise<void> {
    await this.#original?.destroy();
  }
}
