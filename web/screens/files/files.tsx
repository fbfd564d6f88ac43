// The screen of uploaded files: reports or company documents, filtered, opened, saved, deleted, and new ones sent.

import { Skeleton } from '@mantine/core';
import { IconFolder } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { FILE_TYPES, type FileType, fileTypeNames } from '#contract/file-kinds.ts';
import type { FileRow } from '#contract/files.ts';
import { NO_PERIOD } from '#contract/period.ts';
import { mayAttempt } from '#contract/policy.ts';
import { markedCountQuery } from '#web/data/marked.ts';
import { LONGEST } from '#web/lib/format.ts';
import { failed } from '#web/lib/messages.ts';
import { searchesInside } from '#web/lib/product.ts';
import { useSessionUser } from '#web/lib/session.ts';
import { useChosenClient } from '#web/parts/clients/chosen-client.ts';
import { ClientLink } from '#web/parts/clients/client-link.tsx';
import { FileDeleteAction, FileIconActions } from '#web/parts/files/file-actions.tsx';
import { FileFilterChips } from '#web/parts/files/file-filter-chips.tsx';
import { FILE_FILTERS, isNarrowing, readFileFilters } from '#web/parts/files/file-filters.ts';
import { useFileList } from '#web/parts/files/file-list.tsx';
import { FileListHead } from '#web/parts/files/file-list-head.tsx';
import { FileMarks } from '#web/parts/files/file-marks.tsx';
import { LinkToFile } from '#web/parts/files/link-to-file.tsx';
import { filtersOfOthers, placeInFiles, type Shown } from '#web/parts/files/list-address.ts';
import { MarksOf, NamesAnother } from '#web/parts/files/names-another.tsx';
import { FileRefileAction, type Refiling, useRefiling } from '#web/parts/files/refile-action.tsx';
import { ReadersOf, seenByColumn } from '#web/parts/files/seen-by.tsx';
import { periodColumn } from '#web/parts/periods/period-column.tsx';
import { UploadButton } from '#web/parts/uploads/upload-button.tsx';
import { uploadableTypes } from '#web/parts/uploads/upload-form.ts';
import { missingClients, missingReports, readersHint } from '#web/parts/users/missing-access.ts';
import { DataTable } from '#web/ui/data-table.tsx';
import type { EmptyStateProps } from '#web/ui/empty-state.tsx';
import { ICONS_WIDTH, IconRow } from '#web/ui/icon-button.tsx';
import { lazyPart } from '#web/ui/lazy-part.tsx';
import { Day } from '#web/ui/moment.tsx';
import { nothingMatches } from '#web/ui/nothing-matches.tsx';
import { PageHeader } from '#web/ui/page-header.tsx';
import type { Column } from '#web/ui/table-shape.ts';
import { useListSearch } from '#web/ui/use-list-search.ts';
import { FileFilterBar, KindsShown } from './file-filter-bar.tsx';
import { fileEmpty, markedEmpty } from './file-messages.ts';

const InsideDocuments = lazyPart(
  async () => (await import('#web/parts/files/inside-documents.tsx')).InsideDocuments,
  <Skeleton height={44} />,
);
/** One letter stands on nearly every page. */
const SHORTEST_INSIDE = 2;

function typeOf({ fileType, reportTypeName }: FileRow): string {
  return reportTypeName ? `${fileTypeNames[fileType]} - ${reportTypeName}` : fileTypeNames[fileType];
}

const columnsOf = (
  { shown, clientId }: { shown: Shown; clientId: number | null },
  onRefile: Refiling['open'],
  onDeleted: (file: FileRow) => void,
  seenBy: readonly Column<FileRow>[],
): readonly Column<FileRow>[] => [
  {
    key: 'name',
    header: 'File Name',
    cell: (file) => (
      <FileMarks file={file}>
        <NamesAnother file={file}>
          <LinkToFile
            id={file.id}
            name={file.originalName}
            search={(address) => placeInFiles(address, shown, clientId)}
          />
        </NamesAnother>
      </FileMarks>
    ),
    sort: 'originalName',
    width: '30%',
    cut: true,
  },
  {
    key: 'client',
    header: 'Client Name',
    cell: (file) => <ClientLink id={file.clientId} name={file.clientName} />,
    sort: 'clientName',
    width: '17%',
  },
  {
    key: 'uploaded',
    header: 'Upload Date',
    cell: (file) => <Day at={file.uploadedAt} />,
    sort: 'uploadedAt',
    width: '8%',
    oneLine: LONGEST.date,
  },
  { key: 'type', header: 'File Type', cell: typeOf, sort: 'reportTypeName', width: '25%' },
  periodColumn('8%'),
  ...seenBy,
  {
    key: 'action',
    header: 'Action',
    width: ICONS_WIDTH.four,
    cell: (file) => (
      <IconRow>
        <FileIconActions file={file} name={file.originalName} />
        <FileRefileAction file={file} onRefile={onRefile} />
        <FileDeleteAction file={file} noun="file" onDeleted={() => onDeleted(file)} />
      </IconRow>
    ),
  },
];

