// The signed-in person as the browser gets it.
import type { Kysely } from 'kysely';
import { hasCommonRouting } from '#contract/policy/actor.ts';
import type { SessionUser } from '#contract/session.ts';
import type { Schema } from '../../platform/db/schema.ts';
import { sessionOf } from '../access/credential.ts';
import type { Viewer } from '../access/viewer.ts';
import { readPreferences } from './preferences.ts';
import type { SessionRules } from './session-rules.ts';

export async function presentSessionUser(
  reader: Kysely<Schema>,
  viewer: Viewer,
  { idleMaxMs }: SessionRules,
): Promise<SessionUser> {
  const clients = await reader
    .selectFrom('user_clients')
    .select('client_id')
    .where('user_id', '=', viewer.id)
    .orderBy('client_id')
    .execute();
  const reportTypes = await reader
    .selectFrom('user_report_types')
    .select('report_type_id')
    .where('user_id', '=', viewer.id)
    .orderBy('report_type_id')
    .execute();
  const { id, username, fullName, roleId, roleName, roleKey, reach, capabilities } = viewer;
  const { allClients, mustChangePassword } = viewer;
  return {
    id,
    username,
    fullName,
    roleId,
    roleName,
    role: { id: roleId, name: roleName },
    roleKey,
    look: viewer.look && { as: viewer.look.as },
    reach,
    capabilities: [...capabilities],
    commonRouting: hasCommonRouting(roleKey),
    allClients,
    mustChangePassword,
    clientIds: clients.map((row) => row.client_id),
    reportTypeIds: reportTypes.map((row) => row.report_type_id),
    preferences: await readPreferences(reader, viewer.id),
    session: { idleMaxMs, endsAt: new Date(sessionOf(viewer).endsAt).toISOString() },
  };
}
