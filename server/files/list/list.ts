// The list of files: filtered, sorted, counted and paged in one query over the files in reach.
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { refuseFields } from '#contract/errors.ts';
import type { FileDetails, FileNeighbourQuery, FileQuery, FileRow } from '#contract/files.ts';
import { PAGE_LIMIT_MAX } from '#contract/paging.ts';
import type { ReadScope } from '../../people/access/scope.ts';
import type { Sources } from '../../people/access/sources.ts';
import { keptOrder } from '../../platform/db/engine-sql.ts';
import {
  COUNTED_AT_MOST,
  cappedCount,
  type JsonPage,
  orderOf,
  pageParams,
  pageValues,
  type Total,
} from '../../platform/db/list.ts';
import { param } from '../../platform/db/statement.ts';
import { filesAsJson, pageOfFiles } from '../file-row.ts';
import { countFilesAtMost } from './counts.ts';
import { type Group, groupsBy } from './groups.ts';
import { type FileFilters, type Narrowing, narrowingOf, onePlaceOf } from './narrowing.ts';
import { choosePlan, type Plan, placeOf, type ReadOrder } from './plan.ts';
import { planOfPage, TOO_MANY_TO_SORT } from './words-in-order.ts';

const NO_FILES: JsonPage = { json: '[]', total: 0, more: false };

/** One page of the files in reach, newest first unless asked otherwise, and how many match. */
export async function listFiles(scope: ReadScope, query: FileQuery & FileFilters): Promise<JsonPage> {
  const narrowing = narrowingOf(query);
  if (narrowing === null) return NO_FILES;
  const { column, direction } = orderOf(query.sort ?? '-uploadedAt');
  const page = pageValues(query, PAGE_LIMIT_MAX);
  const { json, total, more } =
    column === 'clientName' || column === 'reportTypeName'
      ? await listGroups(scope, query, await groupsBy(scope, column, direction, query), { direction, ...page })
      : await readFiles(scope, narrowing, { column, direction }, page);
  if (!more || json !== NO_FILES.json) return { json, total, more };
  // Beyond the end there are no more than were passed over: a screen leads from there to the last page.
  const plan = await choosePlan(scope, narrowing, 'uploadedAt', page.offset);
  return { json, total: await countFilesAtMost(scope, narrowing, plan, page.offset), more: false };
}

interface Answer {
  readonly json: string;
  /** How many files the page holds. */
  readonly shown: number;
  readonly total: number;
}

async function readFiles(
  scope: ReadScope,
  narrowing: Narrowing,
  order: ReadOrder,
  page: { readonly limit: number; readonly offset: number },
): Promise<JsonPage & Pick<Answer, 'shown'>> {
  const { plan, otherwise } = await planOfPage(scope, narrowing, order, page.offset + page.limit);
  const walked = await readPage(scope, narrowing, order, { plan, ...page });
  if (otherwise === undefined || walked.shown === page.limit) return walked;
  if (otherwise === null) throw refuseFields({ sort: TOO_MANY_TO_SORT });
  return readPage(scope, narrowing, order, { plan: otherwise, ...page });
}

async function readPage(
  scope: ReadScope,
  narrowing: Narrowing,
  order: ReadOrder,
  { plan, ...page }: { readonly plan: Plan; readonly limit: number; readonly offset: number },
): Promise<JsonPage & Pick<Answer, 'shown'>> {
  const [answer] = await scope.prepared<Answer>(
    `files.list ${plan.name} ${order.column} ${order.direction} ${narrowing.key}`,
    (sources) => sources.query(pageQuery(sources, narrowing, order, plan)),
    { ...narrowing.values, ...plan.values, ...page },
    narrowing.lasting,
  );
  return { json: answer?.json ?? '[]', shown: answer?.shown ?? 0, ...asTotal(answer?.total ?? 0, plan) };
}

/** A walk stops counting; what is gathered is counted whole. */
const asTotal = (n: number, { counts }: Plan): Total =>
  (counts === 'at most' || counts === 'known') && n > COUNTED_AT_MOST
    ? { total: COUNTED_AT_MOST, more: true }
    : { total: n, more: false };

/** The page and the total in one statement: the page by its index alone, then what it shows. */
function pageQuery(sources: Sources, narrowing: Narrowing, order: ReadOrder, plan: Plan): RawBuilder<Answer> {
  const { from, where } = plan.source(sources);
  const direction = sql.raw(order.direction);
  const files = sql`select file.id as id, file.client_id as client_id, ${placeOf(order.column)} as place from ${from} where ${where}`;
  const cut = sql`order by place ${direction}, id ${direction} limit ${pageParams.limit} offset ${pageParams.offset}`;
  const page =
    plan.kind === 'gather'
      ? sql`found as materialized (${files}), page as (select id, client_id, place from found ${cut})`
      : sql`page as (${files} ${cut})`;
  const listed = filesAsJson(sources, pageOfFiles);
  const inOrder = keptOrder(sources.engine, sql`page.place ${direction}, page.id ${direction}`);
  return sql<Answer>`with ${page} select ${totalOf(sources, narrowing, plan)} as total, count(*) as shown,
    '[' || coalesce(string_agg(listed.json, ','), '') || ']' as json
    from (select ${listed.json} as json from ${listed.from} ${inOrder}) as listed`;
}

