// Choosing a client by name.
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import type { ClientRow } from '#contract/clients.ts';
import { isClientUser } from '#contract/policy/actor.ts';
import { clientQuery, clientsQuery } from '#web/data/clients.ts';
import { noMatch } from '#web/lib/messages.ts';
import { useSessionUser } from '#web/lib/session.ts';
import {
  isAnswered,
  SearchedSelect,
  type SearchedSelectProps,
  SHOWN_AT_ONCE,
  useSelectSearch,
} from '#web/ui/searched-select.tsx';
import { ALL_COMPANIES } from './chosen-client.ts';
import { nameApart } from './name-apart.ts';

/** How many clients are in reach, and the first by name: the same query as the select's. */
export function useReachedClients() {
  const { data, error, isFetching, refetch } = useQuery(clientsQuery({ limit: SHOWN_AT_ONCE, sort: 'name' }));
  return { total: data?.total, first: data?.rows[0], error, isFetching, refetch };
}

export interface ClientSelectProps
  extends Omit<
    SearchedSelectProps,
    'search' | 'answer' | 'items' | 'chosen' | 'allLabel' | 'noneFound' | 'onChoose' | 'onChange'
  > {
  value: number | null;
  /** `client` is null for 'All Clients' or nothing. */
  onChange: (clientId: number | null, client: ClientRow | null) => void;
  /** Offers 'All Clients', to a Client user 'All companies', or all under another name, which means null. */
  withAll?: boolean | string;
  /** Selects automatically where nothing is chosen: the only accessible client, or the first of them. */
  autoSelect?: 'only' | 'first';
  /** Each choice goes elsewhere, and the field is empty for the next. */
  gathers?: boolean;
  /** Stands below the field where there is no client in reach. */
  whenNone?: ReactNode;
}

export function ClientSelect({
  value,
  onChange,
  withAll = false,
  autoSelect,
  gathers = false,
  whenNone,
  ...rest
}: ClientSelectProps) {
  const all = isClientUser(useSessionUser()) ? ALL_COMPANIES : 'All Clients';
  const allLabel = withAll === true ? all : withAll || undefined;
  const chosen = useQuery({ ...clientQuery(value ?? 0), enabled: value !== null });
  const chosenName = chosen.data?.name ?? '';
  const search = useSelectSearch(value === null ? (allLabel ?? '') : chosenName);
  const answer = useQuery(clientsQuery({ sort: 'name', ...search.query }));
  const rows = answer.data?.rows ?? [];
  const total = answer.data?.total ?? 0;

  const choosesItself = autoSelect === 'first' || (autoSelect === 'only' && total === 1);
  const candidate =
    value === null && choosesItself && search.wanted === '' && isAnswered(search, answer) ? rows[0] : undefined;
  useEffect(() => {
    if (candidate) onChange(candidate.id, candidate);
  }, [candidate, onChange]);

  const hasNone =
    total === 0 && answer.isSuccess && search.wanted === '' && isAnswered(search, answer) && value === null;

  return (
    <SearchedSelect
      placeholder="Select Client"
      {...rest}
      {...(hasNone && whenNone !== undefined
        ? {
            inputWrapperOrder: ['label', 'input', 'error', 'description'],
            description: whenNone,
          }
        : {})}
      search={search}
      answer={{ ...answer, total }}
      // The box shows the chosen one as it is called.
      items={rows.map((row) => ({ value: String(row.id), label: row.id === value ? row.name : nameApart(row, rows) }))}
      chosen={value === null ? null : { value: String(value), label: chosenName }}
      allLabel={allLabel}
      noneFound={noMatch.clients}
      onChoose={(next) => {
        const id = next === null ? null : Number(next);
        onChange(id, rows.find((client) => client.id === id) ?? null);
        if (gathers) search.setText('');
      }}
    />
  );
}
