// Runs work that keeps a processor busy in a thread of its own, so that the event loop continues to answer.
import { once } from 'node:events';
import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import type { TransferListItem, Worker } from 'node:worker_threads';
import { GIVES_WAY_BY } from '../give-way.ts';
import { EndableWorker } from './thread-ending.ts';

/**
 * What a module that runs in a thread exports. Input and output are copied, or moved where they are transferred. A thread loads
 * it anew, so that what it keeps in variables lasts from one call to the next and no longer than the thread.
 */
export interface ThreadModule<Input, Output> {
  work(input: Input): Output | Promise<Output>;
  /**
   * Of a thread that is kept: lets go of all that the questions left behind. False where one of them met a fault: the thread is
   * ended, and what it met touches nobody else.
   */
  forget?(): boolean | Promise<boolean>;
  /** The memory of an answer that is moved and not copied: gone from the thread afterwards. */
  moved?(output: Output): readonly TransferListItem[];
}

/** What a thread is sent: a question, or that its user has gone. */
export type Sent = { readonly question: unknown } | 'forget';

interface Answer<Output> {
  readonly output?: Output;
  readonly error?: unknown;
}

/** A thread used more time or memory than it was given, and was ended. */
export class ThreadLimit extends Error {
  override readonly name = 'ThreadLimit';
}

export interface ThreadOptions {
  /** Ends the thread wherever it is; what it was asked rejects with the reason. */
  readonly signal?: AbortSignal | undefined;
  /** Of heap and buffers together. Without it, the thread may take what the process may. */
  readonly memoryBytes?: number;
  /** Somebody waits for its answers: it gives way to short work by less than a thread does otherwise. */
  readonly isAwaited?: boolean;
  /**
   * Starting it takes longer than many an answer: afterwards it waits some seconds for the next user, who finds its module loaded
   * and nothing else, where all went well. The module must have `forget`. What only this user may know is not asked of such a thread.
   */
  readonly isKept?: boolean;
  /** It drops most of what it makes at once: room for that, in MiB, where other threads have what the process has. It takes up to three times as much; what waits for its next user makes way. */
  readonly youngMebibytes?: number;
}

/** What the process was started with (`process-settings.json`): little, which keeps it small. */
const YOUNG_FLAG = '--max-semi-space-size=';
const YOUNG_OF_PROCESS = process.execArgv.find((flag) => flag.startsWith(YOUNG_FLAG));
let roomy = 0;

/** The engine reads the flag, which is one for the whole process, when a thread begins, and of a thread that runs never again. */
function startWorker(start: ThreadStart, youngMebibytes: number | undefined): Worker {
  const begin = () => new EndableWorker(new URL('./thread-entry.ts', import.meta.url), { workerData: start });
  if (youngMebibytes === undefined || YOUNG_OF_PROCESS === undefined) return begin();
  roomy += 1;
  setFlagsFromString(`${YOUNG_FLAG}${youngMebibytes}`);
  const worker = begin();
  let isStarting = true;
  const started = () => {
    if (!isStarting) return;
    isStarting = false;
    roomy -= 1;
    if (roomy === 0) setFlagsFromString(YOUNG_OF_PROCESS);
  };
  return worker.once('online', started).once('exit', started);
}

/** The engine ends a thread whose heap has no room left. */
const isOutOfMemory = (error: unknown) => (error as { code?: unknown } | null)?.code === 'ERR_WORKER_OUT_OF_MEMORY';

/** What a thread is started with. */
export interface ThreadStart {
  readonly url: string;
  readonly givesWayBy: number;
}

export interface AskOptions {
  /** Gone from this side afterwards. */
  readonly transfer?: readonly TransferListItem[];
  /** By the clock: the thread is ended when there is no answer by then. For what somebody waits for. */
  readonly withinMs?: number;
  /** Of a processor: the thread is ended once the question has used so much. */
  readonly processorMs?: number;
}

/** How often a thread's memory is looked at. Inflating, the fastest way to fill it, makes some hundred megabytes a second. */
const WATCH_MS = 50;

/**
 * A thread that gives way may get no processor for long on a busy machine, which says nothing about its question: what it has
 * not used of its time it still has, until the clock has shown so many times of it.
 */
const STARVED_TIMES = 5;

