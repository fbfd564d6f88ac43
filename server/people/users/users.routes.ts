// People and their access lists over HTTP.

import { idempotencyKeyOf } from '../../api/idempotency-key.ts';
import { expectedVersions } from '../../api/if-match.ts';
import { originOf } from '../../api/origin.ts';
import type { Handlers } from '../../api/route.ts';
import { clientsInTrash } from '../../files/trash/client-rows.ts';
import type { SessionStore } from '../auth/sessions.ts';
import { importUsers } from './import-users.ts';
import { loadUser } from './judge-user.ts';
import { listUsers } from './read-users.repo.ts';
import {
  changeUser,
  createUser,
  deleteUser,
  inviteAnew,
  lookAs,
  resetFactorsOf,
  type UserServices,
  withdrawInvitation,
} from './users.acts.ts';

export function userRoutes(
  services: UserServices,
  { sessions }: { readonly sessions: SessionStore },
): Handlers<'users'> {
  return {
    'users.list': ({ read, input }) => listUsers(read, input.query, services.now()),

    'users.get': async ({ read, input }) => {
      const user = await loadUser(read, input.params.id);
      return { ...user, clientsInTrash: await clientsInTrash(read, user.id, services.now()) };
    },

    'users.create': ({ principal, input, request }) => createUser(principal, input.body, originOf(request), services),

    'users.import': ({ principal, input, request, reply }) =>
      importUsers(
        principal,
        {
          input: input.body,
          key: idempotencyKeyOf(request),
          origin: originOf(request),
          isOver: () => reply.raw.destroyed,
        },
        services,
      ),

    'users.update': ({ principal, input, request }) =>
      changeUser(
        principal,
        {
          id: input.params.id,
          input: input.body,
          expected: expectedVersions(request),
          origin: originOf(request),
        },
        services,
      ),

    'users.delete': ({ principal, input, request }) =>
      deleteUser(principal, input.params.id, originOf(request), services),

    'users.look': ({ principal, input, request }) =>
      lookAs(principal, input.params.id, originOf(request), { ...services, sessions }),

    'users.invite-anew': ({ principal, input, request }) =>
      inviteAnew(
        principal,
        { id: input.params.id, secret: input.body.invitation, origin: originOf(request) },
        services,
      ),

    'users.withdraw-invitation': ({ principal, input, request }) =>
      withdrawInvitation(principal, input.params.id, originOf(request), services),

    'users.reset-second-factor': ({ principal, input, request }) =>
      resetFactorsOf(principal, input.params.id, originOf(request), services),

    'users.client-access': async ({ read, input }) => (await loadUser(read, input.params.id)).clientIds,
    'users.report-access': async ({ read, input }) => (await loadUser(read, input.params.id)).reportTypeIds,
  };
}
