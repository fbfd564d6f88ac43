// Bulk inserts for seeding: without indexes, triggers and flushes, which are restored once the rows are in.
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';

export type Value = string | number | null;

export interface SeedDatabase {
  run(statement: string): Promise<void>;
  rows<Row>(query: string): Promise<Row[]>;
  /** Inserts rows of one width in one transaction; `into` names the table and its columns. */
  insert(into: string, rows: readonly (readonly Value[])[]): Promise<void>;
  /** Drops what slows down inserts into the tables of files and of the log. */
  beginBulk(): Promise<void>;
  /** Puts it back, fills the indexes of words, and leaves the database as one that has long been in use. */
  endBulk(): Promise<void>;
  close(): Promise<void>;
  /** What the two engines call by different names. */
  readonly words: {
    /** Goes between the columns and the rows of an insert with given ids. */
    readonly withIds: string;
    /** Random hexadecimal digits, 32 of them. */
    readonly hex32: string;
    readonly newline: string;
    /** The day (UTC) of a moment in ms since the epoch, as text. */
    dayOfMs(moment: string): string;
  };
}

const BULK_TABLES = `('files', 'activity')`;
const ROWS_A_STATEMENT = 500;

async function insertInPieces(
  database: Pick<SeedDatabase, 'run'>,
  rows: readonly (readonly Value[])[],
  runOne: (tuples: string, values: Value[]) => Promise<void> | void,
  placeholder: (nth: number) => string,
): Promise<void> {
  await database.run('begin');
  for (let at = 0; at < rows.length; at += ROWS_A_STATEMENT) {
    const piece = rows.slice(at, at + ROWS_A_STATEMENT);
    let nth = 0;
    const tuples = piece.map((row) => `(${row.map(() => placeholder(++nth)).join(', ')})`);
    await runOne(tuples.join(', '), piece.flat());
  }
  await database.run('commit');
}

function openSqliteSeed(path: string): SeedDatabase {
  const db = new DatabaseSync(path);
  // Nothing here is worth a flush: an interrupted seeding is thrown away as a whole.
  db.exec('pragma journal_mode = off');
  for (const pragma of ['synchronous = off', 'cache_size = -200000', 'temp_store = memory', 'foreign_keys = off']) {
    db.exec(`pragma ${pragma}`);
  }
  const run: SeedDatabase['run'] = async (statement) => {
    db.exec(statement);
    // A moment for whatever else waits, such as Ctrl-C.
    await new Promise((resolve) => setImmediate(resolve));
  };
  const rows = async <Row>(query: string) => db.prepare(query).all() as Row[];
  let dropped: { sql: string }[] = [];
  return {
    run,
    rows,
    insert: (into, values) =>
      insertInPieces(
        { run },
        values,
        (tuples, flat) => void db.prepare(`insert into ${into} values ${tuples}`).run(...flat),
        () => '?',
      ),
    beginBulk: async () => {
      const found = await rows<{ type: string; name: string; sql: string }>(
        `select type, name, sql from sqlite_master where type in ('index', 'trigger') and sql is not null and tbl_name in ${BULK_TABLES}`,
      );
      for (const { type, name } of found) await run(`drop ${type} ${name}`);
      dropped = found;
    },
    endBulk: async () => {
      for (const { sql } of dropped) await run(sql);
      const texts = await rows<{ name: string }>(
        `select name from sqlite_master where type = 'table' and sql like 'create virtual table%using fts5%content =%'
          -- What has no content of its own is made from the pages of files, of which the bench has none.
          and sql not like '%content = ''''%'`,
      );
      for (const { name } of texts) await run(`insert into ${name} (${name}) values ('rebuild')`);
      await run(`update indexed_words set through_id = (select max(id) from activity) where table_name = 'activity'`);
      await run('pragma journal_mode = wal');
    },
    close: async () => db.close(),
    words: {
      withIds: '',
      hex32: 'lower(hex(randomblob(16)))',
      newline: 'char(10)',
      dayOfMs: (moment) => `strftime('%Y-%m-%d', (${moment}) / 1000, 'unixepoch')`,
    },
  };
}

async function openPostgresSeed(url: string): Promise<SeedDatabase> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const run: SeedDatabase['run'] = async (statement) => void (await client.query(statement));
  const rows = async <Row>(query: string) => (await client.query(query)).rows as Row[];
  // Without triggers and foreign keys; an account that may not set it cannot seed.
  await run(`set session_replication_role = 'replica'`);
  await run('set synchronous_commit = off');
  await run(`set maintenance_work_mem = '512MB'`);
  let dropped: { indexdef: string }[] = [];
  return {
    run,
    rows,
    insert: (into, values) =>
      insertInPieces(
        { run },
        values,
        async (tuples, flat) =>
          void (await client.query(`insert into ${into} overriding system value values ${tuples}`, flat)),
        (nth) => `$${nth}`,
      ),
    beginBulk: async () => {
      const found = await rows<{ indexname: string; indexdef: string }>(
        `select indexname, indexdef from pg_indexes where schemaname = current_schema() and tablename in ${BULK_TABLES}
         and indexname not in (select conname from pg_constraint)`,
      );
      for (const { indexname } of found) await run(`drop index ${indexname}`);
      dropped = found;
    },
    endBulk: async () => {
      for (const { indexdef } of dropped) await run(indexdef);
      const identities = await rows<{ name: string }>(
        `select table_name as name from information_schema.columns
         where table_schema = current_schema() and column_name = 'id' and is_identity = 'YES'`,
      );
      for (const { name } of identities) {
        const sequence = `pg_get_serial_sequence('${name}', 'id')`;
        await run(`select setval(${sequence}, (select coalesce(max(id), 0) + 1 from ${name}), false)`);
      }
      await run('vacuum analyze');
      await run('checkpoint');
    },
    close: () => client.end(),
    words: {
      withIds: 'overriding system value',
      hex32: `replace(gen_random_uuid()::text, '-', '')`,
      newline: 'chr(10)',
      dayOfMs: (moment) => `to_char(to_timestamp((${moment}) / 1000) at time zone 'UTC', 'YYYY-MM-DD')`,
    },
  };
}

/** Opens a database that has the schema and empty tables. */
export function openSeedDatabase(url: string): Promise<SeedDatabase> {
  return url.startsWith('sqlite:')
    ? Promise.resolve(openSqliteSeed(url.slice('sqlite:'.length)))
    : openPostgresSeed(url);
}
