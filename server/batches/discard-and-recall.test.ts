// Batches over HTTP, on both engines: discarded, and recalled from everybody.
import { describe, expect, it, vi } from 'vitest';
import type { ActivityRow } from '#contract/activity.ts';
import type { BatchDetails, BatchFileAdded, BatchRow, DocumentRow, RecallResult } from '#contract/batches.ts';
import type { ErrorBody } from '#contract/errors.ts';
import type { TrashRow } from '#contract/trash.ts';
import { batchFirm } from '../testing/batch-firm.ts';
import { clientInput } from '../testing/firm.ts';
import { startTestApp } from '../testing/test-app.ts';
import { insertTestBatch } from '../testing/test-batch.ts';
import { DATABASE_KINDS } from '../testing/test-database.ts';

describe.each(DATABASE_KINDS)('taking batches back on %s', { timeout: 90_000 }, (kind) => {
  const { met, path, documentsOf, batchOf, reportsOf, inReview, release, settled, released, bytesOf, missingBlobs } =
    batchFirm(kind);

  it('who begins, opens and discards a batch is in the log, one look at a file being one entry', async () => {
    const name = `Recorded ${met.made}`;
    const { body: batch } = await met.processor.caller.post<BatchRow>('/api/batches', { name });
    const { body: added } = await met.processor.caller.upload<BatchFileAdded>({
      path: path(batch.id, '/files'),
      name: 'payrun.txt',
      bytes: 'A print file of which parts are read',
      fields: {},
    });
    const content = `/api/files/batches/${added.file?.id}/content`;
    const read = async (address: string, range?: string) => {
      const answer = await met.processor.caller.fetch(address, range === undefined ? {} : { headers: { range } });
      await answer.arrayBuffer();
      return answer.status;
    };
    expect(await read(`${content}?view=true`, 'bytes=4-7')).toBe(206);
    expect(await read(`${content}?view=true`)).toBe(200);
    expect(await read(content)).toBe(200);
    expect(await read(content, 'bytes=4-7')).toBe(206);
    expect(await read(content)).toBe(200);
    expect((await met.processor.caller.delete(path(batch.id))).status).toBe(204);
    const { body: log } = await met.processor.caller.get<ActivityRow[]>('/api/activity-logs?limit=5');
    expect(log.map(({ action, details }) => [action, details])).toEqual([
      ['delete', `Discarded batch: ${name}`],
      ['download', `Downloaded file: payrun.txt, of batch: ${name}`],
      ['download', `Downloaded file: payrun.txt, of batch: ${name}`],
      ['view', `Viewed file: payrun.txt, of batch: ${name}`],
      ['update', `Created batch: ${name}`],
    ]);
    expect((await met.clientUser.caller.get<ActivityRow[]>('/api/activity-logs')).body).toEqual([]);
  });

  it('a discarded batch leaves no bytes; one with released documents is recalled first', async () => {
    const { id } = await inReview();
    const stored = () =>
      met.app.database.reader.selectFrom('batch_files').select('storage_key').where('batch_id', '=', id).execute();
    const keys = (await stored()).map(({ storage_key }) => storage_key);
    expect(keys).toHaveLength(1);
    expect((await met.processor.caller.delete(path(id))).status).toBe(204);
    expect(await stored()).toEqual([]);
    expect(await missingBlobs(keys)).toEqual(keys);
    expect(await batchOf(id)).toMatchObject({ state: 'discarded', documents: 0 });
    expect((await release(id)).body.code).toBe('batch_not_in_review');
    const { id: other } = await released();
    expect((await met.processor.caller.delete<ErrorBody>(path(other))).body.code).toBe('batch_released');
  });

  it('a recall takes documents from everybody at once, says who had opened them, and they can be put right', async () => {
    const { id } = await released();
    const [own] = await reportsOf(met.clientUser.caller);
    await bytesOf(own?.id ?? 0, met.clientUser.caller);
    const [first, other] = await documentsOf(id);
    const recall = (body: object) => met.processor.caller.post<RecallResult & ErrorBody>(path(id, '/recall'), body);
    expect((await recall({ ids: [first?.id] })).body.fields).toHaveProperty('reason');
    const { body: result } = await recall({ ids: [first?.id], reason: 'Pages of two companies' });
    expect(result).toMatchObject({ recalled: 1, alreadyGone: 0 });
    expect(result.accesses).toEqual([
      expect.objectContaining({
        documentId: first?.id,
        clientId: first?.clientId,
        action: 'download',
        userName: `Full reader${met.made}`,
      }),
    ]);
    expect(await reportsOf(met.clientUser.caller)).toEqual([]);
    expect((await met.clientUser.caller.get(`/api/files/${own?.id}`)).status).toBe(404);
    const { body: trash } = await met.processor.caller.get<TrashRow[]>('/api/trash');
    expect(trash.map((row) => row.id)).toContain(own?.id);
    const { body: log } = await met.processor.caller.get<ActivityRow[]>('/api/activity-logs?limit=1');
    expect(log[0]?.details).toContain('Reason: Pages of two companies');
    expect(await batchOf(id)).toMatchObject({ state: 'released', released: 1, recalled: 1 });
    expect((await recall({ ids: [first?.id], reason: 'Again' })).body.code).toBe('nothing_released');

    // Its file was deleted by hand before: said, and nothing else happens.
    await met.processor.caller.delete(`/api/files/${(await documentsOf(id))[1]?.releasedFileId}`);
    expect((await recall({ reason: 'All of it' })).body).toMatchObject({ recalled: 0, alreadyGone: 1 });
    expect((await batchOf(id)).state).toBe('recalled');
    // Each keeps its own reason, until it is released again.
    const byName = `Full processor${met.made}`;
    const at = expect.any(String);
    expect((await documentsOf(id)).map(({ recall: told }) => told)).toEqual([
      { reason: 'Pages of two companies', at, byName },
      { reason: 'All of it', at, byName },
    ]);

    await met.processor.caller.post(path(id, '/documents/decide'), { ids: [other?.id], decision: 'accepted' });
    expect((await batchOf(id)).state).toBe('review');
    await release(id);
    await settled(id);
    const after = (await documentsOf(id)).map(({ state, recall: told }) => [state, told?.reason]);
    expect(after).toEqual([
      ['recalled', 'Pages of two companies'],
      ['released', undefined],
    ]);

    // Split, the file that it was is that of one half alone, and both say why; joined again, nothing of it is lost.
    const act = async (name: string, body: object) =>
      (await met.processor.caller.post<DocumentRow[]>(path(id, `/documents/${name}`), body)).body;
    const halves = await act('split', { documentId: first?.id, page: 2 });
    expect(halves.map(({ releasedFileId, recall: told }) => [releasedFileId, told?.reason])).toEqual([
      [own?.id, 'Pages of two companies'],
      [null, 'Pages of two companies'],
    ]);
    const [whole] = await act('join', { documentId: halves[1]?.id });
    expect(whole).toMatchObject({ releasedFileId: own?.id, recall: { reason: 'Pages of two companies' } });
    // The one before it was never released: what is known of the second goes on with the whole.
    const [half, rest] = await act('split', { documentId: whole?.id, page: 2 });
    await met.app.database.transaction((tx) =>
      tx
        .updateTable('batch_documents')
        .set({ released_file_id: null, recall_reason: null, recalled_by_name: null, recalled_at: null })
        .where('id', '=', half?.id ?? 0)
        .execute(),
    );
    const [joined] = await act('join', { documentId: rest?.id });
    expect(joined).toMatchObject({ releasedFileId: null, recall: { reason: 'Pages of two companies' } });
  });

  it('says of a recalled file that was restored from the trash that it is back, to whoever reaches it', async () => {
    const { id } = await released();
    const [first] = await documentsOf(id);
    const fileId = first?.releasedFileId;
    await met.processor.caller.post(path(id, '/recall'), { reason: 'Wrong run' });
    const told = async (by = met.processor.caller) =>
      (await documentsOf(id, by)).map(({ state, restored, recall }) => [state, restored, recall?.reason]);
    expect(await told()).toEqual([
      ['recalled', false, 'Wrong run'],
      ['recalled', false, 'Wrong run'],
    ]);
    expect((await met.app.admin.post(`/api/files/${fileId}/restore`, {})).status).toBe(200);
    expect(await told()).toEqual([
      ['recalled', true, 'Wrong run'],
      ['recalled', false, 'Wrong run'],
    ]);
    // The reviewer is told before a second one goes out.
    expect((await documentsOf(id))[0]?.sameBytes).toMatchObject({ fileId, of: 'pages' });
    // Filed elsewhere since, it is told of to whoever reaches that.
    const refiled = await met.app.admin.put(`/api/files/${fileId}`, { clientId: met.firm.clients[2] });
    expect(refiled.status).toBe(200);
    expect((await told()).map(([, restored]) => restored)).toEqual([false, false]);
    expect((await told(met.app.admin)).map(([, restored]) => restored)).toEqual([true, false]);
  });
});

