// Choosing a user by name.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { UserRow } from '#contract/users.ts';
import { userQuery, usersQuery } from '#web/data/users.ts';
import { SearchedSelect, type SearchedSelectProps, useSelectSearch } from '#web/ui/searched-select.tsx';

/** Two people may share a name, never a user name. */
const nameOf = ({ fullName, username }: Pick<UserRow, 'fullName' | 'username'>) => `${fullName} (${username})`;

export interface UserSelectProps
  extends Omit<
    SearchedSelectProps,
    'search' | 'answer' | 'items' | 'chosen' | 'allLabel' | 'noneFound' | 'onChoose' | 'onChange'
  > {
  value: number | null;
  /** The chosen one where that is known already; as a text, of somebody who may be gone by now, empty while that is looked for. */
  knownAs?: Pick<UserRow, 'fullName' | 'username'> | string | undefined;
  /** `user` is null for 'All Users'. */
  onChange: (userId: number | null, user: UserRow | null) => void;
  /** Offers 'All Users', which means null. */
  withAll?: boolean;
}

export function UserSelect({ value, knownAs, onChange, withAll = false, ...rest }: UserSelectProps) {
  const allLabel = withAll ? 'All Users' : undefined;
  const [picked, setPicked] = useState<UserRow | null>(null);
  const given = picked?.id === value ? picked : typeof knownAs === 'object' ? knownAs : undefined;
  // An address names an id alone, and the first of the list may be others.
  const { data: found, isError } = useQuery({
    ...userQuery(value ?? 0),
    enabled: value !== null && given === undefined,
  });
  const person = given ?? found;
  const label = typeof knownAs === 'string' ? knownAs : isError ? 'Unknown User' : '';
  const chosenName = person ? nameOf(person) : label;
  const search = useSelectSearch(value === null ? (allLabel ?? '') : chosenName);
  const answer = useQuery(usersQuery({ sort: 'fullName', ...search.query }));
  const rows = answer.data?.rows ?? [];
  // The name that the box shows must be known, or it would be taken for a search.
  const row = rows.find(({ id }) => id === value);
  if (row !== undefined && picked?.id !== row.id) setPicked(row);

  return (
    <SearchedSelect
      placeholder="Select User"
      {...rest}
      search={search}
      answer={{ ...answer, total: answer.data?.total ?? 0 }}
      items={rows.map((user) => ({ value: String(user.id), label: nameOf(user) }))}
      chosen={value === null ? null : { value: String(value), label: chosenName }}
      allLabel={allLabel}
      noneFound="No users match your search"
      onChoose={(next) => {
        const user = rows.find(({ id }) => String(id) === next) ?? null;
        if (user !== null) setPicked(user);
        if (user !== null || next === null) onChange(user?.id ?? null, user);
      }}
    />
  );
}
