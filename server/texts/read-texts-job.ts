// The job that reads what stands on the pages of new files, so that they are found by it: people in turn, a few scans each time.
// Whatever ends it, it goes on where it was.
import { z } from 'zod';
import type { BlobStore } from '../blobs/blob-store.ts';
import { gatherBytes } from '../capture/gather-bytes.ts';
import { PICTURE_TYPES } from '../capture/reading/image-head.ts';
import { type Effort, NO_EFFORT, recognizeImage, recognizeScans } from '../capture/reading/ocr.ts';
import type { Config } from '../config.ts';
import type { Database } from '../db/database.ts';
import { jobKind } from '../jobs/kinds.ts';
import { serveInTurn } from '../jobs/serve-in-turn.ts';
import { Thread, ThreadLimit } from '../jobs/thread.ts';
import {
  ATTEMPTS_MAX,
  beginReading,
  type FileToRead,
  hasFilesToRead,
  isToRead,
  nextToRead,
  personAfter,
  type ScansLeft,
  storeScans,
  storeTexts,
  textsHeld,
} from './text-rows.ts';
import { type TextAnswer, type TextQuestion, textOfPage } from './text-thread.ts';

const THREAD = new URL('./text-thread.ts', import.meta.url);
const READ_TYPES: ReadonlySet<string> = new Set(['application/pdf', 'text/plain', 'text/csv']);
/** Larger files are not read: one is in memory whole. */
const BYTES_MAX = 64 * 1024 * 1024;
const PAGES_MAX = 2_000;
/** Recognising a page of a scan takes seconds. */
const SCANS_MAX = 50;
/** After so many, it is somebody else's turn. */
const SCANS_OF_A_TURN = 3;
/** One who is slow to be read keeps nobody waiting. */
const PEOPLE_AT_ONCE = 2;
const FILE_MS = 60_000;
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
      const threads = new Threads(signal);
      try {
        await serveInTurn({
          atOnce: PEOPLE_AT_ONCE,
          signal,
          personAfter: (id) => personAfter(database, id),
          serve: (person) => readNext(person, { database, blobs, ocr: config.ocr, threads, signal }),
        });
      } finally {
        await threads.end();
      }
    },
  });
}

interface Reading {
  readonly database: Database;
  readonly blobs: Pick<BlobStore, 'read'>;
  readonly ocr: boolean;
  readonly threads: Threads;
  readonly signal: AbortSignal;
}

async function readNext(person: number, reading: Reading): Promise<void> {
  const { database } = reading;
  const file = await nextToRead(database, person);
  if (file === null) return;
  await beginReading(database, file.id);
  if (file.scans !== null) {
    await readScans(file, file.scans, person, reading);
    return;
  }
  const held = await textsHeld(database, file.id);
  // It went elsewhere: its words name its place, and its text is known.
  if (held.length > 0) return await storeTexts(database, file.id, held);
  const { pages, scans } = await pagesOf(file, person, reading);
  // What is known is found while the rest is recognised.
  await storeTexts(database, file.id, pages, scans.length === 0 ? null : { pages: scans, effort: NO_EFFORT });
}

interface FirstReading {
  readonly pages: readonly string[];
  /** Pages that are still to be recognised. */
  readonly scans: readonly number[];
}

const NOTHING: FirstReading = { pages: [], scans: [] };

async function pagesOf(file: FileToRead, person: number, reading: Reading): Promise<FirstReading> {
  const { blobs, ocr, threads, signal } = reading;
  if (file.sizeBytes === 0 || file.sizeBytes > BYTES_MAX) return NOTHING;
  if (PICTURE_TYPES.has(file.contentType)) {
    if (!ocr) return NOTHING;
    const page = await recognizeImage(await gatherBytes(blobs, file), { turn: `${person}`, signal });
    return typeof page === 'string' ? NOTHING : { pages: [textOfPage(page)], scans: [] };
  }
  if (!READ_TYPES.has(file.contentType)) return NOTHING;
  const bytes = await gatherBytes(blobs, file);
  const answer = await threads.ask({ bytes, contentType: file.contentType, pagesMax: PAGES_MAX });
  if (answer === null) return NOTHING;
  const isScanned = ocr && file.contentType === 'application/pdf';
  return { pages: answer.pages, scans: isScanned ? answer.withoutText.slice(0, SCANS_MAX) : [] };
}

/** Recognises some of what is left of a file, as long as it is there. */
async function readScans(file: FileToRead, left: ScansLeft, person: number, reading: Reading): Promise<void> {
  const { database, blobs, signal } = reading;
  const some = left.pages.slice(0, SCANS_OF_A_TURN);
  const rest = left.pages.slice(SCANS_OF_A_TURN);
  const texts: { page: number; text: string }[] = [];
  let effort: Effort = left.effort;
  const read = () => gatherBytes(blobs, file);
  for await (const scan of recognizeScans(read, some, { turn: `${person}`, effort, signal })) {
    if (!(await isToRead(database, file.id))) return;
    texts.push({ page: scan.page, text: textOfPage(scan.text) });
    effort = scan.effort;
  }
  await storeScans(database, file.id, texts, { pages: rest, effort });
  // With all of its words made anew: it may have gone elsewhere since the first of them.
  if (rest.length === 0) await storeTexts(database, file.id, await textsHeld(database, file.id));
}

/** Threads that read text, as many as files are read at once. */
class Threads {
  readonly #signal: AbortSignal;
  readonly #free: Reader[] = [];

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  /** Null where the file cannot be read, takes too long or too much. */
  async ask(question: TextQuestion & { readonly bytes: Uint8Array<ArrayBuffer> }): Promise<TextAnswer> {
    const thread: Reader =
      this.#free.pop() ?? new Thread(THREAD, { signal: this.#signal, memoryBytes: MEMORY_BYTES, isKept: true });
    try {
      const answer = await thread.ask(question, { transfer: [question.bytes.buffer], withinMs: FILE_MS });
      this.#free.push(thread);
      return answer;
    } catch (error) {
      await thread[Symbol.asyncDispose]();
      // The next file is read by another thread.
      if (error instanceof ThreadLimit) return null;
      throw error;
    }
  }

  /** Once nobody asks any more. */
  async end(): Promise<void> {
    await Promise.all(this.#free.map((thread) => thread[Symbol.asyncDispose]()));
  }
}
