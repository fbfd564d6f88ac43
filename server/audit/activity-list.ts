// The activity log as viewers read it: filtered, sorted and paged in SQL.
import { type Expression, type SqlBool, sql } from 'kysely';
import type { ActivityExportQuery, ActivityQuery, ActivityRow } from '#contract/activity.ts';
import { instantRange } from '#contract/days.ts';
import { PAGE_LIMIT_MAX } from '#contract/fields.ts';
import { columnOf } from '../access/meeting.ts';
import type { ActivityTable, ReadScope, Sources } from '../access/scope.ts';
import { isListedId, listText } from '../db/id-list.ts';
import {
  containsPattern,
  orderedBy,
  orderOf,
  type Page,
  pageParams,
  pagesOf,
  pageValues,
  rowCount,
} from '../db/list.ts';
import { param } from '../db/statement.ts';

export interface ActivityRecord extends Omit<ActivityRow, 'timestamp' | 'fileOpens' | 'announcedOnly'> {
  at: number;
  fileOpens: number | boolean;
  announcedOnly: number | boolean;
}

const ownColumns = [
  'activity.id as id',
  'activity.action as action',
  'activity.file_id as fileId',
  'activity.file_name as fileName',
  'activity.details as details',
  'activity.user_id as userId',
  'activity.user_name as userName',
  'activity.client_id as clientId',
  'activity.client_name as clientName',
  'activity.at as at',
] as const;

/** What an entry answers, of entries in reach: with whether its file opens for the same viewer. */
export function withColumns(entries: ReturnType<Sources['activity']>, sources: Sources) {
  const opening = sources.files().where(sql<SqlBool>`files.id = activity.file_id`).select('files.id');
  const announcedOnly = sql<SqlBool>`(activity.announced_at is not null and activity.served_at is null)`;
  return entries
    .select(ownColumns)
    .select(({ exists }) => [exists(opening).as('fileOpens'), announcedOnly.as('announcedOnly')]);
}

export function toActivityRow({ at, fileOpens, announcedOnly, ...row }: ActivityRecord): ActivityRow {
  // SQLite's booleans are numbers.
  const flags = { fileOpens: Boolean(fileOpens), announcedOnly: Boolean(announcedOnly) };
  return { ...row, ...flags, timestamp: new Date(at).toISOString() };
}

type Filter = (column: (name: string, type?: 'text') => Expression<unknown>) => Expression<SqlBool>;

const filters = {
  action: (column) => sql`${column('action', 'text')} = ${param('action')}`,
  userId: (column) => sql`${column('user_id')} = ${param('userId')}`,
  clientId: (column) => sql`${column('client_id')} = ${param('clientId')}`,
  fileId: (column) => sql`${column('file_id')} = ${param('fileId')}`,
  from: (column) => sql`${column('at')} >= ${param('from')}`,
  before: (column) => sql`${column('at')} < ${param('before')}`,
  q: (column) => sql`${column('search_text')} like ${param('q')} escape '\\'`,
} as const satisfies Record<string, Filter>;

type FilterName = keyof typeof filters;

/** Filters that the counters can answer for. */
const COUNTED: readonly FilterName[] = ['userId', 'clientId', 'action'];
/** The names under which the scope reads entries that a client or user leads to. */
const LED: readonly string[] = ['of_client', 'own'] satisfies ActivityTable[];
/** Filters with an index of their own, which leaves little to look at. */
const LEADING: readonly FilterName[] = ['userId', 'clientId', 'fileId'];

