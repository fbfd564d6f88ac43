// Print files as payroll programs write them: pages of figures for one company after another.
import { buffer } from 'node:stream/consumers';
import PDFDocument from 'pdfkit';

export interface PrintFile {
  readonly pages: number;
  readonly lines?: number;
  /** Needed to open it. */
  readonly password?: string;
  /** The version of PDF decides how it is encrypted. */
  readonly pdfVersion?: '1.3' | '1.4' | '1.6' | '1.7' | '1.7ext3';
  /** A bookmark on the first page of each company. */
  readonly bookmarks?: boolean;
  readonly layout?: 'portrait' | 'landscape';
}

/** How many pages each company has. */
const PAGES_EACH = 3;

export const companyOn = (page: number) => `Company ${Math.ceil(page / PAGES_EACH)} Payroll Services LLC`;

export async function printFile(options: PrintFile): Promise<Uint8Array<ArrayBuffer>> {
  const { pages, lines = 5, password, pdfVersion = '1.4', bookmarks = false } = options;
  const document = new PDFDocument({
    size: 'LETTER',
    layout: options.layout ?? 'portrait',
    margin: 0,
    autoFirstPage: false,
    pdfVersion,
    ...(password === undefined ? {} : { userPassword: password, ownerPassword: 'another' }),
    info: { CreationDate: new Date(0) },
  });
  const bytes = buffer(document);
  for (let page = 1; page <= pages; page += 1) {
    const within = ((page - 1) % PAGES_EACH) + 1;
    document.addPage();
    if (bookmarks && within === 1) document.outline.addItem(companyOn(page));
    document.font('Helvetica-Bold').fontSize(12).text(companyOn(page), 36, 36, { lineBreak: false });
    document.font('Helvetica').fontSize(8).text(`Page ${within} of ${PAGES_EACH}`, 450, 36, { lineBreak: false });
    for (let line = 1; line <= lines; line += 1) {
      for (let column = 0; column < 8; column += 1) {
        const text =
          column === 0 ? `Employee ${line}` : (((page * 97 + line * 31 + column * 7_919) % 90_000) / 100).toFixed(2);
        document.text(text, 36 + column * 66, 60 + line * 14, { lineBreak: false });
      }
    }
  }
  document.end();
  return new Uint8Array(await bytes);
}
