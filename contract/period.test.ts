// Periods: written, ordered, one within the other.
import { describe, expect, it } from 'vitest';
import { isWithinPeriod, periodKey, periodName, periodRange, quarterOf } from './period.ts';
import { Period } from './period-fields.ts';

describe('a period', () => {
  it.each(['2026-01-30', '2026-01', '2026-12', '2026-Q1', '2026'])('may be %s', (text) => {
    expect(Period.safeParse(text).success).toBe(true);
  });

  it.each(['2026-02-30', '2026-Q5', '26', '2026-13', '2026-00', '2026-1', '', 'Q1 2026', '3026'])(
    'may not be %j',
    (text) => {
      expect(Period.safeParse(text).success).toBe(false);
    },
  );

  it('sorts by time, a month after its pay dates, a quarter after its months and a year after its quarters', () => {
    const inOrder = ['2025', '2026-01-02', '2026-01', '2026-03-31', '2026-03', '2026-Q1'].concat([
      '2026-04-01',
      '2026-12-31',
      '2026-12',
      '2026-Q4',
      '2026',
    ]);
    expect([...inOrder].reverse().sort((a, b) => (periodKey(a) < periodKey(b) ? -1 : 1))).toEqual(inOrder);
  });

  it.each([
    ['2026-03-31', '2026-Q1', true],
    ['2026-04-01', '2026-Q1', false],
    ['2026-12-31', '2026-Q4', true],
    ['2026-Q4', '2026-Q4', true],
    ['2026', '2026-Q4', false],
    ['2026-Q4', '2026', true],
    ['2026', '2026', true],
    ['2025', '2026', false],
    ['2026-Q1', '2026-01-30', false],
    ['2026-03-31', '2026-03', true],
    ['2026-03', '2026-03', true],
    ['2026-03', '2026-Q1', true],
    ['2026-03', '2026', true],
    ['2026-03', '2026-Q2', false],
    ['2026-03', '2026-03-31', false],
    ['2026-Q1', '2026-03', false],
    ['2026', '2026-12', false],
    ['2026-04-01', '2026-03', false],
    ['2026-01-30', '2026-01-30', true],
    ['2026-01-31', '2026-01-30', false],
  ])('%s within %s: %s', (period, other, within) => {
    expect(isWithinPeriod(period, other)).toBe(within);
    const { from, before } = periodRange(other);
    expect(periodKey(period) >= from && periodKey(period) < before).toBe(within);
  });

  it('has a name and a quarter', () => {
    const day = (date: string) => `on ${date}`;
    expect(['2026', '2026-Q3', '2026-07', '2026-07-31'].map((period) => periodName(period, day))).toEqual([
      '2026',
      'Q3 2026',
      'July 2026',
      'on 2026-07-31',
    ]);
    expect(['2026-01-01', '2026-03-31', '2026-04-01', '2026-12-31'].map(quarterOf)).toEqual([
      '2026-Q1',
      '2026-Q1',
      '2026-Q2',
      '2026-Q4',
    ]);
  });
});
