// How many formatters are made and kept: callers choose the names of zones, and each formatter takes 26 KB.
import { afterEach, expect, it, vi } from 'vitest';
import { startOfLocalDay } from './days.ts';
import { TimeZone } from './fields.ts';

const DAY = '2026-03-08';

afterEach(() => {
  vi.restoreAllMocks();
});

/** How many formatters `work` makes. */
function made(work: () => void): number {
  const spy = vi.spyOn(Intl, 'DateTimeFormat');
  work();
  const { length } = spy.mock.calls;
  spy.mockRestore();
  return length;
}

/** `name` in the `nth` way of spelling it in upper and lower case. */
const spelled = (name: string, nth: number) =>
  [...name].map((letter, at) => ((nth >> (at % 20)) & 1 ? letter.toUpperCase() : letter.toLowerCase())).join('');

it('G3: one zone has one formatter, in whatever case it is spelled', () => {
  const expected = startOfLocalDay(DAY, 'America/New_York');
  const makes = made(() => {
    for (let nth = 0; nth < 500; nth += 1) {
      const zone = spelled('America/New_York', nth);
      expect(TimeZone.safeParse(zone).success).toBe(true);
      expect(startOfLocalDay(DAY, zone)).toBe(expected);
    }
  });
  expect(makes).toBeLessThanOrEqual(2);
});

it('G3: a formatter that was not used for long is dropped, one in use is kept', () => {
  startOfLocalDay(DAY, 'America/New_York');
  startOfLocalDay(DAY, 'Asia/Tokyo');
  for (let minute = 1; minute < 60; minute += 1) {
    startOfLocalDay(DAY, `+05:${String(minute).padStart(2, '0')}`);
    startOfLocalDay(DAY, 'America/New_York');
  }
  expect(made(() => startOfLocalDay(DAY, 'America/New_York'))).toBe(0);
  expect(made(() => startOfLocalDay(DAY, 'Asia/Tokyo'))).toBe(1);
});

it('takes names and offsets, and nothing that only looks like one', () => {
  const takes = (zone: string) => TimeZone.safeParse(zone).success;
  for (const zone of ['UTC', 'utc', 'Etc/GMT+5', 'Asia/Kolkata', 'asia/calcutta', '+05:30', '-0800']) {
    expect([zone, takes(zone)]).toEqual([zone, true]);
  }
  for (const zone of ['', ' UTC', 'UTC ', 'Mars/Olympus', '+25:00', '05:30', 'UTC\u0000', 'America/New York']) {
    expect([zone, takes(zone)]).toEqual([zone, false]);
  }
});
