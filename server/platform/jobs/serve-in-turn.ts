// Work that waits as rows of many people, taken in turn: whoever has much of it waits behind themselves.

import { Refusal } from '#contract/errors.ts';
import { isDatabaseAway, isDatabaseFull } from '../db/violations.ts';
import { MissingKey } from '../key-file.ts';

/** Whether a piece was no try at all: its run was ended meanwhile, or the database or the store was away or full. */
export function isNoTry(error: unknown, { aborted }: AbortSignal): boolean {
  if (aborted) return true;
  // Its key may be missing for good: it counts, or it would be the next one in each run.
  if (error instanceof Refusal && error.cause instanceof MissingKey) return false;
  if (error instanceof Refusal) return error.code === 'unavailable' || error.code === 'storage_full';
  return isDatabaseAway(error) || isDatabaseFull(error);
}

export interface Turns {
  /** So many people are served at once; one of them never twice. */
  readonly atOnce: number;
  readonly signal: AbortSignal;
  /** The person with the lowest id above `id` for whom something waits; null where there is none. */
  personAfter(id: number): Promise<number | null>;
  /** Does a piece of what waits for a person; short, since others wait meanwhile. */
  serve(person: number): Promise<void>;
}

/** Serves one person after the other, round and round, until nothing waits. What one piece fails with ends all, once the others have ended. */
export async function serveInTurn({ atOnce, signal, personAfter, serve }: Turns): Promise<void> {
  const served = new Map<number, Promise<void>>();
  let fault: { readonly error: unknown } | null = null;
  let last = -1;

  async function next(): Promise<number | null> {
    for (const [from, upTo] of [
      [last, Number.POSITIVE_INFINITY],
      [-1, last],
    ] as const) {
      let person = await personAfter(from);
      while (person !== null && person <= upTo && served.has(person)) person = await personAfter(person);
      if (person !== null && person <= upTo) return person;
    }
    return null;
  }

  try {
    for (;;) {
      signal.throwIfAborted();
      if (fault !== null) throw (fault as { readonly error: unknown }).error;
      const person = served.size < atOnce ? await next() : null;
      if (person !== null) {
        last = person;
        const piece = serve(person)
          .catch((error) => {
            fault ??= { error };
          })
          .finally(() => served.delete(person));
        served.set(person, piece);
      } else if (served.size === 0) {
        if (fault === null) return;
      } else {
        await Promise.race(served.values());
      }
    }
  } finally {
    await Promise.all(served.values());
  }
}
