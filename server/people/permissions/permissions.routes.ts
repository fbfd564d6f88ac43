// The role matrix and "who can see this?" over HTTP.

import { refuse } from '#contract/errors.ts';
import { expectedVersions } from '../../api/if-match.ts';
import { originOf } from '../../api/origin.ts';
import type { Handlers } from '../../api/route.ts';
import type { Now } from '../../platform/clock.ts';
import { changePermissions } from './permissions.acts.ts';
import { explainClient, explainUser, listPermissions } from './permissions.repo.ts';

export function permissionRoutes(services: Now): Handlers<'permissions'> {
  return {
    'permissions.list': async ({ read }) => {
      const rows = await listPermissions(read);
      return { rows, total: rows.length };
    },

    'permissions.update': ({ principal, input, request }) =>
      changePermissions(
        principal,
        input.body,
        { expected: expectedVersions(request), origin: originOf(request) },
        services,
      ),

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
