// Clients into the trash and out of it, with everything that belonged to them.

import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { deletedForEverDetails, restoredDetails } from '#contract/activity-words.ts';
import { refuse } from '#contract/errors.ts';
import type { HoldKind } from '#contract/hold-words.ts';
import { removalWords } from '#contract/removal-words.ts';
import type { ClientRestore, RestoredClient } from '#contract/trash.ts';
import { record } from '../../audit/record.ts';
import { type Origin, recordAccessChanged } from '../../audit/security-events.ts';
import type { WriteScope } from '../../people/access/scope.ts';
import { isListedId, listText } from '../../platform/db/id-list.ts';
import { rowCount } from '../../platform/db/list.ts';
import { isBrokenReference } from '../../platform/db/violations.ts';
import { keepBelongings, putBackBelongings } from './client-rows.ts';
import { canBeRestored, type Deletion, deletionColumns, endNow, findEntry } from './entries.ts';
import { isClientHeld, isHeldFile, refuseHeldClient } from './holds.ts';
import type { Tx } from './kept-rows.ts';
import {
  type FindClient,
  keepTwins,
  peopleBack,
  refuseTakenName,
  refuseTakenPeople,
  renamedClient,
  renamedColumns,
} from './restored-names.ts';
import { putBackFiles, trashFilesOfClient } from './trashed-files.ts';

/** What keeps a client out of the trash: a hold on itself, or on one of its files; null where nothing does. */
export async function holdOnClient(
  { db }: { readonly db: Pick<Tx['db'], 'getExecutor'> },
  clientId: number,
): Promise<HoldKind | null> {
  if (await isClientHeld(db, clientId)) return 'client';
  const { rows } = await sql`select 1 as held from files
    where files.client_id = ${clientId} and ${isHeldFile('files')} limit 1`.execute(db);
  return rows.length > 0 ? 'file' : null;
}

