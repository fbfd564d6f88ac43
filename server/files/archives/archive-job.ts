// The job that prepares a ZIP of many files for one person, with what that person reaches while it runs.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { z } from 'zod';
import type { ArchiveOrder } from '#contract/archive-requests.ts';
import { Refusal, refuse } from '#contract/errors.ts';
import { PREPARED_FILES_MAX, TOO_MANY_TO_PREPARE } from '#contract/file-kinds.ts';
import { enterBlob } from '../../platform/blobs/blob-rows.ts';
import type { BlobStore } from '../../platform/blobs/blob-store.ts';
import type { Database } from '../../platform/db/database.ts';
import { isDatabaseAway } from '../../platform/db/violations.ts';
import { jobKind } from '../../platform/jobs/kinds.ts';
import { findAllToServe, idsAsked } from './archive-files.ts';
import { enterArchive } from './archive-rows.ts';
import { archiveOf } from './archive-zip.ts';

export interface ArchiveStores {
  readonly database: Database;
  readonly blobs: BlobStore;
  readonly now: () => number;
}

const NOTHING_LEFT = 'None of these files is there any more.';

/** Nobody waits for the ZIP any more: it was removed, or ordered again. */
class ArchiveGone extends Error {
  override readonly name = 'ArchiveGone';
}

/**
 * Files that are out of reach by the time it runs are left out; the archive says how many it holds. Run again, it begins anew: what an
 * earlier run left is unknown bytes, which the sweep removes.
 */
export function archiveJob({ database, blobs, now }: ArchiveStores) {
  const archiveRow = (id: number, jobId: number) =>
    database.reader
      .selectFrom('archives')
      .select('asked')
      .where('id', '=', id)
      .where('job_id', '=', jobId)
      .where('storage_key', 'is', null)
      .executeTakeFirst();

  return jobKind({
    title: 'Prepare a ZIP of files',
    acts: 'person',
    payload: z.strictObject({ archiveId: z.int() }),
    attempts: 3,
    retryAfterMs: 30_000,
    atOnce: 2,
    async run({ id: jobId, payload: { archiveId }, principal, signal, progress, finish }) {
      const row = await archiveRow(archiveId, jobId);
      if (row === undefined) return;
      try {
        const read = await principal.read();
        const asked = JSON.parse(row.asked) as ArchiveOrder;
        const ids = await idsAsked(read, asked, { most: PREPARED_FILES_MAX, tooMany: TOO_MANY_TO_PREPARE });
        const files = await findAllToServe(read, ids);
        if (files.length === 0) throw refuse('not_found');
        const totalBytes = files.reduce((sum, { blob }) => sum + blob.sizeBytes, 0);
        await blobs.ensureRoom(totalBytes);
        let doneBytes = 0;
        const { name, content, sizeAtMostBytes } = await archiveOf(
          files.map((file) => file.row),
          async (index) => {
            const file = files[index];
            if (file === undefined) throw new Error(`There is no file ${index}`);
            progress(doneBytes, totalBytes);
            doneBytes += file.blob.sizeBytes;
            // Many small files in a row would leave requests no turn.
            await nextTurn();
            return blobs.read(file.blob);
          },
          { at: now(), timeZone: asked.timeZone },
        );
        await using staged = await blobs.stage(content, { maxBytes: sizeAtMostBytes, signal });
        const storageKey = await staged.publish();
        try {
          await principal.change('archives.use', async (scope) => {
            const tx = scope.unscoped(scope.authorize('archives.use'));
            const at = now();
            await enterBlob(tx, { ...staged, storageKey }, { purpose: 'archive', at });
            const fileIds = files.map((file) => file.row.id);
            const entered = await enterArchive(tx, { id: archiveId, jobId }, { storageKey, name, fileIds, at });
            if (!entered) throw new ArchiveGone(`Nobody waits for archive ${archiveId}`);
            await finish(tx);
          });
        } catch (error) {
          // If the database failed during the commit the row may exist: the bytes stay, and the sweep decides.
          if (!isDatabaseAway(error)) await blobs.remove(storageKey);
          throw error;
        }
      } catch (error) {
        if (error instanceof ArchiveGone) return;
        // Only what is meant to be read by a person: any other error is for the list of jobs alone.
        if (error instanceof Refusal) {
          const fault = error.code === 'not_found' ? NOTHING_LEFT : error.message;
          await noteFault(database, { id: archiveId, jobId, fault });
        }
        throw error;
      }
    },
  });
}

function noteFault(
  database: Database,
  { id, jobId, fault }: { readonly id: number; readonly jobId: number; readonly fault: string },
): Promise<unknown> {
  return database.transaction((tx) =>
    tx.updateTable('archives').set({ fault }).where('id', '=', id).where('job_id', '=', jobId).execute(),
  );
}
