// The items of a request: read with the files that were sent for them, and counted.

import { type Expression, type SqlBool, sql } from 'kysely';
import type { Proof } from '#contract/policy.ts';
import type { RequestState } from '#contract/request-words.ts';
import type { RequestFile, RequestItem, RequestRow } from '#contract/requests.ts';
import { findNewestOfEach } from '../files/versions.ts';
import type { ReadScope, WriteScope } from '../people/access/scope.ts';
import { versionOf } from '../people/access/versions.ts';
import { rowCount } from '../platform/db/list.ts';
import { param } from '../platform/db/statement.ts';

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
export async function readItems(scope: ReadScope, by: 'request_id' | 'id', id: number): Promise<FoundItem[]> {
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
  /** Null where it is gone, replaced, or out of the viewer's reach, which is the same here. */
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
  // What was replaced is where the file in its place is, to which its address leads.
  const notThere = records.filter(({ nowAt }) => nowAt === null).map(({ fileId }) => fileId);
  const newest = await findNewestOfEach(scope, notThere);
  const placed = records.map((record): FileRecord => {
    const inItsPlace = newest.get(record.fileId);
    if (inItsPlace === undefined) return record;
    return { ...record, nowAt: inItsPlace.clientId, nowName: inItsPlace.originalName };
  });
  const grouped = Map.groupBy(placed, ({ itemId }) => itemId);
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

export const clientOf = ({ clientId, clientName }: Pick<RequestRow, 'clientId' | 'clientName'>) => ({
  id: clientId,
  name: clientName,
});

/** Counts the items of a request, and decides by them whether it is open or done. */
export async function countAnew(scope: WriteScope, proof: Proof, id: number, at: number): Promise<void> {
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
