// A file is added to a batch once it is durable, unless its bytes are there already. A ZIP is opened.

import type { BatchFileAdded, LeftOutFile } from '#contract/batches.ts';
import type { Principal } from '../people/access/principal.ts';
import type { BlobStore, StagedBlob } from '../platform/blobs/blob-store.ts';
import { decideContentType } from '../platform/blobs/content-type.ts';
import type { Now } from '../platform/clock.ts';
import { isDatabaseAway } from '../platform/db/violations.ts';
import { type AddedFile, addFiles, assertRoom, findRoomFor, type PublishedFile } from './batch-files.repo.ts';
import { findBatch } from './batches.repo.ts';
import { isZip, unpack } from './unpack-zip.ts';

/** Adds what its caller has staged and owns. Whatever fails leaves neither bytes nor rows. */
export async function addBatchFile(
  principal: Principal,
  { id, staged, originalName }: { readonly id: number; readonly staged: StagedBlob; readonly originalName: string },
  { blobs, maxUploadBytes, now }: Now & { readonly blobs: BlobStore; readonly maxUploadBytes: number },
): Promise<BatchFileAdded> {
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
      const added = await principal.change('batches.use', (scope) =>
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
