// Bytes that an act has released: they go at once where that is possible.
import type { BlobStore } from './blob-store.ts';

/** Nobody can open the bytes any more; the sweep removes those that cannot be removed now, of which `onLeft` hears. */
export async function removeReleased(
  blobs: Pick<BlobStore, 'remove'>,
  keys: readonly string[],
  onLeft: (error: unknown) => void,
): Promise<void> {
  for (const key of keys) await blobs.remove(key).catch(onLeft);
}
