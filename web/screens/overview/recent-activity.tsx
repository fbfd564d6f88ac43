// The latest entries of the log, with the files that they are about.

import type { UseQueryResult } from '@tanstack/react-query';
import type { ActivityRow, Overview } from '#contract/activity.ts';
import { formatClientName, formatDateTime } from '#web/lib/format.ts';
import { empty } from '#web/lib/messages.ts';
import { ActivityBadge, ActivityIcon } from '#web/parts/activity-action.tsx';
import { FileIconActions } from '#web/parts/file-actions.tsx';
import { type Column, DataTable } from '#web/ui/data-table.tsx';
import { fileToasts } from './file-toasts.ts';
import { listOf } from './overview-list.ts';

const columns: readonly Column<ActivityRow>[] = [
  {
    key: 'icon',
    header: 'Icon',
    headerHidden: true,
    width: '44px',
    cell: (entry) => <ActivityIcon action={entry.action} />,
  },
  { key: 'activity', header: 'Activity', cell: (entry) => <ActivityBadge action={entry.action} />, main: true },
  { key: 'user', header: 'User', cell: (entry) => entry.userName, width: '26%' },
  { key: 'client', header: 'Client', cell: (entry) => formatClientName(entry.clientName), width: '32%' },
  { key: 'timestamp', header: 'Date & Time', cell: (entry) => formatDateTime(entry.timestamp), nowrap: true },
  {
    key: 'action',
    header: 'Action',
    width: '1%',
    cell: ({ fileId, fileName }) =>
      fileId === null ? null : (
        <FileIconActions file={{ id: fileId, originalName: fileName || `file-${fileId}` }} {...fileToasts} />
      ),
  },
];

export function RecentActivity({ query }: { query: UseQueryResult<Overview> }) {
  return (
    <DataTable
      label="Recent Activity"
      columns={columns}
      query={listOf(query, 'recentActivity')}
      rowKey={(entry) => entry.id}
      empty={{ title: empty.overviewActivities }}
    />
  );
}
