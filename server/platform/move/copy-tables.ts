// Every table into an empty database of either engine: copied in pieces, each with the note of how far it is, then read back.
import { type Insertable, type Kysely, sql } from 'kysely';
import type { Database, DatabaseKind } from '../db/database.ts';
import { requireLatestSteps } from '../db/migrations.ts';
import type { Schema } from '../db/schema.ts';
import { giveIdsAfter, lastIdOf, type Table, tablesOf, withoutTimeLimits } from '../db/tables.ts';
import { MoveRefusal } from './move-refusal.ts';
import type { Report } from './progress.ts';
import {
  AT_THE_BEGINNING,
  advance,
  insertRows,
  type Position,
  referToOwn,
  rowsAfter,
  rowsThatReferToOwn,
} from './rows.ts';
import { beginMove, isUnfinished, notePosition, positionOf } from './unfinished.ts';

/** Tables into which nothing may be inserted: triggers fill them. */
type KeptByTriggers = {
  [Name in keyof Schema]: keyof Insertable<Schema[Name]> extends never ? Name : never;
}[Exclude<keyof Schema, 'changes'>];

/** Which of their rows matter: a counter may have come down to nothing. */
const KEPT_BY_TRIGGERS: Readonly<Record<KeptByTriggers, string>> = { file_counts: 'n <> 0' };

const isCopied = ({ name }: Table) => !Object.hasOwn(KEPT_BY_TRIGGERS, name);

/** What is read, in a transaction that keeps it unchanged. */
export interface HeldSource {
  readonly tx: Kysely<Schema>;
  readonly kind: DatabaseKind;
  readonly tables: readonly Table[];
}

/** Rows in one transaction, and in memory. */
const ROWS_AT_ONCE = 2_000;

export interface CopyOptions {
  readonly report: Report;
  readonly rowsAtOnce?: number | undefined;
}

/**
 * Makes the target ready: empty with this version's schema, or as far as an earlier run came. Rejects with MoveRefusal where
 * anything else is in it.
 */
export async function prepareTarget(target: Database): Promise<void> {
  if (await isUnfinished(target)) return requireLatestSteps(target.reader);
  for (const { name } of await tablesOf(target.reader, target.kind)) {
    const { rows } = await sql`select 1 from ${sql.table(name)} limit 1`.execute(target.reader);
    if (rows.length > 0) {
      throw new MoveRefusal(`The target database is not empty: it has rows in ${name}. Name an empty one.`);
    }
  }
  await target.migrate();
  await target.transaction(beginMove);
}

/** Copies what the target does not have yet. Rejects with MoveRefusal where the source is not what the earlier run read. */
export async function copyTables(source: HeldSource, target: Database, options: CopyOptions): Promise<void> {
  const targets = await tablesOf(target.reader, target.kind);
  const tables = source.tables.filter(isCopied);
  let done = 0;
  const total = await countRows(source.tx, tables);
  for (const table of tables) {
    const into = counterpart(table, targets);
    await copyTable(source, { ...table, columns: into.columns }, target, options, (rows) => {
      done += rows;
      options.report({ step: 'copy rows', name: table.name, done, total, unit: 'rows' });
    });
    await copyOwnReferences(source, { ...table, columns: into.columns }, target, options);
    if (!table.givesIds) continue;
    const last = await lastIdOf(source.tx, source.kind, table);
    await target.transaction((tx) => giveIdsAfter(tx, target.kind, into, last));
  }
}

/** The same table of the target; both schemas are this version's, so anything else is a fault of ours. */
function counterpart(table: Table, targets: readonly Table[]): Table {
  const same = targets.find(({ name }) => name === table.name);
  const columnsOf = ({ columns }: Table) => columns.map(({ name }) => name).join();
  if (same === undefined || columnsOf(same) !== columnsOf(table) || same.key.join() !== table.key.join()) {
    throw new Error(`The target has another table ${table.name} than the source`);
  }
  return same;
}

async function countRows(db: Kysely<Schema>, tables: readonly Table[]): Promise<number> {
  let total = 0;
  for (const { name } of tables) {
    const { rows } = await sql<{ n: number }>`select count(*) as n from ${sql.table(name)}`.execute(db);
    total += rows[0]?.n ?? 0;
  }
  return total;
}

