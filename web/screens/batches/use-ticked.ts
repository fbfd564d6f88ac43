// Which documents are ticked, to be decided together: those in which nothing can be changed any more are ticked no longer.
import { useMemo, useRef, useState } from 'react';
import type { DocumentRow } from '#contract/batches.ts';
import { type DocumentGroup, inOrder, mayChange } from './document-groups.ts';

export interface Ticked {
  /** In the order of the list. */
  readonly documents: readonly DocumentRow[];
  readonly has: (id: number) => boolean;
  readonly toggle: (id: number) => void;
  /** Ticks all from the one that was ticked last, or else from `from`, to this one. */
  readonly toggleTo: (id: number, from: number | null) => void;
  readonly all: () => void;
  /** Ticks these no more; all of them unless ids are given. */
  readonly clear: (ids?: readonly number[]) => void;
}

const NONE: ReadonlySet<number> = new Set();

export function useTicked(groups: readonly DocumentGroup[]): Ticked {
  const [ids, setIds] = useState(NONE);
  /** Where a range begins. */
  const last = useRef<number>(null);
  const documents = useMemo(
    () => (ids.size === 0 ? [] : inOrder(groups).filter((document) => ids.has(document.id) && mayChange(document))),
    [groups, ids],
  );
  const kept = useMemo(() => new Set(documents.map(({ id }) => id)), [documents]);
  const add = (more: readonly DocumentRow[]) =>
    setIds(new Set([...kept, ...more.filter(mayChange).map(({ id }) => id)]));

  return {
    documents,
    has: (id) => kept.has(id),
    toggle: (id) => {
      last.current = id;
      if (kept.has(id)) setIds(new Set([...kept].filter((each) => each !== id)));
      else add(inOrder(groups).filter((document) => document.id === id));
    },
    toggleTo: (id, from) => {
      const all = inOrder(groups);
      const placeOf = (wanted: number | null) => all.findIndex((document) => document.id === wanted);
      const to = placeOf(id);
      const began = last.current !== null && kept.has(last.current) ? placeOf(last.current) : placeOf(from);
      const at = began < 0 ? to : began;
      last.current = all[at]?.id ?? id;
      add(all.slice(Math.min(at, to), Math.max(at, to) + 1));
    },
    all: () => add(inOrder(groups)),
    clear: (some) => {
      const gone = new Set(some);
      // What is ticked by then, and not when they began to be decided.
      setIds((now) => (some === undefined ? NONE : new Set([...now].filter((id) => !gone.has(id)))));
    },
  };
}
