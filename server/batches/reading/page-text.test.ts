// Pages in parts are the same pages put together, and no part of them is long.
import { expect, it } from 'vitest';
import { addPart, type OwnPage, type PageText, partsOf } from './page-text.ts';

const pageOf = (runs: number): PageText => ({
  width: 612,
  height: 792,
  runs: Array.from({ length: runs }, (_, nth) => ({ text: `${nth}`, x: nth, y: 0, width: 1, height: 1 })),
  tableTop: runs,
});

it.each([
  ['none', [] as number[]],
  ['one without a word', [0]],
  ['many short ones', Array<number>(45).fill(3)],
  ['dense ones', [3_000, 2_000, 1, 4_999, 5_000, 2]],
  ['one of as many pieces as are read', [50_000]],
  ['long ones between others', [1, 5_001, 1, 1, 12_000, 10_000, 1]],
])('of pages, %s are told in parts and whole again', (_what, runs) => {
  const pages = runs.map(pageOf);
  const parts = [...partsOf(pages)];
  const together: OwnPage[] = [];
  for (const part of parts) addPart(together, part);
  expect(together).toEqual(pages);
  for (const part of parts) {
    const told = 'pages' in part ? part.pages : [part];
    expect(told.length).toBeGreaterThan(0);
    expect(told.length).toBeLessThanOrEqual(20);
    expect(told.reduce((sum, one) => sum + one.runs.length, 0)).toBeLessThanOrEqual(5_000);
  }
});
