// The job that reads what stands on the pages of new files, so that they are found by it. Whatever ends it, it goes on where it was.
import { z } from 'zod';
import type { BlobStore } from '../blobs/blob-store.ts';
import { gatherBytes } from '../capture/gather-bytes.ts';
import { recognizeImage, recognizeScans } from '../capture/reading/ocr.ts';
import type { Config } from '../config.ts';
import type { Database } from '../db/database.ts';
import { jobKind } from '../jobs/kinds.ts';
import { Thread, ThreadLimit } from '../jobs/thread.ts';
import {
  ATTEMPTS_MAX,
  beginReading,
  type FileToRead,
  hasFilesToRead,
  nextToRead,
  storeTexts,
  textsHeld,
} from './text-rows.ts';
import { type TextAnswer, type TextQuestion, textOfPage } from './text-thread.ts';

const THREAD = new URL('./text-thread.ts', import.meta.url);
const READ_TYPES: ReadonlySet<string> = new Set(['application/pdf', 'text/plain', 'text/csv']);
const IMAGE_TYPES: ReadonlySet<string> = new Set(['image/png', 'image/jpeg']);
/** Larger files are not read: one is in memory whole. */
const BYTES_MAX = 64 * 1024 * 1024;
const PAGES_MAX = 2_000;
/** Recognising a page of a scan takes seconds. */
const SCANS_MAX = 50;
const FILE_MS = 120_000;
const MEMORY_BYTES = 256 * 1024 * 1024;

export interface TextStores {
  readonly database: Database;
  readonly blobs: Pick<BlobStore, 'read'>;
  readonly config: Pick<Config, 'ocr' | 'searchInside'>;
}

type Reader = Thread<TextQuestion, TextAnswer>;

export function readTextsJob({ database, blobs, config }: TextStores) {
  return jobKind({
    title: 'Read the text of new files',
    acts: 'system',
    payload: z.strictObject({}),
    attempts: ATTEMPTS_MAX,
    retryAfterMs: 30_000,
    atOnce: 1,
    isWanted: async () => config.searchInside && (await hasFilesToRead(database)),
    async run({ signal }) {
      let thread: Reader | null = null;
      const ended = async () => {
        await thread?.[Symbol.asyncDispose]();
        thread = null;
      };
      try {
        for (let file = await nextToRead(database); file !== null; file = await nextToRead(database)) {
          signal.throwIfAborted();
          await beginReading(database, file.id);
          let pages = await textsHeld(database, file.id);
          try {
            if (pages.length > 0) {
              // It went elsewhere: its words name its place, and its text is known.
              await storeTexts(database, file.id, pages);
              continue;
            }
            if (READ_TYPES.has(file.contentType)) {
              thread ??= new Thread(THREAD, { signal, memoryBytes: MEMORY_BYTES, isKept: true });
            }
            pages = await pagesOf(file, { thread, blobs, ocr: config.ocr, signal });
          } catch (error) {
            // A file that takes too long or too much is not read; the next one is, by another thread.
            if (!(error instanceof ThreadLimit)) throw error;
            await ended();
          }
          await storeTexts(database, file.id, pages);
        }
      } finally {
        await ended();
      }
    },
  });
}

interface Reading {
  readonly thread: Reader | null;
  readonly blobs: Pick<BlobStore, 'read'>;
  readonly ocr: boolean;
  readonly signal: AbortSignal;
}

async function pagesOf(file: FileToRead, { thread, blobs, ocr, signal }: Reading): Promise<readonly string[]> {
  if (file.sizeBytes === 0 || file.sizeBytes > BYTES_MAX) return [];
  if (IMAGE_TYPES.has(file.contentType)) {
    const page = ocr ? await recognizeImage(await gatherBytes(blobs, file), { signal }) : undefined;
    return page === undefined ? [] : [textOfPage(page)];
  }
  if (thread === null) return [];
  const bytes = await gatherBytes(blobs, file);
  const question = { bytes, contentType: file.contentType, pagesMax: PAGES_MAX };
  const answer = await thread.ask(question, { transfer: [bytes.buffer], withinMs: FILE_MS });
  if (answer === null) return [];
  const scans = answer.withoutText.slice(0, SCANS_MAX);
  if (!ocr || scans.length === 0 || file.contentType !== 'application/pdf') return answer.pages;
  const pages = [...answer.pages];
  for await (const scan of recognizeScans(await gatherBytes(blobs, file), scans, { signal })) {
    pages[scan.page - 1] = textOfPage(scan.text);
  }
  return pages;
}
