// The reports screen of Client users: the reports of their company, narrowed by type and date.

import { Button, Group, Select, Text } from '@mantine/core';
import { IconAdjustmentsHorizontal, IconFileText } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { FileRow } from '#contract/files.ts';
import { clientQuery } from '#web/data/clients.ts';
import { reportsQuery } from '#web/data/files.ts';
import { allReportTypesQuery } from '#web/data/report-types.ts';
import { formatDate, formatText, formatTotal, LONGEST } from '#web/lib/format.ts';
import { empty, loading } from '#web/lib/messages.ts';
import { useSessionUser } from '#web/lib/session.ts';
import { ClientSelect, useReachedClients } from '#web/parts/client-select.tsx';
import { FILE_BUTTONS_WIDTH, FileButtonActions } from '#web/parts/file-actions.tsx';
import { addressOf, askedFilters, FILE_FILTERS, readFileFilters } from '#web/parts/file-filters.ts';
import { useReportTypeChoice } from '#web/parts/use-report-type-choice.ts';
import { type Column, DataTable } from '#web/ui/data-table.tsx';
import { DateRange } from '#web/ui/date-field.tsx';
import { FilterBar } from '#web/ui/filter-bar.tsx';
import { PageHeader } from '#web/ui/page-header.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { useListSearch } from '#web/ui/use-list-search.ts';
import type { ShownList } from './list-address.ts';
import { reportFault } from './report-fault.ts';
import { ReportLink } from './report-link.tsx';
import { useKeptFilters } from './use-kept-filters.ts';
import { usePagesOf } from './use-pages-of.ts';

const ALL = 'all';

const columnsOf = (list: ShownList): readonly Column<FileRow>[] => [
  {
    key: 'name',
    header: 'File Name',
    cell: (file) => <ReportLink file={file} list={list} />,
    sort: 'originalName',
    width: '44%',
  },
  {
    key: 'type',
    header: 'Report Type',
    cell: (file) => formatText(file.reportTypeName),
    sort: 'reportTypeName',
    width: '22%',
  },
  {
    key: 'uploaded',
    header: 'Upload Date',
    cell: (file) => formatDate(file.uploadedAt),
    sort: 'uploadedAt',
    width: '130px',
    oneLine: LONGEST.date,
  },
  {
    key: 'actions',
    header: 'Actions',
    width: FILE_BUTTONS_WIDTH,
    cell: (file) => <FileButtonActions file={file} downloadingLabel="Processing..." />,
  },
];

export function ClientReportsScreen() {
  const user = useSessionUser();
  const address = useListSearch({
    sorts: ['uploadedAt', 'originalName', 'reportTypeName'],
    defaultSort: '-uploadedAt',
    filters: FILE_FILTERS,
  });
  const kept = useKeptFilters(user.id, address);
  const reached = useReachedClients();
  const filters = readFileFilters(user, kept.filters);
  // The first company of the list is the person's own (docs/behaviour.md, Files: reports of Client users); people with several can choose.
  const clientId = filters.clientId ?? user.clientIds[0] ?? null;
  const choosesCompany = user.reach === 'all' ? (reached.total ?? 2) > 1 : user.clientIds.length > 1;
  const client = useQuery({ ...clientQuery(clientId ?? 0), enabled: clientId !== null });

  const reportTypes = useQuery(allReportTypesQuery());
  const types = reportTypes.data?.rows ?? [];
  const [choice, setChoice] = useReportTypeChoice();
  const reportTypeId = types.some((type) => type.id === choice) ? choice : null;
  // The remembered type applies once it is known to be accessible; until then nothing is loaded that it would change.
  const typeKnown = choice === null || !reportTypes.isPending;
  const list = usePagesOf(typeKnown ? reportTypeId : undefined, address);

  const files = useQuery({
    ...reportsQuery({
      ...list.query,
      ...askedFilters({ ...filters, clientId }),
      ...(reportTypeId === null ? {} : { reportTypeId }),
    }),
    enabled: typeKnown,
  });
  const columns = useMemo(() => columnsOf({ clientId, reportTypeId }), [clientId, reportTypeId]);

  const narrowed = !typeKnown || reportTypeId !== null || filters.startDate !== '' || filters.endDate !== '';
  const [toggled, setToggled] = useState<boolean | null>(null);
  // Filters in force are in sight, until somebody puts them away.
  const shown = toggled ?? narrowed;

  return (
    <>
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
      {choosesCompany ? (
        <ClientSelect
          label="Company"
          value={clientId}
          onChange={(id) => kept.setFilters({ client: addressOf(id) })}
          w={{ base: '100%', xs: 320 }}
          mb="md"
        />
      ) : null}
      <Group justify="space-between" gap="sm" mb="sm" wrap="nowrap">
        <Text c="dimmed" role="status">
          {files.data === undefined ? '' : `${formatTotal(files.data)} report(s) found`}
        </Text>
        <Button
          variant="default"
          size="xs"
          leftSection={<IconAdjustmentsHorizontal size={15} aria-hidden />}
          aria-expanded={shown}
          onClick={() => setToggled(!shown)}
        >
          {shown ? 'Hide Filters' : 'Show Filters'}
        </Button>
      </Group>
      {shown ? (
        <FilterBar
          actions={
            <Button
              variant="default"
              onClick={() => {
                setChoice(null);
                setToggled(true);
                kept.setFilters({ startDate: '', endDate: '' });
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
            onChange={(next) => setChoice(next === null || next === ALL ? null : Number(next))}
            w={{ base: '100%', xs: 260 }}
          />
          <DateRange startDate={filters.startDate} endDate={filters.endDate} onChange={kept.setFilters} />
        </FilterBar>
      ) : null}
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
