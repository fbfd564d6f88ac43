// What clients are asked for: listed, made, changed, and each item answered and decided.
import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely';
import {
  itemAcceptedDetails,
  requestChangedDetails,
  requestClosedDetails,
  requestedDetails,
  requestReopenedDetails,
  saidNotDetails,
  sentBackDetails,
  sentDetails,
} from '#contract/activity-words.ts';
import { refuse, refuseFields } from '#contract/errors.ts';
import type { FileRow } from '#contract/files.ts';
import type { Proof } from '#contract/policy.ts';
import { DUE_SOON_DAYS, dayAfterDays, type ItemState, type RequestState } from '#contract/request-words.ts';
import type {
  ItemDecision,
  RequestChange,
  RequestDetails,
  RequestFile,
  RequestInput,
  RequestItem,
  RequestItemInput,
  RequestQuery,
  RequestRow,
  RequestSummary,
  RequestSummaryQuery,
} from '#contract/requests.ts';
import { record, recordEach } from '../audit/record.ts';
import { lockRow } from '../files/trash/kept-rows.ts';
import type { ReadScope, Sources, WriteScope } from '../people/access/scope.ts';
import { changedNow, requireVersion, versionOf } from '../people/access/versions.ts';
import { isListedId, listText } from '../platform/db/id-list.ts';
import { orderedBy, orderOf, type Page, pageParams, pageValues, rowCount } from '../platform/db/list.ts';
import { param } from '../platform/db/statement.ts';
import { isBrokenReference } from '../platform/db/violations.ts';

/** The day at a moment in ms, in UTC. */
const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10);

// ---- Reading ----------------------------------------------------------------------------------------------------

interface RequestRecord extends Omit<RequestRow, 'createdAt'> {
  readonly createdAt: number;
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
] as const;

const described = (sources: Sources) =>
  sources.requests().innerJoin('clients', 'clients.id', 'requests.client_id').select(columns);

