// Rows of any table on their way into the trash and back: each as JSON with every column that the table has by then.
import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { DatabaseKind } from '../../platform/db/database.ts';
import { isListedId, listText } from '../../platform/db/id-list.ts';
import type { Schema } from '../../platform/db/schema.ts';

type TableName = keyof Schema;

/** A transaction, and the engine it runs on. */
export interface Tx {
  readonly db: Kysely<Schema>;
  readonly engine: DatabaseKind;
}

/** The columns that are written; those the engine computes are left out. */
async function columnsOf({ db, engine }: Tx, table: TableName): Promise<string[]> {
  const { rows } =
    engine === 'sqlite'
      ? await sql<{
          name: string;
        }>`select name from pragma_table_xinfo(${table}) where hidden = 0 order by name`.execute(db)
      : await sql<{ name: string }>`select attname as name from pg_attribute
          where attrelid = to_regclass(${table}) and attnum > 0 and not attisdropped and attgenerated = '' order by 1`.execute(
          db,
        );
  return rows.map(({ name }) => name);
}

/**
 * Copies the rows of `table` for which `where` holds (over `kept`) into the trash, for the entry that `trashId` names (over `kept`
 * too). They are deleted by whoever calls this, in the same transaction.
 */
export async function keepRows(
  tx: Tx,
  table: TableName,
  { where, trashId }: { readonly where: RawBuilder<SqlBool>; readonly trashId: RawBuilder<number> },
): Promise<void> {
  const content =
    tx.engine === 'postgres'
      ? sql`row_to_json(kept)::text`
      : sql`json_object(${sql.join((await columnsOf(tx, table)).map((name) => sql`${sql.lit(name)}, ${sql.ref(`kept.${name}`)}`))})`;
  await sql`insert into trashed_rows (trash_id, table_name, content)
    select ${trashId}, ${sql.lit(table)}, ${content} from ${sql.table(table)} as kept where ${where}`.execute(tx.db);
}

export interface PutBack {
  /** The entries whose rows go back, over `kept`, the table of kept rows. */
  readonly of: RawBuilder<SqlBool>;
  /** Which rows still make sense, over `back`: what one refers to may be gone. All, unless given. */
  readonly stands?: RawBuilder<SqlBool> | undefined;
  /** Columns that get another value than they had, over `back`. */
  readonly instead?: Readonly<Record<string, RawBuilder<unknown>>> | undefined;
  /** Somebody may have made the same row meanwhile: then that one stays. */
  readonly unlessThere?: boolean | undefined;
}

/** Inserts kept rows again, with their ids. A column that the table has got since takes its default. */
export async function putBackRows(
  tx: Tx,
  table: TableName,
  { of, stands = sql<SqlBool>`1 = 1`, instead = {}, unlessThere = false }: PutBack,
): Promise<void> {
  const kept = sql`from trashed_rows as kept where kept.table_name = ${sql.lit(table)} and ${of}`;
  const { rows } = await sql<{ content: string }>`select kept.content ${kept} order by kept.id limit 1`.execute(tx.db);
  const [first] = rows;
  if (first === undefined) return;
  const known = Object.keys(JSON.parse(first.content) as object);
  const columns = (await columnsOf(tx, table)).filter((name) => known.includes(name));
  const names = sql.join(columns.map((name) => sql.ref(name)));
  const values = sql.join(columns.map((name) => instead[name] ?? sql.ref(`back.${name}`)));
  const back =
    tx.engine === 'postgres'
      ? sql`(select kept.id as kept_id, made.* from trashed_rows as kept
          cross join lateral json_populate_record(null::${sql.table(table)}, kept.content::json) as made
          where kept.table_name = ${sql.lit(table)} and ${of}) as back`
      : sql`(select kept.id as kept_id, ${sql.join(columns.map((name) => sql`kept.content ->> ${sql.lit(name)} as ${sql.ref(name)}`))} ${kept}) as back`;
  const overriding = tx.engine === 'postgres' ? sql`overriding system value` : sql``;
  const conflict = unlessThere ? sql`on conflict do nothing` : sql``;
  await sql`insert into ${sql.table(table)} (${names}) ${overriding}
    select ${values} from ${back} where ${stands} order by back.kept_id ${conflict}`.execute(tx.db);
}

/** The kept rows of a table, as they were. */
export async function readKept<Row>(tx: Tx, table: TableName, trashId: number): Promise<Row[]> {
  const rows = await tx.db
    .selectFrom('trashed_rows')
    .select('content')
    .where('trash_id', '=', trashId)
    .where('table_name', '=', table)
    .orderBy('id')
    .execute();
  return rows.map(({ content }) => JSON.parse(content) as Row);
}

/** Nobody else changes or takes this row until the transaction ends. SQLite has one writer anyway. */
export async function lockRow({ db, engine }: Tx, table: 'files' | 'trash' | 'requests', id: number): Promise<void> {
  if (engine === 'postgres') await sql`select 1 from ${sql.table(table)} where id = ${id} for update`.execute(db);
}

/** Locks those files of `ids` that are there, as they are, until the transaction ends; answers which these are. */
export async function lockFiles({ db, engine }: Tx, ids: readonly number[]): Promise<number[]> {
  const found = db
    .selectFrom('files')
    .select('id')
    .where(isListedId('files.id', listText(ids)))
    .orderBy('id');
  const rows = await (engine === 'postgres' ? found.forUpdate() : found).execute();
  return rows.map(({ id }) => id);
}
