// The rows of a table, and the grey ones that stand for them while they are awaited.
// biome-ignore-all lint/a11y/noRedundantRoles: drawn as blocks, the parts of a card keep their roles only where they are said
import { Skeleton } from '@mantine/core';
import classes from './data-table.module.css';
import { RowCheckbox } from './row-checkbox.tsx';
import type { Column, TableSelection } from './table-shape.ts';

interface GreyRowsProps<Row> {
  columns: readonly Column<Row>[];
  count: number;
  /** Whether rows can be selected. */
  ticks: boolean;
}

export function GreyRows<Row>({ columns, count, ticks }: GreyRowsProps<Row>) {
  return Array.from({ length: count }, (_, index) => (
    // Never the key of a row: what was in grey would be taken for it, and seen to move.
    // biome-ignore lint/suspicious/noArrayIndexKey: grey rows have nothing but their place
    <tr role="row" key={`grey-${index}`} data-skeleton aria-hidden>
      {ticks ? (
        <td role="cell" className={classes.pick}>
          <Skeleton height={16} width={16} />
        </td>
      ) : null}
      {columns.map((column) => (
        <td role="cell" key={column.key} data-ornament={column.headerHidden || undefined}>
          <Skeleton height={12} width={column.headerHidden ? 16 : '70%'} my={4} />
        </td>
      ))}
    </tr>
  ));
}

interface TableRowsProps<Row> {
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string | number;
  /** The column that heads the card on a phone. */
  mainKey: string | undefined;
  selection: TableSelection<Row> | undefined;
}

export function TableRows<Row>({ columns, rows, rowKey, mainKey, selection }: TableRowsProps<Row>) {
  return rows.map((row) => (
    <tr role="row" key={rowKey(row)} data-ticked={selection?.ticked.has(row) || undefined}>
      {selection ? (
        <td role="cell" className={classes.pick}>
          <RowCheckbox
            label={`Select ${selection.nameOf(row)}`}
            checked={selection.ticked.has(row)}
            onToggle={(range) => selection.ticked.toggle(row, rows, range)}
          />
        </td>
      ) : null}
      {columns.map((column) => (
        <td
          role="cell"
          key={column.key}
          data-column={column.key}
          data-label={column.headerHidden ? undefined : column.header}
          data-ornament={column.headerHidden || undefined}
          data-main={column.key === mainKey || undefined}
          data-align={column.align}
          data-nowrap={column.oneLine}
          data-cut={column.cut}
        >
          {column.cell(row)}
        </td>
      ))}
    </tr>
  ));
}
