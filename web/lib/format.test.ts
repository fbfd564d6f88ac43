// How dates, times, sizes and missing values are shown (docs/behaviour.md, Fields: how values are shown), in three time zones.
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  formatAgo,
  formatClientName,
  formatCount,
  formatDate,
  formatDateTime,
  formatExactly,
  formatMegabytes,
  formatText,
  initialsOf,
  today,
} from './format.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
});

/** Node reads TZ again when it is set. */
const standIn = (timeZone: string) => vi.stubEnv('TZ', timeZone);

describe.each(['America/Los_Angeles', 'UTC', 'Asia/Tokyo'])('a date-only value in %s', (timeZone) => {
  it.each([
    ['2025-01-31', '01/31/2025'],
    ['2024-02-29', '02/29/2024'],
    ['2026-12-31', '12/31/2026'],
    // Days on which clocks change, in the United States and elsewhere.
    ['2026-03-08', '03/08/2026'],
    ['2026-11-01', '11/01/2026'],
    ['1900-01-01', '01/01/1900'],
    ['2199-12-31', '12/31/2199'],
  ])('%s reads %s, on no other day', (value, shown) => {
    standIn(timeZone);
    expect(formatDate(value)).toBe(shown);
  });
});

describe('an instant', () => {
  it.each([
    ['America/Los_Angeles', '01/30/2026', '01/30/2026 4:05 PM'],
    ['UTC', '01/31/2026', '01/31/2026 12:05 AM'],
    ['Asia/Tokyo', '01/31/2026', '01/31/2026 9:05 AM'],
  ])('is the day and the 12-hour clock of %s', (timeZone, date, dateAndTime) => {
    standIn(timeZone);
    expect(formatDate('2026-01-31T00:05:00.000Z')).toBe(date);
    expect(formatDateTime('2026-01-31T00:05:00.000Z')).toBe(dateAndTime);
  });

  it.each([
    ['2026-06-01T00:00:00Z', '06/01/2026 12:00 AM'],
    ['2026-06-01T09:07:59Z', '06/01/2026 9:07 AM'],
    ['2026-06-01T12:00:00Z', '06/01/2026 12:00 PM'],
    ['2026-06-01T23:59:59.999Z', '06/01/2026 11:59 PM'],
  ])('%s in UTC reads %s: minutes always, hours without a leading zero', (value, shown) => {
    standIn('UTC');
    expect(formatDateTime(value)).toBe(shown);
  });

  it('follows daylight saving', () => {
    standIn('America/New_York');
    expect(formatDateTime('2026-03-08T06:59:00Z')).toBe('03/08/2026 1:59 AM');
    expect(formatDateTime('2026-03-08T07:00:00Z')).toBe('03/08/2026 3:00 AM');
  });
});

describe('an invalid date', () => {
  it.each([undefined, null, '', '  '])("%j is 'N/A'", (value) => {
    expect(formatDate(value)).toBe('N/A');
    expect(formatDateTime(value)).toBe('N/A');
  });

  it.each(['soon', '2026-02-30', '2025-02-29', '2026-13-01', '2026-00-10', '2026-02-30T10:00:00Z', '2026-01-31Tnoon'])(
    "%j is 'Invalid Date'",
    (value) => {
      expect(formatDate(value)).toBe('Invalid Date');
      expect(formatDateTime(value)).toBe('Invalid Date');
    },
  );
});

describe('a size', () => {
  it.each([
    [0, '0.00 MB'],
    [1, '0.00 MB (<1\u00a0KB)'],
    [1_024, '0.00 MB (1\u00a0KB)'],
    [5_242, '0.00 MB (5\u00a0KB)'],
    [5_243, '0.01 MB'],
    [1_048_576, '1.00 MB'],
    [1_572_864, '1.50 MB'],
    [2_147_483_648, '2048.00 MB'],
  ])('of %d bytes reads %s', (sizeBytes, shown) => {
    expect(formatMegabytes(sizeBytes)).toBe(shown);
  });
});

describe('a missing value', () => {
  it.each([undefined, null, ''])('%j', (value) => {
    expect(formatClientName(value)).toBe('Unknown Client');
    expect(formatText(value)).toBe('—');
  });

  it('is empty', () => {
    expect(formatClientName('Acme Plumbing LLC')).toBe('Acme Plumbing LLC');
    expect(formatText('0')).toBe('0');
  });
});

it('counts are grouped by thousands', () => {
  expect([0, 999, 1_000, 1_234_567].map(formatCount)).toEqual(['0', '999', '1,000', '1,234,567']);
});

describe('initials', () => {
  it.each([
    ['Rosa Okafor', 'RO'],
    ['  rosa   maria okafor ', 'RO'],
    ['admin', 'A'],
    ['Élodie Ünal', 'ÉÜ'],
    ['', ''],
  ])('of %j are %j', (name, initials) => {
    expect(initialsOf(name)).toBe(initials);
  });
});

describe('today', () => {
  it.each([
    ['America/Los_Angeles', '2026-01-30'],
    ['Asia/Tokyo', '2026-01-31'],
  ])('is the day in %s', (timeZone, day) => {
    standIn(timeZone);
    vi.useFakeTimers({ now: new Date('2026-01-31T00:05:00Z') });
    expect(today()).toBe(day);
  });
});

describe('how long ago', () => {
  const NOW = Date.parse('2026-01-31T12:00:00.000Z');
  it.each([
    ['2026-01-31T11:59:30.000Z', 'just now'],
    // The server's clock is a little ahead.
    ['2026-01-31T12:00:20.000Z', 'just now'],
    ['2026-01-31T11:59:00.000Z', '1 minute ago'],
    ['2026-01-31T09:01:00.000Z', '2 hours ago'],
    ['2026-01-30T11:00:00.000Z', '1 day ago'],
    ['2026-01-25T11:00:00.000Z', '6 days ago'],
    ['2026-01-24T11:00:00.000Z', null],
    ['2026-02-02T11:00:00.000Z', null],
    ['noon', null],
  ])('%s was %s', (value, said) => {
    expect(formatAgo(value, NOW)).toBe(said);
  });

  it('is exact to the second with the zone by name, or nothing', () => {
    expect(formatExactly('2026-01-31T12:00:07.000Z')).toMatch(/^\w+day, January 31, 2026 at \d+:\d\d:07 [AP]M \w+/);
    expect(formatExactly('noon')).toBeNull();
    expect(formatExactly(null)).toBeNull();
  });
});
