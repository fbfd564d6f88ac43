// A table whose rows, order and pages come from the server; on a phone each row becomes a card.
// biome-ignore-all lint/a11y/noRedundantRoles: drawn as blocks, the parts of a card keep their roles only where they are said

import { NativeSelect } from '@mantine/core';
import { type ReactNode, type RefObject, useEffect, useRef } from 'react';
import { formatCount } from '#web/lib/format.ts';
import classes from './data-table.module.css';
import { EmptyState, type EmptyStateProps } from './empty-state.tsx';
import { ErrorState } from './error-state.tsx';
import { HeaderCell } from './header-cell.tsx';
import { Pager } from './pager.tsx';
import { RowCheckbox } from './row-checkbox.tsx';
import { SelectionBar } from './selection-bar.tsx';
import { GreyRows, TableRows } from './table-rows.tsx';
import type { Column, TableSelection } from './table-shape.ts';
import { useChosenColumns } from './use-chosen-columns.tsx';
import { useExistingPage } from './use-existing-page.ts';
import type { ListSearch } from './use-list-search.ts';

/** As much of a list query's result as the table reads. */
interface TableQuery<Row> {
  data: { readonly rows: readonly Row[]; readonly total: number; readonly more?: boolean } | undefined;
  error: Error | null;
  isFetching: boolean;
  isPlaceholderData: boolean;
  refetch: () => unknown;
}

export interface DataTableProps<Row> {
  /** The table's accessible name: 'Clients'. */
  label: string;
  /** Under which the chosen columns are kept, where the label names only one of the lists that the screen shows. */
  keptAs?: string;
  columns: readonly Column<Row>[];
  query: TableQuery<Row>;
  rowKey: (row: Row) => string | number;
  empty: EmptyStateProps;
  /** How many grey rows are in while the first answer is awaited. */
  skeletonRows?: number;
  /** Shown instead of grey rows: a Spinner with words of its own. */
  loading?: ReactNode;
  /** The text of a failure, where the screen has its own; the reason follows in a subdued line. */
  errorText?: (error: Error) => string;
  /** Page and order; without it the rows are shown as they are. */
  list?: Pick<ListSearch, 'page' | 'pageSize' | 'sort' | 'defaultSort' | 'setPage' | 'setPageSize'> & {
    /** A method, since each list takes its own sorts: it is handed those of its columns alone. */
    setSort(sort: string): void;
  };
  selection?: TableSelection<Row>;
}

/** '3', as the bar says it; empty for none. */
const countOf = (count: number) => (count === 0 ? '' : formatCount(count));

/** More than these need the gaps between them on a small desk. */
const MANY_COLUMNS = 7;

const SELECT_PAGE = 'Select all on this page';

/** The frame of a table, whose top comes into sight with another page, also where the buttons below it were pressed. */
function useBeginningInSight(page: number | undefined): RefObject<HTMLDivElement | null> {
  const frame = useRef<HTMLDivElement>(null);
  const pageBefore = useRef(page);
  useEffect(() => {
    if (pageBefore.current === page) return;
    pageBefore.current = page;
    const table = frame.current;
    if (table && table.getBoundingClientRect().top < 0) table.scrollIntoView({ block: 'start' });
  }, [page]);
  return frame;
}

interface TickedBarProps<Row> {
  label: string;
  selection: TableSelection<Row>;
  onClear: () => void;
  /** All on this page are ticked, and there are more. */
  mayExtend: boolean;
}

function TickedBar<Row>({ label, selection, onClear, mayExtend }: TickedBarProps<Row>) {
  return (
    <SelectionBar
      label={label}
      selected={selection.ticked.all ? (selection.matching?.words ?? '') : countOf(selection.ticked.rows.length)}
      onClear={onClear}
      extend={
        selection.matching !== undefined && !selection.ticked.all && mayExtend
          ? { label: `Select ${selection.matching.words} that match`, onExtend: selection.ticked.selectAll }
          : undefined
      }
    >
      {selection.actions}
    </SelectionBar>
  );
}

interface PhoneSortProps<Row> {
  label: string;
  /** Those that can be sorted by. */
  columns: readonly Column<Row>[];
  sort: string;
  onSort: (sort: string) => void;
  /** What stands before it. */
  children: ReactNode;
}

/** Cards have no header to press. */
function PhoneSort<Row>({ label, columns, sort, onSort, children }: PhoneSortProps<Row>) {
  return (
    <div className={classes.phoneSort}>
      {children}
      <NativeSelect
        className={classes.phoneSortList ?? ''}
        aria-label={`Sort ${label.toLowerCase()} by`}
        value={sort}
        onChange={(event) => onSort(event.currentTarget.value)}
        data={columns.flatMap((column) => [
          { value: column.sort ?? '', label: `${column.header}, ascending` },
          { value: `-${column.sort}`, label: `${column.header}, descending` },
        ])}
      />
    </div>
  );
}

/** A failure in the place of the rows. */
function failureOf<Row>({ query, errorText }: DataTableProps<Row>): ReactNode {
  const { data, error } = query;
  if (error === null || data !== undefined) return undefined;
  return (
    <ErrorState
      message={errorText ? errorText(error) : error.message}
      hint={errorText ? error.message : undefined}
      onRetry={() => query.refetch()}
      busy={query.isFetching}
    />
  );
}

