// Which rows of a list have an act under way, each until its own answer: a mutation knows of its latest call alone.
import { useState } from 'react';

export interface RowsUnderWay<Key> {
  readonly any: boolean;
  readonly has: (key: Key) => boolean;
  /** Does `act`; the row is busy until it has ended. */
  readonly run: (key: Key, act: () => Promise<void>) => Promise<void>;
}

export function useRowsUnderWay<Key extends string | number>(): RowsUnderWay<Key> {
  const [keys, setKeys] = useState<ReadonlySet<Key>>(new Set());
  return {
    any: keys.size > 0,
    has: (key) => keys.has(key),
    run: async (key, act) => {
      setKeys((before) => new Set([...before, key]));
      try {
        await act();
      } finally {
        setKeys((before) => new Set([...before].filter((other) => other !== key)));
      }
    },
  };
}
