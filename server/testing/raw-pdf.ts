// PDFs written object by object, for tests of what no honest program writes.
import { deflateSync } from 'node:zlib';

/** The body of an object as PDF has it; `stream` is compressed unless the body names a filter. */
export interface RawObject {
  readonly body: string;
  readonly stream?: string | Uint8Array;
}

/** The objects are numbered from 1; the first is the catalog. */
export function rawPdf(objects: readonly (string | RawObject)[], trailer = ''): Uint8Array<ArrayBuffer> {
  const parts: Buffer[] = [Buffer.from('%PDF-1.7\n')];
  const offsets: number[] = [];
  let at = parts[0]?.length ?? 0;
  const write = (part: Buffer) => {
    parts.push(part);
    at += part.length;
  };
  for (const [index, object] of objects.entries()) {
    offsets.push(at);
    write(Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), bodyOf(object), Buffer.from('\nendobj\n')]));
  }
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const size = objects.length + 1;
  write(
    Buffer.from(
      `xref\n0 ${size}\n0000000000 65535 f \n${table}trailer\n<< /Size ${size} /Root 1 0 R ${trailer} >>\nstartxref\n${at}\n%%EOF\n`,
    ),
  );
  return new Uint8Array(Buffer.concat(parts));
}

function bodyOf(object: string | RawObject): Buffer {
  if (typeof object === 'string') return Buffer.from(object);
  const { body, stream } = object;
  if (stream === undefined) return Buffer.from(body);
  const filtered = body.includes('/Filter');
  const data = filtered ? Buffer.from(stream) : deflateSync(stream);
  const entries = `${body} /Length ${data.length} ${filtered ? '' : '/Filter /FlateDecode'}`;
  return Buffer.concat([Buffer.from(`<< ${entries} >>\nstream\n`), data, Buffer.from('\nendstream')]);
}

export const HELVETICA = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>';

/** A line of text in a page's content, from the page's lower left corner. */
export const textAt = (text: string, x: number, y: number, size = 12) =>
  `BT /F1 ${size} Tf ${x} ${y} Td (${text}) Tj ET`;

export interface RawPage {
  readonly content: string;
  /** Further entries of its dictionary, or those that replace the usual ones. */
  readonly entries?: string;
}

/** A PDF of pages that share one font. Object 3 is the font, `further` are the objects from 4 on. */
export function rawPages(
  pages: readonly RawPage[],
  {
    catalog = '',
    further = [],
  }: { readonly catalog?: string; readonly further?: readonly (string | RawObject)[] } = {},
): Uint8Array<ArrayBuffer> {
  const first = 4 + further.length;
  const kids = pages.map((_, index) => `${first + 2 * index} 0 R`);
  return rawPdf([
    `<< /Type /Catalog /Pages 2 0 R ${catalog} >>`,
    `<< /Type /Pages /Kids [${kids.join(' ')}] /Count ${pages.length} >>`,
    HELVETICA,
    ...further,
    ...pages.flatMap(({ content, entries = '' }, index) => [
      `<< /Type /Page /Parent 2 0 R /Contents ${first + 2 * index + 1} 0 R ${boxes(entries)} ${entries} >>`,
      { body: '', stream: content },
    ]),
  ]);
}

const boxes = (entries: string) =>
  (entries.includes('/MediaBox') ? '' : '/MediaBox [0 0 612 792] ') +
  (entries.includes('/Resources') ? '' : '/Resources << /Font << /F1 3 0 R >> >>');
