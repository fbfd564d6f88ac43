// Batches over HTTP, on both engines: dropped, read, reviewed, corrected, recalled from everybody.
import { describe, expect, it } from 'vitest';
import type { ActivityRow } from '#contract/activity.ts';
import { LEFT_OUT_NAMED_MAX } from '#contract/batch-words.ts';
import type { BatchDetails, BatchFileAdded, BatchRow, DocumentRow, RecallResult } from '#contract/batches.ts';
import type { ErrorBody } from '#contract/errors.ts';
import type { FileDetails, FileRow } from '#contract/files.ts';
import type { HoldRow } from '#contract/holds.ts';
import type { TrashRow } from '#contract/trash.ts';
import { sweepBlobs } from '../platform/blobs/sweep.ts';
import { type BatchFirm, batchFirm } from '../testing/batch-firm.ts';
import { addUser } from '../testing/firm.ts';
import type { Caller } from '../testing/test-app.ts';
import { insertTestBatch } from '../testing/test-batch.ts';
import { DATABASE_KINDS } from '../testing/test-database.ts';
import { testPdf } from '../testing/test-pdf.ts';

describe.each(DATABASE_KINDS)('batches on %s', { timeout: 90_000 }, (kind) => {
  let app: BatchFirm['app'];
  let firm: BatchFirm['firm'];
  let processor: BatchFirm['processor'];
  let clientUser: BatchFirm['clientUser'];
  let made: BatchFirm['made'];
  const {
    near,
    second,
    client,
    type,
    path,
    documentsOf,
    batchOf,
    reportsOf,
    inReview,
    release,
    settled,
    released,
    bytesOf,
    missingBlobs,
  } = batchFirm(kind, (met) => {
    ({ app, firm, processor, clientUser, made } = met);
  });

  it('a file is dropped once: the same bytes again are said, whatever their name, and leave nothing behind', async () => {
    const { body: batch } = await processor.caller.post<BatchRow>('/api/batches', { name: 'Pay run' });
    const send = (name: string, bytes: string) =>
      processor.caller.upload<BatchFileAdded>({ path: path(batch.id, '/files'), name, bytes, fields: {} });
    const [first, again, other] = [
      await send('a.txt', 'same'),
      await send('b.txt', 'same'),
      await send('c.txt', 'other'),
    ];
    expect([first.status, first.body.alreadyThere]).toEqual([201, false]);
    expect([again.status, again.body.alreadyThere, again.body.file]).toEqual([201, true, first.body.file]);
    expect(other.body.alreadyThere).toBe(false);
    // As many sent at once.
    const many = await Promise.all(['d', 'e', 'f', 'g'].map((name) => send(name, 'at once')));
    expect(many.filter(({ body }) => !body.alreadyThere)).toHaveLength(1);
    const details = (await processor.caller.get<BatchDetails>(path(batch.id))).body;
    expect(details.files.map(({ name }) => name).slice(0, 2)).toEqual(['a.txt', 'c.txt']);
    expect(details.batch).toMatchObject({ state: 'adding', files: 3 });
    const { body: fields } = await processor.caller.upload<ErrorBody>({
      path: path(batch.id, '/files'),
      bytes: 'x',
      fields: { clientId: 1 },
    });
    expect(fields.code).toBe('invalid');
    await sweepBlobs(app.database, app.context.services.blobs, { nowMs: app.now() });
    const stored = await app.database.reader.selectFrom('batch_files').select('storage_key').execute();
    expect(await missingBlobs(stored.map(({ storage_key }) => storage_key))).toEqual([]);
  });

  it('what was left out is named to everybody who sees the batch, once, until a file of that name comes', async () => {
    const { body: batch } = await processor.caller.post<BatchRow>('/api/batches', { name: 'Pay run' });
    const tell = (files: readonly object[], by = processor.caller) =>
      by.post<BatchRow & ErrorBody>(path(batch.id, '/left-out'), { files });
    const details = async (by = processor.caller) => (await by.get<BatchDetails>(path(batch.id))).body;
    const empty = { name: 'March/../march\u202e.txt', reason: 'empty' };
    const large = { name: 'large.pdf', reason: 'tooLarge' };
    expect((await tell([empty, large, empty])).body).toMatchObject({ files: 0, leftOut: 2 });
    expect((await tell([large])).body.leftOut).toBe(2);
    const told = [
      { name: 'March/march.txt', reason: 'empty' },
      { name: 'large.pdf', reason: 'tooLarge' },
    ];
    for (const by of [processor.caller, app.admin]) expect((await details(by)).leftOut).toEqual(told);
    // Who does not see the batch learns nothing of it, and says nothing.
    const colleague = await addUser(app, `leaves out ${made}`, firm.roles.cpa, { clientIds: [], reportTypeIds: [] });
    expect((await tell([large], colleague.caller)).status).toBe(404);
    expect((await tell([large], clientUser.caller)).status).toBe(403);
    expect((await tell([{ name: '', reason: 'empty' }])).status).toBe(400);
    expect((await tell([{ name: 'a', reason: 'ugly' }])).status).toBe(400);

    // Sent after all; a file of the name in a folder is another one.
    for (const name of ['large.pdf', 'march.txt']) {
      await processor.caller.upload({ path: path(batch.id, '/files'), name, bytes: `${name} at last`, fields: {} });
    }
    expect(await details()).toMatchObject({ batch: { files: 2, leftOut: 1 }, leftOut: told.slice(0, 1) });
    const { body: list } = await processor.caller.get<BatchRow[]>('/api/batches');
    expect(list.find(({ id }) => id === batch.id)).toMatchObject({ files: 2, leftOut: 1 });

    // Only so many are named, all are counted.
    const many = Array.from({ length: LEFT_OUT_NAMED_MAX }, (_, nth) => ({ name: `${nth}.txt`, reason: 'empty' }));
    expect((await tell(many)).body.leftOut).toBe(LEFT_OUT_NAMED_MAX + 1);
    expect((await details()).leftOut).toHaveLength(LEFT_OUT_NAMED_MAX);
    expect((await tell([...many, large])).body.fields).toHaveProperty('files');

    await processor.caller.post(path(batch.id, '/read'));
    expect((await tell([large])).body.code).toBe('batch_not_adding');
    expect((await details()).batch.leftOut).toBe(LEFT_OUT_NAMED_MAX + 1);
    expect((await processor.caller.delete(path(batch.id))).status).toBe(204);
    expect(await details()).toMatchObject({ batch: { leftOut: 0 }, leftOut: [] });
  });

  it('nothing is added once it is read, and an empty batch is not read', async () => {
    const { body: batch } = await processor.caller.post<BatchRow>('/api/batches', { name: 'Pay run' });
    const read = () => processor.caller.post<ErrorBody>(path(batch.id, '/read'));
    expect((await read()).body.code).toBe('batch_empty');
    await processor.caller.upload({ path: path(batch.id, '/files'), fields: {} });
    expect((await read()).status).toBe(200);
    expect((await read()).body.code).toBe('batch_not_adding');
    const late = await processor.caller.upload<ErrorBody>({
      path: path(batch.id, '/files'),
      bytes: 'late',
      fields: {},
    });
    expect(late.body.code).toBe('batch_not_adding');
  });

  it('a print file is read, separated by company and matched; what cannot be read is said and kept', async () => {
    const names = new Map(
      (await app.admin.get<{ id: number; name: string; federalId: string }[]>('/api/clients')).body.map((row) => [
        row.id,
        row,
      ]),
    );
    const page = (id: number, text: string) => {
      const company = names.get(id);
      return [company?.name ?? '', `Federal ID ${company?.federalId ?? ''}`, 'Payroll Journal', text];
    };
    const bytes = await testPdf([
      page(client(near), 'first'),
      page(client(near), 'second'),
      page(client(second), 'third'),
      page(client(2), 'of a company out of reach'),
    ]);
    const { body: batch } = await processor.caller.post<BatchRow>('/api/batches', { name: 'Pay run' });
    const send = (name: string, content: unknown) =>
      processor.caller.upload({ path: path(batch.id, '/files'), name, bytes: content as string, fields: {} });
    await send('payrun.pdf', bytes);
    await send('broken.pdf', `%PDF-1.7\n${'nothing '.repeat(20)}`);
    await processor.caller.post(path(batch.id, '/read'));
    const read = await settled(batch.id);
    expect(read).toMatchObject({ state: 'review', files: 2, pages: 4, unreadable: 1, fault: null });
    const documents = await documentsOf(batch.id);
    const ranges = documents.map(({ fileName, fromPage, toPage, clientId }) => ({
      fileName,
      fromPage,
      toPage,
      clientId,
    }));
    expect(ranges).toEqual([
      { fileName: 'payrun.pdf', fromPage: 1, toPage: 2, clientId: client(near) },
      { fileName: 'payrun.pdf', fromPage: 3, toPage: 3, clientId: client(second) },
      { fileName: 'payrun.pdf', fromPage: 4, toPage: 4, clientId: null },
      { fileName: 'broken.pdf', fromPage: 0, toPage: 0, clientId: null },
    ]);
    expect(JSON.stringify(documents[2])).not.toContain(`"clientId":${client(2)}`);
    expect(documents[2]?.state).toBe('toCheck');
    const { files } = (await processor.caller.get<BatchDetails>(path(batch.id))).body;
    expect(files.map(({ state, unreadable }) => [state, unreadable])).toEqual([
      ['read', null],
      ['unreadable', 'damaged'],
    ]);
  });

  it('G31: what is not released is seen by nobody but its reviewers', async () => {
    const { id, fileId } = await inReview();
    expect(await reportsOf(clientUser.caller)).toEqual([]);
    for (const address of [path(id), path(id, '/documents'), `/api/files/batches/${fileId}/content`]) {
      expect((await clientUser.caller.get(address)).status).toBe(403);
    }
    const colleague = await addUser(app, `colleague${made}`, firm.roles.cpa, {
      clientIds: [client(near)],
      reportTypeIds: [type()],
    });
    expect((await colleague.caller.get(path(id))).status).toBe(404);
    expect((await colleague.caller.get(`/api/files/batches/${fileId}/content`)).status).toBe(404);
    expect((await processor.caller.get(`/api/files/batches/${fileId}/content`)).status).toBe(200);
  });

  it('who begins, opens and discards a batch is in the log, one look at a file being one entry', async () => {
    const name = `Recorded ${made}`;
    const { body: batch } = await processor.caller.post<BatchRow>('/api/batches', { name });
    const { body: added } = await processor.caller.upload<BatchFileAdded>({
      path: path(batch.id, '/files'),
      name: 'payrun.txt',
      bytes: 'A print file of which parts are read',
      fields: {},
    });
    const content = `/api/files/batches/${added.file?.id}/content`;
    const read = async (address: string, range?: string) => {
      const answer = await processor.caller.fetch(address, range === undefined ? {} : { headers: { range } });
      await answer.arrayBuffer();
      return answer.status;
    };
    expect(await read(`${content}?view=true`, 'bytes=4-7')).toBe(206);
    expect(await read(`${content}?view=true`)).toBe(200);
    expect(await read(content)).toBe(200);
    expect(await read(content, 'bytes=4-7')).toBe(206);
    expect(await read(content)).toBe(200);
    expect((await processor.caller.delete(path(batch.id))).status).toBe(204);
    const { body: log } = await processor.caller.get<ActivityRow[]>('/api/activity-logs?limit=5');
    expect(log.map(({ action, details }) => [action, details])).toEqual([
      ['delete', `Discarded batch: ${name}`],
      ['download', `Downloaded file: payrun.txt, of batch: ${name}`],
      ['download', `Downloaded file: payrun.txt, of batch: ${name}`],
      ['view', `Viewed file: payrun.txt, of batch: ${name}`],
      ['update', `Created batch: ${name}`],
    ]);
    expect((await clientUser.caller.get<ActivityRow[]>('/api/activity-logs')).body).toEqual([]);
  });

  it('a file is closed to whoever made the batch and has lost a client or report type in it', async () => {
    const { id, fileId } = await inReview();
    const content = (by: Caller) => by.get(`/api/files/batches/${fileId}/content`).then(({ status }) => status);
    const closed = async (by: Caller) => (await by.get<BatchDetails>(path(id))).body.files.map((file) => file.closed);
    expect([await content(processor.caller), await closed(processor.caller)]).toEqual([200, [false]]);
    await app.database.transaction((tx) =>
      tx
        .deleteFrom('user_clients')
        .where('user_id', '=', processor.id)
        .where('client_id', '=', client(second))
        .execute(),
    );
    expect([await content(processor.caller), await closed(processor.caller)]).toEqual([404, [true]]);
    expect((await documentsOf(id)).map(({ clientId }) => clientId)).toEqual([client(near), null]);
    // Whoever reaches everything goes on.
    expect([await content(app.admin), await closed(app.admin)]).toEqual([200, [false]]);
    const [, unreached] = await documentsOf(id, app.admin);
    await app.admin.post(path(id, '/documents/decide'), { ids: [unreached?.id], clientId: client(near) });
    expect(await content(processor.caller)).toBe(200);
    await app.database.transaction((tx) =>
      tx.deleteFrom('user_report_types').where('user_id', '=', processor.id).execute(),
    );
    expect(await content(processor.caller)).toBe(404);
  });

  it('decisions: many at once, none half, a stale one refused, a released one not changed', async () => {
    const { id, documentIds } = await inReview([
      { from: 1, to: 1, state: 'ready', clientId: client(near), reportTypeId: type() },
      { from: 2, to: 2, state: 'toCheck' },
      { from: 3, to: 4, state: 'released', clientId: client(near), reportTypeId: type(), releasedFileId: 1 },
    ]);
    const decide = (body: object) =>
      processor.caller.post<DocumentRow[] & ErrorBody>(path(id, '/documents/decide'), body);
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
  });

  it('a document is split and joined at its pages, and keeps what was proposed', async () => {
    const { id, documentIds } = await inReview();
    const [first] = documentIds;
    const act = (name: string, body: object) =>
      processor.caller.post<DocumentRow[] & ErrorBody>(path(id, `/documents/${name}`), body);
    expect((await act('split', { documentId: first, page: 3 })).body.fields).toHaveProperty('page');
    const { body: halves } = await act('split', { documentId: first, page: 2 });
    expect(halves.map(({ fromPage, toPage, state, clientId }) => [fromPage, toPage, state, clientId])).toEqual([
      [1, 1, 'toCheck', client(near)],
      [2, 2, 'toCheck', client(near)],
    ]);
    const { body: whole } = await act('join', { documentId: halves[1]?.id });
    expect(whole.map(({ fromPage, toPage, state }) => [fromPage, toPage, state])).toEqual([[1, 2, 'toCheck']]);
    expect((await act('join', { documentId: first })).body.fields).toHaveProperty('documentId');
    expect((await documentsOf(id)).map(({ fromPage, toPage }) => [fromPage, toPage])).toEqual([
      [1, 2],
      [3, 4],
    ]);
  });

  it('a discarded batch leaves no bytes; one with released documents is recalled first', async () => {
    const { id } = await inReview();
    const stored = () =>
      app.database.reader.selectFrom('batch_files').select('storage_key').where('batch_id', '=', id).execute();
    const keys = (await stored()).map(({ storage_key }) => storage_key);
    expect(keys).toHaveLength(1);
    expect((await processor.caller.delete(path(id))).status).toBe(204);
    expect(await stored()).toEqual([]);
    expect(await missingBlobs(keys)).toEqual(keys);
    expect(await batchOf(id)).toMatchObject({ state: 'discarded', documents: 0 });
    expect((await release(id)).body.code).toBe('batch_not_in_review');
    const { id: other } = await released();
    expect((await processor.caller.delete<ErrorBody>(path(other))).body.code).toBe('batch_released');
  });

  it('a recall takes documents from everybody at once, says who had opened them, and they can be put right', async () => {
    const { id } = await released();
    const [own] = await reportsOf(clientUser.caller);
    await bytesOf(own?.id ?? 0, clientUser.caller);
    const [first, other] = await documentsOf(id);
    const recall = (body: object) => processor.caller.post<RecallResult & ErrorBody>(path(id, '/recall'), body);
    expect((await recall({ ids: [first?.id] })).body.fields).toHaveProperty('reason');
    const { body: result } = await recall({ ids: [first?.id], reason: 'Pages of two companies' });
    expect(result).toMatchObject({ recalled: 1, alreadyGone: 0 });
    expect(result.accesses).toEqual([
      expect.objectContaining({ documentId: first?.id, action: 'download', userName: `Full reader${made}` }),
    ]);
    expect(await reportsOf(clientUser.caller)).toEqual([]);
    expect((await clientUser.caller.get(`/api/files/${own?.id}`)).status).toBe(404);
    const { body: trash } = await processor.caller.get<TrashRow[]>('/api/trash');
    expect(trash.map((row) => row.id)).toContain(own?.id);
    const { body: log } = await processor.caller.get<ActivityRow[]>('/api/activity-logs?limit=1');
    expect(log[0]?.details).toContain('Reason: Pages of two companies');
    expect(await batchOf(id)).toMatchObject({ state: 'released', released: 1, recalled: 1 });
    expect((await recall({ ids: [first?.id], reason: 'Again' })).body.code).toBe('nothing_released');

    // Its file was deleted by hand before: said, and nothing else happens.
    await processor.caller.delete(`/api/files/${(await documentsOf(id))[1]?.releasedFileId}`);
    expect((await recall({ reason: 'All of it' })).body).toMatchObject({ recalled: 0, alreadyGone: 1 });
    expect((await batchOf(id)).state).toBe('recalled');
    // Each keeps its own reason, until it is released again.
    const byName = `Full processor${made}`;
    const at = expect.any(String);
    expect((await documentsOf(id)).map(({ recall: told }) => told)).toEqual([
      { reason: 'Pages of two companies', at, byName },
      { reason: 'All of it', at, byName },
    ]);

    await processor.caller.post(path(id, '/documents/decide'), { ids: [other?.id], decision: 'accepted' });
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
      (await processor.caller.post<DocumentRow[]>(path(id, `/documents/${name}`), body)).body;
    const halves = await act('split', { documentId: first?.id, page: 2 });
    expect(halves.map(({ releasedFileId, recall: told }) => [releasedFileId, told?.reason])).toEqual([
      [own?.id, 'Pages of two companies'],
      [null, 'Pages of two companies'],
    ]);
    const [whole] = await act('join', { documentId: halves[1]?.id });
    expect(whole).toMatchObject({ releasedFileId: own?.id, recall: { reason: 'Pages of two companies' } });
    // The one before it was never released: what is known of the second goes on with the whole.
    const [half, rest] = await act('split', { documentId: whole?.id, page: 2 });
    await app.database.transaction((tx) =>
      tx
        .updateTable('batch_documents')
        .set({ released_file_id: null, recall_reason: null, recalled_by_name: null, recalled_at: null })
        .where('id', '=', half?.id ?? 0)
        .execute(),
    );
    const [joined] = await act('join', { documentId: rest?.id });
    expect(joined).toMatchObject({ releasedFileId: null, recall: { reason: 'Pages of two companies' } });
  });

  it('a file of the same client, type and period that is there already is named', async () => {
    const fields = { clientId: client(near), fileType: 'report', reportTypeId: type(), period: '2026-Q1' };
    const { body: there } = await app.admin.upload<FileRow>({ name: 'there.txt', fields });
    const { id } = await inReview();
    const [first, other] = await documentsOf(id);
    expect(first?.alreadyThere).toMatchObject({ fileId: there.id, name: 'there.txt', onHold: false });
    const holding = { kind: 'file', id: there.id, reason: 'Audit' };
    const { body: hold } = await app.admin.post<HoldRow>('/api/holds', holding);
    expect((await documentsOf(id))[0]?.alreadyThere).toMatchObject({ fileId: there.id, onHold: true });
    await app.admin.post(`/api/holds/${hold.id}/lift`, {});
    expect(other?.clientId).toBe(client(second));

    // It is replaced where the reviewer says so, and nothing else in its place is.
    const decide = (body: object) =>
      processor.caller.post<DocumentRow[] & ErrorBody>(path(id, '/documents/decide'), body);
    expect((await decide({ ids: [other?.id], replacesFileId: there.id })).body.fields).toHaveProperty('replacesFileId');
    const { body: said } = await decide({ ids: [first?.id], replacesFileId: there.id });
    expect(said[0]).toMatchObject({ state: 'accepted', replacesFileId: there.id });
    const { body: moved } = await decide({ ids: [first?.id], period: '2026-Q2' });
    expect(moved[0]).toMatchObject({ replacesFileId: null, alreadyThere: null });
    await decide({ ids: [first?.id], period: '2026-Q1' });
    await decide({ ids: [first?.id], replacesFileId: there.id });
    await release(id);
    await settled(id);
    expect((await clientUser.caller.get(`/api/files/${there.id}`)).status).toBe(404);
    const { body: trash } = await app.admin.get<TrashRow[]>('/api/trash');
    expect(trash.map((row) => row.id)).not.toContain(there.id);
    const [newer, ...others] = await reportsOf(clientUser.caller);
    expect(others).toEqual([]);
    const versions = async (fileId?: number) =>
      (await app.admin.get<FileDetails>(`/api/files/${fileId}/facts`)).body.versions?.rows.map((row) => row.id);
    expect(await versions(newer?.id)).toEqual([there.id]);

    // Recalled, it leaves what it had replaced where that was.
    const recalled = await processor.caller.post(path(id, '/recall'), { reason: 'Of another run' });
    expect(recalled.status).toBe(200);
    const { body: left } = await clientUser.caller.get<FileRow[]>('/api/files');
    expect(left.map((row) => row.id)).toContain(there.id);
    expect(await reportsOf(clientUser.caller)).toEqual([]);
    expect(await versions(there.id)).toEqual([]);
    const { body: after } = await app.admin.get<TrashRow[]>('/api/trash');
    expect(after.map((row) => row.id)).toContain(newer?.id);
    const { body: log } = await app.admin.get<ActivityRow[]>(`/api/activity-logs?fileId=${there.id}&limit=1`);
    expect(log[0]?.details).toBe(`Put back file: there.txt, replaced before by ${newer?.originalName}`);
  });

  it('G67: a file of the same bytes is named, wherever in reach it is filed, and where the same pages of a file were released', async () => {
    const text = `Bytes of run ${made}`;
    const kept = { ownerId: processor.id, state: 'review' as const };
    const notes = (documents: readonly object[], bytes = text) =>
      insertTestBatch(app, {
        ...kept,
        fileName: 'notes.txt',
        contentType: 'text/plain',
        bytes,
        documents: documents as [],
      });
    const upload = (nth: 0 | 2, name: string, bytes = text) =>
      app.admin.upload<FileRow>({
        name,
        bytes,
        fields: { clientId: client(nth), fileType: 'report', reportTypeId: type(), period: '2025' },
      });
    // Out of reach nothing is there, and whoever reaches it is told.
    const { body: far } = await upload(2, 'far.txt');
    const unplaced = await notes([{ from: 0, to: 0, state: 'toCheck' }]);
    expect((await documentsOf(unplaced.id))[0]).toMatchObject({ sameBytes: null, alreadyThere: null });
    const { body: clients } = await app.admin.get<{ id: number; name: string }[]>('/api/clients');
    const nameOf = (id: number) => clients.find((row) => row.id === id)?.name;
    expect((await documentsOf(unplaced.id, app.admin))[0]?.sameBytes).toEqual({
      fileId: far.id,
      name: 'far.txt',
      clientName: nameOf(client(2)),
      of: 'file',
    });

    // Of several the one of its own client, at another place too and without a period.
    const { body: near1 } = await upload(0, 'near.txt');
    const { body: far2 } = await upload(2, 'newest.txt');
    const placed = await notes([{ from: 0, to: 0, state: 'ready', clientId: client(near), reportTypeId: type() }]);
    const [document] = await documentsOf(placed.id, app.admin);
    expect(document).toMatchObject({ alreadyThere: null, sameBytes: { fileId: near1.id, of: 'file' } });
    expect((await documentsOf(unplaced.id, app.admin))[0]?.sameBytes?.fileId).toBe(far2.id);
    expect((await documentsOf(unplaced.id))[0]?.sameBytes).toMatchObject({
      fileId: near1.id,
      clientName: nameOf(client(near)),
    });
    // Other bytes under the same name are others, and what is in the trash is not there.
    const other = await notes([{ from: 0, to: 0, state: 'toCheck' }], `${text}.`);
    expect((await documentsOf(other.id))[0]?.sameBytes).toBeNull();
    expect((await app.admin.delete(`/api/files/${near1.id}`)).status).toBe(204);
    expect((await documentsOf(placed.id))[0]?.sameBytes).toBeNull();

    // Some pages of a file have bytes of their own once they are released: the same pages of the same file are known then.
    const bytes = await testPdf([[`one ${made}`], [`two ${made}`], [`three ${made}`]]);
    const place = { reportTypeId: type(), period: '2026-Q1', state: 'accepted' as const };
    const print = (documents: readonly object[]) =>
      insertTestBatch(app, { ...kept, fileName: 'run.pdf', bytes, pages: 3, documents: documents as [] });
    const first = await print([
      { from: 1, to: 2, clientId: client(near), ...place },
      { from: 3, to: 3, clientId: client(second), ...place },
    ]);
    expect((await documentsOf(first.id)).map(({ sameBytes }) => sameBytes)).toEqual([null, null]);
    await release(first.id);
    await settled(first.id);
    const [released1] = await documentsOf(first.id);
    const again = await print([
      { from: 1, to: 2, state: 'toCheck' },
      { from: 3, to: 3, state: 'toCheck' },
      { from: 2, to: 3, state: 'toCheck' },
    ]);
    const [same, otherPages, alsoSame] = await documentsOf(again.id);
    expect(same?.sameBytes).toMatchObject({
      fileId: released1?.releasedFileId,
      clientName: nameOf(client(near)),
      of: 'pages',
    });
    expect(alsoSame?.sameBytes).toMatchObject({ clientName: nameOf(client(second)) });
    expect(otherPages?.sameBytes).toBeNull();
    // Recalled, it is there no more; and to whoever lost the client it never was.
    await app.database.transaction((tx) =>
      tx
        .deleteFrom('user_clients')
        .where('user_id', '=', processor.id)
        .where('client_id', '=', client(second))
        .execute(),
    );
    expect((await documentsOf(again.id))[2]?.sameBytes).toBeNull();
    await app.admin.post(path(first.id, '/recall'), { reason: 'Wrong run' });
    expect((await documentsOf(again.id))[0]?.sameBytes).toBeNull();
  });

  it('G52: of a place where many documents go and many files are, each document names one file, in pages', async () => {
    const place = { clientId: client(near), reportTypeId: type(), period: '2024-Q3' };
    const upload = (name: string) => app.admin.upload<FileRow>({ name, fields: { ...place, fileType: 'report' } });
    await upload('first.txt');
    await upload('second.txt');
    const { body: newest } = await upload('third.txt');
    const { id, documentIds } = await inReview(
      Array.from({ length: 550 }, (_, nth) => ({ from: nth + 1, to: nth + 1, state: 'ready', ...place })),
    );
    const pageOf = async (query: string) => {
      const answer = await processor.caller.fetch(path(id, `/documents${query}`));
      return { total: answer.headers.get('x-total-count'), rows: (await answer.json()) as DocumentRow[] };
    };
    const first = await pageOf('');
    expect([first.total, first.rows.length]).toEqual(['550', 250]);
    const pages = [await pageOf('?limit=250'), await pageOf('?limit=250&offset=250'), await pageOf('?offset=500')];
    expect(pages.map(({ total }) => total)).toEqual(['550', '550', '550']);
    const all = pages.flatMap(({ rows }) => rows);
    expect(all.map((row) => row.id)).toEqual(documentIds);
    const there = { fileId: newest.id, name: 'third.txt', only: false, onHold: false };
    expect(all.filter(({ alreadyThere }) => JSON.stringify(alreadyThere) !== JSON.stringify(there))).toEqual([]);
    for (const query of ['?limit=251', '?limit=0', '?offset=-1']) {
      expect((await processor.caller.get<ErrorBody>(path(id, `/documents${query}`))).status).toBe(400);
    }
  });

  it('a file that is there already is corrected where the reviewer says so: it stays, and is marked', async () => {
    const fields = { clientId: client(near), fileType: 'report', reportTypeId: type(), period: '2026-Q1' };
    const { body: there } = await app.admin.upload<FileRow>({ name: 'earlier.txt', fields });
    const { id } = await inReview();
    const [first, other] = await documentsOf(id);
    // No correction is proposed of what does not say that it is one.
    expect(first).toMatchObject({ correction: false, correctsFileId: null, alreadyThere: { fileId: there.id } });
    const decide = (body: object) =>
      processor.caller.post<DocumentRow[] & ErrorBody>(path(id, '/documents/decide'), body);
    for (const wrong of [
      { ids: [other?.id], correctsFileId: there.id },
      { ids: [first?.id], correctsFileId: there.id + 100_000 },
      { ids: [first?.id], correctsFileId: there.id, replacesFileId: there.id },
      { ids: [first?.id, other?.id], correctsFileId: there.id },
    ]) {
      expect((await decide(wrong)).body.fields).toHaveProperty('correctsFileId');
    }
    // The one takes back the other, and another place takes back both.
    const said = async (body: object) => {
      const [row] = (await decide({ ids: [first?.id], ...body })).body;
      return [row?.replacesFileId, row?.correctsFileId];
    };
    expect(await said({ correctsFileId: there.id })).toEqual([null, there.id]);
    expect(await said({ replacesFileId: there.id })).toEqual([there.id, null]);
    expect(await said({ correctsFileId: there.id })).toEqual([null, there.id]);
    expect(await said({ period: '2026-Q2' })).toEqual([null, null]);
    expect(await said({ period: '2026-Q1' })).toEqual([null, null]);
    expect(await said({ correctsFileId: there.id, decision: 'accepted' })).toEqual([null, there.id]);
    await release(id);
    await settled(id);
    const [later] = await reportsOf(clientUser.caller);
    expect(later?.corrects).toEqual({ id: there.id, originalName: 'earlier.txt' });
    const { body: stays } = await clientUser.caller.get<FileDetails>(`/api/files/${there.id}/facts`);
    expect(stays.file.correctedBy?.id).toBe(later?.id);
    const { body: log } = await app.admin.get<ActivityRow[]>(`/api/activity-logs?fileId=${later?.id}`);
    expect(log[0]?.details).toMatch(/, corrects earlier\.txt, released from batch: /);
  });

  it('a file that is read and says that it is a correction is proposed as one of what is there', async () => {
    const rows = (await app.admin.get<{ id: number; name: string; federalId: string }[]>('/api/clients')).body;
    const company = rows.find((row) => row.id === client(near));
    const fields = { clientId: client(near), fileType: 'report', reportTypeId: type(), period: '2018-03-09' };
    const { body: there } = await app.admin.upload<FileRow>({ name: 'first run.txt', fields });
    const { body: batch } = await processor.caller.post<BatchRow>('/api/batches', { name: 'Pay run' });
    for (const name of ['run corrected.pdf', 'run again.pdf']) {
      const lines = [
        [company?.name ?? '', `Federal ID ${company?.federalId}`, 'Payroll Journal', 'Check Date 03/09/2018', name],
      ];
      const bytes = (await testPdf(lines)) as unknown as string;
      await processor.caller.upload({ path: path(batch.id, '/files'), name, bytes, fields: {} });
    }
    await processor.caller.post(path(batch.id, '/read'));
    await settled(batch.id);
    const documents = await documentsOf(batch.id);
    const told = documents.map(({ correction, alreadyThere, correctsFileId, replacesFileId }) => [
      correction,
      alreadyThere?.fileId,
      correctsFileId,
      replacesFileId,
    ]);
    expect(told).toEqual([
      [true, there.id, there.id, null],
      [false, there.id, null, null],
    ]);
  });

  it('what says that it is a correction is proposed as one of the only file there, and never of one of several', async () => {
    const fields = { clientId: client(near), fileType: 'report', reportTypeId: type(), period: '2019-Q3' };
    const { body: there } = await app.admin.upload<FileRow>({ name: 'first run.txt', fields });
    const { id } = await inReview([
      { from: 1, to: 4, state: 'accepted', clientId: client(near), reportTypeId: type(), period: '2019-Q2' },
    ]);
    const [first] = await documentsOf(id);
    await app.database.transaction((tx) =>
      tx
        .updateTable('batch_documents')
        .set({ correction: 1 })
        .where('id', '=', first?.id ?? 0)
        .execute(),
    );
    const decide = async (body: object) => {
      const { body: rows } = await processor.caller.post<DocumentRow[]>(path(id, '/documents/decide'), {
        ids: [first?.id],
        ...body,
      });
      return rows[0];
    };
    expect(await decide({ period: '2019-Q3' })).toMatchObject({ correctsFileId: there.id, replacesFileId: null });
    // Taken back, it is added beside.
    expect(await decide({ correctsFileId: null })).toMatchObject({ correctsFileId: null });
    expect(await decide({ decision: 'accepted' })).toMatchObject({ correctsFileId: null });
    await app.admin.upload<FileRow>({ name: 'second run.txt', fields });
    await decide({ period: '2019-Q2' });
    expect(await decide({ period: '2019-Q3' })).toMatchObject({ correctsFileId: null, alreadyThere: { only: false } });
    // Chosen by a person, the older one is the one that is spoken of.
    const [chosen] = await documentsOf(id);
    expect(await decide({ correctsFileId: chosen?.alreadyThere?.fileId })).toMatchObject({
      correctsFileId: chosen?.alreadyThere?.fileId,
    });
    await app.admin.delete(`/api/files/${chosen?.alreadyThere?.fileId}`);
    await release(id);
    await settled(id);
    expect((await documentsOf(id))[0]).toMatchObject({
      state: 'toCheck',
      correctsFileId: null,
      fault: 'The file to correct is not there any more',
    });
  });

  it('what was to be replaced and is gone meanwhile sends the document back, with nothing released', async () => {
    const fields = { clientId: client(near), fileType: 'report', reportTypeId: type(), period: '2026-Q1' };
    const { body: there } = await app.admin.upload<FileRow>({ name: `gone${made}.txt`, fields });
    const { id } = await inReview();
    const [first] = await documentsOf(id);
    expect(first?.alreadyThere?.fileId).toBe(there.id);
    await processor.caller.post(path(id, '/documents/decide'), { ids: [first?.id], replacesFileId: there.id });
    await app.admin.delete(`/api/files/${there.id}`);
    await release(id);
    await settled(id);
    expect((await documentsOf(id))[0]).toMatchObject({
      state: 'toCheck',
      replacesFileId: null,
      fault: 'The file to replace is not there any more',
    });
    expect(await reportsOf(clientUser.caller)).toEqual([]);
  });
});
