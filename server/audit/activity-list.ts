// The activity log as viewers read it: filtered, counted and paged in one query over the entries in reach.
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { ActivityExportQuery, ActivityQuery, ActivityRow } from '#contract/activity.ts';
import { instantRange } from '#contract/days.ts';
import { PAGE_LIMIT_MAX } from '#contract/paging.ts';
import type { ActivityIndex } from '../people/access/activity-reach.ts';
import { narrowed, type ReadPlan } from '../people/access/read-plan.ts';
import type { ReadScope } from '../people/access/scope.ts';
import type { Sources } from '../people/access/sources.ts';
import { areCommon } from '../people/access/word-sample.ts';
import { type Conditions, type Filters, filtersOf } from '../platform/db/filters.ts';
import { cappedCount, orderOf, type Page, pageParams, pageValues, slicesOf } from '../platform/db/list.ts';
import { param } from '../platform/db/statement.ts';
import { trigramsOf } from '../platform/db/text-search.ts';
import { type WordMatch, wordMatch } from '../platform/db/word-match.ts';

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

/** An entry as it is answered, of entries in reach: with whether its file opens for the same viewer. */
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

const conditions = {
  action: (row) => sql`${sql.ref(`${row}.action`)} = ${param('action')}`,
  userId: (row) => sql`${sql.ref(`${row}.user_id`)} = ${param('userId')}`,
  clientId: (row) => sql`${sql.ref(`${row}.client_id`)} = ${param('clientId')}`,
  fileId: (row) => sql`${sql.ref(`${row}.file_id`)} = ${param('fileId')}`,
  from: (row) => sql`${sql.ref(`${row}.at`)} >= ${param('from')}`,
  before: (row) => sql`${sql.ref(`${row}.at`)} < ${param('before')}`,
} as const satisfies Conditions<string>;

type FilterName = keyof typeof conditions;

/** Filters that the counters can answer for. */
const COUNTED: readonly FilterName[] = ['userId', 'clientId', 'action'];

/** What the log is narrowed by. */
type Narrowing = Filters<FilterName>;

const holdsWords = (match: WordMatch, row: string) =>
  match.on({
    forms: [`${row}.search_text`],
    written: ['details', 'file_name', 'user_name', 'client_name'].map((column) => `${row}.${column}`),
  });

function narrowingOf(query: ActivityExportQuery): Narrowing {
  const { from, before } = instantRange(query);
  const given: Record<FilterName, unknown> = {
    action: query.action,
    userId: query.userId,
    clientId: query.clientId,
    fileId: query.fileId,
    from,
    before,
  };
  const match = wordMatch(query.q);
  return filtersOf(conditions, COUNTED, given, match && { match, on: (row) => holdsWords(match, row) });
}

/** The index that leads to the fewest entries. */
function indexFor({ names }: Narrowing): ActivityIndex {
  if (names.has('fileId')) return 'activity_file';
  if (names.has('clientId')) return 'activity_client';
  if (names.has('userId')) return 'activity_user';
  return names.has('action') ? 'activity_action' : 'activity_newest';
}

/** At most this many entries are counted where no counter has the number: no index along which they stand holds what they say. */
const COUNTED_AT_MOST = 500;
/** Up to this many entries are read one by one rather than found by the word index. */
const LOOKED_AT_MAX = 5_000;

