// The entries of the trash: what was deleted, by whom, and until when it can be restored.

import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { FileAccess } from '#contract/policy/reach.ts';
import type { TrashKind } from '#contract/trash-kinds.ts';
import type { Config } from '../../config.ts';
import { DOCUMENT } from '../../people/access/reach.ts';
import type { ReadScope } from '../../people/access/scope.ts';
import { DAY_MS } from '../../platform/clock.ts';
import { endWithNewest } from './chains.ts';
import { isHeldEntry, refuseHeldEntries } from './holds.ts';
import type { Tx } from './kept-rows.ts';

/** When something is deleted, by whom, and how long it can be restored. */
export interface Deletion {
  readonly at: number;
  readonly trashDays: number;
  readonly by: { readonly id: number; readonly fullName: string };
}

export function deletionBy(
  { viewer }: Pick<ReadScope, 'viewer'>,
  at: number,
  { trashDays }: Pick<Config, 'trashDays'>,
): Deletion {
  return { at, trashDays, by: viewer };
}

/** The columns of an entry that say so. */
export function deletionColumns({ at, trashDays, by }: Deletion) {
  return {
    deleted_at: at,
    deleted_by_id: by.id,
    deleted_by_name: by.fullName,
    gone_at: at + trashDays * DAY_MS,
  };
}

/** An entry within reach that can still be restored. */
export interface TrashEntry {
  readonly id: number;
  readonly itemId: number;
  readonly name: string;
  readonly clientId: number;
  readonly clientName: string;
  readonly withClient: 0 | 1;
  readonly accessKey: number | null;
  readonly uploadedById: number | null;
  readonly files: number | null;
  readonly users: number | null;
  readonly deletedAt: number;
  readonly deletedById: number;
}

/** What the trash still has: what is on hold stays past its time. */
export const canBeRestored = (at: number | RawBuilder<number>) =>
  sql<SqlBool>`(trash.gone_at > ${at} or ${isHeldEntry})`;

/** The entry of a file or client, or null when it is missing, out of reach, or over. */
export async function findEntry(
  scope: ReadScope,
  kind: TrashKind,
  itemId: number,
  at: number,
): Promise<TrashEntry | null> {
  const entry = await scope
    .trash()
    .select([
      'trash.id as id',
      'trash.item_id as itemId',
      'trash.name as name',
      'trash.client_id as clientId',
      'trash.client_name as clientName',
      'trash.with_client as withClient',
      'trash.access_key as accessKey',
      'trash.uploaded_by_id as uploadedById',
      'trash.files as files',
      'trash.users as users',
      'trash.deleted_at as deletedAt',
      'trash.deleted_by_id as deletedById',
    ])
    .where('trash.kind', '=', kind)
    .where('trash.item_id', '=', itemId)
    .where(canBeRestored(at))
    .executeTakeFirst();
  return entry ?? null;
}

export const fileTypeOf = (accessKey: number | null): FileAccess['fileType'] =>
  accessKey === DOCUMENT ? 'company_document' : 'report';

/** Ends what can be restored: from `at` on nobody does, and the purge takes it. Refuses `on_hold`; `what` is what it is then said of. */
export async function endNow(tx: Tx, entries: RawBuilder<SqlBool>, at: number, what: string): Promise<void> {
  await refuseHeldEntries(tx, entries, { what, act: 'deleted for ever' });
  await endWithNewest(
    tx,
    sql`select ending.item_id from (select trash.* from trash where trash.kind = 'file' and ${entries}) ending`,
    at,
  );
  await sql`update trash set gone_at = ${at} where gone_at > ${at} and ${entries}`.execute(tx.db);
}
