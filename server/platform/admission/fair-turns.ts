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
  readonly turn: number;
  begin(): void;
}

/** What is known of a key while something of it runs or waits. */
interface Line {
  running: number;
  /** The turn of what came last. */
  lastTurn: number;
  readonly waiting: Set<Waiting>;
}

/**
 * Start-time fair queueing (Goyal, Vin and Cheng, 1996): work takes the turn that is on, or the one after its key's last, and the
 * lowest turn begins next. So a key that comes with one request goes before another's third, and nobody waits for ever.
 */
export class FairTurns {
  readonly #share: Share;
  readonly #lines = new Map<string, Line>();
  /** The turn of what began last. */
  #turn = 0;
  #running = 0;
  #waiting = 0;
  #refused = 0;

  constructor(share: Share) {
    this.#share = share;
  }

  /**
   * Does `work` when it is the turn of `key`, and tells it whether it had to wait. Refuses `busy` where too much waits already, and where the caller leaves before the work
   * has begun: then it never begins. Resolves or rejects as `work` does.
   */
  async run<Result>(key: string, caller: Caller, work: (waited: boolean) => Promise<Result>): Promise<Result> {
    if (caller.destroyed) throw refuse('busy');
    const line = this.#lines.get(key) ?? { running: 0, lastTurn: Number.NEGATIVE_INFINITY, waiting: new Set() };
    this.#lines.set(key, line);
    // What waits in the line goes first.
    const waits = line.waiting.size > 0 || !this.#isFree(line);
    if (waits && (line.waiting.size >= this.#share.waitingOfOne || this.#waiting >= this.#share.waiting)) {
      this.#forget(key, line);
      this.#refused += 1;
      throw refuse('busy');
    }
    line.lastTurn = Math.max(this.#turn, line.lastTurn + 1);
    if (waits) await this.#waitsIn(key, line, caller);
    else this.#begins(line, line.lastTurn);
    try {
      return await work(waits);
    } finally {
      line.running -= 1;
      this.#running -= 1;
      this.#forget(key, line);
      this.#letBegin();
    }
  }

  /** How much is being done. */
  get running(): number {
    return this.#running;
  }

  /** How much waits. */
  get waiting(): number {
    return this.#waiting;
  }

  /** How much was refused because too much waited. */
  get refused(): number {
    return this.#refused;
  }

  #isFree(line: Line): boolean {
    return this.#running < this.#share.atOnce && line.running < this.#share.atOnceOfOne;
  }

  #begins(line: Line, turn: number): void {
    this.#turn = Math.max(this.#turn, turn);
    line.running += 1;
    this.#running += 1;
  }

  #waitsIn(key: string, line: Line, caller: Caller): Promise<void> {
    return new Promise((begin, reject) => {
      const one: Waiting = {
        turn: line.lastTurn,
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
    for (let next = this.#next(); next !== null; next = this.#next()) {
      const { line, first } = next;
      line.waiting.delete(first);
      this.#waiting -= 1;
      this.#begins(line, first.turn);
      first.begin();
    }
  }

  /** What may begin and has the lowest turn; of equal ones whose line is older. */
  #next(): { readonly line: Line; readonly first: Waiting } | null {
    let found: { readonly line: Line; readonly first: Waiting } | null = null;
    if (this.#waiting === 0) return found;
    for (const line of this.#lines.values()) {
      const [first] = line.waiting;
      if (first === undefined || !this.#isFree(line)) continue;
      if (found === null || first.turn < found.first.turn) found = { line, first };
    }
    return found;
  }

  #forget(key: string, line: Line): void {
    if (line.running === 0 && line.waiting.size === 0) this.#lines.delete(key);
  }
}
