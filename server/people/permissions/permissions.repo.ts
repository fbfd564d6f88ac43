// The role matrix, and who can see what because of it.
import { sql } from 'kysely';
import type { Capability, Reach } from '#contract/policy/actor.ts';
import { CAPABILITIES } from '#contract/policy/actor.ts';
import { reachesEveryUser } from '#contract/policy/reach.ts';
import type { Proof } from '#contract/policy.ts';
import { may } from '#contract/policy.ts';
import type { ClientReach, PermissionChange, RolePermissions, UserReach } from '#contract/roles.ts';
import { idWithEachKey, listText } from '../../platform/db/id-list.ts';
import { heldCapabilities } from '../access/role-facts.ts';
import type { ReadScope, WriteScope } from '../access/scope.ts';
import { changedNow, versionOf } from '../access/versions.ts';

const holders = sql<number | null>`cast((select count(*) from users holder where holder.role_id = roles.id) as bigint)`;
const notTold = sql<number | null>`null`;

/** Capabilities in the order of the contract, whatever order the database gave them in. */
function toCapabilities(list: string | null): Capability[] {
  const held = list === null ? [] : list.split(' ');
  return CAPABILITIES.filter((capability) => held.includes(capability));
}

function withRights(scope: ReadScope) {
  return scope
    .roles()
    .select([
      'roles.id as id',
      'roles.name as name',
      'roles.system_key as systemKey',
      'roles.reach as reach',
      'roles.changed_at as changedAt',
      heldCapabilities.as('capabilities'),
      (reachesEveryUser(scope.viewer) ? holders : notTold).as('users'),
    ]);
}

interface RightsRecord extends Omit<RolePermissions, 'capabilities' | 'version'> {
  readonly capabilities: string | null;
  readonly changedAt: number | null;
}

function toPermissions({ changedAt, ...row }: RightsRecord): RolePermissions {
  const capabilities = toCapabilities(row.capabilities);
  return { ...row, capabilities, version: versionOf(changedAt, [row.reach, ...capabilities]) };
}

/** Every role in reach with its rights: the built-in ones first, the others by name. */
export async function listPermissions(scope: ReadScope): Promise<RolePermissions[]> {
  const rows = await withRights(scope)
    .orderBy(sql`case when roles.system_key is null then 1 else 0 end`)
    .orderBy('roles.search_name')
    .execute();
  return rows.map(toPermissions);
}

export async function findPermissions(scope: ReadScope, roleId: number): Promise<RolePermissions | null> {
  const row = await withRights(scope).where('roles.id', '=', roleId).executeTakeFirst();
  return row ? toPermissions(row) : null;
}

/** Sets what a role may do and how far it reaches. */
export async function writePermissions(
  scope: WriteScope,
  proof: Proof<'permissions.update'>,
  { roleId, capabilities, reach }: Required<PermissionChange>,
  at: number,
): Promise<void> {
  const tx = scope.unscoped(proof);
  await tx
    .updateTable('roles')
    .set({ reach, ...changedNow(scope, at) })
    .where('id', '=', roleId)
    .execute();
  await tx.deleteFrom('role_capabilities').where('role_id', '=', roleId).execute();
  await tx
    .insertInto('role_capabilities')
    .columns(['role_id', 'capability'])
    .expression(idWithEachKey(sql`${roleId}`, listText([...new Set(capabilities)])))
    .execute();
}

/** Why somebody sees a client that they see. */
function whyClient({ reach, allClients }: { readonly reach: Reach; readonly allClients: 0 | 1 }) {
  if (reach === 'all') return 'reach-all';
  return allClients === 1 ? 'all-clients' : 'access-list';
}

/** What a user in reach sees, cut to what the viewer reaches too; null when the user is missing or out of reach. */
export async function explainUser(scope: ReadScope, userId: number): Promise<UserReach | null> {
  const user = await scope
    .users()
    .innerJoin('roles', 'roles.id', 'users.role_id')
    .select(['roles.reach as reach', 'users.all_clients as allClients'])
    .where('users.id', '=', userId)
    .executeTakeFirst();
  if (user === undefined) return null;
  const why = whyClient(user);
  const clients = scope.clients().select(['clients.id as id', 'clients.name as name']).orderBy('clients.search_name');
  const reportTypes = scope
    .reportTypes()
    .select(['report_types.id as id', 'report_types.name as name'])
    .orderBy('report_types.search_name');
  const clientRows = await (user.reach === 'all'
    ? clients
    : clients.where((eb) =>
        eb('clients.id', 'in', eb.selectFrom('user_clients').select('client_id').where('user_id', '=', userId)),
      )
  ).execute();
  const reportTypeRows = await (user.reach === 'all'
    ? reportTypes
    : reportTypes.where((eb) =>
        eb(
          'report_types.id',
          'in',
          eb.selectFrom('user_report_types').select('report_type_id').where('user_id', '=', userId),
        ),
      )
  ).execute();
  return {
    reach: user.reach,
    clients: clientRows.map((row) => ({ ...row, why })),
    reportTypes: reportTypeRows.map((row) => ({ ...row, why: user.reach === 'all' ? 'reach-all' : 'access-list' })),
  };
}

/** The people in reach who reach a client, and the report types each sees there; null when the client is out of reach. */
export async function explainClient(scope: ReadScope, clientId: number): Promise<ClientReach | null> {
  const client = await scope.clients().select('clients.id').where('clients.id', '=', clientId).executeTakeFirst();
  if (client === undefined) return null;
  const people = await scope
    .users()
    .innerJoin('roles', 'roles.id', 'users.role_id')
    .select([
      'users.id as id',
      'users.username as username',
      'users.full_name as fullName',
      'roles.name as roleName',
      'roles.system_key as roleKey',
      'roles.reach as reach',
      'users.all_clients as allClients',
      heldCapabilities.as('capabilities'),
    ])
    .where((eb) =>
      eb.or([
        eb('roles.reach', '=', 'all'),
        eb('users.id', 'in', eb.selectFrom('user_clients').select('user_id').where('client_id', '=', clientId)),
      ]),
    )
    .orderBy('users.search_name')
    .orderBy('users.id')
    .execute();
  const types = await scope
    .reportTypes()
    .select(['report_types.id as id', 'report_types.name as name'])
    .orderBy('report_types.search_name')
    .execute();
  const held = await scope
    .users()
    .innerJoin('user_clients', 'user_clients.user_id', 'users.id')
    .innerJoin('user_report_types', 'user_report_types.user_id', 'users.id')
    .select(['users.id as userId', 'user_report_types.report_type_id as reportTypeId'])
    .where('user_clients.client_id', '=', clientId)
    .execute();
  const typesOf = new Map<number, Set<number>>();
  for (const { userId, reportTypeId } of held) {
    const ids = typesOf.get(userId) ?? new Set();
    typesOf.set(userId, ids.add(reportTypeId));
  }
  return {
    users: people.map(({ reach, allClients, capabilities, ...person }) => ({
      ...person,
      mayLook: may(scope.viewer, 'users.look', {
        userId: person.id,
        role: { systemKey: person.roleKey, reach, capabilities: toCapabilities(capabilities) },
      }),
      why: whyClient({ reach, allClients }),
      reportTypes: types
        .filter((type) => reach === 'all' || typesOf.get(person.id)?.has(type.id))
        .map((type) => type.name),
    })),
  };
}
