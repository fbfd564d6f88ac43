// Earlier versions of a file: each has an entry of kind `version` here, with all that belonged to it, for as long as the newest file is
// there. All of them name the newest, so that a chain has no links to follow and no circle.
import { type RawBuilder, sql } from 'kysely';
import type { Tx } from './kept-rows.ts';

/** The last moment that a date can hold, in ms since the epoch: a version has no day of its own. */
export const KEPT_WITH_NEWEST = 8_640_000_000_000_000;

const of = (newest: RawBuilder<unknown>) => sql`trash.kind = 'version' and trash.version_of in (${newest})`;

/** The earlier versions of the files `newest` (a query of ids) are over when these are, at `goneAt` in ms since the epoch. */
export async function endWithNewest(
  { db }: Pick<Tx, 'db'>,
  newest: RawBuilder<unknown>,
  goneAt: number,
): Promise<void> {
  await sql`update trash set gone_at = cast(${goneAt} as bigint) where ${of(newest)}`.execute(db);
}

/** The newest files are back, and so are their earlier versions. */
export const comeBackWithNewest = (tx: Pick<Tx, 'db'>, newest: RawBuilder<unknown>): Promise<void> =>
  endWithNewest(tx, newest, KEPT_WITH_NEWEST);

/** Earlier versions are where the newest file is filed: under its client and type. */
export async function fileWithNewest({ db }: Pick<Tx, 'db'>, newestId: number): Promise<void> {
  const newest = sql`from files newest join clients owner on owner.id = newest.client_id where newest.id = trash.version_of`;
  await sql`update trash set client_id = (select newest.client_id ${newest}), client_name = (select owner.name ${newest}),
    access_key = (select newest.access_key ${newest}) where ${of(sql`${newestId}`)}`.execute(db);
}

/** What the file `formerId` had before becomes versions of `newestId`, which takes its place. */
export async function inheritVersions(
  { db }: Pick<Tx, 'db'>,
  { formerId, newestId }: { readonly formerId: number; readonly newestId: number },
): Promise<void> {
  await sql`update trash set version_of = ${newestId} where ${of(sql`${formerId}`)}`.execute(db);
}

/** The version `id` of `newestId` is a file by itself again, with what it had replaced, itself or by way of others. */
export async function splitChain(
  { db }: Pick<Tx, 'db'>,
  { id, newestId }: { readonly id: number; readonly newestId: number },
): Promise<void> {
  await sql`update trash set version_of = ${id} where ${of(sql`${newestId}`)} and trash.item_id in (
    with recursive former (item_id) as (
      select cast(${id} as bigint) union
      select entry.item_id from trash entry join former on entry.replaced_by_id = former.item_id
        where entry.kind = 'version' and entry.version_of = ${newestId})
    select former.item_id from former where former.item_id <> ${id})`.execute(db);
}
