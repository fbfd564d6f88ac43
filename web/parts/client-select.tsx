// Choosing a client by name: searched on the server, so that a thousand clients are as quick as five.

import { type ComboboxItem, Loader, Select, type SelectProps } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { ClientRow } from '#contract/clients.ts';
import { clientQuery, clientsQuery } from '#web/data/clients.ts';
import { formatCount } from '#web/lib/format.ts';

const ALL = 'all';
const MORE = 'more';
const SHOWN_AT_ONCE = 50;
const SEARCH_DELAY_MS = 200;

/** How many clients are in reach, and the first by name: the same question that the select asks. */
export function useReachedClients() {
  const { data, error, isFetching, refetch } = useQuery(clientsQuery({ limit: SHOWN_AT_ONCE, sort: 'name' }));
  return { total: data?.total, first: data?.rows[0], error, isFetching, refetch };
}

export interface ClientSelectProps
  extends Omit<SelectProps, 'value' | 'defaultValue' | 'onChange' | 'data' | 'filter' | 'searchable' | 'ref'> {
  value: number | null;
  /** `client` is null for 'All Clients' or nothing. */
  onChange: (clientId: number | null, client: ClientRow | null) => void;
  /** Offers 'All Clients', which stands for null. */
  withAll?: boolean;
  /** Chooses by itself where nothing is chosen: the only accessible client, or the first of them. */
  autoSelect?: 'only' | 'first';
}

export function ClientSelect({ value, onChange, withAll = false, autoSelect, ...rest }: ClientSelectProps) {
  const [search, setSearch] = useState('');
  const chosen = useQuery({ ...clientQuery(value ?? 0), enabled: value !== null });
  const chosenName = value === null ? (withAll ? 'All Clients' : '') : (chosen.data?.name ?? '');
  // The box shows the chosen name until something else is typed: that is no search.
  const wanted = search === chosenName ? '' : search.trim();
  const [typed] = useDebouncedValue(wanted, SEARCH_DELAY_MS);
  const { data, isFetching, isPlaceholderData, error } = useQuery(
    clientsQuery({ limit: SHOWN_AT_ONCE, sort: 'name', ...(typed === '' ? {} : { q: typed.slice(0, 200) }) }),
  );
  // Whoever types and presses Enter at once must not get a client of the search before: names that fit are offered alone.
  const awaited = wanted !== typed || isPlaceholderData;
  const fits = ({ name }: ClientRow) => !awaited || name.toLowerCase().includes(wanted.toLowerCase());
  const rows = (data?.rows ?? []).filter(fits);
  const total = data?.total ?? 0;

  const candidate =
    value === null && wanted === '' && !awaited && (autoSelect === 'first' || (autoSelect === 'only' && total === 1))
      ? rows[0]
      : undefined;
  useEffect(() => {
    if (candidate) onChange(candidate.id, candidate);
  }, [candidate, onChange]);

  const options: ComboboxItem[] = rows.map((client) => ({ value: String(client.id), label: client.name }));
  if (value !== null && chosen.data && !rows.some((client) => client.id === value)) {
    options.unshift({ value: String(value), label: chosen.data.name });
  }
  if (withAll && wanted === '') options.unshift({ value: ALL, label: 'All Clients' });
  if (!awaited && total > rows.length) {
    const label = `${formatCount(rows.length)} of ${formatCount(total)} shown. Type to find others.`;
    options.push({ value: MORE, label, disabled: true });
  }

  return (
    <Select
      placeholder="Select Client"
      nothingFoundMessage={error ? error.message : awaited || isFetching ? 'Searching...' : 'No clients match your search'}
      rightSection={awaited && wanted !== '' ? <Loader size={14} aria-hidden /> : undefined}
      // A dialog that puts the focus here should not cover itself with the list at once.
      openOnFocus={false}
      {...rest}
      searchable
      allowDeselect={false}
      maxDropdownHeight={320}
      data={options}
      // The server has searched already.
      filter={({ options: found }) => found}
      searchValue={search}
      onSearchChange={setSearch}
      value={value === null ? (withAll ? ALL : null) : String(value)}
      onChange={(next) => {
        const id = next === null || next === ALL ? null : Number(next);
        onChange(id, rows.find((client) => client.id === id) ?? null);
      }}
    />
  );
}
