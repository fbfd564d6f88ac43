// The screen of client companies.

import { Button, Group, Text } from '@mantine/core';
import { IconBuilding, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ClientRow } from '#contract/clients.ts';
import { CLIENT_ON_HOLD } from '#contract/hold-words.ts';
import { may } from '#contract/policy.ts';
import { matchesSearch } from '#contract/search.ts';
import { clientsQuery } from '#web/data/clients.ts';
import { formatCount, formatDate, formatText, LONGEST } from '#web/lib/format.ts';
import { ON_HOLD } from '#web/lib/hold-messages.ts';
import { empty } from '#web/lib/messages.ts';
import { useSessionUser } from '#web/lib/session.ts';
import { ClientLink } from '#web/parts/clients/client-link.tsx';
import { Mark } from '#web/parts/files/file-marks.tsx';
import { useImport } from '#web/parts/import/use-import.tsx';
import { Suggestions } from '#web/parts/suggestions/suggestions.tsx';
import { Breakable } from '#web/ui/breakable.tsx';
import { ClearSearch } from '#web/ui/clear-search.tsx';
import { DataTable } from '#web/ui/data-table.tsx';
import { PageHeader } from '#web/ui/page-header.tsx';
import { actionsColumn } from '#web/ui/row-actions.tsx';
import { SearchBox } from '#web/ui/search-box.tsx';
import type { Column } from '#web/ui/table-shape.ts';
import { useAddressRequest } from '#web/ui/use-address-request.ts';
import { useLazyDialog } from '#web/ui/use-lazy-dialog.tsx';
import { useListSearch } from '#web/ui/use-list-search.ts';
import { useClientDeletion } from './client-deletion.tsx';
import { clientEmpty } from './client-messages.ts';
import { loadClientDialog } from './load-client-dialog.ts';

/** A client, with the mark of one that is on hold, and the other name that the search in force found it by. */
function NamedClient({ client, search }: { client: ClientRow; search: string }) {
  const { id, name, otherNames, onHold } = client;
  const also = search === '' ? undefined : otherNames.find((other) => matchesSearch(search, [other]));
  return (
    <>
      {onHold ? (
        <Group gap={6}>
          <ClientLink id={id} name={name} />
          <Mark word={ON_HOLD} says={CLIENT_ON_HOLD} />
        </Group>
      ) : (
        <ClientLink id={id} name={name} />
      )}
      {also === undefined ? null : (
        <Text size="sm" c="dimmed">
          Also: {also}
        </Text>
      )}
    </>
  );
}

const factsFor = (search: string): readonly Column<ClientRow>[] => [
  {
    key: 'name',
    header: 'Client Name',
    cell: (client) => <NamedClient client={client} search={search} />,
    sort: 'name',
    width: '21%',
  },
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

const loadImport = () => import('./import-clients.tsx').then(({ ImportClients }) => ImportClients);

export function ClientsScreen() {
  const user = useSessionUser();
  const list = useListSearch({
    sorts: ['name', 'email', 'phone', 'federalId', 'employeeCount', 'startDate'],
    defaultSort: 'name',
  });
  const clients = useQuery(clientsQuery(list.query));
  const dialog = useLazyDialog<ClientRow>(loadClientDialog);
  const remove = useClientDeletion();
  const mayEdit = may(user, 'clients.update');
  const mayDelete = may(user, 'clients.delete');

  const actions = actionsColumn<ClientRow>({
    nameOf: (client) => client.name,
    edit: (client) => (mayEdit ? () => void dialog.open(client) : null),
    remove: (client) => (mayDelete ? () => remove(client) : null),
  });

  const mayAdd = may(user, 'clients.create');
  useAddressRequest('add', () => {
    if (mayAdd) void dialog.open(null);
  });
  const importing = useImport('Import clients', loadImport, mayAdd);
  // The empty text suggests adding one only to people who can.
  const emptyText = mayAdd ? clientEmpty.clients : empty.dashboardClients;

  return (
    <>
      <PageHeader
        title="Client Management"
        actions={
          mayAdd ? (
            <>
              {importing.button}
              <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => void dialog.open(null)}>
                Add Client
              </Button>
            </>
          ) : null
        }
      />
      <Suggestions shown="client" />
      <SearchBox
        label="Search clients"
        placeholder="Search clients by name, email, phone, federal ID..."
        value={list.searchText}
        onChange={list.setSearchText}
      />
      <DataTable
        label="Clients"
        columns={mayEdit || mayDelete ? [...factsFor(list.q), actions] : factsFor(list.q)}
        query={clients}
        list={list}
        rowKey={(client) => client.id}
        empty={{
          title: list.narrowed ? clientEmpty.clientsSearched : emptyText,
          hint: mayAdd && !list.narrowed ? clientEmpty.importHint.clients : undefined,
          action: list.narrowed ? <ClearSearch list={list} /> : undefined,
          icon: <IconBuilding size={24} stroke={1.5} />,
        }}
      />
      {dialog.element}
      {importing.dialog}
    </>
  );
}
