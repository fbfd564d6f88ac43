// Batches over HTTP, on both engines: who sees one under review, what is decided in it, and how documents are split and joined.
import { describe, expect, it } from 'vitest';
import type { BatchDetails, BatchRow, DocumentRow } from '#contract/batches.ts';
import type { ErrorBody } from '#contract/errors.ts';
import { batchFirm } from '../testing/batch-firm.ts';
import { addUser } from '../testing/firm.ts';
import type { Caller } from '../testing/test-app.ts';
import { DATABASE_KINDS } from '../testing/test-database.ts';

describe.each(DATABASE_KINDS)('reviewing batches on %s', { timeout: 90_000 }, (kind) => {
  const { met, near, second, client, type, path, documentsOf, batchOf, reportsOf, inReview } = batchFirm(kind);

  it('G31: what is not released is seen by nobody but its reviewers', async () => {
    const { id, fileId } = await inReview();
    expect(await reportsOf(met.clientUser.caller)).toEqual([]);
    for (const address of [path(id), path(id, '/documents'), `/api/files/batches/${fileId}/content`]) {
      expect((await met.clientUser.caller.get(address)).status).toBe(403);
    }
    const colleague = await addUser(met.app, `colleague${met.made}`, met.firm.roles.cpa, {
      clientIds: [client(near)],
      reportTypeIds: [type()],
    });
    expect((await colleague.caller.get(path(id))).status).toBe(404);
    expect((await colleague.caller.get(`/api/files/batches/${fileId}/content`)).status).toBe(404);
    expect((await met.processor.caller.get(`/api/files/batches/${fileId}/content`)).status).toBe(200);
  });

  it('a file is closed to whoever made the batch and has lost a client or report type in it', async () => {
    const { id, fileId } = await inReview();
    const content = (by: Caller) => by.get(`/api/files/batches/${fileId}/content`).then(({ status }) => status);
    const closed = async (by: Caller) => (await by.get<BatchDetails>(path(id))).body.files.map((file) => file.closed);
    expect([await content(met.processor.caller), await closed(met.processor.caller)]).toEqual([200, [false]]);
    await met.app.database.transaction((tx) =>
      tx
        .deleteFrom('user_clients')
        .where('user_id', '=', met.processor.id)
        .where('client_id', '=', client(second))
        .execute(),
    );
    expect([await content(met.processor.caller), await closed(met.processor.caller)]).toEqual([404, [true]]);
    expect((await documentsOf(id)).map(({ clientId }) => clientId)).toEqual([client(near), null]);
    // Whoever reaches everything goes on.
    expect([await content(met.app.admin), await closed(met.app.admin)]).toEqual([200, [false]]);
    const [, unreached] = await documentsOf(id, met.app.admin);
    await met.app.admin.post(path(id, '/documents/decide'), { ids: [unreached?.id], clientId: client(near) });
    expect(await content(met.processor.caller)).toBe(200);
    await met.app.database.transaction((tx) =>
      tx.deleteFrom('user_report_types').where('user_id', '=', met.processor.id).execute(),
    );
    expect(await content(met.processor.caller)).toBe(404);
  });

  it('decisions: many at once, none half, a stale one refused, a released one not changed', async () => {
    const { id, documentIds } = await inReview([
      { from: 1, to: 1, state: 'ready', clientId: client(near), reportTypeId: type() },
      { from: 2, to: 2, state: 'toCheck' },
      { from: 3, to: 4, state: 'released', clientId: client(near), reportTypeId: type(), releasedFileId: 1 },
    ]);
    const decide = (body: object) =>
      met.processor.caller.post<DocumentRow[] & ErrorBody>(path(id, '/documents/decide'), body);
    const [one, two, three] = documentIds;
    expect((await decide({ ids: [one, two], decision: 'accepted' })).body.code).toBe('document_incomplete');
    expect((await documentsOf(id)).map(({ state }) => state)).toEqual(['ready', 'toCheck', 'released']);
    const { body: set } = await decide({ ids: [two], clientId: client(second), reportTypeId: type(), version: 1 });
    expect(set[0]).toMatchObject({ state: 'toCheck', version: 2, clientId: client(second) });
    expect((await decide({ ids: [two], period: '2026', version: 1 })).body.code).toBe('gone_meanwhile');
    // Of several, the one that somebody else changed refuses all: each is seen before it is accepted.
    const stale = await decide({ ids: [two, one], versions: [1, 1], decision: 'accepted' });
    expect([stale.status, stale.body.code]).toEqual([409, 'gone_meanwhile']);
    expect((await documentsOf(id)).map(({ state }) => state)).toEqual(['ready', 'toCheck', 'released']);
    for (const versions of [[1], [1, 1, 1], [0, 1]]) {
      expect((await decide({ ids: [one, two], versions, decision: 'dropped' })).body.fields).toBeDefined();
    }
    expect((await decide({ ids: [two, one], versions: [2, 1], period: '2026-Q1' })).status).toBe(200);
    const { body: accepted } = await decide({ ids: [one, two], decision: 'accepted' });
    expect(accepted.map(({ state }) => state)).toEqual(['accepted', 'accepted']);
    expect((await decide({ ids: [one], clientId: null })).body[0]).toMatchObject({ state: 'toCheck', clientId: null });
    expect((await decide({ ids: [three], decision: 'dropped' })).body.code).toBe('document_not_open');
    expect((await decide({ ids: [999_999], decision: 'dropped' })).body.code).toBe('not_found');
    expect((await decide({ ids: [one], clientId: client(2) })).body.code).toBe('not_found');
    expect((await decide({ ids: [one] })).body.code).toBe('invalid');
    // With the last of the others dropped, it is released, and since when is known.
    expect(await batchOf(id)).toMatchObject({ state: 'review', releasedAt: null });
    expect((await decide({ ids: [one, two], decision: 'dropped' })).status).toBe(200);
    const { state, releasedAt } = await batchOf(id);
    expect([state, releasedAt]).toEqual(['released', expect.any(String)]);
    // Taken back and dropped once more, it is released since then.
    for (const decision of ['open', 'dropped']) expect((await decide({ ids: [one], decision })).status).toBe(200);
    expect(await batchOf(id)).toMatchObject({ state: 'released', releasedAt });
  });

  it('a batch of which everything is dropped waits for nobody, until something is taken back', async () => {
    const { id, documentIds } = await inReview();
    const decide = async (decision: 'dropped' | 'open') =>
      expect(
        (await met.processor.caller.post(path(id, '/documents/decide'), { ids: documentIds, decision })).status,
      ).toBe(200);
    const listed = async (state: string) => {
      const { body } = await met.processor.caller.get<BatchRow[]>(`/api/batches?state=${state}`);
      return body.some((batch) => batch.id === id);
    };
    await decide('dropped');
    expect(await batchOf(id)).toMatchObject({ state: 'dropped', dropped: 2, releasedAt: null });
    expect([await listed('review'), await listed('dropped')]).toEqual([false, true]);
    await decide('open');
    expect([await listed('review'), await listed('dropped')]).toEqual([true, false]);
  });

  it('a document is split and joined at its pages, and keeps what was proposed', async () => {
    const { id, documentIds } = await inReview();
    const [first] = documentIds;
    const act = (name: string, body: object) =>
      met.processor.caller.post<DocumentRow[] & ErrorBody>(path(id, `/documents/${name}`), body);
    expect((await act('split', { documentId: first, page: 3 })).body.fields).toHaveProperty('page');
    // What somebody else has changed since it was looked at is neither split nor joined.
    expect((await act('decide', { ids: [first], period: '2026-Q3' })).body[0]?.version).toBe(2);
    const unseen = await act('split', { documentId: first, page: 2, version: 1 });
    expect([unseen.status, unseen.body.code]).toEqual([409, 'gone_meanwhile']);
    const { body: halves } = await act('split', { documentId: first, page: 2, version: 2 });
    expect(halves.map(({ fromPage, toPage, state, clientId }) => [fromPage, toPage, state, clientId])).toEqual([
      [1, 1, 'toCheck', client(near)],
      [2, 2, 'toCheck', client(near)],
    ]);
    expect(halves.map(({ version }) => version)).toEqual([3, 1]);
    const joined = { documentId: halves[1]?.id, version: 1, before: { id: first, version: 3 } };
    for (const looked of [
      { version: 2 },
      { before: { id: first, version: 2 } },
      { before: { id: documentIds[1], version: 3 } },
    ]) {
      expect((await act('join', { ...joined, ...looked })).body.code).toBe('gone_meanwhile');
    }
    const { body: whole } = await act('join', joined);
    expect(whole.map(({ fromPage, toPage, state }) => [fromPage, toPage, state])).toEqual([[1, 2, 'toCheck']]);
    expect((await act('join', { documentId: first })).body.fields).toHaveProperty('documentId');
    expect((await documentsOf(id)).map(({ fromPage, toPage }) => [fromPage, toPage])).toEqual([
      [1, 2],
      [3, 4],
    ]);
  });
});
