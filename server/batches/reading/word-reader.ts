// Recognises words in one picture at a time, whoever asks, people in turn: each takes a processor for seconds and some hundred megabytes.
import { callerUntil } from '#server/platform/admission/caller.ts';
import { FairTurns } from '#server/platform/admission/fair-turns.ts';
import { Thread, ThreadLimit } from '#server/platform/jobs/thread.ts';
import type { OcrAnswer, OcrQuestion, SheetQuestion, Word } from './ocr-thread.ts';
import type { PictureFault } from './page-text.ts';

const THREAD = new URL('./ocr-thread.ts', import.meta.url);
const PICTURE_MS = 60_000;
const MEMORY_BYTES = 512 * 1024 * 1024;

/** Words that are less sure are more likely noise. */
const SURE_ENOUGH = 40;
/** Beside a word this sure, letters are a word: names are in no dictionary, and few of them are sure. */
const SURE = 75;
/** Never digits: a figure that is not sure may be another one. */
const LETTERS = /^\p{L}[\p{L}\p{M}'’.,-]+$/u;
/** Two letters or digits: less may be a speck. */
export const IS_WORD = /[\p{L}\p{N}]{2}/u;
/** In heights of a word: the next one of its line is no farther away. */
const NEXT = 2;
/** A word, or a sign that stands between those of a name or a date: 'Harbor & Pine', '05 / 14 / 2026'. Others are rather specks and rules. */
const READABLE = /[\p{L}\p{N}&/·–—-]/u;

/** Jobs wait as long as it takes, and few of them run at once. */
const waiting = Number.POSITIVE_INFINITY;
const turns = new FairTurns({ atOnce: 1, atOnceOfOne: 1, waitingOfOne: waiting, waiting });
let users = 0;
/** Stays open while somebody uses it, since it takes a while to start. */
let open: Thread<OcrQuestion | SheetQuestion, OcrAnswer> | undefined;

export class WordReader implements AsyncDisposable {
  readonly #turn: string;
  #spentMs = 0;

  /** Pictures of one `turn` wait behind each other. */
  constructor(turn: string) {
    this.#turn = turn;
    users += 1;
  }

  /** Its words, or why there are none to be had. */
  async in(question: OcrQuestion | SheetQuestion, signal: AbortSignal): Promise<readonly Word[] | PictureFault> {
    try {
      return await turns.run(this.#turn, callerUntil(signal), async () => {
        const begunAt = Date.now();
        try {
          return await recognise(question, signal);
        } finally {
          this.#spentMs += Date.now() - begunAt;
        }
      });
    } catch (error) {
      // Rather than that it left the queue.
      signal.throwIfAborted();
      throw error;
    }
  }

  /** How long its pictures took, without their waits, in ms. */
  get spentMs(): number {
    return this.#spentMs;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    users -= 1;
    if (users === 0) await close();
  }
}

async function recognise(
  question: OcrQuestion | SheetQuestion,
  signal: AbortSignal,
): Promise<readonly Word[] | PictureFault> {
  signal.throwIfAborted();
  if (open === undefined) {
    Thread.makeRoom();
    open = new Thread(THREAD, { memoryBytes: MEMORY_BYTES });
  }
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  try {
    const words = await Promise.race([open.ask(question, { processorMs: PICTURE_MS }), aborted]);
    if (words === 'undecodable') return 'damaged';
    if (words === 'ended') {
      await close();
      return 'tooLong';
    }
    return readable(words);
  } catch (error) {
    // What it is still busy with is nobody's.
    await close();
    if (error instanceof ThreadLimit) return 'tooLong';
    throw error;
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

function readable(words: readonly Word[]): Word[] {
  return words.filter((word, index) => {
    if (word.confidence >= SURE_ENOUGH) return READABLE.test(word.text);
    const besides = [words[index - 1], words[index + 1]];
    return LETTERS.test(word.text) && besides.some((beside) => beside !== undefined && isSureBeside(beside, word));
  });
}

/** Whether the first is sure, and stands next to the other in one line of print of one size. */
function isSureBeside(one: Word, other: Word): boolean {
  const gap = Math.max(one.x, other.x) - Math.min(one.x + one.width, other.x + other.width);
  const inLine = Math.min(one.y + one.height, other.y + other.height) - Math.max(one.y, other.y);
  const [low, high] = [Math.min(one.height, other.height), Math.max(one.height, other.height)];
  return one.confidence >= SURE && IS_WORD.test(one.text) && gap < NEXT * high && inLine > low / 2 && high < 2 * low;
}

async function close(): Promise<void> {
  const thread = open;
  open = undefined;
  await thread?.[Symbol.asyncDispose]();
}
