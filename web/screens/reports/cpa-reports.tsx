// The reports screen of firm staff: the files of one report type, for one client or for all in reach.

import { Button } from '@mantine/core';
import { IconArrowLeft, IconFileText } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { WITHOUT_TYPE } from '#contract/file-kinds.ts';
import type { FileRow } from '#contract/files.ts';
import { can, isClientUser } from '#contract/policy/actor.ts';
import { mayAttempt } from '#contract/policy.ts';
import type { SessionUser } from '#contract/session.ts';
import { clientQuery } from '#web/data/clients.ts';
import { reportsQuery } from '#web/data/files.ts';
import { allReportTypesQuery } from '#web/data/report-types.ts';
import { NOT_OPENED } from '#web/lib/readers-words.ts';
import { useSessionUser } from '#web/lib/session.ts';
import { ClientLink } from '#web/parts/clients/client-link.tsx';
import { ClientSelect, useReachedClients } from '#web/parts/clients/client-select.tsx';
import { buttonsColumn, uploadedColumn } from '#web/parts/files/file-columns.tsx';
import { FileFilterChips } from '#web/parts/files/file-filter-chips.tsx';
import {
  addressOf,
  FILE_FILTERS,
  type FileFilterName,
  type FileFilters,
  isNarrowing,
  isTimeFiltered,
  NO_FILTERS,
  notOrAny,
  readFileFilters,
} from '#web/parts/files/file-filters.ts';
import { useFileList } from '#web/parts/files/file-list.tsx';
import { FileListHead } from '#web/parts/files/file-list-head.tsx';
import type { ShownList } from '#web/parts/files/list-address.ts';
import { OnlyFilter } from '#web/parts/files/only-filter.tsx';
import { ReadersOf, seenByColumn } from '#web/parts/files/seen-by.tsx';
import { periodColumn } from '#web/parts/periods/period-column.tsx';
import { PeriodSelect } from '#web/parts/periods/period-select.tsx';
import type { ReportTypeChoice } from '#web/parts/report-types/type-selects.tsx';
import { useReportTypeChoice } from '#web/parts/report-types/use-report-type-choice.ts';
import { UploadButton } from '#web/parts/uploads/upload-button.tsx';
import { uploadableTypes } from '#web/parts/uploads/upload-form.ts';
import { missingReports, readersHint } from '#web/parts/users/missing-access.ts';
import { DataTable } from '#web/ui/data-table.tsx';
import { DateRange } from '#web/ui/date-field.tsx';
import type { EmptyStateProps } from '#web/ui/empty-state.tsx';
import { ErrorState } from '#web/ui/error-state.tsx';
import { FilterBar, PhoneFolded } from '#web/ui/filter-bar.tsx';
import { lazyPart } from '#web/ui/lazy-part.tsx';
import { nothingMatches } from '#web/ui/nothing-matches.tsx';
import { PageHeader } from '#web/ui/page-header.tsx';
import { PageLink } from '#web/ui/page-link.ts';
import { Spinner } from '#web/ui/spinner.tsx';
import type { Column } from '#web/ui/table-shape.ts';
import { useListSearch } from '#web/ui/use-list-search.ts';
import classes from './cpa-reports.module.css';
import { reportFault } from './report-fault.ts';
import { ReportLink } from './report-link.tsx';
import { reportEmpty, reportLoading } from './report-messages.ts';
import { type ShownType, TypeChoice, withoutType } from './type-choice.tsx';
import { type KeptFilters, useKeptFilters } from './use-kept-filters.ts';
import { usePagesOf } from './use-pages-of.ts';

/** A firm that has report types never comes to it. */
const NothingToChoose = lazyPart(
  async () => (await import('#web/parts/report-types/nothing-to-choose.tsx')).NothingToChoose,
);

const columnsOf = (list: ShownList, seenBy: readonly Column<FileRow>[]): readonly Column<FileRow>[] => [
  {
    key: 'name',
    header: 'File Name',
    cell: (file) => <ReportLink file={file} list={list} />,
    sort: 'originalName',
    width: '36%',
    cut: true,
  },
  {
    key: 'client',
    header: 'Client',
    cell: (file) => <ClientLink id={file.clientId} name={file.clientName} />,
    sort: 'clientName',
    width: '20%',
  },
  periodColumn('110px'),
  uploadedColumn('Uploaded', '130px'),
  ...seenBy,
  buttonsColumn('Downloading...'),
];

