// Deleting a client: the confirmation, and what is deleted with it.

import { TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { ClientRow } from '#contract/clients.ts';
import { removalWords } from '#contract/removal-words.ts';
import { searchForm } from '#contract/search.ts';
import { clientRemovalQuery, useDeleteClient } from '#web/data/clients.ts';
import { reasonOf } from '#web/lib/api.ts';
import { formatCount } from '#web/lib/format.ts';
import { confirmations, failed } from '#web/lib/messages.ts';
import { RestorableUntil } from '#web/parts/restorable-until.tsx';
import { toastClientDeleted } from '#web/parts/undo.ts';
import { useDeletion } from '#web/parts/use-deletion.ts';

const counted = (count: number, noun: string) => `${formatCount(count)} ${count === 1 ? noun : `${noun}s`}`;

/** What the server says would be deleted with the client, loaded when the confirmation opens. */
function Removal({ clientId }: { clientId: number }) {
  const { data, error } = useQuery(clientRemovalQuery(clientId));
  if (error) return `What this also deletes could not be counted: ${reasonOf(error)}`;
  if (!data) return 'Counting what this also deletes...';
  return `This also deletes: ${removalWords(data, counted)}. Users who have other clients keep their account.`;
}

interface TypedNameProps {
  client: ClientRow;
  onAllowed: (allowed: boolean) => void;
}

/** A client with files is deleted only by somebody who types its name. */
function TypedName({ client, onAllowed }: TypedNameProps) {
  const { data, error } = useQuery(clientRemovalQuery(client.id));
  const [typed, setTyped] = useState('');
  const free = data?.files === 0;
  const right = searchForm(typed) === searchForm(client.name);
  useEffect(() => onAllowed(free || right), [free, right, onAllowed]);
  if (free || (data === undefined && !error)) return null;
  return (
    <TextInput
      label="To delete it, type the client’s name"
      description={client.name}
      autoComplete="off"
      styles={{ description: { overflowWrap: 'anywhere' } }}
      value={typed}
      onChange={(event) => setTyped(event.currentTarget.value)}
    />
  );
}

/** The function that confirms and then deletes. */
export function useClientDeletion(): (client: ClientRow) => void {
  return useDeletion<ClientRow>(useDeleteClient().mutateAsync, {
    title: (client) => `Delete ${client.name}?`,
    question: confirmations.deleteClient,
    facts: (client) => <Removal clientId={client.id} />,
    guard: (client, allow) => <TypedName key={client.id} client={client} onAllowed={allow} />,
    note: () => <RestorableUntil kind="client" />,
    done: ({ id }) => toastClientDeleted(id),
    failed: failed.deleteClient,
  });
}
