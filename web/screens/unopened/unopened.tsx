// Reports that nobody of their client has opened, by client and report type, and the press that reminds who sees them.
import { Anchor, Button, Text } from '@mantine/core';
import { IconBellRinging, IconEyeCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { counted } from '#contract/plain-words.ts';
import { mayAttempt } from '#contract/policy.ts';
import type { Reminded, ReminderOrder, UnopenedRow } from '#contract/unopened.ts';
import { toastFault } from '#web/data/toast-fault.ts';
import { type UnopenedFilter, unopenedQuery, useRemind } from '#web/data/unopened.ts';
import { LONGEST } from '#web/lib/format.ts';
import { mailIsOn } from '#web/lib/product.ts';
import { peopleWords, SEEN_BY } from '#web/lib/readers-words.ts';
import { useSessionUser } from '#web/lib/session.ts';
import { useChosenClient } from '#web/parts/clients/chosen-client.ts';
import { ClientLink } from '#web/parts/clients/client-link.tsx';
import { ClientSelect } from '#web/parts/clients/client-select.tsx';
import { readId } from '#web/parts/files/file-filters.ts';
import { SeenByCount } from '#web/parts/files/seen-by.tsx';
import { ReportTypeFilter } from '#web/parts/report-types/type-selects.tsx';
import { missingReports } from '#web/parts/users/missing-access.ts';
import { AccessRefused } from '#web/ui/access-refused.tsx';
import { Breakable } from '#web/ui/breakable.tsx';
import { BusyButton } from '#web/ui/busy-button.tsx';
import { useConfirm } from '#web/ui/confirm-dialog.tsx';
import { DataTable } from '#web/ui/data-table.tsx';
import { FilterBar } from '#web/ui/filter-bar.tsx';
import { IconButton, IconRow } from '#web/ui/icon-button.tsx';
import { Moment } from '#web/ui/moment.tsx';
import { nothingMatches } from '#web/ui/nothing-matches.tsx';
import { PageHeader } from '#web/ui/page-header.tsx';
import { PageLink } from '#web/ui/page-link.ts';
import type { Column } from '#web/ui/table-shape.ts';
import { toast } from '#web/ui/toast.tsx';
import { useListSearch } from '#web/ui/use-list-search.ts';
import { useRowsUnderWay } from '#web/ui/use-rows-under-way.ts';
import { unopenedFailed } from './unopened-messages.ts';

const TITLE = 'Never Opened';
const FILTERS = ['client', 'reportType'] as const;

const remindedWords = ({ files, people }: Reminded) =>
  files === 0
    ? 'Nobody was reminded: they were within the last day, see none of these reports, or hear nothing by mail'
    : `${peopleWords(people)} will be reminded of ${counted(files, 'report')}`;

const leftWords = (left: number) => `${counted(left, 'report')} ${left === 1 ? 'is' : 'are'} left.`;

const rowKey = ({ clientId, reportTypeId }: ReminderOrder) => `${clientId} ${reportTypeId}`;

/** The reports of a row, in the list of staff. */
const listOf = ({ clientId, reportTypeId }: UnopenedRow) => ({
  client: `${clientId}`,
  reportType: `${reportTypeId}`,
  opened: 'no',
});

const columns: readonly Column<UnopenedRow>[] = [
  {
    key: 'client',
    header: 'Client',
    width: '27%',
    main: true,
    cell: ({ clientId, clientName }) => <ClientLink id={clientId} name={clientName} />,
  },
  {
    key: 'type',
    header: 'Report Type',
    width: '21%',
    cell: ({ reportTypeName }) => <Breakable text={reportTypeName} />,
  },
  {
    key: 'files',
    header: 'Never Opened',
    width: '14%',
    cell: (row) => (
      <Anchor component={PageLink} to="/cpa-dashboard" search={listOf(row)}>
        {counted(row.files, 'report')}
      </Anchor>
    ),
  },
  {
    key: 'since',
    header: 'Oldest',
    width: '14%',
    oneLine: LONGEST.dateTime,
    cell: ({ since }) => <Moment at={since} />,
  },
  {
    key: 'people',
    header: SEEN_BY,
    width: '11%',
    cell: ({ people }) => <SeenByCount people={people} />,
  },
  {
    key: 'reminded',
    header: 'Last Reminded',
    width: '13%',
    oneLine: LONGEST.dateTime,
    cell: ({ remindedAt }) => (remindedAt === null ? '' : <Moment at={remindedAt} />),
  },
];

export function UnopenedScreen() {
  const user = useSessionUser();
  if (mayAttempt(user, 'files.read-readers')) return <Unopened />;
  return (
    <>
      <PageHeader title={TITLE} />
      <AccessRefused />
    </>
  );
}

/** Reminds of the reports of one row, or of all that match. */
function useReminding(matching: ReminderOrder, isNarrowed: boolean) {
  const confirm = useConfirm();
  const reminding = useRemind();
  const underWay = useRowsUnderWay<string>();
  const sendReminders = async (order: ReminderOrder) => {
    try {
      const reminded = await reminding.mutateAsync(order);
      if (reminded.people === 0) toast.info(remindedWords(reminded));
      else if (reminded.left === 0) toast.success(remindedWords(reminded));
      else {
        toast.offer(`${remindedWords(reminded)}. ${leftWords(reminded.left)}`, (putAway) => (
          <Button
            size="xs"
            mt={8}
            onClick={() => {
              putAway();
              void remind(order);
            }}
          >
            Remind of the Rest
          </Button>
        ));
      }
    } catch (error) {
      toastFault(error, unopenedFailed.remind);
    }
  };
  const remind = (order: ReminderOrder) => underWay.run(rowKey(order), () => sendReminders(order));
  const remindAll = () =>
    confirm({
      title: 'Remind everybody?',
      message: `Whoever sees ${isNarrowed ? 'reports of this list' : 'reports that nobody of their company has opened'} gets one mail that names them. Nobody is reminded of the same report twice within a day.`,
      confirmLabel: 'Send Reminders',
      busyLabel: 'Sending...',
      begins: true,
      onConfirm: () => remind(matching),
    });
  const actionsColumn: Column<UnopenedRow> = {
    key: 'actions',
    header: 'Actions',
    width: '90px',
    cell: (row) =>
      row.people === 0 ? null : (
        <IconRow>
          <IconButton
            label={`Remind of ${row.reportTypeName} of ${row.clientName}`}
            tip="Remind"
            icon={<IconBellRinging size={17} aria-hidden />}
            busy={underWay.has(rowKey(row))}
            onClick={() => void remind({ clientId: row.clientId, reportTypeId: row.reportTypeId })}
          />
        </IconRow>
      ),
  };
  return { busy: underWay.any, remindAll, actionsColumn };
}

function Unopened() {
  const user = useSessionUser();
  const list = useListSearch({ sorts: ['client'], defaultSort: 'client', filters: FILTERS });
  const chosen = useChosenClient(list.filters.client);
  const { clientId } = chosen;
  const reportTypeId = readId(list.filters.reportType);
  const clear = () => {
    chosen.forget();
    list.clear();
  };
  const narrowed: ReminderOrder = {
    ...(clientId === null ? {} : { clientId }),
    ...(reportTypeId === null ? {} : { reportTypeId }),
  };
  const { limit, offset } = list.query;
  const asked: UnopenedFilter = { ...narrowed, limit, offset };
  const unopened = useQuery(unopenedQuery(asked));
  const { rows = [], total = 0 } = unopened.data ?? {};
  // Of other pages it is not known whether somebody sees their reports.
  const maySee = total > rows.length || rows.some(({ people }) => people > 0);
  const mayRemind = mailIsOn && mayAttempt(user, 'files.remind');
  const isNarrowed = Object.keys(narrowed).length > 0;
  const lacking = missingReports(user);
  const { busy, remindAll, actionsColumn } = useReminding(narrowed, isNarrowed);

  return (
    <>
      <PageHeader
        title={TITLE}
        subtitle="Reports that nobody of their client has viewed or downloaded"
        actions={
          mayRemind ? (
            <BusyButton
              leftSection={<IconBellRinging size={16} aria-hidden />}
              busy={busy}
              disabled={!maySee}
              onClick={remindAll}
            >
              Remind All
            </BusyButton>
          ) : null
        }
      />
      <FilterBar clear={{ isNarrowed, isEmpty: unopened.data?.total === 0, onClear: clear }}>
        <ClientSelect label="Client" withAll value={clientId} onChange={chosen.choose} w={{ base: '100%', xs: 220 }} />
        <ReportTypeFilter value={reportTypeId} onChange={(reportType) => list.setFilters({ reportType })} />
      </FilterBar>
      {mailIsOn ? null : (
        <Text size="sm" c="dimmed" mb="sm">
          Nobody can be reminded: the portal sends no mail.
        </Text>
      )}
      <DataTable
        label={TITLE}
        columns={mayRemind ? [...columns, actionsColumn] : columns}
        query={unopened}
        list={list}
        rowKey={rowKey}
        empty={
          isNarrowed && lacking === null
            ? nothingMatches({ title: 'No reports match your filters.' })
            : { title: lacking ?? 'No unopened reports', icon: <IconEyeCheck size={24} stroke={1.5} /> }
        }
      />
    </>
  );
}
