// What a step of the schema's history needs to know of the engine it runs on.
import { type Kysely, sql } from 'kysely';
import type { Schema } from '../schema.ts';

export interface Dialect {
  /** For what the two do in altogether different ways. */
  readonly engine: 'sqlite' | 'postgres';
  /** An id column whose values are never used twice, not even after the highest row is deleted. */
  readonly id: string;
  /** Text compared by code point, the same on both engines. */
  readonly text: string;
  /** How a column is kept that is computed from others: SQLite adds one to a table with rows in the first way alone. */
  readonly computed: 'virtual' | 'stored';
  /** Closes a table whose primary key is its only useful order. */
  readonly keyedTable: string;
}

/**
 * One step. It is history once it has landed: what it says is written out in it, and a later change to a list of the
 * contract needs a step of its own.
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
