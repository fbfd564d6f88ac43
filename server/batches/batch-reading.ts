// Reads one file of a batch, whatever it is: the text of its pages, by recognition where they are pictures.

import type { UnreadableReason } from '#contract/batch-words.ts';
import type { BlobStore, StoredBlob } from '../platform/blobs/blob-store.ts';
import { gatherBytes } from './reading/gather-bytes.ts';
import { PICTURE_TYPES } from './reading/image-head.ts';
import { asLookedAt } from './reading/looked-at.ts';
import { NO_EFFORT, type RecognizedPage, recognizeImage, recognizeScans } from './reading/ocr.ts';
import { type PackedPage, packedPageInTurns, pageInTurns, type ReadPage } from './reading/packed-page.ts';
import type { Bookmark, PageText } from './reading/page-text.ts';
import { readDocument } from './reading/read-document.ts';

/** Larger files are not read: one is in memory whole. */
export const READ_BYTES_MAX = 256 * 1024 * 1024;
/** Longer than several hundred honest pages take. */
const SCANS_MS = 30 * 60_000;

export interface FileToRead extends StoredBlob {
  readonly contentType: string;
  readonly name: string;
}

export interface ReadingLimits {
  /** As many pages are read at most. */
  readonly pagesMost: number;
  /** As many pieces of text are read at most. */
  readonly piecesMost: number;
  /** Whether pictures are read too. */
  readonly ocr: boolean;
  /** Whose turn its pictures take. */
  readonly turn: string;
  /** Recognising the pages of one file takes no longer, in ms: the rest of them stay unread. */
  readonly scansMs?: number;
  /** Pages of it that were recognised before, and where those go that are recognised now. */
  readonly kept?: KeptPages;
  readonly signal: AbortSignal;
  readonly onProgress: (done: number, total: number) => void;
}

export interface KeptPages {
  readonly before: readonly RecognizedPage[];
  readonly keep: (page: RecognizedPage) => Promise<void>;
}

const NOTHING_KEPT: KeptPages = { before: [], keep: async () => {} };

export interface FileReading {
  /** As far as they are recognised. */
  readonly pages: readonly PackedPage[];
  /** How many pieces of text stand on them, recognised or not. */
  readonly pieces: number;
  readonly bookmarks: readonly Bookmark[];
  /** `notWhole`: some of the pages were read. */
  readonly unreadable: UnreadableReason | null;
}

/** Of a file that is not read. */
export const NOTHING_READ: Omit<FileReading, 'unreadable'> = { pages: [], pieces: 0, bookmarks: [] };

export async function readBatchFile(
  blobs: Pick<BlobStore, 'read'>,
  file: FileToRead,
  limits: ReadingLimits,
): Promise<FileReading> {
  const reading = await readPages(blobs, file, limits);
  return reading.pieces > limits.piecesMost ? { ...NOTHING_READ, unreadable: 'tooLong' } : reading;
}

async function readPages(
  blobs: Pick<BlobStore, 'read'>,
  file: FileToRead,
  { pagesMost, piecesMost, ocr, turn, scansMs = SCANS_MS, kept = NOTHING_KEPT, signal, onProgress }: ReadingLimits,
): Promise<FileReading> {
  if (file.sizeBytes > READ_BYTES_MAX) return { ...NOTHING_READ, unreadable: 'tooLong' };
  const bytes = await gatherBytes(blobs, file);
  if (PICTURE_TYPES.has(file.contentType)) {
    if (!ocr || pagesMost === 0) return { ...NOTHING_READ, unreadable: null };
    const page = await recognizeImage(bytes, { turn, signal });
    return typeof page === 'string'
      ? { ...NOTHING_READ, unreadable: page }
      : readingOf([await packedPageInTurns(page)], [], null);
  }
  const { contentType, name } = file;
  const reading = await readDocument(bytes, { contentType, name, piecesMost, signal, onProgress });
  if ('unreadable' in reading) return { ...NOTHING_READ, unreadable: reading.unreadable };
  const { bookmarks, withoutText, withFewLetters } = reading.document;
  if (reading.document.pages.length > pagesMost) return { ...NOTHING_READ, unreadable: 'tooManyPages' };
  const pages = [...reading.document.pages];
  const scans = [...withoutText, ...withFewLetters].sort((a, b) => a - b);
  const lettered = new Set(withFewLetters);
  if (ocr && scans.length > 0 && file.contentType === 'application/pdf') {
    const take = async (scan: RecognizedPage) => {
      const own = pages[scan.page - 1];
      const isSeenAlone = scan.text.unread === undefined && !lettered.has(scan.page);
      const page = isSeenAlone || own === undefined ? asRead(scan) : together(await pageInTurns(own.packed), scan);
      pages[scan.page - 1] = await packedPageInTurns(page);
    };
    for (const page of kept.before) await take(page);
    const known = new Set(kept.before.map(({ page }) => page));
    const { effort, spentMs } = kept.before.at(-1) ?? { effort: NO_EFFORT, spentMs: 0 };
    const left = scans.filter((page) => !known.has(page));
    let done = known.size;
    // The bytes went to the thread that read them.
    for await (const found of recognizeScans(() => gatherBytes(blobs, file), left, {
      turn,
      effort,
      lettered,
      signal,
    })) {
      const scan = { ...found, spentMs: spentMs + found.spentMs };
      await take(scan);
      await kept.keep(scan);
      done += 1;
      onProgress(done, scans.length);
      if (scan.spentMs >= scansMs && done < scans.length) return readingOf(pages, bookmarks, 'notWhole');
    }
  }
  return readingOf(pages, bookmarks, null);
}

const readingOf = (
  pages: readonly ReadPage[],
  bookmarks: readonly Bookmark[],
  unreadable: 'notWhole' | null,
): FileReading => ({
  pages: pages.map(({ packed }) => packed),
  pieces: pages.reduce((sum, { pieces }) => sum + pieces, 0),
  bookmarks,
  unreadable,
});

const asRead = ({ text, turned }: RecognizedPage): PageText => (turned === 0 ? text : { ...text, turned });

/** A page of a PDF with what its picture says. What cannot be recognised is as large as it was found to be. */
const together = (own: PageText, scan: RecognizedPage): PageText =>
  scan.text.unread === undefined ? withPicture(own, asRead(scan)) : { ...own, unread: scan.text.unread };

/** A page with letters over a picture: with what stands in the picture, as that is read, and the letters where they stand on it then. */
function withPicture(own: PageText, picture: PageText): PageText {
  if (picture.runs.length === 0) return own;
  const degrees = (360 + (own.turned ?? 0) - (picture.turned ?? 0)) % 360;
  const stamps = own.runs.map(({ text, ...box }) => {
    const { page: _, ...place } = asLookedAt({ page: 0, ...box }, own, degrees);
    return { text, ...place };
  });
  return { ...picture, runs: [...stamps, ...picture.runs] };
}
