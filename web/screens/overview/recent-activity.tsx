// The latest entries of the log, with the files that they are about.

import { Text } from '@mantine/core';
import { IconActivity } from '@tabler/icons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import type { Overview } from '#contract/activity.ts';
import { ACT_ENTRIES_MAX } from '#contract/activity-words.ts';
import { formatCount, formatText, LONGEST } from '#web/lib/format.ts';
import {
  ACTIVITY_ICON_WIDTH,
  ActivityBadge,
  ActivityClient,
  ActivityIcon,
} from '#web/parts/activity/activity-action.tsx';
import { LinkToFile } from '#web/parts/files/link-to-file.tsx';
import { openedFrom } from '#web/parts/files/way-back.ts';
import { Breakable } from '#web/ui/breakable.tsx';
import { DataTable } from '#web/ui/data-table.tsx';
import { RecentMoment } from '#web/ui/moment.tsx';
import type { Column } from '#web/ui/table-shape.ts';
import { FileButtons } from './file-buttons.tsx';
import { listOf } from './overview-list.ts';
import { overviewEmpty } from './overview-messages.ts';
import classes from './recent-activity.module.css';

const SKELETON_ROWS = 4;

type Act = Overview['recentActivity'][number];

/** How many entries more an act wrote, and where they are; empty for none. */
function furtherWords(count: number, where: string): string {
  if (count === 0) return '';
  const atLeast = count < ACT_ENTRIES_MAX - 1 ? '' : 'at least ';
  return `, and ${atLeast}${formatCount(count)} more ${where}`;
}

/** The file that an entry is about, a link where the viewer reaches it; else what was done, in the words of the log. */
function Subject({ entry: { fileId, fileName, fileOpens, details, alsoWrote, alsoOfBatch } }: { entry: Act }) {
  if (!fileName) {
    if (details === null) return null;
    const further = furtherWords(alsoWrote, 'in the log');
    return (
      <span className={classes.subject}>
        <Breakable text={`${details}${further}`} />
      </span>
    );
  }
  return (
    <span className={classes.subject}>
      {fileId !== null && fileOpens ? (
        <LinkToFile id={fileId} name={fileName} search={(address) => openedFrom('/', address)} />
      ) : (
        <Breakable text={fileName} />
      )}
      {furtherWords(alsoOfBatch, 'of this batch')}
    </span>
  );
}

// Every column has its share, so that none moves when the rows arrive.
const columns: readonly Column<Act>[] = [
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
    cell: (entry) => (
      <div className={classes.about}>
        <ActivityBadge entry={entry} />
        <Subject entry={entry} />
      </div>
    ),
    width: '35%',
    main: true,
  },
  { key: 'user', header: 'User', cell: (entry) => formatText(entry.userName), width: '16%' },
  { key: 'client', header: 'Client', cell: (entry) => <ActivityClient entry={entry} />, width: '21%' },
  {
    key: 'timestamp',
    header: 'Date & Time',
    cell: (entry) => <RecentMoment at={entry.timestamp} />,
    width: '16%',
    oneLine: LONGEST.dateTime,
  },
  {
    key: 'action',
    header: 'Action',
    // As wide as 'available', which must not be cut.
    width: '96px',
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
      empty={{ title: overviewEmpty.overviewActivities, icon: <IconActivity size={24} stroke={1.5} /> }}
    />
  );
}
