// The password of a file of a batch: tried at its bytes, and gone with the request. What is kept is a copy that needs none.

import { Readable } from 'node:stream';
import { filePasswordFaults } from '#contract/batch-words.ts';
import type { BatchFileRow } from '#contract/batches.ts';
import { refuseFields } from '#contract/errors.ts';
import type { Principal } from '../people/access/principal.ts';
import type { BlobStore } from '../platform/blobs/blob-store.ts';
import type { Now } from '../platform/clock.ts';
import { isDatabaseAway } from '../platform/db/violations.ts';
import type { JobOrders } from '../platform/jobs/kinds.ts';
import { findLockedFile, replaceLocked } from './batch-files.repo.ts';
import type { GuessPace } from './guess-pace.ts';
import type { BatchJobs } from './jobs.ts';
import { gatherBytes } from './reading/gather-bytes.ts';
import { unlockPdf } from './splitting/unlock-pdf.ts';

export async function unlockFile(
  principal: Principal,
  { password, ...place }: { readonly batchId: number; readonly fileId: number; readonly password: string },
  services: Now & { readonly blobs: BlobStore; readonly jobs: JobOrders<BatchJobs> },
  pace: GuessPace,
): Promise<BatchFileRow> {
  const { blobs } = services;
  const read = await principal.read();
  const locked = await findLockedFile(read, place.batchId, place.fileId);
  const copy = await pace.judged(`${read.viewer.id} ${place.fileId}`, async () => {
    const unlocked = await unlockPdf(await gatherBytes(blobs, locked), password);
    if ('copy' in unlocked) return { right: true, result: unlocked.copy };
    const isWrong = unlocked.cannot === 'password';
    throw refuseFields({ password: isWrong ? filePasswordFaults.wrong : filePasswordFaults.noCopy });
  });
  await using staged = await blobs.stage(Readable.from([Buffer.from(copy)]), { maxBytes: copy.length });
  const { sizeBytes, sha256 } = staged;
  const storageKey = await staged.publish();
  let isKept = false;
  try {
    const file = await principal.change('batches.use', (scope) =>
      replaceLocked(scope, scope.authorize('batches.use'), place, { storageKey, sizeBytes, sha256 }, services),
    );
    isKept = true;
    return file;
  } catch (error) {
    // As with any upload: if the commit may have happened, the sweep decides.
    isKept ||= isDatabaseAway(error);
    throw error;
  } finally {
    if (!isKept) await blobs.remove(storageKey);
  }
}