export function CpaReportsScreen() {
  const user = useSessionUser();
  const address = useListSearch({
    sorts: ['uploadedAt', 'originalName', 'clientName', 'period'],
    defaultSort: '-uploadedAt',
    filters: FILE_FILTERS,
  });
  const kept = useKeptFilters(user.id, address);
  const reached = useReachedClients();
  // Those that this list has.
  const filters = { ...readFileFilters(user, kept.filters), documentType: null, isNew: false };
  // The only client is selected automatically; the address need not say so, and Back does not undo it.
  const clientId = filters.clientId ?? (reached.total === 1 ? (reached.first?.id ?? null) : null);

  const reportTypes = useQuery(allReportTypesQuery());
  const [choice, setChoice] = useReportTypeChoice();
  const types = reportTypes.data?.rows;
  // A link opens what was shared; without one it is what this person chose last.
  // Whoever sends none has none of their own, and sees no other's.
  const sendable = uploadableTypes(user);
  const seesUntyped = !isClientUser(user) && (user.reach === 'all' || can(user, 'reports.upload'));
  const shown = types && (seesUntyped ? [...types, withoutType] : types);
  const chosen =
    shown?.find(({ id }) => id === filters.reportTypeId) ?? shown?.find(({ id }) => id === choice) ?? shown?.[0];
  const chosenId = chosen?.id ?? null;
  const list = usePagesOf(chosenId ?? undefined, address);
  const narrowed = isNarrowing({ ...filters, reportTypeId: null }, address.q);
  const hasChips = isNarrowing({ ...filters, clientId: null, reportTypeId: null }, address.q);
  const clear = () => {
    address.setSearchText('');
    const { reportType, ...others } = NO_FILTERS;
    kept.setFilters(others);
  };
  const choose = (id: ReportTypeChoice) => {
    // Reports without a type are to be corrected, and nobody comes back for them.
    if (id !== WITHOUT_TYPE) setChoice(id);
    kept.setFilters({ reportType: String(id) });
  };

  return (
    <>
      <PageHeader
        title="Payroll Reports"
        actions={
          <>
            <Button component={PageLink} to="/" variant="default" leftSection={<IconArrowLeft size={16} aria-hidden />}>
              Back to Dashboard
            </Button>
            {sendable.includes('report') ? (
              <UploadButton
                label="Upload Files"
                title="Add Data"
                several={false}
                fileTypes={sendable}
                start={{ fileType: 'report', clientId }}
              />
            ) : null}
          </>
        }
      />
      <ReportFilterBar
        clientId={clientId}
        isOnlyClient={reached.total === 1}
        filters={filters}
        onFilters={kept.setFilters}
      />
      <FileFilterChips
        filters={filters}
        // The field above says which, and takes it back.
        fixed={['reportType', 'client']}
        onChange={kept.setFilters}
        search={{ text: address.q, onClear: () => address.setSearchText('') }}
        clear={{ label: 'Clear Filters', onClear: clear }}
      />
      {reportTypes.error && !types ? (
        <ErrorState
          message={reportTypes.error.message}
          onRetry={() => void reportTypes.refetch()}
          busy={reportTypes.isFetching}
        />
      ) : (
        <TypeChoice types={shown} chosenId={chosenId} onChoose={choose} />
      )}
      {chosen ? (
        <Reports
          reportType={chosen}
          hasTypes={types !== undefined && types.length > 0}
          clientId={clientId}
          filters={{ ...filters, clientId, reportTypeId: chosen.id }}
          list={list}
          narrowed={narrowed}
          onClear={hasChips ? null : clear}
        />
      ) : null}
    </>
  );
}

interface ReportFilterBarProps {
  clientId: number | null;
  /** There is nothing else to choose. */
  isOnlyClient: boolean;
  filters: FileFilters;
  onFilters: KeptFilters['setFilters'];
}

