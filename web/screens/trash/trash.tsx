// The screen of the trash: what was deleted and can be restored, by whom it was deleted and until when it is here.
import { Button, Text } from '@mantine/core';
import { IconRestore, IconTrash, IconTrashX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { counted } from '#contract/plain-words.ts';
import { mayAttempt } from '#contract/policy.ts';
import { removalWords } from '#contract/removal-words.ts';
import type { TrashRow } from '#contract/trash.ts';
import type { OneByOne } from '#web/data/one-by-one.ts';
import { toastFault } from '#web/data/toast-fault.ts';
import { deleteForEver, restoreMany, type TrashFilter, trashQuery, useRestore } from '#web/data/trash.ts';
import { fieldFaultsOf, reasonOf } from '#web/lib/api-fault.ts';
import { formatCount, formatDate, LONGEST } from '#web/lib/format.ts';
import { ON_HOLD } from '#web/lib/hold-messages.ts';
import { done, failed } from '#web/lib/messages.ts';
import { namesOf } from '#web/lib/names-of.ts';
import { trashDays } from '#web/lib/product.ts';
import { useSessionUser } from '#web/lib/session.ts';
import { ClientLink } from '#web/parts/clients/client-link.tsx';
import type { ToBeHeld } from '#web/parts/retention/hold-dialog.tsx';
import { Breakable } from '#web/ui/breakable.tsx';
import { BusyButton } from '#web/ui/busy-button.tsx';
import { useConfirm } from '#web/ui/confirm-dialog.tsx';
import { DataTable } from '#web/ui/data-table.tsx';
import { IconButton, IconRow } from '#web/ui/icon-button.tsx';
import { Moment } from '#web/ui/moment.tsx';
import { nothingMatches } from '#web/ui/nothing-matches.tsx';
import { PageHeader } from '#web/ui/page-header.tsx';
import { SearchBox } from '#web/ui/search-box.tsx';
import type { Column } from '#web/ui/table-shape.ts';
import { toast } from '#web/ui/toast.tsx';
import { useLazyDialog } from '#web/ui/use-lazy-dialog.tsx';
import { useListSearch } from '#web/ui/use-list-search.ts';
import { type RowSelection, useRowSelection } from '#web/ui/use-row-selection.ts';
import { useRowsUnderWay } from '#web/ui/use-rows-under-way.ts';
import { HoldAction } from './hold-action.tsx';
import type { ToRestore } from './restore-dialog.tsx';
import { askedTrash, nounsOf, TRASH_FILTERS, TrashFilters } from './trash-filters.tsx';
import { trashDone, trashEmpty, trashFailed, trashQuestions } from './trash-messages.ts';

/** What it is, and what else is to be known of it: 'Client with 3 files and 1 user'. */
function kindWords({ kind, fileType, files, users, clientInTrash }: TrashRow): string {
  if (kind === 'client') {
    return files === null && users === null ? 'Client' : `Client with ${removalWords({ files, users })}`;
  }
  const noun = fileType === 'report' ? 'Report' : 'Company document';
  return clientInTrash ? `${noun}. Its client is in the trash` : noun;
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
    // While it is in the trash itself it has no page.
    cell: ({ kind, clientInTrash, clientId, clientName }) => (
      <ClientLink id={kind === 'client' || clientInTrash ? null : clientId} name={clientName} />
    ),
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
    // Past that day too, as long as it is on hold.
    cell: ({ goneAt, onHold }) => (onHold ? ON_HOLD : formatDate(goneAt)),
  },
];

const rowKey = ({ kind, id }: TrashRow) => `${kind} ${id}`;
const nameOf = ({ name }: TrashRow) => name;
const named = ({ done: through, failures }: OneByOne<TrashRow>) =>
  namesOf(
    failures.map(({ file, error }) => ({ file: { originalName: file.name }, error })),
    through.length,
  );

