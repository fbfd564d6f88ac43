// The latest uploads.

import { IconUpload } from '@tabler/icons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import type { Overview } from '#contract/activity.ts';
import type { FileRow } from '#contract/files.ts';
import { formatClientName, formatDateTime, formatText, LONGEST } from '#web/lib/format.ts';
import { empty } from '#web/lib/messages.ts';
import { Breakable } from '#web/ui/breakable.tsx';
import { type Column, DataTable } from '#web/ui/data-table.tsx';
import { ICONS_WIDTH } from '#web/ui/icon-button.tsx';
import { FileButtons } from './file-buttons.tsx';
import { listOf } from './overview-list.ts';

const columns: readonly Column<FileRow>[] = [
  { key: 'name', header: 'File Name', cell: (file) => <Breakable text={file.originalName} />, width: '33%' },
  { key: 'client', header: 'Client', cell: (file) => formatClientName(file.clientName), width: '22%' },
  { key: 'uploader', header: 'Uploaded By', cell: (file) => formatText(file.uploaderName), width: '15%' },
  {
    key: 'uploaded',
    header: 'Uploaded',
    cell: (file) => formatDateTime(file.uploadedAt || file.createdAt),
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
      empty={{ ...empty.recentUploads, icon: <IconUpload size={24} stroke={1.5} /> }}
    />
  );
}
