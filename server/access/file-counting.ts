// Counts files in reach by looking: client by client and report type by report type along indexes, so that the work grows with
// what is counted and not with what others have.
import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { FileType } from '#contract/files.ts';
import type { Reach } from '#contract/policy.ts';
import { columnOf, type Meeting } from './meeting.ts';
import { everything, fileKindReached, type ViewerId } from './reach.ts';

type FileKind = 'typed' | 'documents' | 'untyped';

/** The kinds of files a list may hold, and what each word holds. */
const kindsWithin = {
  all: ['typed', 'documents', 'untyped'],
  reports: ['typed', 'untyped'],
  typed: ['typed'],
  untyped: ['untyped'],
  documents: ['documents'],
} as const satisfies Record<string, readonly FileKind[]>;

export type FileKinds = keyof typeof kindsWithin;

export function holdsUntyped(kinds: FileKinds): boolean {
  return kindsWithin[kinds].some((kind) => kind === 'untyped');
}

/** Files of these kinds. */
export function ofKinds(kinds: FileKinds, table: string, meeting: Meeting = 'along'): Expression<SqlBool> {
  const fileType = columnOf(table, 'file_type', meeting, 'text');
  const reportType = columnOf(table, 'report_type_id', meeting, 'number');
  switch (kinds) {
    case 'all':
      return everything;
    case 'reports':
      return sql<SqlBool>`${fileType} = 'report'`;
    case 'typed':
      return sql<SqlBool>`${reportType} is not null`;
    case 'untyped':
      return sql<SqlBool>`(${reportType} is null and ${fileType} = 'report')`;
    case 'documents':
      return sql<SqlBool>`${fileType} = 'company_document'`;
  }
}

/** 'by name' and 'by size' leave those conditions along which the indexes of names and sizes begin with. */
export type FileMeeting = Meeting | 'by name' | 'by size';

/** What is counted: the kinds that may match, and the conditions beyond them. */
export interface FileCounting {
  readonly kinds: FileKinds;
  /** What `narrow` narrows by. */
  readonly names: readonly string[];
  /** Whether a part of the name is asked for. */
  readonly byName: boolean;
  /** The other conditions, on `table`. */
  narrow(table: string, meeting?: FileMeeting): Expression<SqlBool>;
  /** As much of all this as an index of names can answer for a viewer of this reach. */
  inNames(reach: Reach): FileCounting;
}

interface FilesOfClient {
  clientId: number;
  n: number;
}

interface FilesOfType {
  fileType: FileType;
  /** 0 for files without one. */
  typeId: number;
  n: number;
}

/** How many match for each client of the viewer. */
export function countedByClient(reach: Reach, id: ViewerId, counting: FileCounting): RawBuilder<FilesOfClient> {
  if (reach === 'lists') {
    return sql`(select mine.client_id as "clientId", cast(${countOfMine(id, counting)} as bigint) as n
      from user_clients mine where mine.user_id = ${id})`;
  }
  return counting.byName
    ? sql`(select counted.client_id as "clientId", count(*) as n from files counted
        where ${foundByName(reach, id, 'counted', counting)} group by counted.client_id)`
    : sql`(select every.id as "clientId", (select count(*) from files counted where counted.client_id = every.id
        and ${ofKinds(counting.kinds, 'counted')} and ${counting.narrow('counted')}) as n from clients every)`;
}

/** Of the client in `mine`, for a viewer with lists. */
function countOfMine(id: ViewerId, { kinds, narrow, byName }: FileCounting): RawBuilder<number> {
  if (byName) {
    return sql`(select count(*) from files named where named.client_id = mine.client_id
      and ${narrow('named', 'aside')} and ${ofKinds(kinds, 'named', 'aside')} and ${fileKindReached(id, 'named')})`;
  }
  const parts: Record<FileKind, RawBuilder<unknown>> = {
    typed: sql`(select count(*) from user_report_types known cross join files counted where known.user_id = ${id}
      and counted.client_id = mine.client_id and counted.report_type_id = known.report_type_id and ${narrow('counted')})`,
    documents: sql`(select count(*) from files counted where counted.client_id = mine.client_id
      and ${ofKinds('documents', 'counted')} and ${narrow('counted')})`,
    untyped: sql`(select count(*) from files own where own.client_id = mine.client_id and ${ownUntyped(id)}
      and ${narrow('own', 'aside')})`,
  };
  return sql`(${sql.join(
    kindsWithin[kinds].map((kind) => parts[kind]),
    sql` + `,
  )})`;
}

