// The screen of retention: which files are due, what disposes of them, and the certificates of what was disposed of.
import { Button, NativeSelect } from '@mantine/core';
import { IconCalendarDue, IconTrashX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { counted } from '#contract/plain-words.ts';
import { may, mayAttempt } from '#contract/policy.ts';
import type { DueFile } from '#contract/retention.ts';
import { DISPOSAL_FILES_MAX, ruleWords } from '#contract/retention-words.ts';
import { type DisposalChoice, type DueFilter, dueQuery, rulesQuery, useDispose } from '#web/data/retention.ts';
import { toastFault } from '#web/data/toast-fault.ts';
import { formatCount, formatDate, formatText, LONGEST, NOTHING } from '#web/lib/format.ts';
import { ON_HOLD } from '#web/lib/hold-messages.ts';
import { retentionDone, retentionFailed, retentionWords } from '#web/lib/retention-messages.ts';
import { useSessionUser } from '#web/lib/session.ts';
import { ClientLink } from '#web/parts/clients/client-link.tsx';
import { ClientSelect } from '#web/parts/clients/client-select.tsx';
import { addressOf, readId, readReportType } from '#web/parts/files/file-filters.ts';
import { LinkToFile } from '#web/parts/files/link-to-file.tsx';
import { openedFrom } from '#web/parts/files/way-back.ts';
import { periodWords } from '#web/parts/periods/period-select.tsx';
import { type ReportTypeChoice, ReportTypeFilter } from '#web/parts/report-types/type-selects.tsx';
import type { KeptFor } from '#web/parts/retention/retention-dialog.tsx';
import { AccessRefused } from '#web/ui/access-refused.tsx';
import { useConfirm } from '#web/ui/confirm-dialog.tsx';
import { DataTable } from '#web/ui/data-table.tsx';
import { type ClearFilters, FilterBar } from '#web/ui/filter-bar.tsx';
import { nothingMatches } from '#web/ui/nothing-matches.tsx';
import { PageHeader } from '#web/ui/page-header.tsx';
import type { Column } from '#web/ui/table-shape.ts';
import { toast } from '#web/ui/toast.tsx';
import { useLazyDialog } from '#web/ui/use-lazy-dialog.tsx';
import { useListSearch } from '#web/ui/use-list-search.ts';
import { type RowSelection, useRowSelection } from '#web/ui/use-row-selection.ts';
import { Disposals } from './disposals.tsx';

const loadYears = async () => (await import('#web/parts/retention/retention-dialog.tsx')).RetentionDialog;

const columns: readonly Column<DueFile>[] = [
  {
    key: 'name',
    header: 'File Name',
    sort: 'name',
    width: '30%',
    main: true,
    cut: true,
    cell: ({ id, originalName }) => (
      <LinkToFile id={id} name={originalName} search={(address) => openedFrom('/retention', address)} />
    ),
  },
  {
    key: 'client',
    header: 'Client',
    sort: 'client',
    width: '20%',
    cell: ({ clientId, clientName }) => <ClientLink id={clientId} name={clientName} />,
  },
  {
    key: 'type',
    header: 'Type',
    sort: 'type',
    width: '16%',
    cell: ({ typeName }) => formatText(typeName),
  },
  {
    key: 'period',
    header: 'Period',
    width: '12%',
    cell: ({ period }) => (period === null ? NOTHING : periodWords(period)),
  },
  {
    key: 'due',
    header: 'Due Since',
    sort: 'due',
    width: '12%',
    oneLine: LONGEST.date,
    cell: (file) => <span title={ruleWords(file)}>{formatDate(file.dueOn)}</span>,
  },
  {
    key: 'hold',
    header: 'Hold',
    width: '10%',
    cell: ({ onHold, ordered }) => (onHold ? ON_HOLD : ordered ? retentionWords.ordered : ''),
  },
];

const HOLDS = [
  { value: '', label: 'All' },
  { value: 'false', label: 'Not on hold' },
  { value: 'true', label: ON_HOLD },
];

const rowKey = ({ id }: DueFile) => id;
const nameOf = ({ originalName }: DueFile) => originalName;

export function RetentionScreen() {
  const user = useSessionUser();
  return (
    <>
      {mayAttempt({ ...user, look: null }, 'retention.read') ? (
        <Retention />
      ) : (
        <>
          <PageHeader title="Retention" />
          <AccessRefused />
        </>
      )}
    </>
  );
}

function Retention() {
  const user = useSessionUser();
  const manages = may(user, 'retention.manage');
  const years = useLazyDialog<KeptFor>(loadYears);
  const list = useListSearch({
    sorts: ['due', 'name', 'client', 'type'],
    defaultSort: 'due',
    filters: ['client', 'reportType', 'hold'],
  });
  const clientId = readId(list.filters.client);
  const reportTypeId = readReportType(list.filters.reportType);
  const onHold = list.filters.hold === 'true' || list.filters.hold === 'false' ? list.filters.hold : undefined;
  const matching = {
    ...(clientId === null ? {} : { clientId }),
    ...(reportTypeId === null ? {} : { reportTypeId }),
  };
  const asked: DueFilter = { ...matching, ...(onHold === undefined ? {} : { onHold }) };
  const { limit, offset, sort } = list.query;
  const due = useQuery(dueQuery({ ...asked, limit, offset, sort }));
  // How many of them would go: nothing of what is on hold or on its way, and never what the list does not show.
  const free = useQuery(dueQuery({ ...matching, onHold: 'false', ordered: 'false', limit: 1 }));
  const ticked = useRowSelection<DueFile>({
    rowKey,
    scope: JSON.stringify(asked),
    shown: due.data?.rows,
    isPlaceholderData: due.isPlaceholderData,
  });
  const isNarrowed = Object.keys(asked).length > 0;
  const { data: rules, isFetched: knowsRules } = useQuery(rulesQuery());
  const isSaid = rules !== undefined && [rules.untypedYears, ...rules.types.map((type) => type.years)].some(Boolean);
  const isListed = knowsRules && (due.data !== undefined || due.isError);
  const total = onHold === 'true' ? 0 : (free.data?.total ?? 0);

  return (
    <>
      <PageHeader
        title="Retention"
        actions={
          manages ? (
            <>
              <Button
                variant="default"
                onClick={() => void years.open({ reportTypeId: null, name: 'files without a type' })}
              >
                Files Without a Type
              </Button>
              <DisposeButton
                label={`Dispose of All ${formatCount(total)}`}
                count={total}
                isOld={free.isPlaceholderData}
                order={{ matching }}
                onOrdered={ticked.clear}
              />
            </>
          ) : null
        }
      />
      <DueFilterBar
        clientId={clientId}
        reportTypeId={reportTypeId}
        onHold={onHold}
        onFilters={list.setFilters}
        clear={{ isNarrowed, isEmpty: due.data?.total === 0, onClear: list.clear }}
      />
      <DataTable
        label="Due Files"
        columns={columns}
        query={due}
        list={list}
        rowKey={rowKey}
        {...(manages ? { selection: { ticked, nameOf, actions: <TickedActions ticked={ticked} /> } } : {})}
        empty={
          isNarrowed
            ? nothingMatches({ title: 'No due file matches your filters.' })
            : {
                icon: <IconCalendarDue size={24} stroke={1.5} />,
                title: retentionWords.empty,
                hint: retentionWords.emptyHint(isSaid),
              }
        }
      />
      {/* Drawn after the list above it, so that nothing moves. */}
      {isListed ? <Disposals /> : null}
      {years.element}
    </>
  );
}

interface DueFilterBarProps {
  clientId: number | null;
  reportTypeId: ReportTypeChoice | null;
  onHold: DueFilter['onHold'];
  onFilters: (changed: { client?: string; reportType?: string; hold?: string }) => void;
  clear: ClearFilters;
}

function DueFilterBar(props: DueFilterBarProps) {
  const { clientId, reportTypeId, onHold, onFilters, clear } = props;
  return (
    <FilterBar clear={clear}>
      <ClientSelect
        label="Client"
        withAll
        value={clientId}
        onChange={(id) => onFilters({ client: addressOf(id) })}
        w={{ base: '100%', xs: 200 }}
      />
      <ReportTypeFilter withoutType value={reportTypeId} onChange={(reportType) => onFilters({ reportType })} />
      <NativeSelect
        label="Hold"
        value={onHold ?? ''}
        onChange={(event) => onFilters({ hold: event.currentTarget.value })}
        data={HOLDS}
        w={{ base: '100%', xs: 160 }}
      />
    </FilterBar>
  );
}

interface DisposeButtonProps {
  label: string;
  /** How many go. */
  count: number;
  /** The count is still that of the list before. */
  isOld?: boolean;
  order: DisposalChoice;
  small?: boolean;
  onOrdered?: () => void;
}

function DisposeButton({ label, count, isOld = false, order, small = false, onOrdered }: DisposeButtonProps) {
  const confirm = useConfirm();
  const disposing = useDispose();
  const files = counted(count, 'file');
  const ask = () =>
    confirm({
      title: `Dispose of ${files}?`,
      message: retentionWords.question(count),
      confirmLabel: `Dispose of ${files}`,
      busyLabel: 'Ordering...',
      onConfirm: async () => {
        try {
          await disposing.mutateAsync({ ...order, expected: count });
          toast.success(retentionDone.ordered(files));
          onOrdered?.();
        } catch (error) {
          toastFault(error, retentionFailed.dispose);
        }
      },
    });
  return (
    <Button
      variant="default"
      size={small ? 'xs' : 'sm'}
      leftSection={<IconTrashX size={small ? 15 : 16} aria-hidden />}
      disabled={count === 0 || isOld}
      onClick={() => (count > DISPOSAL_FILES_MAX ? toast.info(retentionWords.tooMany) : ask())}
    >
      {label}
    </Button>
  );
}

function TickedActions({ ticked }: { ticked: RowSelection<DueFile> }) {
  const free = ticked.rows.filter(({ onHold, ordered }) => !onHold && !ordered);
  const count = ticked.rows.length;
  return (
    <DisposeButton
      small
      label={free.length === count ? 'Dispose Of' : `Dispose of ${formatCount(free.length)} of ${formatCount(count)}`}
      count={free.length}
      order={{ ids: free.map(({ id }) => id) }}
      onOrdered={ticked.clear}
    />
  );
}
