// A titled list of what somebody sees, each entry with its reason; a long one can be searched.

import { Box, Text, TextInput, Title } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useDeferredValue, useId, useState } from 'react';
import type { UserReach } from '#contract/roles.ts';
import { matchesSearch } from '#contract/search.ts';
import { formatCount } from '#web/lib/format.ts';
import { ClientLink } from '#web/parts/clients/client-link.tsx';
import { whyLabels } from '#web/parts/users/why-labels.ts';
import classes from './who-can-see.module.css';

/** From here on a list wants a search. */
const LONG = 12;

export interface ReachListProps {
  title: string;
  /** What is listed, in the plural: 'clients'. */
  noun: 'clients' | 'report types';
  entries: UserReach['clients'];
  /** Shown where nothing is seen. */
  none: string;
}

export function ReachList({ title, noun, entries, none }: ReachListProps) {
  const id = useId();
  const [search, setSearch] = useState('');
  const sought = useDeferredValue(search.trim());
  const matching = sought === '' ? entries : entries.filter((entry) => matchesSearch(sought, [entry.name]));
  return (
    <section className={classes.list} aria-labelledby={id}>
      <div className={classes.listHead}>
        <Title order={2} size="h3" id={id}>
          {title}
        </Title>
        <Text size="sm" c="dimmed">
          {formatCount(entries.length)}
        </Text>
      </div>
      {entries.length > LONG ? (
        <TextInput
          variant="unstyled"
          className={classes.search ?? ''}
          type="search"
          aria-label={`Search ${noun}`}
          placeholder={`Search ${noun}...`}
          leftSection={<IconSearch size={15} aria-hidden />}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
      ) : null}
      {matching.length === 0 ? (
        <Text c="dimmed" px="md" py="sm">
          {entries.length === 0 ? none : 'Nothing matches your search'}
        </Text>
      ) : (
        // A scrolling list takes the focus, so that the keyboard scrolls it.
        <Box component="ul" className={classes.entries ?? ''} aria-labelledby={id} tabIndex={0}>
          {matching.map((entry) => (
            <li key={entry.id}>
              <span>{noun === 'clients' ? <ClientLink id={entry.id} name={entry.name} /> : entry.name}</span>
              <span className={classes.why}>{whyLabels[entry.why]}</span>
            </li>
          ))}
        </Box>
      )}
    </section>
  );
}
