// The end of a process that serves or works: in order at the first signal, at once at another one.
import process from 'node:process';
import closeWithGrace from 'close-with-grace';

/** Where a whole group of processes gets a signal, `npm start` passes it on once more. */
const SAME_SIGNAL_MS = 2_000;
const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/** `end` has `delayMs`; it is told the fault that nobody caught, where that is why. */
export function endInOrder(delayMs: number, end: (fault: Error | undefined) => Promise<void>): void {
  let [isEnding, firstAtMs]: [boolean, number | null] = [false, null];
  const { close } = closeWithGrace({ delay: delayMs, skip: [...SIGNALS] }, ({ err }) => {
    isEnding = true;
    return end(err);
  });
  const onSignal = (signal: NodeJS.Signals) => {
    const nowMs = performance.now();
    if (firstAtMs === null) {
      firstAtMs = nowMs;
      // A fault may have begun it.
      if (!isEnding) close();
    } else if (nowMs - firstAtMs > SAME_SIGNAL_MS) {
      process.stderr.write(`second ${signal}, exiting\n`);
      process.exit(1);
    }
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
}