/** How many match under each report type in the viewer's lists. */
export function countedByType(reach: Reach, id: ViewerId, counting: FileCounting): RawBuilder<FilesOfType> {
  const { kinds, narrow, byName } = counting;
  if (byName) {
    return sql`(select counted.file_type as "fileType", coalesce(counted.report_type_id, 0) as "typeId", count(*) as n
      from files counted where ${foundByName(reach, id, 'counted', counting)}
      group by counted.file_type, counted.report_type_id)`;
  }
  const all = reach === 'all';
  const counted = all
    ? sql`from files counted where ${narrow('counted')}`
    : sql`from user_clients mine cross join files counted
        where mine.user_id = ${id} and counted.client_id = mine.client_id and ${narrow('counted')}`;
  const types = all
    ? sql`(select id as type_id from report_types)`
    : sql`(select report_type_id as type_id from user_report_types where user_id = ${id})`;
  const untyped = all
    ? sql`${counted} and ${ofKinds('untyped', 'counted')}`
    : sql`${ownUntypedOfMine(id)} and ${narrow('own', 'aside')}`;
  const parts: Record<FileKind, RawBuilder<unknown>> = {
    typed: sql`select 'report' as "fileType", known.type_id as "typeId",
      (select count(*) ${counted} and counted.report_type_id = known.type_id) as n from ${types} known`,
    documents: sql`select 'company_document' as "fileType", 0 as "typeId",
      (select count(*) ${counted} and ${ofKinds('documents', 'counted')}) as n`,
    untyped: sql`select 'report' as "fileType", 0 as "typeId", (select count(*) ${untyped}) as n`,
  };
  return sql`(${sql.join(
    kindsWithin[kinds].map((kind) => parts[kind]),
    sql` union all `,
  )})`;
}

const ownUntyped = (id: ViewerId) => sql`own.uploaded_by_id = ${id} and ${ofKinds('untyped', 'own')}`;

/** One's own reports without a type, client by client: with both its columns the index that holds nothing else beats every other. */
export const ownUntypedOfMine = (id: ViewerId) => sql`from user_clients mine cross join files own
  where mine.user_id = ${id} and own.client_id = mine.client_id and ${ownUntyped(id)}`;

/**
 * The ids of files that match, found by what narrows them most: the viewer's clients and, where one is asked for, a part of the
 * name, which then is all they are narrowed by. What a viewer with lists does not reach of the own clients is among them.
 */
export function gatheredIds(reach: Reach, id: ViewerId, counting: FileCounting): RawBuilder<{ id: number }> {
  const { kinds, narrow } = counting.byName ? counting.inNames(reach) : counting;
  const narrowed = sql`${ofKinds(kinds, 'gathered')} and ${narrow('gathered')}`;
  return reach === 'all'
    ? sql`select gathered.id from files gathered where ${narrowed}`
    : sql`select gathered.id from user_clients mine cross join files gathered
        where mine.user_id = ${id} and gathered.client_id = mine.client_id and ${narrowed}`;
}

/** Matching files of which a part of the name is asked: found by it, and only then looked at. */
function foundByName(reach: Reach, id: ViewerId, table: string, counting: FileCounting): Expression<SqlBool> {
  const rest = sql`${ofKinds(counting.kinds, table, 'aside')} and ${counting.narrow(table, 'aside')}`;
  const reached = reach === 'all' ? everything : fileKindReached(id, table);
  return sql<SqlBool>`(${sql.ref(`${table}.id`)} in (${gatheredIds(reach, id, counting)}) and ${rest} and ${reached})`;
}

/** Files that match, for a viewer who reaches all. */
export function matchingAll(counting: FileCounting, table: string): Expression<SqlBool> {
  const { kinds, names, narrow, byName } = counting;
  // An index of names that knows all that is asked answers alone.
  const alone = names.length === counting.inNames('all').names.length;
  return byName && !alone
    ? foundByName('all', 0, table, counting)
    : sql<SqlBool>`(${ofKinds(kinds, table)} and ${narrow(table)})`;
}
