// A prepared ZIP without the job that makes it, for tests of those who have or open one.
import { Readable } from 'node:stream';
import { enterArchive, KEPT_MS } from '../files/archives/archive-rows.ts';
import { enterBlob } from '../platform/blobs/blob-rows.ts';
import type { TestApp } from './test-app.ts';

export interface TestArchive {
  readonly ownerId: number;
  readonly fileIds: readonly number[];
  readonly state?: 'ready' | 'failed';
}

/** Its bytes are no ZIP. */
export async function insertTestArchive(
  { context, database, now }: TestApp,
  { ownerId, fileIds, state = 'ready' }: TestArchive,
): Promise<number> {
  const at = now();
  const staged = await context.services.blobs.stage(Readable.from([Buffer.from('bytes of a ZIP')]), { maxBytes: 100 });
  const storageKey = state === 'ready' ? await staged.publish() : null;
  if (storageKey === null) await staged[Symbol.asyncDispose]();
  return database.transaction(async (tx) => {
    const job = await tx
      .insertInto('jobs')
      .values({
        kind: 'files.archive',
        state: state === 'ready' ? 'done' : 'failed',
        payload: '{}',
        acting_user_id: ownerId,
        attempts: 1,
        attempts_max: 1,
        run_at: at,
        created_at: at,
        ended_at: at,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    const { id } = await tx
      .insertInto('archives')
      .values({
        owner_id: ownerId,
        asked: JSON.stringify({ ids: fileIds }),
        files_asked: fileIds.length,
        job_id: job.id,
        created_at: at,
        expires_at: at + KEPT_MS,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    if (storageKey !== null) {
      await enterBlob(tx, { ...staged, storageKey }, { purpose: 'archive', at });
      await enterArchive(tx, { id, jobId: job.id }, { storageKey, name: 'files.zip', fileIds, at });
    }
    return id;
  });
}
