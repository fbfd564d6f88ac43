// Choosing a user by name: searched on the server, so that a long list is as quick as a short one.

import { Loader, Select, type SelectProps } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { UserRow } from '#contract/users.ts';
import { usersQuery } from '#web/data/users.ts';
import { formatCount } from '#web/lib/format.ts';

const MORE = 'more';
const SHOWN_AT_ONCE = 50;
const SEARCH_DELAY_MS = 200;

const nameOf = (user: Pick<UserRow, 'fullName' | 'username'>) => `${user.fullName} (${user.username})`;

export interface UserSelectProps
  extends Omit<SelectProps, 'value' | 'defaultValue' | 'onChange' | 'data' | 'filter' | 'searchable' | 'ref'> {
  value: UserRow | null;
  onChange: (user: UserRow) => void;
}

export function UserSelect({ value, onChange, ...rest }: UserSelectProps) {
  const [search, setSearch] = useState('');
  // The box shows the chosen name until something else is typed: that is no search.
  const chosenName = value === null ? '' : nameOf(value);
  const [typed] = useDebouncedValue(search === chosenName ? '' : search.trim(), SEARCH_DELAY_MS);
  const { data, isFetching, error } = useQuery(
    usersQuery({ limit: SHOWN_AT_ONCE, sort: 'fullName', ...(typed === '' ? {} : { q: typed.slice(0, 200) }) }),
  );
  const found = data?.rows ?? [];
  const total = data?.total ?? 0;
  const rows = value === null || found.some((user) => user.id === value.id) ? found : [value, ...found];

  const options = rows.map((user) => ({ value: String(user.id), label: nameOf(user), disabled: false }));
  if (total > found.length) {
    const label = `${formatCount(found.length)} of ${formatCount(total)} shown. Type to find others.`;
    options.push({ value: MORE, label, disabled: true });
  }

  return (
    <Select
      placeholder="Select User"
      nothingFoundMessage={error ? error.message : isFetching ? 'Searching...' : 'No users match your search'}
      rightSection={isFetching && typed !== '' ? <Loader size={14} aria-hidden /> : undefined}
      openOnFocus={false}
      {...rest}
      searchable
      allowDeselect={false}
      maxDropdownHeight={320}
      data={options}
      // The server has searched already.
      filter={({ options: all }) => all}
      searchValue={search}
      onSearchChange={setSearch}
      value={value === null ? null : String(value.id)}
      onChange={(next) => {
        const user = rows.find((row) => String(row.id) === next);
        if (user) onChange(user);
      }}
    />
  );
}
