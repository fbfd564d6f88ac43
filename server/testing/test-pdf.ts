// PDFs drawn for tests: pages of lines, and what stands on the pages of one.
import PDFDocument from 'pdfkit';
import { pageIn } from '../batches/reading/packed-page.ts';
import { readDocument } from '../batches/reading/read-document.ts';

/** One page for each list of lines. */
export function testPdf(pages: readonly (readonly string[])[]): Promise<Uint8Array> {
  const document = new PDFDocument({ size: 'LETTER', margin: 54, autoFirstPage: false });
  const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>();
  const chunks: Buffer[] = [];
  document.on('data', (chunk: Buffer) => chunks.push(chunk));
  document.on('end', () => resolve(new Uint8Array(Buffer.concat(chunks))));
  document.on('error', reject);
  for (const lines of pages) {
    document.addPage();
    for (const line of lines) document.font('Helvetica').fontSize(11).text(line).moveDown(0.4);
  }
  document.end();
  return promise;
}

/** The text of each page. */
export async function textOfPages(bytes: Uint8Array): Promise<string[]> {
  const reading = await readDocument(Uint8Array.from(bytes), {
    contentType: 'application/pdf',
    signal: new AbortController().signal,
  });
  if ('unreadable' in reading) throw new Error(`The PDF is unreadable: ${reading.unreadable}`);
  const pages = reading.document.pages.map(({ packed }) => pageIn(packed));
  return pages.map(({ runs }) => runs.map(({ text }) => text).join('\n'));
}
