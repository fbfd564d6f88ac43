// `npm run read`: what recognition finds in files is printed, by clients of a CSV or of the firm's database.
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cellsOf } from './platform/csv-cells.ts';
import { makeFirm } from './testing/firm.ts';
import { Program } from './testing/program.ts';
import { startTestApp } from './testing/test-app.ts';
import { testPdf } from './testing/test-pdf.ts';

const folder = mkdtempSync(join(tmpdir(), 'coffer-read-'));
const at = (name: string) => join(folder, name);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function read(args: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  const program = new Program(['server/read.ts', ...args], environment);
  const code = await program.exit();
  return { code, out: program.out, err: program.err };
}

beforeAll(async () => {
  const page = (company: string, id: string) => [
    company,
    `Federal ID ${id}`,
    'Payroll Journal',
    'Check Date 03/09/2018',
  ];
  const pages = [page('HARBOR & PINE BAKERY LLC', '07-1234567'), page('QUARRY LANE ROOFING INC', '00-4561237')];
  writeFileSync(at('payrun.pdf'), await testPdf(pages));
  writeFileSync(at('broken.pdf'), `%PDF-1.7\n${'nothing '.repeat(20)}`);
  writeFileSync(
    at('clients.csv'),
    'Client Name;EIN;Other Names\r\n"Harbor & Pine Bakery LLC";07-1234567;"HP Bakehouse|HPB"\r\n',
  );
});

describe('reading a print file without a server', () => {
  it('prints its documents with client, words on the page, type, period and why one is to check', async () => {
    const { code, out, err } = await read([at('payrun.pdf'), '--clients', at('clients.csv')]);
    expect([code, err]).toEqual([0, '']);
    const lines = out.split('\n').map((line) => line.trim().replace(/ {2,}/g, '  '));
    expect(lines[0]).toBe(`${at('payrun.pdf')}: 2 pages, 2 documents, 1 ready`);
    expect(lines[1]).toMatch(
      /^page 1 {2}ready {2}Harbor & Pine Bakery LLC \(printed: .*07-1234567.*\) \| Payroll Journal \| 2018-03-09$/,
    );
    expect(lines[2]).toMatch(
      /^page 2 {2}to check {2}no client \(printed: QUARRY LANE ROOFING INC\) \| Payroll Journal/,
    );
    expect(lines[3]).toBe('- It names another company');
  });

  it('takes clients and report types of the database that DATA_DIR names, and goes on without one that it cannot read', async () => {
    const app = await startTestApp('sqlite');
    await makeFirm(app);
    const { body } = await app.admin.get<{ name: string; federalId: string }[]>('/api/clients');
    const [company] = body;
    const lines = [`${company?.name}`, `Federal ID ${company?.federalId}`, 'Payroll Journal', 'Check Date 03/09/2018'];
    writeFileSync(at('one.pdf'), await testPdf([lines]));
    const data = { DATA_DIR: app.config.dataDir, DATABASE_URL: app.config.databaseUrl };
    const found = await read([at('one.pdf')], data);
    await app.close();
    expect(found.out).toContain(`${company?.name} (printed: `);
    cpSync(at('one.pdf'), at('coffer.db'));
    const without = await read([at('one.pdf')], { DATA_DIR: folder });
    expect(without.err).toContain('no clients of it are known');
    expect([without.code, without.out.includes('no client')]).toEqual([0, true]);
  });

  it('says what it cannot read, and how it is called', async () => {
    const broken = await read([at('broken.pdf')]);
    expect([broken.code, broken.out]).toEqual([
      1,
      expect.stringContaining('It is damaged, or not what its name says.'),
    ]);
    const gone = await read([at('gone.pdf')]);
    const words = 'gone.pdf cannot be read (ENOENT). Name a file that is there and may be read.';
    expect([gone.code, gone.err]).toEqual([1, expect.stringContaining(words)]);
    const nameless = await read([at('payrun.pdf'), '--clients', at('broken.pdf')]);
    expect([nameless.code, nameless.err]).toEqual([1, expect.stringContaining('has no column called Name')]);
    expect((await read([])).code).toBe(2);
    expect((await read(['--client', 'x'])).err).toContain('Usage: npm run read');
  });
});

it.each([
  [
    'a,b\n"x, ""y""",2\n\n',
    [
      ['a', 'b'],
      ['x, "y"', '2'],
    ],
  ],
  [
    '\uFEFFa;b\r\n1,5;2',
    [
      ['a', 'b'],
      ['1,5', '2'],
    ],
  ],
  ['a\n"two\nlines"\n', [['a'], ['two\nlines']]],
  ['', []],
])('the cells of %j', (csv, cells) => {
  expect(cellsOf(csv)).toEqual(cells);
});
