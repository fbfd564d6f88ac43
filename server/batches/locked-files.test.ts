// Files of a batch that ask for a password, over HTTP: opened with it, read, and kept without it.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ActivityRow } from '#contract/activity.ts';
import { RELEASING_ENDED } from '#contract/batch-words.ts';
import type { BatchDetails, BatchFileRow, BatchRow, DocumentRow } from '#contract/batches.ts';
import type { ErrorBody } from '#contract/errors.ts';
import { addUser, type Firm } from '../testing/firm.ts';
import { companyOn, printFile } from '../testing/print-file.ts';
import type { Caller, TestApp } from '../testing/test-app.ts';
import { insertTestBatch, lockedFile } from '../testing/test-batch.ts';
import { ANY_DATABASE_KIND } from '../testing/test-database.ts';
import { startTestFirm } from '../testing/test-firm.ts';
import { textOfPages } from '../testing/test-pdf.ts';
import { unlockPdf } from './splitting/unlock-pdf.ts';

const WITHIN = { timeout: 30_000, interval: 30 };
const PASSWORD = 'open sesame';

describe.each(ANY_DATABASE_KIND)('locked files of a batch on %s', { timeout: 90_000 }, (kind) => {
  let app: TestApp;
  let firm: Firm;
  let processor: { id: number; caller: Caller };
  let made = 0;

  beforeAll(async () => {
    ({ app, firm } = await startTestFirm(kind, {}, { clock: 'standing' }));
  });
  afterAll(() => app.close());
  beforeEach(async () => {
    made += 1;
    processor = await addUser(app, `processor${made}`, firm.roles.cpa, {
      clientIds: [...firm.clients],
      reportTypeIds: [...firm.reportTypes],
    });
  });
  afterEach(() => app.context.jobs.stop());

  const path = (id: number, rest = '') => `/api/batches/${id}${rest}`;
  const detailsOf = async (id: number) => (await processor.caller.get<BatchDetails>(path(id))).body;
  const documentsOf = async (id: number) => (await processor.caller.get<DocumentRow[]>(path(id, '/documents'))).body;
  const unlock = (id: number, fileId: number, password: string, by = processor.caller) =>
    by.post<BatchFileRow & ErrorBody>(path(id, '/files/password'), { fileId, password });

  /** A batch with a locked file, and another file whose document is accepted. */
  async function locked(state: 'toCheck' | 'released' = 'toCheck') {
    const place = { clientId: firm.clients[0], reportTypeId: firm.reportTypes[0] };
    const batch = await insertTestBatch(app, {
      ownerId: processor.id,
      state: 'review',
      ...(await lockedFile(PASSWORD)),
      bytes: await printFile({ pages: 6, password: PASSWORD, bookmarks: true }),
      documents: [{ from: 0, to: 0, state, ...(state === 'released' ? { releasedFileId: 1, ...place } : {}) }],
    });
    const other = await insertTestBatch(app, { ownerId: processor.id, state: 'review' });
    const { id: otherDocumentId } = await app.database.transaction((tx) =>
      tx
        .insertInto('batch_documents')
        .values({
          batch_id: batch.id,
          batch_file_id: other.fileId,
          from_page: 1,
          to_page: 4,
          state: 'accepted',
          client_id: place.clientId,
          report_type_id: place.reportTypeId,
          period: '2026-Q1',
          correction: 0,
          proposal: JSON.stringify({ clients: [], typeSignals: [], periodSignals: [], reasons: [] }),
          version: 7,
        })
        .returning('id')
        .executeTakeFirstOrThrow(),
    );
    return { ...batch, otherDocumentId };
  }

  it('is read with its password, touches no other decision, and is kept without any', async () => {
    const { id, fileId, documentIds, otherDocumentId } = await locked();
    const content = async (rest: string, by = processor.caller) => {
      const answer = await by.fetch(`/api/files/batches/${fileId}/content${rest}`);
      return { status: answer.status, bytes: Buffer.from(await answer.arrayBuffer()) };
    };
    const dropped = await content('');
    expect((await content('?original=true')).status).toBe(404);
    const before = (await documentsOf(id)).find((document) => document.id === otherDocumentId);
    const { status, body } = await unlock(id, fileId, PASSWORD);
    expect([status, body.state, body.unreadable]).toEqual([200, 'waiting', null]);
    // Its old document is there until it has been read.
    expect((await documentsOf(id)).map((document) => document.id)).toContain(documentIds[0]);
    await app.context.jobs.start();
    await vi.waitFor(
      async () => expect((await detailsOf(id)).files[0]).toMatchObject({ state: 'read', pages: 6 }),
      WITHIN,
    );
    const after = await documentsOf(id);
    const ofFile = after.filter((document) => document.fileId === fileId);
    // By its bookmarks, which the copy without a password has too.
    expect(ofFile.map(({ fromPage, toPage }) => [fromPage, toPage])).toEqual([
      [1, 3],
      [4, 6],
    ]);
    expect(after.find((document) => document.id === otherDocumentId)).toEqual(before);
    expect((await detailsOf(id)).batch).toMatchObject({ state: 'review', fault: null });

    const stored = await processor.caller.fetch(`/api/files/batches/${fileId}/content?view=true`);
    const bytes = new Uint8Array(await stored.arrayBuffer());
    expect((await textOfPages(bytes))[3]).toContain(companyOn(4));
    expect(Buffer.from(bytes).includes('/Encrypt')).toBe(false);
    const { body: log } = await app.admin.get<ActivityRow[]>('/api/activity-logs?limit=20');
    expect(log.map(({ details }) => details)).toContain('Opened with its password: locked.pdf, of batch: Pay run');
    // As it was dropped, it is there for whoever may open the file, and goes with the batch.
    expect((await detailsOf(id)).files.map(({ hasOriginal }) => hasOriginal)).toEqual([true]);
    expect(await content('?original=true')).toEqual(dropped);
    expect(dropped.bytes.includes('/Encrypt')).toBe(true);
    const stranger = await addUser(app, `stranger of ${made}`, firm.roles.cpa, { clientIds: [], reportTypeIds: [] });
    expect((await content('?original=true', stranger.caller)).status).toBe(404);
    expect((await content('?original=true', app.anonymous)).status).toBe(401);
    // Once it is open, nobody is asked again.
    expect((await unlock(id, fileId, PASSWORD)).body.code).toBe('gone_meanwhile');
  });

  it('what was recalled of it stays told once it is read, and there is a certificate that says so', async () => {
    const { id, fileId, documentIds } = await locked();
    const [reason, byName, releasedFileId] = ['It asks for a password', 'Rosa Okafor', 900_000 + made];
    await app.database.transaction((tx) =>
      tx
        .updateTable('batch_documents')
        .set({ state: 'recalled', released_file_id: releasedFileId })
        .set({ recall_reason: reason, recalled_by_name: byName, recalled_at: 1 })
        .where('id', 'in', [...documentIds])
        .execute(),
    );
    expect((await unlock(id, fileId, PASSWORD)).status).toBe(200);
    await app.context.jobs.start();
    await vi.waitFor(async () => expect((await detailsOf(id)).files[0]?.state).toBe('read'), WITHIN);
    const recall = { reason, byName, at: new Date(1).toISOString() };
    expect((await documentsOf(id)).filter((document) => document.fileId === fileId)).toMatchObject([
      { fromPage: 1, state: 'toCheck', recall, releasedFileId },
      { fromPage: 4, state: 'toCheck', recall, releasedFileId: null },
    ]);
    expect((await processor.caller.get(path(id, '/certificate?format=json'))).status).toBe(200);
  });

  const decide = (id: number, documentId: number | undefined, decision: 'accepted' | 'dropped') =>
    processor.caller.post<DocumentRow[] & ErrorBody>(path(id, '/documents/decide'), { ids: [documentId], decision });

  it('nothing is decided about it while it is being read, and what was decided before is decided anew', async () => {
    const { id, fileId, documentIds, otherDocumentId } = await locked();
    const [first] = documentIds;
    expect((await decide(id, first, 'dropped')).status).toBe(200);
    expect((await unlock(id, fileId, PASSWORD)).status).toBe(200);
    expect((await documentsOf(id)).find((document) => document.id === first)?.state).toBe('toCheck');
    const refused = await decide(id, first, 'dropped');
    expect([refused.status, refused.body.code]).toEqual([409, 'file_being_read']);
    // Of the others it says nothing.
    expect((await decide(id, otherDocumentId, 'dropped')).status).toBe(200);
    await app.context.jobs.start();
    await vi.waitFor(async () => expect((await detailsOf(id)).files[0]?.state).toBe('read'), WITHIN);
    const read = (await documentsOf(id)).filter((document) => document.fileId === fileId);
    expect(read.map(({ fromPage }) => fromPage)).toEqual([1, 4]);
    expect((await decide(id, read[0]?.id, 'dropped')).status).toBe(200);
  });

  it('what is decided once its reading has ended stays so when it is read again', async () => {
    const { id, fileId, documentIds } = await locked();
    await unlock(id, fileId, PASSWORD);
    await app.database.transaction((tx) =>
      tx.updateTable('jobs').set({ state: 'failed', open_key: null }).where('kind', '=', 'batches.read-file').execute(),
    );
    expect((await decide(id, documentIds[0], 'dropped')).status).toBe(200);
    expect((await processor.caller.post<BatchRow>(path(id, '/read'))).status).toBe(200);
    await app.context.jobs.start();
    await vi.waitFor(async () => expect((await detailsOf(id)).files[0]?.state).toBe('read'), WITHIN);
    expect((await documentsOf(id)).filter((document) => document.fileId === fileId)).toMatchObject([
      { id: documentIds[0], state: 'dropped' },
    ]);
  });

  it('is gone with its copy once the batch is discarded', async () => {
    const { id, fileId } = await locked();
    expect((await unlock(id, fileId, PASSWORD)).status).toBe(200);
    const blobs = async () => {
      let count = 0;
      for await (const _blob of app.context.services.blobs.list()) count += 1;
      return count;
    };
    const before = await blobs();
    expect((await processor.caller.delete(path(id))).status).toBe(204);
    expect(await blobs()).toBe(before - 2);
    expect(
      await app.database.reader.selectFrom('batch_originals').selectAll().where('batch_file_id', '=', fileId).execute(),
    ).toEqual([]);
  });

  it('opens with a password whose accents are typed apart from their letters, however it is locked', async () => {
    const secret = 'Zoë-café';
    for (const pdfVersion of ['1.4', '1.7', '1.7ext3'] as const) {
      const bytes = await printFile({ pages: 2, password: secret, pdfVersion });
      for (const typed of [secret, secret.normalize('NFD')]) {
        expect(Object.keys(await unlockPdf(Uint8Array.from(bytes), typed)), pdfVersion).toEqual(['copy']);
      }
      expect(await unlockPdf(Uint8Array.from(bytes), 'Zoe-cafe')).toEqual({ cannot: 'password' });
    }
  });

  it('keeps nothing of the password: not in a row, a job or a line of the log', async () => {
    const secret = `sesame ${made}-${Date.now()}`;
    const batch = await insertTestBatch(app, { ownerId: processor.id, state: 'review', ...(await lockedFile(secret)) });
    await unlock(batch.id, batch.fileId, `wrong ${secret}`);
    expect((await unlock(batch.id, batch.fileId, secret)).status).toBe(200);
    const jobs = await app.database.reader.selectFrom('jobs').selectAll().execute();
    const entries = await app.database.reader.selectFrom('activity').selectAll().execute();
    const files = await app.database.reader.selectFrom('batch_files').selectAll().execute();
    expect(jobs.map(({ kind: name }) => name)).toContain('batches.read-file');
    expect(JSON.stringify([jobs, entries, files])).not.toContain(secret);
    const lines = JSON.stringify(app.log);
    expect(lines).toContain('/files/password');
    expect(lines).not.toContain(secret);
  });

  it('says of a wrong password that it is wrong, and slows down whoever tries many', async () => {
    const { id, fileId } = await locked();
    const wrong = await unlock(id, fileId, 'simsalabim');
    expect([wrong.status, wrong.body.fields]).toEqual([400, { password: 'This password does not open the file' }]);
    expect((await unlock(id, fileId, '')).body.fields).toEqual({ password: 'Please enter the password' });
    for (let tries = 2; tries <= 5; tries += 1) expect((await unlock(id, fileId, `no ${tries}`)).status).toBe(400);
    const slowed = await unlock(id, fileId, PASSWORD);
    expect([slowed.status, slowed.headers.get('retry-after')]).toEqual([429, '2']);
    // Each file by itself.
    const another = await locked();
    expect((await unlock(another.id, another.fileId, PASSWORD)).status).toBe(200);
    expect((await detailsOf(id)).files[0]?.unreadable).toBe('password');
  });

  it('is refused out of reach, signed out, of another batch, where nothing is locked, and once it is released', async () => {
    const { id, fileId } = await locked();
    const stranger = await addUser(app, `stranger${made}`, firm.roles.cpa, { clientIds: [], reportTypeIds: [] });
    expect((await unlock(id, fileId, PASSWORD, stranger.caller)).status).toBe(404);
    expect((await unlock(id, fileId, PASSWORD, app.anonymous)).status).toBe(401);
    const elsewhere = await locked();
    expect((await unlock(elsewhere.id, fileId, PASSWORD)).status).toBe(404);
    const released = await locked('released');
    expect((await unlock(released.id, released.fileId, PASSWORD)).body.code).toBe('document_not_open');
    const open = await insertTestBatch(app, { ownerId: processor.id, state: 'review' });
    expect((await unlock(open.id, open.fileId, PASSWORD)).body.code).toBe('gone_meanwhile');
    const adding = await insertTestBatch(app, { ownerId: processor.id, state: 'adding' });
    expect((await unlock(adding.id, adding.fileId, PASSWORD)).body.code).toBe('batch_not_in_review');
  });

  it('is read again where its reading ended too early', async () => {
    const { id, fileId, otherDocumentId } = await locked();
    expect((await processor.caller.post<ErrorBody>(path(id, '/read'))).body.code).toBe('batch_not_adding');
    await unlock(id, fileId, PASSWORD);
    expect((await detailsOf(id)).batch.fault).toBeNull();
    await app.database.transaction((tx) =>
      tx.updateTable('jobs').set({ state: 'failed', open_key: null }).where('kind', '=', 'batches.read-file').execute(),
    );
    const ended = 'Reading a file ended before it was done. Read it again.';
    expect((await detailsOf(id)).batch.fault).toBe(ended);
    // A release that has ended too is said beside it.
    const other = (state: 'releasing' | 'accepted') =>
      app.database.transaction((tx) =>
        tx
          .updateTable('batch_documents')
          .set({ state, releasing_by_id: processor.id })
          .where('id', '=', otherDocumentId)
          .execute(),
      );
    await other('releasing');
    expect((await detailsOf(id)).batch.fault).toBe(`${ended} ${RELEASING_ENDED}`);
    await other('accepted');
    const again = await processor.caller.post<BatchRow>(path(id, '/read'));
    expect([again.status, again.body.state, again.body.fault]).toEqual([200, 'review', null]);
    await app.context.jobs.start();
    await vi.waitFor(async () => expect((await detailsOf(id)).files[0]?.state).toBe('read'), WITHIN);
    expect(await documentsOf(id)).toHaveLength(3);
  });
});