/** The plan that reads the fewest entries. `take` is how many of the list's first entries the page needs. */
async function choosePlan(scope: ReadScope, narrowing: Narrowing, take: number): Promise<ReadPlan> {
  const index = indexFor(narrowing);
  const along = (sources: Sources) => narrowed(sources.activityAlong(index), narrowing.on('entry'));
  const walk: ReadPlan = { name: index, kind: 'walk', source: along, countSource: along, values: {} };
  const { names } = narrowing;
  if (names.has('fileId') || names.has('clientId')) return walk;
  const ofOwn = (sources: Sources) => sources.activityOfOwn((row) => narrowing.on(row));
  const own: ReadPlan = { name: 'own', kind: 'gather', source: ofOwn, countSource: ofOwn, values: {} };
  const reached = scope.findsActivityByClient
    ? await scope.estimate('activity.reach', () => countInCounters(scope, null))
    : null;
  const { match } = narrowing;
  if (match !== null) {
    if (reached !== null && reached <= LOOKED_AT_MAX) return own;
    const trigrams = scope.hasWordIndex ? trigramsOf(scope.engine, match.words) : null;
    if (trigrams === null) return reached === null ? walk : { ...walk, countSource: ofOwn };
    const ofWord = (sources: Sources) => narrowed(sources.activityWithWords(), narrowing.on('entry'));
    const byWord: ReadPlan = {
      name: 'by word',
      kind: 'gather',
      source: ofWord,
      countSource: ofWord,
      values: { trigrams },
    };
    if (!(await areCommon(scope, 'activity', 'in all', match, (row) => holdsWords(match, row)))) return byWord;
    // PostgreSQL finds all ids with a word before the first row is read: for a common word too many to stop early.
    if (scope.engine === 'postgres')
      return reached === null ? walk : { ...walk, name: `${index} own counted`, countSource: ofOwn };
    return { ...walk, name: `${index} common`, countSource: ofWord, values: { trigrams } };
  }
  if (reached === null) return walk;
  const ever = await scope.estimate('activity.ever', () => entriesEver(scope));
  const few = 2 * reached * reached < take * ever;
  return few ? own : { ...walk, countSource: ofOwn };
}

/** About as many entries as a walk reads in total. */
async function entriesEver(scope: ReadScope): Promise<number> {
  const [row] = await scope.prepared<{ n: number }>('activity.ever', (sources) =>
    sources.query(sql`select cast(coalesce(max(last.id), 0) as bigint) as n from activity last`),
  );
  return row?.n ?? 0;
}

/** How many entries in reach match, from the counters; without a filter, all in reach. */
async function countInCounters(scope: ReadScope, narrowing: Narrowing | null): Promise<number> {
  const [row] = await scope.prepared<{ n: number }>(
    `activity.counted ${narrowing?.key ?? 'all'}`,
    (sources) => sources.query(sql`select ${fromCounters(sources, narrowing)} as n`),
    narrowing?.values,
  );
  return row?.n ?? 0;
}

function fromCounters(sources: Sources, narrowing: Narrowing | null): RawBuilder<number> {
  const counters = sources.activityCounts();
  const narrowed = narrowing === null ? counters : counters.where(narrowing.on('activity_counts'));
  return sql<number>`(${narrowed.select(sql<number>`cast(coalesce(sum(activity_counts.n), 0) as bigint)`.as('n'))})`;
}

/** One page of the log in reach, newest first unless asked otherwise, and how many entries match. */
export async function listActivity(scope: ReadScope, query: ActivityQuery): Promise<Page<ActivityRow>> {
  const narrowing = narrowingOf(query);
  const { direction } = orderOf(query.sort ?? '-timestamp');
  const page = pageValues(query, PAGE_LIMIT_MAX);
  const plan = await choosePlan(scope, narrowing, page.offset + page.limit);
  const n = await countEntries(scope, narrowing, plan);
  const more = !narrowing.counted && n > COUNTED_AT_MOST;
  const total = more ? COUNTED_AT_MOST : n;
  if (total <= page.offset && !more) return { rows: [], total, more };
  const order = sql.raw(direction);
  const rows = await readEntries(scope, `list ${plan.name} ${direction} ${narrowing.key}`, direction, {
    text: (sources) => {
      const { from, where } = plan.source(sources);
      const entries = sql`select entry.id as id, entry.at as at from ${from} where ${where}`;
      const cut = sql`order by at ${order}, id ${order} limit ${pageParams.limit} offset ${pageParams.offset}`;
      return plan.kind === 'gather'
        ? sql`with found as materialized (${entries}) select id from found ${cut}`
        : sql`select id from (${entries} ${cut}) as page`;
    },
    values: { ...narrowing.values, ...plan.values, ...page },
    lasting: narrowing.lasting,
  });
  if (rows.length > 0 || !more) return { rows, total, more };
  return { rows, total: await countPassed(scope, narrowing, plan, page.offset), more: false };
}

