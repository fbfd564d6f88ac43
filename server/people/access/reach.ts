// The rules of reach as conditions in SQL; `contract/policy/reach.ts` says the same as pure rules.
import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { FileType } from '#contract/file-kinds.ts';
import type { Actor } from '#contract/policy/actor.ts';
import type { DatabaseKind } from '../../platform/db/database.ts';
import { isOneOf, isOneOfInOrder } from '../../platform/db/engine-sql.ts';
import { param } from '../../platform/db/statement.ts';

/** The id a reach rule compares with: the viewer's own, or the parameter of a prepared statement. */
export type ViewerId = number | RawBuilder<number>;

/** Whose reach a rule speaks of, and the engine that it is written for. */
export interface Reader {
  readonly engine: DatabaseKind;
  readonly viewer: Actor;
  readonly id: ViewerId;
  readonly since: Since;
}

/** From when on files are new, and reports may be taken back: in ms since the epoch, or the parameter for it. */
export interface Since {
  readonly newFiles: () => number | RawBuilder<number>;
  readonly takeBack: () => number | RawBuilder<number>;
}

/** Rows in reach, as the parts of a query: files go by the name `file`, entries of the log by `entry`. */
export interface RowSource {
  readonly from: RawBuilder<unknown>;
  readonly where: Expression<SqlBool>;
}

/** The access keys of files that have no report type; a report with one has its id. */
export const UNTYPED = 0;
export const DOCUMENT = -1;

/** The key of a file, which lists and rights use; the database corrects a wrong one. */
export const accessKeyOf = ({
  fileType,
  reportTypeId,
}: {
  fileType: FileType;
  reportTypeId?: number | null | undefined;
}) => (fileType === 'company_document' ? DOCUMENT : (reportTypeId ?? UNTYPED));

/** A count shown to somebody who reaches `reached` of `all`: null where there are others. */
export function countWithin(reached: number, all: number): number | null {
  return reached === all ? all : null;
}

export const everything = sql<SqlBool>`1 = 1`;
export const nothing = sql<SqlBool>`1 = 0`;

/** The ids in the viewer's client-access list. */
export const listedClients = (id: ViewerId) =>
  sql`select reach.client_id from user_clients reach where reach.user_id = ${id}`;

/** The same clients, as the table `mine` with their ids. */
export const ownClients = (id: ViewerId): RawBuilder<unknown> =>
  sql`(select listed.client_id as id from user_clients listed where listed.user_id = ${id}) as mine`;

/** Client `column` is in the viewer's client-access list. */
export function inClientList(id: ViewerId, column: string): Expression<SqlBool> {
  return sql<SqlBool>`exists (select 1 from user_clients reach where reach.user_id = ${id} and reach.client_id = ${sql.ref(column)})`;
}

export function inReportTypeList(id: ViewerId, column: string): Expression<SqlBool> {
  return sql<SqlBool>`exists (select 1 from user_report_types reach where reach.user_id = ${id} and reach.report_type_id = ${sql.ref(column)})`;
}

/**
 * The row of `batches` is one that a colleague may review: each of its documents that is not dropped is of a client and a report type in
 * the viewer's lists, at least one is there, and no file of it waits to be read, which may name anybody.
 */
export const batchWithinLists = (id: ViewerId) => sql<SqlBool>`batches.state in ('review', 'released', 'recalled')
  and not exists (select 1 from batch_documents beyond where beyond.batch_id = batches.id and beyond.state <> 'dropped'
    and (beyond.client_id is null or beyond.report_type_id is null
      or not ${inClientList(id, 'beyond.client_id')} or not ${inReportTypeList(id, 'beyond.report_type_id')}))
  and exists (select 1 from batch_documents within where within.batch_id = batches.id and within.state <> 'dropped')
  and not exists (select 1 from batch_files unread where unread.batch_id = batches.id and unread.state = 'waiting')`;

/** Where a table describes files: the file's client, its access key, and who uploaded it. */
export interface FileColumns {
  readonly client: string;
  readonly key: string;
  readonly owner: string;
  /** Whether an index has put the rows in order already, so that they are not to be found by their clients. */
  readonly inOrder?: boolean;
}

export const fileColumns = (table: string): FileColumns => ({
  client: `${table}.client_id`,
  key: `${table}.access_key`,
  owner: `${table}.uploaded_by_id`,
});

/** What a list is narrowed to, where it is one client or one access key: the parameters `clientId` and `accessKey`. */
export interface OnePlace {
  readonly client: boolean;
  readonly key: boolean;
}

const ANY_PLACE: OnePlace = { client: false, key: false };
const oneClient = sql`cast(${param('clientId')} as bigint)`;
const oneKey = sql`cast(${param('accessKey')} as bigint)`;

/** A viewer sees a file of a reached client: a company document, a report of a reached type, an own report without a type. */
export function fileKeyReached(
  engine: DatabaseKind,
  id: ViewerId,
  { key, owner }: FileColumns,
  one: OnePlace = ANY_PLACE,
): Expression<SqlBool> {
  const types = sql`select reach.report_type_id from user_report_types reach where reach.user_id = ${id}`;
  const value = one.key ? oneKey : sql.ref(key);
  const ofType = one.key ? sql`exists (${types} and reach.report_type_id = ${oneKey})` : isOneOf(engine, key, types);
  return sql<SqlBool>`(${value} = ${sql.lit(DOCUMENT)} or ${ofType} or (${value} = ${sql.lit(UNTYPED)} and ${sql.ref(owner)} = ${id}))`;
}

/**
 * The one rule of who sees a file, for somebody with access lists: over the files themselves and over their counters. Where a list
 * is narrowed to one place, that place is looked up once and no list is read.
 */
export function fileReached(
  engine: DatabaseKind,
  id: ViewerId,
  columns: FileColumns,
  one: OnePlace = ANY_PLACE,
): Expression<SqlBool> {
  const client = one.client
    ? sql`exists (${listedClients(id)} and reach.client_id = ${oneClient})`
    : (columns.inOrder ? isOneOfInOrder : isOneOf)(engine, columns.client, listedClients(id));
  return sql<SqlBool>`(${client} and ${fileKeyReached(engine, id, columns, one)})`;
}
