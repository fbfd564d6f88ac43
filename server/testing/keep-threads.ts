// Loaded before tests and into servers of browser tests: a thread waits longer for its next user, since to start one takes as long as many a test.
import { isMainThread } from 'node:worker_threads';

if (isMainThread) {
  const { Thread } = await import('../platform/jobs/thread.ts');
  Thread.keptMs = 60_000;
}
