// Real PDFs for browser tests, and whether a page shows one.
import PDFDocument from 'pdfkit';

/** A one-page PDF with the text `lines`. */
export function makePdf(lines: readonly string[]): Promise<Buffer> {
  const document = new PDFDocument({ size: 'LETTER', info: { Title: lines[0] ?? '', CreationDate: new Date(0) } });
  const chunks: Buffer[] = [];
  const done = new Promise<Buffer>((resolve) => {
    document.on('data', (chunk: Buffer) => chunks.push(chunk));
    document.on('end', () => resolve(Buffer.concat(chunks)));
  });
  for (const line of lines) document.text(line);
  document.end();
  return done;
}

/** As much of a canvas as is read here: Node's types know no DOM. */
interface Drawing {
  readonly width: number;
  readonly height: number;
  getContext(kind: '2d'): { getImageData(...box: number[]): { readonly data: Uint8ClampedArray } };
}

/** Runs in the page: whether anything dark has been drawn. */
export function hasInk(canvas: Drawing): boolean {
  if (canvas.width === 0) return false;
  const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  return data.some((value, at) => at % 4 !== 3 && value < 100);
}
