// Creates what an empty database needs before anyone can sign in: the built-in roles and the first Admin.

import { SYSTEM_ROLES, systemRoles } from '#contract/policy/actor.ts';
import type { Database } from '../../platform/db/database.ts';
import { rowCount } from '../../platform/db/list.ts';
import { nameColumns, userNameColumns } from '../../platform/names/name-forms.ts';

/** Adds the built-in roles that are missing. */
export async function createBuiltInRoles(database: Database, at: number): Promise<void> {
  await database.transaction(async (tx) => {
    await database.serialize(tx, 'rights');
    for (const key of SYSTEM_ROLES) {
      const known = await tx.selectFrom('roles').select('id').where('system_key', '=', key).executeTakeFirst();
      if (known !== undefined) continue;
      const { name, reach, capabilities } = systemRoles[key];
      const { id } = await tx
        .insertInto('roles')
        .values({ ...nameColumns(name), system_key: key, reach, created_at: at })
        .returning('id')
        .executeTakeFirstOrThrow();
      await tx
        .insertInto('role_capabilities')
        .values(capabilities.map((capability) => ({ role_id: id, capability })))
        .execute();
    }
  });
}

export async function hasUsers(database: Database): Promise<boolean> {
  const { n } = await database.reader.selectFrom('users').select(rowCount.as('n')).executeTakeFirstOrThrow();
  return n > 0;
}

/** Creates the first Admin; false when a user exists already, perhaps from a process that started at the same time. */
export async function makeFirstAdmin(
  database: Database,
  admin: { username: string; passwordHash: string; at: number },
): Promise<boolean> {
  return database.transaction(async (tx) => {
    await database.serialize(tx, 'rights');
    const { n } = await tx.selectFrom('users').select(rowCount.as('n')).executeTakeFirstOrThrow();
    if (n > 0) return false;
    const role = await tx.selectFrom('roles').select('id').where('system_key', '=', 'admin').executeTakeFirstOrThrow();
    await tx
      .insertInto('users')
      .values({
        ...userNameColumns({ username: admin.username, fullName: 'Administrator' }),
        password_hash: admin.passwordHash,
        role_id: role.id,
        created_at: admin.at,
      })
      .execute();
    return true;
  });
}
