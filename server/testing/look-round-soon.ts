// Loaded into a server that is a process of its own, before its own code: new work in the background is found within a second, and what is
// new is told as soon. Its threads, which are given the same, look for none.
import { isMainThread } from 'node:worker_threads';

if (isMainThread) {
  const { Jobs } = await import('../platform/jobs/jobs.ts');
  Jobs.lookRoundEveryMs = 1_000;
  const { ROUNDS } = await import('../mail/digests/rounds.ts');
  ROUNDS.settlesMs = 1_000;
  ROUNDS.quietMs = 1_000;
}
