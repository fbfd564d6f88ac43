// A page of files that hold words, in another order than by date: names that hold a common word may all stand together, far from
// the beginning, where neither the order nor the letters lead.
import { type SqlBool, sql } from 'kysely';
import { narrowed } from '../../people/access/read-plan.ts';
import type { ReadScope } from '../../people/access/scope.ts';
import type { Sources } from '../../people/access/sources.ts';
import { countInSample, SAMPLED } from '../../people/access/word-sample.ts';
import { listedIds, listText } from '../../platform/db/id-list.ts';
import { COUNTED_AT_MOST } from '../../platform/db/list.ts';
import { param } from '../../platform/db/statement.ts';
import type { WordMatch } from '../../platform/db/word-match.ts';
import { countFilesAtMost, countInCounters, filesEver } from './counts.ts';
import { holdsWords, type Narrowing } from './narrowing.ts';
import { along, choosePlan, indexFor, type Plan, placeOf, type ReadOrder, wholeList } from './plan.ts';

/** A list for which no more files are looked at, words aside, is sorted whole where a walk has not met the page: a later answer is better than none. */
const SORTED_MAX = 200_000;
/** A walk passes over the list's part of so many of all files, */
const PASSED = 10_000;
/** or over so many times the files among which the page is met where the words are spread evenly. */
const SLACK = 1.5;

export const TOO_MANY_TO_SORT =
  'Too many files hold these words to show them in this order. Narrow the list, sort it by date, or export it.';

interface PagePlan {
  readonly plan: Plan;
  /** Of a walk that goes only as far as nobody waits for it: how a page is read that it has not filled. Null where that is given up. */
  readonly otherwise?: Plan | null;
}

/** How one page is read. `take` is how many of the list's first files it needs. */
export async function planOfPage(
  scope: ReadScope,
  narrowing: Narrowing,
  order: ReadOrder,
  take: number,
): Promise<PagePlan> {
  const { column, direction } = order;
  const plan = await choosePlan(scope, narrowing, column, take);
  const { match, withoutSearch: all } = narrowing;
  if (match === null || plan.kind === 'gather' || column === 'uploadedAt') return { plan };
  const listed = await scope.estimate(`files.listed ${all.key} ${Object.values(all.values)}`, () =>
    all.counted ? countInCounters(scope, all) : countFilesAtMost(scope, all, wholeList(scope, all), SORTED_MAX + 1),
  );
  // With access lists, they are looked for among all files in reach.
  const looked =
    scope.viewer.reach === 'lists' && all.counted
      ? await scope.estimate('files.reach', () => countInCounters(scope, null))
      : listed;
  const ever = Math.max(1, await scope.estimate('files.ever', () => filesEver(scope)));
  const passed = await passedAtMost(scope, match, listed / ever, take);
  const whole: Plan = { ...plan, ...wholeList(scope, narrowing), kind: 'gather', counts: 'found' };
  // A walk passes over files out of reach too.
  if (looked <= SORTED_MAX && passed * ever >= looked * looked) return { plan: whole };
  const total = await countFilesAtMost(scope, narrowing, whole);
  const known = { counts: 'known', values: { total } } as const;
  if (total <= COUNTED_AT_MOST) {
    const ids = listText(await idsFound(scope, narrowing, whole));
    const found = (sources: Sources) =>
      narrowed(sources.filesAmong(listedIds(param<string>('ids'))), narrowing.on('file'));
    return { plan: { ...whole, name: 'by ids', source: found, countSource: found, values: { ids } } };
  }
  const walk: Plan = { ...plan, ...known, name: `${plan.name} counted` };
  const end = await endOfWalk(scope, narrowing, order, passed);
  if (end === null) return { plan: walk };
  const past = direction === 'asc' ? sql`<=` : sql`>=`;
  const soon = sql<SqlBool>`(${placeOf(column)}, file.id) ${past} (${param('endPlace')}, ${param('endId')})`;
  return {
    plan: {
      ...walk,
      name: `${walk.name} to an end`,
      source: (sources) => narrowed(walk.source(sources), soon),
      values: { ...walk.values, ...end },
    },
    otherwise: looked <= SORTED_MAX ? { ...whole, ...known, name: `${whole.name} counted` } : null,
  };
}

/** Over how many files of the list a walk passes; `share` is its part of all files. */
async function passedAtMost(scope: ReadScope, match: WordMatch, share: number, take: number): Promise<number> {
  const sampled = await countInSample(scope, 'files', 'in all', match, (row) => holdsWords(match, row));
  const evenly = (take * SAMPLED) / Math.max(1, sampled);
  return Math.ceil(Math.max(PASSED * Math.min(1, share), SLACK * evenly));
}

/** The ids of the files that hold the words, in no order: where they are few. */
async function idsFound(scope: ReadScope, narrowing: Narrowing, { name, source }: Plan): Promise<readonly number[]> {
  const rows = await scope.prepared<{ id: number }>(
    `files.ids-found ${name} ${narrowing.key}`,
    (sources) => {
      const { from, where } = source(sources);
      return sources.query(
        sql<{ id: number }>`select file.id as "id" from ${from} where ${where} limit ${sql.lit(COUNTED_AT_MOST)}`,
      );
    },
    narrowing.values,
    narrowing.lasting,
  );
  return rows.map(({ id }) => id);
}

/** A file's place in the order. */
interface Place {
  readonly endPlace: number | string;
  readonly endId: number;
}

/** Where a walk ends that has passed over so many files of the list, words aside; null where the list ends before. */
async function endOfWalk(
  scope: ReadScope,
  narrowing: Narrowing,
  { column, direction }: ReadOrder,
  passed: number,
): Promise<Place | null> {
  const all = narrowing.withoutSearch;
  const index = indexFor(column, all);
  const way = sql.raw(direction);
  const [row] = await scope.prepared<Place>(
    `files.walk-end ${index} ${column} ${direction} ${all.key}`,
    (sources) => {
      const { from, where } = along(index, all)(sources);
      return sources.query(sql<Place>`select ${placeOf(column)} as "endPlace", file.id as "endId" from ${from}
        where ${where} order by ${placeOf(column)} ${way}, file.id ${way} limit 1 offset ${param('passed')}`);
    },
    { ...all.values, passed },
    'long',
  );
  return row ?? null;
}
