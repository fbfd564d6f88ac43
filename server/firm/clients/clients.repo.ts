// Client companies in the database.

import { sql } from 'kysely';
import type { ClientInput, ClientQuery, ClientRemoval, ClientRow } from '#contract/clients.ts';
import { refuse } from '#contract/errors.ts';
import { foldKey } from '#contract/fields.ts';
import { importFaults } from '#contract/imports.ts';
import { seesFederalIds } from '#contract/policy/reach.ts';
import { may, type Proof } from '#contract/policy.ts';
import { noteLostDocuments } from '../../batches/lost-documents.ts';
import type { Deletion } from '../../files/trash/entries.ts';
import { isHeldClient } from '../../files/trash/holds.ts';
import { holdOnClient, trashClient } from '../../files/trash/trashed-clients.ts';
import type { RowFindings } from '../../people/access/import-rows.ts';
import { countWithin } from '../../people/access/reach.ts';
import { readPage } from '../../people/access/read-page.ts';
import type { ReadScope, WriteScope } from '../../people/access/scope.ts';
import { changedNow, type LastChange, versionOf } from '../../people/access/versions.ts';
import { type Page, rowCount } from '../../platform/db/list.ts';
import { param, transactionStatement } from '../../platform/db/statement.ts';
import type { SearchedTexts } from '../../platform/db/word-match.ts';
import { NewNames, nameColumns } from '../../platform/names/name-forms.ts';
import { type GivenName, lookAlikeRefusal, refuseLookAlike } from '../names/look-alike.ts';
import { otherNameColumns } from '../names/other-names.ts';

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
  'clients.other_names as otherNames',
  'clients.changed_at as changedAt',
  isHeldClient.as('onHold'),
] as const;

interface ClientRecord extends Omit<ClientRow, 'version' | 'otherNames' | 'onHold'> {
  otherNames: string;
  changedAt: number | null;
  /** As the engine writes yes and no. */
  onHold: number | boolean;
}

function toRow({ changedAt, otherNames, onHold, ...client }: ClientRecord, readsHolds: boolean): ClientRow {
  const { name, address, phone, federalId, stateId, email, employeeCount, startDate } = client;
  // A hold is no change of the client: whoever edits it meanwhile is told of no conflict.
  const content = [name, address, phone, federalId, stateId, email, employeeCount, startDate, otherNames];
  return {
    ...client,
    otherNames: JSON.parse(otherNames) as string[],
    onHold: readsHolds ? Boolean(onHold) : null,
    version: versionOf(changedAt, content),
  };
}

const sortColumns = {
  name: 'clients.search_name',
  email: 'clients.email',
  phone: 'clients.phone',
  federalId: 'clients.federal_id',
  employeeCount: 'clients.employee_count',
  startDate: 'clients.start_date',
} as const;

/** What the search of clients reads (docs/behaviour.md, Lists). */
const written = ['name', 'email', 'phone', 'federal_id', 'state_id', 'address'].map((column) => `clients.${column}`);
const searched: SearchedTexts = { forms: ['clients.search_text'], written };

/** The same with no more of a federal id than its last four digits: what is not shown is not to be guessed by searching. */
const federalIdForm = sql`${sql.lit('\n')} || replace(${sql.ref('clients.federal_id')}, '-', '') || ${sql.lit('\n')}`;
const shownForm = sql`${sql.lit('\n')} || substr(${sql.ref('clients.federal_id')}, 7) || ${sql.lit('\n')}`;
const searchedMasked: SearchedTexts = {
  forms: [],
  // For searches without a letter or digit: those find nothing of a federal id but its dash.
  written,
  further: (pattern, as) =>
    as === 'form'
      ? sql`replace(${sql.ref('clients.search_text')}, ${federalIdForm}, ${shownForm}) like ${pattern}`
      : sql`false`,
};

/** 12-3456789 as XX-XXX6789. */
const masked = <Row extends { federalId: string }>(row: Row): Row => ({
  ...row,
  federalId: `XX-XXX${row.federalId.slice(-4)}`,
});

/** One page of the clients in reach, and how many match. */
export async function listClients(scope: ReadScope, query: ClientQuery): Promise<Page<ClientRow>> {
  const whole = seesFederalIds(scope.viewer);
  const { rows, total } = await readPage<ClientRecord, keyof typeof sortColumns>(scope, query, {
    name: whole ? 'clients' : 'clients.masked',
    sortColumns,
    sort: query.sort ?? 'name',
    idColumn: 'clients.id',
    searched: whole ? searched : searchedMasked,
    rows: (sources, found) => sources.clients().where(found).select(columns),
    count: (sources, found) => sources.clients().where(found).select(rowCount.as('total')),
  });
  return { rows: rows.map((row) => shown(scope, row)), total };
}

/** The client, or null when it is missing or out of reach. */
export async function findClient(scope: ReadScope, id: number): Promise<ClientRow | null> {
  const [row] = await scope.prepared<ClientRecord>(
    'clients.get',
    (sources) => sources.clients().select(columns).where('clients.id', '=', param<number>('id')),
    { id },
  );
  return row ? shown(scope, row) : null;
}

/** The row as the viewer may see it. Its version is of what is shown: one of the whole would tell the digits that are not. */
const shown = ({ viewer }: ReadScope, record: ClientRecord): ClientRow =>
  toRow(seesFederalIds(viewer) ? record : masked(record), may(viewer, 'holds.read'));

