// The screen of uploaded files: reports or company documents, filtered, opened, saved, deleted, and new ones sent.

import { Button, Group, Radio, Skeleton } from '@mantine/core';
import { IconFilterOff, IconFolder } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { FILE_TYPES, type FileType, fileTypeNames } from '#contract/file-kinds.ts';
import type { FileRow } from '#contract/files.ts';
import { NO_PERIOD } from '#contract/period.ts';
import { isClientUser, mayAttempt } from '#contract/policy.ts';
import { filesQuery } from '#web/data/files.ts';
import { markedCountQuery } from '#web/data/marked.ts';
import { formatCount, LONGEST } from '#web/lib/format.ts';
import { ON_HOLD } from '#web/lib/hold-messages.ts';
import { markedEmpty, NAMES_ANOTHER } from '#web/lib/marked-messages.ts';
import { empty, failed } from '#web/lib/messages.ts';
import { NOT_OPENED } from '#web/lib/readers-words.ts';
import { useSessionUser } from '#web/lib/session.ts';
import { keepsChosenClient, useChosenClient } from '#web/parts/clients/chosen-client.ts';
import { ClientLink } from '#web/parts/clients/client-link.tsx';
import { ClientSelect } from '#web/parts/clients/client-select.tsx';
import { FileDeleteAction, FileIconActions } from '#web/parts/files/file-actions.tsx';
import { FileFilterChips } from '#web/parts/files/file-filter-chips.tsx';
import {
  askedFilters,
  FILE_FILTERS,
  type FileFilters,
  isTimeFiltered,
  notOrAny,
  onOff,
  readFileFilters,
} from '#web/parts/files/file-filters.ts';
import { FileListHead } from '#web/parts/files/file-list-head.tsx';
import { FileMarks } from '#web/parts/files/file-marks.tsx';
import { useFileSelection } from '#web/parts/files/file-selection.tsx';
import { LinkToFile } from '#web/parts/files/link-to-file.tsx';
import { MarksOf, NamesAnother } from '#web/parts/files/names-another.tsx';
import { FileRefileAction, type Refiling, useRefiling } from '#web/parts/files/refile-action.tsx';
import { ReadersOf, seenByColumn } from '#web/parts/files/seen-by.tsx';
import { lazyPart } from '#web/parts/lazy-part.tsx';
import { OnlyFilter } from '#web/parts/only-filter.tsx';
import { periodColumn } from '#web/parts/periods/period-column.tsx';
import { PeriodSelect } from '#web/parts/periods/period-select.tsx';
import { DocumentTypeFilter, ReportTypeFilter } from '#web/parts/report-types/type-selects.tsx';
import { UploadButton } from '#web/parts/uploads/upload-button.tsx';
import { uploadableTypes } from '#web/parts/uploads/upload-form.ts';
import { DataTable } from '#web/ui/data-table.tsx';
import { DateRange } from '#web/ui/date-field.tsx';
import { FilterBar, PhoneFolded } from '#web/ui/filter-bar.tsx';
import { ICONS_WIDTH, IconRow } from '#web/ui/icon-button.tsx';
import { Day } from '#web/ui/moment.tsx';
import { nothingMatches } from '#web/ui/nothing-matches.tsx';
import { PageHeader } from '#web/ui/page-header.tsx';
import { nextStep } from '#web/ui/rescue-focus.ts';
import type { Column } from '#web/ui/table-shape.ts';
import { useListSearch } from '#web/ui/use-list-search.ts';

const InsideDocuments = lazyPart(
  async () => (await import('#web/parts/files/inside-documents.tsx')).InsideDocuments,
  <Skeleton height={44} />,
);
/** One letter stands on nearly every page. */
const SHORTEST_INSIDE = 2;

function typeOf({ fileType, reportTypeName }: FileRow): string {
  return reportTypeName ? `${fileTypeNames[fileType]} - ${reportTypeName}` : fileTypeNames[fileType];
}

/** What the list shows: one kind of files, or those of both that name another company. */
type Shown = FileType | 'marked';

/** Each kind of file has types of its own. */
const otherTypes: Record<Shown, Partial<FileFilters>> = {
  report: { documentType: null, isNew: false },
  company_document: { reportTypeId: null, isUnopened: false },
  marked: { documentType: null, reportTypeId: null, isNew: false, isUnopened: false },
};

