// How long is waited for a connection of the database: the only one that writes on SQLite, one of the pool on PostgreSQL.

export class ConnectionWaits {
  #waiting = 0;
  #taken = 0;
  #waitedMs = 0;

  /** How much waits now. */
  get waiting(): number {
    return this.#waiting;
  }

  /** How often a connection was asked for, and waited for in vain or not. */
  get taken(): number {
    return this.#taken;
  }

  /** How long all of them have waited, in ms. */
  get waitedMs(): number {
    return this.#waitedMs;
  }

  /** Resolves or rejects as `connection` does. */
  async until<Connection>(connection: Promise<Connection>): Promise<Connection> {
    const begunMs = performance.now();
    this.#waiting += 1;
    try {
      return await connection;
    } finally {
      this.#waiting -= 1;
      this.#taken += 1;
      this.#waitedMs += performance.now() - begunMs;
    }
  }
}
