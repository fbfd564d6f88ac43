// The files that were dropped into a batch and are not sent yet, remembered over a reload: this tab alone, and until somebody signs out.
import { getSession, isInside, onSessionChange } from '#web/lib/session.ts';

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
export function rememberUnsent(batchId: number, names: readonly string[]): void {
  quietly(() => {
    if (names.length === 0 || !isInside()) sessionStorage.removeItem(`${UNSENT}${batchId}`);
    else sessionStorage.setItem(`${UNSENT}${batchId}`, JSON.stringify(names));
  }, undefined);
}
export const forgetUnsent = (batchId: number) => rememberUnsent(batchId, []);
export const readUnsent = (batchId: number): readonly string[] =>
  quietly(() => JSON.parse(sessionStorage.getItem(`${UNSENT}${batchId}`) ?? '[]') as readonly string[], []);

onSessionChange(() => {
  if (getSession() !== null) return;
  quietly(() => {
    for (const key of Object.keys(sessionStorage)) if (key.startsWith(UNSENT)) sessionStorage.removeItem(key);
  }, undefined);
});
