// The header of a table's column, by which its rows are put in order.
// biome-ignore-all lint/a11y/noRedundantRoles: drawn as blocks, the parts of a card keep their roles only where they are said

import { UnstyledButton } from '@mantine/core';
import { IconArrowDown, IconArrowsSort, IconArrowUp } from '@tabler/icons-react';
import type { CSSProperties } from 'react';
import classes from './data-table.module.css';
import type { Column } from './table-shape.ts';

interface HeaderCellProps<Row> {
  column: Column<Row>;
  sort: string | undefined;
  defaultSort: string | undefined;
  onSort: (sort: string) => void;
}

/** The order that a press on a header leads to: up, down, and then the one where nobody has chosen. */
function nextSort(column: string, sort: string, defaultSort: string | undefined): string {
  if (sort === column) return `-${column}`;
  if (sort !== `-${column}` || defaultSort === sort) return column;
  return defaultSort ?? column;
}

export function HeaderCell<Row>({ column, sort, defaultSort, onSort }: HeaderCellProps<Row>) {
  const { width, align, oneLine, word } = column;
  const shape = {
    // As variables, since paper has widths of its own.
    style: { '--width': width, '--min-width': width?.endsWith('%') ? undefined : width } as CSSProperties,
    'data-column': column.key,
    'data-align': align,
    'data-one-line': oneLine,
    'data-word': word,
  };
  if (column.sort === undefined || sort === undefined) {
    return (
      <th role="columnheader" scope="col" {...shape}>
        {column.headerHidden ? <span className={classes.hidden}>{column.header}</span> : column.header}
      </th>
    );
  }
  const ascending = sort === column.sort;
  const descending = sort === `-${column.sort}`;
  const Icon = ascending ? IconArrowUp : descending ? IconArrowDown : IconArrowsSort;
  return (
    <th
      role="columnheader"
      scope="col"
      {...shape}
      aria-sort={ascending ? 'ascending' : descending ? 'descending' : 'none'}
    >
      <UnstyledButton
        className={classes.sort}
        data-active={ascending || descending || undefined}
        onClick={() => onSort(nextSort(column.sort ?? '', sort, defaultSort))}
      >
        {column.header}
        <Icon size={13} aria-hidden className={classes.sortIcon} />
      </UnstyledButton>
    </th>
  );
}
