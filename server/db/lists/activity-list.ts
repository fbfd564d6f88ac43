// The activity log as viewers read it: filtered, sorted and paged in SQL.
import { type Expression, type SqlBool, sql } from 'kysely';
import type { ActivityAction, ActivityExportQuery, ActivityQuery, ActivityRow } from '#contract/activity.ts';
import { instantRange } from '#contract/days.ts';
import { PAGE_LIMIT_MAX } from '#contract/fields.ts';
import { containsPattern, orderedBy, orderOf, type Page, pageHoles, pagesOf, pageValues, rowCount } from '../list.ts';
import type { ReadScope, Sources } from '../scope.ts';
import { hole } from '../statement.ts';

export interface ActivityRecord extends Omit<ActivityRow, 'timestamp' | 'fileOpens'> {
  at: number;
  fileOpens: number | boolean;
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
  return entries.select(ownColumns).select(({ exists }) => exists(opening).as('fileOpens'));
}

export function toActivityRow({ at, fileOpens, ...row }: ActivityRecord): ActivityRow {
  // SQLite's booleans are numbers.
  return { ...row, fileOpens: Boolean(fileOpens), timestamp: new Date(at).toISOString() };
}

/** The filters that a query sets, each with its condition and the value of its hole. */
function filtersOf(query: ActivityExportQuery) {
  const { from, before } = instantRange(query);
  const conditions: Record<string, Expression<SqlBool>> = {
    action: sql<SqlBool>`activity.action = ${hole('action')}`,
    userId: sql<SqlBool>`activity.user_id = ${hole('userId')}`,
    clientId: sql<SqlBool>`activity.client_id = ${hole('clientId')}`,
    fileId: sql<SqlBool>`activity.file_id = ${hole('fileId')}`,
    from: sql<SqlBool>`activity.at >= ${hole('from')}`,
    before: sql<SqlBool>`activity.at < ${hole('before')}`,
    q: sql<SqlBool>`activity.search_text like ${hole('q')} escape '\\'`,
  };
  const given: Record<string, unknown> = {
    action: query.action,
    userId: query.userId,
    clientId: query.clientId,
    fileId: query.fileId,
    from,
    before,
    q: query.q ? containsPattern(query.q) : undefined,
  };
  const values = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  const names = Object.keys(values);
  return { values, names, where: names.map((name) => conditions[name] as Expression<SqlBool>) };
}

/** One page of the log in reach, newest first unless asked otherwise, and how many entries match. */
export async function listActivity(scope: ReadScope, query: ActivityQuery): Promise<Page<ActivityRow>> {
  const { values, names, where } = filtersOf(query);
  const { direction } = orderOf(query.sort ?? '-timestamp');
  const all = { ...values, ...pageValues(query, PAGE_LIMIT_MAX) };
  const matching = (sources: Sources) => where.reduce((found, filter) => found.where(filter), sources.activity());
  const rows = await scope.compiled<ActivityRecord>(
    `activity.list ${direction} ${names}`,
    (sources) =>
      withColumns(matching(sources), sources)
        .orderBy(orderedBy(direction, 'activity.at', 'activity.id'))
        .limit(pageHoles.limit)
        .offset(pageHoles.offset),
    all,
  );
  return { rows: rows.map(toActivityRow), total: await countActivity(scope, names, matching, all) };
}

/** How many rows an export reads at once. */
const EXPORT_PAGE = 1_000;

/** The whole log in reach, page by page: the entries that match when it begins, in its order. */
export async function wholeActivityList(
  scope: ReadScope,
  query: ActivityExportQuery,
): Promise<AsyncGenerator<readonly ActivityRow[]>> {
  const { values, names, where } = filtersOf(query);
  const { direction } = orderOf(query.sort ?? '-timestamp');
  const matching = await scope.compiled<{ id: number }>(
    `activity.ids ${direction} ${names}`,
    (sources) =>
      where
        .reduce((found, filter) => found.where(filter), sources.activity())
        .select('activity.id as id')
        .orderBy(orderedBy(direction, 'activity.at', 'activity.id')),
    values,
  );
  return pagesOf(
    matching.map(({ id }) => id),
    EXPORT_PAGE,
    async (ids) => {
      const rows = await withColumns(scope.activity(), scope).where('activity.id', 'in', ids).execute();
      return rows.map(toActivityRow);
    },
  );
}

/** Without filters, or with those the counters know, the counters answer; otherwise the entries are counted. */
async function countActivity(
  scope: ReadScope,
  names: readonly string[],
  matching: (sources: Sources) => ReturnType<Sources['activity']>,
  values: Record<string, unknown>,
): Promise<number> {
  const counted = names.every((name) => name === 'userId' || name === 'clientId' || name === 'action');
  const [row] = await scope.compiled<{ total: number }>(
    `activity.count ${names}`,
    (sources) => {
      if (!counted) return matching(sources).select(rowCount.as('total'));
      let counts = sources
        .activityCounts()
        .select(sql<number>`cast(coalesce(sum(activity_counts.n), 0) as bigint)`.as('total'));
      if (names.includes('action'))
        counts = counts.where('activity_counts.action', '=', hole<ActivityAction>('action'));
      if (names.includes('userId')) counts = counts.where('activity_counts.user_id', '=', hole<number>('userId'));
      if (names.includes('clientId')) counts = counts.where('activity_counts.client_id', '=', hole<number>('clientId'));
      return counts;
    },
    values,
  );
  return row?.total ?? 0;
}
