// The screen of client companies.

import { Button } from '@mantine/core';
import { IconBuilding, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ClientRow } from '#contract/clients.ts';
import { may } from '#contract/policy.ts';
import { clientsQuery } from '#web/data/clients.ts';
import { formatCount, formatDate, formatText, LONGEST } from '#web/lib/format.ts';
import { empty } from '#web/lib/messages.ts';
import { useSessionUser } from '#web/lib/session.ts';
import { Breakable } from '#web/ui/breakable.tsx';
import { type Column, DataTable } from '#web/ui/data-table.tsx';
import { PageHeader } from '#web/ui/page-header.tsx';
import { actionsColumn } from '#web/ui/row-actions.tsx';
import { SearchBox } from '#web/ui/search-box.tsx';
import { useDialog } from '#web/ui/use-dialog.ts';
import { useListSearch } from '#web/ui/use-list-search.ts';
import { useClientDeletion } from './client-deletion.tsx';
import { ClientDialog } from './client-dialog.tsx';

const facts: readonly Column<ClientRow>[] = [
  { key: 'name', header: 'Client Name', cell: (client) => client.name, sort: 'name', width: '21%' },
  {
    key: 'email',
    header: 'Email',
    cell: (client) => <Breakable text={formatText(client.email)} />,
    sort: 'email',
    width: '26%',
  },
  {
    key: 'phone',
    header: 'Phone',
    cell: (client) => formatText(client.phone),
    sort: 'phone',
    width: '13%',
    oneLine: LONGEST.phone,
  },
  {
    key: 'federalId',
    header: 'Federal ID',
    cell: (client) => formatText(client.federalId),
    sort: 'federalId',
    width: '11%',
    oneLine: LONGEST.federalId,
  },
  {
    key: 'employees',
    header: 'Employees',
    cell: (client) => formatCount(client.employeeCount),
    sort: 'employeeCount',
    width: '10%',
    align: 'right',
  },
  {
    key: 'startDate',
    header: 'Start Date',
    cell: (client) => formatDate(client.startDate),
    sort: 'startDate',
    width: '11%',
    oneLine: LONGEST.date,
  },
];

export function ClientsScreen() {
  const user = useSessionUser();
  const list = useListSearch({
    sorts: ['name', 'email', 'phone', 'federalId', 'employeeCount', 'startDate'],
    defaultSort: 'name',
  });
  const clients = useQuery(clientsQuery(list.query));
  const dialog = useDialog<ClientRow>();
  const remove = useClientDeletion();
  const mayEdit = may(user, 'clients.update');
  const mayDelete = may(user, 'clients.delete');

  const actions = actionsColumn<ClientRow>({
    nameOf: (client) => client.name,
    edit: (client) => (mayEdit ? () => dialog.open(client) : null),
    remove: (client) => (mayDelete ? () => remove(client) : null),
  });

  const mayAdd = may(user, 'clients.create');
  // The empty text suggests adding one only to people who can.
  const emptyText = mayAdd ? empty.clients : empty.dashboardClients;

  return (
    <>
      <PageHeader
        title="Client Management"
        actions={
          mayAdd ? (
            <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => dialog.open(null)}>
              Add Client
            </Button>
          ) : null
        }
      />
      <SearchBox
        label="Search clients"
        placeholder="Search clients by name, email, phone, federal ID..."
        value={list.searchText}
        onChange={list.setSearchText}
      />
      <DataTable
        label="Clients"
        columns={mayEdit || mayDelete ? [...facts, actions] : facts}
        query={clients}
        list={list}
        rowKey={(client) => client.id}
        empty={{
          title: list.narrowed ? empty.clientsSearched : emptyText,
          icon: <IconBuilding size={24} stroke={1.5} />,
        }}
      />
      <ClientDialog {...dialog} />
    </>
  );
}
