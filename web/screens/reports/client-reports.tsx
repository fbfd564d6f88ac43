// The reports screen of Client users: the reports of their company, narrowed by type and date.

import { Button, Select, Text } from '@mantine/core';
import { IconAdjustmentsHorizontal, IconFileText } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { FileRow } from '#contract/files.ts';
import { clientQuery } from '#web/data/clients.ts';
import { reportsQuery } from '#web/data/files.ts';
import { allReportTypesQuery } from '#web/data/report-types.ts';
import { formatCount, formatDate, formatText } from '#web/lib/format.ts';
import { empty, loading } from '#web/lib/messages.ts';
import { useSessionUser } from '#web/lib/session.ts';
import { ClientSelect, useReachedClients } from '#web/parts/client-select.tsx';
import { FileButtonActions } from '#web/parts/file-actions.tsx';
import { addressOf, askedFilters, FILE_FILTERS, readFileFilters } from '#web/parts/file-filters.ts';
import { useReportTypeChoice } from '#web/parts/use-report-type-choice.ts';
import { type Column, DataTable } from '#web/ui/data-table.tsx';
import { DateRange } from '#web/ui/date-field.tsx';
import { FilterBar } from '#web/ui/filter-bar.tsx';
import { PageHeader } from '#web/ui/page-header.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { useListSearch } from '#web/ui/use-list-search.ts';
import { reportFault } from './report-fault.ts';

const ALL = 'all';

const columns: readonly Column<FileRow>[] = [
  { key: 'name', header: 'File Name', cell: (file) => file.originalName, sort: 'originalName', width: '48%' },
  { key: 'type', header: 'Report Type', cell: (file) => formatText(file.reportTypeName), sort: 'reportTypeName' },
  {
    key: 'uploaded',
    header: 'Upload Date',
    cell: (file) => formatDate(file.uploadedAt),
    sort: 'uploadedAt',
    nowrap: true,
  },
  {
    key: 'actions',
    header: 'Actions',
    width: '1%',
    cell: (file) => <FileButtonActions file={file} downloadingLabel="Processing..." />,
  },
];

export function ClientReportsScreen() {
  const user = useSessionUser();
  const list = useListSearch({
    sorts: ['uploadedAt', 'originalName', 'reportTypeName'],
    defaultSort: '-uploadedAt',
    filters: FILE_FILTERS,
  });
  const reached = useReachedClients();
  const filters = readFileFilters(user, list.filters);
  // The first company of the list is the person's own (spec 6); whoever has several chooses among them.
  const clientId = filters.clientId ?? user.clientIds[0] ?? null;
  const client = useQuery({ ...clientQuery(clientId ?? 0), enabled: clientId !== null });

  const types = useQuery(allReportTypesQuery()).data?.rows ?? [];
  const [choice, setChoice] = useReportTypeChoice();
  const reportTypeId = types.some((type) => type.id === choice) ? choice : null;

  const files = useQuery(
    reportsQuery({
      ...list.query,
      ...askedFilters({ ...filters, clientId }),
      ...(reportTypeId === null ? {} : { reportTypeId }),
    }),
  );
  const total = files.data?.total;

  const narrowed = reportTypeId !== null || filters.startDate !== '' || filters.endDate !== '';
  const [toggled, setToggled] = useState<boolean | null>(null);
  // Filters in force are in sight, until somebody puts them away.
  const shown = toggled ?? narrowed;

  const chooseType = (next: string | null) => {
    setChoice(next === null || next === ALL ? null : Number(next));
    // The pages of another choice are other pages.
    list.setFilters({});
  };

  return (
    <>
      <PageHeader
        title="Reports"
        subtitle={client.data ? `Reports for ${client.data.name}` : 'Your company reports'}
        actions={
          <Button
            variant="default"
            leftSection={<IconAdjustmentsHorizontal size={16} aria-hidden />}
            aria-expanded={shown}
            onClick={() => setToggled(!shown)}
          >
            {shown ? 'Hide Filters' : 'Show Filters'}
          </Button>
        }
      />
      {(reached.total ?? 0) > 1 ? (
        <ClientSelect
          label="Company"
          value={clientId}
          onChange={(id) => list.setFilters({ client: addressOf(id) })}
          w={{ base: '100%', xs: 320 }}
          mb="md"
        />
      ) : null}
      {shown ? (
        <FilterBar
          actions={
            <Button
              variant="default"
              onClick={() => {
                setChoice(null);
                setToggled(true);
                list.setFilters({ startDate: '', endDate: '' });
              }}
            >
              Reset Filters
            </Button>
          }
        >
          <Select
            label="Report Types"
            searchable
            openOnFocus={false}
            allowDeselect={false}
            data={[{ value: ALL, label: 'All' }, ...types.map(({ id, name }) => ({ value: String(id), label: name }))]}
            value={reportTypeId === null ? ALL : String(reportTypeId)}
            onChange={chooseType}
            w={{ base: '100%', xs: 260 }}
          />
          <DateRange
            startDate={filters.startDate}
            endDate={filters.endDate}
            onChange={(range) => list.setFilters(range)}
          />
        </FilterBar>
      ) : null}
      <Text c="dimmed" mb="xs" mih="1.5em" role="status">
        {total === undefined ? '' : `${formatCount(total)} report(s) found`}
      </Text>
      <DataTable
        label="Reports"
        columns={columns}
        query={files}
        list={list}
        rowKey={(file) => file.id}
        loading={<Spinner label={loading.reports} />}
        errorText={reportFault}
        empty={{ ...empty.clientReports, icon: <IconFileText size={24} stroke={1.5} /> }}
      />
    </>
  );
}
