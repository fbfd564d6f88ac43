// Finds parts of texts by trigrams: FTS5 on SQLite, pg_trgm on PostgreSQL where it may be installed.
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { DatabaseKind } from './database.ts';
import type { Schema } from './schema.ts';
import { param } from './statement.ts';

/** More letters narrow a search no further and only cost. */
const TRIGRAMS_MAX = 12;

/** What the ids below are looked up by: rows that may hold all `words`. Null where each has fewer than three letters. */
export function trigramsOf(engine: DatabaseKind, words: readonly string[]): string | null {
  const long = words.map((word) => [...word]).filter((letters) => letters.length >= 3);
  if (long.length === 0) return null;
  // PostgreSQL looks up one pattern; the longest word is the rarest, as far as one can tell.
  if (engine === 'postgres')
    return `%${long.reduce((one, other) => (other.length > one.length ? other : one)).join('')}%`;
  const trigrams = new Set(
    long.flatMap((letters) => letters.slice(2).map((_, at) => letters.slice(at, at + 3).join(''))),
  );
  return [...trigrams]
    .slice(0, TRIGRAMS_MAX)
    .map((trigram) => `"${trigram}"`)
    .join(' AND ');
}

const tables = {
  files: { words: 'file_words', find: 'files_with_word', column: 'search_name', index: 'files_words' },
  activity: { words: 'activity_words', find: 'activity_with_word', column: 'search_text', index: 'activity_words' },
} as const;

export type Searched = keyof typeof tables;

/** The ids of rows that hold the trigrams in the parameter `trigrams`, and perhaps of others: the caller must check the text as well. */
export function idsWithWords(engine: DatabaseKind, table: Searched): RawBuilder<unknown> {
  const { words, find } = tables[table];
  return engine === 'postgres'
    ? sql`select with_word.id as id from ${sql.raw(find)}(${param('trigrams')}) as with_word (id)`
    : sql`select with_word.rowid as id from ${sql.table(words)} as with_word where ${sql.table(words)} match ${param('trigrams')}`;
}

async function hasTrigrams(db: Kysely<Schema>): Promise<boolean> {
  const { rows } = await sql<{
    installed: boolean;
  }>`select exists (select 1 from pg_extension where extname = 'pg_trgm') as installed`.execute(db);
  return rows[0]?.installed === true;
}

/**
 * Creates PostgreSQL's word indexes where they are missing and can be created; returns whether they exist. Outside of the
 * migrations, since the extension may be installed at any time after them.
 */
export async function preparePostgresSearch(db: Kysely<Schema>): Promise<boolean> {
  if (!(await hasTrigrams(db))) {
    await sql`create extension if not exists pg_trgm`.execute(db).catch(() => {});
    // It is refused also where another process has made it meanwhile. Else it is not there, or not allowed for this account: the start
    // says so in one line.
    if (!(await hasTrigrams(db))) return false;
  }
  await db.transaction().execute(async (tx) => {
    // First: who waits for another process that makes them waits longer than any request may, too.
    await sql`set local statement_timeout = 0`.execute(tx);
    await sql`select pg_advisory_xact_lock(8241)`.execute(tx);
    for (const [table, { find, column, index }] of Object.entries(tables)) {
      // The planner cannot know how rare a word is: the function forces the index, and the expression prevents other indexes.
      await sql`create or replace function ${sql.raw(find)} (pattern text) returns setof bigint language plpgsql stable
        set enable_seqscan = off set enable_indexscan = off set enable_indexonlyscan = off as $$ begin
          return query select found.id from ${sql.table(table)} found where (found.${sql.ref(column)} || '') like pattern;
        end $$`.execute(tx);
      // Creating one that exists would wait for everybody who writes to the table.
      const known = await sql<{ name: string | null }>`select to_regclass(${index})::text as name`.execute(tx);
      if (known.rows[0]?.name != null) continue;
      await sql`create index ${sql.table(index)} on ${sql.table(table)} using gin ((${sql.ref(column)} || '') gin_trgm_ops)`.execute(
        tx,
      );
    }
  });
  return true;
}
