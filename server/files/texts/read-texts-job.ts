// The jobs that read what stands on the pages of new files, so that they are found by it: people in turn, and scans and whatever takes long beside the rest.
// Whatever ends one, it goes on where it was.
import { z } from 'zod';
import { gatherBytes } from '../../batches/reading/gather-bytes.ts';
import { PICTURE_TYPES } from '../../batches/reading/image-head.ts';
import { type Effort, NO_EFFORT, recognizeImage, recognizeScans } from '../../batches/reading/ocr.ts';
import type { Config } from '../../config.ts';
import type { BlobStore } from '../../platform/blobs/blob-store.ts';
import type { Database } from '../../platform/db/database.ts';
import { jobKind } from '../../platform/jobs/kinds.ts';
import { isNoTry, serveInTurn } from '../../platform/jobs/serve-in-turn.ts';
import { Thread, ThreadLimit } from '../../platform/jobs/thread.ts';
import {
  ATTEMPTS_MAX,
  beginReading,
  type FileToRead,
  handBackReading,
  hasFilesToRead,
  isToRead,
  leaveForLong,
  nextToRead,
  type Pace,
  personAfter,
  type ScansLeft,
} from './files-to-read.ts';
import { storeScans, storeTexts, textsHeld } from './text-rows.ts';
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
const MEMORY_BYTES = 256 * 1024 * 1024;

interface Limits {
  /** So many people are served at once: one whose file is slow to arrive keeps nobody waiting. */
  readonly peopleAtOnce: number;
  /** For the text of one file. */
  readonly fileMs: number;
}

/** What a quick file does not end within is read again, in its turn among the long ones. */
const LIMITS: Readonly<Record<Pace, Limits>> = {
  quick: { peopleAtOnce: 2, fileMs: 3_000 },
  long: { peopleAtOnce: 1, fileMs: 60_000 },
};
/** With so many in a row that cannot be read, it is not the files: all of them wait. */
const FAULTY_MAX = 3;

export interface TextStores {
  readonly database: Database;
  readonly blobs: Pick<BlobStore, 'read'>;
  readonly config: Pick<Config, 'ocr' | 'searchInside'>;
}

type Reader = Thread<TextQuestion, TextAnswer>;

export function readTextsJobs(stores: TextStores) {
  return {
    'files.texts': readTextsJob('Read the text of new files', 'quick', stores),
    'files.long-texts': readTextsJob('Recognize scans and read long files for search', 'long', stores),
  };
}

function readTextsJob(title: string, pace: Pace, { database, blobs, config }: TextStores) {
  return jobKind({
    title,
    acts: 'system',
    payload: z.strictObject({}),
    attempts: ATTEMPTS_MAX,
    retryAfterMs: 30_000,
    atOnce: 1,
    resumes: true,
    isWanted: async () => config.searchInside && (await hasFilesToRead(database, pace)),
    async run({ signal, passOver }) {
      const threads = new Threads(signal, LIMITS[pace].fileMs);
      const reading = { database, blobs, ocr: config.ocr, pace, threads, signal };
      const faulty = new Set<number>();
      const serve = async (person: number) => {
        const file = await nextToRead(database, pace, person);
        if (file === null) return;
        try {
          await readFile(file, person, reading);
          faulty.clear();
        } catch (error) {
          if (isNoTry(error, signal)) {
            await handBackReading(database, file.id);
            throw error;
          }
          // Its bytes are gone or damaged: it is tried again later, and the others are read meanwhile.
          faulty.add(file.id);
          if (faulty.size === FAULTY_MAX) throw error;
          passOver(error, `file ${file.id}`);
        }
      };
      try {
        await serveInTurn({
          atOnce: LIMITS[pace].peopleAtOnce,
          signal,
          personAfter: (id) => personAfter(database, pace, id),
          serve,
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
  readonly pace: Pace;
  readonly threads: Threads;
  readonly signal: AbortSignal;
}

async function readFile(file: FileToRead, person: number, reading: Reading): Promise<void> {
  const { database, pace, signal } = reading;
  await beginReading(database, file.id);
  if (file.scans !== null) {
    await readScans(file, file.scans, person, reading);
    return;
  }
  const { storing } = file;
  // Of one that is kept in part the rest is not known.
  const partly = storing !== null && !storing.isHeld ? storing : null;
  const held = partly === null ? await textsHeld(database, file.id) : [];
  // It went elsewhere: its words name its place, and its text is known.
  if (held.length > 0) return await storeTexts(database, file.id, held, { isHeld: true, storing, signal });
  const read = await pagesOf(file, person, reading);
  if (read === 'tooLong' && pace === 'quick') return await leaveForLong(database, file.id);
  const { pages, scans } = read === 'tooLong' ? NOTHING : read;
  // What is known is found while the rest is recognised.
  const left = scans.length === 0 ? null : { pages: scans, effort: NO_EFFORT };
  await storeTexts(database, file.id, pages, { left, storing: partly, signal });
}

interface FirstReading {
  readonly pages: readonly string[];
  /** Pages that are still to be recognised. */
  readonly scans: readonly number[];
}

const NOTHING: FirstReading = { pages: [], scans: [] };

async function pagesOf(file: FileToRead, person: number, reading: Reading): Promise<FirstReading | 'tooLong'> {
  const { blobs, ocr, pace, threads, signal } = reading;
  if (file.sizeBytes === 0 || file.sizeBytes > BYTES_MAX) return NOTHING;
  if (PICTURE_TYPES.has(file.contentType)) {
    if (!ocr) return NOTHING;
    if (pace === 'quick') return 'tooLong';
    const page = await recognizeImage(await gatherBytes(blobs, file), { turn: `${person}`, signal });
    return typeof page === 'string' ? NOTHING : { pages: [textOfPage(page)], scans: [] };
  }
  if (!READ_TYPES.has(file.contentType)) return NOTHING;
  const bytes = await gatherBytes(blobs, file);
  const answer = await threads.ask({ bytes, contentType: file.contentType, pagesMax: PAGES_MAX });
  if (answer === 'tooLong') return answer;
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
  // At the end with all of its words made anew: it may have gone elsewhere since the first of them.
  if (rest.length > 0) return;
  await storeTexts(database, file.id, await textsHeld(database, file.id), { isHeld: true, signal });
}

/** Threads that read text, as many as files are read at once. */
class Threads {
  readonly #signal: AbortSignal;
  readonly #fileMs: number;
  readonly #free: Reader[] = [];

  constructor(signal: AbortSignal, fileMs: number) {
    this.#signal = signal;
    this.#fileMs = fileMs;
  }

  /** Null where the file cannot be read; of time, or of memory, it takes too much. */
  async ask(question: TextQuestion & { readonly bytes: Uint8Array<ArrayBuffer> }): Promise<TextAnswer | 'tooLong'> {
    const thread: Reader =
      this.#free.pop() ?? new Thread(THREAD, { signal: this.#signal, memoryBytes: MEMORY_BYTES, isKept: true });
    try {
      const answer = await thread.ask(question, { transfer: [question.bytes.buffer], withinMs: this.#fileMs });
      this.#free.push(thread);
      return answer;
    } catch (error) {
      await thread[Symbol.asyncDispose]();
      // The next file is read by another thread.
      if (error instanceof ThreadLimit) return 'tooLong';
      throw error;
    }
  }

  /** Once nobody asks any more. */
  async end(): Promise<void> {
    await Promise.all(this.#free.map((thread) => thread[Symbol.asyncDispose]()));
  }
}