function totalOf(sources: Sources, narrowing: Narrowing, { counts, countSource }: Plan): RawBuilder<number> {
  switch (counts) {
    case 'found':
      return sql`(select count(*) from found)`;
    case 'known':
      return sql`cast(${param('total')} as bigint)`;
    case 'at most':
      return cappedCount(countSource(sources));
    case 'counters':
      return sql`(${sources
        .fileCounts(onePlaceOf(narrowing))
        .where(narrowing.on('file_counts'))
        .select(sql<number>`cast(coalesce(sum(file_counts.n), 0) as bigint)`.as('n'))})`;
  }
}

/** A page of a list that stands by client or report type, and within each by date: read from the groups it falls in. */
async function listGroups(
  scope: ReadScope,
  query: FileQuery,
  { groups, total }: { readonly groups: readonly Group[]; readonly total: Total },
  { limit, offset, direction }: { limit: number; offset: number; direction: 'asc' | 'desc' },
): Promise<JsonPage> {
  const pieces: string[] = [];
  let skip = offset;
  let wanted = limit;
  for (const { filter, n } of groups) {
    if (wanted === 0) break;
    if (n !== null && skip >= n) {
      skip -= n;
      continue;
    }
    const narrowing = narrowingOf({ ...query, ...filter });
    if (narrowing === null) throw new Error('A group holds what its list does not');
    const page = { limit: wanted, offset: skip };
    const read = await readFiles(scope, narrowing, { column: 'uploadedAt', direction }, page);
    if (read.shown > 0) pieces.push(read.json.slice(1, -1));
    if (read.shown > 0) skip = 0;
    else if (n === null)
      skip -= await countFilesAtMost(scope, narrowing, await choosePlan(scope, narrowing, 'uploadedAt', skip), skip);
    wanted -= read.shown;
  }
  return { json: `[${pieces.join()}]`, ...total };
}

/** Where a file stands in the list, newest first, that `within` narrows, and what stands next to it. */
export async function fileNeighbours(
  scope: ReadScope,
  file: FileRow,
  within: FileNeighbourQuery,
): Promise<Pick<FileDetails, 'place' | 'newer' | 'older'>> {
  const narrowing = narrowingOf(within);
  if (narrowing === null) return { place: null, newer: null, older: null };
  const plan = await choosePlan(scope, narrowing, 'uploadedAt', 1);
  const next = async (direction: 'asc' | 'desc') => {
    const [row] = await scope.prepared<{ id: number; originalName: string }>(
      `files.neighbour ${plan.name} ${direction} ${narrowing.key}`,
      (sources) => {
        const { from, where } = plan.source(sources);
        const past = direction === 'asc' ? sql`>` : sql`<`;
        const order = sql.raw(direction);
        return sources.query(sql`with next as (select file.id as id from ${from}
          where ${where} and (file.uploaded_at, file.id) ${past} (${param('at')}, ${param('id')})
          order by file.uploaded_at ${order}, file.id ${order} limit 1)
          select files.id as "id", files.original_name as "originalName" from next join files on files.id = next.id`);
      },
      { ...narrowing.values, ...plan.values, at: Date.parse(file.uploadedAt), id: file.id },
      narrowing.lasting,
    );
    return row ?? null;
  };
  const place = await placeInList(scope, file, narrowing, plan);
  return { place, newer: await next('asc'), older: await next('desc') };
}

async function placeInList(
  scope: ReadScope,
  file: FileRow,
  narrowing: Narrowing,
  plan: Plan,
): Promise<FileDetails['place']> {
  const [found] = await scope.prepared<{ total: number; before: number; holds: number }>(
    `files.place ${plan.name} ${narrowing.key}`,
    (sources) => {
      const { from, where } = plan.source(sources);
      const stands = sql`(file.uploaded_at, file.id)`;
      const at = sql`(${param('at')}, ${param('id')})`;
      const total =
        plan.counts === 'found'
          ? sql`(select count(*) from ${from} where ${where})`
          : totalOf(sources, narrowing, plan);
      const before = cappedCount({ from, where: sql<SqlBool>`${where} and ${stands} > ${at}` });
      const holds = cappedCount({ from, where: sql<SqlBool>`${where} and ${stands} = ${at}` });
      return sources.query(sql`select ${total} as total, ${before} as before, ${holds} as holds`);
    },
    { ...narrowing.values, ...plan.values, at: Date.parse(file.uploadedAt), id: file.id },
    narrowing.lasting,
  );
  if (!found?.holds) return null;
  return { nth: found.before > COUNTED_AT_MOST ? null : found.before + 1, ...asTotal(found.total, plan) };
}
