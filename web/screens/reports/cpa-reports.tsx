// The reports screen of firm staff: the files of one report type, for one client or for all in reach.

import { Button, Skeleton, Text, Title } from '@mantine/core';
import { IconArrowLeft, IconFileText } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useMemo } from 'react';
import type { FileRow } from '#contract/files.ts';
import type { ReportTypeRow } from '#contract/report-types.ts';
import { clientQuery } from '#web/data/clients.ts';
import { reportsQuery } from '#web/data/files.ts';
import { allReportTypesQuery } from '#web/data/report-types.ts';
import { formatClientName, formatDate, LONGEST } from '#web/lib/format.ts';
import { empty, loading } from '#web/lib/messages.ts';
import { useSessionUser } from '#web/lib/session.ts';
import { ClientSelect, useReachedClients } from '#web/parts/client-select.tsx';
import { FILE_BUTTONS_WIDTH, FileButtonActions } from '#web/parts/file-actions.tsx';
import { addressOf, askedFilters, FILE_FILTERS, readFileFilters } from '#web/parts/file-filters.ts';
import { useReportTypeChoice } from '#web/parts/use-report-type-choice.ts';
import { type Column, DataTable } from '#web/ui/data-table.tsx';
import { DateRange } from '#web/ui/date-field.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { ErrorState } from '#web/ui/error-state.tsx';
import { FilterBar } from '#web/ui/filter-bar.tsx';
import { PageHeader } from '#web/ui/page-header.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { useListSearch } from '#web/ui/use-list-search.ts';
import classes from './cpa-reports.module.css';
import type { ShownList } from './list-address.ts';
import { reportFault } from './report-fault.ts';
import { ReportLink } from './report-link.tsx';
import { useKeptFilters } from './use-kept-filters.ts';
import { usePagesOf } from './use-pages-of.ts';

const columnsOf = (list: ShownList): readonly Column<FileRow>[] => [
  {
    key: 'name',
    header: 'File Name',
    cell: (file) => <ReportLink file={file} list={list} />,
    sort: 'originalName',
    width: '42%',
  },
  {
    key: 'client',
    header: 'Client',
    cell: (file) => formatClientName(file.clientName),
    sort: 'clientName',
    width: '24%',
  },
  {
    key: 'uploaded',
    header: 'Uploaded',
    cell: (file) => formatDate(file.uploadedAt),
    sort: 'uploadedAt',
    width: '130px',
    oneLine: LONGEST.date,
  },
  {
    key: 'actions',
    header: 'Actions',
    width: FILE_BUTTONS_WIDTH,
    cell: (file) => <FileButtonActions file={file} downloadingLabel="Downloading..." />,
  },
];

export function CpaReportsScreen() {
  const user = useSessionUser();
  const address = useListSearch({
    sorts: ['uploadedAt', 'originalName', 'clientName'],
    defaultSort: '-uploadedAt',
    filters: FILE_FILTERS,
  });
  const kept = useKeptFilters(user.id, address);
  const reached = useReachedClients();
  const filters = readFileFilters(user, kept.filters);
  // The only client is selected automatically; the address need not say so, and Back does not undo it.
  const clientId = filters.clientId ?? (reached.total === 1 ? (reached.first?.id ?? null) : null);

  const reportTypes = useQuery(allReportTypesQuery());
  const [choice, setChoice] = useReportTypeChoice();
  const types = reportTypes.data?.rows;
  const chosen = types?.find((type) => type.id === choice) ?? types?.[0];
  const chosenId = chosen?.id ?? null;
  const list = usePagesOf(chosenId ?? undefined, address);
  useEffect(() => {
    // The remembered type is not, or no longer, accessible: the one shown is remembered instead.
    if (chosenId !== null && chosenId !== choice) setChoice(chosenId);
  }, [chosenId, choice, setChoice]);

  return (
    <>
      <PageHeader
        title="Payroll Reports"
        actions={
          <Button component={Link} to="/" variant="default" leftSection={<IconArrowLeft size={16} aria-hidden />}>
            Back to Dashboard
          </Button>
        }
      />
      <FilterBar>
        <ClientSelect
          className={classes.client ?? ''}
          label="Select Client"
          placeholder="Choose a client"
          clearable={reached.total !== 1}
          // Mantine hides this button from the keyboard and from screen readers.
          clearButtonProps={{ 'aria-label': 'Clear client', 'aria-hidden': false, tabIndex: 0 }}
          value={clientId}
          onChange={(id) => kept.setFilters({ client: addressOf(id) })}
          w={{ base: '100%', xs: 320 }}
        />
        <DateRange startDate={filters.startDate} endDate={filters.endDate} onChange={kept.setFilters} />
      </FilterBar>
      {reportTypes.error && !types ? (
        <ErrorState
          message={reportTypes.error.message}
          onRetry={() => void reportTypes.refetch()}
          busy={reportTypes.isFetching}
        />
      ) : (
        <TypeButtons types={types} chosenId={chosenId} onChoose={setChoice} />
      )}
      {chosen ? (
        <Reports reportType={chosen} clientId={clientId} filters={{ ...filters, clientId }} list={list} />
      ) : null}
    </>
  );
}

interface TypeButtonsProps {
  types: readonly ReportTypeRow[] | undefined;
  chosenId: number | null;
  onChoose: (id: number) => void;
}

function TypeButtons({ types, chosenId, onChoose }: TypeButtonsProps) {
  if (types?.length === 0) {
    return <EmptyState title={empty.checklistReportTypes} icon={<IconFileText size={24} stroke={1.5} />} />;
  }
  return (
    <fieldset className={classes.types} aria-busy={types === undefined}>
      <legend className={classes.legend}>Select Report Type:</legend>
      {types === undefined
        ? ['8rem', '6rem', '9rem'].map((width) => <Skeleton key={width} height={30} width={width} />)
        : types.map(({ id, name }) => (
            <Button
              key={id}
              size="xs"
              variant={id === chosenId ? 'filled' : 'default'}
              aria-pressed={id === chosenId}
              onClick={() => onChoose(id)}
              className={classes.type ?? ''}
            >
              {name}
            </Button>
          ))}
    </fieldset>
  );
}

interface ReportsProps {
  reportType: ReportTypeRow;
  clientId: number | null;
  filters: ReturnType<typeof readFileFilters>;
  list: ReturnType<typeof useListSearch<'uploadedAt' | 'originalName' | 'clientName', (typeof FILE_FILTERS)[number]>>;
}

function Reports({ reportType, clientId, filters, list }: ReportsProps) {
  const client = useQuery({ ...clientQuery(clientId ?? 0), enabled: clientId !== null });
  const files = useQuery(reportsQuery({ ...list.query, reportTypeId: reportType.id, ...askedFilters(filters) }));
  const columns = useMemo(() => columnsOf({ clientId, reportTypeId: reportType.id }), [clientId, reportType.id]);
  return (
    <>
      <Title order={3} mb="xs" style={{ overflowWrap: 'anywhere' }}>
        {reportType.name} Files
        {clientId !== null && client.data ? (
          <Text span inherit>
            {' '}
            for {client.data.name}
          </Text>
        ) : null}
      </Title>
      <DataTable
        label={`${reportType.name} Files`}
        columns={columns}
        query={files}
        list={list}
        rowKey={(file) => file.id}
        loading={<Spinner label={loading.reports} />}
        errorText={reportFault}
        empty={{ title: empty.filesOfType, icon: <IconFileText size={24} stroke={1.5} /> }}
      />
    </>
  );
}
