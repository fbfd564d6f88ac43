// A TIFF of a batch is kept as a PDF of its pages, and beside it as it was dropped.
import { Readable } from 'node:stream';
import { enterBlob } from '../platform/blobs/blob-rows.ts';
import type { BlobStore } from '../platform/blobs/blob-store.ts';
import type { Database } from '../platform/db/database.ts';
import { isDatabaseAway } from '../platform/db/violations.ts';
import { type FileToRead, READ_BYTES_MAX } from './batch-reading.ts';
import { enterOriginal } from './original-rows.ts';
import { gatherBytes } from './reading/gather-bytes.ts';
import { pdfName, TIFF, type TiffPages, tiffPages } from './reading/tiff-pages.ts';

export interface FileOfBatch extends FileToRead {
  readonly id: number;
}

export interface KeepingStores {
  readonly database: Database;
  readonly blobs: BlobStore;
  readonly now: () => number;
}

export interface AsPdf<File> {
  /** To be read in place of the file that was dropped. */
  readonly file: File;
  /** Why its pages could not be written as a PDF: it stays as it was dropped. */
  readonly unreadable: Extract<TiffPages, { unreadable: unknown }>['unreadable'] | null;
}

/** A file of any other type is answered as it is. */
export async function keptAsPdf<File extends FileOfBatch>(
  { database, blobs, now }: KeepingStores,
  file: File,
  signal: AbortSignal,
): Promise<AsPdf<File>> {
  if (file.contentType !== TIFF || file.sizeBytes > READ_BYTES_MAX) return { file, unreadable: null };
  const pages = await tiffPages(await gatherBytes(blobs, file), signal);
  if ('unreadable' in pages) return { file, unreadable: pages.unreadable };
  await using staged = await blobs.stage(Readable.from([Buffer.from(pages.pdf)]), { maxBytes: pages.pdf.length });
  const { sizeBytes, sha256 } = staged;
  const storageKey = await staged.publish();
  const pdf = { ...file, name: pdfName(file.name), contentType: 'application/pdf', sizeBytes, sha256, storageKey };
  let isKept = false;
  try {
    isKept = await database.transaction(async (tx) => {
      await enterBlob(tx, pdf, { purpose: 'batch', at: now() });
      const { numUpdatedRows } = await tx
        .updateTable('batch_files')
        .set({
          name: pdf.name,
          content_type: pdf.contentType,
          size_bytes: sizeBytes,
          sha256,
          storage_key: storageKey,
        })
        .where('id', '=', file.id)
        // Not where it was discarded meanwhile.
        .where('storage_key', '=', file.storageKey)
        .executeTakeFirstOrThrow();
      if (numUpdatedRows > 0n) await enterOriginal(tx, file.id, file);
      return numUpdatedRows > 0n;
    });
  } catch (error) {
    // As with any upload: if the commit may have happened, the sweep decides.
    isKept ||= isDatabaseAway(error);
    throw error;
  } finally {
    if (!isKept) await blobs.remove(storageKey);
  }
  return { file: isKept ? pdf : file, unreadable: null };
}