/** The filters that a query sets, with the values of their parameters. */
function filtersOf(query: ActivityExportQuery) {
  const { from, before } = instantRange(query);
  const given: Record<FilterName, unknown> = {
    action: query.action,
    userId: query.userId,
    clientId: query.clientId,
    fileId: query.fileId,
    from,
    before,
    q: query.q ? containsPattern(query.q) : undefined,
  };
  const entries = (Object.entries(given) as [FilterName, unknown][]).filter(([, value]) => value !== undefined);
  const names = entries.map(([name]) => name);
  return {
    names,
    values: Object.fromEntries(entries),
    narrow: (table: ActivityTable | 'activity_counts'): Expression<SqlBool> =>
      names.length === 0
        ? sql<SqlBool>`1 = 1`
        : sql<SqlBool>`(${sql.join(
            names.map((name) =>
              filters[name]((column, type) =>
                // One's clients and oneself lead to these entries; an action, of which there are few, would mislead.
                columnOf(table, column, type === 'text' && LED.includes(table) ? 'aside' : 'along', 'text'),
              ),
            ),
            sql` and `,
          )})`,
  };
}

type Narrowing = ReturnType<typeof filtersOf>;

/** As few matches of a search are found at once and sorted; more are met soon enough on a walk by date. */
const GATHERED_MAX = 1_000;

/** One page of the log in reach, newest first unless asked otherwise, and how many entries match. */
export async function listActivity(scope: ReadScope, query: ActivityQuery): Promise<Page<ActivityRow>> {
  const narrowing = filtersOf(query);
  const { names, values, narrow } = narrowing;
  const { direction } = orderOf(query.sort ?? '-timestamp');
  const page = pageValues(query, PAGE_LIMIT_MAX);
  const total = await countActivity(scope, narrowing);
  if (total <= page.offset) return { rows: [], total };
  const gathered = names.includes('q') && ledByNothing(names) && total <= GATHERED_MAX;
  const rows = await scope.prepared<ActivityRecord>(
    `activity.list ${direction} ${names} ${gathered}`,
    (sources) => {
      const entries = gathered
        ? sources.activity().where(sql<SqlBool>`activity.id in (${sources.gatheredActivity(narrow)})`)
        : sources.activity().where(narrow('activity'));
      return withColumns(entries, sources)
        .orderBy(orderedBy(direction, 'activity.at', 'activity.id'))
        .limit(pageParams.limit)
        .offset(pageParams.offset);
    },
    { ...values, ...page },
  );
  return { rows: rows.map(toActivityRow), total };
}

const ledByNothing = (names: readonly FilterName[]) => !names.some((name) => LEADING.includes(name));

/** How many rows an export reads at once. */
const EXPORT_PAGE = 1_000;

/** The whole log in reach, page by page: the entries that match when it begins, in its order. */
export async function wholeActivityList(
  scope: ReadScope,
  query: ActivityExportQuery,
): Promise<AsyncGenerator<readonly ActivityRow[]>> {
  const { values, names, narrow } = filtersOf(query);
  const { direction } = orderOf(query.sort ?? '-timestamp');
  const matching = await scope.prepared<{ id: number }>(
    `activity.ids ${direction} ${names}`,
    (sources) =>
      sources
        .activity()
        .where(narrow('activity'))
        .select('activity.id as id')
        .orderBy(orderedBy(direction, 'activity.at', 'activity.id')),
    values,
  );
  return pagesOf(
    matching.map(({ id }) => id),
    EXPORT_PAGE,
    async (ids) => {
      const rows = await scope.prepared<ActivityRecord>(
        'activity.page',
        (sources) => withColumns(sources.activity(), sources).where(isListedId('activity.id', param('ids'))),
        { ids: listText(ids) },
      );
      return rows.map(toActivityRow);
    },
  );
}

/** Without filters, or with those the counters know, the counters answer; otherwise the entries are counted. */
async function countActivity(scope: ReadScope, { names, values, narrow }: Narrowing): Promise<number> {
  const counted = names.every((name) => COUNTED.includes(name));
  const [row] = await scope.prepared<{ total: number }>(
    `activity.count ${names}`,
    (sources) => {
      if (counted) {
        return sources
          .activityCounts()
          .where(narrow('activity_counts'))
          .select(sql<number>`cast(coalesce(sum(activity_counts.n), 0) as bigint)`.as('total'));
      }
      return ledByNothing(names)
        ? sources.activityCount(narrow)
        : sources.activity().where(narrow('activity')).select(rowCount.as('total'));
    },
    values,
  );
  return row?.total ?? 0;
}