/** Moves a client, its files and `peopleIds` into the trash. Rights change with it, so nobody else changes anything of it meanwhile. */
export async function trashClient(
  tx: Tx,
  { clientId, peopleIds }: { readonly clientId: number; readonly peopleIds: readonly number[] },
  deletion: Deletion,
): Promise<void> {
  const { db } = tx;
  const client = await db
    .selectFrom('clients')
    .select(['name', 'name_key', 'search_name'])
    .where('id', '=', clientId)
    .executeTakeFirst();
  if (client === undefined) throw refuse('not_found');
  await refuseHeldClient(tx, clientId, { what: 'This client', act: 'deleted' });
  const { files } = await db
    .selectFrom('files')
    .select(rowCount.as('files'))
    .where('client_id', '=', clientId)
    .executeTakeFirstOrThrow();
  const { id } = await db
    .insertInto('trash')
    .values({
      kind: 'client',
      item_id: clientId,
      name: client.name,
      name_key: client.name_key,
      search_text: client.search_name,
      client_id: clientId,
      client_name: client.name,
      with_client: 0,
      access_key: null,
      uploaded_by_id: null,
      sha256: null,
      storage_key: null,
      files,
      users: peopleIds.length,
      ...deletionColumns(deletion),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await keepBelongings(tx, id, { clientId, peopleIds });
  await keepUploads(tx, id, clientId, peopleIds);
  await keepTwins(tx, id, { id: clientId, nameKey: client.name_key });
  await trashFilesOfClient(tx, clientId, deletion);
  if (peopleIds.length > 0) {
    await db
      .deleteFrom('users')
      .where(isListedId('users.id', listText(peopleIds)))
      .execute();
  }
  try {
    await db.deleteFrom('clients').where('id', '=', clientId).execute();
  } catch (error) {
    if (isBrokenReference(error)) throw refuse('gone_meanwhile');
    throw error;
  }
}

/** Kept under a name that is no table's: which files of other clients the deleted people sent. */
const UPLOADS = 'files.uploaded_by_id';

async function keepUploads({ db }: Tx, trashId: number, clientId: number, peopleIds: readonly number[]): Promise<void> {
  await sql`insert into trashed_rows (trash_id, table_name, content)
    select cast(${trashId} as bigint), ${sql.lit(UPLOADS)}, files.uploaded_by_id || ':' || files.id from files
    where ${isListedId('files.uploaded_by_id', listText(peopleIds))} and files.client_id <> ${clientId}`.execute(db);
}

async function putBackUploads({ db }: Tx, trashId: number): Promise<void> {
  const kept = await db
    .selectFrom('trashed_rows')
    .select('content')
    .where('trash_id', '=', trashId)
    .where('table_name', '=', UPLOADS)
    .execute();
  const byPerson = Map.groupBy(kept, ({ content }) => Number(content.split(':')[0]));
  for (const [userId, uploads] of byPerson) {
    const ids = uploads.map(({ content }) => Number(content.split(':')[1]));
    await db
      .updateTable('files')
      .set({ uploaded_by_id: userId })
      .where(isListedId('files.id', listText(ids)))
      .where('uploaded_by_id', 'is', null)
      .execute();
  }
}

/** How many of these files had a report type that was deleted since. */
async function countWithoutType({ db, engine }: Tx, entries: RawBuilder<unknown>): Promise<number> {
  const typeId = sql`${engine === 'postgres' ? sql`kept.content::json` : sql`kept.content`} ->> 'report_type_id'`;
  const { rows } = await sql<{ n: number }>`select ${rowCount} as n from trashed_rows kept
    where kept.table_name = 'files' and kept.trash_id in (${entries}) and ${typeId} is not null
    and not exists (select 1 from report_types type where type.id = cast(${typeId} as bigint))`.execute(db);
  return rows[0]?.n ?? 0;
}

/**
 * Takes a client out of the trash, under other `names` where they are given. Refuses where its name or that of one of its people is
 * given to somebody else by now, with the fields that would say another. Answers how many reports lack the type that they had.
 */
export async function restoreClient(
  scope: WriteScope,
  id: number,
  {
    origin,
    at,
    find,
    names,
  }: {
    readonly origin: Origin;
    readonly at: number;
    readonly find: FindClient;
    readonly names: ClientRestore;
  },
): Promise<Pick<RestoredClient, 'withoutType'>> {
  const entry = await findEntry(scope, 'client', id, at);
  if (entry === null) throw refuse((await find(id)) === null ? 'not_found' : 'already_restored');
  const proof = scope.authorize('clients.restore', entry);
  await scope.serialize('names');
  const tx: Tx = { db: scope.unscoped(proof), engine: scope.engine };
  const name = names.name ?? entry.name;
  await refuseTakenName(scope, proof, tx, { entry, name, find });
  const people = await peopleBack(tx, entry, names);
  await refuseTakenPeople(scope, proof, tx, people);
  await putBackBelongings(tx, entry.id, id, {
    users: renamedColumns(people.filter(({ isRenamed }) => isRenamed)),
    clients: names.name === undefined ? {} : await renamedClient(tx, entry.id, { name, at, byId: scope.viewer.id }),
  });
  await putBackUploads(tx, entry.id);
  const withIt = sql`select id from trash where kind = 'file' and client_id = ${id} and with_client = 1`;
  const withoutType = await countWithoutType(tx, withIt);
  await putBackFiles(tx, withIt, { at, byId: scope.viewer.id });
  await tx.db.deleteFrom('trash').where(sql<SqlBool>`(id = ${entry.id} or id in (${withIt}))`).execute();
  const event = { origin, detail: `restoration of client ${entry.name}` };
  await recordAccessChanged(scope, proof, { clientId: id }, event, at);
  const belongings = removalWords({ files: entry.files, users: entry.users });
  const renamed = [
    ...(name === entry.name ? [] : [`, renamed to ${name}`]),
    ...people.flatMap(({ was, username }) => (was === username ? [] : [`, user ${was} renamed to ${username}`])),
  ];
  const details = `${restoredDetails('client', entry.name)}, with ${belongings}${renamed.join('')}`;
  await record(scope, proof, { action: 'update', details, client: { id, name } }, at);
  // A number would tell somebody with access lists of files that were out of reach.
  return { withoutType: scope.viewer.reach === 'all' ? withoutType : null };
}

/** Ends a client in the trash before its time, with its people and all its files there: without it those could never be restored. */
export async function deleteClientForEver(
  scope: WriteScope,
  id: number,
  { at, isThere }: { readonly at: number; readonly isThere: (id: number) => Promise<boolean> },
): Promise<void> {
  const proof = scope.authorize('clients.purge');
  // No restore of it is under way: that changes rights, and waits for nothing less.
  await scope.serialize('names');
  const entry = await findEntry(scope, 'client', id, at);
  if (entry === null) throw refuse((await isThere(id)) ? 'already_restored' : 'not_found');
  const tx: Tx = { db: scope.unscoped(proof), engine: scope.engine };
  const ofClient = sql<SqlBool>`(trash.id = ${entry.id} or (trash.kind = 'file' and trash.client_id = ${id}))`;
  const { n } = await tx.db
    .selectFrom('trash')
    .select(rowCount.as('n'))
    .where(canBeRestored(at))
    .where(ofClient)
    .executeTakeFirstOrThrow();
  await endNow(tx, ofClient, at, 'This client, or a file of it,');
  const belongings = removalWords({ files: n - 1, users: entry.users });
  const details = `${deletedForEverDetails('client', entry.name)}, with ${belongings}`;
  await record(scope, proof, { action: 'delete', details, client: { id, name: entry.name } }, at);
}
