// A clock that stands until a test moves it, so that what waits is judged alike on a quiet machine and on a busy one.
import type { Clock } from '../platform/clock.ts';

interface Wait {
  dueMs: number;
  readonly act: () => void;
  readonly everyMs?: number;
}

export class HandClock implements Clock {
  #nowMs = 0;
  readonly #waits = new Set<Wait>();

  nowMs(): number {
    return this.#nowMs;
  }

  after(ms: number, act: () => void): () => void {
    return this.#add({ dueMs: this.#nowMs + ms, act });
  }

  every(ms: number, act: () => void): () => void {
    return this.#add({ dueMs: this.#nowMs + ms, act, everyMs: ms });
  }

  /** How many wait now: what is to be judged by this clock has to wait before it is moved. */
  get waiting(): number {
    return this.#waits.size;
  }

  /** Lets `byMs` pass: what is due meanwhile happens in its order, each at its time. */
  advance(byMs: number): void {
    const untilMs = this.#nowMs + byMs;
    for (let next = this.#nextWithin(untilMs); next !== undefined; next = this.#nextWithin(untilMs)) {
      this.#nowMs = next.dueMs;
      if (next.everyMs === undefined) this.#waits.delete(next);
      else next.dueMs += next.everyMs;
      next.act();
    }
    this.#nowMs = untilMs;
  }

  #add(wait: Wait): () => void {
    this.#waits.add(wait);
    return () => this.#waits.delete(wait);
  }

  #nextWithin(untilMs: number): Wait | undefined {
    const [next] = [...this.#waits].filter(({ dueMs }) => dueMs <= untilMs).toSorted((a, b) => a.dueMs - b.dueMs);
    return next;
  }
}
