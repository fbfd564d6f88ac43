// The periods of the board: which there are, and which are looked for first.
import { expect, it } from 'vitest';
import {
  boardPeriodDays,
  boardPeriodKind,
  boardPeriodName,
  lastQuarter,
  shiftBoardPeriod,
  yearsDueNow,
} from './completeness-words.ts';

it('counts what is past due of this year and of the one before, whatever the month', () => {
  const days = ['2026-11-29', '2027-01-02', '2027-03-31', '2027-04-01'];
  expect(days.map(yearsDueNow)).toEqual(['2025-2026', '2026-2027', '2026-2027', '2026-2027']);
  expect(days.map(lastQuarter)).toEqual(['2026-Q3', '2026-Q4', '2026-Q4', '2027-Q1']);
});

it('has two years as one period', () => {
  expect(['2025-2026', '2025-2027', '2025-2025', '2025-20', '1899-1900'].map(boardPeriodKind)).toEqual([
    'years',
    null,
    null,
    null,
    null,
  ]);
  expect(boardPeriodName('2025-2026')).toBe('2025 and 2026');
  expect(boardPeriodDays('2025-2026')).toEqual({ from: '2025-01-01', before: '2027-01-01' });
  expect([-1, 1].map((by) => shiftBoardPeriod('2025-2026', by))).toEqual(['2023-2024', '2027-2028']);
});
