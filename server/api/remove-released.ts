// Bytes that a request has released: they go at once where that is possible.
import type { FastifyRequest } from 'fastify';
import type { BlobStore } from '../platform/blobs/blob-store.ts';

/** Nobody can open the bytes any more; the sweep removes them if they cannot be removed now. */
export async function removeReleased(
  request: FastifyRequest,
  blobs: Pick<BlobStore, 'remove'>,
  keys: readonly string[],
): Promise<void> {
  for (const key of keys) {
    await blobs.remove(key).catch((error) => request.log.warn({ err: error }, 'blob left for the sweep'));
  }
}
