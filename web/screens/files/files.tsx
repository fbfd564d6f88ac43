// The screen of uploaded files: reports or company documents, filtered, opened, saved, deleted, and new ones sent.

import { Button, Group, Radio } from '@mantine/core';
import { IconFilterOff, IconFolder } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { FILE_TYPES, type FileRow, type FileType, fileTypeNames } from '#contract/files.ts';
import { filesQuery } from '#web/data/files.ts';
import { formatClientName, formatDate, LONGEST } from '#web/lib/format.ts';
import { empty, failed } from '#web/lib/messages.ts';
import { useSessionUser } from '#web/lib/session.ts';
import { ClientSelect } from '#web/parts/client-select.tsx';
import { ExportFilesButton } from '#web/parts/export-files-button.tsx';
import { FileDeleteAction, FileIconActions } from '#web/parts/file-actions.tsx';
import { addressOf, askedFilters, FILE_FILTERS, readFileFilters } from '#web/parts/file-filters.ts';
import { useFileSelection } from '#web/parts/file-selection.tsx';
import { FileRefileAction, type Refiling, useRefiling } from '#web/parts/refile-action.tsx';
import { UploadButton } from '#web/parts/upload-button.tsx';
import { uploadableTypes } from '#web/parts/upload-form.ts';
import { Breakable } from '#web/ui/breakable.tsx';
import { type Column, DataTable } from '#web/ui/data-table.tsx';
import { DateRange } from '#web/ui/date-field.tsx';
import { FilterBar } from '#web/ui/filter-bar.tsx';
import { ICONS_WIDTH, IconRow } from '#web/ui/icon-button.tsx';
import { ListHead } from '#web/ui/list-head.tsx';
import { PageHeader } from '#web/ui/page-header.tsx';
import { SearchBox } from '#web/ui/search-box.tsx';
import { useListSearch } from '#web/ui/use-list-search.ts';

function typeOf({ fileType, reportTypeName }: FileRow): string {
  return reportTypeName ? `${fileTypeNames[fileType]} - ${reportTypeName}` : fileTypeNames[fileType];
}

const columnsOf = (onRefile: Refiling['open'], onDeleted: (file: FileRow) => void): readonly Column<FileRow>[] => [
  {
    key: 'name',
    header: 'File Name',
    cell: (file) => <Breakable text={file.originalName} />,
    sort: 'originalName',
    width: '29%',
  },
  {
    key: 'client',
    header: 'Client Name',
    cell: (file) => formatClientName(file.clientName),
    sort: 'clientName',
    width: '21%',
  },
  {
    key: 'uploaded',
    header: 'Upload Date',
    cell: (file) => formatDate(file.uploadedAt),
    sort: 'uploadedAt',
    width: '10%',
    oneLine: LONGEST.date,
  },
  { key: 'type', header: 'File Type', cell: typeOf, sort: 'reportTypeName', width: '26%' },
  {
    key: 'action',
    header: 'Action',
    width: ICONS_WIDTH.four,
    cell: (file) => (
      <IconRow>
        <FileIconActions file={file} />
        <FileRefileAction file={file} onRefile={onRefile} />
        <FileDeleteAction file={file} noun="file" onDeleted={() => onDeleted(file)} />
      </IconRow>
    ),
  },
];

export function FilesScreen() {
  const user = useSessionUser();
  const list = useListSearch({
    sorts: ['uploadedAt', 'originalName', 'clientName', 'reportTypeName'],
    defaultSort: '-uploadedAt',
    filters: [...FILE_FILTERS, 'type'],
  });
  const fileType: FileType = FILE_TYPES.find((type) => type === list.filters.type) ?? 'report';
  const filters = readFileFilters(user, list.filters);
  const narrowed = { fileType, ...askedFilters(filters) };
  const query = { ...list.query, ...narrowed };
  const files = useQuery(filesQuery(query));
  const selection = useFileSelection({ filters: { ...narrowed, q: list.q }, noun: 'file' });
  const { forget } = selection;
  const refiling = useRefiling();
  const { open: refile } = refiling;
  const columns = useMemo(() => columnsOf(refile, forget), [refile, forget]);
  const sendable = uploadableTypes(user);
  const [firstSendable] = sendable;

  return (
    <>
      <PageHeader
        title="Files"
        actions={
          firstSendable ? (
            <UploadButton
              label="Upload Files"
              title="Add Data"
              several={false}
              fileTypes={sendable}
              start={{
                fileType: sendable.includes(fileType) ? fileType : firstSendable,
                clientId: filters.clientId,
              }}
            />
          ) : null
        }
      />
      <Radio.Group
        aria-label="Files to show"
        value={fileType}
        onChange={(next) => list.setFilters({ type: next === 'report' ? '' : next })}
        mb="md"
      >
        <Group gap="lg">
          <Radio value="report" label="Reports" />
          <Radio value="company_document" label="Company Documents" />
        </Group>
      </Radio.Group>
      <FilterBar
        actions={
          <Button
            variant="default"
            leftSection={<IconFilterOff size={16} aria-hidden />}
            onClick={() => list.setFilters({ client: '', startDate: '', endDate: '' })}
          >
            Clear Filters
          </Button>
        }
      >
        <DateRange
          startDate={filters.startDate}
          endDate={filters.endDate}
          onChange={(range) => list.setFilters(range)}
        />
        <ClientSelect
          label="Client"
          withAll
          value={filters.clientId}
          onChange={(id) => list.setFilters({ client: addressOf(id) })}
          w={{ base: '100%', xs: 280 }}
        />
      </FilterBar>
      <ListHead
        title="Uploaded Files"
        search={
          <SearchBox
            label="Search files by name"
            placeholder="Search files by name"
            value={list.searchText}
            onChange={list.setSearchText}
          />
        }
        actions={<ExportFilesButton query={query} />}
      />
      <DataTable
        label="Uploaded Files"
        columns={columns}
        query={files}
        list={list}
        selection={selection}
        rowKey={(file) => file.id}
        errorText={() => failed.fetchFiles}
        empty={{ title: empty.files, icon: <IconFolder size={24} stroke={1.5} /> }}
      />
      {refiling.dialog}
    </>
  );
}
