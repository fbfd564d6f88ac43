// Who is told that something has changed: components, by `useSyncExternalStore`, and other code.

export interface Listeners {
  /** Calls `listener` whenever it is told; the answer stops it. */
  readonly add: (listener: () => void) => () => void;
  readonly tell: () => void;
}

export function newListeners(): Listeners {
  const all = new Set<() => void>();
  return {
    add(listener) {
      all.add(listener);
      return () => all.delete(listener);
    },
    tell() {
      for (const listener of all) listener();
    },
  };
}
