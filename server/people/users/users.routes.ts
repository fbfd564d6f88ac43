// People and their access lists over HTTP.

import type { FastifyRequest } from 'fastify';
import { lookedAsDetails } from '#contract/activity-words.ts';
import { refuse } from '#contract/errors.ts';
import type { UserRow, UserUpdate } from '#contract/users.ts';
import { expectedVersions } from '../../api/if-match.ts';
import { originOf } from '../../api/origin.ts';
import type { Handlers } from '../../api/route.ts';
import { actorOf, record, recordEach } from '../../audit/record.ts';
import { type Origin, recordActOn } from '../../audit/security-events.ts';
import { clientsInTrash } from '../../files/trash/client-rows.ts';
import type { Outbox } from '../../mail/outbox.ts';
import { tellOfNewAddress } from '../../mail/tell.ts';
import type { Now } from '../../platform/clock.ts';
import type { ReadScope, WriteScope } from '../access/scope.ts';
import { requireVersion } from '../access/versions.ts';
import { insertLook } from '../auth/looks.ts';
import type { PasswordHasher } from '../auth/password-hasher.ts';
import type { SessionStore } from '../auth/sessions.ts';
import { accessEntries } from './access-entries.ts';
import { importUsers } from './import-users.ts';
import { chosen, judgeChange, judgeCreation, listsReached, loadRole, loadUser } from './judge-user.ts';
import type { ResolvedUser } from './user-import.repo.ts';
import { userRecords } from './user-records.ts';
import {
  insertUser,
  lastChangeOfUser,
  listUsers,
  type NewSignIn,
  removeUser,
  resetSecondFactor,
  updateUser,
  withdrawLink,
} from './users.repo.ts';
import { accessChange, endOfLink } from './what-changed.ts';

/** Refuses a change of another version than the one that was read. */
function requireUserVersion(scope: ReadScope, request: FastifyRequest, user: UserRow, now: number) {
  return requireVersion(scope, expectedVersions(request), user, () => lastChangeOfUser(scope, user.id), now);
}

