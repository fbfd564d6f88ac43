// The client and the dates chosen on a reports screen, kept when the sidebar leads to the screen without them.
import { useNavigate, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { FILE_FILTERS } from '#web/parts/file-filters.ts';

type FilterName = (typeof FILE_FILTERS)[number];
type Filters = Record<FilterName, string>;

const NONE: Filters = { client: '', startDate: '', endDate: '' };

/** Back, Forward, and several of either at once. */
const BY_HISTORY: readonly string[] = ['BACK', 'FORWARD', 'GO'];

/** As long as the page is open; by person, because another may sign in on it. */
let kept: { readonly personId: number; readonly filters: Filters } | null = null;

function filtersOf(search: string): Filters {
  const address = new URLSearchParams(search);
  return { ...NONE, ...Object.fromEntries(FILE_FILTERS.map((name) => [name, address.get(name) ?? ''])) };
}

export interface KeptFilters {
  filters: Filters;
  /** Sets some filters, empty meaning none. */
  setFilters: (next: Partial<Filters>) => void;
}

/**
 * The filters in force: those of the address, and those kept that it does not name, which are put back into it. Dates
 * are kept while the screen is mounted, the client for the whole visit. Back and Forward apply the address exactly.
 */
export function useKeptFilters(
  personId: number,
  list: { readonly filters: Filters; readonly setFilters: (next: Partial<Filters>) => void },
): KeptFilters {
  const navigate = useNavigate();
  const { client, startDate, endDate } = list.filters;
  const remembered = kept?.personId === personId ? kept.filters : NONE;
  const filters: Filters = {
    client: client || remembered.client,
    startDate: startDate || remembered.startDate,
    endDate: endDate || remembered.endDate,
  };

  useEffect(() => {
    const named: Filters = { client, startDate, endDate };
    const before = kept?.personId === personId ? kept.filters : NONE;
    const missing = FILE_FILTERS.filter((name) => named[name] === '' && before[name] !== '');
    const whole: Filters = { ...named, ...Object.fromEntries(missing.map((name) => [name, before[name]])) };
    kept = { personId, filters: whole };
    if (missing.length === 0) return;
    void navigate({
      to: '.',
      search: ((address: Record<string, string>) => ({ ...address, ...whole })) as never,
      replace: true,
      resetScroll: false,
    });
  }, [personId, client, startDate, endDate, navigate]);

  const { history } = useRouter();
  useEffect(() => {
    const stop = history.subscribe(({ action }) => {
      if (BY_HISTORY.includes(action.type)) kept = { personId, filters: filtersOf(window.location.search) };
    });
    return () => {
      stop();
      kept = { personId, filters: { ...NONE, client: kept?.filters.client ?? '' } };
    };
  }, [personId, history]);

  return {
    filters,
    setFilters: (next) => {
      kept = { personId, filters: { ...filters, ...next } };
      list.setFilters(next);
    },
  };
}
