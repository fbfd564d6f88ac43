// Whoever waits for an answer, as far as a queue has to know: that they have left.

/** A connection, by its socket. */
export interface Caller {
  readonly destroyed: boolean;
  once(event: 'close', left: () => void): unknown;
  removeListener(event: 'close', left: () => void): unknown;
}