async function copyTable(
  source: HeldSource,
  table: Table,
  target: Database,
  { rowsAtOnce = ROWS_AT_ONCE }: CopyOptions,
  onRows: (rows: number) => void,
): Promise<void> {
  const moved = await positionOf(target.reader, table);
  let position = await readAgain(source, table, moved, rowsAtOnce, onRows);
  for (;;) {
    const rows = await rowsAfter(source.tx, table, position, rowsAtOnce);
    if (rows.length === 0) return;
    const next = advance(table, position, rows);
    await target.transaction(async (tx) => {
      await withoutTimeLimits(tx, target.kind);
      await insertRows(tx, target.kind, table, rows);
      await notePosition(tx, table, next);
    });
    position = next;
    onRows(rows.length);
  }
}

/** Once all rows of a table are there: an interrupted run does it again, to the same end. */
async function copyOwnReferences(
  source: HeldSource,
  table: Table,
  target: Database,
  { rowsAtOnce = ROWS_AT_ONCE }: CopyOptions,
): Promise<void> {
  if (table.ownReferences.length === 0) return;
  let position = AT_THE_BEGINNING;
  for (;;) {
    const rows = await rowsThatReferToOwn(source.tx, table, position, rowsAtOnce);
    if (rows.length === 0) return;
    await target.transaction(async (tx) => {
      await withoutTimeLimits(tx, target.kind);
      await referToOwn(tx, target.kind, table, rows);
    });
    position = advance(table, position, rows);
  }
}

/** Reads what an earlier run has copied, and asserts that it is unchanged. */
async function readAgain(
  { tx }: HeldSource,
  table: Table,
  moved: Position,
  rowsAtOnce: number,
  onRows: (rows: number) => void,
): Promise<Position> {
  let position = AT_THE_BEGINNING;
  while (position.rows < moved.rows) {
    const rows = await rowsAfter(tx, table, position, Math.min(rowsAtOnce, moved.rows - position.rows));
    if (rows.length === 0) break;
    position = advance(table, position, rows);
    onRows(rows.length);
  }
  if (position.digest === moved.digest) return moved;
  throw new MoveRefusal(
    `The source is not the one that the move began with: ${table.name} has changed. Empty the target and begin again.`,
  );
}

/**
 * Reads every table of the target and holds its digest against that of the rows that were read from the source; tables that
 * triggers fill are read on both sides. Rejects with a MoveRefusal that names the table.
 */
export async function compareTables(source: HeldSource, target: Database, options: CopyOptions): Promise<void> {
  let done = 0;
  const total = await countRows(source.tx, source.tables.filter(isCopied));
  const onRows = (name: string) => (rows: number) => {
    done += rows;
    options.report({ step: 'compare rows', name, done, total, unit: 'rows' });
  };
  for (const table of source.tables) {
    const expected = isCopied(table)
      ? await positionOf(target.reader, table)
      : await readAll(source.tx, table, options, () => {});
    const found = await target.transaction(async (tx) => {
      await withoutTimeLimits(tx, target.kind);
      return readAll(tx, table, options, isCopied(table) ? onRows(table.name) : () => {});
    });
    if (found.rows === expected.rows && found.digest === expected.digest) continue;
    const counts = `${expected.rows} rows in the source, ${found.rows} in the target`;
    throw new MoveRefusal(`The target does not hold what the source holds in ${table.name} (${counts}).`);
  }
}

async function readAll(
  db: Kysely<Schema>,
  table: Table,
  { rowsAtOnce = ROWS_AT_ONCE }: CopyOptions,
  onRows: (rows: number) => void,
): Promise<Position> {
  const where = isCopied(table) ? undefined : sql.raw(KEPT_BY_TRIGGERS[table.name as KeptByTriggers]);
  let position = AT_THE_BEGINNING;
  for (;;) {
    const rows = await rowsAfter(db, table, position, rowsAtOnce, where);
    if (rows.length === 0) return position;
    position = advance(table, position, rows);
    onRows(rows.length);
  }
}
