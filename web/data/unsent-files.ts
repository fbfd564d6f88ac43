// Which of the files dropped into a batch were not sent yet, remembered by name over a reload: this tab alone, and until somebody signs out.
import { getSession, onSessionChange } from '#web/lib/session.ts';

export interface Unsent {
  /** How many were dropped. */
  readonly total: number;
  readonly names: readonly string[];
}

const PREFIX = 'coffer-unsent-';
const keyOf = (batchId: number) => `${PREFIX}${batchId}`;

/** A browser that keeps nothing has nothing to remember. */
function quietly<Result>(act: () => Result, otherwise: Result): Result {
  try {
    return act();
  } catch {
    return otherwise;
  }
}

export function rememberUnsent(batchId: number, unsent: Unsent): void {
  quietly(() => {
    if (unsent.names.length === 0) sessionStorage.removeItem(keyOf(batchId));
    else sessionStorage.setItem(keyOf(batchId), JSON.stringify(unsent));
  }, undefined);
}

export const forgetUnsent = (batchId: number) => rememberUnsent(batchId, { total: 0, names: [] });

export function readUnsent(batchId: number): Unsent | null {
  return quietly(() => JSON.parse(sessionStorage.getItem(keyOf(batchId)) ?? 'null') as Unsent | null, null);
}

onSessionChange(() => {
  if (getSession() !== null) return;
  quietly(() => {
    for (const key of Object.keys(sessionStorage)) if (key.startsWith(PREFIX)) sessionStorage.removeItem(key);
  }, undefined);
});
