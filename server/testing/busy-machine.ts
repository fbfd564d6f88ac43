// Loaded before tests and into servers of browser tests, which keep the processors busy: a thread waits longer for its next user, since to start
// one takes as long as many a test, and gives way to nobody, who would leave it none; who waits for the wrong-client guard waits longer.
import { isMainThread } from 'node:worker_threads';

if (isMainThread) {
  const [{ Thread }, { patience }] = await Promise.all([
    import('../platform/jobs/thread.ts'),
    import('../batches/wrong-client/patience.ts'),
  ]);
  Thread.keptMs = 60_000;
  Thread.givesWay = false;
  Object.assign(patience, { turnMs: 60_000, readMs: 60_000 });
}
