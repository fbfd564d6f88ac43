// Files of batches as they were dropped, where the batch goes on with another file made of them: unlocked, or of another format.
import type { Kysely } from 'kysely';
import type { StoredBlob } from '../platform/blobs/blob-store.ts';
import type { Schema } from '../platform/db/schema.ts';

export interface Original extends StoredBlob {
  readonly name: string;
  readonly contentType: string;
}

/** Keeps `original` beside the file that is in its place by now. */
export async function enterOriginal(tx: Kysely<Schema>, fileId: number, original: Original): Promise<void> {
  await tx
    .insertInto('batch_originals')
    .values({
      batch_file_id: fileId,
      name: original.name,
      content_type: original.contentType,
      size_bytes: original.sizeBytes,
      sha256: original.sha256,
      storage_key: original.storageKey,
    })
    .execute();
}
