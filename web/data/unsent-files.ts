// The files that were dropped into a batch and are not sent yet, remembered over a reload: this tab alone, and until somebody signs out.
import { getSession, isInside, onSessionChange } from '#web/lib/session.ts';

export interface Unsent {
  /** How many were dropped. */
  readonly total: number;
  readonly names: readonly string[];
}

const UNSENT = 'coffer-unsent-';

/** A browser that keeps nothing has nothing to remember. */
function quietly<Result>(act: () => Result, otherwise: Result): Result {
  try {
    return act();
  } catch {
    return otherwise;
  }
}

/** What was being sent when somebody signed out fails afterwards: nothing is remembered of it. */
export function rememberUnsent(batchId: number, unsent: Unsent): void {
  quietly(() => {
    if (unsent.names.length === 0 || !isInside()) sessionStorage.removeItem(`${UNSENT}${batchId}`);
    else sessionStorage.setItem(`${UNSENT}${batchId}`, JSON.stringify(unsent));
  }, undefined);
}
export const forgetUnsent = (batchId: number) => rememberUnsent(batchId, { total: 0, names: [] });
export const readUnsent = (batchId: number) =>
  quietly(() => JSON.parse(sessionStorage.getItem(`${UNSENT}${batchId}`) ?? 'null') as Unsent | null, null);

onSessionChange(() => {
  if (getSession() !== null) return;
  quietly(() => {
    for (const key of Object.keys(sessionStorage)) if (key.startsWith(UNSENT)) sessionStorage.removeItem(key);
  }, undefined);
});