const loadHold = async () => (await import('#web/parts/retention/hold-dialog.tsx')).HoldDialog;

const loadRestore = async () => (await import('./restore-dialog.tsx')).RestoreDialog;

/** Restores a row, and asks what else must be known where the server does. */
const restoringBy =
  (
    { mutateAsync }: Pick<ReturnType<typeof useRestore>, 'mutateAsync'>,
    ticked: RowSelection<TrashRow>,
    openDialog: (subject: ToRestore) => Promise<void>,
    isLeft: () => boolean,
  ) =>
  async (row: TrashRow) => {
    const onRestored = () => ticked.set([row], false);
    try {
      // Awaited one by one: of two that are restored one after the other both say what came of it.
      const withoutType = await mutateAsync(row);
      onRestored();
      toast.success(row.kind === 'file' ? done.fileRestored : trashDone.clientRestored(withoutType));
    } catch (error) {
      const asked = fieldFaultsOf(error);
      // Nobody is asked on a page that was left.
      if (Object.keys(asked).length === 0 || isLeft()) {
        toastFault(error, row.kind === 'file' ? failed.restoreFile : failed.restoreClient);
        return;
      }
      await openDialog({ row, asked, reason: reasonOf(error), onRestored });
    }
  };

/** Deletes rows for ever, once somebody has said so. */
function useEnding(ticked: RowSelection<TrashRow>) {
  const confirm = useConfirm();
  return (rows: readonly TrashRow[]) => {
    const [first] = rows;
    if (first === undefined) return;
    const one = rows.length === 1;
    confirm({
      title: one ? `Delete ${first.name} for ever?` : `Delete ${formatCount(rows.length)} for ever?`,
      facts: rows.some((row) => row.kind === 'client')
        ? 'With a client go its people, and all of its files that are in the trash.'
        : undefined,
      message: one ? trashQuestions.deleteForEver : trashQuestions.deleteAllForEver,
      confirmLabel: 'Delete for Ever',
      busyLabel: 'Deleting...',
      onConfirm: async () => {
        const outcome = await deleteForEver(rows, () => undefined);
        ticked.set(outcome.done, false);
        if (outcome.failures.length > 0) toast.error(trashFailed.deleteForEver(named(outcome)));
        else toast.success(trashDone.deletedForEver(outcome.done.length));
      },
    });
  };
}

