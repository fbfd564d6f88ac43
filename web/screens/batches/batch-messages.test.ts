// What is said of one file or document, and of several.
import { expect, test } from 'vitest';
import { filesDone, recallWords, tickedWords, unsentWords } from './batch-messages.ts';

test('one and many read right', () => {
  const left = (notAccepted: number) => tickedWords.notReleased({ notAccepted, byThemselves: 0 });
  expect([left(0), left(1), left(2)]).toEqual([
    '',
    '1 ticked is not accepted and stays as it is.',
    '2 ticked are not accepted and stay as they are.',
  ]);
  expect(filesDone.read(0, 1)).toBe('Reading: 0 of 1 file is read. You may leave this page meanwhile.');
  expect(filesDone.read(1, 3)).toBe('Reading: 1 of 3 files are read. You may leave this page meanwhile.');
  expect(filesDone.sent(0, 1)).toBe('0 of 1 file sent. It is read once it is here.');
  expect(filesDone.sent(1, 2)).toBe('1 of 2 files sent. They are read once all of them are here.');
  expect(unsentWords.lead(0, 1)).toContain('0 of 1 file is stored. Drop the other one again');
  expect(unsentWords.lead(1, 3)).toContain('1 of 3 files are stored. Drop the other 2 again');
  expect(tickedWords.overtaken(1, 2)).toContain('1 was changed, 2 were not');
});

test('a recall says what stays and why', () => {
  expect(recallWords.stays({ held: 1, closed: 0, of: 2 })).toBe('1 of 2 released is on hold and stays where it is.');
  expect(recallWords.stays({ held: 0, closed: 2, of: 5 })).toBe(
    '2 of 5 released are closed to you and stay where they are. An Admin can recall them.',
  );
  expect(recallWords.stays({ held: 1, closed: 1, of: 2 })).toBe(
    '1 of 2 released is on hold and stays where it is. 1 of 2 released is closed to you and stays where it is. An Admin can recall it. Nothing is recalled.',
  );
  expect(recallWords.stays({ held: 2, closed: 0, of: 2 })).toBe(
    'All of their files are on hold, so nothing is recalled.',
  );
});