/** What else stands there: words while they are awaited, or that there are none. */
function inPlaceOfRows<Row>(
  { query: { data, error }, empty, loading }: DataTableProps<Row>,
  beyond: boolean,
): ReactNode {
  if (data === undefined) return error === null ? loading : undefined;
  return data.rows.length === 0 && !beyond ? <EmptyState {...empty} /> : undefined;
}

interface TableHeadProps<Row> {
  columns: readonly Column<Row>[];
  list: DataTableProps<Row>['list'];
  /** Ticks all on this page; null where nothing can be ticked. */
  selectPage: ReactNode;
  onSort: (sort: string) => void;
}

function TableHead<Row>({ columns, list, selectPage, onSort }: TableHeadProps<Row>) {
  return (
    <thead role="rowgroup">
      <tr role="row">
        {selectPage ? (
          <th role="columnheader" scope="col" className={classes.pick}>
            {selectPage}
          </th>
        ) : null}
        {columns.map((column) => (
          <HeaderCell
            key={column.key}
            column={column}
            sort={list?.sort}
            defaultSort={list?.defaultSort}
            onSort={onSort}
          />
        ))}
      </tr>
    </thead>
  );
}

export function DataTable<Row>(props: DataTableProps<Row>) {
  const { label, query, rowKey, skeletonRows = 4, list, selection } = props;
  const chosen = useChosenColumns(props.keptAs ?? label, props.columns);
  // A short table without pages has no place to choose them.
  const columns = list ? chosen.columns : props.columns;
  const { data, error } = query;
  const total = data?.total ?? 0;
  const waiting = data === undefined && error === null;
  const mainKey = (columns.find((column) => column.main) ?? columns[0])?.key;

  const beyond = useExistingPage(query, list);
  const frame = useBeginningInSight(list?.page);
  const shownRows = data?.rows ?? [];
  const ticked = selection?.ticked;
  const tickedHere = ticked ? shownRows.filter(ticked.has).length : 0;
  const selectPage = ticked ? (
    <RowCheckbox
      label={SELECT_PAGE}
      checked={tickedHere > 0 && tickedHere === shownRows.length}
      indeterminate={tickedHere > 0 && tickedHere < shownRows.length}
      disabled={shownRows.length === 0}
      onToggle={() => ticked.set(shownRows, tickedHere < shownRows.length)}
    />
  ) : null;
  const clearTicked = () => {
    ticked?.clear();
    // The pressed button disappears with the bar; one of the two boxes is visible.
    const boxes = frame.current?.querySelectorAll<HTMLElement>(`input[aria-label="${SELECT_PAGE}"]`) ?? [];
    [...boxes].find((box) => box.checkVisibility())?.focus();
  };

  const changeSort = (sort: string) => list?.setSort(sort);

  const failure = failureOf(props);
  const words = inPlaceOfRows(props, beyond);
  const body = failure ?? words;
  // Those that are hidden too: the list may be in their order.
  const sortable = props.columns.filter((column) => column.sort !== undefined);
  return (
    <div ref={frame} className={classes.frame}>
      {/* A failure may be one of the order. */}
      {list && sortable.length > 0 && !words ? (
        <PhoneSort label={label} columns={sortable} sort={list.sort} onSort={changeSort}>
          {selectPage}
        </PhoneSort>
      ) : null}
      {/* The header stays while rows are awaited or missing, so that the page keeps its shape. */}
      <table
        role="table"
        className={classes.table}
        aria-busy={query.isFetching}
        data-body={body ? 'none' : 'rows'}
        data-pair={columns.length === 2 || undefined}
        data-many={columns.length > MANY_COLUMNS || undefined}
      >
        <caption className={classes.caption}>{label}</caption>
        <TableHead columns={columns} list={list} selectPage={selectPage} onSort={changeSort} />
        {body ? null : (
          <tbody role="rowgroup" data-stale={query.isPlaceholderData || undefined}>
            {waiting ? (
              <GreyRows columns={columns} count={skeletonRows} ticks={ticked !== undefined} />
            ) : (
              <TableRows columns={columns} rows={shownRows} rowKey={rowKey} mainKey={mainKey} selection={selection} />
            )}
          </tbody>
        )}
      </table>
      {/* Always there, so that a search which leaves nothing is heard: the words of the pages go with the rows. */}
      <div aria-live="polite">{waiting ? null : words}</div>
      {/* A spinner and an alert are said by themselves: within the other region they would be said twice. */}
      {waiting ? words : failure}
      {selection ? (
        <TickedBar
          label={label}
          selection={selection}
          onClear={clearTicked}
          mayExtend={tickedHere > 0 && tickedHere === shownRows.length && total > shownRows.length}
        />
      ) : null}
      {list && data !== undefined && total > 0 ? (
        <Pager
          label={label}
          list={list}
          total={total}
          more={data.more}
          shown={data.rows.length}
          className={classes.pager}
        >
          {chosen.choice}
        </Pager>
      ) : null}
    </div>
  );
}
