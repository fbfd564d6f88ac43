// The latest uploads.

import { IconUpload } from '@tabler/icons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import type { Overview } from '#contract/activity.ts';
import type { FileRow } from '#contract/files.ts';
import { formatText, LONGEST } from '#web/lib/format.ts';
import { ClientLink } from '#web/parts/clients/client-link.tsx';
import { FileMarks } from '#web/parts/files/file-marks.tsx';
import { LinkToFile } from '#web/parts/files/link-to-file.tsx';
import { openedFrom } from '#web/parts/files/way-back.ts';
import { DataTable } from '#web/ui/data-table.tsx';
import { ICONS_WIDTH } from '#web/ui/icon-button.tsx';
import { RecentMoment } from '#web/ui/moment.tsx';
import type { Column } from '#web/ui/table-shape.ts';
import { FileButtons } from './file-buttons.tsx';
import { listOf } from './overview-list.ts';
import { overviewEmpty } from './overview-messages.ts';

const columns: readonly Column<FileRow>[] = [
  {
    key: 'name',
    header: 'File Name',
    cell: (file) => (
      <FileMarks file={{ ...file, isNew: false }}>
        <LinkToFile id={file.id} name={file.originalName} search={(address) => openedFrom('/', address)} />
      </FileMarks>
    ),
    width: '33%',
  },
  {
    key: 'client',
    header: 'Client',
    cell: (file) => <ClientLink id={file.clientId} name={file.clientName} />,
    width: '22%',
  },
  { key: 'uploader', header: 'Uploaded By', cell: (file) => formatText(file.uploaderName), width: '15%' },
  {
    key: 'uploaded',
    header: 'Uploaded',
    cell: (file) => <RecentMoment at={file.uploadedAt || file.createdAt} />,
    width: '19%',
    oneLine: LONGEST.dateTime,
  },
  {
    key: 'action',
    header: 'Action',
    width: ICONS_WIDTH.two,
    cell: (file) => <FileButtons file={{ id: file.id, contentType: file.contentType }} name={file.originalName} />,
  },
];

export function RecentUploads({ query }: { query: UseQueryResult<Overview> }) {
  return (
    <DataTable
      label="Recent Uploads"
      columns={columns}
      query={listOf(query, 'recentUploads')}
      rowKey={(file) => file.id}
      empty={{ ...overviewEmpty.recentUploads, icon: <IconUpload size={24} stroke={1.5} /> }}
    />
  );
}
