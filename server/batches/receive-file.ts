// A file that is dropped into a batch: staged while it streams in, and added once it is durable. A ZIP is opened.

import { type BatchFileAdded, BatchUploadFields, type LeftOutFile } from '#contract/batches.ts';
import { readFields } from '../api/read-input.ts';
import { receiveUpload } from '../api/receive-upload.ts';
import type { ViewerCall } from '../api/route.ts';
import type { Config } from '../config.ts';
import type { BlobStore } from '../platform/blobs/blob-store.ts';
import { decideContentType } from '../platform/blobs/content-type.ts';
import type { Clock, Now } from '../platform/clock.ts';
import { isDatabaseAway } from '../platform/db/violations.ts';
import { type AddedFile, addFiles, assertRoom, findRoomFor, type PublishedFile } from './batch-files.repo.ts';
import { findBatch } from './batches.repo.ts';
import { isZip, unpack } from './unpack-zip.ts';

export async function receiveBatchFile(
  { request, reply, principal, input, change }: ViewerCall<'batches.add-file'>,
  { blobs, config, now, clock }: Now & { readonly blobs: BlobStore; readonly config: Config; readonly clock: Clock },
): Promise<BatchFileAdded> {
  const { id } = input.params;
  const { maxUploadBytes } = config;
  // Before the bytes: what cannot be added need not be sent.
  await findBatch(await principal.read(), id);
  const { originalName, fields, ...received } = await receiveUpload(request, reply, {
    blobs,
    maxBytes: maxUploadBytes,
    clock,
  });
  await using staged = received.staged;
  readFields(BatchUploadFields, fields);
  const read = await principal.read();
  const there = await findRoomFor(read, await findBatch(read, id), staged.sha256);
  if (there !== null) return { file: there, alreadyThere: true, opened: null };
  const contentType = await decideContentType(staged.head, staged.sizeBytes, originalName);
  const { sizeBytes, sha256 } = staged;
  const whole = { name: originalName, contentType, storageKey: await staged.publish(), sizeBytes, sha256 };
  if (!isZip(whole)) {
    const [added] = await keep([whole]);
    return { file: added?.file ?? null, alreadyThere: added?.alreadyThere ?? false, opened: null };
  }
  try {
    const batch = await findBatch(await principal.read(), id);
    const { files, leftOut } = await unpack(whole, {
      blobs,
      maxBytes: maxUploadBytes,
      onCount: (count) => assertRoom({ ...batch, files: 0 }, count),
    });
    const added = await keep(
      files,
      leftOut.map(({ path, reason }) => ({ name: `${originalName}/${path}`, reason })),
    );
    const paired = added.map(({ file, alreadyThere }, nth) => ({ file, alreadyThere, path: files[nth]?.path ?? '' }));
    return {
      file: null,
      alreadyThere: false,
      opened: {
        taken: paired.flatMap(({ file, alreadyThere }) => (alreadyThere ? [] : [file])),
        alreadyThere: paired.flatMap(({ file, alreadyThere, path }) =>
          alreadyThere ? [{ path, name: file.name }] : [],
        ),
        leftOut: [...leftOut],
      },
    };
  } finally {
    await blobs.remove(whole.storageKey);
  }

  /** Enters what is published; the bytes of what is not entered go. */
  async function keep(files: readonly PublishedFile[], leftOut: readonly LeftOutFile[] = []): Promise<AddedFile[]> {
    let isLeft = (_nth: number) => true;
    try {
      const added = await change((scope) =>
        addFiles(scope, scope.authorize('batches.use'), id, { files, leftOut }, now()),
      );
      isLeft = (nth) => added[nth]?.alreadyThere !== false;
      return added;
    } catch (error) {
      // If the database failed during the commit the rows may exist: the bytes stay, and the sweep decides.
      if (isDatabaseAway(error)) isLeft = () => false;
      throw error;
    } finally {
      for (const [nth, { storageKey }] of files.entries()) if (isLeft(nth)) await blobs.remove(storageKey);
    }
  }
}
