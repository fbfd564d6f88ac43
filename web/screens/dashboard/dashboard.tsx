// The home of CPA and Client users: their clients, and the way to the reports.

import { Anchor, Button, Group, Title } from '@mantine/core';
import { IconReport } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ClientRow } from '#contract/clients.ts';
import { CLIENT_ON_HOLD } from '#contract/hold-words.ts';
import { isClientUser } from '#contract/policy/actor.ts';
import { clientsQuery, HOME_SORT } from '#web/data/clients.ts';
import { formatCount, formatText, LONGEST } from '#web/lib/format.ts';
import { ON_HOLD } from '#web/lib/hold-messages.ts';
import { empty } from '#web/lib/messages.ts';
import { useSessionUser } from '#web/lib/session.ts';
import { ClientLink } from '#web/parts/clients/client-link.tsx';
import { Mark } from '#web/parts/files/file-marks.tsx';
import { missingClients } from '#web/parts/users/missing-access.ts';
import { Breakable } from '#web/ui/breakable.tsx';
import { DataTable } from '#web/ui/data-table.tsx';
import { PageHeader } from '#web/ui/page-header.tsx';
import { PageLink } from '#web/ui/page-link.ts';
import { Spinner } from '#web/ui/spinner.tsx';
import type { Column } from '#web/ui/table-shape.ts';
import { useListSearch } from '#web/ui/use-list-search.ts';
import { AskedFor } from './asked-for.tsx';
import { dashboardLoading } from './dashboard-messages.ts';
import { LatestReports } from './latest-reports.tsx';
import { ToHelp } from './to-help.tsx';
import { WorkCards } from './work-cards.tsx';

/** Staff are led to the page of the client, and told where it is on hold; a Client user, who has none, to the reports of the company. */
function Company({ id, name, onHold }: Pick<ClientRow, 'id' | 'name' | 'onHold'>) {
  if (!isClientUser(useSessionUser())) {
    const link = <ClientLink id={id} name={name} />;
    if (!onHold) return link;
    return (
      <Group gap={6}>
        {link}
        <Mark word={ON_HOLD} says={CLIENT_ON_HOLD} />
      </Group>
    );
  }
  return (
    <Anchor
      component={PageLink}
      to="/client-reports"
      search={{ client: String(id) }}
      inherit
      style={{ overflowWrap: 'anywhere' }}
    >
      <Breakable text={name} />
    </Anchor>
  );
}

// Every column has its share, so that none moves when the rows arrive.
const columns: readonly Column<ClientRow>[] = [
  {
    key: 'name',
    header: 'Client Name',
    cell: ({ id, name, onHold }) => <Company id={id} name={name} onHold={onHold} />,
    sort: 'name',
    width: '26%',
  },
  { key: 'address', header: 'Address', cell: (client) => formatText(client.address), width: '36%' },
  { key: 'phone', header: 'Phone', cell: (client) => formatText(client.phone), width: '14%', oneLine: LONGEST.phone },
  {
    key: 'federalId',
    header: 'Federal ID',
    cell: (client) => formatText(client.federalId),
    sort: 'federalId',
    width: '12%',
    oneLine: LONGEST.federalId,
  },
  {
    key: 'employees',
    header: 'Employees',
    cell: (client) => formatCount(client.employeeCount),
    sort: 'employeeCount',
    width: '12%',
    align: 'right',
  },
];

export function DashboardScreen() {
  const user = useSessionUser();
  const list = useListSearch({ sorts: ['name', 'federalId', 'employeeCount'], defaultSort: HOME_SORT });
  const clients = useQuery(clientsQuery(list.query));
  return (
    <>
      <PageHeader
        title="Dashboard"
        actions={
          <Button component={PageLink} to="/cpa-dashboard" leftSection={<IconReport size={16} aria-hidden />}>
            View Reports
          </Button>
        }
      />
      {isClientUser(user) ? missingClients(user) === null ? <LatestReports /> : null : <WorkCards />}
      {isClientUser(user) ? <AskedFor /> : null}
      <Title order={3} mb="xs">
        Client List
      </Title>
      <DataTable
        label="Client List"
        columns={columns}
        query={clients}
        list={list}
        rowKey={(client) => client.id}
        loading={<Spinner label={dashboardLoading.clients} />}
        empty={{
          title: missingClients(user) ?? empty.dashboardClients,
          ...(isClientUser(user) ? { action: <ToHelp /> } : {}),
        }}
      />
    </>
  );
}
