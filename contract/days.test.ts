// What a date filter means, checked against an oracle that knows nothing of offsets: the calendar day that each moment reads as.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { instantRange, startOfLocalDay } from './days.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

const calendars = new Map<string, Intl.DateTimeFormat>();

/** The day a clock in `timeZone` shows at `instantMs`, as YYYY-MM-DD. */
function localDay(instantMs: number, timeZone: string): string {
  let calendar = calendars.get(timeZone);
  if (calendar === undefined) {
    calendar = new Intl.DateTimeFormat('sv-SE', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
    calendars.set(timeZone, calendar);
  }
  return calendar.format(instantMs);
}

const iso = (instantMs: number | undefined) =>
  instantMs === undefined ? undefined : new Date(instantMs).toISOString();
const dateOf = (instantMs: number) => new Date(instantMs).toISOString().slice(0, 10);

describe('a local day', () => {
  it.each([
    // New York: 23 hours on 8 March 2026, 25 hours on 1 November.
    ['2026-03-07', 'America/New_York', '2026-03-07T05:00:00.000Z', 24],
    ['2026-03-08', 'America/New_York', '2026-03-08T05:00:00.000Z', 23],
    ['2026-03-09', 'America/New_York', '2026-03-09T04:00:00.000Z', 24],
    ['2026-10-31', 'America/New_York', '2026-10-31T04:00:00.000Z', 24],
    ['2026-11-01', 'America/New_York', '2026-11-01T04:00:00.000Z', 25],
    ['2026-11-02', 'America/New_York', '2026-11-02T05:00:00.000Z', 24],
    // No midnight: the day begins at 01:00.
    ['2026-09-06', 'America/Santiago', '2026-09-06T04:00:00.000Z', 23],
    ['2026-03-29', 'Asia/Beirut', '2026-03-28T22:00:00.000Z', 23],
    ['2018-11-04', 'America/Sao_Paulo', '2018-11-04T03:00:00.000Z', 23],
    // Midnight twice over: the hour before or after it is repeated.
    ['2026-04-04', 'America/Santiago', '2026-04-04T03:00:00.000Z', 25],
    ['2026-11-01', 'America/Havana', '2026-11-01T04:00:00.000Z', 25],
    // Half and quarter hours, and the two ends of the world.
    ['2026-06-01', 'Asia/Kolkata', '2026-05-31T18:30:00.000Z', 24],
    ['2026-06-01', 'Asia/Kathmandu', '2026-05-31T18:15:00.000Z', 24],
    ['2026-10-04', 'Australia/Lord_Howe', '2026-10-03T13:30:00.000Z', 23.5],
    ['2026-06-01', 'Pacific/Kiritimati', '2026-05-31T10:00:00.000Z', 24],
    ['2026-06-01', 'Pacific/Niue', '2026-06-01T11:00:00.000Z', 24],
    ['2026-06-01', 'UTC', '2026-06-01T00:00:00.000Z', 24],
    ['2024-02-29', 'UTC', '2024-02-29T00:00:00.000Z', 24],
    // Samoa went from the 29th to the 31st: the 30th has no moment.
    ['2011-12-29', 'Pacific/Apia', '2011-12-29T10:00:00.000Z', 24],
    ['2011-12-30', 'Pacific/Apia', '2011-12-30T10:00:00.000Z', 0],
    ['2011-12-31', 'Pacific/Apia', '2011-12-30T10:00:00.000Z', 24],
  ])('%s in %s begins at %s and has %d hours', (date, timeZone, start, hours) => {
    const { from, before } = instantRange({ startDate: date, endDate: date, timeZone });
    expect(iso(from)).toBe(start);
    expect(((before ?? 0) - (from ?? 0)) / HOUR_MS).toBe(hours);
    expect(startOfLocalDay(date, timeZone)).toBe(from);
  });

  it('holds exactly the moments that read as that day, anywhere, at any time of the year', () => {
    const zones = fc.constantFrom(...Intl.supportedValuesOf('timeZone'), 'UTC', 'Etc/GMT+12', 'Etc/GMT-14');
    // Before 2012 a zone or two turned back just after midnight, so that a day came in two pieces.
    const days = fc.integer({ min: Date.UTC(2012, 0, 1) / DAY_MS, max: Date.UTC(2037, 11, 31) / DAY_MS });
    fc.assert(
      fc.property(
        zones,
        days,
        fc.integer({ min: 0, max: 3 }),
        fc.integer({ min: 0, max: 15 * MINUTE_MS }),
        (timeZone, first, more, shift) => {
          const startDate = dateOf(first * DAY_MS);
          const endDate = dateOf((first + more) * DAY_MS);
          const { from = Number.NaN, before = Number.NaN } = instantRange({ startDate, endDate, timeZone });
          const moments = [from - 1, from, from + 1, before - 1, before, before + 1];
          for (
            let at = first * DAY_MS - 40 * HOUR_MS;
            at < (first + more + 1) * DAY_MS + 40 * HOUR_MS;
            at += 45 * MINUTE_MS
          ) {
            moments.push(at + shift);
          }
          const wrong = moments.filter((at) => {
            const day = localDay(at, timeZone);
            return (at >= from && at < before) !== (day >= startDate && day <= endDate);
          });
          expect(wrong.map(iso)).toEqual([]);
        },
      ),
      { numRuns: 150 },
    );
  });

  it('holds them also on the days around every change of a zone', () => {
    const zones = [
      'America/New_York',
      'America/Santiago',
      'Asia/Beirut',
      'America/Havana',
      'Africa/Cairo',
      'Europe/Dublin',
    ];
    const odd = [
      'Australia/Lord_Howe',
      'America/Scoresbysund',
      'Atlantic/Azores',
      'Africa/Casablanca',
      'Antarctica/Troll',
    ];
    for (const timeZone of [...zones, ...odd]) {
      const clock = new Intl.DateTimeFormat('sv-SE', { timeZone, timeStyle: 'short' });
      const days = Array.from({ length: 364 }, (_, index) => Date.UTC(2026, 0, 1) + index * DAY_MS);
      const changes = days.filter((day) => clock.format(day) !== clock.format(day + DAY_MS));
      expect([timeZone, changes.length]).not.toEqual([timeZone, 0]);
      for (const day of changes.flatMap((change) => [-1, 0, 1, 2].map((more) => change + more * DAY_MS))) {
        const date = dateOf(day);
        const { from = Number.NaN, before = Number.NaN } = instantRange({ startDate: date, endDate: date, timeZone });
        const read = [from - 1, from, before - 1, before].map((at) => localDay(at, timeZone));
        expect([timeZone, date, ...read]).toEqual([
          timeZone,
          date,
          dateOf(day - DAY_MS),
          date,
          date,
          dateOf(day + DAY_MS),
        ]);
      }
    }
  });
});

describe('a range', () => {
  it('joins one day to the next without gap or overlap', () => {
    const end = instantRange({ endDate: '2026-03-08', timeZone: 'America/New_York' });
    const start = instantRange({ startDate: '2026-03-09', timeZone: 'America/New_York' });
    expect(end.before).toBe(start.from);
  });

  it('is open where an end is not named', () => {
    expect(instantRange({})).toEqual({});
    expect(instantRange({ timeZone: 'Asia/Tokyo' })).toEqual({});
    expect(Object.keys(instantRange({ startDate: '2026-01-01' }))).toEqual(['from']);
    expect(Object.keys(instantRange({ endDate: '2026-01-01' }))).toEqual(['before']);
  });

  it('takes instants as they are, both inclusive, whatever the zone', () => {
    const filter = { startDate: '2026-01-01T10:00:00+02:00', endDate: '2026-01-01T09:00:00.500Z' };
    for (const timeZone of [undefined, 'UTC', 'Asia/Tokyo']) {
      const { from, before } = instantRange({ ...filter, timeZone });
      expect([iso(from), iso(before)]).toEqual(['2026-01-01T08:00:00.000Z', '2026-01-01T09:00:00.501Z']);
    }
  });

  it('ends at the end of a year, a century and a leap day', () => {
    for (const [endDate, before] of [
      ['2026-12-31', '2027-01-01T00:00:00.000Z'],
      ['2099-12-31', '2100-01-01T00:00:00.000Z'],
      ['2024-02-28', '2024-02-29T00:00:00.000Z'],
      ['2100-02-28', '2100-03-01T00:00:00.000Z'],
    ] as const) {
      expect(iso(instantRange({ endDate }).before)).toBe(before);
    }
  });
});
