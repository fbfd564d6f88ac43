// Until when a round goes: what is still being committed is left for the next, quarters are those of the clock, and mornings those of the firm.
import { describe, expect, it } from 'vitest';
import { type RoundPace, roundEnd } from './rounds.ts';

const NEW_YORK = 'America/New_York';
const endOf = (pace: RoundPace, at: string, timeZone = NEW_YORK) =>
  new Date(roundEnd(pace, Date.parse(at), timeZone)).toISOString();

describe('a round ends', () => {
  it.each<[RoundPace, string, string]>([
    ['atOnce', '2026-03-02T15:04:05.678Z', '2026-03-02T15:03:45.678Z'],
    ['quarterHour', '2026-03-02T15:15:19.999Z', '2026-03-02T15:00:00.000Z'],
    ['quarterHour', '2026-03-02T15:15:20.000Z', '2026-03-02T15:15:00.000Z'],
    // Seven in the morning in winter and in summer, on the days between them too, and not before it is over.
    ['daily', '2026-03-02T12:00:19.999Z', '2026-03-01T12:00:00.000Z'],
    ['daily', '2026-03-02T12:00:20.000Z', '2026-03-02T12:00:00.000Z'],
    ['daily', '2026-03-08T11:30:00.000Z', '2026-03-08T11:00:00.000Z'],
    ['daily', '2026-03-08T10:30:00.000Z', '2026-03-07T12:00:00.000Z'],
    ['daily', '2026-11-01T11:59:00.000Z', '2026-10-31T11:00:00.000Z'],
    ['daily', '2026-11-01T12:01:00.000Z', '2026-11-01T12:00:00.000Z'],
  ])('%s at %s: %s', (pace, at, end) => {
    expect(endOf(pace, at)).toBe(end);
  });

  it('in the morning of the firm’s zone, whichever it is', () => {
    expect(endOf('daily', '2026-03-02T02:00:00Z', 'Pacific/Honolulu')).toBe('2026-03-01T17:00:00.000Z');
    expect(endOf('daily', '2026-03-02T02:00:00Z', 'Asia/Kolkata')).toBe('2026-03-02T01:30:00.000Z');
  });
});
