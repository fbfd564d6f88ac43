// Workbooks as programs write them, and as nobody should: their words, as far as they are read.
import { describe, expect, it } from 'vitest';
import { zipOf } from '../../testing/zip-of.ts';
import { pageIn, type ReadPage } from './packed-page.ts';
import { readDocument } from './read-document.ts';

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

const workbook = async (parts: Readonly<Record<string, string | Buffer>>): Promise<Uint8Array> =>
  new Uint8Array(await zipOf(Object.entries(parts)));

const sheet = (rows: string) => `<?xml version="1.0"?><worksheet xmlns="x"><sheetData>${rows}</sheetData></worksheet>`;

const read = (bytes: Uint8Array, contentType = XLSX, name = 'run.xlsx') =>
  readDocument(bytes, { contentType, name, signal: new AbortController().signal });

async function pageOf(bytes: Uint8Array): Promise<ReadPage> {
  const reading = await read(bytes);
  if ('unreadable' in reading) throw new Error(reading.unreadable);
  const [page, ...others] = reading.document.pages;
  if (page === undefined || others.length > 0) throw new Error('It is not one page');
  return page;
}

const runsOf = async (bytes: Uint8Array) => pageIn((await pageOf(bytes)).packed).runs;
const cellsOf = async (bytes: Uint8Array) => (await runsOf(bytes)).map(({ text }) => text);

describe('a workbook', () => {
  it('gives the words of its cells: shared, written in place, computed, numbers and days', async () => {
    const bytes = await workbook({
      'xl/workbook.xml': '<workbook><workbookPr/></workbook>',
      'xl/sharedStrings.xml':
        '<sst><si><t>Harbor &amp; Pine</t></si><si><r><t>Bakery </t></r><r><t xml:space="preserve">LLC</t></r><rPh><t>kana</t></rPh></si></sst>',
      'xl/styles.xml':
        '<styleSheet><numFmts><numFmt numFmtId="165" formatCode="mm\\/dd\\/yyyy"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="165"/><xf numFmtId="14"/></cellXfs></styleSheet>',
      'xl/worksheets/sheet1.xml': sheet(
        '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="C1" t="s"><v>1</v></c></row>' +
          '<row r="2"><c r="A2" t="inlineStr"><is><t>Payroll Journal</t></is></c><c r="B2" s="1"><v>46346</v></c><c r="C2" s="2"><v>46346.75</v></c></row>' +
          '<row r="3"><c r="A3"><v>1200.5</v></c><c r="B3" t="str"><f>CONCAT("no","formula")</f><v>computed</v></c><c r="C3" t="b"><v>1</v></c><c r="D3" t="e"><v>#REF!</v></c><c r="E3"/></row>',
      ),
      'xl/worksheets/sheet10.xml': sheet('<row><c t="inlineStr"><is><t>last</t></is></c></row>'),
      'xl/worksheets/sheet2.xml':
        '<x:worksheet><x:sheetData><x:row><x:c><x:v>7</x:v></x:c></x:row></x:sheetData></x:worksheet>',
    });
    expect(await cellsOf(bytes)).toEqual([
      'Harbor & Pine',
      'Bakery LLC',
      'Payroll Journal',
      '11/20/2026',
      '11/20/2026',
      '1200.5',
      'computed',
      '7',
      'last',
    ]);
  });

  it('has its cells in their columns and rows, apart from each other', async () => {
    const [label, id, below] = await runsOf(
      await workbook({
        'xl/worksheets/sheet1.xml': sheet(
          '<row><c r="A1" t="str"><v>Federal ID</v></c><c r="B1" t="str"><v>08-1112221</v></c></row><row><c r="B2" t="str"><v>below</v></c></row>',
        ),
      }),
    );
    expect(id?.y).toBe(label?.y);
    expect(id?.x).toBeGreaterThan((label?.x ?? 0) + (label?.width ?? 0));
    expect([below?.x, below?.y]).toEqual([id?.x, 12]);
  });

  it('says where its table begins, above which a title may stand', async () => {
    const [title, heads] = ['Weekly hours', 'Employee'].map((words) => `<c r="A1" t="str"><v>${words}</v></c>`);
    const rows = `<row>${title}</row><row/><row>${heads}<c r="B3" t="str"><v>Hours</v></c></row>`;
    const of = async (sheetRows: string) =>
      pageIn((await pageOf(await workbook({ 'xl/worksheets/sheet1.xml': sheet(sheetRows) }))).packed).tableTop;
    expect([await of(rows), await of(`<row>${title}</row>`)]).toEqual([24, 0]);
  });

  it('is known by its name where its bytes tell no more than a ZIP', async () => {
    const bytes = await workbook({ 'xl/worksheets/sheet1.xml': sheet('<row><c><v>1</v></c></row>') });
    expect(await read(bytes, 'application/zip')).toMatchObject({ document: { pages: [{}] } });
  });

  it('is read to its thousandth row and fiftieth column', async () => {
    const cells = Array.from({ length: 60 }, (_, nth) => `<c><v>${nth}</v></c>`).join('');
    const rows = Array.from({ length: 1_100 }, () => `<row>${cells}</row>`).join('');
    const page = await pageOf(await workbook({ 'xl/worksheets/sheet1.xml': sheet(rows) }));
    expect(page.pieces).toBe(50_000);
  });

  it('that is damaged or a bomb is said to be', async () => {
    expect(await read(new Uint8Array(Buffer.from('PK\x03\x04 and no more')))).toEqual({ unreadable: 'damaged' });
    const bomb = await workbook({ 'xl/worksheets/sheet1.xml': Buffer.alloc(30 * 1024 * 1024, ' ') });
    expect(await read(bomb)).toEqual({ unreadable: 'tooLong' });
    expect(await cellsOf(await workbook({ 'xl/worksheets/sheet1.xml': '<row><c r="A1"><v>1</v></c><c <<<' }))).toEqual([
      '1',
    ]);
  });
});