/** The entries whose ids `text` answers. */
async function readEntries(
  scope: ReadScope,
  name: string,
  direction: 'asc' | 'desc',
  ids: {
    readonly text: (sources: Sources) => RawBuilder<unknown>;
    readonly values: Readonly<Record<string, unknown>>;
    readonly lasting: 'short' | 'long';
  },
): Promise<ActivityRow[]> {
  const records = await scope.prepared<ActivityRecord>(
    `activity.${name}`,
    (sources) =>
      withColumns(sources.activity().where(sql<SqlBool>`activity.id in (${ids.text(sources)})`), sources)
        .orderBy('activity.at', direction)
        .orderBy('activity.id', direction),
    ids.values,
    ids.lasting,
  );
  return records.map(toActivityRow);
}

async function countEntries(scope: ReadScope, narrowing: Narrowing, plan: ReadPlan): Promise<number> {
  if (narrowing.counted) return countInCounters(scope, narrowing);
  const [row] = await scope.prepared<{ n: number }>(
    `activity.at-most ${plan.name} ${narrowing.key}`,
    (sources) =>
      sources.query(
        sql<{ n: number }>`select ${cappedCount(plan.countSource(sources), sql.lit(COUNTED_AT_MOST + 1))} as n`,
      ),
    { ...narrowing.values, ...plan.values },
    'long',
  );
  return row?.n ?? 0;
}

/** How many entries there are where a page beyond the end was asked for: no more than were passed over. */
async function countPassed(scope: ReadScope, narrowing: Narrowing, plan: ReadPlan, passed: number): Promise<number> {
  const [row] = await scope.prepared<{ n: number }>(
    `activity.passed ${plan.name} ${narrowing.key}`,
    (sources) =>
      sources.query(sql<{ n: number }>`select ${cappedCount(plan.countSource(sources), param('passed'))} as n`),
    { ...narrowing.values, ...plan.values, passed },
    'long',
  );
  return row?.n ?? 0;
}

/** How many entries an export reads at once: gathering is repeated for each piece. */
const PIECE = 1_000;

/** The log in reach from its first entry to its last, as it is at the start: each piece begins after the last entry of the one before. */
export async function* wholeActivityList(
  scope: ReadScope,
  query: ActivityExportQuery,
): AsyncGenerator<readonly ActivityRow[]> {
  const narrowing = narrowingOf(query);
  const { direction } = orderOf(query.sort ?? '-timestamp');
  const order = sql.raw(direction);
  const past = direction === 'asc' ? sql`>` : sql`<`;
  const newest = await entriesEver(scope);
  const plan = await choosePlan(scope, narrowing, PIECE);
  let last: ActivityRow | undefined;
  do {
    const begins = last === undefined;
    const rows = await readEntries(scope, `piece ${plan.name} ${direction} ${begins} ${narrowing.key}`, direction, {
      text: (sources) => {
        const { from, where } = plan.source(sources);
        const after = begins ? sql`` : sql`and (entry.at, entry.id) ${past} (${param('lastAt')}, ${param('lastId')})`;
        return sql`select id from (select entry.id as id, entry.at as at from ${from}
          where ${where} and entry.id <= ${param('newest')} ${after}
          order by at ${order}, id ${order} limit ${sql.lit(PIECE)}) as piece`;
      },
      values: {
        ...narrowing.values,
        ...plan.values,
        newest,
        ...(last && { lastAt: Date.parse(last.timestamp), lastId: last.id }),
      },
      lasting: 'long',
    });
    yield* slicesOf(rows);
    last = rows.length < PIECE ? undefined : rows.at(-1);
  } while (last !== undefined);
}
