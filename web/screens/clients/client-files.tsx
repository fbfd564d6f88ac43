// The newest reports and company documents of a client, each with the way to all of them.

import { Anchor } from '@mantine/core';
import { IconFileText, IconFolder } from '@tabler/icons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ClientRow } from '#contract/clients.ts';
import type { FileType } from '#contract/file-kinds.ts';
import type { FileRow } from '#contract/files.ts';
import { periodName } from '#contract/period.ts';
import { can } from '#contract/policy/actor.ts';
import { mayAttempt } from '#contract/policy.ts';
import type { SessionUser } from '#contract/session.ts';
import type { ListPage } from '#web/lib/api.ts';
import { formatDate, formatText, LONGEST, NOTHING } from '#web/lib/format.ts';
import { useSessionUser } from '#web/lib/session.ts';
import { FileMarks } from '#web/parts/files/file-marks.tsx';
import { seenByColumn } from '#web/parts/files/seen-by.tsx';
import { openedFrom } from '#web/parts/files/way-back.ts';
import { uploadableTypes } from '#web/parts/uploads/upload-form.ts';
import { missingReports, readersHint } from '#web/parts/users/missing-access.ts';
import { Breakable } from '#web/ui/breakable.tsx';
import { DataTable } from '#web/ui/data-table.tsx';
import { Day } from '#web/ui/moment.tsx';
import { PageLink, type PagePath } from '#web/ui/page-link.ts';
import type { Column } from '#web/ui/table-shape.ts';
import { ClientCard } from './client-card.tsx';
import { clientEmpty } from './client-messages.ts';

const columnsBy = (seenBy: readonly Column<FileRow>[]): Record<FileType, readonly Column<FileRow>[]> => ({
  report: columnsOf('Report Type', (file) => formatText(file.reportTypeName), seenBy),
  company_document: columnsOf('Type', (file) => file.documentType ?? 'Other', seenBy),
});
const ofFiles = columnsBy([]);
const ofFilesAndReaders = columnsBy([seenByColumn('160px')]);

function columnsOf(
  typeHeader: string,
  typeOf: (file: FileRow) => string,
  seenBy: readonly Column<FileRow>[],
): readonly Column<FileRow>[] {
  return [
    { key: 'name', header: 'File Name', width: '46%', cell: (file) => <FileLink file={file} /> },
    { key: 'type', header: typeHeader, width: '24%', cell: typeOf },
    {
      key: 'period',
      header: 'Period',
      width: '15%',
      cell: ({ period }) => (period === null ? NOTHING : periodName(period, formatDate)),
      oneLine: LONGEST.date,
    },
    {
      key: 'uploaded',
      header: 'Uploaded',
      width: '15%',
      cell: (file) => <Day at={file.uploadedAt} />,
      oneLine: LONGEST.date,
    },
    ...seenBy,
  ];
}

/** Opens the file with the client's other files of its kind before and after it. */
function FileLink({ file }: { file: FileRow }) {
  return (
    <FileMarks file={file}>
      <Anchor
        component={PageLink}
        to="/cpa-dashboard/report/$id"
        params={{ id: String(file.id) }}
        search={{ client: String(file.clientId), type: file.fileType, ...openedFrom(`/clients/${file.clientId}`) }}
        inherit
        style={{ overflowWrap: 'anywhere' }}
      >
        <Breakable text={file.originalName} />
      </Anchor>
    </FileMarks>
  );
}

const titles: Record<FileType, string> = { report: 'Reports', company_document: 'Company Documents' };

/** Where all reports of a client are, for everybody: Payroll Reports shows those of one type. */
export const REPORTS_OF_CLIENT: PagePath = '/file-upload';

/** Where this person sees all files of a kind. */
function listOf(fileType: FileType, user: SessionUser): { to: PagePath; type: string } {
  if (fileType === 'report') return { to: REPORTS_OF_CLIENT, type: '' };
  const hasFilesScreen = mayAttempt(user, 'files.upload') || can(user, 'files.delete');
  return hasFilesScreen ? { to: '/file-upload', type: fileType } : { to: '/firm-documents', type: '' };
}

export interface ClientFilesProps {
  client: Pick<ClientRow, 'id' | 'name'>;
  fileType: FileType;
  query: UseQueryResult<ListPage<FileRow>>;
}

/** Within `ReadersOf`. */
export function ClientFiles({ client, fileType, query }: ClientFilesProps) {
  const user = useSessionUser();
  const { to, type } = listOf(fileType, user);
  const texts = fileType === 'report' ? clientEmpty.reportsOfClient : clientEmpty.documentsOfClient;
  const lacking = fileType === 'report' ? missingReports(user) : null;
  const hint = uploadableTypes(user).includes(fileType) ? texts.hint : readersHint[fileType];
  const Icon = fileType === 'report' ? IconFileText : IconFolder;
  return (
    <ClientCard
      title={titles[fileType]}
      all={{
        what: `${titles[fileType].toLowerCase()} of ${client.name}`,
        to,
        search: { client: String(client.id), ...(type === '' ? {} : { type }) },
      }}
    >
      <DataTable
        label={titles[fileType]}
        columns={(mayAttempt(user, 'files.read-readers') ? ofFilesAndReaders : ofFiles)[fileType]}
        query={query}
        rowKey={(file) => file.id}
        empty={{
          title: lacking ?? texts.title,
          hint: lacking === null ? hint : undefined,
          icon: <Icon size={24} stroke={1.5} />,
        }}
      />
    </ClientCard>
  );
}
