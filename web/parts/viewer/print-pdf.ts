// Prints all pages of a PDF: the viewer itself has drawings of a few, and a browser prints what is on the page.
import type { PdfFile } from './pdf-document.tsx';
import classes from './print-pdf.module.css';

/** So many pages are drawn for a printer; a longer file is printed by what opens it from the disk. */
export const PRINTED_PAGES_MAX = 300;

/** 150 dots for each of the 72 points of an inch. */
const SCALE = 150 / 72;
/** A larger page is drawn coarser. */
const PIXELS_MAX = 12_000_000;

async function drawPage(pdf: PdfFile, number: number): Promise<HTMLImageElement> {
  const page = await pdf.getPage(number);
  const { width, height } = page.getViewport({ scale: 1 });
  const viewport = page.getViewport({ scale: Math.min(SCALE, Math.sqrt(PIXELS_MAX / (width * height))) });
  const canvas = document.createElement('canvas');
  canvas.width = Math.floor(viewport.width);
  canvas.height = Math.floor(viewport.height);
  await page.render({ canvas, viewport, intent: 'print' }).promise;
  const bytes = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve));
  // Kept as a compressed picture: a drawing takes eight megabytes a page.
  canvas.width = 0;
  canvas.height = 0;
  if (bytes === null) throw new Error('The browser could not keep the drawing of a page');
  const picture = new Image();
  picture.alt = `Page ${number}`;
  if (width > height) picture.dataset['wide'] = '';
  picture.src = URL.createObjectURL(bytes);
  await picture.decode();
  return picture;
}

/**
 * Draws every page and opens the browser's own dialog for printing; resolves when that is closed, or at once where `signal` ends it. `onPage` is told each
 * page that is drawn next, from 1. Throws what drawing throws.
 */
export async function printPdf(pdf: PdfFile, onPage: (page: number) => void, signal: AbortSignal): Promise<void> {
  const sheets = document.createElement('div');
  sheets.className = classes.sheets ?? '';
  try {
    for (let number = 1; number <= pdf.numPages; number += 1) {
      onPage(number);
      const picture = await drawPage(pdf, number);
      sheets.append(picture);
      if (signal.aborted) return;
    }
    document.body.append(sheets);
    const { promise: closed, resolve } = Promise.withResolvers<void>();
    window.addEventListener('afterprint', () => resolve(), { once: true, signal });
    signal.addEventListener('abort', () => resolve(), { once: true });
    window.print();
    await closed;
  } finally {
    for (const picture of sheets.querySelectorAll('img')) URL.revokeObjectURL(picture.src);
    sheets.remove();
  }
}
