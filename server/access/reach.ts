// The rules of reach as conditions in SQL; `contract/policy.ts` says the same as pure rules.
import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely';

/** The id a reach rule compares with: the viewer's own, or the parameter of a prepared statement. */
export type ViewerId = number | RawBuilder<number>;

/** A count that may be told to somebody who reaches `reached` of `all`: null where there are others. */
export function countWithin(reached: number, all: number): number | null {
  return reached === all ? all : null;
}

export const everything = sql<SqlBool>`1 = 1`;

/** Client `column` stands in the viewer's client-access list. */
export function inClientList(id: ViewerId, column: string): Expression<SqlBool> {
  return sql<SqlBool>`exists (select 1 from user_clients reach where reach.user_id = ${id} and reach.client_id = ${sql.ref(column)})`;
}

/** The same for whole lists that are best entered by the access list itself; a single row is better probed. */
export function isListedClient(id: ViewerId, column: string): Expression<SqlBool> {
  return sql<SqlBool>`${sql.ref(column)} in (select reach.client_id from user_clients reach where reach.user_id = ${id})`;
}

export function inReportTypeList(id: ViewerId, column: string): Expression<SqlBool> {
  return sql<SqlBool>`exists (select 1 from user_report_types reach where reach.user_id = ${id} and reach.report_type_id = ${sql.ref(column)})`;
}

/** A file whose client is reached: a company document, a report of a reached type, or one's own report without a type. */
export function fileKindReached(id: ViewerId, table: string): Expression<SqlBool> {
  const column = (name: string) => sql.ref(`${table}.${name}`);
  return sql<SqlBool>`(${column('file_type')} = 'company_document' or ${inReportTypeList(id, `${table}.report_type_id`)} or (${column('file_type')} = 'report' and ${column('report_type_id')} is null and ${column('uploaded_by_id')} = ${id}))`;
}
