// Previous and Next of a file that was opened from a request.
import { expect, test } from 'vitest';
import type { RequestFile } from '#contract/requests.ts';
import { aroundInRequest } from './files-of-request.ts';

const sent = (fileId: number, place: RequestFile['place'] = 'here'): RequestFile => ({
  fileId,
  name: `page ${fileId}.pdf`,
  sentAt: '2026-01-31T12:00:00.000Z',
  sentByName: 'Cleo',
  place,
});
const named = (id: number) => ({ id, originalName: `page ${id}.pdf` });

// Sent in another order than the items stand in.
const items = [{ files: [sent(7), sent(9, 'gone')] }, { files: [] }, { files: [sent(3, 'elsewhere'), sent(8)] }];

test('they lead through all files of the request as its page shows them, and pass over what is gone', () => {
  const total = { total: 3, more: false };
  expect(aroundInRequest(items, 7)).toEqual({ place: { nth: 1, ...total }, newer: null, older: named(3) });
  expect(aroundInRequest(items, 3)).toEqual({ place: { nth: 2, ...total }, newer: named(7), older: named(8) });
  expect(aroundInRequest(items, 8)).toEqual({ place: { nth: 3, ...total }, newer: named(3), older: null });
});

test('a file that is none of the request, or gone, stands nowhere in it', () => {
  for (const id of [1, 9]) expect(aroundInRequest(items, id)).toEqual({ place: null, newer: null, older: null });
});
