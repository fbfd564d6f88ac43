// Which rows of a list are selected: kept over its pages and orders, cleared when the list becomes another one.
import { useCallback, useRef, useState } from 'react';

type Key = string | number;

export interface RowSelection<Row> {
  /** Every row of the list is meant, also those nobody has seen: `rows` is empty then. */
  readonly all: boolean;
  readonly selectAll: () => void;
  /** The ticked rows in the order of ticking, those of other pages too: as `shown`, or else as they were when they were ticked. */
  readonly rows: readonly Row[];
  readonly has: (row: Row) => boolean;
  /** Ticks or unticks these rows. The same function at every render. */
  readonly set: (rows: readonly Row[], ticked: boolean) => void;
  /** Ticks or unticks one of the rows `shown`; with `range` also all between it and the one before. */
  readonly toggle: (row: Row, shown: readonly Row[], range: boolean) => void;
  readonly clear: () => void;
}

export interface RowSelectionOptions<Row> {
  /** The same function at every render. */
  rowKey: (row: Row) => Key;
  /** Identifies the list: its filters and its search, not its page or order. Nothing is selected in another one. */
  scope: string;
  /** The rows of the page in sight: what a ticked one allows may have changed since. */
  shown: readonly Row[] | undefined;
  /** They stand in for others that are awaited. */
  isPlaceholderData: boolean;
  /** How many rows the list has in all, where all of them may be meant. */
  total?: number | undefined;
}

interface Ticked<Row> {
  readonly scope: string;
  /** What is in sight is still of the list before: ticked, it would be taken for a row of this one. */
  readonly isOld: boolean;
  readonly rows: ReadonlyMap<Key, Row>;
  readonly all: boolean;
}

export function useRowSelection<Row>(options: RowSelectionOptions<Row>): RowSelection<Row> {
  const { rowKey, scope, shown = [], isPlaceholderData, total } = options;
  const [state, setState] = useState<Ticked<Row>>({ scope, isOld: false, rows: new Map(), all: false });
  const latest = useRef<Key>(undefined);
  // In the same turn, so that no frame shows what was ticked in a list before.
  if (state.scope !== scope) setState({ scope, isOld: isPlaceholderData, rows: new Map(), all: false });
  else if (state.isOld && !isPlaceholderData) setState({ ...state, isOld: false });
  // Saved, what is new alone leaves its list: what comes into it later was not meant.
  else if (state.all && total === 0) setState({ ...state, all: false });

  const set = useCallback(
    (rows: readonly Row[], ticked: boolean) =>
      setState((before) => {
        if (before.isOld) return before;
        const next = new Map(before.rows);
        for (const row of rows) {
          if (ticked) next.set(rowKey(row), row);
          else next.delete(rowKey(row));
        }
        return { ...before, rows: next, all: false };
      }),
    [rowKey],
  );

  const { all } = state;
  const now = new Map(shown.map((row) => [rowKey(row), row]));
  return {
    all,
    selectAll: () => setState((before) => ({ ...before, rows: new Map(), all: true })),
    rows: [...state.rows].map(([key, row]) => now.get(key) ?? row),
    has: (row) => all || state.rows.has(rowKey(row)),
    set,
    toggle: (row, shown, range) => {
      const at = shown.indexOf(row);
      const from = range ? shown.findIndex((other) => rowKey(other) === latest.current) : -1;
      // Taken out of the whole list: of what is not in sight nothing stays ticked.
      if (all) {
        set(
          shown.filter((other) => rowKey(other) !== rowKey(row)),
          true,
        );
        return;
      }
      const meant = from === -1 ? [row] : shown.slice(Math.min(at, from), Math.max(at, from) + 1);
      set(meant, !state.rows.has(rowKey(row)));
      latest.current = rowKey(row);
    },
    clear: () => setState((before) => ({ ...before, rows: new Map(), all: false })),
  };
}