export function TrashScreen() {
  const user = useSessionUser();
  const list = useListSearch({
    sorts: ['name', 'client', 'deleted', 'deletedBy', 'gone'],
    defaultSort: '-deleted',
    filters: TRASH_FILTERS,
  });
  const asked: TrashFilter = askedTrash(user, list.filters);
  const isNarrowed = list.q !== '' || Object.keys(asked).length > 0;
  const trash = useQuery(trashQuery({ ...list.query, ...asked }));
  const restoring = useRestore();
  const underWay = useRowsUnderWay<string>();
  const ticked = useRowSelection<TrashRow>({
    rowKey,
    scope: JSON.stringify({ ...asked, q: list.q }),
    shown: trash.data?.rows,
    isPlaceholderData: trash.isPlaceholderData,
  });

  const dialog = useLazyDialog<ToRestore>(loadRestore);
  const holding = useLazyDialog<ToBeHeld>(loadHold);

  const mayEnd = (row: TrashRow) =>
    !row.onHold && mayAttempt(user, row.kind === 'file' ? 'files.purge' : 'clients.purge');

  const isThere = useRef(false);
  useEffect(() => {
    isThere.current = true;
    return () => {
      isThere.current = false;
    };
  }, []);
  const restore = restoringBy(restoring, ticked, dialog.open, () => !isThere.current);
  const askToEnd = useEnding(ticked);

  const actions: Column<TrashRow> = {
    key: 'actions',
    header: 'Actions',
    width: '184px',
    cell: (row) => (
      <RowActions
        row={row}
        isRestoring={underWay.has(rowKey(row))}
        onRestore={() => void underWay.run(rowKey(row), () => restore(row))}
        onHold={(subject) => void holding.open(subject)}
        onEnd={mayEnd(row) ? () => askToEnd([row]) : null}
      />
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
      <TrashFilters
        list={list}
        asked={asked}
        deleter={trash.isPending ? '' : trash.data?.rows[0]?.deletedByName}
        isNarrowed={isNarrowed}
        isEmpty={trash.data?.total === 0}
      />
      <DataTable
        label="Trash"
        columns={user.look === null ? [...facts, actions] : facts}
        query={trash}
        list={list}
        rowKey={rowKey}
        {...(user.look === null
          ? {
              selection: {
                ticked,
                nameOf,
                actions: <TickedActions ticked={ticked} mayEnd={mayEnd} onEnd={askToEnd} />,
              },
            }
          : {})}
        empty={
          isNarrowed
            ? nothingMatches({ title: trashEmpty.trashSearched })
            : {
                icon: <IconTrash size={24} stroke={1.5} />,
                title: trashEmpty.trash.title,
                hint: trashEmpty.trash.hint(counted(trashDays, 'day'), nounsOf(user).includes('client')),
              }
        }
      />
      {dialog.element}
      {holding.element}
    </>
  );
}

interface RowActionsProps {
  row: TrashRow;
  isRestoring: boolean;
  onRestore: () => void;
  onHold: (subject: ToBeHeld) => void;
  /** Null where this person may not, or a hold forbids it. */
  onEnd: (() => void) | null;
}

function RowActions({ row, isRestoring, onRestore, onHold, onEnd }: RowActionsProps) {
  return (
    <IconRow>
      <BusyButton
        variant="default"
        size="xs"
        leftSection={<IconRestore size={14} aria-hidden />}
        aria-label={`Restore ${row.name}`}
        busy={isRestoring}
        onClick={onRestore}
      >
        Restore
      </BusyButton>
      <HoldAction row={row} onHold={onHold} />
      {onEnd === null ? null : (
        <IconButton
          label={`Delete ${row.name} for ever`}
          tip="Delete for ever"
          icon={<IconTrashX size={17} aria-hidden />}
          danger
          onClick={onEnd}
        />
      )}
    </IconRow>
  );
}

interface TickedActionsProps {
  ticked: RowSelection<TrashRow>;
  mayEnd: (row: TrashRow) => boolean;
  onEnd: (rows: readonly TrashRow[]) => void;
}

function TickedActions({ ticked, mayEnd, onEnd }: TickedActionsProps) {
  const [restored, setRestored] = useState<number | null>(null);
  const ended = ticked.rows.filter(mayEnd);
  const restoreAll = async () => {
    setRestored(0);
    const outcome = await restoreMany(ticked.rows, () => setRestored((count) => (count ?? 0) + 1));
    setRestored(null);
    ticked.set(outcome.done, false);
    if (outcome.failures.length > 0) toast.error(trashFailed.restoreSome(named(outcome)));
    else toast.success(trashDone.allRestored(outcome.done.length, outcome.withoutType));
  };
  const count = ticked.rows.length;
  return (
    <>
      <BusyButton
        variant="default"
        size="xs"
        leftSection={<IconRestore size={15} aria-hidden />}
        busy={restored !== null}
        onClick={() => void restoreAll()}
      >
        {restored === null || count === 1 ? 'Restore' : `Restoring ${formatCount(restored)} of ${formatCount(count)}`}
      </BusyButton>
      {ended.length === 0 ? null : (
        <Button
          variant="default"
          size="xs"
          leftSection={<IconTrashX size={15} aria-hidden />}
          onClick={() => onEnd(ended)}
        >
          {ended.length === count
            ? 'Delete for Ever'
            : `Delete ${formatCount(ended.length)} of ${formatCount(count)} for Ever`}
        </Button>
      )}
    </>
  );
}
