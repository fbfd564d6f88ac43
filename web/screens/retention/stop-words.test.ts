// What is said of the files that a stopped disposal did not come to: of one as of several.
import { expect, test } from 'vitest';
import { retentionDone, retentionWords } from '#web/lib/retention-messages.ts';
import { stopWords } from './stop-words.ts';

test('of one file the words are those of one', () => {
  expect(stopWords.told('11/28/2026 2:15 AM', 'cancelled', 1, null)).toBe(
    'The disposal ordered 11/28/2026 2:15 AM was canceled on Background Jobs. 1 file of it is still there.',
  );
  expect(stopWords.leave(1)).toContain('it was left. It stays on the list');
  expect(stopWords.leave(31)).toContain('they were left. They stay on the list');
  expect(retentionDone.left('1 file', 1)).toBe('The disposal has ended: 1 file left where it is');
  expect(retentionDone.left('31 files', 31)).toBe('The disposal has ended: 31 files left where they are');
});

test('before a disposal it is said that earlier versions go too, and are counted', () => {
  expect(retentionWords.question(1)).toMatch(
    /^It is gone for good, with any earlier versions, which the certificate counts too: nobody can restore it after this\./,
  );
  expect(retentionWords.question(2)).toMatch(/^They are gone for good, .* nobody can restore them after this\./);
  expect(stopWords.goOn).toContain('with any earlier versions');
});
