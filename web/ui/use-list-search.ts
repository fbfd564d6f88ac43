// Where a list is (page, page size, sort, search, filters), kept in the address so that Back and a link find it again.
import { useDebouncedCallback } from '@mantine/hooks';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useMemo, useRef, useState } from 'react';
import { ROWS_PAGED_MAX } from '#contract/paging.ts';
import { searchable } from '#contract/search.ts';
import type { Address } from './page-link.ts';
import { PAGE_SIZES } from './pages.ts';

const SEARCH_DELAY_MS = 250;
/** The farthest page whose first row the server counts to, at the largest page size. */
const PAGE_MAX = 1_000_000;

export interface ListSearchOptions<Sort extends string, Filter extends string> {
  /** The columns that the server can sort by. */
  sorts: readonly Sort[];
  /** The default where the address names none: a column, or a column after a minus. */
  defaultSort: Sort | `-${Sort}`;
  /** Names of the filters that live in the address, next to `q`, `page`, `size` and `sort`. */
  filters?: readonly Filter[];
  pageSize?: (typeof PAGE_SIZES)[number];
}

export interface ListSearch<Sort extends string = string, Filter extends string = string> {
  /** From 1. */
  page: number;
  pageSize: number;
  sort: Sort | `-${Sort}`;
  /** The order where nobody has chosen one. */
  defaultSort: Sort | `-${Sort}`;
  /** What the search box shows; the address follows when typing pauses. */
  searchText: string;
  /** The search in force. */
  q: string;
  /** Every filter's value, empty where it is not set. */
  filters: Record<Filter, string>;
  /** True where a search or filter narrows the list. */
  narrowed: boolean;
  /** The query for the server: goes into a list query as it is. */
  query: { limit: number; offset: number; sort: Sort | `-${Sort}`; q?: string };
  /** With `replace`, Back does not lead to the page before. */
  setPage: (page: number, replace?: boolean) => void;
  setPageSize: (pageSize: number) => void;
  setSort: (sort: Sort | `-${Sort}`) => void;
  setSearchText: (text: string) => void;
  /** Sets some filters, empty meaning none, and goes back to the first page. */
  setFilters: (filters: Partial<Record<Filter, string>>) => void;
  /** Clears the search and every filter but those `kept`. */
  clear: (kept?: readonly Filter[]) => void;
}

/** The number of a page or of rows as an address names it; `fallback` for what no list can hold. */
function wholeNumber(text: string | undefined, fallback: number): number {
  const value = Number(text);
  return Number.isSafeInteger(value) && value >= 1 && value <= PAGE_MAX ? value : fallback;
}

export function useListSearch<const Sort extends string, const Filter extends string = never>(
  options: ListSearchOptions<Sort, Filter>,
): ListSearch<Sort, Filter> {
  const { sorts, defaultSort, filters: filterNames = [], pageSize: defaultSize = PAGE_SIZES[0] } = options;
  const address = useSearch({ strict: false });
  const navigate = useNavigate();

  const change = (next: Address, replace = false) => {
    void navigate({
      to: '.',
      search: (before: Address) => {
        const merged: Address = { ...before, ...next };
        return Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== undefined && value !== ''));
      },
      replace,
      resetScroll: false,
    });
  };

  const q = searchable(address.q ?? '').trim();
  const [searchText, setSearchTextState] = useState(q);
  const committed = useRef(q);
  const commitSearch = useDebouncedCallback((text: string) => {
    const next = text.trim();
    if (next === committed.current) return;
    // Back leads from a search to the whole list; the steps of typing are no stops.
    const refines = next !== '' && committed.current !== '';
    committed.current = next;
    change({ q: next, page: undefined }, refines);
  }, SEARCH_DELAY_MS);
  useEffect(() => {
    // The address changed from outside (Back, a link): the box follows it.
    if (q === committed.current) return;
    commitSearch.cancel();
    committed.current = q;
    setSearchTextState(q);
  }, [q, commitSearch]);

  const size = wholeNumber(address.size, defaultSize);
  const pageSize = (PAGE_SIZES as readonly number[]).includes(size) ? size : defaultSize;
  const page = Math.min(wholeNumber(address.page, 1), ROWS_PAGED_MAX / pageSize);
  const known = sorts.flatMap((column): (Sort | `-${Sort}`)[] => [column, `-${column}`]);
  const sort = known.find((key) => key === address.sort) ?? defaultSort;
  const filters = Object.fromEntries(filterNames.map((name) => [name, address[name] ?? ''])) as Record<Filter, string>;
  const query = useMemo(
    () => ({ limit: pageSize, offset: (page - 1) * pageSize, sort, ...(q === '' ? {} : { q }) }),
    [page, pageSize, sort, q],
  );

  return {
    page,
    pageSize,
    sort,
    defaultSort,
    searchText,
    q,
    filters,
    narrowed: q !== '' || Object.values(filters).some((value) => value !== ''),
    query,
    setPage: (next, replace) => change({ page: next === 1 ? undefined : String(next) }, replace),
    setPageSize: (next) => change({ size: next === defaultSize ? undefined : String(next), page: undefined }),
    setSort: (next) => change({ sort: next === defaultSort ? undefined : next, page: undefined }),
    setSearchText: (text) => {
      const bounded = searchable(text);
      setSearchTextState(bounded);
      commitSearch(bounded);
      if (bounded === '') commitSearch.flush();
    },
    setFilters: (next) => change({ ...(next as Address), page: undefined }),
    clear: (kept = []) => {
      commitSearch.cancel();
      setSearchTextState('');
      committed.current = '';
      const cleared = filterNames.filter((name) => !kept.includes(name));
      change({ ...Object.fromEntries(cleared.map((name) => [name, undefined])), q: undefined, page: undefined });
    },
  };
}
