import { describe, expect, it } from 'vitest';
import { readersWords } from './readers-words.ts';

const now = new Date(2026, 10, 30);
const at = (year: number) => new Date(year, 10, 20, 12).toISOString();

describe('who sees a report, in words', () => {
  it.each([
    [3, at(2026), '3 people, opened 11/20'],
    [1, at(2025), '1 person, opened 11/20/2025'],
    [1, null, '1 person, not opened'],
    [1_200, null, '1,200 people, not opened'],
    [0, null, 'Nobody'],
    [0, at(2026), 'Nobody, opened 11/20'],
  ])('%i, %s: %s', (people, openedAt, words) => {
    expect(readersWords({ people, openedAt }, now)).toBe(words);
  });
});
