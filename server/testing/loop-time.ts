// Time as this process had it: what it spent waiting for a processor on a busy machine is not counted.

/** Counts in steps of `stepMs`, several that come due at once as one; calling what it answers ends that and returns how many there were. */
export function countSteps(stepMs: number): () => number {
  let steps = 0;
  const timer = setInterval(() => {
    steps += 1;
  }, stepMs);
  return () => {
    clearInterval(timer);
    return steps;
  };
}
