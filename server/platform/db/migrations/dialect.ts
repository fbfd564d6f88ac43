// What a migration needs to know of the engine it runs on.
import { type Kysely, sql } from 'kysely';
import type { Schema } from '../schema.ts';

export interface Dialect {
  /** For what the two engines do in different ways. */
  readonly engine: 'sqlite' | 'postgres';
  /** An id column whose values are never used twice, not even after the highest row is deleted. */
  readonly id: string;
  /** Text compared by code point, the same on both engines. */
  readonly text: string;
  /** How a computed column is stored: to a table with rows, SQLite can only add the first kind. */
  readonly computed: 'virtual' | 'stored';
  /** Ends the definition of a table whose primary key is its only useful order. */
  readonly keyedTable: string;
}

/**
 * One migration. It is frozen once it has landed: its literals are written out in it, and a later change to a list of the
 * contract needs a migration of its own.
 */
export type Step = (db: Kysely<Schema>, dialect: Dialect) => Promise<void>;

/** A step of nothing but statements, which run in their order. */
export function statements(write: (dialect: Dialect) => readonly string[]): Step {
  return async (db, dialect) => {
    for (const statement of write(dialect)) await sql.raw(statement).execute(db);
  };
}

/** A check that `column` holds one of `values`. */
export const oneOf = (column: string, values: readonly string[]) =>
  `check (${column} in (${values.map((value) => `'${value}'`).join(', ')}))`;
