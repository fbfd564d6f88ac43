// The skeleton of every name, next to it: a new name is compared with it, so that nobody is mistaken for somebody else.

import { type Kysely, sql } from 'kysely';
import { skeletonOf } from '../../names/name-forms.ts';
import type { Schema } from '../schema.ts';
import type { Step } from './dialect.ts';

const NAMES = [
  ['roles', 'name'],
  ['report_types', 'name'],
  ['clients', 'name'],
  ['users', 'username'],
  ['users', 'full_name'],
] as const;

const ROWS_AT_ONCE = 1_000;

async function fill(db: Kysely<Schema>, table: string, column: string): Promise<void> {
  const [rows, name, skeleton] = [sql.table(table), sql.ref(column), sql.ref(`${column}_skeleton`)];
  for (let last = 0; ; ) {
    const { rows: some } = await sql<{ id: number; name: string }>`
      select id, ${name} as name from ${rows} where id > ${last} order by id limit ${sql.lit(ROWS_AT_ONCE)}
    `.execute(db);
    for (const row of some) {
      await sql`update ${rows} set ${skeleton} = ${skeletonOf(row.name)} where id = ${row.id}`.execute(db);
    }
    const end = some.at(-1);
    if (end === undefined) return;
    last = end.id;
  }
}

export const lookAlikeNames: Step = async (db, { text }) => {
  for (const [table, column] of NAMES) {
    await sql.raw(`alter table ${table} add column ${column}_skeleton ${text} not null default ''`).execute(db);
    await fill(db, table, column);
    await sql.raw(`create index ${table}_${column}_skeleton on ${table} (${column}_skeleton)`).execute(db);
  }
};
