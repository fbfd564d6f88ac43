// Tries at passwords, one after the other, and as if there had been none.
import type { TestApp } from './test-app.ts';

export async function inTurn<Result>(count: number, work: (nth: number) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  for (let nth = 0; nth < count; nth += 1) results.push(await work(nth));
  return results;
}

/** Clears every try at a password: what was tried is not counted for what follows. */
export async function forgetTries({ database }: Pick<TestApp, 'database'>): Promise<void> {
  await database.transaction((tx) => tx.deleteFrom('attempts').execute());
}
