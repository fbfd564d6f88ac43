import { IconFolder } from '@tabler/icons-react';
import { useMemo } from 'react';
import type { FileRow } from '#contract/files.ts';
import { mayAttempt } from '#contract/policy.ts';
import { formatMegabytes, formatText, LONGEST } from '#web/lib/format.ts';
import { loading } from '#web/lib/messages.ts';
import { useSessionUser } from '#web/lib/session.ts';
import { reachesSeveral, useChosenClient } from '#web/parts/clients/chosen-client.ts';
import { ClientLink } from '#web/parts/clients/client-link.tsx';
import { ClientSelect } from '#web/parts/clients/client-select.tsx';
import { FileDeleteAction, FileIconActions } from '#web/parts/files/file-actions.tsx';
import { uploadedColumn } from '#web/parts/files/file-columns.tsx';
import { FileFilterChips } from '#web/parts/files/file-filter-chips.tsx';
import {
  FILE_FILTERS,
  type FileFilterName,
  type FileFilters,
  isNarrowing,
  isTimeFiltered,
  onOff,
  readFileFilters,
} from '#web/parts/files/file-filters.ts';
import { useFileList } from '#web/parts/files/file-list.tsx';
import { FileListHead } from '#web/parts/files/file-list-head.tsx';
import { FileMarks } from '#web/parts/files/file-marks.tsx';
import { LinkToFile } from '#web/parts/files/link-to-file.tsx';
import { placeInDocuments } from '#web/parts/files/list-address.ts';
import { MarksOf, NamesAnother } from '#web/parts/files/names-another.tsx';
import { OnlyFilter } from '#web/parts/files/only-filter.tsx';
import { FileRefileAction, type Refiling, useRefiling } from '#web/parts/files/refile-action.tsx';
import { ReadersOf, seenByColumn } from '#web/parts/files/seen-by.tsx';
import { periodColumn } from '#web/parts/periods/period-column.tsx';
import { PeriodSelect } from '#web/parts/periods/period-select.tsx';
import { DocumentTypeFilter } from '#web/parts/report-types/type-selects.tsx';
import { UploadButton } from '#web/parts/uploads/upload-button.tsx';
import { uploadableTypes } from '#web/parts/uploads/upload-form.ts';
import { missingClients, readersHint } from '#web/parts/users/missing-access.ts';
import { DataTable } from '#web/ui/data-table.tsx';
import { DateRange } from '#web/ui/date-field.tsx';
import { type ClearFilters, FilterBar, PhoneFolded } from '#web/ui/filter-bar.tsx';
import { ICONS_WIDTH, IconRow } from '#web/ui/icon-button.tsx';
import { nothingMatches } from '#web/ui/nothing-matches.tsx';
import { PageHeader } from '#web/ui/page-header.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import type { Column } from '#web/ui/table-shape.ts';
import { useListSearch } from '#web/ui/use-list-search.ts';
import { documentEmpty, documentFailed } from './document-messages.ts';
import { DocumentTypeBadge } from './document-type-badge.tsx';

const columnsOf = (
  clientId: number | null,
  onRefile: Refiling['open'],
  onDeleted: (file: FileRow) => void,
  seenBy: readonly Column<FileRow>[],
): readonly Column<FileRow>[] => [
  {
    key: 'name',
    header: 'Document Name',
    cell: (file) => (
      <FileMarks file={file}>
        <NamesAnother file={file}>
          <LinkToFile id={file.id} name={file.originalName} search={(address) => placeInDocuments(address, clientId)} />
        </NamesAnother>
      </FileMarks>
    ),
    sort: 'originalName',
    width: '32%',
    cut: true,
  },
  {
    key: 'client',
    header: 'Client',
    cell: (file) => <ClientLink id={file.clientId} name={file.clientName} />,
    sort: 'clientName',
    width: '19%',
    word: LONGEST.nameWord,
  },
  {
    key: 'type',
    header: 'Type',
    cell: (file) => <DocumentTypeBadge type={file.documentType} />,
    width: '8%',
    // The longest word as a badge: of two, the second is below the first.
    oneLine: 'Correspondence',
  },
  {
    key: 'size',
    header: 'Size',
    cell: (file) => formatMegabytes(file.size),
    sort: 'size',
    // What a small file has in kilobytes is below its megabytes: the names need the room more.
    width: '104px',
    align: 'right',
  },
  uploadedColumn('Uploaded', '7%'),
  periodColumn('7%'),
  {
    key: 'uploader',
    header: 'Uploaded By',
    width: '10%',
    word: LONGEST.nameWord,
    cell: (file) => formatText(file.uploaderName),
  },
  ...seenBy,
  {
    key: 'actions',
    header: 'Actions',
    width: ICONS_WIDTH.four,
    cell: (file) => (
      <IconRow>
        <FileIconActions file={file} name={file.originalName} />
        <FileRefileAction file={file} onRefile={onRefile} />
        <FileDeleteAction file={file} noun="document" onDeleted={() => onDeleted(file)} />
      </IconRow>
    ),
  },
];

