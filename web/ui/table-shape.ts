// What a table is made of: its columns, and rows that can be selected.
import type { ReactNode } from 'react';
import type { RowSelection } from './use-row-selection.ts';

export interface Column<Row> {
  key: string;
  header: string;
  cell: (row: Row) => ReactNode;
  /** The server's name for this order; without one the column does not sort. */
  sort?: string;
  align?: 'left' | 'right';
  /** A share in per cent, or fixed px: buttons and icons do not wrap, and arriving rows must not move a header. */
  width?: `${number}%` | `${number}px` | `var(--${string})`;
  /** Icons that repeat what another cell says: their header is for screen readers only, and cards leave them out. */
  headerHidden?: boolean;
  /** Not shown until somebody chooses it. */
  hidden?: true;
  /** The cell that heads the card on a phone; the first column unless set. */
  main?: boolean;
  /** Two lines at most for a `CutName`, whatever its length; needs a share in per cent. */
  cut?: true;
  /** Keeps the cell on one line: the longest text it can hold, which the header keeps room for before there are rows. */
  oneLine?: string;
  /** The longest word that the header keeps room for on a desk, where the cell may take more lines: names are not broken within it. */
  word?: string;
}

/** Rows that can be selected, and what is done with the selected ones. */
export interface TableSelection<Row> {
  ticked: RowSelection<Row>;
  /** Names a row in its checkbox's label: 'Journal.pdf'. */
  nameOf: (row: Row) => string;
  /** How many rows the list has in all, and what they are called: 'all 183'. */
  matching?: { readonly count: number; readonly words: string };
  /** Buttons for the ticked rows. */
  actions: ReactNode;
}
