import { expect, test } from 'vitest';
import type { BatchFileRow, DocumentRow } from '#contract/batches.ts';
import { groupDocuments, nextUndecided, recallableOf, stateNameOf, wasReleased } from './document-groups.ts';

const files = [
  { id: 1, state: 'read' },
  { id: 2, state: 'unreadable' },
] as BatchFileRow[];
const there = { fileId: 9, name: 'Journal.pdf', only: true, onHold: false };

const document = (id: number, state: DocumentRow['state'], more: Partial<DocumentRow> = {}) =>
  ({ id, state, fileId: 1, alreadyThere: null, sameBytes: null, ...more }) as DocumentRow;

const keysOf = (documents: DocumentRow[]) =>
  groupDocuments(documents, files).map(({ key, documents: rows }) => [key, rows.map(({ id }) => id)]);

test('what is to be looked at comes before what is ready, and what is decided last', () => {
  expect(
    keysOf([document(1, 'ready'), document(2, 'accepted'), document(3, 'toCheck'), document(4, 'dropped')]),
  ).toEqual([
    ['toCheck', [3]],
    ['ready', [1]],
    ['accepted', [2]],
    ['dropped', [4]],
  ]);
});

test('a ready document of which one is there already is not among the ready ones', () => {
  expect(keysOf([document(1, 'ready', { alreadyThere: there }), document(2, 'ready')])).toEqual([
    ['alreadyThere', [1]],
    ['ready', [2]],
  ]);
  // Once it is accepted, somebody has looked at it.
  expect(keysOf([document(1, 'accepted', { alreadyThere: there })])).toEqual([['accepted', [1]]]);
});

test('documents of an unreadable file stand apart until somebody decides', () => {
  expect(keysOf([document(1, 'toCheck', { fileId: 2 }), document(2, 'accepted', { fileId: 2 })])).toEqual([
    ['unreadable', [1]],
    ['accepted', [2]],
  ]);
});

test('the pill of a document of an unreadable file says so until somebody decides', () => {
  const [read, unreadable] = files;
  expect(stateNameOf(document(1, 'toCheck'), read)).toBe('To check');
  expect(stateNameOf(document(1, 'toCheck', { fileId: 2 }), unreadable)).toBe('Unreadable');
  expect(stateNameOf(document(1, 'accepted', { fileId: 2 }), unreadable)).toBe('Accepted');
  expect(stateNameOf(document(1, 'toCheck', { fileId: 2, alreadyThere: there }), unreadable)).toBe('To check');
});

test('the pill of a recalled document says where its file was restored from the trash', () => {
  expect(stateNameOf(document(1, 'recalled', { restored: false }), files[0])).toBe('Recalled');
  expect(stateNameOf(document(1, 'recalled', { restored: true }), files[0])).toBe('Restored');
});

test('the next undecided one follows in the order of the list, and the first after the last', () => {
  const groups = groupDocuments(
    [document(1, 'ready'), document(2, 'toCheck'), document(3, 'accepted'), document(4, 'toCheck')],
    files,
  );
  expect(nextUndecided(groups, 2)?.id).toBe(4);
  expect(nextUndecided(groups, 4)?.id).toBe(1);
  expect(nextUndecided(groups, 1)?.id).toBe(2);
  expect(nextUndecided(groups, 3)?.id).toBe(2);
  expect(nextUndecided(groupDocuments([document(3, 'accepted')], files), 3)).toBeNull();
  // On its way to a slow server, it is not come back to.
  expect(nextUndecided(groups, 4, (id) => id === 1)?.id).toBe(2);
});

test('what is closed to this person is not the next one', () => {
  const groups = groupDocuments(
    [document(1, 'toCheck'), document(2, 'toCheck', { closed: true }), document(3, 'ready')],
    files,
  );
  expect(nextUndecided(groups, 1)?.id).toBe(3);
});

test('what is on hold or closed to this person is not recalled', () => {
  const free = { onHold: false, closed: false };
  const documents = [
    document(1, 'released', free),
    document(2, 'released', { ...free, onHold: true }),
    document(3, 'released', { ...free, closed: true }),
    document(4, 'accepted', free),
    document(5, 'released', free),
  ];
  expect(recallableOf(documents)).toEqual({ released: 4, freeIds: [1, 5], held: 1, closed: 1 });
});

test('what was a file once is known by it, and its other half after a split by its recall', () => {
  const recall = { reason: 'Wrong week', at: '2026-11-20T16:05:00.000Z', byName: 'Rosa Okafor' };
  const rows = [
    document(1, 'released', { releasedFileId: 7, recall: null }),
    document(2, 'toCheck', { releasedFileId: 8, recall }),
    document(3, 'toCheck', { releasedFileId: null, recall }),
    document(4, 'accepted', { releasedFileId: null, recall: null }),
  ];
  expect(rows.map(wasReleased)).toEqual([true, true, true, false]);
});

test('after a recalled one the next recalled follows, and then what nobody has decided', () => {
  const groups = groupDocuments(
    [document(1, 'ready'), document(2, 'recalled'), document(3, 'recalled', { closed: true }), document(4, 'recalled')],
    files,
  );
  expect([2, 4, 1].map((id) => nextUndecided(groups, id)?.id)).toEqual([4, 2, undefined]);
  expect(nextUndecided(groupDocuments([document(1, 'ready'), document(2, 'recalled')], files), 2)?.id).toBe(1);
});
