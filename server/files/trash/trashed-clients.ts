// Clients into the trash and out of it, with everything that belonged to them.

import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { deletedForEverDetails, restoredDetails } from '#contract/activity-words.ts';
import { Refusal, refuse, refuseFields } from '#contract/errors.ts';
import { foldKey } from '#contract/fields.ts';
import type { HoldKind } from '#contract/hold-words.ts';
import { reachesEveryUser } from '#contract/policy/reach.ts';
import type { Proof } from '#contract/policy.ts';
import { removalWords } from '#contract/removal-words.ts';
import { type ClientRestore, personField, type RestoredClient } from '#contract/trash.ts';
import { record } from '../../audit/record.ts';
import { type Origin, recordAccessChanged } from '../../audit/security-events.ts';
import { type GivenName, lookAlikeRefusal } from '../../firm/names/look-alike.ts';
import type { WriteScope } from '../../people/access/scope.ts';
import { isListedId, listText } from '../../platform/db/id-list.ts';
import { rowCount } from '../../platform/db/list.ts';
import { isBrokenReference } from '../../platform/db/violations.ts';
import { nameColumns, userNameColumns } from '../../platform/names/name-forms.ts';
import { clientSearchText } from '../../platform/names/search-text.ts';
import { keepBelongings, putBackBelongings } from './client-rows.ts';
import { canBeRestored, type Deletion, deletionColumns, endNow, findEntry, type TrashEntry } from './entries.ts';
import { isClientHeld, isHeldFile, refuseHeldClient } from './holds.ts';
import { readKept, type Tx } from './kept-rows.ts';
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
    isThere,
    names,
  }: {
    readonly origin: Origin;
    readonly at: number;
    readonly isThere: (id: number) => Promise<boolean>;
    readonly names: ClientRestore;
  },
): Promise<Pick<RestoredClient, 'withoutType'>> {
  const entry = await findEntry(scope, 'client', id, at);
  if (entry === null) throw refuse((await isThere(id)) ? 'already_restored' : 'not_found');
  const proof = scope.authorize('clients.restore', entry);
  await scope.serialize('names');
  const tx: Tx = { db: scope.unscoped(proof), engine: scope.engine };
  const name = names.name ?? entry.name;
  await refuseTakenName(scope, proof, tx, { ...entry, name, isNewName: names.name !== undefined }, isThere);
  const people = await peopleBack(tx, entry, names);
  await refuseTakenPeople(scope, proof, tx, people);
  await putBackBelongings(tx, entry.id, id, {
    users: renamedColumns(people.filter(({ isRenamed }) => isRenamed)),
    clients: names.name === undefined ? {} : await renamedClient(tx, entry.id, name),
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

type Restoring = Proof<'clients.restore'>;

async function refuseTakenName(
  scope: WriteScope,
  proof: Restoring,
  { db }: Tx,
  { name, deletedAt, isNewName }: TrashEntry & { readonly isNewName: boolean },
  isReached: (id: number) => Promise<boolean>,
): Promise<void> {
  const taken = await db
    .selectFrom('clients')
    .select('id')
    .where('name_key', '=', foldKey(name))
    // Of one name before, they may be so again; a name that is given now is nobody's.
    .where((eb) =>
      isNewName ? eb.lit(true) : eb.or([eb('created_at', '>=', deletedAt), eb('changed_at', '>=', deletedAt)]),
    )
    .executeTakeFirst();
  if (taken !== undefined) {
    const { code, message } = refuse('client_name_taken');
    throw new Refusal(code, message, { fields: { name: message } });
  }
  const refusal = await lookAlikeRefusal(scope, proof, {
    column: 'clients.name',
    field: 'name',
    name,
    ownId: null,
    isReached,
  });
  if (refusal !== null) throw refusal;
}

interface KeptPerson {
  readonly id: number;
  readonly username: string;
  readonly full_name: string;
}

/** Somebody who comes back, and by which names. */
interface PersonBack {
  readonly id: number;
  readonly was: string;
  readonly username: string;
  readonly fullName: string;
  readonly isRenamed: boolean;
}

/** The people who come back with the client. Refuses names for anybody else. */
async function peopleBack(tx: Tx, entry: TrashEntry, { people = [] }: ClientRestore): Promise<PersonBack[]> {
  const kept = await readKept<KeptPerson>(tx, 'users', entry.id);
  const stranger = people.findIndex(({ id }) => !kept.some((person) => person.id === id));
  if (stranger >= 0)
    throw refuseFields({ [`people.${stranger}.id`]: 'This person does not come back with the client' });
  return kept.map(({ id, username: was, full_name }) => {
    const { username = was, fullName = full_name } = people.find((named) => named.id === id) ?? {};
    return { id, was, username, fullName, isRenamed: username !== was || fullName !== full_name };
  });
}

async function refuseTakenPeople(
  scope: WriteScope,
  proof: Restoring,
  tx: Tx,
  people: readonly PersonBack[],
): Promise<void> {
  const faults: Record<string, string> = {};
  let taken: string | null = null;
  for (const { id, was, username, fullName } of people) {
    const naming = (column: GivenName['column'], name: string): GivenName => ({
      column,
      field: '',
      name,
      ownId: null,
      isReached: async () => false,
    });
    const isTaken =
      (await tx.db
        .selectFrom('users')
        .select('id')
        .where('username_key', '=', foldKey(username))
        .executeTakeFirst()) !== undefined ||
      people.some((other) => other.id < id && foldKey(other.username) === foldKey(username));
    if (isTaken || (await lookAlikeRefusal(scope, proof, naming('users.username', username))) !== null) {
      faults[personField(id, 'username')] = `The username "${username}" is somebody else’s by now`;
    }
    if ((await lookAlikeRefusal(scope, proof, naming('users.full_name', fullName))) !== null) {
      faults[personField(id, 'fullName')] = `The name "${fullName}" looks like somebody else’s by now`;
    }
    if (taken === null && Object.keys(faults).length > 0) taken = was;
  }
  if (taken === null) return;
  // Who a client's people are is for those who see everybody.
  const seesThem = reachesEveryUser(scope.viewer);
  const { code, message } = refuse('restored_user_taken', { username: seesThem ? taken : null });
  throw new Refusal(code, message, seesThem ? { fields: faults } : {});
}

/** The columns of users who come back under other names, each over `back`. */
function renamedColumns(people: readonly PersonBack[]): Record<string, RawBuilder<unknown>> {
  const named = people.map((person) => ({ id: person.id, columns: userNameColumns(person) }));
  const [first] = named;
  if (first === undefined) return {};
  return Object.fromEntries(
    (Object.keys(first.columns) as (keyof typeof first.columns)[]).map((column) => [
      column,
      sql`case ${sql.join(
        named.map(({ id, columns }) => sql`when back.id = ${id} then cast(${columns[column]} as text)`),
        sql` `,
      )} else back.${sql.ref(column)} end`,
    ]),
  );
}

interface KeptClient {
  readonly email: string;
  readonly phone: string;
  readonly federal_id: string;
  readonly state_id: string;
  readonly address: string;
  readonly other_names: string;
}

async function renamedClient(tx: Tx, trashId: number, name: string): Promise<Record<string, RawBuilder<unknown>>> {
  const [kept] = await readKept<KeptClient>(tx, 'clients', trashId);
  if (kept === undefined) return {};
  const { email, phone, federal_id: federalId, state_id: stateId, address, other_names } = kept;
  const otherNames = JSON.parse(other_names) as string[];
  const search_text = clientSearchText({ name, email, phone, federalId, stateId, address, otherNames });
  return Object.fromEntries(
    Object.entries({ ...nameColumns(name), search_text }).map(([column, text]) => [column, sql`cast(${text} as text)`]),
  );
}
