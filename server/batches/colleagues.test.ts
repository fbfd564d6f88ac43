// A batch that somebody else made, as it is open to a colleague who reaches all that is in it, on both engines.
import { describe, expect, it, vi } from 'vitest';
import type { BatchCertificate } from '#contract/batch-certificate.ts';
import type { BatchDetails, BatchRow, DocumentRow } from '#contract/batches.ts';
import type { ErrorBody } from '#contract/errors.ts';
import { batchFirm } from '../testing/batch-firm.ts';
import { addUser } from '../testing/firm.ts';
import type { Caller } from '../testing/test-app.ts';
import { insertTestBatch, lockedFile } from '../testing/test-batch.ts';
import { DATABASE_KINDS } from '../testing/test-database.ts';
import { textOfPages } from '../testing/test-pdf.ts';

describe.each(DATABASE_KINDS)('a colleague’s batch on %s', { timeout: 90_000 }, (kind) => {
  const { met, near, second, client, type, path, documentsOf, inReview, release, settled } = batchFirm(kind);

  let people = 0;
  const aColleague = (lists: { clientIds?: number[]; reportTypeIds?: number[] } = {}) =>
    addUser(met.app, `colleague ${met.made} ${++people}`, met.firm.roles.cpa, {
      clientIds: [client(near), client(second)],
      reportTypeIds: [type()],
      ...lists,
    });
  const listed = async (by: Caller) => (await by.get<BatchRow[]>('/api/batches')).body;
  const seen = async (by: Caller, id: number) => ({
    listed: (await listed(by)).some((batch) => batch.id === id),
    status: (await by.get(path(id))).status,
    documents: (await by.get(path(id, '/documents'))).status,
  });
  const OPEN = { listed: true, status: 200, documents: 200 };
  const MISSING = { listed: false, status: 404, documents: 404 };
  const decide = (by: Caller, id: number, body: object) =>
    by.post<DocumentRow[] & ErrorBody>(path(id, '/documents/decide'), body);
  const contentOf = (by: Caller, fileId: number, document?: number) =>
    by.fetch(`/api/files/batches/${fileId}/content?view=true${document === undefined ? '' : `&document=${document}`}`);
  const statusOf = async (by: Caller, fileId: number, document?: number) => {
    const answer = await contentOf(by, fileId, document);
    await answer.arrayBuffer();
    return answer.status;
  };

  it('G88: it is open to who reaches every document of it, and like one that is not there to anybody else', async () => {
    const { id } = await inReview();
    const colleague = await aColleague();
    expect(await seen(colleague.caller, id)).toEqual(OPEN);
    expect((await listed(colleague.caller)).find((batch) => batch.id === id)?.shared).toBe(true);
    expect((await listed(met.processor.caller)).find((batch) => batch.id === id)?.shared).toBe(false);
    expect((await listed(met.app.admin)).find((batch) => batch.id === id)?.shared).toBe(false);
    for (const lists of [{ clientIds: [client(near)] }, { reportTypeIds: [] }, { clientIds: [] }]) {
      const stranger = await aColleague(lists);
      expect(await seen(stranger.caller, id)).toEqual(MISSING);
      expect((await release(id, {}, stranger.caller)).status).toBe(404);
    }
    expect((await met.clientUser.caller.get(path(id))).status).toBe(403);
  });

  it('G88: with four eyes on a colleague releases what its maker accepted, and not what the colleague did', async () => {
    const { id, documentIds } = await inReview();
    const colleague = await aColleague();
    expect((await met.app.admin.put('/api/firm-settings', { fourEyes: true })).status).toBe(200);
    try {
      const [one, two] = documentIds;
      await decide(met.processor.caller, id, { ids: [one], decision: 'accepted' });
      await decide(colleague.caller, id, { ids: [two], decision: 'accepted' });
      expect((await release(id, {}, colleague.caller)).status).toBe(200);
      await settled(id);
      expect((await documentsOf(id)).map(({ state }) => state)).toEqual(['released', 'accepted']);
      expect((await release(id, {}, colleague.caller)).body.code).toBe('four_eyes');
      expect((await release(id)).status).toBe(200);
      await settled(id);
      expect(await seen(colleague.caller, id)).toEqual(OPEN);
      const { body } = await colleague.caller.get<BatchCertificate>(path(id, '/certificate?format=json'));
      expect([body.released, body.leftOut]).toEqual([2, 0]);
    } finally {
      await met.app.admin.put('/api/firm-settings', { fourEyes: false });
    }
  });

  it('G88: what has no client or type yet, waits to be read or is being filled keeps it closed, at each call', async () => {
    const colleague = await aColleague();
    const place = { clientId: client(near), reportTypeId: type() };
    const { id, fileId, documentIds } = await inReview([
      { from: 1, to: 2, state: 'accepted', ...place },
      { from: 3, to: 4, state: 'toCheck', clientId: client(second) },
    ]);
    const [one, two] = documentIds;
    expect(await seen(colleague.caller, id)).toEqual(MISSING);
    expect((await decide(colleague.caller, id, { ids: [one], decision: 'open' })).status).toBe(404);
    await decide(met.processor.caller, id, { ids: [two], reportTypeId: type() });
    expect(await seen(colleague.caller, id)).toEqual(OPEN);
    const waits = (state: 'waiting' | 'read') =>
      met.app.database.transaction((tx) =>
        tx.updateTable('batch_files').set({ state }).where('id', '=', fileId).execute(),
      );
    await waits('waiting');
    expect(await seen(colleague.caller, id)).toEqual(MISSING);
    await waits('read');
    // What a colleague takes out of the own reach closes it: the answer has nothing of it any more.
    const taken = await decide(colleague.caller, id, { ids: [two], clientId: null });
    expect([taken.status, taken.body]).toEqual([200, []]);
    expect(await seen(colleague.caller, id)).toEqual(MISSING);
    await decide(met.processor.caller, id, { ids: [two], decision: 'dropped' });
    expect(await seen(colleague.caller, id)).toEqual(OPEN);
    await decide(met.processor.caller, id, { ids: [one], decision: 'dropped' });
    expect(await seen(colleague.caller, id)).toEqual(MISSING);
    for (const state of ['adding', 'reading', 'discarded'] as const) {
      const other = await insertTestBatch(met.app, {
        ownerId: met.processor.id,
        state,
        documents: [{ from: 1, to: 1, state: 'ready', ...place }],
      });
      expect(await seen(colleague.caller, other.id)).toEqual(MISSING);
    }
  });

  it('G88: the print file is opened by its maker and an Admin, and to a colleague only the pages of one document', async () => {
    const place = { clientId: client(near), reportTypeId: type() };
    const { id, fileId, documentIds } = await inReview([
      { from: 1, to: 2, state: 'accepted', ...place },
      { from: 3, to: 3, state: 'accepted', ...place, clientId: client(second) },
      { from: 4, to: 4, state: 'dropped' },
    ]);
    const [one, two, dropped] = documentIds;
    const { caller } = await aColleague();
    const [{ closed } = { closed: false }] = (await caller.get<BatchDetails>(path(id))).body.files;
    expect(closed).toBe(true);
    expect([await statusOf(met.processor.caller, fileId), await statusOf(met.app.admin, fileId)]).toEqual([200, 200]);
    expect([await statusOf(caller, fileId), await statusOf(caller, fileId, dropped)]).toEqual([404, 404]);
    expect([await statusOf(caller, fileId, 999_999), await statusOf(caller, fileId + 1, two)]).toEqual([404, 404]);
    expect(await statusOf(met.processor.caller, fileId, dropped)).toBe(200);
    const answer = await contentOf(caller, fileId, one);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/pdf']);
    const bytes = new Uint8Array(await answer.arrayBuffer());
    expect(await textOfPages(bytes)).toEqual(['alpha one', 'alpha two']);
    const stranger = await aColleague({ clientIds: [client(second)] });
    expect(await statusOf(stranger.caller, fileId, two)).toBe(404);
  });

  it('G88: a colleague is told of nothing that is not in reach, discards nothing and opens nothing with a password', async () => {
    const place = { clientId: client(near), reportTypeId: type() };
    const { id } = await inReview([
      { from: 1, to: 1, state: 'ready', ...place },
      { from: 2, to: 2, state: 'dropped', proposal: { heading: 'Hidden heading', printedName: 'Hidden Name LLC' } },
      { from: 3, to: 3, state: 'dropped', ...place, clientId: client(2) },
    ]);
    const locked = await insertTestBatch(met.app, {
      ownerId: met.processor.id,
      state: 'review',
      ...(await lockedFile('sesame')),
    });
    const hiddenId = await met.app.database.transaction(async (tx) => {
      const { id: _id, ...file } = await tx
        .selectFrom('batch_files')
        .selectAll()
        .where('id', '=', locked.fileId)
        .executeTakeFirstOrThrow();
      await tx.deleteFrom('batch_files').where('id', '=', locked.fileId).execute();
      const hidden = await tx
        .insertInto('batch_files')
        .values({ ...file, batch_id: id, name: 'Hidden file.pdf' })
        .returning('id')
        .executeTakeFirstOrThrow();
      await tx
        .insertInto('batch_left_out')
        .values({ batch_id: id, name: 'Hidden rest.txt', reason: 'empty' })
        .execute();
      await tx.updateTable('batches').set({ left_out: 1 }).where('id', '=', id).execute();
      return hidden.id;
    });
    const { caller } = await aColleague();
    const { body: details } = await caller.get<BatchDetails>(path(id));
    expect([details.files.length, details.leftOut, details.batch.leftOut]).toEqual([1, [], 0]);
    const documents = await caller.get<DocumentRow[]>(path(id, '/documents'));
    expect(documents.body.map(({ fromPage }) => fromPage)).toEqual([1]);
    expect(documents.headers.get('x-total-count')).toBe('1');
    expect(JSON.stringify([details, documents.body])).not.toContain('Hidden');
    expect((await documentsOf(id)).map(({ fromPage }) => fromPage)).toEqual([1, 2, 3]);
    expect((await caller.delete(path(id))).status).toBe(403);
    const unlock = { fileId: hiddenId, password: 'sesame' };
    expect((await caller.post(path(id, '/files/password'), unlock)).status).toBe(404);
    expect(await seen(met.processor.caller, id)).toEqual(OPEN);
  });

  it('G88: a colleague who loses a client while documents are released releases no more of them', async () => {
    const { id, documentIds } = await inReview();
    const colleague = await aColleague();
    await decide(met.processor.caller, id, { ids: documentIds, decision: 'accepted' });
    const { blobs } = met.app.context.services;
    const stage = blobs.stage.bind(blobs);
    vi.spyOn(blobs, 'stage')
      .mockImplementationOnce(stage)
      .mockImplementationOnce(async (...sent) => {
        await met.app.database.transaction((tx) =>
          tx
            .deleteFrom('user_clients')
            .where('user_id', '=', colleague.id)
            .where('client_id', '=', client(near))
            .execute(),
        );
        return stage(...sent);
      });
    expect((await release(id, {}, colleague.caller)).status).toBe(200);
    await settled(id);
    expect((await documentsOf(id)).map(({ state }) => state)).toEqual(['released', 'accepted']);
    expect(await seen(colleague.caller, id)).toEqual(MISSING);
  });
});
