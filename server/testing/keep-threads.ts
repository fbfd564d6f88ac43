// Loaded before tests and into servers of browser tests: a thread waits longer for its next user, since to start one takes as long as many a test,
// and gives way to nobody, since tests keep the processors busy and would leave it none.
import { isMainThread } from 'node:worker_threads';

if (isMainThread) {
  const { Thread } = await import('../platform/jobs/thread.ts');
  Thread.keptMs = 60_000;
  Thread.givesWay = false;
}
