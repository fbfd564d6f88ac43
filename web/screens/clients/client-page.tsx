// The page of one client: its facts, its newest files, who sees it, its log, and what is done for it.

import { Button, Paper } from '@mantine/core';
import { IconBuilding, IconBuildingOff, IconListCheck, IconPencil, IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Fragment } from 'react';
import type { ClientRow } from '#contract/clients.ts';
import { hasClientPages } from '#contract/policy/actor.ts';
import { reachesClient } from '#contract/policy/reach.ts';
import { may, mayAttempt } from '#contract/policy.ts';
import { clientQuery } from '#web/data/clients.ts';
import { filesQuery, reportPeriodsQuery } from '#web/data/files.ts';
import { holdsQuery } from '#web/data/holds.ts';
import { requestsQuery } from '#web/data/requests.ts';
import { ApiFault } from '#web/lib/api-fault.ts';
import { formatCount, formatDate, formatText } from '#web/lib/format.ts';
import { loading } from '#web/lib/messages.ts';
import { useSayPageFacts } from '#web/lib/page-facts.ts';
import { useSessionUser } from '#web/lib/session.ts';
import { choosesClient, useRememberedClient } from '#web/parts/clients/chosen-client.ts';
import type { ExpectedClient } from '#web/parts/completeness/expectations-dialog.tsx';
import { loadExpectationsDialog } from '#web/parts/completeness/load-expectations-dialog.ts';
import { ReadersOf } from '#web/parts/files/seen-by.tsx';
import { HoldButton } from '#web/parts/retention/hold-button.tsx';
import { HoldNotices } from '#web/parts/retention/hold-notice.tsx';
import { UploadButton } from '#web/parts/uploads/upload-button.tsx';
import { uploadableTypes } from '#web/parts/uploads/upload-form.ts';
import { Breakable } from '#web/ui/breakable.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { PageHeader } from '#web/ui/page-header.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { useLazyDialog } from '#web/ui/use-lazy-dialog.tsx';
import { CardBody, ClientCard } from './client-card.tsx';
import { ClientFiles } from './client-files.tsx';
import { ClientLog, logQuery } from './client-log.tsx';
import { clientNotFound } from './client-messages.ts';
import { newsOf } from './client-news.ts';
import classes from './client-page.module.css';
import { ClientPeople, peopleQuery } from './client-people.tsx';
import { ClientPeriods } from './client-periods.tsx';
import { ClientRequests, openRequests } from './client-requests.tsx';
import { loadClientDialog } from './load-client-dialog.ts';

/** How many files of each kind are shown. */
const FILES_SHOWN = 6;

const facts: readonly (readonly [name: string, value: (client: ClientRow) => string])[] = [
  ['Address', (client) => formatText(client.address)],
  ['Phone', (client) => formatText(client.phone)],
  ['Email', (client) => formatText(client.email)],
  ['Federal ID', (client) => formatText(client.federalId)],
  ['State ID', (client) => formatText(client.stateId)],
  ['Employees', (client) => formatCount(client.employeeCount)],
  ['Start Date', (client) => formatDate(client.startDate)],
  ['Other Names', ({ otherNames }) => formatText(otherNames.join('; '))],
];

export function ClientScreen({ clientId }: { clientId: number }) {
  const user = useSessionUser();
  if (!hasClientPages(user) || !reachesClient(user, clientId)) return <ClientNotFound />;
  return <ClientOverview clientId={clientId} />;
}

