// Client companies in the database.
import { sql } from 'kysely';
import type { ClientInput, ClientQuery, ClientRemoval, ClientRow } from '#contract/clients.ts';
import { refuse } from '#contract/errors.ts';
import type { Proof } from '#contract/policy.ts';
import { countWithin } from '../../access/reach.ts';
import { readPage } from '../../access/read-page.ts';
import type { ReadScope, WriteScope } from '../../access/scope.ts';
import { releaseBlobs } from '../../blobs/blob-rows.ts';
import { isListedId, listText } from '../../db/id-list.ts';
import { type Page, rowCount } from '../../db/list.ts';
import { param } from '../../db/statement.ts';
import { isBrokenReference } from '../../db/violations.ts';
import { nameColumns, refuseLookAlike } from '../../names/look-alike.ts';
import { clientSearchText } from '../../names/search-text.ts';

const columns = [
  'clients.id as id',
  'clients.name as name',
  'clients.address as address',
  'clients.phone as phone',
  'clients.phone as phoneNumber',
  'clients.email as email',
  'clients.federal_id as federalId',
  'clients.state_id as stateId',
  'clients.employee_count as employeeCount',
  'clients.start_date as startDate',
] as const;

const sortColumns = {
  name: 'clients.name_key',
  email: 'clients.email',
  phone: 'clients.phone',
  federalId: 'clients.federal_id',
  employeeCount: 'clients.employee_count',
  startDate: 'clients.start_date',
} as const;

/** One page of the clients in reach, and how many match. */
export function listClients(scope: ReadScope, query: ClientQuery): Promise<Page<ClientRow>> {
  return readPage<ClientRow, keyof typeof sortColumns>(scope, query, {
    name: 'clients',
    sortColumns,
    sort: query.sort ?? 'name',
    idColumn: 'clients.id',
    searchColumns: ['clients.search_text'],
    rows: (sources, found) => sources.clients().where(found).select(columns),
    count: (sources, found) => sources.clients().where(found).select(rowCount.as('total')),
  });
}

/** The client, or null when it is missing or out of reach. */
export async function findClient(scope: ReadScope, id: number): Promise<ClientRow | null> {
  const [row] = await scope.prepared<ClientRow>(
    'clients.get',
    (sources) => sources.clients().select(columns).where('clients.id', '=', param<number>('id')),
    { id },
  );
  return row ?? null;
}

function toColumns(input: ClientInput) {
  return {
    ...nameColumns(input.name),
    address: input.address,
    phone: input.phone,
    email: input.email,
    federal_id: input.federalId,
    state_id: input.stateId,
    employee_count: input.employeeCount,
    start_date: input.startDate,
    search_text: clientSearchText(input),
  };
}

function refuseMistakable(
  scope: WriteScope,
  proof: Proof<'clients.create'> | Proof<'clients.update'>,
  name: string,
  ownId: number | null,
): Promise<void> {
  return refuseLookAlike(scope, proof, {
    column: 'clients.name',
    field: 'name',
    name,
    ownId,
    isReached: async (id) => (await findClient(scope, id)) !== null,
  });
}

/** Adds a client. A creator with access lists gets it into their own list: one reaches what one creates. */
export async function insertClient(
  scope: WriteScope,
  proof: Proof<'clients.create'>,
  input: ClientInput,
  at: number,
): Promise<ClientRow> {
  await refuseMistakable(scope, proof, input.name, null);
  const tx = scope.unscoped(proof);
  const { id } = await tx
    .insertInto('clients')
    .values({ ...toColumns(input), created_at: at })
    .returning('id')
    .executeTakeFirstOrThrow();
  if (scope.viewer.reach === 'lists') {
    await tx.insertInto('user_clients').values({ user_id: scope.viewer.id, client_id: id }).execute();
  }
  return present(scope, id);
}

export async function updateClient(
  scope: WriteScope,
  proof: Proof<'clients.update'>,
  id: number,
  input: ClientInput,
): Promise<ClientRow> {
  await refuseMistakable(scope, proof, input.name, id);
  await scope.unscoped(proof).updateTable('clients').set(toColumns(input)).where('id', '=', id).execute();
  return present(scope, id);
}

async function present(scope: WriteScope, id: number): Promise<ClientRow> {
  const row = await findClient(scope, id);
  if (row === null) throw refuse('gone_meanwhile');
  return row;
}

/** Client users whose only client is this one: they are deleted with it. */
function peopleOfOnly(scope: WriteScope, proof: Proof<'clients.delete'>, clientId: number) {
  return scope
    .unscoped(proof)
    .selectFrom('users')
    .innerJoin('roles', 'roles.id', 'users.role_id')
    .innerJoin('user_clients', 'user_clients.user_id', 'users.id')
    .where('roles.system_key', '=', 'client')
    .where('user_clients.client_id', '=', clientId)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('user_clients as other')
            .select(sql`1`.as('one'))
            .whereRef('other.user_id', '=', 'users.id')
            .where('other.client_id', '<>', clientId),
        ),
      ),
    );
}

/** What is deleted with the client, as far as the viewer may know the numbers. */
export async function countRemoval(
  scope: WriteScope,
  proof: Proof<'clients.delete'>,
  clientId: number,
): Promise<ClientRemoval> {
  const files = await scope
    .unscoped(proof)
    .selectFrom('files')
    .select(rowCount.as('n'))
    .where('client_id', '=', clientId)
    .executeTakeFirstOrThrow();
  const filesReached = await scope
    .files()
    .select(rowCount.as('n'))
    .where('files.client_id', '=', clientId)
    .executeTakeFirstOrThrow();
  const people = peopleOfOnly(scope, proof, clientId);
  const users = await people.select(rowCount.as('n')).executeTakeFirstOrThrow();
  const usersReached = await people
    .where('users.id', 'in', scope.users().select('users.id'))
    .select(rowCount.as('n'))
    .executeTakeFirstOrThrow();
  return { files: countWithin(filesReached.n, files.n), users: countWithin(usersReached.n, users.n) };
}

/** Deletes the client, its files and its people; returns what was deleted, with the storage keys whose bytes are removed afterwards. */
export async function removeClient(
  scope: WriteScope,
  proof: Proof<'clients.delete'>,
  clientId: number,
  at: number,
): Promise<{ storageKeys: string[]; removal: ClientRemoval }> {
  const tx = scope.unscoped(proof);
  const removal = await countRemoval(scope, proof, clientId);
  const people = await peopleOfOnly(scope, proof, clientId).select('users.id').execute();
  if (people.some((person) => person.id === scope.viewer.id)) throw refuse('own_account');
  const files = await tx
    .deleteFrom('files')
    .where('client_id', '=', clientId)
    .returning('storage_key as storageKey')
    .execute();
  const storageKeys = files.map((file) => file.storageKey);
  await releaseBlobs(tx, storageKeys, at);
  if (people.length > 0) {
    await tx
      .deleteFrom('users')
      .where(isListedId('users.id', listText(people.map((person) => person.id))))
      .execute();
  }
  try {
    const { numDeletedRows } = await tx.deleteFrom('clients').where('id', '=', clientId).executeTakeFirst();
    if (numDeletedRows === 0n) throw refuse('not_found');
  } catch (error) {
    // An upload committed between the files and the client.
    if (isBrokenReference(error)) throw refuse('gone_meanwhile');
    throw error;
  }
  return { storageKeys, removal };
}
