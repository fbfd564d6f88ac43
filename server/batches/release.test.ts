// Releases of batches, on both engines: each document once, with its own pages, wherever they are cut short.
import { Readable } from 'node:stream';
import { describe, expect, it, vi } from 'vitest';
import type { ActivityRow, Overview } from '#contract/activity.ts';
import type { FileRow } from '#contract/files.ts';
import { sweepBlobs } from '../platform/blobs/sweep.ts';
import { batchFirm } from '../testing/batch-firm.ts';
import { Listener, until } from '../testing/listener.ts';
import { DATABASE_KINDS } from '../testing/test-database.ts';
import { textOfPages } from '../testing/test-pdf.ts';

const WITHIN = { timeout: 30_000, interval: 30 };

describe.each(DATABASE_KINDS)('releases of batches on %s', { timeout: 90_000 }, (kind) => {
  const {
    met,
    near,
    client,
    documentsOf,
    batchOf,
    reportsOf,
    inReview,
    release,
    settled,
    released,
    bytesOf,
    blobCount,
  } = batchFirm(kind);

  it('G32: each accepted document becomes one file of its client with its own pages, and the log names the batch', async () => {
    const { id } = await released();
    expect(await batchOf(id)).toMatchObject({ state: 'released', released: 2, releasedAt: expect.any(String) });
    const [own] = await reportsOf(met.clientUser.caller);
    expect(own).toMatchObject({ clientId: client(near), period: '2026-Q1', contentType: 'application/pdf' });
    expect(own?.originalName).toMatch(/^.+ Q1 2026 - .+\.pdf$/);
    expect(await textOfPages(await bytesOf(own?.id ?? 0, met.clientUser.caller))).toEqual(['alpha one', 'alpha two']);
    expect(await reportsOf(met.processor.caller)).toHaveLength(2);
    const { body: log } = await met.processor.caller.get<ActivityRow[]>('/api/activity-logs');
    expect(log.filter(({ details }) => details?.endsWith(`released from batch: Pay run ${met.made}`))).toHaveLength(2);
    // On the overview one release is one row.
    const { recentActivity } = (await met.app.admin.get<Overview>('/api/overview')).body;
    const ofBatch = recentActivity.filter(({ details }) => details?.endsWith(`batch: Pay run ${met.made}`));
    expect(ofBatch.map(({ alsoWrote, alsoOfBatch }) => [alsoWrote, alsoOfBatch])).toEqual([[1, 1]]);
  });

  it('is told to whoever ordered it as what others do, since it goes on by itself, and what they do by hand is not', async () => {
    const { admin } = met.app;
    const listener = await Listener.open(admin);
    const { id } = await inReview();
    expect((await release(id, {}, admin)).status).toBe(200);
    await settled(id);
    await until(() => listener.newFileIds.length === 2);
    const made = (await documentsOf(id)).flatMap(({ releasedFileId }) => releasedFileId ?? []);
    expect(new Set(listener.newFileIds)).toEqual(new Set(made));
    const entries = () => listener.changes.reduce((sum, { newEntries }) => sum + newEntries, 0);
    expect(entries()).toBe(2);

    const [file = 0] = made;
    expect((await admin.delete(`/api/files/${file}`)).status).toBe(204);
    expect((await admin.post(`/api/files/${file}/restore`)).status).toBe(200);
    const fields = { clientId: client(near), fileType: 'company_document' };
    const { body } = await met.processor.caller.upload<FileRow>({ name: 'Heard by then.txt', fields });
    await until(() => listener.newFileIds.includes(body.id));
    expect([listener.newFileIds.length, entries()]).toEqual([3, 3]);
    listener.stop();
  });

  it('G32: two releases at once release each document once, by two people too', async () => {
    const { id } = await inReview();
    const answers = await Promise.all([release(id), release(id), release(id, {}, met.app.admin)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    await settled(id);
    const documents = await documentsOf(id);
    expect(documents.map(({ state }) => state)).toEqual(['released', 'released']);
    const { body: uploads } = await met.app.admin.get<ActivityRow[]>('/api/activity-logs');
    expect(uploads.filter(({ details }) => details?.endsWith(`released from batch: Pay run ${met.made}`))).toHaveLength(
      2,
    );
    expect((await release(id)).body.code).toBe('batch_not_in_review');
  });

  it('G32: a document that another process released in the meantime is not released again', async () => {
    const { id, documentIds } = await inReview();
    const { blobs } = met.app.context.services;
    const stage = blobs.stage.bind(blobs);
    const before = await blobCount();
    vi.spyOn(blobs, 'stage').mockImplementationOnce(async (...sent) => {
      await met.app.database.transaction((tx) =>
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
    expect(await reportsOf(met.processor.caller)).toHaveLength(1);
    // The one of the other document.
    expect(await blobCount()).toBe(before + 1);
  });

  it('G32: what changed between the order of a release and its turn is released as it was accepted last, or not', async () => {
    const { id, documentIds } = await inReview();
    const { blobs } = met.app.context.services;
    const stage = blobs.stage.bind(blobs);
    const change = (set: { to_page?: number; period?: string; state?: 'accepted' }) =>
      met.app.database.transaction((tx) =>
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
    const [own] = await reportsOf(met.clientUser.caller);
    expect(own?.period).toBe('2025-Q4');
    expect(await textOfPages(await bytesOf(own?.id ?? 0, met.clientUser.caller))).toEqual(['alpha one']);
    expect(await reportsOf(met.processor.caller)).toHaveLength(2);
    expect(await blobCount()).toBe(before + 2);
  });

  it('a file whose bytes are not those that were dropped is not released, and the reviewer is told', async () => {
    const { id, fileId } = await inReview();
    const { blobs } = met.app.context.services;
    const other = await blobs.stage(Readable.from([Buffer.from('other bytes')]), { maxBytes: 100 });
    const storageKey = await other.publish();
    const read = blobs.read.bind(blobs);
    const original = await met.app.database.reader
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
    expect(await reportsOf(met.processor.caller)).toEqual([]);
    await blobs.remove(storageKey);
  });

  it('G32: a release that fails half way goes on where it was, and leaves no bytes behind', async () => {
    const { id } = await inReview();
    const { blobs } = met.app.context.services;
    const stage = blobs.stage.bind(blobs);
    vi.spyOn(blobs, 'stage').mockImplementationOnce(stage).mockRejectedValueOnce(new Error('The disk went away'));
    await release(id);
    await met.app.context.jobs.start();
    await vi.waitFor(async () => expect((await batchOf(id)).released).toBe(1), WITHIN);
    expect(await batchOf(id)).toMatchObject({ releasing: 1, state: 'review' });
    await met.app.context.jobs.stop();
    met.app.advance(10_000);
    await settled(id);
    expect(await batchOf(id)).toMatchObject({ released: 2, state: 'released' });
    expect(await reportsOf(met.clientUser.caller)).toHaveLength(1);
    await sweepBlobs(met.app.database, blobs, { nowMs: met.app.now() });
  });
  it('G32: what a release has failed at too often stays accepted, with the reason, and can be decided about', async () => {
    const { id, documentIds } = await inReview();
    const { blobs } = met.app.context.services;
    const stage = blobs.stage.bind(blobs);
    const staging = vi.spyOn(blobs, 'stage');
    staging.mockImplementationOnce(stage).mockRejectedValue(new Error('The disk went away'));
    await release(id);
    await met.app.database.transaction((tx) =>
      tx.updateTable('jobs').set({ attempts: 9 }).where('kind', '=', 'batches.release').execute(),
    );
    expect(await settled(id)).toMatchObject({ state: 'review', released: 1, accepted: 1, fault: null });
    const left = (await documentsOf(id)).filter(({ state }) => state === 'accepted');
    expect(left.map(({ fault }) => fault)).toEqual([
      'It was tried 10 times and failed each time. Release it again, or ask an Admin to look at Jobs.',
    ]);
    const dropped = { ids: [left[0]?.id], decision: 'dropped' };
    expect(documentIds).toContain(left[0]?.id);
    expect((await met.processor.caller.post(`/api/batches/${id}/documents/decide`, dropped)).status).toBe(200);
    expect(await batchOf(id)).toMatchObject({ state: 'released', releasedAt: expect.any(String) });
  });
});