function ReportFilterBar({ clientId, isOnlyClient, filters, onFilters }: ReportFilterBarProps) {
  const user = useSessionUser();
  return (
    <FilterBar foldedInForce={isTimeFiltered(filters) || filters.isUnopened}>
      <ClientSelect
        className={classes.client ?? ''}
        label="Select Client"
        placeholder="Choose a client"
        clearable={!isOnlyClient}
        // Mantine hides this button from the keyboard and from screen readers.
        clearButtonProps={{ 'aria-label': 'Clear client', 'aria-hidden': false, tabIndex: 0 }}
        value={clientId}
        onChange={(id) => onFilters({ client: addressOf(id) })}
        w={{ base: '100%', xs: 320 }}
      />
      <PhoneFolded>
        <PeriodSelect value={filters.period} onChange={(period) => onFilters({ period })} />
        <DateRange startDate={filters.startDate} endDate={filters.endDate} onChange={onFilters} />
        {mayAttempt(user, 'files.read-readers') ? (
          <OnlyFilter
            label={NOT_OPENED}
            checked={filters.isUnopened}
            onChange={(not) => onFilters({ opened: notOrAny(not) })}
          />
        ) : null}
      </PhoneFolded>
    </FilterBar>
  );
}

interface ReportsProps {
  /** Whether somebody has set what can be cleared. */
  narrowed: boolean;
  /** Null where the chips above it are cleared. */
  onClear: (() => void) | null;
  reportType: ShownType;
  /** Whether there are report types at all. */
  hasTypes: boolean;
  clientId: number | null;
  filters: FileFilters;
  list: ReturnType<typeof useListSearch<'uploadedAt' | 'originalName' | 'clientName' | 'period', FileFilterName>>;
}

/** What a list that nothing narrows says without rows. */
function noneOf({ id }: ShownType, hasTypes: boolean, user: SessionUser): EmptyStateProps {
  if (!hasTypes) return { title: reportEmpty.filesWithoutType, action: <NothingToChoose of="reportTypes" /> };
  // Nobody is to send such.
  if (id === WITHOUT_TYPE) return { title: reportEmpty.filesWithoutType };
  const sends = uploadableTypes(user).includes('report');
  return { title: reportEmpty.filesOfType, hint: sends ? reportEmpty.filesOfTypeHint : readersHint.report };
}

function Reports({ reportType, hasTypes, clientId, filters, list, narrowed, onClear }: ReportsProps) {
  const client = useQuery({ ...clientQuery(clientId ?? 0), enabled: clientId !== null });
  const user = useSessionUser();
  const lacking = missingReports(user);
  const listName = reportType.id === WITHOUT_TYPE ? 'Reports without a Type' : `${reportType.name} Files`;
  const { matching, query, files, isOld, selection } = useFileList({
    of: { fileType: 'report' },
    filters,
    list,
    noun: 'file',
    pageOf: reportsQuery,
  });
  const seesReaders = mayAttempt(user, 'files.read-readers');
  const columns = useMemo(
    () => columnsOf({ clientId, reportTypeId: reportType.id }, seesReaders ? [seenByColumn('180px')] : []),
    [clientId, reportType.id, seesReaders],
  );
  return (
    <>
      <FileListHead
        title={`${listName}${clientId !== null && client.data ? ` for ${client.data.name}` : ''}`}
        searchLabel="Search reports"
        search={list}
        matching={matching}
        files={files.data}
        isOld={isOld}
        query={query}
      />
      <ReadersOf files={files.data?.rows}>
        <DataTable
          label={listName}
          keptAs="Payroll Reports"
          columns={columns}
          query={files}
          list={list}
          selection={selection}
          rowKey={(file) => file.id}
          loading={<Spinner label={reportLoading.reports} />}
          errorText={reportFault}
          empty={
            narrowed && lacking === null
              ? nothingMatches({
                  title: reportEmpty.filesOfType,
                  hint: reportEmpty.filesOfTypeSearched,
                  ...(onClear === null ? {} : { onClear }),
                })
              : {
                  ...(lacking === null ? noneOf(reportType, hasTypes, user) : { title: lacking }),
                  icon: <IconFileText size={24} stroke={1.5} />,
                }
          }
        />
      </ReadersOf>
    </>
  );
}
