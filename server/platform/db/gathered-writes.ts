// Group commit: collects what concurrent requests write; each waits for its own item, and one flush serves them all.
import type { Kysely } from 'kysely';
import type { Database } from './database.ts';
import type { Schema } from './schema.ts';

interface Waiting<Item> {
  readonly item: Item;
  readonly done: (isWritten: boolean) => void;
  readonly failed: (error: unknown) => void;
}

/** One transaction for all items that have come by then; `at` is its time, in ms since the epoch. Answers the items that it left out, if any. */
type WriteAll<Item> = (
  tx: Kysely<Schema>,
  items: readonly Item[],
  at: number,
) => Promise<ReadonlySet<Item> | undefined>;

export class GatheredWrites<Item> {
  readonly #database: Database;
  readonly #now: () => number;
  readonly #writeAll: WriteAll<Item>;
  #waiting: Waiting<Item>[] = [];
  #flushing = false;

  constructor(database: Database, now: () => number, writeAll: WriteAll<Item>) {
    this.#database = database;
    this.#now = now;
    this.#writeAll = writeAll;
  }

  /** Resolves once the item is written and durable, with false where it was left out; rejects where it cannot be made so. */
  write(item: Item): Promise<boolean> {
    const { promise, resolve, reject } = Promise.withResolvers<boolean>();
    this.#waiting.push({ item, done: resolve, failed: reject });
    if (!this.#flushing) {
      this.#flushing = true;
      setImmediate(() => void this.#flush());
    }
    return promise;
  }

  async #flush(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting;
      this.#waiting = [];
      const items = batch.map(({ item }) => item);
      try {
        const leftOut = await this.#database.transactionFlushedBeside((tx) => this.#writeAll(tx, items, this.#now()));
        for (const { item, done } of batch) done(leftOut?.has(item) !== true);
      } catch (error) {
        for (const { failed } of batch) failed(error);
      }
    }
    this.#flushing = false;
  }
}
