// The details of a client company: one of several for whoever reaches several, for everyone else their own.

import { Paper, Skeleton } from '@mantine/core';
import { IconBuildingBank } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ClientRow } from '#contract/clients.ts';
import { isClientUser, isCpa } from '#contract/policy/actor.ts';
import { clientQuery } from '#web/data/clients.ts';
import { ApiFault } from '#web/lib/api-fault.ts';
import { formatCount, formatDate, formatText } from '#web/lib/format.ts';
import { empty, loading } from '#web/lib/messages.ts';
import { useSayPageFacts } from '#web/lib/page-facts.ts';
import { useSessionUser } from '#web/lib/session.ts';
import { reachesSeveral, useChosenClient } from '#web/parts/clients/chosen-client.ts';
import { ClientSelect, useReachedClients } from '#web/parts/clients/client-select.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { ErrorState } from '#web/ui/error-state.tsx';
import { FilterBar } from '#web/ui/filter-bar.tsx';
import { PageHeader } from '#web/ui/page-header.tsx';
import { useListSearch } from '#web/ui/use-list-search.ts';
import classes from './firm-details.module.css';

const facts: readonly (readonly [name: string, value: (client: ClientRow) => string])[] = [
  ['Company Name', (client) => formatText(client.name)],
  ['Address', (client) => formatText(client.address)],
  ['Phone Number', (client) => formatText(client.phone)],
  ['Federal ID', (client) => formatText(client.federalId)],
  ['State ID', (client) => formatText(client.stateId)],
  ['No. of Employees', (client) => formatCount(client.employeeCount)],
  ['Start Date', (client) => formatDate(client.startDate)],
];

export function FirmDetailsScreen() {
  const user = useSessionUser();
  const list = useListSearch({ sorts: ['name'], defaultSort: 'name', filters: ['client'] });
  const reached = useReachedClients();
  const chooses = isCpa(user) || reachesSeveral(user);

  const chosen = useChosenClient(list.filters.client);
  // The first of a Client user's list is the person's own; staff begin with the first by name.
  const own = isClientUser(user) || !chooses ? user.clientIds[0] : undefined;
  const clientId = (chooses ? chosen.clientId : null) ?? own ?? reached.first?.id ?? null;
  useSayPageFacts({ name: null, section: null, clientId });

  return (
    <>
      <PageHeader title="Company Details" />
      {chooses && reached.total !== 0 ? (
        <FilterBar>
          <ClientSelect label="Select Client" value={clientId} onChange={chosen.choose} w={{ base: '100%', xs: 320 }} />
        </FilterBar>
      ) : null}
      {clientId !== null ? (
        <Details clientId={clientId} />
      ) : reached.error ? (
        <ErrorState message={reached.error.message} onRetry={() => void reached.refetch()} busy={reached.isFetching} />
      ) : reached.total === undefined ? (
        <Waiting />
      ) : (
        <NoDetails />
      )}
    </>
  );
}

function Details({ clientId }: { clientId: number }) {
  const { data: client, error, isFetching, refetch } = useQuery({ ...clientQuery(clientId), staleTime: 0 });
  // Taken out of reach since the list, or these details, were read: the same as having none.
  if (error instanceof ApiFault && error.status === 404) return <NoDetails />;
  if (client) {
    return (
      <dl className={classes.facts}>
        {facts.map(([name, value]) => (
          <div key={name} className={classes.fact}>
            <dt>{name}</dt>
            <dd>{value(client)}</dd>
          </div>
        ))}
      </dl>
    );
  }
  if (error) return <ErrorState message={error.message} onRetry={() => void refetch()} busy={isFetching} />;
  return <Waiting />;
}

function NoDetails() {
  return (
    <Paper withBorder radius="md">
      <EmptyState title={empty.noClientAccess} icon={<IconBuildingBank size={24} stroke={1.5} />} />
    </Paper>
  );
}

/** Grey lines in the place of the facts. */
function Waiting() {
  return (
    <div className={classes.facts} role="status" aria-label={loading.details}>
      {facts.map(([name]) => (
        <div key={name} className={classes.fact} aria-hidden>
          <Skeleton height={12} width="6rem" my={4} />
          <Skeleton height={12} width="14rem" maw="70%" my={4} />
        </div>
      ))}
    </div>
  );
}
