// The names under which a client and its people come back from the trash: those they had, unless they are somebody else's by now.

import { type RawBuilder, sql } from 'kysely';
import { Refusal, refuse, refuseFields } from '#contract/errors.ts';
import { foldKey } from '#contract/fields.ts';
import { reachesEveryUser } from '#contract/policy/reach.ts';
import type { Proof } from '#contract/policy.ts';
import { type ClientRestore, personField } from '#contract/trash.ts';
import { type GivenName, lookAlikeRefusal } from '../../firm/names/look-alike.ts';
import type { WriteScope } from '../../people/access/scope.ts';
import { isListedId, listText } from '../../platform/db/id-list.ts';
import { nameColumns, userNameColumns } from '../../platform/names/name-forms.ts';
import { clientSearchText } from '../../platform/names/search-text.ts';
import type { TrashEntry } from './entries.ts';
import { readKept, type Tx } from './kept-rows.ts';

type Restoring = Proof<'clients.restore'>;

/** The client as the viewer may see it; null where it is missing or out of reach. */
export type FindClient = (id: number) => Promise<{ readonly federalId: string } | null>;

/** Kept under a name that is no table's: which other clients, there or in the trash, had the name at the deletion. */
const TWINS = 'clients.name_key';

export async function keepTwins(
  { db }: Tx,
  trashId: number,
  { id, nameKey }: { readonly id: number; readonly nameKey: string },
): Promise<void> {
  await sql`insert into trashed_rows (trash_id, table_name, content)
    select cast(${trashId} as bigint), ${sql.lit(TWINS)}, cast(twin.id as text) from (
      select id from clients where name_key = ${nameKey} and id <> ${id}
      union select item_id as id from trash where kind = 'client' and name_key = ${nameKey} and item_id <> ${id}
    ) as twin`.execute(db);
}

async function twinsBefore({ db }: Tx, { id }: TrashEntry): Promise<number[]> {
  const kept = await db
    .selectFrom('trashed_rows')
    .select('content')
    .where('trash_id', '=', id)
    .where('table_name', '=', TWINS)
    .execute();
  return kept.map(({ content }) => Number(content));
}

/** Refuses a name that is another client's by now. Of one name before, they are so again, whatever was changed of the other meanwhile. */
export async function refuseTakenName(
  scope: WriteScope,
  proof: Restoring,
  tx: Tx,
  { entry, name, find }: { readonly entry: TrashEntry; readonly name: string; readonly find: FindClient },
): Promise<void> {
  const isOwnName = foldKey(name) === foldKey(entry.name);
  const twins = isOwnName ? await twinsBefore(tx, entry) : [];
  const taken = await tx.db
    .selectFrom('clients')
    .select('id')
    .where('name_key', '=', foldKey(name))
    .where((eb) => eb.not(isListedId('clients.id', listText(twins))))
    // A client that went before twins were kept has none: what was there then and is as it was does not count either.
    .where((eb) =>
      isOwnName
        ? eb.or([eb('created_at', '>=', entry.deletedAt), eb('changed_at', '>=', entry.deletedAt)])
        : eb.lit(true),
    )
    .orderBy('id')
    .executeTakeFirst();
  if (taken !== undefined) {
    const { code, message } = refuse('client_name_taken', { federalId: (await find(taken.id))?.federalId ?? null });
    throw new Refusal(code, message, { fields: { name: message } });
  }
  const refusal = await lookAlikeRefusal(scope, proof, {
    column: 'clients.name',
    field: 'name',
    name,
    ownId: null,
    isReached: async (id) => (await find(id)) !== null,
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
export async function peopleBack(tx: Tx, entry: TrashEntry, { people = [] }: ClientRestore): Promise<PersonBack[]> {
  const kept = await readKept<KeptPerson>(tx, 'users', entry.id);
  const stranger = people.findIndex(({ id }) => !kept.some((person) => person.id === id));
  if (stranger >= 0)
    throw refuseFields({ [`people.${stranger}.id`]: 'This person does not come back with the client' });
  return kept.map(({ id, username: was, full_name }) => {
    const { username = was, fullName = full_name } = people.find((named) => named.id === id) ?? {};
    return { id, was, username, fullName, isRenamed: username !== was || fullName !== full_name };
  });
}

export async function refuseTakenPeople(
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
export function renamedColumns(people: readonly PersonBack[]): Record<string, RawBuilder<unknown>> {
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

/** The columns of a client that comes back under another name: a change of it, as it is where it is edited. */
export async function renamedClient(
  tx: Tx,
  trashId: number,
  { name, at, byId }: { readonly name: string; readonly at: number; readonly byId: number },
): Promise<Record<string, RawBuilder<unknown>>> {
  const [kept] = await readKept<KeptClient>(tx, 'clients', trashId);
  if (kept === undefined) return {};
  const { email, phone, federal_id: federalId, state_id: stateId, address, other_names } = kept;
  const otherNames = JSON.parse(other_names) as string[];
  const search_text = clientSearchText({ name, email, phone, federalId, stateId, address, otherNames });
  const texts = Object.entries({ ...nameColumns(name), search_text });
  return {
    ...Object.fromEntries(texts.map(([column, text]) => [column, sql`cast(${text} as text)`])),
    changed_at: sql`cast(${at} as bigint)`,
    changed_by_id: sql`cast(${byId} as bigint)`,
  };
}
