// What happened to files dropped into a batch and the server does not have, remembered over a reload: this tab alone, and until somebody signs out.
import { getSession, onSessionChange } from '#web/lib/session.ts';

export interface Unsent {
  /** How many were dropped. */
  readonly total: number;
  readonly names: readonly string[];
}

/** A file that does not come into the batch, and the sentence that says why. */
export interface LeftOut {
  readonly name: string;
  readonly reason: string;
}

const UNSENT = 'coffer-unsent-';
const LEFT_OUT = 'coffer-left-out-';

/** A browser that keeps nothing has nothing to remember. */
function quietly<Result>(act: () => Result, otherwise: Result): Result {
  try {
    return act();
  } catch {
    return otherwise;
  }
}

const read = <Kept>(key: string) =>
  quietly(() => JSON.parse(sessionStorage.getItem(key) ?? 'null') as Kept | null, null);

function keep(key: string, value: Unsent | readonly LeftOut[], isNothing: boolean): void {
  quietly(() => {
    if (isNothing) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, JSON.stringify(value));
  }, undefined);
}

export const rememberUnsent = (batchId: number, unsent: Unsent) =>
  keep(`${UNSENT}${batchId}`, unsent, unsent.names.length === 0);
export const forgetUnsent = (batchId: number) => rememberUnsent(batchId, { total: 0, names: [] });
export const readUnsent = (batchId: number) => read<Unsent>(`${UNSENT}${batchId}`);

/** Files that were left out stay known once the batch is read, for as long as it is looked at. */
export function rememberLeftOut(batchId: number, files: readonly LeftOut[]): void {
  const known = readLeftOut(batchId);
  const added = files.filter(({ name, reason }) => !known.some((one) => one.name === name && one.reason === reason));
  keep(`${LEFT_OUT}${batchId}`, [...known, ...added], known.length + added.length === 0);
}
export const readLeftOut = (batchId: number): readonly LeftOut[] =>
  read<readonly LeftOut[]>(`${LEFT_OUT}${batchId}`) ?? [];
export const forgetLeftOut = (batchId: number) => keep(`${LEFT_OUT}${batchId}`, [], true);

onSessionChange(() => {
  if (getSession() !== null) return;
  quietly(() => {
    for (const key of Object.keys(sessionStorage)) {
      if (key.startsWith(UNSENT) || key.startsWith(LEFT_OUT)) sessionStorage.removeItem(key);
    }
  }, undefined);
});
