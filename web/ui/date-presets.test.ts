// Which days the named ranges hold, at the ends of months, quarters and years.
import { describe, expect, it } from 'vitest';
import { datePresets, presetOf } from './date-presets.ts';

const rangesOn = (today: string) => {
  const { near, quarters } = datePresets(today);
  const all = [...near, ...quarters.flatMap(({ presets }) => presets)];
  return Object.fromEntries(all.map(({ name, startDate, endDate }) => [name, `${startDate} ${endDate}`]));
};

describe('datePresets', () => {
  it('names whole months, quarters and years', () => {
    expect(rangesOn('2026-08-15')).toEqual({
      'This month': '2026-08-01 2026-08-31',
      'Last month': '2026-07-01 2026-07-31',
      'This quarter': '2026-07-01 2026-09-30',
      'Last quarter': '2026-04-01 2026-06-30',
      'This year': '2026-01-01 2026-12-31',
      'Last year': '2025-01-01 2025-12-31',
      'Q1 2026': '2026-01-01 2026-03-31',
      'Q2 2026': '2026-04-01 2026-06-30',
      'Q3 2026': '2026-07-01 2026-09-30',
      'Q4 2026': '2026-10-01 2026-12-31',
      'Q1 2025': '2025-01-01 2025-03-31',
      'Q2 2025': '2025-04-01 2025-06-30',
      'Q3 2025': '2025-07-01 2025-09-30',
      'Q4 2025': '2025-10-01 2025-12-31',
    });
  });

  it('looks back over the turn of the year', () => {
    expect(rangesOn('2026-01-01')).toMatchObject({
      'This month': '2026-01-01 2026-01-31',
      'Last month': '2025-12-01 2025-12-31',
      'This quarter': '2026-01-01 2026-03-31',
      'Last quarter': '2025-10-01 2025-12-31',
    });
    expect(rangesOn('2026-12-31')).toMatchObject({
      'This month': '2026-12-01 2026-12-31',
      'This quarter': '2026-10-01 2026-12-31',
      'This year': '2026-01-01 2026-12-31',
    });
  });

  it('has the leap day in the years that have one', () => {
    expect(rangesOn('2028-02-29')['This month']).toBe('2028-02-01 2028-02-29');
    expect(rangesOn('2028-03-31')['Last month']).toBe('2028-02-01 2028-02-29');
    expect(rangesOn('2027-03-31')['Last month']).toBe('2027-02-01 2027-02-28');
    expect(rangesOn('2100-03-01')['Last month']).toBe('2100-02-01 2100-02-28');
  });
});

describe('presetOf', () => {
  const presets = datePresets('2026-11-05');

  it('finds the name of a range, of a quarter its own', () => {
    expect(presetOf({ startDate: '2026-10-01', endDate: '2026-10-31' }, presets)?.name).toBe('Last month');
    expect(presetOf({ startDate: '2026-10-01', endDate: '2026-12-31' }, presets)?.name).toBe('Q4 2026');
    expect(presetOf({ startDate: '2025-01-01', endDate: '2025-12-31' }, presets)?.name).toBe('Last year');
  });

  it('has none for other ranges', () => {
    expect(presetOf({ startDate: '2026-10-01', endDate: '2026-10-30' }, presets)).toBeUndefined();
    expect(presetOf({ startDate: '2026-10-01', endDate: '' }, presets)).toBeUndefined();
    expect(presetOf({ startDate: '', endDate: '' }, presets)).toBeUndefined();
  });
});