/** Who sees each stands beside them for whoever chooses it, on two lines: the names need the room. */
const { oneLine: _, ...seenBy } = seenByColumn('112px');
const SEEN_BY: readonly Column<FileRow>[] = [{ ...seenBy, hidden: true }];
const NONE: readonly Column<FileRow>[] = [];

export function FirmDocumentsScreen() {
  const user = useSessionUser();
  const list = useListSearch({
    sorts: ['uploadedAt', 'originalName', 'clientName', 'size', 'period'],
    defaultSort: '-uploadedAt',
    filters: FILE_FILTERS,
  });
  const { clientId, choose, forget: forgetClient, filtering } = useChosenClient(list.filters.client);
  const filters = { ...readFileFilters(user, list.filters), clientId, reportTypeId: null, isUnopened: false };
  const isNarrowedInClient = isNarrowing({ ...filters, clientId: null }, list.q);
  const isNarrowed = isNarrowedInClient || clientId !== null;
  const lacking = missingClients(user);
  const mayUpload = uploadableTypes(user).includes('company_document');
  const { matching, query, files, isOld, selection } = useFileList({
    of: { fileType: 'company_document' },
    filters,
    list,
    noun: 'document',
  });
  const { forget } = selection;
  const refiling = useRefiling(forget);
  const { open: refile } = refiling;
  const seenBy = mayAttempt(user, 'files.read-readers') ? SEEN_BY : NONE;
  const columns = useMemo(() => columnsOf(clientId, refile, forget, seenBy), [clientId, refile, forget, seenBy]);

  return (
    <>
      <PageHeader
        title="Firm Documents"
        // The page and the Files screen have two names for them, both the specification's: here they meet.
        subtitle="Company documents: what is not a report"
        actions={
          mayUpload ? (
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
      <DocumentFilterBar
        filters={filters}
        onFilters={list.setFilters}
        onClient={choose}
        clear={{
          isNarrowed,
          isEmpty: files.data?.total === 0,
          onClear: () => {
            forgetClient();
            list.clear();
          },
        }}
      />
      <FileFilterChips
        filters={filters}
        onChange={filtering(list.setFilters)}
        search={{ text: list.q, onClear: () => list.setSearchText('') }}
      />
      <FileListHead
        title="Document Library"
        searchLabel="Search documents"
        search={list}
        matching={matching}
        files={files.data}
        isOld={isOld}
        query={query}
      />
      <MarksOf files={files.data?.rows}>
        <ReadersOf files={files.data?.rows}>
          <DataTable
            label="Document Library"
            columns={columns}
            query={files}
            list={list}
            selection={selection}
            rowKey={(file) => file.id}
            loading={<Spinner label={loading.documents} />}
            errorText={() => documentFailed.fetchDocuments}
            empty={
              lacking !== null || !isNarrowedInClient
                ? {
                    ...(lacking === null ? documentEmpty.documents : { title: lacking }),
                    // Only who may upload is told to.
                    ...(lacking === null && !mayUpload ? { hint: readersHint.company_document } : {}),
                    icon: <IconFolder size={24} stroke={1.5} />,
                  }
                : nothingMatches({ title: documentEmpty.documentsSearched })
            }
          />
        </ReadersOf>
      </MarksOf>
      {refiling.dialog}
    </>
  );
}

interface DocumentFilterBarProps {
  filters: FileFilters;
  onFilters: (changed: Partial<Record<FileFilterName, string>>) => void;
  onClient: (clientId: number | null) => void;
  clear: ClearFilters;
}

function DocumentFilterBar({ filters, onFilters, onClient, clear }: DocumentFilterBarProps) {
  const user = useSessionUser();
  const { clientId } = filters;
  return (
    <FilterBar foldedInForce={isTimeFiltered(filters) || filters.isNew} clear={clear}>
      {user.commonRouting || reachesSeveral(user) ? (
        <ClientSelect
          label="Select Client"
          // Of one client alone there is nothing to choose.
          withAll={reachesSeveral(user)}
          value={clientId ?? (reachesSeveral(user) ? null : (user.clientIds[0] ?? null))}
          onChange={onClient}
          w={{ base: '100%', xs: 320 }}
        />
      ) : null}
      <DocumentTypeFilter value={filters.documentType} onChange={(documentType) => onFilters({ documentType })} />
      <PhoneFolded>
        <PeriodSelect value={filters.period} onChange={(period) => onFilters({ period })} />
        <DateRange startDate={filters.startDate} endDate={filters.endDate} onChange={onFilters} />
        <OnlyFilter label="New only" checked={filters.isNew} onChange={(on) => onFilters({ new: onOff(on) })} />
      </PhoneFolded>
    </FilterBar>
  );
}
