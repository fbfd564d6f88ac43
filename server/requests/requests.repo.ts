// What clients are asked for, as lists and as one request with its items.

import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely';
import { refuse } from '#contract/errors.ts';
import { isClientUser } from '#contract/policy/actor.ts';
import { DUE_SOON_DAYS, dayAfterDays } from '#contract/request-words.ts';
import type {
  RequestDetails,
  RequestPage,
  RequestQuery,
  RequestRow,
  RequestSummary,
  RequestSummaryQuery,
} from '#contract/requests.ts';
import { countReminded } from '../mail/digests/hearers.ts';
import type { ReadScope } from '../people/access/scope.ts';
import type { Sources } from '../people/access/sources.ts';
import { versionOf } from '../people/access/versions.ts';
import { orderedBy, orderOf, type Page, pageParams, pageValues, rowCount } from '../platform/db/list.ts';
import { param } from '../platform/db/statement.ts';
import { dayOf, instant } from '../platform/instant.ts';
import { readItems } from './request-items.repo.ts';

interface RequestRecord extends Omit<RequestRow, 'createdAt' | 'reminded'> {
  readonly createdAt: number;
  readonly remindedAt: number | null;
  readonly remindedPeople: number | null;
}

const columns = [
  'requests.id as id',
  'requests.client_id as clientId',
  'clients.name as clientName',
  'requests.title as title',
  'requests.message as message',
  'requests.due_on as dueOn',
  'requests.state as state',
  'requests.items as items',
  'requests.owed as owed',
  'requests.to_review as toReview',
  'requests.asked_by_name as askedByName',
  'requests.created_at as createdAt',
  'requests.reminded_at as remindedAt',
  'requests.reminded_people as remindedPeople',
] as const;

const described = (sources: Sources) =>
  sources.requests().innerJoin('clients', 'clients.id', 'requests.client_id').select(columns);

/** Who was reminded is told to those who ask. */
function toRow(
  { createdAt, remindedAt, remindedPeople, ...row }: RequestRecord,
  { viewer }: Pick<ReadScope, 'viewer'>,
): RequestRow {
  const isTold = remindedAt !== null && remindedPeople !== null && !isClientUser(viewer);
  return {
    ...row,
    createdAt: instant(createdAt),
    reminded: isTold ? { at: instant(remindedAt), people: remindedPeople } : null,
  };
}

const isOpen = sql<SqlBool>`requests.state = 'open'`;

const isOwed = sql<SqlBool>`${isOpen} and requests.owed > 0`;

/** Of the parameters `today` and `soonUntil`. */
const isOverdue = sql<SqlBool>`${isOwed} and requests.due_on < ${param('today')}`;

const isDueSoon = sql<SqlBool>`${isOwed} and requests.due_on between ${param('today')} and ${param('soonUntil')}`;

const isToReview = sql<SqlBool>`${isOpen} and requests.to_review > 0`;

const daysAround = (today: string) => ({ today, soonUntil: dayAfterDays(today, DUE_SOON_DAYS) });

/** Conditions with the values of their parameters. What decides their text is in `name`. */
function narrowed(query: Partial<RequestQuery>, today: string) {
  const parts: Expression<SqlBool>[] = [];
  const { clientId, state, due, review } = query;
  if (clientId !== undefined) parts.push(sql<SqlBool>`requests.client_id = ${param('clientId')}`);
  if (state !== undefined) parts.push(sql<SqlBool>`requests.state = ${param('state')}`);
  if (due !== undefined) parts.push(due === 'overdue' ? isOverdue : isDueSoon);
  if (review !== undefined) parts.push(isToReview);
  return {
    name: [clientId !== undefined, state !== undefined, due, review].join(),
    where: parts.length === 0 ? sql<SqlBool>`1 = 1` : sql<SqlBool>`${sql.join(parts, sql` and `)}`,
    values: {
      ...(clientId !== undefined && { clientId }),
      ...(state !== undefined && { state }),
      ...(due !== undefined && daysAround(today)),
    },
  };
}

