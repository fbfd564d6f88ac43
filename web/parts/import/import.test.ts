// CSV files as spreadsheets write them: their letters, their separators, their columns, and what is wrong with their rows.
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type ImportColumn, knowsHeader, matchColumns, valuesOf } from './columns.ts';
import { csvBlob } from './csv-blob.ts';
import { judge } from './judge.ts';
import { readSheet, type Sheet, SheetFault, sheetOf, textOf } from './sheet.ts';

type Field = 'name' | 'email' | 'count';

const columns: readonly ImportColumn<Field>[] = [
  { field: 'name', label: 'Client Name', synonyms: ['Company', 'Client'], example: 'Harbor & Pine Bakery LLC' },
  { field: 'email', label: 'Email', synonyms: ['Email Address'], example: 'office@example.com' },
  { field: 'count', label: 'Employees', synonyms: [], absent: { value: '0', words: '0' }, example: '12' },
];
const knows = knowsHeader(columns);
const bytes = (text: string) => new TextEncoder().encode(text);
const utf16 = (text: string) =>
  new Uint8Array([
    0xff,
    0xfe,
    ...[...text].flatMap((letter) => [letter.charCodeAt(0) & 255, letter.charCodeAt(0) >> 8]),
  ]);
const sheet = (text: string): Sheet => sheetOf('clients.csv', text, knows);
const cells = (text: string) => [sheet(text).header, ...sheet(text).rows.map((row) => row.cells)];

describe('the letters of a file', () => {
  it.each([
    ['UTF-8', bytes('Café'), 'Café'],
    ['UTF-8 with its mark', bytes('\uFEFFCafé'), 'Café'],
    ['UTF-16, as "Unicode Text"', utf16('Café'), 'Café'],
    ['Windows-1252', new Uint8Array([0x43, 0x61, 0x66, 0xe9, 0x80]), 'Café€'],
  ])('are read from %s', (_, given, text) => {
    expect(textOf(given).text).toBe(text);
  });

  it('are said to be guessed where they are', () => {
    expect(textOf(bytes('Café')).note).toBeNull();
    expect(textOf(new Uint8Array([0xe9])).note).toContain('Windows-1252');
    expect(textOf(Uint8Array.of(...bytes('Café, Muñoz, Jos'), 0xe9)).note).toContain('cannot be read');
  });

  it.each([
    ['a workbook', new Uint8Array([0x50, 0x4b, 3, 4, 20])],
    ['an old workbook', new Uint8Array([0xd0, 0xcf, 0x11, 0xe0, 0])],
  ])('are not looked for in %s, with a sentence that says what to do', (_, given) => {
    expect(() => textOf(given)).toThrow(/Excel workbook.*CSV UTF-8/);
  });

  it('are not looked for in other bytes', () => {
    expect(() => textOf(new Uint8Array([37, 80, 68, 70, 0, 1]))).toThrow(/not a text file/);
  });
});

describe('the lines of a file', () => {
  const table = [
    ['Company', 'Email'],
    ['Alder, Row & Co', 'a@example.com'],
  ];

  it.each([
    ['commas', 'Company,Email\n"Alder, Row & Co",a@example.com\n'],
    ['commas and CRLF', 'Company,Email\r\n"Alder, Row & Co",a@example.com\r\n'],
    ['semicolons', 'Company;Email\r\nAlder, Row & Co;a@example.com\r\n'],
    ['tabs, as copied from a spreadsheet', 'Company\tEmail\nAlder, Row & Co\ta@example.com'],
    ['a line that names the separator', 'sep=;\r\nCompany;Email\r\nAlder, Row & Co;a@example.com\r\n'],
  ])('are cut at %s', (_, text) => {
    expect(cells(text)).toEqual(table);
  });

  it('are cut at commas although their cells hold more semicolons', () => {
    expect(cells('Company,Email\nA; B; C; D,e; f; g\n')).toEqual([
      ['Company', 'Email'],
      ['A; B; C; D', 'e; f; g'],
    ]);
  });

  it('are refused before they are judged where there are more than one call takes, with what to do', () => {
    const lines = (count: number) => `Company\n${'Alder Row\n'.repeat(count)}`;
    expect(sheet(lines(2_000)).rows).toHaveLength(2_000);
    expect(() => sheet(lines(10_000))).toThrow(/has 10,000 rows\. At most 2,000 .*split it/);
  });

  it('are not cut where there is one column', () => {
    expect(cells('Client\nState Quarterly (withholding, SUTA)\nForm 941')).toEqual([
      ['Client'],
      ['State Quarterly (withholding, SUTA)'],
      ['Form 941'],
    ]);
  });

  it('keep quotes, line breaks and what looks like a formula, and have the numbers of the spreadsheet', () => {
    const { rows } = sheet('Company,Email\n"The ""Inn""\nBar",a\n\n , \n=1+1,"+1"\n');
    expect(rows).toEqual([
      { row: 2, cells: ['The "Inn"\nBar', 'a'] },
      { row: 5, cells: ['=1+1', '+1'] },
    ]);
  });

  it.each([
    ['', /nothing in it/],
    ['\n\n  \n', /nothing in it/],
    ['Company,Email\n', /no rows below/],
    ['Company,Email\nAlder,a\n"Birch,b\n', /Row 3 has a quotation mark/],
  ])('are refused in a sentence: %j', (text, words) => {
    expect(() => sheet(text)).toThrow(words);
    expect(() => sheet(text)).toThrow(SheetFault);
  });

  it('are refused where there are too many bytes', async () => {
    const file = new File([new Uint8Array(4 * 1024 * 1024 + 1).fill(65)], 'clients.csv');
    await expect(readSheet(file, knows)).rejects.toThrow(/larger than 4 MB/);
  });

  it('leave as they came, but for formulas', async () => {
    const text = await csvBlob([['Name'], ['=1+1'], ['Ann, "A"']]).text();
    expect(text).toBe(`Name\r\n"'=1+1"\r\n"Ann, ""A"""\r\n`);
  });
});

