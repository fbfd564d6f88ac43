// The tables of a database, as the engine describes them: columns, keys, references, and the ids that are given next.
import { type Kysely, sql } from 'kysely';
import type { Database, DatabaseKind } from './database.ts';
import { UNFINISHED_MOVE } from './migrations.ts';
import type { Schema } from './schema.ts';

export interface Column {
  readonly name: string;
  /** As the engine names it. */
  readonly type: string;
}

export interface Table {
  readonly name: keyof Schema;
  /** Those that are written, sorted by name; columns the engine computes are left out. */
  readonly columns: readonly Column[];
  /** The columns of the primary key, in its order. */
  readonly key: readonly string[];
  /** The tables its rows refer to. */
  readonly references: readonly string[];
  /** The columns by which its rows refer to one another. */
  readonly ownReferences: readonly string[];
  /** Whether the engine gives its ids and never gives one twice. */
  readonly givesIds: boolean;
}

/** Every table of the firm's data, each after those it refers to; without the tables of migrations, moves and word indexes. */
export async function tablesOf(db: Kysely<Schema>, kind: DatabaseKind): Promise<Table[]> {
  const tables = kind === 'sqlite' ? await sqliteTables(db) : await postgresTables(db);
  return inOrderOfReferences(tables);
}

function inOrderOfReferences(tables: readonly Table[]): Table[] {
  const ordered: Table[] = [];
  let left = [...tables].sort((a, b) => (a.name < b.name ? -1 : 1));
  while (left.length > 0) {
    const waiting = new Set<string>(left.map(({ name }) => name));
    const free = left.filter((table) => table.references.every((name) => name === table.name || !waiting.has(name)));
    if (free.length === 0) throw new Error(`These tables refer to one another in a circle: ${[...waiting].join(', ')}`);
    ordered.push(...free);
    left = left.filter((table) => !free.includes(table));
  }
  return ordered;
}

/**
 * Tables of migrations, of a move, of SQLite's word index, which is built again where it is empty, and of what changed last; what
 * stands on pages, which is read again from the files.
 */
const NOT_THE_FIRMS = [
  'kysely_migration',
  'kysely_migration_lock',
  UNFINISHED_MOVE,
  'indexed_words',
  'changes',
  'document_texts',
  'files_to_read',
  'batch_readings',
];
const namesNotTheFirms = sql.join(NOT_THE_FIRMS.map((name) => sql.lit(name)));

interface TableRow {
  readonly name: keyof Schema;
  readonly columns: string;
  readonly keyed: string;
  readonly refers: string;
  readonly refers_to_own: string;
  readonly gives_ids: number;
}

const tableOf = (row: TableRow): Table => ({
  name: row.name,
  columns: (JSON.parse(row.columns) as Column[]).sort((a, b) => (a.name < b.name ? -1 : 1)),
  key: JSON.parse(row.keyed),
  references: JSON.parse(row.refers),
  ownReferences: JSON.parse(row.refers_to_own),
  givesIds: Boolean(row.gives_ids),
});

async function sqliteTables(db: Kysely<Schema>): Promise<Table[]> {
  // Virtual tables and their shadow tables are word indexes. Hidden columns are computed ones.
  const { rows } = await sql<TableRow>`
    select listed.name,
      (select json_group_array(json_object('name', c.name, 'type', c.type))
        from pragma_table_xinfo(listed.name) c where c.hidden = 0) as columns,
      (select json_group_array(c.name order by c.pk) from pragma_table_xinfo(listed.name) c where c.pk > 0) as keyed,
      (select json_group_array(r."table") from pragma_foreign_key_list(listed.name) r) as refers,
      (select json_group_array(r."from") from pragma_foreign_key_list(listed.name) r where r."table" = listed.name) as refers_to_own,
      exists (select 1 from sqlite_schema s where s.name = listed.name and s.sql like '%autoincrement%') as gives_ids
    from pragma_table_list listed
    where listed.schema = 'main' and listed.type = 'table' and listed.name not like 'sqlite\\_%' escape '\\'
      and listed.name not in (${namesNotTheFirms})`.execute(db);
  return rows.map(tableOf);
}

