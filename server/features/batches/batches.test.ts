// Batches over HTTP, on both engines: dropped, read, reviewed, released once, recalled from everybody.
import { Readable } from 'node:stream';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ActivityRow } from '#contract/activity.ts';
import type { BatchDetails, BatchFileAdded, BatchRow, DocumentRow, RecallResult } from '#contract/batches.ts';
import type { ErrorBody } from '#contract/errors.ts';
import type { FileDetails, FileRow } from '#contract/files.ts';
import type { FirmSettings } from '#contract/firm-settings.ts';
import type { TrashRow } from '#contract/trash.ts';
import { sweepBlobs } from '../../blobs/sweep.ts';
import { addRole, addUser, clientInput, type Firm, makeFirm } from '../../testing/firm.ts';
import { type Caller, startTestApp, type TestApp } from '../../testing/test-app.ts';
import { insertTestBatch, type TestDocument } from '../../testing/test-batch.ts';
import { DATABASE_KINDS } from '../../testing/test-database.ts';
import { testPdf, textOfPages } from '../../testing/test-pdf.ts';

const WITHIN = { timeout: 30_000, interval: 30 };

describe.each(DATABASE_KINDS)('batches on %s', { timeout: 90_000 }, (kind) => {
  let app: TestApp;
  let firm: Firm;
  let processor: { id: number; caller: Caller };
  let clientUser: { id: number; caller: Caller };
  let made = 0;

  beforeAll(async () => {
    app = await startTestApp(kind);
    firm = await makeFirm(app);
  });
  afterAll(() => app.close());

  const [near, second] = [0, 1] as const;
  const client = (nth: 0 | 1 | 2) => firm.clients[nth] as number;
  const type = () => firm.reportTypes[0] as number;

  // Others each time, so that no test meets another's batches and files.
  beforeEach(async () => {
    made += 1;
    const reportTypeIds = [type()];
    processor = await addUser(app, `processor${made}`, firm.roles.cpa, {
      clientIds: [client(near), client(second)],
      reportTypeIds,
    });
    clientUser = await addUser(app, `reader${made}`, firm.roles.client, { clientIds: [client(near)], reportTypeIds });
  });
  afterEach(async () => {
    await app.context.jobs.stop();
    vi.restoreAllMocks();
  });

  const path = (id: number, rest = '') => `/api/batches/${id}${rest}`;
  const documentsOf = async (id: number, by = processor.caller) =>
    (await by.get<DocumentRow[]>(path(id, '/documents'))).body;
  const batchOf = async (id: number, by = processor.caller) => (await by.get<BatchDetails>(path(id))).body.batch;
  /** What the processor of this test filed, as far as `by` reaches it. */
  const reportsOf = async (by: Caller) =>
    (await by.get<FileRow[]>('/api/files')).body.filter(({ uploadedById }) => uploadedById === processor.id);

  /** A batch in review with one print file: two pages for the first client, two for the second. */
  async function inReview(documents?: readonly TestDocument[]) {
    const bytes = await testPdf([['alpha one'], ['alpha two'], ['beta one'], ['beta two']]);
    const place = { reportTypeId: type(), period: '2026-Q1' };
    return insertTestBatch(app, {
      ownerId: processor.id,
      state: 'review',
      name: `Pay run ${made}`,
      fileName: 'payrun.pdf',
      bytes,
      pages: 4,
      documents: documents ?? [
        { from: 1, to: 2, state: 'accepted', clientId: client(near), ...place },
        { from: 3, to: 4, state: 'accepted', clientId: client(second), ...place },
      ],
    });
  }

  const release = (id: number, body: object = {}, by = processor.caller) =>
    by.post<BatchRow & ErrorBody>(path(id, '/release'), body);

  /** Lets jobs run until nothing of the batch is being read or released. */
  async function settled(id: number): Promise<BatchRow> {
    await app.context.jobs.start();
    const batch = await vi.waitFor(async () => {
      const found = await batchOf(id);
      expect([found.state, found.releasing]).not.toContain('reading');
      expect(found.releasing).toBe(0);
      return found;
    }, WITHIN);
    await app.context.jobs.stop();
    return batch;
  }

  async function released(documents?: readonly TestDocument[]) {
    const batch = await inReview(documents);
    expect((await release(batch.id)).status).toBe(200);
    await settled(batch.id);
    return batch;
  }

  const bytesOf = async (fileId: number, by: Caller) =>
    new Uint8Array(await (await by.fetch(`/api/files/${fileId}/download`)).arrayBuffer());

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

  async function missingBlobs(keys: readonly string[]): Promise<string[]> {
    const there = new Set<string>();
    for await (const { storageKey } of app.context.services.blobs.list()) there.add(storageKey);
    return keys.filter((key) => !there.has(key));
  }

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

  it('G32: each accepted document becomes one file of its client with its own pages, and the log names the batch', async () => {
    const { id } = await released();
    expect(await batchOf(id)).toMatchObject({ state: 'released', released: 2, releasedAt: expect.any(String) });
    const [own] = await reportsOf(clientUser.caller);
    expect(own).toMatchObject({ clientId: client(near), period: '2026-Q1', contentType: 'application/pdf' });
    expect(own?.originalName).toMatch(/^.+ Q1 2026 - .+\.pdf$/);
    expect(await textOfPages(await bytesOf(own?.id ?? 0, clientUser.caller))).toEqual(['alpha one', 'alpha two']);
    expect(await reportsOf(processor.caller)).toHaveLength(2);
    const { body: log } = await processor.caller.get<ActivityRow[]>('/api/activity-logs');
    expect(log.filter(({ details }) => details?.endsWith(`released from batch: Pay run ${made}`))).toHaveLength(2);
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

  it.each(['client', 'report type'] as const)(
    'G43: a document of a %s that was lost is like one that is not there, whatever is asked of it',
    async (lost) => {
      const other = firm.reportTypes[1];
      const lists = (by: 'insertInto' | 'deleteFrom') =>
        app.database.transaction(async (tx) => {
          if (by === 'insertInto') {
            await tx.insertInto('user_report_types').values({ user_id: processor.id, report_type_id: other }).execute();
          } else if (lost === 'client') {
            await tx
              .deleteFrom('user_clients')
              .where('user_id', '=', processor.id)
              .where('client_id', '=', client(second))
              .execute();
          } else {
            await tx
              .deleteFrom('user_report_types')
              .where('user_id', '=', processor.id)
              .where('report_type_id', '=', other)
              .execute();
          }
        });
      await lists('insertInto');
      const own = { clientId: client(near), reportTypeId: type() };
      const hidden = lost === 'client' ? { ...own, clientId: client(second) } : { ...own, reportTypeId: other };
      const { id, fileId, documentIds } = await inReview([
        { from: 1, to: 1, state: 'accepted', ...own },
        { from: 2, to: 3, state: 'accepted', ...hidden, proposal: { heading: 'Weekly Hours Report' } },
        { from: 4, to: 4, state: 'toCheck', ...own },
        { from: 4, to: 4, state: 'dropped', ...hidden },
        { from: 4, to: 4, state: 'recalled', ...hidden },
        { from: 4, to: 4, state: 'released', ...hidden, releasedFileId: 999_999 },
      ]);
      const [reached, accepted, after, ...others] = documentIds;
      const content = async () => (await processor.caller.get(`/api/files/batches/${fileId}/content`)).status;
      expect(await content()).toBe(200);
      await lists('deleteFrom');
      const before = await documentsOf(id, app.admin);
      expect((await documentsOf(id)).map(({ closed }) => closed)).toEqual([false, true, false, true, true, true]);
      expect(before.map(({ closed }) => closed)).toEqual([false, false, false, false, false, false]);

      const ask = async (rest: string, body: object) => {
        const { status, body: answer } = await processor.caller.post<ErrorBody>(path(id, rest), body);
        return [status, answer.code, answer.message];
      };
      const decide = (said: object) => (document: unknown) => ask('/documents/decide', { ids: [document], ...said });
      const acts = [
        decide({ clientId: null }),
        decide({ clientId: client(near), reportTypeId: type() }),
        decide({ reportTypeId: null }),
        decide({ period: '2026-Q2' }),
        decide({ decision: 'accepted' }),
        decide({ decision: 'dropped' }),
        decide({ decision: 'open' }),
        decide({ correctsFileId: null }),
        decide({ remember: ['type'] }),
        (document: unknown) => ask('/documents/decide', { ids: [reached, document], period: '2026-Q2' }),
        (document: unknown) => ask('/documents/split', { documentId: document, page: 3 }),
        (document: unknown) => ask('/documents/join', { documentId: document }),
        (document: unknown) => ask('/release', { ids: [document] }),
        (document: unknown) => ask('/recall', { ids: [document], reason: 'Wrong' }),
      ];
      for (const act of acts) {
        const missing = await act(999_999);
        expect(missing[0]).toBeGreaterThanOrEqual(404);
        for (const document of [accepted, ...others]) expect(await act(document)).toEqual(missing);
      }
      // The one before it is out of reach.
      expect((await ask('/documents/join', { documentId: after }))[0]).toBe(404);
      // By halves nothing is recalled.
      expect((await ask('/recall', { reason: 'Wrong' }))[0]).toBe(403);
      expect(await documentsOf(id, app.admin)).toEqual(before);
      expect(await content()).toBe(404);
      expect((await processor.caller.get<unknown[]>(path(id, '/accesses'))).body).toEqual([]);

      // A release of all that is accepted takes what is in reach.
      expect((await release(id)).status).toBe(200);
      await settled(id);
      expect((await documentsOf(id, app.admin)).slice(0, 2).map(({ state }) => state)).toEqual([
        'released',
        'accepted',
      ]);
      expect((await release(id)).body.code).toBe('nothing_accepted');
    },
  );

  it('with four eyes nobody releases what they accepted themselves, however they ask', async () => {
    const { id, documentIds } = await inReview();
    const [one, two] = documentIds;
    const accept = (by: Caller, ids: readonly (number | undefined)[]) =>
      by.post<DocumentRow[]>(path(id, '/documents/decide'), { ids, decision: 'accepted' });
    const settings = (by: Caller, fourEyes: boolean) => by.put<ErrorBody>('/api/firm-settings', { fourEyes });
    expect((await settings(processor.caller, true)).status).toBe(403);
    expect((await settings(app.admin, true)).status).toBe(200);
    try {
      expect((await accept(processor.caller, [one, two])).body.map(({ acceptedByMe }) => acceptedByMe)).toEqual([
        true,
        true,
      ]);
      expect((await release(id)).body.code).toBe('four_eyes');
      expect((await release(id, { ids: [one] })).body.code).toBe('four_eyes');
      // One is accepted by somebody else: that one alone is released, asked for by id or not.
      await accept(app.admin, [two]);
      expect((await release(id, { ids: [one, two] })).status).toBe(200);
      await settled(id);
      expect((await documentsOf(id)).map(({ state }) => state)).toEqual(['accepted', 'released']);
      expect((await release(id, {}, app.admin)).status).toBe(200);
      await settled(id);
      expect((await documentsOf(id)).map(({ state }) => state)).toEqual(['released', 'released']);
      const { body: log } = await app.admin.get<ActivityRow[]>('/api/activity-logs?limit=20');
      expect(log.map(({ details }) => details)).toContain('Switched four eyes on');
    } finally {
      await settings(app.admin, false);
    }
  });

  it('G44: a right to release that ends while documents are released holds for those that are left', async () => {
    const role = await addRole(app, `Releasers ${made}`, ['reports.upload', 'batches.manage', 'batches.release']);
    await app.database.transaction((tx) =>
      tx.updateTable('users').set({ role_id: role }).where('id', '=', processor.id).execute(),
    );
    const { id } = await inReview();
    const { blobs } = app.context.services;
    const stage = blobs.stage.bind(blobs);
    vi.spyOn(blobs, 'stage')
      .mockImplementationOnce(stage)
      .mockImplementationOnce(async (...sent) => {
        const rights = { roleId: role, capabilities: ['reports.upload', 'batches.manage'] };
        expect((await app.admin.put('/api/permissions', rights)).status).toBe(200);
        return stage(...sent);
      });
    const before = await blobCount();
    expect((await release(id)).status).toBe(200);
    expect(await settled(id)).toMatchObject({ state: 'review', released: 1, accepted: 1, fault: null });
    expect((await documentsOf(id)).map((document) => [document.state, document.fault])).toEqual([
      ['released', null],
      ['accepted', 'Whoever ordered its release may not release it any more. Somebody else releases it.'],
    ]);
    expect(await blobCount()).toBe(before + 1);
    // It stays as it was accepted, for somebody else.
    expect((await release(id, {}, app.admin)).status).toBe(200);
    await settled(id);
    expect((await batchOf(id)).state).toBe('released');
  });

  it('G44: a batch that leaves one’s reach while its documents are released is released no further', async () => {
    const leaving = await addUser(app, `leaving${made}`, firm.roles.admin);
    const { id, documentIds } = await inReview();
    await app.admin.post(path(id, '/documents/decide'), { ids: documentIds, decision: 'accepted' });
    const { blobs } = app.context.services;
    const stage = blobs.stage.bind(blobs);
    vi.spyOn(blobs, 'stage')
      .mockImplementationOnce(stage)
      .mockImplementationOnce(async (...sent) => {
        await app.database.transaction(async (tx) => {
          await tx.updateTable('users').set({ role_id: firm.roles.cpa }).where('id', '=', leaving.id).execute();
          for (const client_id of [client(near), client(second)]) {
            await tx.insertInto('user_clients').values({ user_id: leaving.id, client_id }).execute();
          }
          await tx.insertInto('user_report_types').values({ user_id: leaving.id, report_type_id: type() }).execute();
        });
        return stage(...sent);
      });
    expect((await release(id, {}, leaving.caller)).status).toBe(200);
    await settled(id);
    expect((await documentsOf(id)).map(({ state }) => state)).toEqual(['released', 'accepted']);
  });

  it('G44: four eyes that are switched on while documents are released hold for those that are left', async () => {
    const { id, documentIds } = await inReview();
    const decide = { ids: documentIds, decision: 'accepted' };
    expect((await processor.caller.post(path(id, '/documents/decide'), decide)).status).toBe(200);
    const { blobs } = app.context.services;
    const stage = blobs.stage.bind(blobs);
    vi.spyOn(blobs, 'stage')
      .mockImplementationOnce(stage)
      .mockImplementationOnce(async (...sent) => {
        expect((await app.admin.put('/api/firm-settings', { fourEyes: true })).status).toBe(200);
        return stage(...sent);
      });
    try {
      expect((await release(id)).status).toBe(200);
      await settled(id);
      expect((await documentsOf(id)).map((document) => [document.state, document.fault])).toEqual([
        ['released', null],
        ['accepted', 'Whoever ordered its release accepted it too, and four eyes are on. Somebody else releases it.'],
      ]);
      expect((await release(id)).body.code).toBe('four_eyes');
    } finally {
      await app.admin.put('/api/firm-settings', { fourEyes: false });
    }
  });

  it('G45: who accepted a document is set by accepting alone, and what somebody else changes is opened again', async () => {
    const place = { state: 'ready', reportTypeId: type(), period: '2026-Q1' } as const;
    const { id, documentIds } = await inReview([
      { from: 1, to: 2, clientId: client(near), ...place },
      { from: 3, to: 4, clientId: client(second), ...place },
    ]);
    const [one, two] = documentIds;
    const decide = async (by: Caller, body: object) =>
      (await by.post<DocumentRow[]>(path(id, '/documents/decide'), body)).body;
    const accept = (by: Caller) => decide(by, { ids: documentIds, decision: 'accepted' });
    await app.admin.put('/api/firm-settings', { fourEyes: true });
    try {
      const accepted = await accept(processor.caller);
      expect(accepted.map(({ acceptedByMe }) => acceptedByMe)).toEqual([true, true]);
      // What changes nothing changes nobody.
      for (const said of [
        { period: '2026-Q1' },
        { clientId: client(near), reportTypeId: type() },
        { replacesFileId: null, correctsFileId: null },
      ]) {
        await decide(app.admin, { ids: [one], ...said });
        expect((await documentsOf(id))[0]).toEqual(accepted[0]);
      }
      await accept(processor.caller);
      expect(await documentsOf(id)).toEqual(accepted);
      expect((await release(id)).body.code).toBe('four_eyes');

      // One's own change leaves it accepted by oneself.
      const [moved] = await decide(processor.caller, { ids: [one], period: '2026-Q2' });
      expect(moved).toMatchObject({ state: 'accepted', acceptedByMe: true, version: 3 });
      expect((await release(id, { ids: [one] })).body.code).toBe('four_eyes');

      // Of what one call says to several, those alone are changed that it changes.
      const changed = await decide(app.admin, { ids: documentIds, period: '2026-Q1' });
      expect(changed.map(({ state, reviewedByName }) => [state, reviewedByName])).toEqual([
        ['toCheck', expect.not.stringContaining('processor')],
        ['accepted', `Full processor${made}`],
      ]);
      expect((await documentsOf(id)).map(({ acceptedByMe }) => acceptedByMe)).toEqual([false, true]);
      expect((await release(id)).body.code).toBe('four_eyes');
      expect((await release(id, { ids: [one] })).body.code).toBe('nothing_accepted');
      expect((await decide(app.admin, { ids: [two], decision: 'open' }))[0]?.state).toBe('toCheck');

      // To accept it is an act of its own, with a change or without.
      await decide(app.admin, { ids: [one], period: '2026-Q3', decision: 'accepted' });
      expect((await release(id, { ids: [one] }, app.admin)).body.code).toBe('four_eyes');
      expect((await release(id, { ids: [one] })).status).toBe(200);
      await settled(id);
      expect((await documentsOf(id))[0]).toMatchObject({ state: 'released', period: '2026-Q3' });
    } finally {
      await app.admin.put('/api/firm-settings', { fourEyes: false });
    }
  });

  it('who may not release batches reviews them alone, and FOUR_EYES=on is switched off by nobody', async () => {
    const role = await addRole(app, `Reviewers ${made}`, ['reports.upload', 'batches.manage']);
    const reviewer = await addUser(app, `reviewer${made}`, role, {
      clientIds: [client(near), client(second)],
      reportTypeIds: [type()],
    });
    await app.database.transaction((tx) =>
      tx.updateTable('users').set({ role_id: role }).where('id', '=', processor.id).execute(),
    );
    const { id, documentIds } = await inReview();
    expect((await release(id)).body.code).toBe('forbidden');
    const decide = { ids: documentIds, decision: 'dropped' };
    expect((await processor.caller.post(path(id, '/documents/decide'), decide)).status).toBe(200);
    expect((await release(id, {}, reviewer.caller)).status).toBe(403);
    const fixed = await startTestApp(kind, { FOUR_EYES: 'on' });
    try {
      const { body: held } = await fixed.admin.get<FirmSettings>('/api/firm-settings');
      expect(held).toEqual({ fourEyes: true, fourEyesFixed: true });
      const { body } = await fixed.admin.put<ErrorBody>('/api/firm-settings', { fourEyes: false });
      expect(body.fields).toHaveProperty('fourEyes');
    } finally {
      await fixed.close();
    }
  });

  it('G32: two releases at once release each document once, by two people too', async () => {
    const { id } = await inReview();
    const answers = await Promise.all([release(id), release(id), release(id, {}, app.admin)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    await settled(id);
    const documents = await documentsOf(id);
    expect(documents.map(({ state }) => state)).toEqual(['released', 'released']);
    const { body: uploads } = await app.admin.get<ActivityRow[]>('/api/activity-logs');
    expect(uploads.filter(({ details }) => details?.endsWith(`released from batch: Pay run ${made}`))).toHaveLength(2);
    expect((await release(id)).body.code).toBe('batch_not_in_review');
  });

  it('G32: a document that another process released in the meantime is not released again', async () => {
    const { id, documentIds } = await inReview();
    const { blobs } = app.context.services;
    const stage = blobs.stage.bind(blobs);
    const before = await blobCount();
    vi.spyOn(blobs, 'stage').mockImplementationOnce(async (...sent) => {
      await app.database.transaction((tx) =>
        tx
          .updateTable('batch_documents')
          .set({ state: 'released', released_file_id: 1 })
          .where('id', '=', documentIds[0] ?? 0)
          .execute(),
      );
      return stage(...sent);
    });
    await release(id);
    await settled(id);
    expect((await documentsOf(id)).map(({ releasedFileId }) => releasedFileId)).toEqual([1, expect.any(Number)]);
    expect(await reportsOf(processor.caller)).toHaveLength(1);
    // The one of the other document.
    expect(await blobCount()).toBe(before + 1);
  });

  it('G32: what changed between the order of a release and its turn is released as it was accepted last, or not', async () => {
    const { id, documentIds } = await inReview();
    const { blobs } = app.context.services;
    const stage = blobs.stage.bind(blobs);
    const change = (set: { to_page?: number; period?: string; state?: 'accepted' }) =>
      app.database.transaction((tx) =>
        tx
          .updateTable('batch_documents')
          .set(set)
          .where('id', '=', documentIds[0] ?? 0)
          .execute(),
      );
    // Another process gave it back, and somebody accepted fewer pages of it, which were ordered anew.
    vi.spyOn(blobs, 'stage').mockImplementationOnce(async (...sent) => {
      await change({ to_page: 1, period: '2025-Q4' });
      return stage(...sent);
    });
    const before = await blobCount();
    await release(id);
    await settled(id);
    const [own] = await reportsOf(clientUser.caller);
    expect(own?.period).toBe('2025-Q4');
    expect(await textOfPages(await bytesOf(own?.id ?? 0, clientUser.caller))).toEqual(['alpha one']);
    expect(await reportsOf(processor.caller)).toHaveLength(2);
    expect(await blobCount()).toBe(before + 2);
  });

  it('a file whose bytes are not those that were dropped is not released, and the reviewer is told', async () => {
    const { id, fileId } = await inReview();
    const { blobs } = app.context.services;
    const other = await blobs.stage(Readable.from([Buffer.from('other bytes')]), { maxBytes: 100 });
    const storageKey = await other.publish();
    const read = blobs.read.bind(blobs);
    const original = await app.database.reader
      .selectFrom('batch_files')
      .select('storage_key')
      .where('id', '=', fileId)
      .executeTakeFirstOrThrow();
    vi.spyOn(blobs, 'read').mockImplementation((blob, span) =>
      read(blob.storageKey === original.storage_key ? { ...blob, storageKey } : blob, span),
    );
    await release(id);
    await settled(id);
    const fault = 'The file it came in is not what was dropped any more. Drop it again in another batch.';
    expect((await documentsOf(id)).map((document) => [document.state, document.fault])).toEqual([
      ['toCheck', fault],
      ['toCheck', fault],
    ]);
    expect(await reportsOf(processor.caller)).toEqual([]);
    await blobs.remove(storageKey);
  });

  async function blobCount(): Promise<number> {
    let count = 0;
    for await (const _entry of app.context.services.blobs.list()) count += 1;
    return count;
  }

  it('G32: a release that fails half way goes on where it was, and leaves no bytes behind', async () => {
    const { id } = await inReview();
    const { blobs } = app.context.services;
    const stage = blobs.stage.bind(blobs);
    vi.spyOn(blobs, 'stage').mockImplementationOnce(stage).mockRejectedValueOnce(new Error('The disk went away'));
    await release(id);
    await app.context.jobs.start();
    await vi.waitFor(async () => expect((await batchOf(id)).released).toBe(1), WITHIN);
    expect(await batchOf(id)).toMatchObject({ releasing: 1, state: 'review' });
    app.advance(10_000);
    await settled(id);
    expect(await batchOf(id)).toMatchObject({ released: 2, state: 'released' });
    expect(await reportsOf(clientUser.caller)).toHaveLength(1);
    await sweepBlobs(app.database, blobs, { nowMs: app.now() });
  });

  it('G31: a client that is deleted or leaves one’s reach meanwhile gets nothing, and the reviewer is told', async () => {
    const { id } = await inReview();
    const { body: closed } = await app.admin.post<{ id: number }>('/api/clients', clientInput(`Closing Co ${made}`));
    const [first, other] = await documentsOf(id);
    await app.admin.post(path(id, '/documents/decide'), {
      ids: [first?.id],
      clientId: closed.id,
      decision: 'accepted',
    });
    // In the processor's reach when the release is ordered, and out of it when its turn comes: named to an Admin alone.
    const listed = { user_id: processor.id, client_id: closed.id };
    await app.database.transaction((tx) => tx.insertInto('user_clients').values(listed).execute());
    expect((await release(id)).status).toBe(200);
    await app.database.transaction((tx) =>
      tx.deleteFrom('user_clients').where('user_id', '=', processor.id).where('client_id', '=', closed.id).execute(),
    );
    expect((await documentsOf(id)).map(({ clientName }) => clientName)[0]).toBeNull();
    expect((await documentsOf(id, app.admin)).map(({ clientName }) => clientName)[0]).toBe(`Closing Co ${made}`);
    await settled(id);
    const [refused, done] = await documentsOf(id);
    expect(refused).toMatchObject({ state: 'toCheck', fault: 'You do not have permission to do this.' });
    expect(done).toMatchObject({ id: other?.id, state: 'released' });

    await app.admin.post(path(id, '/documents/decide'), { ids: [first?.id], decision: 'accepted' });
    await release(id, {}, app.admin);
    await app.admin.delete(`/api/clients/${closed.id}`);
    await settled(id);
    expect((await documentsOf(id))[0]).toMatchObject({
      state: 'toCheck',
      clientId: null,
      fault: 'Its client or report type was deleted. Select another one.',
    });
    const accept = await processor.caller.post<ErrorBody>(path(id, '/documents/decide'), {
      ids: [first?.id],
      decision: 'accepted',
    });
    expect(accept.body.code).toBe('document_incomplete');
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

    await processor.caller.post(path(id, '/documents/decide'), { ids: [other?.id], decision: 'accepted' });
    expect((await batchOf(id)).state).toBe('review');
    await release(id);
    await settled(id);
    expect((await documentsOf(id)).map(({ state }) => state)).toEqual(['recalled', 'released']);
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

  it('a file of the same client, type and period that is there already is named', async () => {
    const fields = { clientId: client(near), fileType: 'report', reportTypeId: type(), period: '2026-Q1' };
    const { body: there } = await app.admin.upload<FileRow>({ name: 'there.txt', fields });
    const { id } = await inReview();
    const [first, other] = await documentsOf(id);
    expect(first?.alreadyThere).toMatchObject({ fileId: there.id, name: 'there.txt' });
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
    expect(trash.map((row) => row.id)).toContain(there.id);
    expect(await reportsOf(clientUser.caller)).toHaveLength(1);
  });

  it('G52: of a place where many documents go and many files are, each document names one file, in pages', async () => {
    const place = { clientId: client(near), reportTypeId: type(), period: '2024-Q3' };
    const upload = (name: string) => app.admin.upload<FileRow>({ name, fields: { ...place, fileType: 'report' } });
    await upload('first.txt');
    await upload('second.txt');
    const { body: newest } = await upload('third.txt');
    const { id, documentIds } = await inReview(
      Array.from({ length: 1_050 }, (_, nth) => ({ from: nth + 1, to: nth + 1, state: 'ready', ...place })),
    );
    const pageOf = async (query: string) => {
      const answer = await processor.caller.fetch(path(id, `/documents${query}`));
      return { total: answer.headers.get('x-total-count'), rows: (await answer.json()) as DocumentRow[] };
    };
    const first = await pageOf('');
    expect([first.total, first.rows.length]).toEqual(['1050', 1_000]);
    const pages = [await pageOf('?limit=500'), await pageOf('?limit=500&offset=500'), await pageOf('?offset=1000')];
    expect(pages.map(({ total }) => total)).toEqual(['1050', '1050', '1050']);
    const all = pages.flatMap(({ rows }) => rows);
    expect(all.map((row) => row.id)).toEqual(documentIds);
    const there = { fileId: newest.id, name: 'third.txt', only: false };
    expect(all.filter(({ alreadyThere }) => JSON.stringify(alreadyThere) !== JSON.stringify(there))).toEqual([]);
    for (const query of ['?limit=1001', '?limit=0', '?offset=-1']) {
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