const toRow = ({ createdAt, ...row }: RequestRecord): RequestRow => ({
  ...row,
  createdAt: new Date(createdAt).toISOString(),
});

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
const sortColumns: Readonly<Record<'dueOn' | 'createdAt' | 'clientName' | 'title', string | RawBuilder<unknown>>> = {
  dueOn: sql`coalesce(requests.due_on, ${sql.lit(NO_DAY)})`,
  createdAt: 'requests.created_at',
  clientName: 'clients.search_name',
  title: 'requests.title',
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
  return { rows: rows.map(toRow), total: count?.total ?? 0 };
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

interface ItemRecord extends Omit<RequestItem, 'saidNot' | 'files' | 'version'> {
  readonly requestId: number;
  readonly clientId: number;
  readonly clientName: string;
  readonly title: string;
  readonly requestState: RequestState;
  readonly saidNot: number;
  readonly changedAt: number | null;
}

/** An item together with what is needed of its request. */
export interface FoundItem
  extends Pick<ItemRecord, 'requestId' | 'clientId' | 'clientName' | 'title' | 'requestState'> {
  readonly item: RequestItem;
}

const itemColumns = [
  'request_items.id as id',
  'request_items.request_id as requestId',
  'requests.client_id as clientId',
  'clients.name as clientName',
  'requests.title as title',
  'requests.state as requestState',
  'request_items.name as name',
  'request_items.note as note',
  'request_items.state as state',
  'request_items.said_not as saidNot',
  'request_items.answer as answer',
  'request_items.reason as reason',
  'request_items.changed_at as changedAt',
] as const;

/** Items of one request, or one item, of a client in reach. */
async function readItems(scope: ReadScope, by: 'request_id' | 'id', id: number): Promise<FoundItem[]> {
  const records = await scope.prepared<ItemRecord>(
    `requests.items ${by}`,
    (sources) =>
      sources
        .requests()
        .innerJoin('request_items', 'request_items.request_id', 'requests.id')
        .innerJoin('clients', 'clients.id', 'requests.client_id')
        .select(itemColumns)
        .where(`request_items.${by}`, '=', param<number>('id'))
        .orderBy('request_items.position')
        .orderBy('request_items.id'),
    { id },
  );
  const files = await readFiles(scope, by, id);
  return records.map((record) => toFound(record, files.get(record.id) ?? []));
}

function toFound(record: ItemRecord, files: RequestFile[]): FoundItem {
  const { requestId, clientId, clientName, title, requestState, changedAt, saidNot, ...item } = record;
  const content = [item.name, item.note, item.state, saidNot, item.answer, item.reason];
  const version = versionOf(changedAt, [...content, files.map(({ fileId }) => fileId)]);
  return {
    requestId,
    clientId,
    clientName,
    title,
    requestState,
    item: { ...item, saidNot: Boolean(saidNot), files, version },
  };
}

interface FileRecord {
  readonly itemId: number;
  readonly fileId: number;
  readonly name: string;
  readonly sentAt: number;
  readonly sentByName: string;
  readonly clientId: number;
  /** Null where it is gone, or out of the viewer's reach, which is the same. */
  readonly nowAt: number | null;
  readonly nowName: string | null;
}

async function readFiles(
  scope: ReadScope,
  by: 'request_id' | 'id',
  id: number,
): Promise<ReadonlyMap<number, RequestFile[]>> {
  const records = await scope.prepared<FileRecord>(
    `requests.files ${by}`,
    (sources) =>
      sources
        .requests()
        .innerJoin('request_items', 'request_items.request_id', 'requests.id')
        .innerJoin('request_item_files', 'request_item_files.item_id', 'request_items.id')
        .leftJoin(sources.files().select(['files.id', 'files.client_id', 'files.original_name']).as('there'), (join) =>
          join.onRef('there.id', '=', 'request_item_files.file_id'),
        )
        .select([
          'request_items.id as itemId',
          'request_item_files.file_id as fileId',
          'request_item_files.name as name',
          'request_item_files.sent_at as sentAt',
          'request_item_files.sent_by_name as sentByName',
          'requests.client_id as clientId',
          'there.client_id as nowAt',
          'there.original_name as nowName',
        ])
        .where(`request_items.${by}`, '=', param<number>('id'))
        .orderBy('request_item_files.sent_at')
        .orderBy('request_item_files.file_id'),
    { id },
  );
  const grouped = Map.groupBy(records, ({ itemId }) => itemId);
  return new Map([...grouped].map(([itemId, files]) => [itemId, files.map(toFile)]));
}

function toFile({ fileId, name, sentAt, sentByName, clientId, nowAt, nowName }: FileRecord): RequestFile {
  const place = nowAt === null ? 'gone' : nowAt === clientId ? 'here' : 'elsewhere';
  return { fileId, name: nowName ?? name, sentAt: new Date(sentAt).toISOString(), sentByName, place };
}

/** The item, or null when it is missing or of a client out of reach. */
export async function findItem(scope: ReadScope, id: number): Promise<FoundItem | null> {
  const [found = null] = await readItems(scope, 'id', id);
  return found;
}

async function findRow(scope: ReadScope, id: number): Promise<RequestRow | null> {
  const [record] = await scope.prepared<RequestRecord>(
    'requests.get',
    (sources) => described(sources).where('requests.id', '=', param<number>('id')),
    { id },
  );
  return record === undefined ? null : toRow(record);
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

// ---- Asking -----------------------------------------------------------------------------------------------------

type Managing = Proof<'requests.manage'>;

const newItem = ({ name, note }: RequestItemInput, requestId: number, position: number) => ({
  request_id: requestId,
  position,
  name,
  note,
  state: 'open' as const,
  said_not: 0 as const,
  answer: '',
  reason: '',
});

/** A request to each of the clients; refuses where one of them is out of reach, as if it were not there. */
export async function insertRequests(scope: WriteScope, input: RequestInput, at: number): Promise<number[]> {
  const proof = scope.authorize('requests.manage');
  const { clientIds, title, message, dueOn, items } = input;
  const clients = await scope
    .clients()
    .select(['clients.id', 'clients.name'])
    .where(isListedId('clients.id', listText(clientIds)))
    .orderBy('clients.id')
    .execute();
  if (clients.length < clientIds.length) throw refuse('not_found');
  const tx = scope.unscoped(proof);
  const ids: number[] = [];
  try {
    for (const client of clients) {
      const { id } = await tx
        .insertInto('requests')
        .values({
          client_id: client.id,
          title,
          message,
          due_on: dueOn,
          state: 'open',
          items: items.length,
          owed: items.length,
          to_review: 0,
          asked_by_id: scope.viewer.id,
          asked_by_name: scope.viewer.fullName,
          created_at: at,
          changed_at: at,
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      await tx
        .insertInto('request_items')
        .values(items.map((item, nth) => newItem(item, id, nth)))
        .execute();
      ids.push(id);
    }
  } catch (error) {
    if (isBrokenReference(error)) throw refuse('gone_meanwhile');
    throw error;
  }
  const details = requestedDetails(title, items.length);
  await recordEach(
    scope,
    proof,
    clients.map((client) => ({ action: 'update', details, client })),
    at,
  );
  return ids;
}

/** The request, which nobody else changes until the transaction ends. */
async function holdRequest(scope: WriteScope, id: number): Promise<{ proof: Managing; details: RequestDetails }> {
  await findRequest(scope, id);
  const proof = scope.authorize('requests.manage');
  await lockRow({ db: scope.unscoped(proof), engine: scope.engine }, 'requests', id);
  return { proof, details: await findRequest(scope, id) };
}

const clientOf = ({ clientId, clientName }: Pick<RequestRow, 'clientId' | 'clientName'>) => ({
  id: clientId,
  name: clientName,
});

/** Makes the request what `change` says. Refuses `request_closed`, and to take away an item that was answered. */
export async function updateRequest(
  scope: WriteScope,
  id: number,
  change: RequestChange,
  { expected, at }: { readonly expected: readonly string[] | null; readonly at: number },
): Promise<RequestDetails> {
  const { proof, details } = await holdRequest(scope, id);
  if (details.request.state === 'closed') throw refuse('request_closed');
  await requireVersion(scope, expected, details, async () => undefined, at);
  await refuseUnknownItems(details, change);
  const tx = scope.unscoped(proof);
  const kept = new Set(change.items.flatMap((item) => (item.id === undefined ? [] : [item.id])));
  const gone = details.items.filter((item) => !kept.has(item.id)).map((item) => item.id);
  await tx
    .deleteFrom('request_items')
    .where(isListedId('request_items.id', listText(gone)))
    .execute();
  const before = new Map(details.items.map((item) => [item.id, item]));
  for (const [position, item] of change.items.entries()) {
    const former = item.id === undefined ? undefined : before.get(item.id);
    if (former === undefined) {
      await tx
        .insertInto('request_items')
        .values(newItem(item, id, position))
        .execute();
    } else {
      const words = { name: item.name, note: item.note };
      const differs = words.name !== former.name || words.note !== former.note;
      await tx
        .updateTable('request_items')
        .set({ ...words, position, ...(differs ? changedNow(scope, at) : {}) })
        .where('id', '=', former.id)
        .execute();
    }
  }
  const { title, message, dueOn } = change;
  await tx.updateTable('requests').set({ title, message, due_on: dueOn }).where('id', '=', id).execute();
  await countAnew(scope, proof, id, at);
  await record(
    scope,
    proof,
    { action: 'update', details: requestChangedDetails(title), client: clientOf(details.request) },
    at,
  );
  return findRequest(scope, id);
}

async function refuseUnknownItems({ items }: RequestDetails, change: RequestChange): Promise<void> {
  const known = new Set(items.map((item) => item.id));
  const named = change.items.flatMap((item) => (item.id === undefined ? [] : [item.id]));
  const unknown = named.findIndex((id, nth) => !known.has(id) || named.indexOf(id) !== nth);
  if (unknown !== -1) throw refuseFields({ items: 'An item is not there any more. Reload and try again.' });
  const answered = items.find((item) => !named.includes(item.id) && (item.state !== 'open' || item.files.length > 0));
  if (answered !== undefined) {
    throw refuseFields({ items: `"${answered.name}" was answered already, so it stays.` });
  }
}

/** Counts the items of a request, and decides by them whether it is open or done. */
async function countAnew(scope: WriteScope, proof: Proof, id: number, at: number): Promise<void> {
  const tx = scope.unscoped(proof);
  const count = (of: Expression<SqlBool>) => sql<number>`cast(count(*) filter (where ${of}) as bigint)`;
  const counts = await tx
    .selectFrom('request_items')
    .where('request_id', '=', id)
    .select([
      rowCount.as('items'),
      count(sql<SqlBool>`state in ('open', 'sentBack')`).as('owed'),
      count(sql<SqlBool>`state in ('sent', 'doesNotApply')`).as('to_review'),
    ])
    .executeTakeFirstOrThrow();
  const isDone = counts.owed + counts.to_review === 0;
  const state = sql<RequestState>`case when state = 'closed' then 'closed' else ${isDone ? 'done' : 'open'} end`;
  await tx
    .updateTable('requests')
    .set({ ...counts, state, changed_at: at })
    .where('id', '=', id)
    .execute();
}

/** Withdraws an open request, or opens a closed one again; any other stays as it is. */
export async function setClosed(scope: WriteScope, id: number, closed: boolean, at: number): Promise<RequestDetails> {
  const { proof, details } = await holdRequest(scope, id);
  const { state, title } = details.request;
  if (closed ? state !== 'open' : state !== 'closed') return details;
  await scope
    .unscoped(proof)
    .updateTable('requests')
    .set({ state: closed ? 'closed' : 'open' })
    .where('id', '=', id)
    .execute();
  await countAnew(scope, proof, id, at);
  const words = closed ? requestClosedDetails(title) : requestReopenedDetails(title);
  await record(scope, proof, { action: 'update', details: words, client: clientOf(details.request) }, at);
  return findRequest(scope, id);
}

// ---- Answering and deciding --------------------------------------------------------------------------------------

/** The item, whose request nobody else changes until the transaction ends. */
async function holdItem<A extends 'requests.manage' | 'requests.answer'>(
  scope: WriteScope,
  action: A,
  id: number,
): Promise<FoundItem & { readonly proof: Proof<A> }> {
  const found = await findItem(scope, id);
  if (found === null) throw refuse('not_found');
  const proof = (
    action === 'requests.manage' ? scope.authorize('requests.manage') : scope.authorize('requests.answer')
  ) as Proof<A>;
  await lockRow({ db: scope.unscoped(proof), engine: scope.engine }, 'requests', found.requestId);
  const held = await findItem(scope, id);
  if (held === null) throw refuse('not_found');
  if (held.requestState === 'closed') throw refuse('request_closed');
  return { ...held, proof };
}

async function setItem(
  scope: WriteScope,
  { proof, requestId, item }: FoundItem & { readonly proof: Proof },
  to: {
    readonly state: ItemState;
    readonly reason: string;
    readonly said_not?: 0 | 1;
    readonly answer?: string;
  },
  at: number,
): Promise<RequestItem> {
  await scope
    .unscoped(proof)
    .updateTable('request_items')
    .set({ ...to, ...changedNow(scope, at), state_at: at, state_by_id: scope.viewer.id })
    .where('id', '=', item.id)
    .execute();
  await countAnew(scope, proof, requestId, at);
  const after = await findItem(scope, item.id);
  if (after === null) throw refuse('gone_meanwhile');
  return after.item;
}

/** Refuses an answer to what needs none: `request_closed`, `request_item_accepted`. */
export function refuseSettled({ requestState, item }: FoundItem): void {
  if (requestState === 'closed') throw refuse('request_closed');
  if (item.state === 'accepted') throw refuse('request_item_accepted');
}

/** Makes a file that is just being stored the answer to an item. */
export async function claimForItem(scope: WriteScope, itemId: number, file: FileRow, at: number): Promise<void> {
  const held = await holdItem(scope, 'requests.answer', itemId);
  refuseSettled(held);
  // Its client was another one when the file was judged: it would be filed where nobody asked for it.
  if (held.clientId !== file.clientId) throw refuse('gone_meanwhile');
  await scope
    .unscoped(held.proof)
    .insertInto('request_item_files')
    .values({
      item_id: itemId,
      file_id: file.id,
      name: file.originalName,
      sent_at: at,
      sent_by_name: scope.viewer.fullName,
    })
    .execute();
  await setItem(scope, held, { state: 'sent', reason: '', said_not: 0, answer: '' }, at);
  const details = sentDetails(held.title, held.item.name, file.originalName);
  await record(scope, held.proof, { action: 'update', details, client: clientOf(held) }, at);
}

export async function sayNot(scope: WriteScope, itemId: number, note: string, at: number): Promise<RequestItem> {
  const held = await holdItem(scope, 'requests.answer', itemId);
  refuseSettled(held);
  const after = await setItem(scope, held, { state: 'doesNotApply', reason: '', said_not: 1, answer: note }, at);
  const details = saidNotDetails(held.title, held.item.name, note);
  await record(scope, held.proof, { action: 'update', details, client: clientOf(held) }, at);
  return after;
}

/** Accepts what waits for it, or sends back what was answered, also where it was accepted before. */
export async function decideItem(
  scope: WriteScope,
  itemId: number,
  decision: ItemDecision,
  { expected, at }: { readonly expected: readonly string[] | null; readonly at: number },
): Promise<RequestItem> {
  const held = await holdItem(scope, 'requests.manage', itemId);
  const { item, title, proof } = held;
  const lastChange = () =>
    scope
      .unscoped(proof)
      .selectFrom('request_items')
      .select(['changed_at', 'changed_by_id'])
      .where('id', '=', itemId)
      .executeTakeFirst();
  await requireVersion(scope, expected, item, lastChange, at);
  const accepts = decision.decision === 'accept';
  const answered: readonly ItemState[] = ['sent', 'doesNotApply', ...(accepts ? [] : (['accepted'] as const))];
  if (!answered.includes(item.state)) throw refuse('request_item_unanswered');
  const reason = decision.reason ?? '';
  const after = await setItem(scope, held, { state: accepts ? 'accepted' : 'sentBack', reason }, at);
  const details = accepts ? itemAcceptedDetails(title, item.name) : sentBackDetails(title, item.name, reason);
  await record(scope, proof, { action: 'update', details, client: clientOf(held) }, at);
  return after;
}
