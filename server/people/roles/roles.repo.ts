// Roles in the database.

import { refuse } from '#contract/errors.ts';
import { newRoleRights } from '#contract/policy/actor.ts';
import type { Proof } from '#contract/policy.ts';
import type { RoleInput, RoleQuery, RoleRow } from '#contract/roles.ts';
import { refuseLookAlike } from '../../firm/names/look-alike.ts';
import { type Page, rowCount } from '../../platform/db/list.ts';
import { isDuplicate } from '../../platform/db/violations.ts';
import { nameColumns } from '../../platform/names/name-forms.ts';
import { countWithin } from '../access/reach.ts';
import { readPage } from '../access/read-page.ts';
import { findRoleFacts } from '../access/role-facts.ts';
import type { ReadScope, WriteScope } from '../access/scope.ts';
import { changedNow, versionOf } from '../access/versions.ts';

const columns = [
  'roles.id as id',
  'roles.name as name',
  'roles.system_key as systemKey',
  'roles.changed_at as changedAt',
] as const;

interface RoleRecord extends Omit<RoleRow, 'version'> {
  changedAt: number | null;
}

function toRow({ changedAt, ...role }: RoleRecord): RoleRow {
  return { ...role, version: versionOf(changedAt, [role.name]) };
}

export async function listRoles(scope: ReadScope, query: RoleQuery): Promise<Page<RoleRow>> {
  const { rows, total } = await readPage<RoleRecord, 'name'>(scope, query, {
    name: 'roles',
    sortColumns: { name: 'roles.search_name' },
    sort: query.sort ?? 'name',
    idColumn: 'roles.id',
    searched: { forms: ['roles.search_name'], written: ['roles.name'] },
    rows: (sources, found) => sources.roles().where(found).select(columns),
    count: (sources, found) => sources.roles().where(found).select(rowCount.as('total')),
  });
  return { rows: rows.map(toRow), total };
}

/** The role, or null when it is missing or out of reach. */
export async function findRole(scope: ReadScope, id: number): Promise<RoleRow | null> {
  const role = await scope.roles().select(columns).where('roles.id', '=', id).executeTakeFirst();
  return role ? toRow(role) : null;
}

/** Gives a name: to the role of `ownId`, or to a new one. */
async function naming<T>(
  scope: WriteScope,
  proof: Proof<'roles.create'> | Proof<'roles.update'>,
  name: string,
  ownId: number | null,
  work: () => Promise<T>,
): Promise<T> {
  const isReached = async (id: number) => (await findRoleFacts(scope, id)) !== null;
  await refuseLookAlike(scope, proof, { column: 'roles.name', field: 'name', name, ownId, isReached });
  try {
    return await work();
  } catch (error) {
    if (isDuplicate(error, 'name_key')) throw refuse('role_name_taken');
    throw error;
  }
}

export function insertRole(
  scope: WriteScope,
  proof: Proof<'roles.create'>,
  input: RoleInput,
  at: number,
): Promise<RoleRow> {
  return naming(scope, proof, input.name, null, async () => {
    const role = await scope
      .unscoped(proof)
      .insertInto('roles')
      .values({
        ...nameColumns(input.name),
        system_key: null,
        reach: newRoleRights.reach,
        created_at: at,
      })
      .returning(columns)
      .executeTakeFirstOrThrow();
    return toRow(role);
  });
}

export function renameRole(
  scope: WriteScope,
  proof: Proof<'roles.update'>,
  id: number,
  input: RoleInput,
  at: number,
): Promise<RoleRow> {
  return naming(scope, proof, input.name, id, async () => {
    const role = await scope
      .unscoped(proof)
      .updateTable('roles')
      .set({ ...nameColumns(input.name), ...changedNow(scope, at) })
      .where('id', '=', id)
      .returning(columns)
      .executeTakeFirst();
    if (role === undefined) throw refuse('not_found');
    return toRow(role);
  });
}

export async function removeRole(scope: WriteScope, proof: Proof<'roles.delete'>, id: number): Promise<void> {
  const tx = scope.unscoped(proof);
  const { n } = await tx
    .selectFrom('users')
    .select(rowCount.as('n'))
    .where('role_id', '=', id)
    .executeTakeFirstOrThrow();
  if (n > 0) {
    const reached = await scope
      .users()
      .select(rowCount.as('n'))
      .where('users.role_id', '=', id)
      .executeTakeFirstOrThrow();
    throw refuse('role_in_use', { users: countWithin(reached.n, n) });
  }
  await tx.deleteFrom('roles').where('id', '=', id).execute();
}