export function userRoutes(
  { now, passwords, outbox }: Now & { readonly passwords: PasswordHasher; readonly outbox: Outbox },
  { sessions }: { readonly sessions: SessionStore },
): Handlers<'users'> {
  /** By what the person signs in from now on; null where that stays. Hashed before a transaction opens: it takes longer than everything else together. */
  async function newSignIn({ password, invitation }: Pick<UserUpdate, 'password' | 'invitation'>) {
    if (invitation) return { passwordHash: passwords.locked(), invitation };
    return password ? { passwordHash: await passwords.hash(password), invitation: null } : null;
  }

  const { recordTold, recordInvited, recordWithdrawn, recordCreated } = userRecords({ now, outbox });

  /** `at` is one moment for all that one act writes: by it the overview shows them as one. */
  const create = async (
    scope: WriteScope,
    { fields, proof }: ResolvedUser,
    signIn: NewSignIn,
    origin: Origin,
    at: number,
  ) => {
    await recordEach(scope, proof, await accessEntries(scope, null, fields), at);
    const user = await insertUser(scope, proof, fields, signIn, at);
    await recordCreated(scope, proof, user, { secret: signIn.invitation, origin, at });
    return user;
  };

  return {
    'users.list': ({ read, input }) => listUsers(read, input.query),

    'users.get': async ({ read, input }) => {
      const user = await loadUser(read, input.params.id);
      return { ...user, clientsInTrash: await clientsInTrash(read, user.id, now()) };
    },

    'users.create': async ({ input, read, change, request }) => {
      const { password, invitation, ...body } = input.body;
      const fields = chosen(body);
      await judgeCreation(read, fields);
      const signIn = await newSignIn({ password, invitation });
      if (signIn === null) throw new Error('The contract lets nobody in without a password or an invitation');
      return change(async (scope) => {
        const proof = await judgeCreation(scope, fields);
        return create(scope, { fields, proof }, signIn, originOf(request), now());
      });
    },

    'users.import': (call) =>
      importUsers(
        call,
        passwords,
        (scope, user, signIn, at) => create(scope, user, signIn, originOf(call.request), at),
        now,
      ),

    'users.update': async ({ input, read, change, request }) => {
      const { password, invitation, ...body } = input.body;
      const fields = chosen(body);
      const { id } = input.params;
      // Whoever invites takes the password that there was.
      const setsPassword = Boolean(password || invitation);
      const known = await loadUser(read, id);
      await judgeChange(read, known, fields, setsPassword);
      await requireUserVersion(read, request, known, now());
      const signIn = await newSignIn({ password, invitation });
      return change(async (scope) => {
        const former = await loadUser(scope, id);
        const proof = await judgeChange(scope, former, fields, setsPassword);
        await requireUserVersion(scope, request, former, now());
        const at = now();
        await recordEach(scope, proof, await accessEntries(scope, former, fields), at);
        const user = await updateUser(scope, proof, former.id, fields, signIn, at);
        await record(scope, proof, { action: 'update', details: `Updated user: ${user.username}` }, at);
        const about = { user, origin: originOf(request) };
        if (signIn?.invitation) {
          await recordInvited(scope, proof, user, { secret: signIn.invitation, origin: about.origin, at });
        } else if (signIn !== null) {
          await recordTold(scope, proof, { kind: 'password_reset', ...about });
        }
        const addresses = { former: former.email, present: user.email };
        await tellOfNewAddress(
          scope.unscoped(proof),
          outbox,
          { ...about, actor: actorOf(scope.viewer), ...addresses },
          at,
        );
        const why = signIn === null ? endOfLink(former, user) : null;
        if (why !== null && (await withdrawLink(scope, proof, id))) {
          await recordWithdrawn(scope, proof, user, { origin: about.origin, why });
        }
        const detail = accessChange(former, user);
        if (detail !== null) await recordActOn(scope, proof, { kind: 'access_changed', ...about, detail }, now());
        return loadUser(scope, id);
      });
    },

    'users.delete': ({ input, change, request }) =>
      change(async (scope) => {
        const user = await loadUser(scope, input.params.id);
        const role = await loadRole(scope, user.roleId);
        const proof = scope.authorize('users.delete', {
          userId: user.id,
          role,
          listsReached: await listsReached(scope, user),
        });
        await removeUser(scope, proof, user.id);
        await record(scope, proof, { action: 'delete', details: `Deleted user: ${user.username}` }, now());
        const event = { user, origin: originOf(request), detail: 'account deleted' };
        await recordActOn(scope, proof, { kind: 'access_changed', ...event }, now());
      }),

    'users.look': async ({ input, change, request }) => {
      const origin = originOf(request);
      const { sessionId, token } = await change(async (scope) => {
        const user = await loadUser(scope, input.params.id);
        const proof = scope.authorize('users.look', { userId: user.id, role: await loadRole(scope, user.roleId) });
        const at = now();
        const look = await insertLook(scope, proof, user, origin, at);
        const details = lookedAsDetails(user.fullName, user.roleName);
        await record(scope, proof, { action: 'view', details }, at);
        await recordActOn(scope, proof, { kind: 'looked_at', user, origin }, at);
        return look;
      });
      const viewer = await sessions.bySession(sessionId);
      // Rights have changed since.
      if (viewer === null) throw refuse('forbidden');
      return { token, user: await sessions.present(viewer) };
    },

    'users.withdraw-invitation': ({ input, change, request }) =>
      change(async (scope) => {
        const user = await loadUser(scope, input.params.id);
        const proof = scope.authorize('users.withdraw-invitation', {
          role: await loadRole(scope, user.roleId),
          listsReached: await listsReached(scope, user),
        });
        if (!(await withdrawLink(scope, proof, user.id))) throw refuse('not_found');
        await recordWithdrawn(scope, proof, user, { origin: originOf(request), why: null });
      }),

    'users.reset-second-factor': ({ input, change, request }) =>
      change(async (scope) => {
        const user = await loadUser(scope, input.params.id);
        const proof = scope.authorize('users.reset-second-factor', {
          role: await loadRole(scope, user.roleId),
          listsReached: await listsReached(scope, user),
        });
        await resetSecondFactor(scope, proof, user.id);
        await record(scope, proof, { action: 'update', details: `Reset second factor of: ${user.username}` }, now());
        await recordTold(scope, proof, { kind: 'second_factor_reset', user, origin: originOf(request) });
      }),

    'users.client-access': async ({ read, input }) => (await loadUser(read, input.params.id)).clientIds,
    'users.report-access': async ({ read, input }) => (await loadUser(read, input.params.id)).reportTypeIds,
  };
}