export function lastChangeOfClient(scope: ReadScope, id: number): Promise<LastChange | undefined> {
  return scope
    .clients()
    .select(['clients.changed_at', 'clients.changed_by_id'])
    .where('clients.id', '=', id)
    .executeTakeFirst();
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
    ...otherNameColumns(input),
  };
}

function naming(name: string, ownId: number | null, scope: ReadScope): GivenName {
  return {
    column: 'clients.name',
    field: 'name',
    name,
    ownId,
    isReached: async (id) => (await findClient(scope, id)) !== null,
  };
}

function refuseMistakable(
  scope: WriteScope,
  proof: Proof<'clients.create'> | Proof<'clients.update'>,
  name: string,
  ownId: number | null,
): Promise<void> {
  return refuseLookAlike(scope, proof, naming(name, ownId, scope));
}

const listForEveryone = transactionStatement((db) =>
  db
    .insertInto('user_clients')
    .columns(['user_id', 'client_id'])
    .expression(
      sql`select id, cast(${param('clientId')} as bigint) from users where all_clients = 1
        union select id, cast(${param('clientId')} as bigint) from users where id = ${param('creatorId')}`,
    ),
);

/**
 * Adds a client. It comes into the lists of those who have all clients, also later ones; and into the list of a creator with
 * access lists: one reaches what one creates. No one is given all clients meanwhile: that is a change of rights.
 */
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
  const creatorId = scope.viewer.reach === 'lists' ? scope.viewer.id : 0;
  await listForEveryone(tx, { clientId: id, creatorId });
  return present(scope, id);
}

/** Whether the viewer finds a client of this name with this federal id. */
async function hasTwin(scope: ReadScope, { name, federalId }: ClientInput): Promise<boolean> {
  const twins = await scope.prepared<{ id: number }>(
    'clients.twin',
    (sources) =>
      sources
        .clients()
        .select('clients.id as id')
        .where('clients.name_key', '=', param<string>('key'))
        .where('clients.federal_id', '=', param<string>('federalId')),
    { key: foldKey(name), federalId },
  );
  return twins.length > 0;
}

/** Judges clients of a list one after another: by the rule of a new client, and by the rows before. */
export function clientJudge(scope: WriteScope, proof: Proof<'clients.create'>) {
  const before = new NewNames();
  const seen = new Set<string>();
  return async (input: ClientInput, findings: RowFindings): Promise<void> => {
    if (await hasTwin(scope, input)) return findings.exists('name', importFaults.clientExists);
    const key = `${input.federalId} ${foldKey(input.name)}`;
    if (seen.has(key)) return findings.fault('name', importFaults.clientTwice);
    seen.add(key);
    const other = before.add(input.name);
    if (other !== null) return findings.fault('name', importFaults.looksLikeRow(other));
    const refusal = await lookAlikeRefusal(scope, proof, naming(input.name, null, scope));
    if (refusal !== null) findings.fault('name', refusal.message);
  };
}

/** `former` is the client as it is until then: what the input leaves out stays. */
export async function updateClient(
  scope: WriteScope,
  proof: Proof<'clients.update'>,
  { id, otherNames }: ClientRow,
  input: ClientInput,
  at: number,
): Promise<ClientRow> {
  await refuseMistakable(scope, proof, input.name, id);
  const columns = { ...toColumns({ otherNames, ...input }), ...changedNow(scope, at) };
  await scope.unscoped(proof).updateTable('clients').set(columns).where('id', '=', id).execute();
  return present(scope, id);
}

async function present(scope: WriteScope, id: number): Promise<ClientRow> {
  const row = await findClient(scope, id);
  if (row === null) throw refuse('gone_meanwhile');
  return row;
}

/** Client users whose only client is this one: they are deleted with it. */
function peopleOfOnly(scope: ReadScope, proof: Proof<'clients.delete'>, clientId: number) {
  return scope
    .countedBy(proof)
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

/** What is deleted with the client, as far as the viewer may know the numbers: each and how many of it are in reach by one statement. */
export async function countRemoval(
  scope: ReadScope,
  proof: Proof<'clients.delete'>,
  clientId: number,
): Promise<ClientRemoval> {
  const db = scope.countedBy(proof);
  const filesReached = scope.files().where('files.client_id', '=', clientId).select(rowCount.as('n'));
  const files = await db
    .selectFrom('files')
    .where('client_id', '=', clientId)
    .select([rowCount.as('n'), filesReached.as('reached')])
    .executeTakeFirstOrThrow();
  const people = peopleOfOnly(scope, proof, clientId);
  const peopleReached = people.where('users.id', 'in', scope.users().select('users.id')).select(rowCount.as('n'));
  const users = await people.select([rowCount.as('n'), peopleReached.as('reached')]).executeTakeFirstOrThrow();
  return {
    files: countWithin(files.reached ?? 0, files.n),
    users: countWithin(users.reached ?? 0, users.n),
    onHold: await holdOnClient({ db }, clientId),
  };
}

/** Moves the client into the trash with its files and its people; answers what went with it. */
export async function removeClient(
  scope: WriteScope,
  proof: Proof<'clients.delete'>,
  clientId: number,
  deletion: Deletion,
): Promise<ClientRemoval> {
  const tx = { db: scope.unscoped(proof), engine: scope.engine };
  const removal = await countRemoval(scope, proof, clientId);
  const people = await peopleOfOnly(scope, proof, clientId).select('users.id').execute();
  if (people.some((person) => person.id === scope.viewer.id)) throw refuse('own_account');
  await noteLostDocuments(tx.db, 'client', clientId);
  await trashClient(tx, { clientId, peopleIds: people.map(({ id }) => id) }, deletion);
  return removal;
}
