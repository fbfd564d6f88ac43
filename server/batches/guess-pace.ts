// How fast somebody may try passwords at one file. It counts in this process alone: whoever tries may read the file's bytes anyway, and
// what is guessed opens that file only. So it keeps the server from being the one who guesses, and is no lock.
import { refuse, refuseTooMany } from '#contract/errors.ts';

const FREE_TRIES = 5;
const FIRST_WAIT_MS = 2_000;
const LONGEST_WAIT_MS = 60_000;
/** So long after the last wrong one, tries are free again. */
const FORGOTTEN_MS = 10 * 60_000;
/** Each is a thread and some copies of the file. */
const AT_ONCE = 2;

interface Tries {
  readonly wrong: number;
  readonly at: number;
}

const waitAfter = (wrong: number) =>
  wrong < FREE_TRIES ? 0 : Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (wrong - FREE_TRIES));

export class GuessPace {
  readonly #now: () => number;
  readonly #tries = new Map<string, Tries>();
  #running = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Lets `judge` try, which answers whether it was the right one. Refuses `too_many` and `busy`. */
  async judged<Result>(who: string, judge: () => Promise<{ readonly right: boolean; readonly result: Result }>) {
    this.#forget();
    const before = this.#tries.get(who) ?? { wrong: 0, at: 0 };
    const waitMs = before.at + waitAfter(before.wrong) - this.#now();
    if (waitMs > 0) throw refuseTooMany(Math.ceil(waitMs / 1_000));
    if (this.#running >= AT_ONCE) throw refuse('busy');
    this.#running += 1;
    // Counted before it is judged: many at once are many.
    const wrong = before.wrong + 1;
    this.#tries.set(who, { wrong, at: this.#now() });
    try {
      const { right, result } = await judge();
      if (right) this.#tries.delete(who);
      // What is waited for begins with the answer, however long that took.
      else this.#tries.set(who, { wrong: Math.max(wrong, this.#tries.get(who)?.wrong ?? 0), at: this.#now() });
      return result;
    } finally {
      this.#running -= 1;
    }
  }

  #forget(): void {
    const from = this.#now() - FORGOTTEN_MS;
    for (const [who, { at }] of this.#tries) if (at < from) this.#tries.delete(who);
  }
}
