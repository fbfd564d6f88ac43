// Deleting a client: the confirmation, and what is deleted with it.

import { useQuery } from '@tanstack/react-query';
import type { ClientRow } from '#contract/clients.ts';
import { removalWords } from '#contract/removal-words.ts';
import { clientRemovalQuery, useDeleteClient } from '#web/data/clients.ts';
import { reasonOf } from '#web/lib/api-fault.ts';
import { RestorableUntil } from '#web/parts/files/restorable-until.tsx';
import { useDeletion } from '#web/parts/files/use-deletion.ts';
import { toastClientDeleted } from '#web/parts/trash/undo.ts';
import { Impossible } from '../../ui/impossible.tsx';
import { clientFailed, clientHeld, clientQuestions } from './client-messages.ts';

/** What the server says would be deleted with the client, loaded when the confirmation opens. */
function Removal({ clientId }: { clientId: number }) {
  const { data, error } = useQuery(clientRemovalQuery(clientId));
  if (error) return `What this also deletes could not be counted: ${reasonOf(error)}`;
  if (!data) return 'Counting what this also deletes...';
  if (data.onHold) return <Impossible>{clientHeld[data.onHold]}</Impossible>;
  return `This also deletes: ${removalWords(data)}. Users who have other clients keep their account.`;
}

/** The function that confirms and then deletes. */
export function useClientDeletion(): (client: ClientRow) => void {
  return useDeletion<ClientRow>(useDeleteClient().mutateAsync, {
    title: (client) => `Delete ${client.name}?`,
    question: clientQuestions.deleteClient,
    facts: (client) => <Removal clientId={client.id} />,
    note: () => <RestorableUntil kind="client" />,
    done: ({ id }) => toastClientDeleted(id),
    failed: clientFailed.deleteClient,
  });
}
