// People and their access lists over HTTP.
import { refuse, refuseFields } from '#contract/errors.ts';
import { authorize } from '#contract/policy.ts';
import type { UserRow } from '#contract/users.ts';
import { record } from '../../db/record.ts';
import { findRoleFacts } from '../../db/role-facts.ts';
import type { ReadScope, WriteScope } from '../../db/scope.ts';
import { recordActOn } from '../../db/security-events.ts';
import { originOf } from '../../http/origin.ts';
import type { Handlers } from '../../http/route.ts';
import type { Services } from '../../services.ts';
import {
  findUser,
  insertUser,
  listUsers,
  reachesLists,
  removeUser,
  resetSecondFactor,
  updateUser,
} from './users.repo.ts';

async function loadUser(scope: ReadScope, id: number): Promise<UserRow> {
  const user = await findUser(scope, id);
  if (user === null) throw refuse('not_found');
  return user;
}

async function loadRole(scope: WriteScope, roleId: number) {
  const role = await findRoleFacts(scope, roleId);
  if (role === null) throw refuseFields({ roleId: 'Please select a role' });
  return role;
}

interface Lists {
  readonly clientIds: readonly number[];
  readonly reportTypeIds: readonly number[];
}

/** Whether the viewer reaches all of `lists`. For whoever reaches everything, what is not reached does not exist. */
async function listsReached(scope: WriteScope, lists: Lists): Promise<boolean> {
  const reached = await reachesLists(scope, lists);
  if (!reached && scope.viewer.reach === 'all') {
    throw refuseFields({ clientIds: 'Some of the chosen clients or report types no longer exist' });
  }
  return reached;
}

const sameIds = (one: readonly number[], other: readonly number[]) => String(one) === String(other);

/** What changed of what a person may reach or do, in a few words; null where nothing did. */
function accessChange(former: UserRow, user: UserRow): string | null {
  const changes = [
    ...(former.roleId === user.roleId ? [] : [`role ${user.roleName}`]),
    ...(sameIds(former.clientIds, user.clientIds) ? [] : ['clients']),
    ...(sameIds(former.reportTypeIds, user.reportTypeIds) ? [] : ['report types']),
  ];
  return changes.length === 0 ? null : changes.join(', ');
}

const both = (one: readonly number[], other: readonly number[]) => [...new Set([...one, ...other])];

export function userRoutes({ now, passwords }: Services): Handlers<'users'> {
  return {
    'users.list': ({ read, input }) => listUsers(read, input.query),

    'users.create': async ({ viewer, input, change, request }) => {
      const { password, ...fields } = input.body;
      // Hashed before the transaction opens: it takes longer than everything else together.
      const passwordHash = await passwords.hash(password);
      return change(async (scope) => {
        await scope.serialize('roles-and-users');
        const role = await loadRole(scope, fields.roleId);
        const proof = authorize(viewer, 'users.create', { role, listsReached: await listsReached(scope, fields) });
        const user = await insertUser(scope, proof, fields, passwordHash, now());
        await record(scope, proof, { action: 'update', details: `Created user: ${user.username}` }, now());
        const event = {
          kind: 'access_changed',
          user,
          origin: originOf(request),
          detail: `added as ${user.roleName}`,
        } as const;
        await recordActOn(scope, proof, event, now());
        return user;
      });
    },

    'users.update': async ({ viewer, input, read, change, request }) => {
      const { password, ...fields } = input.body;
      await loadUser(read, input.params.id);
      const passwordHash = password ? await passwords.hash(password) : null;
      return change(async (scope) => {
        await scope.serialize('roles-and-users');
        const former = await loadUser(scope, input.params.id);
        const proof = authorize(viewer, 'users.update', {
          formerRole: await loadRole(scope, former.roleId),
          role: await loadRole(scope, fields.roleId),
          listsReached: await listsReached(scope, {
            clientIds: both(fields.clientIds, former.clientIds),
            reportTypeIds: both(fields.reportTypeIds, former.reportTypeIds),
          }),
          setsPassword: passwordHash !== null,
        });
        const user = await updateUser(scope, proof, former.id, fields, passwordHash);
        await record(scope, proof, { action: 'update', details: `Updated user: ${user.username}` }, now());
        const about = { user, origin: originOf(request) };
        if (passwordHash !== null) await recordActOn(scope, proof, { kind: 'password_reset', ...about }, now());
        const detail = accessChange(former, user);
        if (detail !== null) await recordActOn(scope, proof, { kind: 'access_changed', ...about, detail }, now());
        return user;
      });
    },

    'users.delete': ({ viewer, input, change }) =>
      change(async (scope) => {
        await scope.serialize('roles-and-users');
        const user = await loadUser(scope, input.params.id);
        const role = await loadRole(scope, user.roleId);
        const proof = authorize(viewer, 'users.delete', {
          userId: user.id,
          role,
          listsReached: await listsReached(scope, user),
        });
        await removeUser(scope, proof, user.id);
        await record(scope, proof, { action: 'delete', details: `Deleted user: ${user.username}` }, now());
      }),

    'users.reset-second-factor': ({ viewer, input, change, request }) =>
      change(async (scope) => {
        await scope.serialize('roles-and-users');
        const user = await loadUser(scope, input.params.id);
        const proof = authorize(viewer, 'users.reset-second-factor', {
          role: await loadRole(scope, user.roleId),
          listsReached: await listsReached(scope, user),
        });
        await resetSecondFactor(scope, proof, user.id);
        await record(scope, proof, { action: 'update', details: `Reset second factor of: ${user.username}` }, now());
        await recordActOn(scope, proof, { kind: 'second_factor_reset', user, origin: originOf(request) }, now());
      }),

    'users.client-access': async ({ read, input }) => (await loadUser(read, input.params.id)).clientIds,
    'users.report-access': async ({ read, input }) => (await loadUser(read, input.params.id)).reportTypeIds,
  };
}