const columnsOf = (
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
          <LinkToFile id={file.id} name={file.originalName} />
        </NamesAnother>
      </FileMarks>
    ),
    sort: 'originalName',
    width: '36%',
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
    width: '10%',
    oneLine: LONGEST.date,
  },
  { key: 'type', header: 'File Type', cell: typeOf, sort: 'reportTypeName', width: '17%' },
  periodColumn('10%'),
  ...seenBy,
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
    sorts: ['uploadedAt', 'originalName', 'clientName', 'reportTypeName', 'period'],
    defaultSort: '-uploadedAt',
    filters: [...FILE_FILTERS, 'type', 'marked'],
  });
  const fileType: FileType = FILE_TYPES.find((type) => type === list.filters.type) ?? 'report';
  const chosen = useChosenClient(list.filters.client, keepsChosenClient(user));
  const read = { ...readFileFilters(user, list.filters), clientId: chosen.clientId };
  const seesMarks = mayAttempt(user, 'files.read-marks');
  const { data: markedCount = 0 } = useQuery({ ...markedCountQuery(), enabled: seesMarks });
  const shown: Shown = seesMarks && list.filters.marked === '1' ? 'marked' : fileType;
  const filters = { ...read, ...otherTypes[shown] };
  const narrowed = {
    ...(shown === 'marked' ? ({ marked: 'true' } as const) : { fileType }),
    ...askedFilters(filters),
    ...(list.q === '' ? {} : { q: list.q }),
  };
  const query = { ...list.query, ...narrowed };
  const files = useQuery(filesQuery(query));
  const selection = useFileSelection({
    matching: narrowed,
    list: files.data,
    noun: 'file',
    withoutPeriod: filters.period === NO_PERIOD,
  });
  const { forget } = selection;
  const refiling = useRefiling();
  const { open: refile } = refiling;
  const seesReaders = shown === 'report' && mayAttempt(user, 'files.read-readers');
  const columns = useMemo(
    () => columnsOf(refile, forget, seesReaders ? [seenByColumn('180px')] : []),
    [refile, forget, seesReaders],
  );
  const sendable = uploadableTypes(user);
  const [firstSendable] = sendable;
  const isNarrowed = list.q !== '' || Object.keys(askedFilters(filters)).length > 0;

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
      <Group gap="lg" mb="sm" data-screen-only>
        <Radio.Group
          aria-label="Files to show"
          value={shown}
          onChange={(next) =>
            list.setFilters(next === 'marked' ? { marked: '1' } : { marked: '', type: next === 'report' ? '' : next })
          }
        >
          <Group gap="lg">
            <Radio value="report" label="Reports" />
            <Radio value="company_document" label="Company Documents" />
            {markedCount > 0 || shown === 'marked' ? (
              <Radio value="marked" label={`${NAMES_ANOTHER} (${formatCount(markedCount)})`} />
            ) : null}
          </Group>
        </Radio.Group>
        {seesReaders ? (
          <OnlyFilter
            label={NOT_OPENED}
            checked={filters.isUnopened}
            onChange={(not) => list.setFilters({ opened: notOrAny(not) })}
          />
        ) : null}
        {mayAttempt(user, 'holds.read') ? (
          <OnlyFilter
            label={ON_HOLD}
            checked={filters.isOnHold}
            onChange={(on) => list.setFilters({ hold: onOff(on) })}
          />
        ) : null}
      </Group>
      <FilterBar
        foldedInForce={isTimeFiltered(filters)}
        actions={
          <Button
            variant="default"
            leftSection={<IconFilterOff size={16} aria-hidden />}
            disabled={!isNarrowed}
            {...nextStep(isNarrowed && files.data?.total === 0)}
            onClick={() => {
              chosen.forget();
              list.clear(['type', 'marked']);
            }}
          >
            Clear Filters
          </Button>
        }
      >
        <PhoneFolded>
          <DateRange
            startDate={filters.startDate}
            endDate={filters.endDate}
            onChange={(range) => list.setFilters(range)}
          />
        </PhoneFolded>
        <ClientSelect
          label="Client"
          withAll
          value={filters.clientId}
          onChange={chosen.choose}
          w={{ base: '100%', xs: 176 }}
        />
        {shown === 'report' ? (
          <ReportTypeFilter
            withoutType={!isClientUser(user)}
            value={filters.reportTypeId}
            onChange={(reportType) => list.setFilters({ reportType })}
          />
        ) : null}
        {shown === 'company_document' ? (
          <DocumentTypeFilter
            value={filters.documentType}
            onChange={(documentType) => list.setFilters({ documentType })}
          />
        ) : null}
        <PhoneFolded>
          <PeriodSelect value={filters.period} onChange={(period) => list.setFilters({ period })} />
        </PhoneFolded>
      </FilterBar>
      <FileFilterChips
        filters={filters}
        onChange={chosen.filtering(list.setFilters)}
        search={{ text: list.q, onClear: () => list.setSearchText('') }}
      />
      <FileListHead
        title="Uploaded Files"
        searchLabel="Search files by name"
        search={list}
        matching={narrowed}
        files={files.data}
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
            empty={
              isNarrowed
                ? nothingMatches({ title: empty.filesSearched })
                : { title: shown === 'marked' ? markedEmpty : empty.files, icon: <IconFolder size={24} stroke={1.5} /> }
            }
          />
        </ReadersOf>
      </MarksOf>
      {list.q.length >= SHORTEST_INSIDE ? <InsideDocuments filters={narrowed} /> : null}
      {refiling.dialog}
    </>
  );
}
