// Real PDFs for browser tests, and whether a page shows one.
import PDFDocument from 'pdfkit';

/** A PDF with the text of each of `pages`, line by line; with a password, it asks for that. */
export function makePages(pages: readonly (readonly string[])[], userPassword?: string): Promise<Buffer> {
  const title = pages[0]?.[0] ?? '';
  const document = new PDFDocument({
    size: 'LETTER',
    info: { Title: title, CreationDate: new Date(0) },
    ...(userPassword === undefined ? {} : { userPassword }),
  });
  const chunks: Buffer[] = [];
  const done = new Promise<Buffer>((resolve) => {
    document.on('data', (chunk: Buffer) => chunks.push(chunk));
    document.on('end', () => resolve(Buffer.concat(chunks)));
  });
  for (const [nth, lines] of pages.entries()) {
    if (nth > 0) document.addPage();
    for (const line of lines) document.text(line);
  }
  document.end();
  return done;
}

/** A one-page PDF with the text `lines`. */
export const makePdf = (lines: readonly string[]) => makePages([lines]);

/** As much of canvases as is read here: Node's types know no DOM. */
interface Drawing {
  readonly width: number;
  readonly height: number;
}
interface Copy {
  getContext(
    kind: '2d',
    how: { willReadFrequently: boolean },
  ): {
    drawImage(from: Drawing, ...at: number[]): void;
    getImageData(...box: number[]): { readonly data: Uint8ClampedArray };
  };
}

/** Runs in the page: whether anything dark has been drawn. It reads a copy, since Chromium complains of a canvas that is read again. */
export function hasInk(canvas: Drawing): boolean {
  if (canvas.width === 0) return false;
  const { OffscreenCanvas } = globalThis as unknown as { OffscreenCanvas: new (...size: number[]) => Copy };
  const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d', { willReadFrequently: true });
  copy.drawImage(canvas, 0, 0);
  const { data } = copy.getImageData(0, 0, canvas.width, canvas.height);
  return data.some((value, at) => at % 4 !== 3 && value < 100);
}
