// What is said of one file or document, and of several.
import { expect, test } from 'vitest';
import { notAllDone } from '#web/lib/messages.ts';
import {
  batchFailed,
  batchQuestions,
  filesDone,
  noAccesses,
  recallWords,
  tickedWords,
  unsentWords,
} from './batch-messages.ts';

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
  expect([1, 2].map(batchFailed.releaseSome)).toEqual(['1 document was not released', '2 documents were not released']);
});

test('a release says what becomes of one document, and of many', () => {
  const release = (documents: number, replacing = 0, correcting = 0, doubled = 0) =>
    batchQuestions.releaseDocuments({ documents, clients: Math.min(documents, 1200), replacing, correcting, doubled });
  expect(release(1)).toBe('It will become a file of its client, whose users see it at once.');
  expect(release(1, 1)).toContain(' It takes the place of a file, which leaves the lists.');
  expect(release(1, 0, 1)).toContain(' It corrects a file, which stays and is marked.');
  expect(release(2, 1, 2)).toBe(
    '2 documents will become files of 2 clients, whose users see them at once. 1 of them takes the place of a file, which leaves the lists. 2 of them correct files, which stay and are marked.',
  );
  expect(release(1, 0, 0, 1)).toContain(' It has the same bytes as a file that is there already.');
  expect(release(2, 0, 0, 1)).toContain(' 1 of them has the same bytes as a file that is there already.');
  expect(release(3, 0, 0, 2)).toContain(' 2 of them have the same bytes as files that are there already.');
  expect(release(4000)).toContain('4,000 documents will become files of 1,200 clients');
});

test('that nobody has opened something is said to whoever would know', () => {
  const said = [true, false].flatMap((isKnown) => [true, false].map((several) => noAccesses({ isKnown, several })));
  const unknown = 'You do not see what others open. An Admin can tell you.';
  expect(said).toEqual(['Nobody has opened any of them', 'Nobody has opened it', unknown, unknown]);
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

test('a recall says what is still on its way', () => {
  expect([recallWords.releasing(1), recallWords.releasing(1200)]).toEqual([
    '1 document is still being released. Recall it once that is done.',
    '1,200 documents are still being released. Recall them once that is done.',
  ]);
});

test('what failed half way says how many are done, how many are left, and what to press', () => {
  expect([recallWords.left(1), recallWords.left(1200)]).toEqual([
    '1 document is not recalled yet. Press Recall again for it.',
    '1,200 documents are not recalled yet. Press Recall again for them.',
  ]);
  expect(batchFailed.releaseRest(500, 1, 'The server did not answer')).toBe(
    '500 documents are being released. 1 is not: The server did not answer. Press Release again for it.',
  );
  expect([0, 1, 1500].map((done) => batchFailed.changeDocuments(notAllDone('Not found', done, 500)))).toEqual([
    'Failed to change the documents: Not found',
    'Failed to change the documents: Not found. 1 is done, 500 are not.',
    'Failed to change the documents: Not found. 1,500 are done, 500 are not.',
  ]);
});
