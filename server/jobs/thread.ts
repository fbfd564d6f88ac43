// Runs work that keeps a processor busy in a thread of its own, so that the event loop continues to answer.
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { type TransferListItem, Worker } from 'node:worker_threads';

/**
 * What a module that runs in a thread exports. Input and output are copied, or moved where they are transferred. A thread loads
 * it anew, so that what it keeps in variables lasts from one call to the next and no longer than the thread.
 */
export interface ThreadModule<Input, Output> {
  work(input: Input): Output | Promise<Output>;
}

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
  /** Somebody waits for its answers: it need not give way to short work, as a thread does otherwise. */
  readonly isAwaited?: boolean;
}

/** What a thread is started with. */
export interface ThreadStart {
  readonly url: string;
  readonly isAwaited: boolean;
}

export interface AskOptions {
  /** Gone from this side afterwards. */
  readonly transfer?: readonly TransferListItem[];
  /** The thread is ended when there is no answer by then. */
  readonly withinMs?: number;
}

/** How often a thread's memory is looked at. Inflating, the fastest way to fill it, makes some hundred megabytes a second. */
const WATCH_MS = 50;

/** A thread that answers one question after another, until it is disposed of. */
export class Thread<Input, Output> implements AsyncDisposable {
  readonly #worker: Worker;
  readonly #options: ThreadOptions;
  /** Rejects when the thread can answer no more. */
  readonly #end = Promise.withResolvers<never>();
  readonly #watch = new AbortController();
  readonly #abort = () => this.#end.reject(this.#options.signal?.reason);

  constructor(url: URL, options: ThreadOptions = {}) {
    options.signal?.throwIfAborted();
    this.#options = options;
    const start: ThreadStart = { url: url.href, isAwaited: options.isAwaited ?? false };
    this.#worker = new Worker(new URL('./thread-entry.ts', import.meta.url), { workerData: start });
    // Told to whoever asks; with no question open it is nobody's.
    this.#end.promise.catch(() => {});
    options.signal?.addEventListener('abort', this.#abort, { once: true });
    this.#worker.on('error', this.#end.reject);
    this.#worker.once('exit', (code) => this.#end.reject(new Error(`The thread ended with ${code}`)));
    if (options.memoryBytes !== undefined) void this.#watchMemory(options.memoryBytes);
  }

  /** Rejects with what `work` throws, with the reason of the signal, with `ThreadLimit`, and when the thread dies. */
  async ask(input: Input, { transfer = [], withinMs }: AskOptions = {}): Promise<Output> {
    const answered = Promise.withResolvers<Output>();
    const answer = ({ output, error }: Answer<Output>) =>
      error === undefined ? answered.resolve(output as Output) : answered.reject(error);
    this.#worker.once('message', answer);
    const timer =
      withinMs === undefined
        ? undefined
        : setTimeout(() => this.#end.reject(new ThreadLimit(`No answer within ${withinMs} ms`)), withinMs);
    try {
      this.#worker.postMessage(input, transfer);
      return await Promise.race([answered.promise, this.#end.promise]);
    } finally {
      clearTimeout(timer);
      this.#worker.off('message', answer);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#options.signal?.removeEventListener('abort', this.#abort);
    this.#watch.abort();
    await this.#worker.terminate();
  }

  /**
   * From outside, since the engine's own limits of a thread do not count buffers, and end the whole process when one allocation
   * is larger than what is left.
   */
  async #watchMemory(memoryBytes: number): Promise<void> {
    const { signal } = this.#watch;
    try {
      await once(this.#worker, 'online', { signal });
      while (!signal.aborted) {
        const { used_heap_size, external_memory } = await this.#worker.getHeapStatistics();
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

/**
 * Runs `work` of the module at `url` in a thread. Rejects with what it throws, with the reason of `signal` once that is aborted
 * (the thread is ended wherever it is), and when the thread dies. `transfer` is gone from this side afterwards.
 */
export async function runInThread<Input, Output>(
  url: URL,
  input: Input,
  { signal, transfer }: { readonly signal?: AbortSignal; readonly transfer?: readonly TransferListItem[] } = {},
): Promise<Output> {
  await using thread = new Thread<Input, Output>(url, { signal });
  return await thread.ask(input, { transfer: transfer ?? [] });
}