/** With more in memory, garbage included, it is not kept: the bounds of the next user are for the next user. */
const KEPT_BYTES = 64 * 1024 * 1024;
/** So long it may take to forget. */
const FORGET_MS = 5_000;

/** One thread of each kind that waits for its next user. They keep no process from ending. */
class KeptThreads {
  readonly #waiting = new Map<string, { readonly worker: Worker; readonly leave: () => void }>();

  take(kind: string): Worker | undefined {
    const kept = this.#waiting.get(kind);
    kept?.leave();
    kept?.worker.ref();
    return kept?.worker;
  }

  /** Ends all that wait: whoever needs much room begins. */
  makeRoom(): void {
    for (const { worker, leave } of [...this.#waiting.values()]) {
      leave();
      void worker.terminate();
    }
  }

  async keep(kind: string, worker: Worker): Promise<void> {
    const leave = () => {
      clearTimeout(timer);
      worker.off('exit', leave);
      if (this.#waiting.get(kind)?.worker === worker) this.#waiting.delete(kind);
    };
    const timer = setTimeout(() => {
      leave();
      void worker.terminate();
    }, Thread.keptMs).unref();
    // What dies while it waits is nobody's, and is missed by nobody.
    worker.once('exit', leave);
    const other = this.#waiting.get(kind);
    other?.leave();
    this.#waiting.set(kind, { worker, leave });
    worker.unref();
    await other?.worker.terminate();
  }
}

const keptThreads = new KeptThreads();

/** A thread that answers one question after another, until it is disposed of. */
export class Thread<Input, Output> implements AsyncDisposable {
  /** One that is kept and that nobody uses waits as long. */
  static keptMs = 5_000;
  /** Whether short work on the event loop comes before threads. */
  static givesWay = true;

  /** Ends those that wait for their next user: whoever is about to take much has the room. */
  static makeRoom(): void {
    keptThreads.makeRoom();
  }

  readonly #worker: Worker;
  readonly #options: ThreadOptions;
  /** Rejects when the thread can answer no more. */
  readonly #end = Promise.withResolvers<never>();
  readonly #begun = Promise.withResolvers<void>();
  readonly #watch = new AbortController();
  /** What threads like it have in common. */
  readonly #kind: string;
  #asked = 0;
  /** Not with an error. */
  #answered = 0;
  #isOver = false;
  readonly #abort = () => this.#end.reject(this.#options.signal?.reason);
  readonly #died = (error: unknown) =>
    this.#end.reject(isOutOfMemory(error) ? new ThreadLimit('More memory than a thread has', { cause: error }) : error);
  readonly #exit = (code: number) => this.#end.reject(new Error(`The thread ended with ${code}`));

  constructor(url: URL, options: ThreadOptions = {}) {
    options.signal?.throwIfAborted();
    this.#options = options;
    const { isAwaited = false } = options;
    const by = isAwaited ? GIVES_WAY_BY.awaited : GIVES_WAY_BY.unawaited;
    const start: ThreadStart = { url: url.href, givesWayBy: Thread.givesWay ? by : 0 };
    this.#kind = `${start.url} ${isAwaited}`;
    const kept = options.isKept ? keptThreads.take(this.#kind) : undefined;
    if (kept === undefined && options.youngMebibytes !== undefined) keptThreads.makeRoom();
    this.#worker = kept ?? startWorker(start, options.youngMebibytes);
    // What it dies of is told by its user, where it has one.
    if (kept === undefined) this.#worker.on('error', () => {}).once('online', () => this.#begun.resolve());
    else this.#begun.resolve();
    // Told to whoever asks; with no question open it is nobody's.
    this.#end.promise.catch(() => {
      this.#isOver = true;
    });
    options.signal?.addEventListener('abort', this.#abort, { once: true });
    this.#worker.on('error', this.#died);
    this.#worker.on('exit', this.#exit);
    if (options.memoryBytes !== undefined) void this.#watchMemory(options.memoryBytes, kept !== undefined);
  }

  /** Once it runs, its module still to be loaded: what begins before may be given the room that this one is to have. Rejects as `ask` does. */
  begun(): Promise<void> {
    return Promise.race([this.#begun.promise, this.#end.promise]);
  }

  /** Rejects with what `work` throws, with the reason of the signal, with `ThreadLimit`, and when the thread dies. */
  async ask(input: Input, options: AskOptions = {}): Promise<Output> {
    this.#asked += 1;
    const output = await this.#send({ question: input }, options);
    this.#answered += 1;
    return output as Output;
  }

  async #send(sent: Sent, { transfer = [], withinMs, processorMs }: AskOptions) {
    const answered = Promise.withResolvers<unknown>();
    const answer = ({ output, error }: Answer<unknown>) =>
      error === undefined ? answered.resolve(output) : answered.reject(error);
    this.#worker.once('message', answer);
    const timer = withinMs === undefined ? undefined : setTimeout(() => this.#endAfter(withinMs), withinMs);
    const stopLimit = processorMs === undefined ? () => {} : this.#limit(processorMs);
    try {
      this.#worker.postMessage(sent, transfer);
      return await Promise.race([answered.promise, this.#end.promise]);
    } finally {
      clearTimeout(timer);
      stopLimit();
      this.#worker.off('message', answer);
    }
  }

  /** What the thread has used of a processor, in milliseconds; null where that cannot be said. */
  async #usedMs(): Promise<number | null> {
    try {
      // Not in every version of Node that runs the server.
      const used = await (this.#worker as Partial<Pick<Worker, 'cpuUsage'>>).cpuUsage?.call(this.#worker);
      return used === undefined ? null : (used.user + used.system) / 1_000;
    } catch {
      // It has not begun, or has ended.
      return 0;
    }
  }

  #endAfter(timeMs: number): void {
    this.#end.reject(new ThreadLimit(`No answer within ${timeMs} ms`));
  }

  /** Ends the thread once its question has used `processorMs`; what it answers stops that. */
  #limit(processorMs: number): () => void {
    const end = () => this.#endAfter(processorMs);
    const before = this.#usedMs();
    let isAnswered = false;
    const look = async () => {
      const [from, to] = [await before, await this.#usedMs()];
      if (isAnswered) return;
      const leftMs = from === null || to === null ? 0 : processorMs - (to - from);
      if (leftMs > 0) timer = setTimeout(look, Math.ceil(leftMs));
      else end();
    };
    let timer = setTimeout(look, processorMs);
    const last = setTimeout(end, processorMs * STARVED_TIMES);
    return () => {
      isAnswered = true;
      clearTimeout(timer);
      clearTimeout(last);
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const isKept = await this.#hasForgotten();
    this.#options.signal?.removeEventListener('abort', this.#abort);
    this.#watch.abort();
    this.#worker.off('error', this.#died);
    this.#worker.off('exit', this.#exit);
    if (isKept) await keptThreads.keep(this.#kind, this.#worker);
    else await this.#worker.terminate();
  }

  /** Whether it may be asked by somebody else: it answered all that it was asked, and holds nothing of it. */
  async #hasForgotten(): Promise<boolean> {
    if (!this.#options.isKept || this.#asked === 0 || this.#answered < this.#asked || this.#isOver) return false;
    try {
      const isSound = await this.#send('forget', { withinMs: FORGET_MS });
      const { used_heap_size, external_memory } = await this.#worker.getHeapStatistics();
      return isSound === true && used_heap_size + external_memory <= KEPT_BYTES && !this.#isOver;
    } catch {
      // It is ended, and whoever used it has their answers.
      return false;
    }
  }

  /**
   * From outside, since the engine's own limits of a thread do not count buffers, and end the whole process when one allocation
   * is larger than what is left.
   */
  async #watchMemory(memoryBytes: number, isOnline: boolean): Promise<void> {
    const { signal } = this.#watch;
    try {
      if (!isOnline) await once(this.#worker, 'online', { signal });
      while (!signal.aborted) {
        const { used_heap_size, external_memory } = await this.#worker.getHeapStatistics();
        // Whoever has it now has bounds of their own.
        if (signal.aborted) return;
        if (used_heap_size + external_memory > memoryBytes) {
          this.#end.reject(new ThreadLimit(`More memory than ${memoryBytes} bytes`));
          await this.#worker.terminate();
        }
        await delay(WATCH_MS, undefined, { signal, ref: false });
      }
    } catch {
      // The thread has ended, or nobody waits for it any more.
    }
  }
}

/** The bytes in memory of their own, which may be transferred. */
export function movable(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer } = bytes;
  return buffer instanceof ArrayBuffer && buffer.byteLength === bytes.length
    ? new Uint8Array(buffer)
    : new Uint8Array(bytes);
}
