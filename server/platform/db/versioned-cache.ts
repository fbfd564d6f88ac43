// A cache that is valid exactly as long as nothing in the database has changed.
import type { Database } from './database.ts';

const KEPT_MAX = 1_000;

/** Values by key, cleared by every commit of any process; on an engine without versions nothing is cached. */
export class VersionedCache<Asked, Value extends object> {
  readonly #database: Pick<Database, 'version'>;
  readonly #kept = new Map<Asked, Value>();
  #version: number | null = null;

  constructor(database: Pick<Database, 'version'>) {
    this.#database = database;
  }

  /** The current value for `asked`: the cached one, or what `read` finds. A missing value is not cached. */
  async get(asked: Asked, read: () => Promise<Value | undefined>): Promise<Value | undefined> {
    // Before the read: what is read may then be newer than its version, never older.
    const version = this.#database.version();
    if (version === null) return read();
    if (version !== this.#version) {
      this.#kept.clear();
      this.#version = version;
    }
    const kept = this.#kept.get(asked);
    if (kept !== undefined) return kept;
    const value = await read();
    if (value !== undefined && this.#version === version) {
      if (this.#kept.size >= KEPT_MAX) this.#kept.clear();
      this.#kept.set(asked, value);
    }
    return value;
  }
}
