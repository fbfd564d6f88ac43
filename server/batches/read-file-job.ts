// The job that reads one file of a batch in review, once its password has opened it: the other documents stay as they are decided.
import type { Kysely } from 'kysely';
import { z } from 'zod';
import { BATCH_PAGES_MAX, BATCH_PIECES_MAX, isReviewed } from '#contract/batch-words.ts';
import type { Database } from '../platform/db/database.ts';
import type { Schema } from '../platform/db/schema.ts';
import { jobKind } from '../platform/jobs/kinds.ts';
import { readBatchFile } from './batch-reading.ts';
import { enterFileProposals, enterReading, settleBatch } from './document-rows.ts';
import { withCorrected } from './files-there.ts';
import { forgetReadings } from './kept-readings.ts';
import { type CaptureStores, keptPagesOf, PAGES_OF_A_TURN } from './read-job.ts';
import { knownTo, Recogniser } from './recogniser.ts';

/** Ordered with this key, a file is read by one job at a time. */
export const readFileKey = (fileId: number | '') => `read-batch-file-${fileId}`;

export function readBatchFileJob({ database, blobs, config }: CaptureStores) {
  return jobKind({
    title: 'Read a file of a batch',
    acts: 'person',
    payload: z.strictObject({ batchId: z.int(), fileId: z.int() }),
    attempts: 3,
    retryAfterMs: 10_000,
    atOnce: 3,
    inTurn: true,
    piecesOfATurn: PAGES_OF_A_TURN,
    resumes: true,
    async run({ payload, principal, signal, progress, pieceKept, finish }) {
      const { batchId, fileId } = payload;
      const file = await waitingFile(database.reader, fileId);
      if (file === undefined) return;
      const turn = `${(await principal.read()).viewer.id}`;
      const reading = await readBatchFile(blobs, file, {
        pagesMost: Math.max(0, BATCH_PAGES_MAX - (await pagesOf(database, batchId))),
        // The other files are not recognised with it.
        piecesMost: BATCH_PIECES_MAX,
        ocr: config.ocr,
        turn,
        kept: await keptPagesOf(database, fileId, pieceKept),
        signal,
        onProgress: progress,
      });
      await using recogniser = new Recogniser(signal);
      await recogniser.add(file, reading);
      const proposed = await recogniser.propose(await knownTo(await principal.read(), database));
      await principal.change('batches.use', async (scope) => {
        await scope.serialize(`batch-${batchId}`);
        const tx = scope.unscoped(scope.authorize('batches.use'));
        // Discarded meanwhile, or read by another run.
        if ((await waitingFile(tx, fileId)) !== undefined) {
          await enterReading(tx, fileId, reading);
          // What was decided since an earlier reading ended, of the whole that it was, stays so.
          if (await isUndecided(tx, fileId)) {
            await enterFileProposals(tx, payload, await withCorrected(scope, proposed));
          }
          await settleBatch(tx, batchId);
        }
        await forgetReadings(tx, [file]);
        await finish(tx);
      });
    },
  });
}

async function waitingFile(db: Kysely<Schema>, fileId: number) {
  const file = await db
    .selectFrom('batch_files as file')
    .innerJoin('batches', 'batches.id', 'file.batch_id')
    .select([
      'file.id as id',
      'file.name as name',
      'file.content_type as contentType',
      'file.storage_key as storageKey',
      'file.size_bytes as sizeBytes',
      'file.sha256 as sha256',
      'batches.state as batchState',
    ])
    .where('file.id', '=', fileId)
    .where('file.state', '=', 'waiting')
    .executeTakeFirst();
  return file !== undefined && isReviewed(file.batchState) ? file : undefined;
}

async function pagesOf(database: Database, batchId: number): Promise<number> {
  const { pages } = await database.reader
    .selectFrom('batch_files')
    .select(({ fn }) => fn.sum<number | string | null>('pages').as('pages'))
    .where('batch_id', '=', batchId)
    .executeTakeFirstOrThrow();
  return Number(pages ?? 0);
}

async function isUndecided(tx: Kysely<Schema>, fileId: number): Promise<boolean> {
  const rows = await tx.selectFrom('batch_documents').select('state').where('batch_file_id', '=', fileId).execute();
  return rows.every(({ state }) => state === 'toCheck' || state === 'ready' || state === 'recalled');
}
