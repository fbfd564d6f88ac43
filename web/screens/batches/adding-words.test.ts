// What is said of the files of a batch while it is filled.
import { expect, test } from 'vitest';
import { addingWords, type Filling } from './adding-words.ts';

type Item = Filling['items'][number];

const item = (state: Item['state']): Item => ({ state, fileId: state === 'stored' ? 1 : null, opened: null });
const words = (filling: Partial<Filling>) => addingWords({ items: [], busy: false, files: 0, missing: 0, ...filling });

test('files that were not tried, since one failed for all of them, are counted as not sent', () => {
  const items = [item('stored'), item('failed'), item('waiting'), item('waiting'), item('leftOut')];
  expect(words({ items, files: 1 })).toBe('3 files could not be sent. Try again, or read those that are here.');
  expect(words({ items, files: 1, busy: true })).toContain('1 of 4 files sent.');
  // Before the first of them is on its way, nothing has failed.
  expect(words({ items: [item('waiting')], files: 1 })).toContain('These files are here');
});

test('what a reload has cut off is missed until it is dropped again', () => {
  expect(words({ files: 1, missing: 2 })).toContain('1 of 3 files are stored. Drop the other 2 again');
  expect(words({ items: [item('stored')], files: 2, missing: 1 })).toContain(
    '2 of 3 files are stored. Drop the other one again',
  );
  expect(words({ items: [item('stored')], files: 3 })).toContain('These files are here');
  expect(words({})).toContain('No files in this batch yet.');
});