/** That there are no files; only who may upload what is listed is told to. */
function noneOf(shown: Shown, fileType: FileType, sendable: readonly FileType[]): EmptyStateProps {
  if (shown === 'marked') return { title: markedEmpty };
  if (sendable.includes(fileType)) return { title: fileEmpty.files };
  return { title: fileEmpty.filesOfReaders, hint: readersHint[fileType] };
}

/** What the list says while it is empty: what its viewer lacks, that nothing matches, or that there is none. */
const emptyOf = (isNarrowed: boolean, lacking: string | null, none: EmptyStateProps): EmptyStateProps =>
  isNarrowed && lacking === null
    ? nothingMatches({ title: fileEmpty.filesSearched })
    : { ...(lacking === null ? none : { title: lacking }), icon: <IconFolder size={24} stroke={1.5} /> };

export function FilesScreen() {
  const user = useSessionUser();
  const list = useListSearch({
    sorts: ['uploadedAt', 'originalName', 'clientName', 'reportTypeName', 'period'],
    defaultSort: '-uploadedAt',
    filters: [...FILE_FILTERS, 'type', 'marked'],
  });
  const fileType: FileType = FILE_TYPES.find((type) => type === list.filters.type) ?? 'report';
  const chosen = useChosenClient(list.filters.client);
  const read = { ...readFileFilters(user, list.filters), clientId: chosen.clientId };
  const seesMarks = mayAttempt(user, 'files.read-marks');
  const { data: markedCount = 0 } = useQuery({ ...markedCountQuery(), enabled: seesMarks });
  const shown: Shown = seesMarks && list.filters.marked === '1' ? 'marked' : fileType;
  const filters = { ...read, ...filtersOfOthers[shown] };
  const { matching, query, files, isOld, selection } = useFileList({
    of: shown === 'marked' ? { marked: 'true' } : { fileType },
    filters,
    list,
    noun: 'file',
    withoutPeriod: filters.period === NO_PERIOD,
  });
  const { forget } = selection;
  const refiling = useRefiling(forget);
  const { open: refile } = refiling;
  const seesReaders = shown !== 'marked' && mayAttempt(user, 'files.read-readers');
  const columns = useMemo(
    () => columnsOf({ shown, clientId: filters.clientId }, refile, forget, seesReaders ? [seenByColumn('180px')] : []),
    [shown, filters.clientId, refile, forget, seesReaders],
  );
  const isNarrowed = isNarrowing(filters, list.q);
  const lacking = (shown === 'report' ? missingReports : missingClients)(user);
  const sendable = uploadableTypes(user);

  return (
    <>
      <PageHeader
        title="Files"
        actions={
          sendable.length > 0 ? (
            <UploadFilesButton sendable={sendable} listed={fileType} clientId={filters.clientId} />
          ) : null
        }
      />
      <KindsShown
        shown={shown}
        markedCount={markedCount}
        asksUnopened={shown === 'report' && seesReaders}
        filters={filters}
        onFilters={list.setFilters}
      />
      <FileFilterBar
        shown={shown}
        filters={filters}
        onFilters={list.setFilters}
        onClient={chosen.choose}
        clear={{
          isNarrowed,
          isEmpty: files.data?.total === 0,
          onClear: () => {
            chosen.forget();
            list.clear(['type', 'marked']);
          },
        }}
      />
      <FileFilterChips
        filters={filters}
        onChange={chosen.filtering(list.setFilters)}
        search={{ text: list.q, onClear: () => list.setSearchText('') }}
      />
      <FileListHead
        title="Uploaded Files"
        searchLabel="Search files by name"
        search={list}
        matching={matching}
        files={files.data}
        isOld={isOld}
        query={query}
      />
      <MarksOf files={files.data?.rows}>
        <ReadersOf files={seesReaders ? files.data?.rows : undefined}>
          <DataTable
            label="Uploaded Files"
            columns={columns}
            query={files}
            list={list}
            selection={selection}
            rowKey={(file) => file.id}
            errorText={() => failed.fetchFiles}
            empty={emptyOf(isNarrowed, lacking, noneOf(shown, fileType, sendable))}
          />
        </ReadersOf>
      </MarksOf>
      {searchesInside && list.q.length >= SHORTEST_INSIDE ? <InsideDocuments filters={matching} /> : null}
      {refiling.dialog}
    </>
  );
}

interface UploadFilesButtonProps {
  sendable: readonly FileType[];
  /** What the list shows, and the upload begins with where the person may send it. */
  listed: FileType;
  clientId: number | null;
}

function UploadFilesButton({ sendable, listed, clientId }: UploadFilesButtonProps) {
  const [first = listed] = sendable;
  return (
    <UploadButton
      label="Upload Files"
      title="Add Data"
      several={false}
      fileTypes={sendable}
      start={{ fileType: sendable.includes(listed) ? listed : first, clientId }}
    />
  );
}
