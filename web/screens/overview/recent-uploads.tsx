// The latest uploads.

import { IconUpload } from '@tabler/icons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import type { Overview } from '#contract/activity.ts';
import type { FileRow } from '#contract/files.ts';
import { formatClientName, formatDateTime } from '#web/lib/format.ts';
import { empty } from '#web/lib/messages.ts';
import { FileIconActions } from '#web/parts/file-actions.tsx';
import { type Column, DataTable } from '#web/ui/data-table.tsx';
import { fileToasts } from './file-toasts.ts';
import { listOf } from './overview-list.ts';

const columns: readonly Column<FileRow>[] = [
  { key: 'name', header: 'File Name', cell: (file) => file.originalName, width: '36%' },
  { key: 'client', header: 'Client', cell: (file) => formatClientName(file.clientName), width: '26%' },
  { key: 'uploader', header: 'Uploaded By', cell: (file) => file.uploaderName, width: '18%' },
  { key: 'uploaded', header: 'Uploaded', cell: (file) => formatDateTime(file.uploadedAt), nowrap: true },
  {
    key: 'action',
    header: 'Action',
    width: '1%',
    cell: (file) => <FileIconActions file={file} {...fileToasts} />,
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
