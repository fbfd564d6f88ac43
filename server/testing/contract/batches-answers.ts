// A call of each endpoint about batches and what is suggested from them that succeeds, and its status.
import type { batchesEndpoints } from '#contract/endpoints/batches.ts';
import { insertTestBatch, lockedFile, type TestDocument } from '../test-batch.ts';
import { insertTestSuggestion } from '../test-suggestion.ts';
import { type AnswersOf, uploadFile } from './answers.ts';
import type { ContractFirm } from './contract-firm.ts';

export function batchesAnswers({ app, firm }: ContractFirm): AnswersOf<typeof batchesEndpoints> {
  const aFile = () => uploadFile({ app, firm });
  const aBatch = async (state: 'adding' | 'review' | 'released' = 'review') => {
    const { body: me } = await app.admin.get<{ id: number }>('/api/auth/me');
    const place = { clientId: firm.clients[0], reportTypeId: firm.reportTypes[0] };
    const documents: Record<typeof state, TestDocument[]> = {
      adding: [],
      review: [
        { from: 1, to: 2, state: 'accepted', ...place },
        { from: 3, to: 4, state: 'toCheck', ...place },
      ],
      released: [{ from: 1, to: 4, state: 'released', releasedFileId: (await aFile()).body.id, ...place }],
    };
    return insertTestBatch(app, { ownerId: me.id, state, documents: documents[state] });
  };
  const aSuggestion = async (words: string) => {
    const { body: me } = await app.admin.get<{ id: number }>('/api/auth/me');
    return insertTestSuggestion(app, { kind: 'type', id: firm.reportTypes[0], ownerId: me.id, words });
  };
  const aLockedFile = async () => {
    const { body: me } = await app.admin.get<{ id: number }>('/api/auth/me');
    return insertTestBatch(app, { ownerId: me.id, state: 'review', ...(await lockedFile('sesame')) });
  };
  const ofDocument = async (nth: number, act: string, body: (id: number) => unknown) => {
    const { id: batchId, documentIds } = await aBatch();
    return app.admin.post(`/api/batches/${batchId}/documents/${act}`, body(documentIds[nth] ?? 0));
  };

  return {
    'batches.list': [200, () => app.admin.get('/api/batches')],
    'batches.create': [201, () => app.admin.post('/api/batches', { name: 'Pay run' })],
    'batches.get': [200, async () => app.admin.get(`/api/batches/${(await aBatch()).id}`)],
    'batches.add-file': [
      201,
      async () => app.admin.upload({ path: `/api/batches/${(await aBatch('adding')).id}/files`, fields: {} }),
    ],
    'batches.leave-out': [
      200,
      async () =>
        app.admin.post(`/api/batches/${(await aBatch('adding')).id}/left-out`, {
          files: [{ name: 'a.txt', reason: 'empty' }],
        }),
    ],
    'batches.unlock-file': [
      200,
      async () => {
        const { id, fileId } = await aLockedFile();
        return app.admin.post(`/api/batches/${id}/files/password`, { fileId, password: 'sesame' });
      },
    ],
    'batches.read': [200, async () => app.admin.post(`/api/batches/${(await aBatch('adding')).id}/read`)],
    'batches.documents': [200, async () => app.admin.get(`/api/batches/${(await aBatch()).id}/documents`)],
    'batches.decide': [200, () => ofDocument(0, 'decide', (id) => ({ ids: [id], period: '2026' }))],
    'batches.split': [200, () => ofDocument(0, 'split', (documentId) => ({ documentId, page: 2 }))],
    'batches.join': [200, () => ofDocument(1, 'join', (documentId) => ({ documentId }))],
    'batches.open-file': [200, async () => app.admin.get(`/api/files/batches/${(await aBatch()).fileId}/content`)],
    'batches.release': [200, async () => app.admin.post(`/api/batches/${(await aBatch()).id}/release`, {})],
    'batches.stop': [200, async () => app.admin.post(`/api/batches/${(await aBatch()).id}/stop`)],
    'batches.recall': [
      200,
      async () => app.admin.post(`/api/batches/${(await aBatch('released')).id}/recall`, { reason: 'Wrong company' }),
    ],
    'batches.accesses': [200, async () => app.admin.get(`/api/batches/${(await aBatch('released')).id}/accesses`)],
    'batches.certificate': [
      200,
      async () => app.admin.get(`/api/batches/${(await aBatch('released')).id}/certificate`),
    ],
    'batches.discard': [204, async () => app.admin.delete(`/api/batches/${(await aBatch()).id}`)],
    'suggestions.list': [200, () => app.admin.get('/api/suggestions')],
    'suggestions.accept': [
      204,
      async () => app.admin.post(`/api/suggestions/${await aSuggestion('Hours of crews')}/accept`),
    ],
    'suggestions.remove': [
      204,
      async () => app.admin.delete(`/api/suggestions/${await aSuggestion('Hours of shifts')}`),
    ],
  };
}
