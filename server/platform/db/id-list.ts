// Lists of ids and keys as one bound value, so that the statement is the same for any length.
import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { DatabaseKind } from './database.ts';

/** A value of `listText`, or the parameter for one. */
type ListValue = string | RawBuilder<string>;

/**
 * The list as the value that a statement binds for it: an object of JSON, since both engines read the names in one as text
 * by the same expression.
 */
export function listText(entries: readonly (number | string)[]): string {
  return `{${entries.map((entry) => `${JSON.stringify(String(entry))}:0`).join(',')}}`;
}

const listed = (list: ListValue) => sql`json_each(${list}) as listed`;
const listedId = sql<number>`cast(listed.key as bigint)`;
const listedKey = sql<string>`listed.key`;

/** `column` is one of the ids in the list. */
export function isListedId(column: string, list: ListValue): Expression<SqlBool> {
  return sql<SqlBool>`${sql.ref(column)} in (select ${listedId} from ${listed(list)})`;
}

/**
 * The same, looked up in an index one by one: for ids that are few beside the rows that the other conditions leave. PostgreSQL takes any
 * list for a hundred rows and would rather read all of those.
 */
export function isOneOfFew(engine: DatabaseKind, column: string, list: ListValue): Expression<SqlBool> {
  if (engine === 'sqlite') return isListedId(column, list);
  return sql<SqlBool>`${sql.ref(column)} = any(array(select ${listedId} from ${listed(list)}))`;
}

/** `column` is one of the texts in the list. */
export function isListedKey(column: string, list: ListValue): Expression<SqlBool> {
  return sql<SqlBool>`${sql.ref(column)} in (select ${listedKey} from ${listed(list)})`;
}

/** The ids in the list, each as a row with its `id`. */
export const listedIds = (list: ListValue): RawBuilder<unknown> => sql`select ${listedId} as id from ${listed(list)}`;

/** For an insert: a row of `id` and an id for each id in the list. */
export function idWithEachId(id: RawBuilder<number>, list: ListValue): RawBuilder<unknown> {
  return sql`select cast(${id} as bigint), ${listedId} from ${listed(list)}`;
}

/** For an insert: a row of `id` and a text for each text in the list. */
export function idWithEachKey(id: RawBuilder<number>, list: ListValue): RawBuilder<unknown> {
  return sql`select cast(${id} as bigint), ${listedKey} from ${listed(list)}`;
}
