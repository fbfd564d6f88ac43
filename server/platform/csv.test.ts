// Cells that a spreadsheet would run, and cells that only look like them, however the text is cut into cells.
import fc from 'fast-check';
import Papa from 'papaparse';
import { expect, test } from 'vitest';
import { csvChunks, csvText } from './csv.ts';

const cellOf = async (value: string | number | null) => {
  const [, line = ''] = (await csvText(['x'], [[value]])).split('\r\n');
  return line;
};

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\u0000=1', ' =1', '\u00a0=1', '\u001b=1', '＝1+1', '\u00ad=1'])(
  'E12: %j becomes text',
  async (value) => {
    expect(await cellOf(value)).toBe(`"'${value}"`);
  },
);

test('E12: a formula behind a tab becomes text, also where the tab begins the next cell', async () => {
  expect(await cellOf('\t=1')).toBe(`"'\t'=1"`);
});

test('E12: a formula that has quotes becomes text within its own quotes', async () => {
  expect(await cellOf('=A1,"x"')).toBe(`"'=A1,""x"""`);
  expect(await cellOf('"=A1"')).toBe(`"'""=A1"""`);
});

test('numbers, words and nothing stay what they are', async () => {
  const values = [-5, 'Jane - Doe', 'a=b', null, ' x', 'Smith; Sons', 'a|b', ''];
  expect(await Promise.all(values.map(cellOf))).toEqual([
    '-5',
    '"Jane - Doe"',
    '"a=b"',
    '',
    '" x"',
    '"Smith; Sons"',
    '"a|b"',
    '""',
  ]);
});

/** What spreadsheets of different countries and settings use to separate cells. */
const SEPARATORS = [',', ';', '\t', '|'];
const FORMULA = /^[\s\p{Cc}]*[=+\-@＝＋－＠]/u;
/** Programs that do not treat our quotes as quotes. */
const NO_QUOTE = '\u0001';

/** The fields found by a reader whose delimiter is `delimiter`: by the rules of quotes, and without any. */
function fieldsFoundAt(delimiter: string, text: string): string[] {
  const byRule = Papa.parse<string[]>(text, { delimiter }).data.flat();
  const withoutRule = Papa.parse<string[]>(text, { delimiter, quoteChar: NO_QUOTE }).data.flat();
  return [...byRule, ...withoutRule];
}

function expectNoFormula(text: string): void {
  // Quotes protect a cell for readers by commas; other readers do not see quotes that follow a comma.
  for (const delimiter of SEPARATORS.slice(1)) {
    for (const field of fieldsFoundAt(delimiter, text)) {
      for (const shown of [field, field.replace(/^"+/, ''), field.replaceAll('"', '')]) {
        expect([delimiter, field, FORMULA.test(shown)]).toEqual([delimiter, field, false]);
      }
    }
  }
}

/** What a reader by commas finds, without the apostrophes that make formulas text. */
const plainRows = (text: string) =>
  Papa.parse<string[]>(text.replace(/^\uFEFF/, '').trimEnd(), { delimiter: ',' }).data;

test.each([
  'a;=1+1',
  'Smith; =HYPERLINK("https://example.com")',
  'a\t@SUM(A1)',
  'a|-1',
  'a;"=1+1',
  ';;+1',
  'a; \u00a0=1',
  'a;\t=1',
  'a\r\n=1+1',
  '=1;=2;=3',
  ';＝1',
])('G17: %j is text for readers by commas, by semicolons, by tabs and by bars', async (value) => {
  const text = await csvText(['Name', 'Note', 'Bytes'], [['text', value, 7]]);
  expectNoFormula(text);
  const [, row] = plainRows(text);
  expect(row?.map((cell) => cell.replaceAll("'", ''))).toEqual(['text', value, '7']);
});

test('G17: nothing but apostrophes is added, and only before what could begin a formula', async () => {
  expect(await cellOf('a;=1')).toBe(`"a;'=1"`);
  expect(await cellOf('a;b=1;c')).toBe('"a;b=1;c"');
  expect(await cellOf('Acme; Sons; -1')).toBe(`"Acme; Sons;' -1"`);
});

test('G17: whatever the cells are, no reader finds a formula, and a reader by commas finds every cell', async () => {
  const unit = fc.constantFrom(...'=+-@;\t|,"\'\r\n\u0000\u00a0 ＝ab1é日');
  const cell = fc.oneof(
    fc.string({ unit, maxLength: 12 }),
    fc.string({ unit: 'grapheme', maxLength: 12 }),
    fc.nat(),
    fc.constant(null),
  );
  const row = fc.tuple(cell, cell, cell);
  await fc.assert(
    fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 3 }), async (rows) => {
      const text = await csvText(['a', 'b', 'c'], rows);
      expectNoFormula(text);
      const bare = (value: unknown) => String(value ?? '').replaceAll("'", '');
      const [, ...found] = Papa.parse<string[]>(text.replace(/\r\n$/, ''), { delimiter: ',', newline: '\r\n' }).data;
      expect(found.map((cells) => cells.map(bare))).toEqual(rows.map((cells) => cells.map(bare)));
    }),
    { numRuns: 300 },
  );
});

test('G11: a long table is built in slices, between which others are served', async () => {
  const rows = Array.from({ length: 1_000 }, (_, nth) => [nth, 'a believable name.pdf']);
  const turnsDuring = async (work: () => Promise<unknown>) => {
    let turns = 0;
    const count = () => {
      turns += 1;
      next = setImmediate(count);
    };
    let next = setImmediate(count);
    await work();
    clearImmediate(next);
    return turns;
  };
  const text = await csvText(['Nth', 'Name'], rows);
  expect(await turnsDuring(() => csvText(['Nth', 'Name'], rows))).toBeGreaterThanOrEqual(9);
  // Like the pages of a list on SQLite, which come within the same turn.
  const pages = (async function* () {
    for (let start = 0; start < rows.length; start += 500) yield rows.slice(start, start + 500);
  })();
  let streamed = '';
  const turns = await turnsDuring(async () => {
    for await (const chunk of csvChunks(['Nth', 'Name'], pages)) streamed += chunk;
  });
  expect(turns).toBeGreaterThanOrEqual(9);
  expect(streamed).toBe(text);
});
