// The client, the period and the dates chosen on a reports screen, kept when the sidebar leads to the screen without them.
import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { isClientUser } from '#contract/policy/actor.ts';
import { useSessionUser } from '#web/lib/session.ts';
import {
  ALL_IN_ADDRESS,
  keepsChosenClient,
  reachedClient,
  useRememberedClient,
  useRememberedFromHistory,
} from '#web/parts/clients/chosen-client.ts';
import { addressOf, type FileFilterName, NO_FILTERS } from '#web/parts/files/file-filters.ts';
import type { Address } from '#web/ui/page-link.ts';
import { useHistoryStep } from '#web/ui/use-history-step.ts';

type Filters = Record<FileFilterName, string>;

/** The report type is remembered by itself (`use-report-type-choice.ts`). */
const KEPT = ['client', 'period', 'startDate', 'endDate'] as const;

/** As long as the page is open; by person, because another may sign in on it. */
let kept: { readonly personId: number; readonly filters: Filters } | null = null;

/** What is counted over all clients is counted over all periods: its address is taken at its word. */
const keptOf = (personId: number, client: string) =>
  client !== ALL_IN_ADDRESS && kept?.personId === personId ? kept.filters : NO_FILTERS;

function filtersOf(search: string): Filters {
  const address = new URLSearchParams(search);
  return { ...NO_FILTERS, ...Object.fromEntries(KEPT.map((name) => [name, address.get(name) ?? ''])) };
}

export interface KeptFilters {
  filters: Filters;
  /** Sets some filters, empty meaning none. */
  setFilters: (next: Partial<Filters>) => void;
}

/**
 * The filters in force: those of the address, and those kept that it does not name, which are put back into it. Period and dates
 * are kept while the screen is mounted; the client is the chosen one; of a Client user with one company it is kept for
 * the whole visit. Back and Forward apply the address exactly, and an address of all clients names all there is.
 */
export function useKeptFilters(
  personId: number,
  list: { readonly filters: Filters; readonly setFilters: (next: Partial<Filters>) => void },
): KeptFilters {
  const navigate = useNavigate();
  const user = useSessionUser();
  const followsChosen = !isClientUser(user) || keepsChosenClient(user);
  const [chosen, remember] = useRememberedClient();
  useRememberedFromHistory(followsChosen);
  const { period, startDate, endDate } = list.filters;
  // A client out of reach is passed over, as if the address named none.
  const isNamed = !followsChosen || list.filters.client === ALL_IN_ADDRESS;
  const client = isNamed ? list.filters.client : addressOf(reachedClient(user, list.filters.client));
  const visit = keptOf(personId, client);
  const keptClient = followsChosen ? addressOf(chosen) : visit.client;
  const named = { ...list.filters, client };
  const remembered = { ...visit, client: keptClient };
  const filters = { ...named, ...Object.fromEntries(KEPT.map((name) => [name, named[name] || remembered[name]])) };

  useEffect(() => {
    const inAddress: Filters = { ...NO_FILTERS, client, period, startDate, endDate };
    const visited = keptOf(personId, client);
    const before = followsChosen ? { ...visited, client: keptClient } : visited;
    const missing = Object.fromEntries(
      KEPT.flatMap((name) => (inAddress[name] === '' && before[name] !== '' ? [[name, before[name]]] : [])),
    );
    kept = { personId, filters: { ...inAddress, ...missing } };
    if (Object.keys(missing).length === 0) return;
    void navigate({
      to: '.',
      search: (address: Address) => ({ ...address, ...missing }),
      replace: true,
      resetScroll: false,
    });
  }, [personId, followsChosen, client, keptClient, period, startDate, endDate, navigate]);

  useHistoryStep(({ search }) => {
    kept = { personId, filters: filtersOf(search) };
  });
  useEffect(
    () => () => {
      kept = { personId, filters: { ...NO_FILTERS, client: kept?.filters.client ?? '' } };
    },
    [personId],
  );

  return {
    filters,
    setFilters: (next) => {
      kept = { personId, filters: { ...filters, ...next } };
      if (followsChosen && next.client !== undefined) remember(reachedClient(user, next.client));
      list.setFilters(next);
    },
  };
}
