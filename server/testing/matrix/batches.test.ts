// Who may call what about batches and what is suggested from them: the calls of `rows/batches.ts`.
import { describe, it } from 'vitest';
import type { Remembered } from '#contract/batch-words.ts';
import type { Answer, Caller } from '../test-app.ts';
import { type InsertedBatch, insertTestBatch, lockedFile, type TestDocument } from '../test-batch.ts';
import { DATABASE_KINDS } from '../test-database.ts';
import { insertTestSuggestion } from '../test-suggestion.ts';
import { type Attempt, type Attempts, bytes, get, post, remove } from './calls.ts';
import type { RightsFirm } from './rights-firm.ts';
import { seededFiles } from './seeded-files.ts';
import { tryRights } from './try-rights.ts';
import type { ViewerName } from './viewers.ts';

function batchesAttempts(firm: RightsFirm): Attempts {
  const { app, bystander, clients, fresh, types, userIds } = firm;
  const { nearReport, seedFile } = seededFiles(firm);

  const seededBatches = new Map<number, InsertedBatch>();
  const seeded = (id: number): InsertedBatch => {
    const batch = seededBatches.get(id);
    if (batch === undefined) throw new Error(`No batch ${id} was seeded`);
    return batch;
  };
  type SeededState = 'adding' | 'review' | 'released' | 'locked';
  /** A colleague's is all within the lists that everybody here has; another's is of a client beside them too. */
  const batchOf = (owner: 'own' | 'another' | 'colleague', state: SeededState) => ({
    target: async (viewer: ViewerName) => {
      const ownerId = owner === 'own' ? userIds[viewer] : bystander.id;
      const place = { clientId: clients.near, reportTypeId: types.known };
      const beyond: TestDocument[] =
        owner === 'another'
          ? [{ from: 4, to: 4, state: 'toCheck', clientId: clients.far, reportTypeId: types.known }]
          : [];
      const documents: TestDocument[] =
        state === 'adding' || state === 'locked'
          ? []
          : state === 'review'
            ? [
                { from: 1, to: 2, state: 'accepted', ...place },
                { from: 3, to: 4, state: 'ready', ...place },
              ]
            : [
                {
                  from: 1,
                  to: 4,
                  state: 'released',
                  releasedFileId: await seedFile({ ...nearReport(), by: 0 }),
                  ...place,
                },
              ];
      const batch = await insertTestBatch(app, {
        ownerId,
        documents: [...documents, ...(state === 'review' || state === 'released' ? beyond : [])],
        ...(state === 'locked' ? { state: 'review', ...(await lockedFile('sesame')) } : { state }),
      });
      seededBatches.set(batch.id, batch);
      return batch.id;
    },
  });
  /** A row about one's own batch, and one about another's. */
  const ofEither = (name: string, state: SeededState, call: Attempt['call']) => ({
    [`${name} one's own`]: { ...batchOf('own', state), call },
    [`${name} another's`]: { ...batchOf('another', state), call },
  });
  const ofAll = (name: string, state: SeededState, call: Attempt['call']) => ({
    ...ofEither(name, state, call),
    [`${name} a colleague's`]: { ...batchOf('colleague', state), call },
  });
  const decide =
    (said: Record<string, unknown>) =>
    (by: Caller, id: number): Promise<Answer> =>
      by.post(`/api/batches/${id}/documents/decide`, { ids: [...seeded(id).documentIds], ...said });
  const suggested =
    (ownerOf: (viewer: ViewerName) => number, kind: Remembered, of: () => number) =>
    (viewer: ViewerName): Promise<number> => {
      const ownerId = ownerOf(viewer) || bystander.id;
      return insertTestSuggestion(app, { kind, id: of(), ownerId, words: fresh('Suggested words') });
    };
  const ownPhrase = suggested(
    (viewer) => userIds[viewer],
    'type',
    () => types.known,
  );
  const anothersPhrase = suggested(
    () => bystander.id,
    'type',
    () => types.known,
  );
  const anothersName = suggested(
    () => bystander.id,
    'client',
    () => clients.near,
  );
  const farName = suggested(
    () => bystander.id,
    'client',
    () => clients.far,
  );

  return {
    "batches.list shows one's own": { ...batchOf('own', 'review'), call: get('/api/batches') },
    "batches.list shows a colleague's": { ...batchOf('colleague', 'review'), call: get('/api/batches') },
    "batches.read a colleague's": {
      ...batchOf('colleague', 'review'),
      call: (by, id) => by.post(`/api/batches/${id}/read`),
    },
    "batches.list shows another's": { ...batchOf('another', 'review'), call: get('/api/batches') },
    'batches.create': { call: (by) => by.post('/api/batches', { name: 'Pay run' }) },
    ...ofAll('batches.get', 'review', get('/api/batches/{id}')),
    ...ofEither('batches.add-file to', 'adding', (by, id) =>
      by.upload({ path: `/api/batches/${id}/files`, bytes: fresh('bytes'), fields: {} }),
    ),
    ...ofEither('batches.leave-out of', 'adding', (by, id) =>
      by.post(`/api/batches/${id}/left-out`, { files: [{ name: 'a.txt', reason: 'empty' }] }),
    ),
    ...ofEither('batches.unlock-file', 'locked', (by, id) =>
      by.post(`/api/batches/${id}/files/password`, { fileId: seeded(id).fileId, password: 'sesame' }),
    ),
    ...ofEither('batches.read', 'adding', (by, id) => by.post(`/api/batches/${id}/read`)),
    ...ofAll('batches.documents of', 'review', get('/api/batches/{id}/documents')),
    ...ofAll('batches.decide of', 'review', decide({ decision: 'accepted' })),
    'batches.decide for a client out of reach': {
      ...batchOf('own', 'review'),
      call: (by, id) => decide({ clientId: clients.far })(by, id),
    },
    'batches.decide for a report type out of reach': {
      ...batchOf('own', 'review'),
      call: (by, id) => decide({ reportTypeId: types.other })(by, id),
    },
    ...ofAll('batches.split of', 'review', (by, id) =>
      by.post(`/api/batches/${id}/documents/split`, { documentId: seeded(id).documentIds[0], page: 2 }),
    ),
    ...ofAll('batches.join of', 'review', (by, id) =>
      by.post(`/api/batches/${id}/documents/join`, { documentId: seeded(id).documentIds[1] }),
    ),
    ...ofAll('batches.open-file of', 'review', (by, id, viewer) =>
      bytes('/api/files/batches/{id}/content')(by, seeded(id).fileId, viewer),
    ),
    ...ofAll('batches.release of', 'review', (by, id) => by.post(`/api/batches/${id}/release`, {})),
    ...ofAll('batches.stop of', 'review', (by, id) => by.post(`/api/batches/${id}/stop`)),
    ...ofAll('batches.recall of', 'released', (by, id) => by.post(`/api/batches/${id}/recall`, { reason: 'Wrong' })),
    ...ofAll('batches.accesses of', 'released', get('/api/batches/{id}/accesses')),
    ...ofAll('batches.certificate of', 'released', get('/api/batches/{id}/certificate')),
    ...ofAll('batches.discard', 'review', remove('/api/batches/{id}')),

    "suggestions.list shows one's own": { target: ownPhrase, call: get('/api/suggestions') },
    "suggestions.list shows another's phrase": { target: anothersPhrase, call: get('/api/suggestions') },
    "suggestions.list shows another's name": { target: anothersName, call: get('/api/suggestions') },
    'suggestions.list shows a name out of reach': { target: farName, call: get('/api/suggestions') },
    "suggestions.accept one's own": { target: ownPhrase, call: post('/api/suggestions/{id}/accept') },
    "suggestions.accept another's phrase": { target: anothersPhrase, call: post('/api/suggestions/{id}/accept') },
    "suggestions.accept another's name": { target: anothersName, call: post('/api/suggestions/{id}/accept') },
    'suggestions.accept a name out of reach': { target: farName, call: post('/api/suggestions/{id}/accept') },
    "suggestions.remove one's own": { target: ownPhrase, call: remove('/api/suggestions/{id}') },
    "suggestions.remove another's phrase": { target: anothersPhrase, call: remove('/api/suggestions/{id}') },
    "suggestions.remove another's name": { target: anothersName, call: remove('/api/suggestions/{id}') },
    'suggestions.remove a name out of reach': { target: farName, call: remove('/api/suggestions/{id}') },
  };
}

describe.each(DATABASE_KINDS)('who may call what on %s', (kind) => {
  const { expectRecorded } = tryRights(kind, 'batches', batchesAttempts);

  it('G19: whatever is refused as forbidden or not found is recorded against anyone who asked', async () => {
    await expectRecorded();
  });
});
