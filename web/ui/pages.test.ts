// How far a list can be shown page by page (docs/behaviour.md, Screens: tables).
import { expect, it } from 'vitest';
import { endOf, lastRowOf } from './pages.ts';

const counted = { pageSize: 25, shown: 25, more: false };
const uncounted = { pageSize: 25, total: 1_000, more: true };

it('a list ends with its last row', () => {
  expect(endOf({ ...counted, page: 1, total: 0 })).toEqual({ lastPage: 1, cut: false });
  expect(endOf({ ...counted, page: 1, total: 26 })).toEqual({ lastPage: 2, cut: false });
  expect(endOf({ ...counted, page: 400, total: 10_000 })).toEqual({ lastPage: 400, cut: false });
});

it('a longer one is cut at row 10,000, and only its last page says so', () => {
  expect(endOf({ ...counted, page: 399, total: 10_001 })).toEqual({ lastPage: 400, cut: false });
  expect(endOf({ ...counted, page: 400, total: 10_001 })).toEqual({ lastPage: 400, cut: true });
  expect(endOf({ ...counted, pageSize: 100, page: 100, total: 2_000_000 })).toEqual({ lastPage: 100, cut: true });
});

it('a page ends with the last row of its list, also while the longer page before it is in sight', () => {
  expect(lastRowOf({ ...counted, page: 1, total: 60 })).toBe(25);
  expect(lastRowOf({ ...counted, page: 3, total: 60 })).toBe(60);
  expect(lastRowOf({ ...counted, page: 3, shown: 10, total: 60 })).toBe(60);
  expect(lastRowOf({ ...uncounted, page: 41, shown: 25 })).toBe(1_025);
});

it('where nobody has counted to the end, a page that is not full is the last', () => {
  expect(endOf({ ...uncounted, page: 41, shown: 25 })).toEqual({ lastPage: 400, cut: false });
  expect(endOf({ ...uncounted, page: 41, shown: 7 })).toEqual({ lastPage: 41, cut: false });
  expect(endOf({ ...uncounted, page: 400, shown: 25 })).toEqual({ lastPage: 400, cut: true });
  expect(endOf({ ...uncounted, page: 400, shown: 24 })).toEqual({ lastPage: 400, cut: false });
});
