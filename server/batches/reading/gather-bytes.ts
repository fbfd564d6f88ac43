// The whole bytes of a blob in memory: what a PDF is read and split from.
import type { BlobStore, StoredBlob } from '../../platform/blobs/blob-store.ts';
import { giveBack } from '../../platform/jobs/give-back.ts';

/** In bytes of their own, so that they can be moved into a thread. */
export async function gatherBytes(blobs: Pick<BlobStore, 'read'>, blob: StoredBlob): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(blob.sizeBytes);
  const content = await blobs.read(blob);
  if (Buffer.isBuffer(content)) {
    bytes.set(content);
    return bytes;
  }
  let at = 0;
  for await (const chunk of content as AsyncIterable<Buffer>) {
    bytes.set(chunk, at);
    at += chunk.length;
    // Nobody else looks at it.
    giveBack(chunk);
  }
  return bytes;
}