describe('batches with SAFEGUARDS=on', { timeout: 90_000 }, () => {
  it('a release, a recall and a discard ask for the second factor again, and go on once it is shown', async () => {
    const app = await startTestApp('sqlite', { SAFEGUARDS: 'on' });
    const { admin } = app;
    const made = async (address: string, body: object) => (await admin.post<{ id: number }>(address, body)).body.id;
    const { id } = await insertTestBatch(app, {
      ownerId: (await admin.get<{ id: number }>('/api/auth/me')).body.id,
      state: 'review',
      documents: [
        {
          from: 1,
          to: 4,
          state: 'accepted',
          clientId: await made('/api/clients', clientInput('Larch Street Dental')),
          reportTypeId: await made('/api/report-types', { name: 'Payroll Journal' }),
        },
      ],
    });
    const path = `/api/batches/${id}`;
    const batch = async () => (await admin.get<BatchDetails>(path)).body.batch;
    /** Refused minutes after the factor was shown last, and done once it is shown again. */
    const afterShowing = async (act: () => Promise<{ status: number; body: ErrorBody }>) => {
      app.advance(6 * 60_000);
      const before = await batch();
      const asked = await act();
      expect([asked.status, asked.body.code]).toEqual([403, 'reauth_required']);
      expect(await batch()).toEqual(before);
      app.advance(60_000);
      const code = app.codeApps.get('admin')?.freshCode();
      expect((await admin.post('/api/auth/reauth', { factor: { method: 'totp', code } })).status).toBe(204);
      return (await act()).status;
    };
    expect(await afterShowing(() => admin.post<ErrorBody>(`${path}/release`, {}))).toBe(200);
    await app.context.jobs.start();
    await vi.waitFor(async () => expect(await batch()).toMatchObject({ state: 'released', released: 1 }), {
      timeout: 30_000,
      interval: 30,
    });
    await app.context.jobs.stop();
    expect(await afterShowing(() => admin.post<ErrorBody>(`${path}/recall`, { reason: 'Wrong run' }))).toBe(200);
    expect(await batch()).toMatchObject({ state: 'recalled', released: 0, recalled: 1 });
    expect(await afterShowing(() => admin.delete(path))).toBe(204);
    expect((await batch()).state).toBe('discarded');
    await app.close();
  });
});
