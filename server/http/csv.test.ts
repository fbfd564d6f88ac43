// Cells that a spreadsheet would run, and cells that only look like them.
import { expect, test } from 'vitest';
import { csvText } from './csv.ts';

const cellOf = (value: string | number | null) => {
  const [, line = ''] = csvText(['x'], [[value]]).split('\r\n');
  return line;
};

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\u0000=1', ' =1', '\u00a0=1', '\u001b=1'])(
  'E12: %j is told as text',
  (value) => {
    expect(cellOf(value).replace(/^"/, '')).toBe(`'${value}`);
  },
);

test('E12: a formula that has to be quoted is told as text within its quotes', () => {
  expect(cellOf('=A1,"x"')).toBe(`"'=A1,""x"""`);
});

test('numbers, words and nothing stay what they are', () => {
  expect([cellOf(-5), cellOf('Jane - Doe'), cellOf('a=b'), cellOf(null), cellOf(' x')]).toEqual([
    '-5',
    'Jane - Doe',
    'a=b',
    '',
    ' x',
  ]);
});
