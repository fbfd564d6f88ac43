// Recognises words in one picture at a time, whoever asks: each takes a processor for seconds and some hundred megabytes.
import { Thread, ThreadLimit } from '#server/jobs/thread.ts';
import type { OcrQuestion, Word } from './ocr-thread.ts';

const THREAD = new URL('./ocr-thread.ts', import.meta.url);
const PICTURE_MS = 60_000;
const MEMORY_BYTES = 512 * 1024 * 1024;

/** Words that are more likely noise. */
const SURE_ENOUGH = 40;
const READABLE = /[\p{L}\p{N}]/u;

/** Whoever waits, in the order of asking. */
let last: Promise<unknown> = Promise.resolve();
let users = 0;
/** Stays open while somebody uses it, since it takes a while to start. */
let open: Thread<OcrQuestion, readonly Word[]> | undefined;

export class WordReader implements AsyncDisposable {
  constructor() {
    users += 1;
  }

  /** Undefined when it takes more time or memory than any honest picture. */
  async in(question: OcrQuestion, signal: AbortSignal): Promise<readonly Word[] | undefined> {
    const turn = last.then(() => recognise(question, signal));
    last = turn.catch(() => {});
    return await turn;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    users -= 1;
    if (users === 0) await close();
  }
}

async function recognise(question: OcrQuestion, signal: AbortSignal): Promise<readonly Word[] | undefined> {
  signal.throwIfAborted();
  open ??= new Thread(THREAD, { memoryBytes: MEMORY_BYTES });
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  try {
    const words = await Promise.race([open.ask(question, { withinMs: PICTURE_MS }), aborted]);
    return words.filter(({ text, confidence }) => confidence >= SURE_ENOUGH && READABLE.test(text));
  } catch (error) {
    // What it is still busy with is nobody's.
    await close();
    if (error instanceof ThreadLimit) return undefined;
    throw error;
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

async function close(): Promise<void> {
  const thread = open;
  open = undefined;
  await thread?.[Symbol.asyncDispose]();
}
