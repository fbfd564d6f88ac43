// What is on hold is neither deleted nor purged nor replaced nor filed under another client, by anyone. Whatever ends or moves a row of
// `files`, `clients` or `trash` asks here, in its transaction. Nobody puts or lifts a hold while such an act is under way: putting and
// lifting are judged alone, as changes of rights are (`changesRights`).
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { refuse } from '#contract/errors.ts';
import type { HoldKind } from '#contract/hold-words.ts';
import type { Tx } from './kept-rows.ts';

const inForce = (kind: HoldKind, itemId: RawBuilder<unknown>) =>
  sql<SqlBool>`exists (select 1 from holds placed where placed.kind = ${sql.lit(kind)} and placed.item_id = ${itemId} and placed.lifted_at is null)`;

/** Whether the row of `files` that goes by `row` is on hold: itself, or with its client. */
export const isHeldFile = (row: string) =>
  sql<SqlBool>`(${inForce('file', sql.ref(`${row}.id`))} or ${inForce('client', sql.ref(`${row}.client_id`))})`;

/** Whether the row of `clients` is on hold itself, and with it all of its files. */
export const isHeldClient = inForce('client', sql.ref('clients.id'));

/** The ids of all files on hold. */
export const heldFileIds = sql`select placed.item_id as id from holds placed where placed.kind = 'file' and placed.lifted_at is null
  union select kept.id from holds placed join files kept on kept.client_id = placed.item_id
    where placed.kind = 'client' and placed.lifted_at is null`;

/**
 * Whether an entry of `trash` is on hold: the file, or of a version the newest, or its client; the client, or one of its files in the trash, which nobody could
 * restore without it.
 */
export const isHeldEntry = sql<SqlBool>`(${inForce('client', sql.ref('trash.client_id'))}
  or (trash.kind = 'file' and ${inForce('file', sql.ref('trash.item_id'))})
  or (trash.kind = 'version' and ${inForce('file', sql.ref('trash.version_of'))})
  or (trash.kind = 'client' and exists (select 1 from trash within where within.kind = 'file'
    and within.client_id = trash.client_id and ${inForce('file', sql.ref('within.item_id'))})))`;

/** Whether the hold on an entry of `trash` is its own. */
export const isHeldItself = sql<SqlBool>`exists (select 1 from holds placed
  where placed.kind = trash.kind and placed.item_id = trash.item_id and placed.lifted_at is null)`;

/** Whether a client is on hold, and so every file that comes. */
export async function isClientHeld(db: Pick<Tx['db'], 'getExecutor'>, clientId: number): Promise<boolean> {
  const { rows } = await sql`select 1 as held where ${inForce('client', sql`cast(${clientId} as bigint)`)}`.execute(db);
  return rows.length > 0;
}

/** The act of filing under another client, in words. */
export const REFILED_AWAY = 'filed under another client';

/** What is said where something is on hold: 'This file is on hold and cannot be deleted.' */
export interface HeldWords {
  readonly what: string;
  readonly act: string;
}

async function refuseWhere({ db }: Pick<Tx, 'db'>, from: RawBuilder<unknown>, words: HeldWords): Promise<void> {
  const { rows } = await sql`select 1 from ${from} limit 1`.execute(db);
  if (rows.length > 0) throw refuse('on_hold', words);
}

/** Refuses `on_hold` where one of the files is for which `where` holds (over `files`). */
export const refuseHeldFiles = (tx: Pick<Tx, 'db'>, where: RawBuilder<SqlBool>, words: HeldWords) =>
  refuseWhere(tx, sql`files where ${where} and ${isHeldFile('files')}`, words);

/** Refuses `on_hold` where the client itself is. */
export const refuseHeldClient = (tx: Pick<Tx, 'db'>, clientId: number, words: HeldWords) =>
  refuseWhere(tx, sql`clients where clients.id = ${clientId} and ${isHeldClient}`, words);

/** Refuses `on_hold` where one of the entries is for which `where` holds (over `trash`). */
export const refuseHeldEntries = (tx: Pick<Tx, 'db'>, where: RawBuilder<SqlBool>, words: HeldWords) =>
  refuseWhere(tx, sql`trash where ${where} and ${isHeldEntry}`, words);
