// The latest entries of the log, with the files that they are about.

import { Text } from '@mantine/core';
import { IconActivity } from '@tabler/icons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ActivityRow, Overview } from '#contract/activity.ts';
import { formatClientName, formatDateTime, formatText, LONGEST } from '#web/lib/format.ts';
import { empty } from '#web/lib/messages.ts';
import { ACTIVITY_BADGE_WIDTH, ACTIVITY_ICON_WIDTH, ActivityBadge, ActivityIcon } from '#web/parts/activity-action.tsx';
import { type Column, DataTable } from '#web/ui/data-table.tsx';
import { ICONS_WIDTH } from '#web/ui/icon-button.tsx';
import { FileButtons } from './file-buttons.tsx';
import { listOf } from './overview-list.ts';

const SKELETON_ROWS = 4;

// Every column has its share, so that none moves when the rows arrive.
const columns: readonly Column<ActivityRow>[] = [
  {
    key: 'icon',
    header: 'Icon',
    headerHidden: true,
    width: ACTIVITY_ICON_WIDTH,
    cell: (entry) => <ActivityIcon action={entry.action} />,
  },
  {
    key: 'activity',
    header: 'Activity',
    cell: (entry) => <ActivityBadge entry={entry} />,
    width: ACTIVITY_BADGE_WIDTH,
    main: true,
  },
  { key: 'user', header: 'User', cell: (entry) => formatText(entry.userName), width: '23%' },
  { key: 'client', header: 'Client', cell: (entry) => formatClientName(entry.clientName), width: '29%' },
  {
    key: 'timestamp',
    header: 'Date & Time',
    cell: (entry) => formatDateTime(entry.timestamp),
    width: '19%',
    oneLine: LONGEST.dateTime,
  },
  {
    key: 'action',
    header: 'Action',
    width: ICONS_WIDTH.two,
    cell: ({ fileId, fileName, fileOpens }) => {
      if (fileId === null) return null;
      if (!fileOpens) {
        return (
          <Text span size="sm" c="dimmed">
            Not available
          </Text>
        );
      }
      return <FileButtons file={{ id: fileId }} name={fileName || `file-${fileId}`} />;
    },
  },
];

export function RecentActivity({ query }: { query: UseQueryResult<Overview> }) {
  return (
    <DataTable
      label="Recent Activity"
      columns={columns}
      query={listOf(query, 'recentActivity')}
      rowKey={(entry) => entry.id}
      skeletonRows={SKELETON_ROWS}
      empty={{ title: empty.overviewActivities, icon: <IconActivity size={24} stroke={1.5} /> }}
    />
  );
}
