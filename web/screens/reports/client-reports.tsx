// The reports screen of Client users: the reports of their company, narrowed by type and date.

import { Button, Text } from '@mantine/core';
import { IconAdjustmentsHorizontal, IconFileText } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { FileRow } from '#contract/files.ts';
import { isClientUser } from '#contract/policy/actor.ts';
import { clientQuery } from '#web/data/clients.ts';
import { reportsQuery } from '#web/data/files.ts';
import { allReportTypesQuery } from '#web/data/report-types.ts';
import { formatText, formatTotal } from '#web/lib/format.ts';
import { empty } from '#web/lib/messages.ts';
import { useSessionUser } from '#web/lib/session.ts';
import { ALL_COMPANIES, ALL_IN_ADDRESS, reachesSeveral } from '#web/parts/clients/chosen-client.ts';
import { ClientLink } from '#web/parts/clients/client-link.tsx';
import { ClientSelect, useReachedClients } from '#web/parts/clients/client-select.tsx';
import { buttonsColumn, uploadedColumn } from '#web/parts/files/file-columns.tsx';
import { FileFilterChips } from '#web/parts/files/file-filter-chips.tsx';
import {
  addressOf,
  FILE_FILTERS,
  type FileFilterName,
  isNarrowing,
  NO_FILTERS,
  onOff,
  readFileFilters,
  readId,
} from '#web/parts/files/file-filters.ts';
import { useFileList } from '#web/parts/files/file-list.tsx';
import { FileListHead } from '#web/parts/files/file-list-head.tsx';
import type { ShownList } from '#web/parts/files/list-address.ts';
import { OnlyFilter } from '#web/parts/files/only-filter.tsx';
import { periodColumn } from '#web/parts/periods/period-column.tsx';
import { PeriodSelect } from '#web/parts/periods/period-select.tsx';
import { ReportTypeFilter } from '#web/parts/report-types/type-selects.tsx';
import { useReportTypeChoice } from '#web/parts/report-types/use-report-type-choice.ts';
import { missingReports } from '#web/parts/users/missing-access.ts';
import { DataTable } from '#web/ui/data-table.tsx';
import { DateRange } from '#web/ui/date-field.tsx';
import { FilterBar } from '#web/ui/filter-bar.tsx';
import { nothingMatches } from '#web/ui/nothing-matches.tsx';
import { PageHeader } from '#web/ui/page-header.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import type { Column } from '#web/ui/table-shape.ts';
import { type ListSearch, useListSearch } from '#web/ui/use-list-search.ts';
import { reportFault } from './report-fault.ts';
import { ReportLink } from './report-link.tsx';
import { reportEmpty, reportLoading } from './report-messages.ts';
import { useKeptFilters } from './use-kept-filters.ts';
import { usePagesOf } from './use-pages-of.ts';

const companyColumn: Column<FileRow> = {
  key: 'client',
  header: 'Company',
  cell: (file) => <ClientLink id={file.clientId} name={file.clientName} />,
  sort: 'clientName',
  width: '20%',
};

const columnsOf = (list: ShownList, ofSeveral: boolean): readonly Column<FileRow>[] => [
  {
    key: 'name',
    header: 'File Name',
    cell: (file) => <ReportLink file={file} list={list} />,
    sort: 'originalName',
    width: ofSeveral ? '28%' : '38%',
    cut: true,
  },
  ...(ofSeveral ? [companyColumn] : []),
  {
    key: 'type',
    header: 'Report Type',
    cell: (file) => formatText(file.reportTypeName),
    sort: 'reportTypeName',
    width: '18%',
  },
  periodColumn('110px'),
  uploadedColumn('Upload Date', '130px'),
  buttonsColumn('Processing...'),
];

const SORTS = ['uploadedAt', 'originalName', 'clientName', 'reportTypeName', 'period'] as const;
type ReportList = ListSearch<(typeof SORTS)[number], FileFilterName>;

/** Of one company there is no column of companies: the order by it would stand there without a name, and oldest first. */
const orderedOfOne = (list: ReportList): ReportList =>
  list.sort.endsWith('clientName')
    ? { ...list, sort: list.defaultSort, query: { ...list.query, sort: list.defaultSort } }
    : list;

/** Which company and which report type the reports are of: by the address, or as this person chose last. */
function useChosenReports(address: ReportList) {
  const user = useSessionUser();
  const kept = useKeptFilters(user.id, address);
  const reached = useReachedClients();
  // Those that this list has.
  const filters = { ...readFileFilters(user, kept.filters), documentType: null };
  const choosesCompany = user.reach === 'all' ? (reached.total ?? 2) > 1 : reachesSeveral(user);
  // Who has one company sees that one; people with several see all, or the one that they choose.
  const clientId = filters.clientId ?? (choosesCompany ? null : (user.clientIds[0] ?? null));

  const reportTypes = useQuery(allReportTypesQuery());
  const types = reportTypes.data?.rows ?? [];
  const [choice, setChoice] = useReportTypeChoice();
  // A link opens what was shared; without one it is what this person chose last.
  const wanted = filters.reportTypeId ?? (kept.filters.reportType === ALL_IN_ADDRESS ? null : choice);
  const reportTypeId = types.some((type) => type.id === wanted) ? wanted : null;
  return {
    clientId,
    choosesCompany,
    reportTypeId,
    /** The remembered type applies once it is known to be accessible; until then nothing is loaded that it would change. */
    typeKnown: wanted === null || !reportTypes.isPending,
    filters,
    setFilters: kept.setFilters,
    chooseType: (reportType: string) => {
      setChoice(readId(reportType));
      kept.setFilters({ reportType });
    },
    forget: () => {
      setChoice(null);
      const { client, ...others } = NO_FILTERS;
      kept.setFilters(others);
    },
  };
}

