// What went wrong with the place of the files, counted for whoever watches the portal.

export type StoreOperation = 'write' | 'read' | 'remove' | 'check';

export class StoreFaults {
  readonly #counts: Record<StoreOperation, number> = { write: 0, read: 0, remove: 0, check: 0 };

  get counts(): Readonly<Record<StoreOperation, number>> {
    return this.#counts;
  }

  note(operation: StoreOperation): void {
    this.#counts[operation] += 1;
  }

  /** Resolves or rejects as `work` does, and counts where it rejects. */
  async of<Result>(operation: StoreOperation, work: Promise<Result>): Promise<Result> {
    try {
      return await work;
    } catch (error) {
      this.note(operation);
      throw error;
    }
  }
}
