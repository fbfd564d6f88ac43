// A queue that serves its keys in turns: a person or a network that asks much waits behind itself, and nobody else does.
import { refuse } from '#contract/errors.ts';
import type { Caller } from './caller.ts';

export interface Share {
  /** So much runs at once, of all keys together. */
  readonly atOnce: number;
  /** So much of one key runs at once. */
  readonly atOnceOfOne: number;
  /** So much of one key waits; whatever comes on top is refused at once. */
  readonly waitingOfOne: number;
  /** So much waits, of all keys together. */
  readonly waiting: number;
}

interface Waiting {
  begin(): void;
}

/** What is known of a key while something of it runs or waits. */
interface Line {
  running: number;
  readonly waiting: Set<Waiting>;
}

export class FairTurns {
  readonly #share: Share;
  /** In the order of their turns: whose work has just begun comes last. */
  readonly #lines = new Map<string, Line>();
  #running = 0;
  #waiting = 0;

  constructor(share: Share) {
    this.#share = share;
  }

  /**
   * Does `work` when it is the turn of `key`, and tells it whether it had to wait. Refuses `busy` where too much waits already, and where the caller leaves before the work
   * has begun: then it never begins. Resolves or rejects as `work` does.
   */
  async run<Result>(key: string, caller: Caller, work: (waited: boolean) => Promise<Result>): Promise<Result> {
    if (caller.destroyed) throw refuse('busy');
    const line = this.#lines.get(key) ?? { running: 0, waiting: new Set() };
    this.#lines.set(key, line);
    // What waits goes first, or it would be overtaken for ever.
    const waits = line.waiting.size > 0 || !this.#isFree(line);
    if (waits) await this.#waitsIn(key, line, caller);
    else this.#begins(key, line);
    try {
      return await work(waits);
    } finally {
      line.running -= 1;
      this.#running -= 1;
      this.#forget(key, line);
      this.#letBegin();
    }
  }

  /** How much waits. */
  get waiting(): number {
    return this.#waiting;
  }

  #isFree(line: Line): boolean {
    return this.#running < this.#share.atOnce && line.running < this.#share.atOnceOfOne;
  }

  #begins(key: string, line: Line): void {
    line.running += 1;
    this.#running += 1;
    this.#lines.delete(key);
    this.#lines.set(key, line);
  }

  #waitsIn(key: string, line: Line, caller: Caller): Promise<void> {
    if (line.waiting.size >= this.#share.waitingOfOne || this.#waiting >= this.#share.waiting) {
      this.#forget(key, line);
      return Promise.reject(refuse('busy'));
    }
    return new Promise((begin, reject) => {
      const one: Waiting = {
        begin: () => {
          caller.removeListener('close', leave);
          begin();
        },
      };
      const leave = () => {
        line.waiting.delete(one);
        this.#waiting -= 1;
        this.#forget(key, line);
        reject(refuse('busy'));
      };
      caller.once('close', leave);
      line.waiting.add(one);
      this.#waiting += 1;
    });
  }

  #letBegin(): void {
    if (this.#waiting === 0) return;
    for (const [key, line] of this.#lines) {
      if (this.#running >= this.#share.atOnce) return;
      const [next] = line.waiting;
      if (next === undefined || !this.#isFree(line)) continue;
      line.waiting.delete(next);
      this.#waiting -= 1;
      // The loop meets the key again at its end, after the others.
      this.#begins(key, line);
      next.begin();
    }
  }

  #forget(key: string, line: Line): void {
    if (line.running === 0 && line.waiting.size === 0) this.#lines.delete(key);
  }
}
