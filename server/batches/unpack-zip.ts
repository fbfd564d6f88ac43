// The files of a ZIP that is dropped into a batch: unpacked one after the other, each as durable as one that is dropped by itself.
import { ZIP_ENTRIES_MAX, type ZipLeftOut, zipFaults } from '#contract/batch-words.ts';
import { Refusal, refuseFields } from '#contract/errors.ts';
import { noDocument } from '#contract/folder-files.ts';
import type { BlobStore } from '../platform/blobs/blob-store.ts';
import { cleanFileName, cleanFilePath } from '../platform/blobs/clean-file-name.ts';
import { decideContentType } from '../platform/blobs/content-type.ts';
import type { PublishedFile } from './batch-files.repo.ts';
import { CannotOpenZip, DamagedEntry, type OpenZip, openZip, type ZipEntry } from './reading/open-zip.ts';

/** As many times the largest file may be in one ZIP altogether. */
const LARGEST_FILES = 2;
/** Many other kinds of files are ZIPs inside; only what is called one is opened. */
export const isZip = ({ contentType, name }: Pick<PublishedFile, 'contentType' | 'name'>) =>
  contentType === 'application/zip' && /\.zip$/i.test(name);

export interface UnpackedFile extends PublishedFile {
  /** Where it was in the ZIP. */
  readonly path: string;
}

interface LeftOut {
  readonly path: string;
  readonly reason: ZipLeftOut;
}

export interface Unpacked {
  /** Published, and nobody's yet. */
  readonly files: readonly UnpackedFile[];
  readonly leftOut: readonly LeftOut[];
}

interface UnpackOptions {
  readonly blobs: BlobStore;
  readonly maxBytes: number;
  /** Told how many files may come, before any is unpacked. */
  readonly onCount: (count: number) => void;
}

/** Refuses a ZIP that is damaged or too large, with nothing left behind of it. */
export async function unpack(zip: PublishedFile, { blobs, maxBytes, onCount }: UnpackOptions): Promise<Unpacked> {
  const open = await opened(zip, blobs, maxBytes);
  const files: UnpackedFile[] = [];
  const leftOut: LeftOut[] = [];
  try {
    const entries = open.entries.filter(({ path }) => noDocument(path) !== 'system');
    const wanted = entries.filter((entry) => {
      const reason = reasonAgainst(entry, maxBytes);
      if (reason !== null) leftOut.push({ path: cleanFilePath(entry.path), reason });
      return reason === null;
    });
    onCount(wanted.length);
    await blobs.ensureRoom(wanted.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0));
    for (const entry of wanted) {
      const path = cleanFilePath(entry.path);
      const file = await unpackEntry(entry, blobs, maxBytes);
      if (typeof file === 'string') leftOut.push({ path, reason: file });
      else files.push({ ...file, path });
    }
    return { files, leftOut };
  } catch (error) {
    for (const { storageKey } of files) await blobs.remove(storageKey);
    throw error;
  } finally {
    open.close();
  }
}

async function opened(blob: PublishedFile, blobs: BlobStore, maxBytes: number): Promise<OpenZip> {
  try {
    return await openZip({ blobs, blob }, { entriesMost: ZIP_ENTRIES_MAX, bytesMost: LARGEST_FILES * maxBytes });
  } catch (error) {
    if (!(error instanceof CannotOpenZip)) throw error;
    // A store that fails is not the fault of the ZIP.
    if (error.cause instanceof Refusal) throw error.cause;
    throw refuseFields({ file: zipFaults[error.fault] });
  }
}

function reasonAgainst({ path, sizeBytes, isEncrypted }: ZipEntry, maxBytes: number): ZipLeftOut | null {
  const reason = noDocument(path);
  if (reason !== null && reason !== 'system') return reason;
  if (isEncrypted) return 'encrypted';
  if (sizeBytes === 0) return 'empty';
  if (sizeBytes > maxBytes) return 'tooLarge';
  return /\.zip$/i.test(path) ? 'zipInZip' : null;
}

async function unpackEntry(entry: ZipEntry, blobs: BlobStore, maxBytes: number): Promise<PublishedFile | ZipLeftOut> {
  try {
    await using staged = await blobs.stage(await entry.read(), { maxBytes });
    const { sizeBytes, sha256 } = staged;
    const name = cleanFileName(entry.path);
    const contentType = await decideContentType(staged.head, sizeBytes, name);
    return { name, contentType, storageKey: await staged.publish(), sizeBytes, sha256 };
  } catch (error) {
    if (!(error instanceof DamagedEntry)) throw error;
    if (error.cause instanceof Refusal) throw error.cause;
    return 'damaged';
  }
}
