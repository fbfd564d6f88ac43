// The screen of client companies.

import { Button, Group } from '@mantine/core';
import { IconBuilding, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ClientRow } from '#contract/clients.ts';
import { may } from '#contract/policy.ts';
import { clientsQuery } from '#web/data/clients.ts';
import { formatCount, formatDate, formatText } from '#web/lib/format.ts';
import { empty } from '#web/lib/messages.ts';
import { useSessionUser } from '#web/lib/session.ts';
import { type Column, DataTable } from '#web/ui/data-table.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { PageHeader } from '#web/ui/page-header.tsx';
import { SearchBox } from '#web/ui/search-box.tsx';
import { useDialog } from '#web/ui/use-dialog.ts';
import { useListSearch } from '#web/ui/use-list-search.ts';
import { useClientDeletion } from './client-deletion.tsx';
import { ClientDialog } from './client-dialog.tsx';

const facts: readonly Column<ClientRow>[] = [
  { key: 'name', header: 'Client Name', cell: (client) => client.name, sort: 'name', width: '24%' },
  { key: 'email', header: 'Email', cell: (client) => formatText(client.email), sort: 'email', width: '22%' },
  { key: 'phone', header: 'Phone', cell: (client) => formatText(client.phone), sort: 'phone', nowrap: true },
  {
    key: 'federalId',
    header: 'Federal ID',
    cell: (client) => formatText(client.federalId),
    sort: 'federalId',
    nowrap: true,
  },
  {
    key: 'employees',
    header: 'Employees',
    cell: (client) => formatCount(client.employeeCount),
    sort: 'employeeCount',
    align: 'right',
  },
  {
    key: 'startDate',
    header: 'Start Date',
    cell: (client) => formatDate(client.startDate),
    sort: 'startDate',
    nowrap: true,
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

  const actions: Column<ClientRow> = {
    key: 'actions',
    header: 'Actions',
    width: '1%',
    cell: (client) => (
      <Group gap={2} wrap="nowrap">
        {mayEdit ? (
          <IconButton
            label={`Edit ${client.name}`}
            tip="Edit"
            icon={<IconPencil size={17} aria-hidden />}
            onClick={() => dialog.open(client)}
          />
        ) : null}
        {mayDelete ? (
          <IconButton
            label={`Delete ${client.name}`}
            tip="Delete"
            icon={<IconTrash size={17} aria-hidden />}
            onClick={() => remove(client)}
            danger
          />
        ) : null}
      </Group>
    ),
  };

  return (
    <>
      <PageHeader
        title="Client Management"
        actions={
          may(user, 'clients.create') ? (
            <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => dialog.open(null)}>
              Add Client
            </Button>
          ) : null
        }
      />
      <Group mb="md">
        <SearchBox
          label="Search clients"
          placeholder="Search clients by name, email, phone, federal ID..."
          value={list.searchText}
          onChange={list.setSearchText}
        />
      </Group>
      <DataTable
        label="Clients"
        columns={mayEdit || mayDelete ? [...facts, actions] : facts}
        query={clients}
        list={list}
        rowKey={(client) => client.id}
        empty={{
          title: list.narrowed ? empty.clientsSearched : empty.clients,
          icon: <IconBuilding size={24} stroke={1.5} />,
        }}
      />
      <ClientDialog {...dialog} />
    </>
  );
}
