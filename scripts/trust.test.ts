// Checks docs/trust.md against the tests: every row exists, and each names its tests, or says why there is none.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..');

const numbered = (letter: string, last: number, unused: readonly number[] = []) =>
  Array.from({ length: last }, (_, index) => index + 1)
    .filter((number) => !unused.includes(number))
    .map((number) => `${letter}${number}`);

/** The numbers left out belonged to threats that other rows took in; of those of F the page says what became. */
const ROWS = [
  ...numbered('A', 28, [20]),
  ...numbered('B', 17, [12]),
  ...numbered('C', 12),
  ...numbered('D', 8, [7]),
  ...numbered('E', 16, [8, 14]),
  ...numbered('F', 9, [3, 4, 5, 7]),
  // What attacks on the whole of it have shown.
  ...numbered('G', 135),
  ...numbered('H', 9),
];

interface Line {
  readonly row: string;
  readonly holds: string;
  readonly test: string;
}

const page = readFileSync(join(ROOT, 'docs/trust.md'), 'utf8');
const table: Line[] = page
  .split('\n')
  .filter((line) => /^\| [A-Z]\d+ +\|/.test(line))
  .map((line) => {
    const [, row = '', holds = '', test = ''] = line.split('|').map((cell) => cell.trim());
    return { row, holds, test };
  });

const TESTS = ['contract', 'server', 'web', 'e2e', 'scripts', 'demo', 'bench'].flatMap((folder) =>
  globSync(`${folder}/**/*.{test.ts,test.tsx,e2e.ts}`, { cwd: ROOT }).map((path) => path.replaceAll('\\', '/')),
);

/** The rows that titles of tests in `path` begin with. */
function rowsIn(path: string): Set<string> {
  const text = readFileSync(join(ROOT, path), 'utf8');
  return new Set([...text.matchAll(/\(\s*['"`]([A-Z]\d+): /g)].map(([, row = '']) => row));
}

const rowsByTest = new Map(TESTS.map((path) => [path, rowsIn(path)]));

test('the table has every row once, in their order', () => {
  expect(table.map(({ row }) => row)).toEqual(ROWS);
});

describe.each(table)('$row', ({ row, holds, test: cited }) => {
  const paths = [...cited.matchAll(/`([^`]+\.(?:test\.tsx?|e2e\.ts))`/g)].map(([, path = '']) => path);

  test('says what holds', () => {
    expect(holds).toMatch(/\S+ \S+/);
  });

  test('is the beginning of a test’s title in each file it names, or has a reason', () => {
    if (paths.length === 0) {
      expect(cited).toMatch(/^Not built: \S.{30,}/);
      return;
    }
    for (const path of paths) expect([path, rowsByTest.get(path)?.has(row) ?? false]).toEqual([path, true]);
  });

  test('names every file that has a test of it', () => {
    const all = [...rowsByTest].filter(([, rows]) => rows.has(row)).map(([path]) => path);
    expect(all.filter((path) => !paths.includes(path))).toEqual([]);
  });
});

const FAULTS = 28;

const faults = page
  .split('\n')
  .filter((line) => /^\| \d+ +\|/.test(line))
  .map((line) => {
    const [, row = '', fault = '', holds = '', cited = ''] = line.split('|').map((cell) => cell.trim());
    return { row, fault, holds, cited };
  });

test('the table of faults has every row once, in their order', () => {
  expect(faults.map(({ row }) => row)).toEqual(Array.from({ length: FAULTS }, (_, index) => String(index + 1)));
});

test.each(faults)('fault $row names titles that there are, or has a reason', ({ fault, holds, cited }) => {
  for (const words of [fault, holds]) expect(words).toMatch(/\S+ \S+/);
  const titles = [...cited.matchAll(/`([^`]+\.test\.ts)` “([^”]+)”/g)];
  if (titles.length === 0) expect(cited).toMatch(/^Not tested: \S.{30,}/);
  for (const [, path = '', title = ''] of titles) {
    expect([path, TESTS.includes(path) && readFileSync(join(ROOT, path), 'utf8').includes(title)]).toEqual([
      path,
      true,
    ]);
  }
});

test('no title begins with a row that there is not', () => {
  const known = new Set(ROWS);
  const strange = [...rowsByTest].flatMap(([path, rows]) =>
    [...rows].filter((row) => !known.has(row)).map((row) => [path, row]),
  );
  expect(strange).toEqual([]);
});

test('SECURITY.md leads to the table', () => {
  expect(readFileSync(join(ROOT, 'SECURITY.md'), 'utf8')).toContain('(docs/trust.md)');
});