export function ClientReportsScreen() {
  const user = useSessionUser();
  const address = useListSearch({ sorts: SORTS, defaultSort: '-uploadedAt', filters: FILE_FILTERS });
  const chosen = useChosenReports(address);
  const { clientId, reportTypeId, typeKnown, filters } = chosen;
  const ofSeveral = chosen.choosesCompany && clientId === null;
  const paged = usePagesOf(typeKnown ? reportTypeId : undefined, address);
  const list = ofSeveral ? paged : orderedOfOne(paged);
  const { matching, query, files, isOld, selection } = useFileList({
    of: { fileType: 'report' },
    filters: { ...filters, clientId, reportTypeId },
    list,
    noun: 'file',
    pageOf: reportsQuery,
    enabled: typeKnown,
  });
  const columns = useMemo(() => columnsOf({ clientId, reportTypeId }, ofSeveral), [clientId, reportTypeId, ofSeveral]);

  const narrowed = !typeKnown || isNarrowing({ ...filters, clientId: null, reportTypeId }, '');
  const lacking = missingReports(user);
  const [toggled, setToggled] = useState<boolean | null>(null);
  const reset = () => {
    setToggled(true);
    list.setSearchText('');
    chosen.forget();
  };

  return (
    <>
      <ClientReportsHead clientId={clientId} />
      <ReportFilterBar
        chosen={chosen}
        // Filters in force are in sight, until somebody puts them away.
        shown={toggled ?? narrowed}
        onToggle={setToggled}
        onReset={reset}
      />
      <FileFilterChips
        filters={{ ...filters, clientId: null, reportTypeId }}
        onChange={(next) => ('reportType' in next ? chosen.chooseType('') : chosen.setFilters(next))}
        search={{ text: list.q, onClear: () => list.setSearchText('') }}
      />
      <FileListHead
        title={
          <Text c="dimmed" role="status" fz="sm" fw={400} style={{ whiteSpace: 'nowrap' }}>
            {files.data === undefined ? '\u00a0' : `${formatTotal(files.data)} report(s) found`}
          </Text>
        }
        searchLabel="Search reports"
        search={list}
        matching={matching}
        files={files.data}
        isOld={isOld}
        query={query}
      />
      <DataTable
        label="Reports"
        columns={columns}
        query={files}
        list={list}
        selection={selection}
        rowKey={(file) => file.id}
        loading={<Spinner label={reportLoading.reports} />}
        errorText={reportFault}
        empty={
          lacking === null && (narrowed || list.q !== '')
            ? nothingMatches({ title: reportEmpty.clientReportsSearched, onClear: reset })
            : {
                ...(lacking === null ? empty.clientReports : { title: lacking }),
                icon: <IconFileText size={24} stroke={1.5} />,
              }
        }
      />
    </>
  );
}

/** Whose reports they are. */
function ClientReportsHead({ clientId }: { clientId: number | null }) {
  const client = useQuery({ ...clientQuery(clientId ?? 0), enabled: clientId !== null });
  return (
    <PageHeader
      title="Reports"
      subtitle={
        client.data
          ? `Reports for ${client.data.name}`
          : // The room for the name, while it is awaited.
            clientId !== null && client.isPending
            ? '\u00a0'
            : 'Your company reports'
      }
    />
  );
}

interface ReportFilterBarProps {
  chosen: ReturnType<typeof useChosenReports>;
  /** Whether all filters are in sight. */
  shown: boolean;
  onToggle: (shown: boolean) => void;
  onReset: () => void;
}

function ReportFilterBar({ chosen, shown, onToggle, onReset }: ReportFilterBarProps) {
  const user = useSessionUser();
  const { clientId, choosesCompany, reportTypeId, filters, setFilters, chooseType } = chosen;
  return (
    <FilterBar
      actions={
        <>
          <Button
            variant="default"
            leftSection={<IconAdjustmentsHorizontal size={16} aria-hidden />}
            aria-expanded={shown}
            onClick={() => onToggle(!shown)}
          >
            {shown ? 'Hide Filters' : 'Show Filters'}
          </Button>
          {shown ? (
            <Button variant="default" onClick={onReset}>
              Reset Filters
            </Button>
          ) : null}
        </>
      }
    >
      {choosesCompany ? (
        <ClientSelect
          label="Company"
          withAll={ALL_COMPANIES}
          value={clientId}
          onChange={(id) => setFilters({ client: addressOf(id) })}
          w={{ base: '100%', xs: 280 }}
        />
      ) : null}
      <PeriodSelect value={filters.period} onChange={(next) => setFilters({ period: next })} />
      {shown ? (
        <>
          <ReportTypeFilter label="Report Types" allLabel="All" value={reportTypeId} onChange={chooseType} />
          <DateRange startDate={filters.startDate} endDate={filters.endDate} onChange={setFilters} />
        </>
      ) : null}
      {isClientUser(user) ? (
        <OnlyFilter label="New only" checked={filters.isNew} onChange={(on) => setFilters({ new: onOff(on) })} />
      ) : null}
    </FilterBar>
  );
}
