// The threads that read an SQLite file off the event loop: started when first needed, each with one query at a time.
import { Worker } from 'node:worker_threads';
import type { ReaderAnswer, ReaderRequest } from './sqlite-reader.ts';

/** More would take the processors from those who answer. */
const READERS_MAX = 2;
/** The same limit as PostgreSQL's statement timeout. */
const QUERY_MAX_MS = 15_000;

interface Waiting {
  readonly sql: string;
  readonly parameters: readonly unknown[];
  readonly resolve: (rows: readonly unknown[]) => void;
  readonly reject: (error: Error) => void;
}

/** A query that was ended because it took too long. */
class QueryTookTooLong extends Error {
  override readonly name = 'QueryTookTooLong';
}

const closedError = () => new Error('The database is closed');

interface Reader {
  readonly worker: Worker;
  asked: { readonly id: number; readonly waiting: Waiting; readonly timer: NodeJS.Timeout } | null;
}

/** Queries in the order in which they come, by as many threads as are needed and allowed. */
export class SqliteReaders {
  readonly #path: string;
  readonly #queue: Waiting[] = [];
  readonly #readers = new Set<Reader>();
  #nextId = 1;
  #closed = false;

  constructor(path: string) {
    this.#path = path;
  }

  /** The rows of a query. Rejects with the engine's error, or QueryTookTooLong after 15 seconds. */
  rows<Row>(sql: string, parameters: readonly unknown[]): Promise<Row[]> {
    if (this.#closed) return Promise.reject(closedError());
    return new Promise<readonly unknown[]>((resolve, reject) => {
      this.#queue.push({ sql, parameters, resolve, reject });
      this.#ask();
    }) as Promise<Row[]>;
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const { reject } of this.#queue.splice(0)) reject(closedError());
    await Promise.all([...this.#readers].map(({ worker }) => worker.terminate()));
  }

  #ask(): void {
    if (this.#queue.length === 0) return;
    const reader = [...this.#readers].find(({ asked }) => asked === null) ?? this.#start();
    if (reader === null) return;
    const waiting = this.#queue.shift();
    if (waiting === undefined) return;
    const id = this.#nextId;
    this.#nextId += 1;
    const timer = setTimeout(() => {
      waiting.reject(new QueryTookTooLong(`A query took longer than ${QUERY_MAX_MS} ms`));
      reader.asked = null;
      this.#end(reader);
    }, QUERY_MAX_MS);
    reader.asked = { id, waiting, timer };
    reader.worker.ref();
    reader.worker.postMessage({ id, sql: waiting.sql, parameters: waiting.parameters } satisfies ReaderRequest);
  }

  #start(): Reader | null {
    if (this.#readers.size >= READERS_MAX) return null;
    const worker = new Worker(new URL('./sqlite-reader.ts', import.meta.url), { workerData: { path: this.#path } });
    // An idle thread keeps no process alive.
    worker.unref();
    const reader: Reader = { worker, asked: null };
    worker.on('message', (answer: ReaderAnswer) => {
      if (reader.asked?.id !== answer.id) return;
      const { waiting, timer } = reader.asked;
      clearTimeout(timer);
      reader.asked = null;
      worker.unref();
      if ('error' in answer) waiting.reject(answer.error);
      else waiting.resolve(answer.rows);
      this.#ask();
    });
    worker.on('error', (error) => this.#fail(reader, error as Error));
    worker.on('exit', () => this.#fail(reader, new Error('A thread that reads the database ended')));
    this.#readers.add(reader);
    return reader;
  }

  #fail(reader: Reader, error: Error): void {
    if (reader.asked !== null) {
      clearTimeout(reader.asked.timer);
      reader.asked.waiting.reject(error);
      reader.asked = null;
    }
    this.#readers.delete(reader);
    this.#ask();
  }

  #end(reader: Reader): void {
    this.#readers.delete(reader);
    void reader.worker.terminate();
    this.#ask();
  }
}
