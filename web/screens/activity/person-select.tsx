// Choosing whose actions the log shows, searched on the server.

import { type ComboboxItem, Loader, Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { UserRow } from '#contract/users.ts';
import { usersQuery } from '#web/data/users.ts';
import { formatCount } from '#web/lib/format.ts';

const ALL = 'all';
const MORE = 'more';
const SHOWN_AT_ONCE = 50;
const SEARCH_DELAY_MS = 200;

/** Two people may share a name, never a user name. */
const nameOf = ({ fullName, username }: UserRow) => `${fullName} (${username})`;

export interface PersonSelectProps {
  /** A user's id; null for all users. */
  value: number | null;
  /** What to call the chosen one where the list at hand does not say: an address names an id alone. */
  nameInLog: string | undefined;
  onChange: (userId: number | null) => void;
}

export function PersonSelect({ value, nameInLog, onChange }: PersonSelectProps) {
  const [search, setSearch] = useState('');
  const [chosen, setChosen] = useState<ComboboxItem | null>(null);
  const chosenName = chosen !== null && chosen.value === String(value) ? chosen.label : nameInLog;
  const shownName = value === null ? 'All Users' : (chosenName ?? `User ${value}`);
  // The box shows the chosen name until something else is typed: that is no search.
  const [typed] = useDebouncedValue(search === shownName ? '' : search.trim(), SEARCH_DELAY_MS);
  const { data, isFetching, error } = useQuery(
    usersQuery({ limit: SHOWN_AT_ONCE, sort: 'fullName', ...(typed === '' ? {} : { q: typed.slice(0, 200) }) }),
  );
  const rows = data?.rows ?? [];
  const total = data?.total ?? 0;

  const options: ComboboxItem[] = rows.map((user) => ({ value: String(user.id), label: nameOf(user) }));
  if (value !== null && !rows.some((user) => user.id === value)) {
    options.unshift({ value: String(value), label: shownName });
  }
  if (typed === '') options.unshift({ value: ALL, label: 'All Users' });
  if (total > rows.length) {
    const label = `${formatCount(rows.length)} of ${formatCount(total)} shown. Type to find others.`;
    options.push({ value: MORE, label, disabled: true });
  }

  return (
    <Select
      label="User"
      nothingFoundMessage={error ? error.message : isFetching ? 'Searching...' : 'No users match your search'}
      rightSection={isFetching && typed !== '' ? <Loader size={14} aria-hidden /> : undefined}
      openOnFocus={false}
      searchable
      allowDeselect={false}
      maxDropdownHeight={320}
      data={options}
      // The server has searched already.
      filter={({ options: found }) => found}
      searchValue={search}
      onSearchChange={setSearch}
      value={value === null ? ALL : String(value)}
      onChange={(next, option) => {
        setChosen(option);
        onChange(next === null || next === ALL ? null : Number(next));
      }}
      w={{ base: '100%', xs: 200 }}
    />
  );
}
