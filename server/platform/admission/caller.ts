// Whoever waits for an answer, as far as a queue has to know: that they have left.

/** A connection, by its socket. */
export interface Caller {
  readonly destroyed: boolean;
  once(event: 'close', left: () => void): unknown;
  removeListener(event: 'close', left: () => void): unknown;
}

/** Somebody who leaves when `signal` is aborted. */
export function callerUntil(signal: AbortSignal): Caller {
  return {
    get destroyed() {
      return signal.aborted;
    },
    once: (_close, left) => signal.addEventListener('abort', left, { once: true }),
    removeListener: (_close, left) => signal.removeEventListener('abort', left),
  };
}
