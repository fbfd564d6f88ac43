// Makes commits on SQLite durable off the event loop, for many requests at once.
import { closeSync, fdatasync, openSync } from 'node:fs';
import { promisify } from 'node:util';

/** Resolves once all that was written to the open file is on the disk; rejects where that is uncertain. */
export type FlushFile = (file: number) => Promise<void>;

export const flushToDisk: FlushFile = promisify(fdatasync);

/** The write-ahead log of one database file. SQLite never puts another file in its place while a connection is open. */
export class WalFlush {
  readonly #path: string;
  readonly #flushFile: FlushFile;
  #file: number | undefined;
  #suspect = false;

  /** `path`: the log's own. */
  constructor(path: string, flushFile: FlushFile) {
    this.#path = path;
    this.#flushFile = flushFile;
  }

  /** Resolves when everything committed before the call is durable. */
  async flush(): Promise<void> {
    this.#file ??= openSync(this.#path, 'r+');
    try {
      await this.#flushFile(this.#file);
    } catch (error) {
      this.#suspect = true;
      throw error;
    }
  }

  /**
   * To be called before each transaction. After a flush that failed, the system may take pages for written that are not, and
   * no later flush says anything about them: `emptyLog` must then move what they hold into the database first.
   */
  afterFailedFlush(emptyLog: () => void): void {
    if (!this.#suspect) return;
    emptyLog();
    this.#suspect = false;
  }

  /** To be called once every connection is closed. */
  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
  }
}
