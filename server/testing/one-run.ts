// A run of a job, for tests that call what it does themselves.

/** By the server itself, of no row, and told to nobody. */
export const oneRun = () => ({
  id: 0,
  attempt: 1,
  payload: {},
  principal: null,
  signal: new AbortController().signal,
  passOver() {},
  progress() {},
  pieceKept: async () => {},
  finish: async () => {},
});
