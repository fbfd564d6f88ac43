// Reads what stands on the pages of a document, within limits of time and memory, in a thread that is ended when one is passed.
import { BATCH_PIECES_MAX } from '#contract/batch-words.ts';
import { movable, Thread, ThreadLimit } from '#server/platform/jobs/thread.ts';
import { packedPageInTurns, type ReadPage } from './packed-page.ts';
import { type Bookmark, byLetters, type PagesByLetters, type PageText } from './page-text.ts';
import type { PdfAnswer, PdfQuestion } from './pdf-thread.ts';
import { pageOfTextInTurns } from './text-file.ts';
import { isWorkbook } from './xlsx-file.ts';
import type { WorkbookAnswer } from './xlsx-thread.ts';

export const PAGES_MAX = 2000;

/** Why a document cannot be read. `tooLong`: it takes more time or memory than any honest one. */
export type Unreadable = 'password' | 'damaged' | 'noPages' | 'tooManyPages' | 'tooLong';

export interface ReadDocument extends PagesByLetters {
  readonly pages: readonly ReadPage[];
  readonly bookmarks: readonly Bookmark[];
}

export type Reading = { readonly document: ReadDocument } | { readonly unreadable: Unreadable };

export interface ReadOptions {
  /** As decided at the upload. */
  readonly contentType: string;
  /** What the file is called: a workbook may not be told by its type. */
  readonly name?: string;
  /** Tried, and not kept. */
  readonly password?: string | undefined;
  readonly signal: AbortSignal;
  readonly onProgress?: ((page: number, pages: number) => void) | undefined;
  /** More pieces of text than these are `tooLong`, as soon as they are found. */
  readonly piecesMost?: number;
  readonly limits?: ReadLimits;
}

export interface ReadLimits {
  /** For opening, and for each page. */
  readonly stepMs: number;
  readonly wholeMs: number;
  /** Beside the bytes themselves. */
  readonly memoryBytes: number;
}

const LIMITS: ReadLimits = { stepMs: 20_000, wholeMs: 300_000, memoryBytes: 256 * 1024 * 1024 };
/** A print file of a hundred pages or more: threads that wait for their next user make way. */
const MUCH_BYTES = 1024 * 1024;

export const PDF_THREAD = new URL('./pdf-thread.ts', import.meta.url);
const WORKBOOK_THREAD = new URL('./xlsx-thread.ts', import.meta.url);

/** Reads a PDF, a workbook or a text. `bytes` are gone from this side afterwards. A document of any other type is answered without pages. */
export async function readDocument(bytes: Uint8Array, options: ReadOptions): Promise<Reading> {
  options.signal.throwIfAborted();
  if (options.contentType === 'application/pdf') return await readPdf(bytes, options);
  if (isWorkbook({ name: '', ...options })) return await readWorkbook(bytes, options);
  const isText = options.contentType === 'text/plain' || options.contentType === 'text/csv';
  if (!isText) return { document: documentOf([], []) };
  return { document: await documentOfPage(await pageOfTextInTurns(bytes, options.contentType)) };
}

async function readPdf(bytes: Uint8Array, options: ReadOptions): Promise<Reading> {
  const { stepMs, wholeMs, memoryBytes } = options.limits ?? LIMITS;
  const end = Date.now() + wholeMs;
  await using thread = new Thread<PdfQuestion, PdfAnswer>(PDF_THREAD, {
    signal: options.signal,
    memoryBytes: memoryBytes + bytes.length,
    isKept: options.password === undefined,
  });
  if (bytes.length > MUCH_BYTES) Thread.makeRoom();
  const within = () => ({ withinMs: Math.max(0, Math.min(stepMs, end - Date.now())) });
  try {
    const open = movable(bytes);
    const opened = await thread.ask(
      { open, password: options.password, pagesMax: PAGES_MAX },
      { ...within(), transfer: [open.buffer] },
    );
    if (!('opened' in opened)) return unreadable(opened);
    const pages: ReadPage[] = [];
    let piecesLeft = options.piecesMost ?? BATCH_PIECES_MAX;
    const { bookmarks, pages: count } = opened.opened;
    if (count === 0) return { unreadable: 'noPages' };
    while (pages.length < count) {
      const page = await thread.ask({ packed: pages.length + 1 }, within());
      if (!('packed' in page)) return unreadable(page);
      pages.push(page);
      // They are kept on this side, which nothing else bounds.
      piecesLeft -= page.pieces;
      if (piecesLeft < 0) return { unreadable: 'tooLong' };
      options.onProgress?.(pages.length, count);
    }
    return { document: documentOf(pages, bookmarks) };
  } catch (error) {
    if (error instanceof ThreadLimit) return { unreadable: 'tooLong' };
    throw error;
  }
}

async function readWorkbook(bytes: Uint8Array, { limits = LIMITS, signal }: ReadOptions): Promise<Reading> {
  await using thread = new Thread<Uint8Array, WorkbookAnswer>(WORKBOOK_THREAD, {
    signal,
    memoryBytes: limits.memoryBytes + bytes.length,
  });
  try {
    const sent = movable(bytes);
    const answer = await thread.ask(sent, { withinMs: limits.stepMs, transfer: [sent.buffer] });
    return 'page' in answer ? { document: await documentOfPage(answer.page) } : answer;
  } catch (error) {
    if (error instanceof ThreadLimit) return { unreadable: 'tooLong' };
    throw error;
  }
}

function unreadable(answer: PdfAnswer): Reading {
  if ('unreadable' in answer) return answer;
  throw new Error('The thread answers another question');
}

const documentOf = (pages: readonly ReadPage[], bookmarks: readonly Bookmark[]): ReadDocument => ({
  pages,
  bookmarks,
  ...byLetters(pages.map(({ letters }) => letters)),
});

const documentOfPage = async (page: PageText): Promise<ReadDocument> => documentOf([await packedPageInTurns(page)], []);