async function postgresTables(db: Kysely<Schema>): Promise<Table[]> {
  // The parts of a partitioned table are read and written through it.
  const { rows } = await sql<TableRow>`
    select listed.relname::text as name,
      (select json_agg(json_build_object('name', attname, 'type', format_type(atttypid, atttypmod)))
        from pg_attribute where attrelid = listed.oid and attnum > 0 and not attisdropped and attgenerated = '')::text as columns,
      (select json_agg(attname order by array_position(k.indkey::int2[], attnum))
        from pg_index k join pg_attribute on attrelid = k.indrelid and attnum = any (k.indkey)
        where k.indrelid = listed.oid and k.indisprimary)::text as keyed,
      (select coalesce(json_agg(confrelid::regclass::text), '[]')
        from pg_constraint where conrelid = listed.oid and contype = 'f')::text as refers,
      (select coalesce(json_agg(attname), '[]') from pg_constraint k join pg_attribute a on a.attrelid = k.conrelid and a.attnum = any (k.conkey)
        where k.conrelid = listed.oid and k.confrelid = listed.oid and k.contype = 'f')::text as refers_to_own,
      case when exists (select 1 from pg_attribute where attrelid = listed.oid and attidentity <> '') then 1 else 0 end as gives_ids
    from pg_class listed
    where listed.relnamespace = current_schema()::regnamespace and listed.relkind in ('r', 'p') and not listed.relispartition
      and listed.relname not in (${namesNotTheFirms})`.execute(db);
  return rows.map(tableOf);
}

/**
 * Inside a transaction, locks the tables until it ends. SQLite's transactions are the only writers anyway;
 * on PostgreSQL transactions that have written must commit within seconds, or this rejects.
 */
export async function lockTables(tx: Kysely<Schema>, kind: DatabaseKind, tables: readonly Table[]): Promise<void> {
  if (kind === 'sqlite') return;
  await withoutTimeLimits(tx, kind);
  await sql`set local lock_timeout = '10s'`.execute(tx);
  await sql`lock table ${sql.join(tables.map(({ name }) => sql.table(name)))} in share mode`.execute(tx);
}

/** Inside a transaction that may take longer than a request may. */
export async function withoutTimeLimits(tx: Kysely<Schema>, kind: DatabaseKind): Promise<void> {
  if (kind === 'sqlite') return;
  await sql`set local statement_timeout = 0`.execute(tx);
  await sql`set local idle_in_transaction_session_timeout = 0`.execute(tx);
}

/** The highest id that the table ever gave, also where its row is gone; 0 where it gave none. */
export async function lastIdOf(db: Kysely<Schema>, kind: DatabaseKind, table: Table): Promise<number> {
  if (kind === 'sqlite') {
    const { rows } = await sql<{
      last: number;
    }>`select seq as last from sqlite_sequence where name = ${table.name}`.execute(db);
    return rows[0]?.last ?? 0;
  }
  const { rows } = await sql<{ last: number; given: boolean }>`
    select last_value as last, is_called as given from ${await sequenceOf(db, table)}`.execute(db);
  return rows[0]?.given ? rows[0].last : 0;
}

/** Makes the table give only ids above `last` from now on. */
export async function giveIdsAfter(db: Kysely<Schema>, kind: DatabaseKind, table: Table, last: number): Promise<void> {
  if (last <= (await lastIdOf(db, kind, table))) return;
  if (kind === 'sqlite') {
    await sql`delete from sqlite_sequence where name = ${table.name}`.execute(db);
    await sql`insert into sqlite_sequence (name, seq) values (${table.name}, ${last})`.execute(db);
    return;
  }
  const [id] = table.key;
  await sql`select setval(pg_get_serial_sequence(${table.name}, ${id}), ${last})`.execute(db);
}

async function sequenceOf(db: Kysely<Schema>, { name, key: [id] }: Table) {
  const { rows } = await sql<{ sequence: string }>`select pg_get_serial_sequence(${name}, ${id}) as sequence`.execute(
    db,
  );
  return sql.raw(rows[0]?.sequence ?? '');
}

/** Call it after many inserts: updates the statistics of PostgreSQL's planner and its visibility map. */
export async function settleTables({ kind, reader }: Pick<Database, 'kind' | 'reader'>): Promise<void> {
  if (kind === 'sqlite') return;
  await reader.connection().execute(async (held) => {
    await sql`set statement_timeout = 0`.execute(held);
    try {
      await sql`vacuum (analyze)`.execute(held);
    } finally {
      await sql`reset statement_timeout`.execute(held);
    }
  });
}
