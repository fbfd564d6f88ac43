// Work of every kind for a thread, for tests of what it answers and of when it is ended.

export type ThreadWork = 'count' | 'throw' | 'exit' | 'heap' | 'buffers' | 'endless';

const kept: unknown[] = [];
let asked = 0;

/** How often it was asked, when it answers at all. */
export function work(kind: ThreadWork): number {
  asked += 1;
  if (kind === 'throw') throw new RangeError('This is not to be done');
  if (kind === 'exit') process.exit(7);
  while (kind === 'endless') asked += 1;
  while (kind === 'heap') kept.push(Array.from({ length: 1_000 }, (_, at) => ({ at })));
  while (kind === 'buffers') kept.push(new Uint8Array(1_000_000).fill(1));
  return asked;
}
