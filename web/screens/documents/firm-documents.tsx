// The documents of client companies: the Document Library, and sending new ones.

import { IconFolder } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { FileRow } from '#contract/files.ts';
import { filesQuery } from '#web/data/files.ts';
import { formatClientName, formatDate, formatMegabytes, formatText, LONGEST } from '#web/lib/format.ts';
import { empty, failed, loading } from '#web/lib/messages.ts';
import { useSessionUser } from '#web/lib/session.ts';
import { ClientSelect } from '#web/parts/client-select.tsx';
import { ExportFilesButton } from '#web/parts/export-files-button.tsx';
import { FileDeleteAction, FileIconActions } from '#web/parts/file-actions.tsx';
import { addressOf, readFileFilters } from '#web/parts/file-filters.ts';
import { useFileSelection } from '#web/parts/file-selection.tsx';
import { FileRefileAction, type Refiling, useRefiling } from '#web/parts/refile-action.tsx';
import { UploadButton } from '#web/parts/upload-button.tsx';
import { uploadableTypes } from '#web/parts/upload-form.ts';
import { Breakable } from '#web/ui/breakable.tsx';
import { type Column, DataTable } from '#web/ui/data-table.tsx';
import { FilterBar } from '#web/ui/filter-bar.tsx';
import { ICONS_WIDTH, IconRow } from '#web/ui/icon-button.tsx';
import { ListHead } from '#web/ui/list-head.tsx';
import { PageHeader } from '#web/ui/page-header.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { useListSearch } from '#web/ui/use-list-search.ts';
import { DocumentTypeBadge } from './document-type-badge.tsx';

const columnsOf = (onRefile: Refiling['open'], onDeleted: (file: FileRow) => void): readonly Column<FileRow>[] => [
  {
    key: 'name',
    header: 'Document Name',
    cell: (file) => <Breakable text={file.originalName} />,
    sort: 'originalName',
    width: '22%',
  },
  {
    key: 'client',
    header: 'Client',
    cell: (file) => formatClientName(file.clientName),
    sort: 'clientName',
    width: '19%',
  },
  {
    key: 'type',
    header: 'Type',
    cell: (file) => <DocumentTypeBadge type={file.documentType} />,
    width: '10%',
    // A little more than the longest: the badge around it needs that room on a tablet.
    oneLine: 'Supporting Document.',
  },
  {
    key: 'size',
    header: 'Size',
    cell: (file) => formatMegabytes(file.size),
    sort: 'size',
    width: '6%',
    align: 'right',
    oneLine: LONGEST.megabytes,
  },
  {
    key: 'uploaded',
    header: 'Uploaded',
    cell: (file) => formatDate(file.uploadedAt),
    sort: 'uploadedAt',
    width: '7%',
    oneLine: LONGEST.date,
  },
  { key: 'uploader', header: 'Uploaded By', width: '13%', cell: (file) => formatText(file.uploaderName) },
  {
    key: 'actions',
    header: 'Actions',
    width: ICONS_WIDTH.four,
    cell: (file) => (
      <IconRow>
        <FileIconActions file={file} />
        <FileRefileAction file={file} onRefile={onRefile} />
        <FileDeleteAction file={file} noun="document" onDeleted={() => onDeleted(file)} />
      </IconRow>
    ),
  },
];

export function FirmDocumentsScreen() {
  const user = useSessionUser();
  const list = useListSearch({
    sorts: ['uploadedAt', 'originalName', 'clientName', 'size'],
    defaultSort: '-uploadedAt',
    filters: ['client'],
  });
  const { clientId } = readFileFilters(user, { ...list.filters, startDate: '', endDate: '' });
  const narrowed = { fileType: 'company_document', ...(clientId === null ? {} : { clientId }) } as const;
  const query = { ...list.query, ...narrowed };
  const documents = useQuery(filesQuery(query));
  const selection = useFileSelection({ filters: narrowed, noun: 'document' });
  const { forget } = selection;
  const refiling = useRefiling();
  const { open: refile } = refiling;
  const columns = useMemo(() => columnsOf(refile, forget), [refile, forget]);

  return (
    <>
      <PageHeader
        title="Firm Documents"
        actions={
          uploadableTypes(user).includes('company_document') ? (
            <UploadButton
              label="Upload Document"
              title="Upload Document"
              several
              fileTypes={['company_document']}
              start={{ fileType: 'company_document', clientId }}
            />
          ) : null
        }
      />
      {user.commonRouting ? (
        <FilterBar>
          <ClientSelect
            label="Select Client"
            withAll
            value={clientId}
            onChange={(id) => list.setFilters({ client: addressOf(id) })}
            w={{ base: '100%', xs: 320 }}
          />
        </FilterBar>
      ) : null}
      <ListHead title="Document Library" actions={<ExportFilesButton query={query} />} />
      <DataTable
        label="Document Library"
        columns={columns}
        query={documents}
        list={list}
        selection={selection}
        rowKey={(file) => file.id}
        loading={<Spinner label={loading.documents} />}
        errorText={() => failed.fetchDocuments}
        empty={{ ...empty.documents, icon: <IconFolder size={24} stroke={1.5} /> }}
      />
      {refiling.dialog}
    </>
  );
}
