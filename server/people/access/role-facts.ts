// A role's rights as the policy judges them, and who last changed its name or its rights.
import { sql } from 'kysely';
import type { RoleFacts } from '#contract/policy/actor.ts';
import type { ReadScope } from './scope.ts';
import type { LastChange } from './versions.ts';

/** In a query of roles: what each may do, with spaces between and in no order; null where it may do nothing. */
export const heldCapabilities = sql<
  string | null
>`(select string_agg(held.capability, ' ') from role_capabilities held where held.role_id = roles.id)`;

/** The role, or null when it is missing or out of reach. */
export async function findRoleFacts(scope: ReadScope, roleId: number): Promise<(RoleFacts & { name: string }) | null> {
  const role = await scope
    .roles()
    .select(['roles.name as name', 'roles.system_key as systemKey', 'roles.reach as reach'])
    .where('roles.id', '=', roleId)
    .executeTakeFirst();
  if (role === undefined) return null;
  const held = await scope
    .roles()
    .innerJoin('role_capabilities', 'role_capabilities.role_id', 'roles.id')
    .select('role_capabilities.capability as capability')
    .where('roles.id', '=', roleId)
    .execute();
  return { ...role, capabilities: held.map((row) => row.capability) };
}

export function lastChangeOfRole(scope: ReadScope, id: number): Promise<LastChange | undefined> {
  return scope
    .roles()
    .select(['roles.changed_at', 'roles.changed_by_id'])
    .where('roles.id', '=', id)
    .executeTakeFirst();
}
