// The certificate of a batch over HTTP, on both engines: complete, true to the bytes, and no wider than its reader's reach.
import { createHash } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ActivityRow } from '#contract/activity.ts';
import { BatchCertificate } from '#contract/batch-certificate.ts';
import type { BatchDetails, DocumentRow } from '#contract/batches.ts';
import type { ErrorBody } from '#contract/errors.ts';
import { Thread } from '../../platform/jobs/thread.ts';
import { breadth } from '../../testing/breadth.ts';
import { addUser, type Firm } from '../../testing/firm.ts';
import { itOnAny } from '../../testing/narrowed.ts';
import type { Caller, TestApp } from '../../testing/test-app.ts';
import { insertTestBatch, type TestDocument } from '../../testing/test-batch.ts';
import { DATABASE_KINDS } from '../../testing/test-database.ts';
import { startTestFirm } from '../../testing/test-firm.ts';
import { testPdf, textOfPages } from '../../testing/test-pdf.ts';

const WITHIN = { timeout: 30_000, interval: 30 };
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

const MANY = breadth(100, 2_000);

describe.each(DATABASE_KINDS)('the certificate of a batch on %s', { timeout: 90_000 }, (kind) => {
  let app: TestApp;
  let firm: Firm;
  let processor: { id: number; caller: Caller };
  let made = 0;

  beforeAll(async () => {
    ({ app, firm } = await startTestFirm(kind));
  });
  afterAll(() => app.close());

  const client = (nth: 0 | 1) => firm.clients[nth] as number;
  const type = () => firm.reportTypes[0] as number;

  beforeEach(async () => {
    made += 1;
    const clientIds = [client(0), client(1)];
    processor = await addUser(app, `certifier${made}`, firm.roles.cpa, { clientIds, reportTypeIds: [type()] });
  });
  afterEach(() => {
    vi.restoreAllMocks();
    return app.context.jobs.stop();
  });

  async function inReview(name = `Pay run ${made}`, documents?: readonly TestDocument[]) {
    const bytes = await testPdf([['alpha one'], ['alpha two'], ['beta one']]);
    const place = { state: 'accepted', reportTypeId: type(), period: '2026-Q1' } as const;
    const batch = await insertTestBatch(app, {
      ownerId: processor.id,
      state: 'review',
      name,
      fileName: 'payrun.pdf',
      bytes,
      pages: 3,
      documents: documents ?? [
        { from: 1, to: 2, clientId: client(0), ...place },
        { from: 3, to: 3, clientId: client(1), ...place },
      ],
    });
    return { ...batch, bytes };
  }

  async function release(id: number) {
    await processor.caller.post(`/api/batches/${id}/release`, {});
    await app.context.jobs.start();
    await vi.waitFor(async () => {
      const { body } = await processor.caller.get<BatchDetails>(`/api/batches/${id}`);
      expect(body.batch.state).toBe('released');
    }, WITHIN);
    await app.context.jobs.stop();
  }

  async function released(name?: string) {
    const batch = await inReview(name);
    await release(batch.id);
    return batch;
  }

  const address = (id: number, format = '') => `/api/batches/${id}/certificate${format}`;
  const asData = async (id: number, by = processor.caller) =>
    (await by.get<BatchCertificate>(address(id, '?format=json'))).body;
  const bytesAt = async (path: string, by = processor.caller) =>
    new Uint8Array(await (await by.fetch(path)).arrayBuffer());

  it('G38: says of each document its client, type, pages, file and bytes, and who reviewed and released it', async () => {
    const { id, bytes } = await released(`Pay run ${made}.pdf`);
    const certificate = await asData(id);
    expect(BatchCertificate.parse(certificate)).toEqual(certificate);
    expect(certificate).toMatchObject({
      batchId: id,
      firmName: 'Coffer',
      released: 2,
      recalled: 0,
      leftOut: 0,
      recalls: [],
    });
    const documents = (await processor.caller.get<DocumentRow[]>(`/api/batches/${id}/documents`)).body;
    for (const [nth, { releasedFileId }] of documents.entries()) {
      const file = await bytesAt(`/api/files/${releasedFileId}/download`);
      expect(certificate.documents[nth]).toMatchObject({
        fileId: releasedFileId,
        size: file.length,
        sha256: sha256(file),
        releasedByName: `Full certifier${made}`,
        releasedAt: expect.any(String),
        originalName: 'payrun.pdf',
      });
    }
    expect(certificate.originals).toEqual([
      expect.objectContaining({ name: 'payrun.pdf', sha256: sha256(bytes), size: bytes.length, pages: 3 }),
    ]);
    expect(certificate.counts.map(({ documents: count }) => count)).toEqual([1, 1]);
    const answer = await processor.caller.fetch(address(id));
    expect(answer.headers.get('content-type')).toBe('application/pdf');
    expect(answer.headers.get('content-disposition')).toMatch(
      /^attachment; filename="Certificate of Pay run \d+\.pdf"/,
    );
    const text = (await textOfPages(new Uint8Array(await answer.arrayBuffer()))).join('\n');
    for (const { sha256: sum, clientName, fileName } of certificate.documents) {
      expect(text).toContain(`SHA-256 ${sum}`);
      expect(text).toContain(clientName);
      expect(text.replaceAll('\n', ' ')).toContain(fileName);
    }
    expect(text).toMatch(/^Coffer\n/);
    expect(text).toContain('Page 1 of 1');
    const { body: log } = await processor.caller.get<ActivityRow[]>('/api/activity-logs?limit=2');
    expect(log.map(({ action, details }) => [action, details])).toEqual([
      ['download', `Downloaded certificate of batch: Pay run ${made}.pdf`],
      ['download', `Downloaded file: ${certificate.documents[1]?.fileName}`],
    ]);
  });

  itOnAny(kind)('tells recalls with their reason, also of what is under review again', async () => {
    const { id, documentIds } = await released();
    const [first, other] = documentIds;
    const recall = (ids: unknown, reason: string) =>
      processor.caller.post(`/api/batches/${id}/recall`, { ids, reason });
    await recall([first], 'Pages of two companies');
    const one = await asData(id);
    expect(one).toMatchObject({ released: 1, recalled: 1 });
    expect(one.recalls).toEqual([
      expect.objectContaining({
        fileId: one.documents[0]?.fileId,
        reason: 'Pages of two companies',
        byName: `Full certifier${made}`,
      }),
    ]);
    // Its bytes lie in the trash.
    expect(one.documents[0]).toMatchObject({ state: 'recalled', sha256: expect.any(String), size: expect.any(Number) });
    const {
      fileId: _file,
      fileName: _name,
      clientName: _client,
      ...recalled
    } = one.recalls[0] as (typeof one.recalls)[0];
    expect(one.documents.map((document) => document.recall)).toEqual([recalled, null]);
    expect(one.documents.map(({ restored }) => restored)).toEqual([false, false]);
    // Restored from the trash, it is recalled and back.
    const again = 'Restored from the trash after that: it is in the lists again';
    expect((await textOfPages(await bytesAt(address(id)))).join('\n')).not.toContain(again);
    expect((await app.admin.post(`/api/files/${one.documents[0]?.fileId}/restore`)).status).toBe(200);
    expect((await asData(id)).documents.map(({ state, restored }) => [state, restored])).toEqual([
      ['recalled', true],
      ['released', false],
    ]);
    const restored = (await textOfPages(await bytesAt(address(id)))).join('\n');
    expect(restored).toContain('Of these, 1 restored from the trash after the recall.');
    expect(restored).toContain(again);
    await processor.caller.post(`/api/batches/${id}/documents/decide`, { ids: [first], decision: 'open' });
    await recall([other], 'All of it');
    const both = await asData(id);
    expect(both.documents.map((document) => document.id)).toEqual([other]);
    expect(new Set(both.recalls.map(({ reason }) => reason))).toEqual(new Set(['All of it', 'Pages of two companies']));
    const text = (await textOfPages(await bytesAt(address(id)))).join('\n');
    expect(text).toContain('Reason: Pages of two companies');
    // Said at its document, and of the one that is under review again apart.
    const [atDocuments, apart] = text.split('Recalled before, and released or under review again');
    expect(atDocuments).toContain(`by Full certifier${made}`);
    expect(atDocuments).toContain('Reason: All of it');
    expect(apart).toContain('Reason: Pages of two companies');
    expect(apart).not.toContain('Reason: All of it');
  });

  itOnAny(kind)('tells of a recall also once its pages were split and released again', async () => {
    const { id, documentIds } = await released();
    const [first] = documentIds;
    const act = (name: string, body: object) =>
      processor.caller.post<DocumentRow[]>(`/api/batches/${id}/${name}`, body);
    await act('recall', { ids: [first], reason: 'Pages of two companies' });
    const before = await asData(id);
    const { body: halves } = await act('documents/split', { documentId: first, page: 2 });
    expect((await asData(id)).recalls).toEqual(before.recalls);
    await act('documents/decide', { ids: halves.map((half) => half.id), decision: 'accepted' });
    await release(id);
    const after = await asData(id);
    expect(after).toMatchObject({ released: 3, recalled: 0, recalls: before.recalls });
    expect(after.recalls).toHaveLength(1);
    expect(after.documents.map(({ fileId }) => fileId)).not.toContain(before.recalls[0]?.fileId);
    const text = (await textOfPages(await bytesAt(address(id)))).join('\n');
    expect(text.split('Recalled before, and released or under review again')[1]).toContain('Pages of two companies');
    // Found by its time, it may be of anything: whoever has lost a part of the batch is told of what is still theirs alone.
    await app.database.transaction((tx) =>
      tx.deleteFrom('user_clients').where('user_id', '=', processor.id).where('client_id', '=', client(1)).execute(),
    );
    expect((await asData(id)).recalls).toEqual([]);
    expect((await asData(id, app.admin)).recalls).toEqual(before.recalls);
  });

  it('G38: names nothing out of its reader’s reach, and says how many it leaves out', async () => {
    const { id } = await released();
    const before = await asData(id);
    await processor.caller.post(`/api/batches/${id}/recall`, {
      ids: [before.documents[1]?.id],
      reason: 'A reason about the second',
    });
    await app.database.transaction((tx) =>
      tx.deleteFrom('user_clients').where('user_id', '=', processor.id).where('client_id', '=', client(1)).execute(),
    );
    const certificate = await asData(id);
    expect(certificate).toMatchObject({ leftOut: 1, released: 1, recalled: 0, recalls: [] });
    const gone = before.documents[1];
    for (const said of [gone?.clientName, gone?.sha256, gone?.fileName, 'A reason about the second']) {
      expect(JSON.stringify(certificate)).not.toContain(said);
    }
    const text = (await textOfPages(await bytesAt(address(id)))).join(' ').replaceAll('\n', ' ');
    expect(text).toContain(`as far as Full certifier${made} may see: 1 document`);
    expect(text).not.toContain(gone?.clientName);
    expect((await asData(id, app.admin)).leftOut).toBe(0);
    const colleague = await addUser(app, `uninvolved${made}`, firm.roles.cpa, {
      clientIds: [client(0)],
      reportTypeIds: [type()],
    });
    expect((await colleague.caller.get<ErrorBody>(address(id))).status).toBe(404);
    expect((await firm.viewers.clientA.get<ErrorBody>(address(id))).status).toBe(403);
  });

  it('G46: calls a file what it was called at its release, wherever it was filed since', async () => {
    const { id } = await released();
    const before = await asData(id);
    const renamed = [
      { clientId: firm.clients[2], originalName: `Known to others alone ${made}.pdf` },
      { originalName: `Renamed ${made}.pdf` },
    ];
    for (const [nth, change] of renamed.entries()) {
      const { status } = await app.admin.put(`/api/files/${before.documents[nth]?.fileId}`, change);
      expect(status).toBe(200);
    }
    for (const by of [processor.caller, app.admin]) {
      const after = await asData(id, by);
      expect(after.documents).toEqual(before.documents);
      const text = (await textOfPages(await bytesAt(address(id), by))).join(' ').replaceAll('\n', ' ');
      for (const { originalName } of renamed) expect(text).not.toContain(originalName);
    }
  });

  itOnAny(kind)('G52: is drawn in a thread, and one that cannot be drawn holds up no other', async () => {
    const { id } = await released();
    vi.spyOn(Thread.prototype, 'ask').mockRejectedValueOnce(new Error('The thread has ended'));
    const answers = await Promise.all([1, 2].map(() => processor.caller.fetch(address(id))));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 500]);
    const { body: log } = await processor.caller.get<ActivityRow[]>('/api/activity-logs');
    expect(log.filter(({ details }) => details?.startsWith('Downloaded certificate'))).toHaveLength(1);
  });

  it('is refused where nothing was released, and for a format that is not there', async () => {
    const { id } = await inReview();
    const refused = await processor.caller.get<ErrorBody>(address(id));
    expect([refused.status, refused.body.code]).toEqual([409, 'nothing_released']);
    expect((await processor.caller.get<ErrorBody>(address(id, '?format=xml'))).status).toBe(400);
    const { body: log } = await processor.caller.get<ActivityRow[]>('/api/activity-logs');
    expect(log.filter(({ details }) => details?.startsWith('Downloaded certificate'))).toEqual([]);
  });

  itOnAny(kind)(`G52: holds ${MANY} documents, read in pieces, with any alphabet and any length of name`, async () => {
    const name = `Łódź ${'W'.repeat(90)} 給与 é🧾`;
    const { id, fileId } = await inReview(name, []);
    const at = app.now();
    await app.database.transaction(async (tx) => {
      for (let start = 0; start < MANY; start += 100) {
        await tx
          .insertInto('batch_documents')
          .values(
            Array.from({ length: 100 }, (_, nth) => ({
              batch_id: id,
              batch_file_id: fileId,
              from_page: start + nth + 1,
              to_page: start + nth + 1,
              state: 'released' as const,
              client_id: client(0),
              report_type_id: type(),
              period: '2026-Q1',
              correction: 0 as const,
              proposal: '{}',
              released_file_id: 5_000_000 + start + nth,
              version: 1,
            })),
          )
          .execute();
      }
      await tx.updateTable('batches').set({ state: 'released', released_at: at }).where('id', '=', id).execute();
    });
    const statements = vi.spyOn(app.database.reader.getExecutor(), 'executeQuery');
    expect((await asData(id)).documents).toHaveLength(MANY);
    // Fifty at once: between them others have their turn.
    expect(statements.mock.calls.filter(([{ sql }]) => sql.includes('"blobs"'))).toHaveLength(MANY / 50);
    const bytes = await bytesAt(address(id));
    const pages = await textOfPages(bytes);
    expect(pages.length).toBeGreaterThan(MANY / 20);
    expect(pages.at(-1)).toContain(`Page ${pages.length} of ${pages.length}`);
    expect(pages[0]).toContain('Lódz');
    expect(pages[0]).not.toContain('給');
    expect(pages[0]?.replaceAll('\n', '')).toContain('W'.repeat(90));
    expect(bytes.length).toBeLessThan(2_000_000);
  });
});
