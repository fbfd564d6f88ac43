// The job that reads the files of a batch and proposes its documents, within the reach of who dropped them.
import { z } from 'zod';
import { BATCH_PAGES_MAX, BATCH_PIECES_MAX } from '#contract/batch-words.ts';
import type { Config } from '../config.ts';
import type { Database } from '../platform/db/database.ts';
import { jobKind } from '../platform/jobs/kinds.ts';
import { type FileReading, type KeptPages, NOTHING_READ, readBatchFile } from './batch-reading.ts';
import { enterProposals, settleBatch } from './document-rows.ts';
import { withCorrected } from './files-there.ts';
import { type FileOfBatch, type KeepingStores, keptAsPdf } from './keep-as-pdf.ts';
import { forgetReadings, keepPage, keepReading, keptPages, keptReading } from './kept-readings.ts';
import { knownTo, Recogniser } from './recogniser.ts';

export interface CaptureStores extends KeepingStores {
  readonly config: Pick<Config, 'ocr'>;
}

/** Recognising a page takes seconds: after so many pages, or files, it is somebody else's turn. */
export const PAGES_OF_A_TURN = 20;

/** Run again, it goes on where it was: files that were read, and pages that were recognised, are kept until all are. */
export function readBatchJob(stores: CaptureStores) {
  const { database, blobs, config } = stores;
  return jobKind({
    title: 'Read a batch',
    acts: 'person',
    payload: z.strictObject({ batchId: z.int() }),
    attempts: 3,
    retryAfterMs: 10_000,
    atOnce: 3,
    inTurn: true,
    piecesOfATurn: PAGES_OF_A_TURN,
    resumes: true,
    async run({ id: jobId, payload: { batchId }, principal, signal, progress, pieceKept, finish }) {
      if (!(await isWaiting(database, batchId, jobId))) return;
      const turn = `${(await principal.read()).viewer.id}`;
      const files = await filesOf(database, batchId);
      await using recogniser = new Recogniser(signal);
      let pagesMost = BATCH_PAGES_MAX;
      let piecesMost = BATCH_PIECES_MAX;
      for (const [nth, dropped] of files.entries()) {
        const before = await keptReading(database, dropped.id);
        if (before === undefined) progress(nth, files.length);
        const { file, unreadable } =
          before === undefined ? await keptAsPdf(stores, dropped, signal) : { file: dropped, unreadable: null };
        const reading: FileReading =
          before ??
          (unreadable === null ? undefined : { ...NOTHING_READ, unreadable }) ??
          (await readBatchFile(blobs, file, {
            pagesMost,
            piecesMost,
            ocr: config.ocr,
            turn,
            kept: await keptPagesOf(database, file.id, pieceKept),
            signal,
            onProgress: (done, total) => progress(nth + done / total, files.length),
          }));
        pagesMost -= reading.pages.length;
        piecesMost -= reading.pieces;
        await recogniser.add(file, reading);
        if (before !== undefined) continue;
        await keepReading(database, file.id, reading);
        await pieceKept();
      }
      const proposed = await recogniser.propose(await knownTo(await principal.read(), database));
      await principal.change('batches.use', async (scope) => {
        await scope.serialize(`batch-${batchId}`);
        const tx = scope.unscoped(scope.authorize('batches.use'));
        const batch = await tx.selectFrom('batches').select('state').where('id', '=', batchId).executeTakeFirst();
        // Discarded meanwhile, it has no documents.
        if (batch?.state === 'reading') {
          await enterProposals(tx, batchId, await withCorrected(scope, proposed));
          await settleBatch(tx, batchId);
        }
        await forgetReadings(tx, files);
        await finish(tx);
      });
    },
  });
}

async function isWaiting(database: Database, batchId: number, jobId: number): Promise<boolean> {
  const row = await database.reader
    .selectFrom('batches')
    .select('id')
    .where('id', '=', batchId)
    .where('job_id', '=', jobId)
    .where('state', '=', 'reading')
    .executeTakeFirst();
  return row !== undefined;
}

function filesOf(database: Database, batchId: number): Promise<FileOfBatch[]> {
  return database.reader
    .selectFrom('batch_files')
    .select([
      'id',
      'name',
      'content_type as contentType',
      'storage_key as storageKey',
      'size_bytes as sizeBytes',
      'sha256',
    ])
    .where('batch_id', '=', batchId)
    .orderBy('id')
    .execute();
}

/** The pages of a file that were recognised before, and a place for those that are recognised now. */
export async function keptPagesOf(
  database: Database,
  fileId: number,
  pieceKept: () => Promise<void>,
): Promise<KeptPages> {
  return {
    before: await keptPages(database, fileId),
    async keep(page) {
      await keepPage(database, fileId, page);
      await pieceKept();
    },
  };
}