function ClientOverview({ clientId }: { clientId: number }) {
  const user = useSessionUser();
  const query = useQuery({ ...clientQuery(clientId), staleTime: 0 });
  // All are asked at once: the name is needed for headings alone.
  const newest = { clientId, limit: FILES_SHOWN };
  const reports = useQuery(filesQuery({ ...newest, fileType: 'report' }));
  const documents = useQuery(filesQuery({ ...newest, fileType: 'company_document' }));
  const periods = useQuery(reportPeriodsQuery(clientId));
  const explains = mayAttempt(user, 'permissions.explain');
  const people = useQuery({ ...peopleQuery(clientId), enabled: explains });
  const log = useQuery(logQuery(clientId));
  const seesHolds = mayAttempt(user, 'holds.read');
  const holds = useQuery({ ...holdsQuery({ clientId }), enabled: seesHolds });
  const asks = mayAttempt(user, 'requests.read');
  const requests = useQuery({ ...requestsQuery(openRequests(clientId)), enabled: asks });
  const dialog = useLazyDialog<ClientRow>(loadClientDialog);
  const isMissing = query.error instanceof ApiFault && query.error.status === 404;
  useSayPageFacts({ name: isMissing ? null : (query.data?.name ?? null), section: null, clientId });

  if (isMissing) return <ClientNotFound />;
  // The cards are as tall as what is in them: together, or those that came first would move.
  const awaited = [
    query,
    reports,
    documents,
    periods,
    log,
    ...(explains ? [people] : []),
    ...(seesHolds ? [holds] : []),
    ...(asks ? [requests] : []),
  ];
  if (awaited.some(({ isPending }) => isPending)) return <Spinner label={loading.details} />;
  const client = { id: clientId, name: query.data?.name ?? 'this client' };
  return (
    <>
      <ClientHead
        client={query.data}
        clientId={clientId}
        held={holds.data?.length !== 0}
        onEdit={(client) => void dialog.open(client)}
      >
        {reports.data && documents.data ? newsOf(reports.data, documents.data) : '\u00a0'}
      </ClientHead>
      <HoldNotices holds={holds} />
      <div className={classes.columns}>
        <div className={classes.column}>
          <ReadersOf files={[...(reports.data?.rows ?? []), ...(documents.data?.rows ?? [])]}>
            <ClientFiles client={client} fileType="report" query={reports} />
            {asks ? <ClientRequests client={client} query={requests} /> : null}
            <ClientPeriods client={client} query={periods} />
            <ClientFiles client={client} fileType="company_document" query={documents} />
          </ReadersOf>
        </div>
        <div className={classes.aside}>
          <ClientCard title="Details">
            <CardBody query={query} lines={facts.length}>
              {(row) => (
                <dl className={classes.facts}>
                  {facts.map(([name, value]) => (
                    <Fragment key={name}>
                      <dt>{name}</dt>
                      <dd>
                        <Breakable text={value(row)} />
                      </dd>
                    </Fragment>
                  ))}
                </dl>
              )}
            </CardBody>
          </ClientCard>
          {explains ? <ClientPeople client={client} query={people} /> : null}
          <ClientLog client={client} query={log} />
        </div>
      </div>
      {dialog.element}
    </>
  );
}

interface ClientHeadProps {
  /** Undefined where it could not be loaded. */
  client: ClientRow | undefined;
  clientId: number;
  /** On hold, or not known. */
  held: boolean;
  onEdit: (client: ClientRow) => void;
  /** What is new. */
  children: string;
}

function ClientHead({ client, clientId, held, onEdit, children }: ClientHeadProps) {
  const user = useSessionUser();
  const [remembered, remember] = useRememberedClient();
  const isChosen = remembered === clientId;
  const sendable = uploadableTypes(user);
  const [firstSendable] = sendable;
  const expectations = useLazyDialog<ExpectedClient>(loadExpectationsDialog);

  return (
    <PageHeader
      title={client?.name ?? 'Client'}
      subtitle={children}
      actions={
        <div className={classes.actions}>
          {choosesClient(user) ? (
            <Button
              variant="default"
              leftSection={isChosen ? <IconX size={16} aria-hidden /> : <IconBuilding size={16} aria-hidden />}
              onClick={() => remember(isChosen ? null : clientId)}
            >
              {isChosen ? 'Clear Choice' : 'Work on This Client'}
            </Button>
          ) : null}
          {may(user, 'clients.update') ? (
            <Button
              variant="default"
              leftSection={<IconPencil size={16} aria-hidden />}
              disabled={client === undefined}
              onClick={() => client && onEdit(client)}
            >
              Edit
            </Button>
          ) : null}
          {mayAttempt(user, 'completeness.manage') ? (
            <Button
              variant="default"
              leftSection={<IconListCheck size={16} aria-hidden />}
              disabled={client === undefined}
              onClick={() => client && void expectations.open(client)}
            >
              Expectations
            </Button>
          ) : null}
          <HoldButton item={client && { kind: 'client', id: clientId, originalName: client.name }} held={held} />
          {firstSendable ? (
            <UploadButton
              label="Upload Files"
              title="Add Data"
              several={false}
              fileTypes={sendable}
              start={{ fileType: firstSendable, clientId }}
            />
          ) : null}
          {expectations.element}
        </div>
      }
    />
  );
}

/** Missing and out of reach read the same. */
function ClientNotFound() {
  return (
    <Paper withBorder radius="md">
      <PageHeader title="Client" />
      <EmptyState
        {...clientNotFound.client}
        icon={<IconBuildingOff size={28} stroke={1.5} />}
        action={<Link to="/">Go to the Dashboard</Link>}
      />
    </Paper>
  );
}
