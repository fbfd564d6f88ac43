// Reads one file of a batch, whatever it is: the text of its pages, by recognition where they are pictures.

import type { UnreadableReason } from '#contract/batch-words.ts';
import type { Mark } from '#contract/batches.ts';
import type { BlobStore, StoredBlob } from '../blobs/blob-store.ts';
import { gatherBytes } from './gather-bytes.ts';
import { type Bookmark, type PageText, piecesOn } from './page-text.ts';
import { recognizeImage, recognizeScans } from './reading/ocr.ts';
import { readDocument } from './reading/read-document.ts';

/** Larger files are not read: one is in memory whole. */
const READ_BYTES_MAX = 256 * 1024 * 1024;
/** Longer than several hundred honest pages take. */
const SCANS_MS = 30 * 60_000;
/** Pictures by themselves. */
export const IMAGE_TYPES: ReadonlySet<string> = new Set(['image/png', 'image/jpeg']);

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
  readonly signal: AbortSignal;
  readonly onProgress: (done: number, total: number) => void;
}

export interface FileReading {
  readonly pages: readonly PageText[];
  readonly bookmarks: readonly Bookmark[];
  /** `notWhole`: some of the pages were read. */
  readonly unreadable: UnreadableReason | null;
  /** Pages that were read turned to the right, the first being 1, by how many degrees. */
  readonly turned: ReadonlyMap<number, number>;
}

const NOTHING: Omit<FileReading, 'unreadable'> = { pages: [], bookmarks: [], turned: new Map() };

export async function readBatchFile(
  blobs: Pick<BlobStore, 'read'>,
  file: FileToRead,
  limits: ReadingLimits,
): Promise<FileReading> {
  const reading = await readPages(blobs, file, limits);
  return piecesOn(reading.pages) > limits.piecesMost ? { ...NOTHING, unreadable: 'tooLong' } : reading;
}

async function readPages(
  blobs: Pick<BlobStore, 'read'>,
  file: FileToRead,
  { pagesMost, piecesMost, ocr, turn, scansMs = SCANS_MS, signal, onProgress }: ReadingLimits,
): Promise<FileReading> {
  if (file.sizeBytes > READ_BYTES_MAX) return { ...NOTHING, unreadable: 'tooLong' };
  const bytes = await gatherBytes(blobs, file);
  if (IMAGE_TYPES.has(file.contentType)) {
    const page = ocr && pagesMost > 0 ? await recognizeImage(bytes, { turn, signal }) : undefined;
    return { ...NOTHING, pages: page === undefined ? [] : [page], unreadable: null };
  }
  const { contentType, name } = file;
  const reading = await readDocument(bytes, { contentType, name, piecesMost, signal, onProgress });
  if ('unreadable' in reading) return { ...NOTHING, unreadable: reading.unreadable };
  const { bookmarks, withoutText } = reading.document;
  if (reading.document.pages.length > pagesMost) return { ...NOTHING, unreadable: 'tooManyPages' };
  const pages = [...reading.document.pages];
  const turned = new Map<number, number>();
  if (ocr && withoutText.length > 0 && file.contentType === 'application/pdf') {
    // The bytes went to the thread that read them.
    const again = await gatherBytes(blobs, file);
    let done = 0;
    for await (const scan of recognizeScans(again, withoutText, { turn, signal })) {
      pages[scan.page - 1] = scan.text;
      if (scan.turned !== 0) turned.set(scan.page, scan.turned);
      done += 1;
      onProgress(done, withoutText.length);
      if (scan.spentMs >= scansMs && done < withoutText.length)
        return { pages, bookmarks, unreadable: 'notWhole', turned };
    }
  }
  return { pages, bookmarks, unreadable: null, turned };
}

/** Where words stand on the page as it is looked at, found on the page as it was read: `width` by `height`, turned by `degrees`. */
export function asLookedAt(mark: Mark, { width, height }: Pick<PageText, 'width' | 'height'>, degrees: number): Mark {
  const { page } = mark;
  switch (degrees) {
    case 90:
      return { page, x: mark.y, y: width - mark.x - mark.width, width: mark.height, height: mark.width };
    case 180:
      return { ...mark, x: width - mark.x - mark.width, y: height - mark.y - mark.height };
    case 270:
      return { page, x: height - mark.y - mark.height, y: mark.x, width: mark.height, height: mark.width };
    default:
      return mark;
  }
}
