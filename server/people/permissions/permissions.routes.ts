// The role matrix and "who can see this?" over HTTP.

import { refuse } from '#contract/errors.ts';
import { expectedVersions } from '../../api/if-match.ts';
import { originOf } from '../../api/origin.ts';
import type { Handlers } from '../../api/route.ts';
import { record } from '../../audit/record.ts';
import { recordAccessChanged } from '../../audit/security-events.ts';
import type { Now } from '../../platform/clock.ts';
import { lastChangeOfRole } from '../access/role-facts.ts';
import { requireVersion } from '../access/versions.ts';
import { explainClient, explainUser, findPermissions, listPermissions, writePermissions } from './permissions.repo.ts';

export function permissionRoutes({ now }: Now): Handlers<'permissions'> {
  return {
    'permissions.list': async ({ read }) => {
      const rows = await listPermissions(read);
      return { rows, total: rows.length };
    },

    'permissions.update': ({ input, change, request }) =>
      change(async (scope) => {
        const role = await findPermissions(scope, input.body.roleId);
        if (role === null) throw refuse('not_found');
        const rights = { capabilities: input.body.capabilities, reach: input.body.reach ?? role.reach };
        const proof = scope.authorize('permissions.update', { role, change: rights });
        await requireVersion(scope, expectedVersions(request), role, () => lastChangeOfRole(scope, role.id), now());
        await writePermissions(scope, proof, { roleId: role.id, ...rights }, now());
        await record(scope, proof, { action: 'update', details: `Changed permissions of role: ${role.name}` }, now());
        const event = { origin: originOf(request), detail: `permissions of role ${role.name}` };
        await recordAccessChanged(scope, proof, { roleId: role.id }, event, now());
        const changed = await findPermissions(scope, role.id);
        if (changed === null) throw refuse('gone_meanwhile');
        return changed;
      }),

    'permissions.user': async ({ read, input }) => {
      const reach = await explainUser(read, input.params.id);
      if (reach === null) throw refuse('not_found');
      return reach;
    },

    'permissions.client': async ({ read, input }) => {
      const reach = await explainClient(read, input.params.id);
      if (reach === null) throw refuse('not_found');
      return reach;
    },
  };
}
