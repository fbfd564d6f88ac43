// The screen of the trash: what was deleted and can be restored, by whom it was deleted and until when it is here.
import { Text } from '@mantine/core';
import { IconRestore, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { removalWords } from '#contract/removal-words.ts';
import type { TrashRow } from '#contract/trash.ts';
import { trashQuery, useRestore } from '#web/data/trash.ts';
import { formatDate, LONGEST } from '#web/lib/format.ts';
import { done, empty, failed } from '#web/lib/messages.ts';
import { trashDays } from '#web/lib/product.ts';
import { useSessionUser } from '#web/lib/session.ts';
import { toastFault } from '#web/lib/toast-fault.ts';
import { Breakable } from '#web/ui/breakable.tsx';
import { BusyButton } from '#web/ui/busy-button.tsx';
import { ClearSearch } from '#web/ui/clear-search.tsx';
import { type Column, DataTable } from '#web/ui/data-table.tsx';
import { Moment } from '#web/ui/moment.tsx';
import { PageHeader } from '#web/ui/page-header.tsx';
import { SearchBox } from '#web/ui/search-box.tsx';
import { toast } from '#web/ui/toast.tsx';
import { useListSearch } from '#web/ui/use-list-search.ts';

/** What it is, and what else is to be known of it: 'Client with 3 files and 1 user'. */
function kindWords({ kind, fileType, files, users, clientInTrash }: TrashRow): string {
  if (kind === 'client') {
    return files === null && users === null ? 'Client' : `Client with ${removalWords({ files, users })}`;
  }
  const noun = fileType === 'report' ? 'Report' : 'Company document';
  return clientInTrash ? `${noun}. Its client is in the trash: restore that first` : noun;
}

const facts: readonly Column<TrashRow>[] = [
  {
    key: 'name',
    header: 'Name',
    sort: 'name',
    width: '31%',
    main: true,
    cell: (row) => (
      // One element: on a phone the parts of a cell stand next to each other.
      <div>
        <Breakable text={row.name} />
        <Text component="div" size="sm" c="dimmed">
          {kindWords(row)}
        </Text>
      </div>
    ),
  },
  {
    key: 'client',
    header: 'Client',
    sort: 'client',
    width: '21%',
    cell: ({ clientName }) => <Breakable text={clientName} />,
  },
  {
    key: 'deleted',
    header: 'Deleted',
    sort: 'deleted',
    width: '15%',
    oneLine: LONGEST.dateTime,
    cell: ({ deletedAt }) => <Moment at={deletedAt} />,
  },
  {
    key: 'deletedBy',
    header: 'Deleted By',
    sort: 'deletedBy',
    width: '15%',
    cell: ({ deletedByName }) => <Breakable text={deletedByName} />,
  },
  {
    key: 'gone',
    header: 'Kept Until',
    sort: 'gone',
    width: '11%',
    oneLine: LONGEST.date,
    cell: ({ goneAt }) => formatDate(goneAt),
  },
];

export function TrashScreen() {
  const { look } = useSessionUser();
  const list = useListSearch({
    sorts: ['name', 'client', 'deleted', 'deletedBy', 'gone'],
    defaultSort: '-deleted',
  });
  const trash = useQuery(trashQuery(list.query));
  const restoring = useRestore();
  const { kind, id } = restoring.variables ?? {};

  const restore = (row: TrashRow) =>
    restoring.mutate(row, {
      onSuccess: () => toast.success(row.kind === 'file' ? done.fileRestored : done.clientRestored),
      onError: (error) => toastFault(error, row.kind === 'file' ? failed.restoreFile : failed.restoreClient),
    });

  const actions: Column<TrashRow> = {
    key: 'actions',
    header: 'Actions',
    width: '124px',
    cell: (row) =>
      row.clientInTrash ? null : (
        <BusyButton
          variant="default"
          size="xs"
          leftSection={<IconRestore size={14} aria-hidden />}
          aria-label={`Restore ${row.name}`}
          busy={restoring.isPending && kind === row.kind && id === row.id}
          onClick={() => restore(row)}
        >
          Restore
        </BusyButton>
      ),
  };

  return (
    <>
      <PageHeader title="Trash" />
      <SearchBox
        label="Search the trash"
        placeholder="Search by name or client..."
        value={list.searchText}
        onChange={list.setSearchText}
      />
      <DataTable
        label="Trash"
        columns={look === null ? [...facts, actions] : facts}
        query={trash}
        list={list}
        rowKey={(row) => `${row.kind} ${row.id}`}
        empty={{
          icon: <IconTrash size={24} stroke={1.5} />,
          ...(list.narrowed
            ? { title: empty.nothingMatches, action: <ClearSearch list={list} /> }
            : {
                title: empty.trash.title,
                hint: empty.trash.hint(trashDays === 1 ? '1 day' : `${trashDays} days`),
              }),
        }}
      />
    </>
  );
}
