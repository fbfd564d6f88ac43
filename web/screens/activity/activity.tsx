// The screen of the activity log.

import { Button, NativeSelect } from '@mantine/core';
import { IconActivity } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { ACTIVITY_ACTIONS, type ActivityRow } from '#contract/activity.ts';
import { isCalendarDate } from '#contract/fields.ts';
import { type ActivityFilter, activityQuery } from '#web/data/activity.ts';
import { formatClientName, formatDateTime } from '#web/lib/format.ts';
import { empty } from '#web/lib/messages.ts';
import { ActivityBadge, ActivityIcon, activityLabels } from '#web/parts/activity-action.tsx';
import { type Column, DataTable } from '#web/ui/data-table.tsx';
import { DateRange } from '#web/ui/date-field.tsx';
import { FilterBar } from '#web/ui/filter-bar.tsx';
import { PageHeader } from '#web/ui/page-header.tsx';
import { useListSearch } from '#web/ui/use-list-search.ts';

const SKELETON_ROWS = 5;

/** The entry's own words, else the file it is about, else 'N/A' (spec 2). */
function detailsOf({ details, fileName }: ActivityRow): string {
  return details || (fileName ? `File: ${fileName}` : 'N/A');
}

const columns: readonly Column<ActivityRow>[] = [
  {
    key: 'icon',
    header: 'Icon',
    headerHidden: true,
    width: '44px',
    cell: (entry) => <ActivityIcon action={entry.action} />,
  },
  { key: 'activity', header: 'Activity', cell: (entry) => <ActivityBadge action={entry.action} />, main: true },
  { key: 'user', header: 'User', cell: (entry) => entry.userName, width: '18%' },
  { key: 'client', header: 'Client', cell: (entry) => formatClientName(entry.clientName), width: '22%' },
  {
    key: 'timestamp',
    header: 'Date & Time',
    cell: (entry) => formatDateTime(entry.timestamp),
    sort: 'timestamp',
    nowrap: true,
  },
  { key: 'details', header: 'Details', cell: detailsOf, width: '32%' },
];

export function ActivityScreen() {
  const list = useListSearch({
    sorts: ['timestamp'],
    defaultSort: '-timestamp',
    filters: ['action', 'startDate', 'endDate'],
  });
  // An address may have been typed: what is no action and no day is no filter.
  const action = ACTIVITY_ACTIONS.find((known) => known === list.filters.action);
  const startDate = isCalendarDate(list.filters.startDate) ? list.filters.startDate : '';
  const endDate = isCalendarDate(list.filters.endDate) ? list.filters.endDate : '';

  const asked: ActivityFilter = { ...list.query };
  if (action) asked.action = action;
  if (startDate) asked.startDate = startDate;
  if (endDate) asked.endDate = endDate;
  const activity = useQuery(activityQuery(asked));

  return (
    <>
      <PageHeader title="Activity Log" />
      <FilterBar
        actions={
          <Button
            variant="default"
            disabled={!list.narrowed}
            onClick={() => list.setFilters({ action: '', startDate: '', endDate: '' })}
          >
            Clear Filters
          </Button>
        }
      >
        <NativeSelect
          label="Activity"
          value={action ?? ''}
          onChange={(event) => list.setFilters({ action: event.currentTarget.value })}
          data={[
            { value: '', label: 'All Activities' },
            ...ACTIVITY_ACTIONS.map((value) => ({ value, label: activityLabels[value] })),
          ]}
          w={{ base: '100%', xs: 170 }}
        />
        <DateRange startDate={startDate} endDate={endDate} onChange={list.setFilters} />
      </FilterBar>
      <DataTable
        label="Activity Log"
        columns={columns}
        query={activity}
        list={list}
        rowKey={(entry) => entry.id}
        skeletonRows={SKELETON_ROWS}
        empty={{ title: empty.activities, icon: <IconActivity size={24} stroke={1.5} /> }}
      />
    </>
  );
}
