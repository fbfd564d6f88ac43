// Real PDFs for browser tests.
import PDFDocument from 'pdfkit';

/** A one-page PDF that says `lines`. */
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
