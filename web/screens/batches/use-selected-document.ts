// Which document is in view: the one that the address names, else the first of the list.
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useRef } from 'react';
import type { DocumentRow } from '#contract/batches.ts';
import type { Address } from '#web/ui/page-link.ts';
import { type DocumentGroup, inOrder } from './document-groups.ts';

export interface SelectedDocument {
  readonly selected: DocumentRow | null;
  /** The row of it in the list; back on the list of a phone, of the one that was in view, from which one goes on. */
  readonly rowId: number | null;
  readonly select: (id: number) => void;
  /** To the one before or after it in the list, which it answers. */
  readonly step: (by: 1 | -1) => DocumentRow | null;
  /** Back to the list, on a phone. */
  readonly leave: () => void;
}

/** On a phone nothing is in view until somebody opens it. */
export function useSelectedDocument(groups: readonly DocumentGroup[], isPhone: boolean): SelectedDocument {
  const named = Number(useSearch({ strict: false }).document);
  const navigate = useNavigate();
  const all = inOrder(groups);
  const placeOf = (wanted: number) => all.findIndex(({ id }) => id === wanted);
  /** It stays in view wherever it goes in the list; once it has left that, what took its place follows. */
  const last = useRef({ id: 0, at: 0 });
  const at = placeOf(named);
  const kept = at >= 0 || isPhone ? at : placeOf(last.current.id);
  const shown = kept >= 0 || isPhone ? kept : Math.min(last.current.at, all.length - 1);
  const selected = all[shown] ?? null;
  if (selected !== null) last.current = { id: selected.id, at: shown };
  const row = shown >= 0 ? shown : placeOf(last.current.id);

  const go = (id: number | undefined, replace: boolean) =>
    void navigate({
      to: '.',
      search: (before: Address) => ({ ...before, document: id === undefined ? undefined : String(id) }),
      replace,
      resetScroll: false,
    });
  // On a phone Back leads to the list.
  const select = (id: number) => go(id, !isPhone || at >= 0);
  return {
    selected,
    rowId: all[row]?.id ?? null,
    select,
    step: (by) => {
      const next = all[Math.max(0, Math.min(all.length - 1, row + by))];
      if (next && next.id !== selected?.id) select(next.id);
      return next ?? null;
    },
    leave: () => go(undefined, true),
  };
}
