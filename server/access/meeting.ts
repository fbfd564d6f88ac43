// How conditions meet the indexes.
import { type RawBuilder, sql } from 'kysely';

/**
 * 'along' may choose an index; 'aside' is only asked of rows that were found otherwise: SQLite, which knows nothing of how many
 * rows share a value, takes one of two kinds of files, or one of five actions, for a narrow choice.
 */
export type Meeting = 'along' | 'aside';

/** A column of a condition that meets the indexes in this way. */
export function columnOf(table: string, name: string, meeting: Meeting, type: 'text' | 'number'): RawBuilder<unknown> {
  const column = sql.ref(`${table}.${name}`);
  if (meeting === 'along') return sql`${column}`;
  return type === 'text' ? sql`(${column} || '')` : sql`+${column}`;
}
