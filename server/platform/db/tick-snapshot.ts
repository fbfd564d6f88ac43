// Snapshots of an SQLite database that the requests of one turn of the event loop share.

/** A connection that only reads. */
interface Reading {
  rows<Row>(text: string, parameters: readonly unknown[]): Row[];
}

/**
 * One snapshot for all that the requests of one turn of the event loop read, since taking one costs as much as a small query.
 * It begins when a request asks for its version, so after the request came, and ends with the turn or with a transaction of this process:
 * nobody reads anything older than their own request.
 */
export class TickSnapshot {
  readonly #connection: Reading;
  #version: number | null = null;

  constructor(connection: Reading) {
    this.#connection = connection;
  }

  /** The number of the last commit, by any connection but this one, which never commits. */
  version(): number {
    if (this.#version === null) {
      this.#connection.rows('begin', []);
      try {
        const [row] = this.#connection.rows<{ data_version: number }>('pragma data_version', []);
        if (row === undefined) throw new Error('SQLite reports no data_version');
        this.#version = row.data_version;
      } catch (error) {
        this.#connection.rows('rollback', []);
        throw error;
      }
      setImmediate(() => this.end());
    }
    return this.#version;
  }

  end(): void {
    if (this.#version === null) return;
    this.#version = null;
    this.#connection.rows('commit', []);
  }
}