describe('the columns of a file', () => {
  it('are found in any order, any case and under usual names, and once each', () => {
    expect(matchColumns(['E-MAIL address', 'Notes', 'company', 'Client'], columns)).toEqual({
      name: 2,
      email: 0,
      count: null,
    });
    expect(matchColumns(['Client', 'client name'], columns).name).toBe(1);
    expect(matchColumns(['Fax'], columns)).toEqual({ name: null, email: null, count: null });
    const alike = columns.map((column) =>
      column.field === 'name' ? { ...column, orSameAs: 'email' as const } : column,
    );
    expect(matchColumns(['Email'], alike)).toEqual({ name: 0, email: 0, count: null });
    expect(matchColumns(['Email', 'Company'], alike)).toEqual({ name: 1, email: 0, count: null });
  });

  it('are found by the plain letters of their names, as every search finds', () => {
    const knowsStreet = knowsHeader([{ field: 'street', label: 'Straße', synonyms: ['Nœud'], example: '' }]);
    expect(['STRASSE', 'straße', 'NOEUD', 'Stra'].map(knowsStreet)).toEqual([true, true, true, false]);
  });

  it('become what the form holds, with a value where the file may lack one', () => {
    const matching = { name: 1, email: null, count: null };
    expect(valuesOf(['x', ' Alder '], columns, matching)).toEqual({ name: 'Alder', email: '', count: '0' });
    expect(valuesOf(['x'], columns, matching).name).toBe('');
    expect(valuesOf(['  '], columns, { ...matching, count: 0 }).count).toBe('0');
  });
});

describe('the faults of a file', () => {
  const schema = z.object({
    name: z.string().min(2, 'Name is short'),
    email: z.string().min(1, 'No email'),
    count: z.string(),
  });
  const matching = { name: 0, email: 1, count: null };

  it('are the form’s and the server’s, of all rows, under the file’s own row numbers', async () => {
    const given = sheet('Company,Email\nX,\nAlder,a\n\nBirch,b,c\nCedar,c\n');
    const asked: unknown[] = [];
    const { faults, rows } = await judge(given, matching, { columns, schema }, async (sound) => {
      asked.push(...sound);
      return { created: 1, existing: [1], faults: [{ row: 1, column: 'name', sentence: 'Exists already' }] };
    });
    expect(asked).toEqual([
      { name: 'Alder', email: 'a', count: '0' },
      { name: 'Cedar', email: 'c', count: '0' },
    ]);
    expect(faults.map(({ row, column, sentence }) => [row, column, sentence])).toEqual([
      [2, 'Client Name', 'Name is short'],
      [2, 'Email', 'No email'],
      [5, 'Row', expect.stringContaining('more cells')],
      [6, 'Client Name', 'Exists already'],
    ]);
    expect(rows).toHaveLength(4);
  });

  it('are not asked about where no row is sound', async () => {
    const given = sheet('Company,Email\nX,\n');
    const { faults } = await judge(given, matching, { columns, schema }, () => Promise.reject(new Error('Asked')));
    expect(faults).toHaveLength(2);
  });
});
