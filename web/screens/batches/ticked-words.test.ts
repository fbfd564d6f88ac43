// What of ticked documents is accepted together, and what is said of the others.
import { expect, it } from 'vitest';
import type { DocumentRow } from '#contract/batches.ts';
import { acceptableOf } from './ticked-words.ts';

const document = (id: number, more: object = {}) =>
  ({ id, state: 'ready', clientId: 1, reportTypeId: 1, alreadyThere: null, sameBytes: null, ...more }) as DocumentRow;
const there = { fileId: 9, name: 'there.pdf', only: true, onHold: false };

it('accepts what has a client and a report type, and is not there already', () => {
  const { documents, leftOut } = acceptableOf([document(1), document(2, { state: 'toCheck' })]);
  expect([documents.map(({ id }) => id), leftOut]).toEqual([[1, 2], '']);
});

it('accepts recalled documents together too, and counts them: that is asked first', () => {
  const { documents, recalled, leftOut } = acceptableOf([
    document(1, { state: 'recalled' }),
    document(2, { state: 'recalled' }),
    document(3),
    document(4, { state: 'recalled', clientId: null }),
  ]);
  expect([documents.map(({ id }) => id), recalled, leftOut]).toEqual([[1, 2, 3], 2, 'Left out: 1 without a client.']);
});

it('counts what is left out, by reason, each document once', () => {
  const { documents, leftOut } = acceptableOf([
    document(1, { clientId: null }),
    document(2, { clientId: null, reportTypeId: null }),
    document(3, { reportTypeId: null }),
    document(4, { alreadyThere: there }),
    document(5, { sameBytes: { fileId: 9, name: 'there.pdf', clientName: null, of: 'file' } }),
    document(6, { state: 'dropped' }),
    document(7, { state: 'accepted', alreadyThere: there }),
    document(8, { state: 'recalled', alreadyThere: there }),
    document(9),
  ]);
  expect(documents.map(({ id }) => id)).toEqual([9]);
  expect(leftOut).toBe(
    'Left out: 2 without a client, 1 without a report type, 3 there already, 1 accepted before, 1 dropped.',
  );
});
