// What something costs this process, in time of the processor: on a busy machine the clock counts others as well, and on a slow one
// no number of milliseconds holds, so that one piece of work is compared with another.
import process from 'node:process';

/** The least that each of `works` took in `rounds` rounds, in ms; they take turns, so that all meet the same machine. */
export async function leastWorkMs<Name extends string>(
  works: Readonly<Record<Name, () => unknown>>,
  rounds = 5,
): Promise<Record<Name, number>> {
  const names = Object.keys(works) as Name[];
  const least = Object.fromEntries(names.map((name) => [name, Number.POSITIVE_INFINITY])) as Record<Name, number>;
  for (let round = 0; round < rounds; round += 1) {
    for (const name of names) {
      const before = process.cpuUsage();
      await works[name]();
      const { user, system } = process.cpuUsage(before);
      least[name] = Math.min(least[name], (user + system) / 1000);
    }
  }
  return least;
}
