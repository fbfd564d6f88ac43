// Sentences of the log that follow a name: a name may end with a full stop of its own.
import { expect, it } from 'vitest';
import { heldDetails, replacedDetails, saidNotDetails, sentBackDetails } from './activity-words.ts';

it('ends a sentence once, whatever its name ends with', () => {
  expect(heldDetails('client', 'Acme Inc.', 'Lawsuit')).toBe('Put on hold: client Acme Inc. Reason: Lawsuit');
  expect(heldDetails('client', 'Acme LLC', 'Lawsuit')).toBe('Put on hold: client Acme LLC. Reason: Lawsuit');
  expect(heldDetails('client', 'Acme Inc.')).toBe('Put on hold: client Acme Inc.');
  expect(replacedDetails('a.pdf', 'b.pdf', 'Wrong rate')).toBe('Replaced file: a.pdf, by b.pdf. Reason: Wrong rate');
  expect(sentBackDetails('Forms of Acme', 'Form 8822.', 'Blurred')).toBe(
    'Sent back for Forms of Acme, Form 8822. Reason: Blurred',
  );
  expect(saidNotDetails('Forms', 'W-9', '')).toBe('Does not apply to Forms, W-9');
});
