// Holds as staff read them, and the one writer of their rows.
import { type SqlBool, sql } from 'kysely';
import { refuse } from '#contract/errors.ts';
import type { HoldKind } from '#contract/hold-words.ts';
import type { HoldQuery, HoldRow } from '#contract/holds.ts';
import type { Proof } from '#contract/policy.ts';
import type { ReadScope, WriteScope } from '../../people/access/scope.ts';
import { type Page, pageValues, rowCount } from '../../platform/db/list.ts';
import { isDuplicate } from '../../platform/db/violations.ts';
import { instant, instantOrNull } from '../../platform/instant.ts';
import { findFile } from '../find.ts';
import { findEntry } from '../trash/entries.ts';

/** What is there is named as it is called now, and under the client it is filed under now. */
const described = (scope: ReadScope) =>
  scope
    .holds()
    .leftJoin('files as held', (join) => join.onRef('held.id', '=', 'holds.item_id').on('holds.kind', '=', 'file'))
    .leftJoin('clients as owner', (join) => join.on(sql<SqlBool>`owner.id = coalesce(held.client_id, holds.client_id)`))
    .select([
      'holds.id as id',
      'holds.kind as kind',
      'holds.item_id as itemId',
      sql<string>`case when holds.kind = 'file' then coalesce(held.original_name, holds.name) else coalesce(owner.name, holds.name) end`.as(
        'name',
      ),
      sql<number>`coalesce(held.client_id, holds.client_id)`.as('clientId'),
      sql<string>`coalesce(owner.name, holds.client_name)`.as('clientName'),
      'holds.reason as reason',
      'holds.placed_by_name as placedByName',
      'holds.placed_at as placedAt',
      'holds.lifted_by_name as liftedByName',
      'holds.lifted_at as liftedAt',
    ]);

type Described = Awaited<ReturnType<ReturnType<typeof described>['execute']>>[number];

const presented = ({ placedAt, liftedAt, ...row }: Described): HoldRow => ({
  ...row,
  placedAt: instant(placedAt),
  liftedAt: instantOrNull(liftedAt),
});

/**
 * The holds on a file and on its client. A file out of reach has no client here, as one that never was: the hold on a client in reach
 * would tell whose it is.
 */
function areOnFile(scope: ReadScope, fileId: number) {
  const there = scope.files().where('files.id', '=', fileId).select('files.client_id');
  const inTrash = scope
    .trash()
    .where('trash.kind', '=', 'file')
    .where('trash.item_id', '=', fileId)
    .select('trash.client_id');
  return sql`((holds.kind = 'file' and holds.item_id = ${fileId})
    or (holds.kind = 'client' and (holds.item_id in (${there}) or holds.item_id in (${inTrash}))))`;
}

/** Newest first. */
export async function listHolds(scope: ReadScope, query: HoldQuery): Promise<Page<HoldRow>> {
  const { fileId, clientId, inForce } = query;
  const isAsked = sql<SqlBool>`${sql.join(
    [
      sql`1 = 1`,
      ...(fileId === undefined ? [] : [areOnFile(scope, fileId)]),
      ...(clientId === undefined ? [] : [sql`holds.kind = 'client' and holds.item_id = ${clientId}`]),
      ...(inForce === undefined ? [] : [sql`holds.lifted_at is ${sql.raw(inForce === 'true' ? 'null' : 'not null')}`]),
    ],
    sql` and `,
  )}`;
  const { limit, offset } = pageValues(query);
  const rows = await described(scope).where(isAsked).orderBy('holds.id', 'desc').limit(limit).offset(offset).execute();
  const { total } = await scope.holds().where(isAsked).select(rowCount.as('total')).executeTakeFirstOrThrow();
  return { rows: rows.map(presented), total };
}

/** A hold within reach, as it is within this transaction. Refuses `not_found`. */
export async function readHold(scope: ReadScope, id: number): Promise<HoldRow> {
  const row = await described(scope).where('holds.id', '=', id).executeTakeFirst();
  if (row === undefined) throw refuse('not_found');
  return presented(row);
}

/** What is to be held: a file or a client within reach, there or in the trash. Refuses `not_found`. */
export async function findHeldItem(
  scope: ReadScope,
  kind: HoldKind,
  id: number,
  at: number,
): Promise<{ readonly name: string; readonly clientId: number; readonly clientName: string }> {
  if (kind === 'file') {
    const file = await findFile(scope, id);
    if (file !== null) return { name: file.originalName, clientId: file.clientId, clientName: file.clientName };
  } else {
    const client = await scope.clients().select('clients.name').where('clients.id', '=', id).executeTakeFirst();
    if (client !== undefined) return { name: client.name, clientId: id, clientName: client.name };
  }
  const entry = await findEntry(scope, kind, id, at);
  if (entry === null) throw refuse('not_found');
  return entry;
}

/** Refuses `already_on_hold`. */
export async function insertHold(
  scope: WriteScope,
  proof: Proof<'holds.manage'>,
  hold: Pick<HoldRow, 'kind' | 'itemId' | 'name' | 'clientId' | 'clientName' | 'reason'>,
  at: number,
): Promise<number> {
  try {
    const { id } = await scope
      .unscoped(proof)
      .insertInto('holds')
      .values({
        kind: hold.kind,
        item_id: hold.itemId,
        name: hold.name,
        client_id: hold.clientId,
        client_name: hold.clientName,
        reason: hold.reason,
        placed_by_id: scope.viewer.id,
        placed_by_name: scope.viewer.fullName,
        placed_at: at,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  } catch (error) {
    if (isDuplicate(error, 'holds')) throw refuse('already_on_hold');
    throw error;
  }
}

export async function markLifted(
  scope: WriteScope,
  proof: Proof<'holds.manage'>,
  id: number,
  at: number,
): Promise<void> {
  await scope
    .unscoped(proof)
    .updateTable('holds')
    .set({ lifted_by_name: scope.viewer.fullName, lifted_at: at })
    .where('id', '=', id)
    .execute();
}