/** Later than every day: what has no due day comes last. */
const NO_DAY = '9999-99-99';

const dueDay = sql`coalesce(requests.due_on, ${sql.lit(NO_DAY)})`;

const sortColumns: Readonly<
  Record<'dueOn' | 'owed' | 'createdAt' | 'clientName' | 'title', string | RawBuilder<unknown>>
> = {
  dueOn: dueDay,
  owed: sql`case when requests.owed > 0 then '0' else '1' end || ${dueDay}`,
  createdAt: 'requests.created_at',
  clientName: 'clients.search_name',
  title: sql`lower(requests.title)`,
};

/** As many requests as a page holds unless it says. */
const PAGE_ROWS = 100;

export async function listRequests(scope: ReadScope, query: RequestQuery, at: number): Promise<Page<RequestRow>> {
  const sort = query.sort ?? 'dueOn';
  const { column, direction } = orderOf(sort);
  const { name, where, values } = narrowed(query, query.today ?? dayOf(at));
  const rows = await scope.prepared<RequestRecord>(
    `requests.list ${sort} ${name}`,
    (sources) =>
      described(sources)
        .where(where)
        .orderBy(orderedBy(direction, sortColumns[column], 'requests.id'))
        .limit(pageParams.limit)
        .offset(pageParams.offset),
    { ...values, ...pageValues(query, PAGE_ROWS) },
  );
  const [count] = await scope.prepared<{ total: number }>(
    `requests.count ${name}`,
    (sources) => sources.requests().where(where).select(rowCount.as('total')),
    values,
  );
  return { rows: rows.map((row) => toRow(row, scope)), total: count?.total ?? 0 };
}

export async function summariseRequests(
  scope: ReadScope,
  query: RequestSummaryQuery,
  at: number,
): Promise<RequestSummary> {
  const today = query.today ?? dayOf(at);
  const { name, where, values } = narrowed({ clientId: query.clientId }, today);
  const count = (of: Expression<SqlBool>) => sql<number>`cast(count(*) filter (where ${of}) as bigint)`;
  const [summary] = await scope.prepared<RequestSummary>(
    `requests.summary ${name}`,
    (sources) =>
      sources
        .requests()
        .where(isOpen)
        .where(where)
        .select([
          rowCount.as('open'),
          count(isOverdue).as('overdue'),
          count(isDueSoon).as('dueSoon'),
          count(isToReview).as('toReview'),
          sql<number>`cast(coalesce(sum(requests.owed), 0) as bigint)`.as('owedItems'),
        ]),
    { ...values, ...daysAround(today) },
  );
  return summary ?? { open: 0, overdue: 0, dueSoon: 0, toReview: 0, owedItems: 0 };
}

async function findRow(scope: ReadScope, id: number): Promise<RequestRow | null> {
  const [record] = await scope.prepared<RequestRecord>(
    'requests.get',
    (sources) => described(sources).where('requests.id', '=', param<number>('id')),
    { id },
  );
  return record === undefined ? null : toRow(record, scope);
}

/** The request with its items; refuses `not_found` where it is missing or its client is out of reach. */
export async function findRequest(scope: ReadScope, id: number): Promise<RequestDetails> {
  const request = await findRow(scope, id);
  if (request === null) throw refuse('not_found');
  const items = (await readItems(scope, 'request_id', id)).map(({ item }) => item);
  const { title, message, dueOn } = request;
  const asked = items.flatMap((item) => [item.id, item.name, item.note]);
  return { request, items, version: versionOf(null, [title, message, dueOn ?? '', ...asked]) };
}

/** The same with how many people get its reminders, for those who ask. */
export async function findRequestPage(scope: ReadScope, id: number): Promise<RequestPage> {
  const details = await findRequest(scope, id);
  const reminds = isClientUser(scope.viewer) ? null : await countReminded(scope, details.request.clientId);
  return { ...details, reminds };
}
