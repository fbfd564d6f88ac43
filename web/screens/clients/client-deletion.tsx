// Deleting a client: the confirmation, and what is deleted with it.

import { useQuery } from '@tanstack/react-query';
import { type ClientRow, removalWords } from '#contract/clients.ts';
import { clientRemovalQuery, useDeleteClient } from '#web/data/clients.ts';
import { reasonOf } from '#web/lib/api.ts';
import { formatCount } from '#web/lib/format.ts';
import { confirmations, done, failed } from '#web/lib/messages.ts';
import { useDeletion } from '#web/parts/use-deletion.ts';

const counted = (count: number, noun: string) => `${formatCount(count)} ${count === 1 ? noun : `${noun}s`}`;

/** What the server says would be deleted with the client, loaded when the confirmation opens. */
function Removal({ clientId }: { clientId: number }) {
  const { data, error } = useQuery(clientRemovalQuery(clientId));
  if (error) return `What goes with it could not be counted: ${reasonOf(error)}`;
  if (!data) return 'Counting what goes with it...';
  return `Goes with it: ${removalWords(data, counted)}. Users who have other clients keep their account.`;
}

/** The function that confirms and then deletes. */
export function useClientDeletion(): (client: ClientRow) => void {
  return useDeletion<ClientRow>(useDeleteClient().mutateAsync, {
    title: (client) => `Delete ${client.name}?`,
    question: confirmations.deleteClient,
    note: (client) => <Removal clientId={client.id} />,
    done: done.clientDeleted,
    failed: failed.deleteClient,
  });
}
