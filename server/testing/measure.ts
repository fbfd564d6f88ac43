// How tests that measure (`*.measure.test.ts`) judge: by the median of several tries, and one thing against another in the same run,
// since no number of milliseconds holds on a slow machine.
import process from 'node:process';

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

/**
 * What each of `works` costs this process: the median of `tries`, in ms of the processor's time, because the clock would count whatever
 * else a busy machine does. They take turns, so that all meet the same machine.
 */
export async function workMs<Name extends string>(
  works: Readonly<Record<Name, () => unknown>>,
  tries = 5,
): Promise<Record<Name, number>> {
  const names = Object.keys(works) as Name[];
  const took = Object.fromEntries(names.map((name): [Name, number[]] => [name, []])) as Record<Name, number[]>;
  for (let nth = 0; nth < tries; nth += 1) {
    for (const name of names) {
      const before = process.cpuUsage();
      await works[name]();
      const { user, system } = process.cpuUsage(before);
      took[name].push((user + system) / 1000);
    }
  }
  return Object.fromEntries(names.map((name) => [name, median(took[name])])) as Record<Name, number>;
}

const LOOK_EVERY_MS = 20;

/** The most that the process took beyond what it had before, in bytes, threads included. */
export async function memoryPeakBytes(work: () => Promise<unknown>): Promise<number> {
  const before = process.memoryUsage.rss();
  let most = 0;
  const look = () => {
    most = Math.max(most, process.memoryUsage.rss() - before);
  };
  const watch = setInterval(look, LOOK_EVERY_MS);
  try {
    await work();
  } finally {
    clearInterval(watch);
    look();
  }
  return most;
}
