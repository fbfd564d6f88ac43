// The screen of the activity log.

import { IconActivity } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ActivityRow } from '#contract/activity.ts';
import { ACTIVITY_ACTIONS, activityLabels } from '#contract/activity-words.ts';
import { activityReach } from '#contract/policy/reach.ts';
import { activityQuery } from '#web/data/activity.ts';
import { formatText, LONGEST, NO_VALUE } from '#web/lib/format.ts';
import { empty } from '#web/lib/messages.ts';
import { useSessionUser } from '#web/lib/session.ts';
import {
  ACTIVITY_BADGE_WIDTH,
  ACTIVITY_ICON_WIDTH,
  ActivityBadge,
  ActivityClient,
  ActivityIcon,
  OWN_ACTIVITY,
} from '#web/parts/activity/activity-action.tsx';
import { useChosenClient } from '#web/parts/clients/chosen-client.ts';
import { ClientSelect } from '#web/parts/clients/client-select.tsx';
import { addressOf } from '#web/parts/files/file-filters.ts';
import { LinkToFile } from '#web/parts/files/link-to-file.tsx';
import { openedFrom } from '#web/parts/files/way-back.ts';
import { UserSelect } from '#web/parts/users/user-select.tsx';
import { Breakable } from '#web/ui/breakable.tsx';
import { ChoiceFilter } from '#web/ui/choice-filter.tsx';
import { DataTable } from '#web/ui/data-table.tsx';
import { DateRange } from '#web/ui/date-field.tsx';
import { FilterBar, PhoneFolded } from '#web/ui/filter-bar.tsx';
import { Moment } from '#web/ui/moment.tsx';
import { nothingMatches } from '#web/ui/nothing-matches.tsx';
import { PageHeader } from '#web/ui/page-header.tsx';
import { SearchBox } from '#web/ui/search-box.tsx';
import type { Column } from '#web/ui/table-shape.ts';
import { useListSearch } from '#web/ui/use-list-search.ts';
import { ACTIVITY_FILTERS, askedActivity, choicesOf, readActivityFilters } from './activity-filters.ts';
import { activityEmpty } from './activity-messages.ts';
import { ExportButton } from './export-button.tsx';

/** docs/behaviour.md, Constants. */
const SKELETON_ROWS = 5;

/** What a narrower view of the log leaves out, shown at its head. */
const reachWords: Record<ReturnType<typeof activityReach>, string | undefined> = {
  all: undefined,
  'own-and-clients': 'Your activity, and that of your clients',
  own: OWN_ACTIVITY,
};

/** The entry's own words, else the file it is about, else 'N/A' (docs/behaviour.md, Activity: the log). */
function detailsOf({ details, fileName }: ActivityRow): string {
  return details || (fileName ? `File: ${fileName}` : NO_VALUE);
}

/** The details, with the file's name in them leading to its page where the viewer reaches it. */
function Details({ entry }: { entry: ActivityRow }) {
  const details = detailsOf(entry);
  const { fileId, fileName, fileOpens } = entry;
  const from = fileName && fileId !== null && fileOpens ? details.indexOf(fileName) : -1;
  if (!fileName || fileId === null || from < 0) return <Breakable text={details} />;
  return (
    // One element: as items of the flex box that a phone has, the parts would be columns.
    <span>
      <Breakable text={details.slice(0, from)} />
      <LinkToFile id={fileId} name={fileName} search={(address) => openedFrom('/activity', address)} inText />
      <Breakable text={details.slice(from + fileName.length)} />
    </span>
  );
}

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
  { key: 'user', header: 'User', cell: (entry) => formatText(entry.userName), width: '14%' },
  { key: 'client', header: 'Client', cell: (entry) => <ActivityClient entry={entry} />, width: '21%' },
  {
    key: 'timestamp',
    header: 'Date & Time',
    cell: (entry) => <Moment at={entry.timestamp} />,
    sort: 'timestamp',
    width: '16%',
    oneLine: LONGEST.dateTime,
  },
  { key: 'details', header: 'Details', cell: (entry) => <Details entry={entry} />, width: '34%' },
];

export function ActivityScreen() {
  const user = useSessionUser();
  const list = useListSearch({ sorts: ['timestamp'], defaultSort: '-timestamp', filters: ACTIVITY_FILTERS });
  const choices = choicesOf(user);
  const chosen = useChosenClient(list.filters.client);
  const filters = { ...readActivityFilters(user, list.filters), clientId: choices.clients ? chosen.clientId : null };
  const query = { ...list.query, ...askedActivity(filters) };
  const isNarrowed = list.q !== '' || Object.keys(askedActivity(filters)).length > 0;
  const activity = useQuery(activityQuery(query));
  const nameInLog = activity.data?.rows.find((entry) => entry.userId === filters.userId)?.userName;

  return (
    <>
      <PageHeader
        title="Activity Log"
        subtitle={reachWords[activityReach(user)]}
        actions={<ExportButton query={query} disabled={activity.data?.total === 0} />}
      />
      <SearchBox
        label="Search activity"
        placeholder="Search activity by user, client, file or details..."
        value={list.searchText}
        onChange={list.setSearchText}
      />
      <FilterBar
        foldedInForce={filters.startDate !== '' || filters.endDate !== ''}
        clear={{
          isNarrowed,
          isEmpty: activity.data?.total === 0,
          onClear: () => {
            chosen.forget();
            list.clear();
          },
        }}
      >
        <ChoiceFilter
          label="Activity"
          allLabel="All Activities"
          choices={ACTIVITY_ACTIONS}
          names={activityLabels}
          value={filters.action}
          onChange={(action) => list.setFilters({ action })}
          width={140}
        />
        {choices.users ? (
          <UserSelect
            label="User"
            withAll
            value={filters.userId}
            knownAs={activity.isPending ? '' : nameInLog}
            onChange={(id) => list.setFilters({ user: addressOf(id) })}
            w={{ base: '100%', xs: 180 }}
          />
        ) : null}
        {choices.clients ? (
          <ClientSelect
            label="Client"
            withAll
            value={filters.clientId}
            onChange={chosen.choose}
            w={{ base: '100%', xs: 190 }}
          />
        ) : null}
        <PhoneFolded>
          <DateRange startDate={filters.startDate} endDate={filters.endDate} onChange={list.setFilters} />
        </PhoneFolded>
      </FilterBar>
      <DataTable
        label="Activity Log"
        columns={columns}
        query={activity}
        list={list}
        rowKey={(entry) => entry.id}
        skeletonRows={SKELETON_ROWS}
        empty={
          isNarrowed
            ? nothingMatches({ title: activityEmpty.activitiesSearched })
            : {
                title: empty.activities,
                hint: activityEmpty.activitiesHint,
                icon: <IconActivity size={24} stroke={1.5} />,
              }
        }
      />
    </>
  );
}
