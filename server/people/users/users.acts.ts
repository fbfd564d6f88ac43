// What is done to people and their access lists, each with its entries in the logs and the mails that tell of it.

import { lookedAsDetails, updatedDetails } from '#contract/activity-words.ts';
import type { Received } from '#contract/api.ts';
import { refuse } from '#contract/errors.ts';
import type { SessionUser } from '#contract/session.ts';
import type { UserRow, UserUpdate } from '#contract/users.ts';
import { actorOf, record, recordEach } from '../../audit/record.ts';
import { type Origin, recordActOn } from '../../audit/security-events.ts';
import { clientsInTrash } from '../../files/trash/client-rows.ts';
import type { Outbox } from '../../mail/outbox.ts';
import { tellOfNewAddress } from '../../mail/tell.ts';
import type { Now } from '../../platform/clock.ts';
import type { Principal } from '../access/principal.ts';
import type { ReadScope, WriteScope } from '../access/scope.ts';
import { type ExpectedVersions, requireVersion } from '../access/versions.ts';
import { insertLook } from '../auth/looks.ts';
import type { PasswordHasher } from '../auth/password-hasher.ts';
import type { SessionStore } from '../auth/sessions.ts';
import { accessEntries } from './access-entries.ts';
import { chosen, judgeChange, judgeCreation, listsReached, loadRole, loadUser } from './judge-user.ts';
import { findInvited } from './read-users.repo.ts';
import type { ResolvedUser } from './user-import.repo.ts';
import { userRecords } from './user-records.ts';
import {
  insertUser,
  lastChangeOfUser,
  type NewSignIn,
  removeUser,
  replaceLink,
  resetSecondFactor,
  updateUser,
  withdrawLink,
} from './users.repo.ts';
import { accessChange, endOfLink, isSavedAsItIs, toldInLog } from './what-changed.ts';

export interface UserServices extends Now {
  readonly passwords: PasswordHasher;
  readonly outbox: Outbox;
}

/** By what the person signs in from now on; null where that stays. Hashed before a transaction opens: it takes longer than everything else together. */
async function newSignIn(
  { password, invitation }: Pick<UserUpdate, 'password' | 'invitation'>,
  passwords: PasswordHasher,
): Promise<NewSignIn | null> {
  if (invitation) return { passwordHash: passwords.locked(), invitation };
  return password ? { passwordHash: await passwords.hash(password), invitation: null } : null;
}

interface Creation {
  readonly signIn: NewSignIn;
  readonly origin: Origin;
  /** One moment for all that one act writes: by it the overview shows them as one. */
  readonly at: number;
  /** By which the same call is known when it is sent again. */
  readonly key?: string | undefined;
}

/** Adds somebody who was judged already. */
export async function createWithin(
  scope: WriteScope,
  { fields, proof }: ResolvedUser,
  { signIn, origin, at, key }: Creation,
  services: UserServices,
): Promise<UserRow> {
  await recordEach(scope, proof, await accessEntries(scope, null, fields), at);
  const user = await insertUser(scope, proof, fields, signIn, at, key);
  await userRecords(services).recordCreated(scope, proof, user, { secret: signIn.invitation, origin, at });
  return user;
}

export async function createUser(
  principal: Principal,
  { password, invitation, ...given }: Received<'users.create'>['body'],
  origin: Origin,
  services: UserServices,
): Promise<UserRow> {
  const fields = chosen(given);
  await judgeCreation(await principal.read(), fields);
  const signIn = await newSignIn({ password, invitation }, services.passwords);
  if (signIn === null) throw new Error('The contract lets nobody in without a password or an invitation');
  return principal.change('users.create', async (scope) => {
    const proof = await judgeCreation(scope, fields);
    // Sent again because its answer was lost.
    const made = signIn.invitation === null ? null : await findInvited(scope, fields.username, signIn.invitation);
    if (made !== null && isSavedAsItIs(made, fields)) return made;
    return createWithin(scope, { fields, proof }, { signIn, origin, at: services.now() }, services);
  });
}

interface UserChange {
  readonly id: number;
  readonly input: UserUpdate;
  readonly expected: ExpectedVersions;
  readonly origin: Origin;
}

/** Makes a user what `input` says. Refuses `changed_meanwhile`. */
export async function changeUser(
  principal: Principal,
  { id, input, expected, origin }: UserChange,
  services: UserServices,
): Promise<UserRow> {
  const { now } = services;
  const { password, invitation, ...given } = input;
  const fields = chosen(given);
  // Whoever invites takes the password that there was.
  const setsPassword = Boolean(password || invitation);
  const judge = async (scope: ReadScope, user: UserRow) => {
    const proof = await judgeChange(scope, user, fields, setsPassword);
    await requireVersion(scope, expected, user, () => lastChangeOfUser(scope, user.id), now());
    return proof;
  };
  const read = await principal.read();
  await judge(read, await loadUser(read, id));
  const signIn = await newSignIn({ password, invitation }, services.passwords);
  return principal.change('users.update', async (scope) => {
    const former = await loadUser(scope, id);
    const proof = await judge(scope, former);
    const at = now();
    // Saved as it is, it is nobody's change, unless clients in the trash no longer come back into the list.
    if (signIn === null && isSavedAsItIs(former, fields) && (await clientsInTrash(scope, id, at)).length === 0) {
      return former;
    }
    await recordEach(scope, proof, await accessEntries(scope, former, fields), at);
    const user = await updateUser(scope, proof, former.id, fields, signIn, at);
    const told = toldInLog(former, user, signIn?.invitation === null);
    const details = updatedDetails('user', user.username, former.username, told);
    await record(scope, proof, { action: 'update', details }, at);
    await tellOfChange(scope, proof, { former, user, signIn, origin, at }, services);
    return loadUser(scope, id);
  });
}

/** Enters what a change means for the account, and tells the person. */
async function tellOfChange(
  scope: WriteScope,
  proof: Awaited<ReturnType<typeof judgeChange>>,
  {
    former,
    user,
    signIn,
    origin,
    at,
  }: {
    readonly former: UserRow;
    readonly user: UserRow;
    readonly signIn: NewSignIn | null;
    readonly origin: Origin;
    readonly at: number;
  },
  services: UserServices,
): Promise<void> {
  const { now, outbox } = services;
  const { recordInvited, recordTold, recordWithdrawn } = userRecords(services);
  const about = { user, origin };
  if (signIn?.invitation) {
    await recordInvited(scope, proof, user, { secret: signIn.invitation, origin, at });
  } else if (signIn !== null) {
    await recordTold(scope, proof, { kind: 'password_reset', ...about });
  }
  const addresses = { former: former.email, present: user.email };
  await tellOfNewAddress(scope.unscoped(proof), outbox, { ...about, actor: actorOf(scope.viewer), ...addresses }, at);
  const why = signIn === null ? endOfLink(former, user) : null;
  if (why !== null && (await withdrawLink(scope, proof, user.id))) {
    await recordWithdrawn(scope, proof, user, { origin, why });
  }
  const detail = accessChange(former, user);
  if (detail !== null) await recordActOn(scope, proof, { kind: 'access_changed', ...about, detail }, now());
}

export function deleteUser(principal: Principal, id: number, origin: Origin, { now }: Now): Promise<void> {
  return principal.change('users.delete', async (scope) => {
    const user = await loadUser(scope, id);
    const role = await loadRole(scope, user.roleId);
    const proof = scope.authorize('users.delete', {
      userId: user.id,
      role,
      listsReached: await listsReached(scope, user),
    });
    await removeUser(scope, proof, user.id);
    await record(scope, proof, { action: 'delete', details: `Deleted user: ${user.username}` }, now());
    const event = { user, origin, detail: 'account deleted' };
    await recordActOn(scope, proof, { kind: 'access_changed', ...event }, now());
  });
}

/** Opens a session in which the principal sees the portal as the person has it. Its token is handed out once. */
export async function lookAs(
  principal: Principal,
  id: number,
  origin: Origin,
  { now, sessions }: Now & { readonly sessions: SessionStore },
): Promise<{ token: string; user: SessionUser }> {
  const { sessionId, token } = await principal.change('users.look', async (scope) => {
    const user = await loadUser(scope, id);
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
}

/** Gives somebody who has not joined another link in place of the one before. Nothing else of the user is written, so that no open form is overtaken. */
export function inviteAnew(
  principal: Principal,
  { id, secret, origin }: { readonly id: number; readonly secret: string; readonly origin: Origin },
  services: UserServices,
): Promise<UserRow> {
  return principal.change('users.update', async (scope) => {
    const former = await loadUser(scope, id);
    const proof = await judgeChange(scope, former, former, true);
    const at = services.now();
    if (!(await replaceLink(scope, proof, id, secret, at))) throw refuse('gone_meanwhile');
    const user = await loadUser(scope, id);
    await userRecords(services).recordInvited(scope, proof, user, { secret, origin, at });
    return user;
  });
}

/** Makes the link by which somebody may choose a password worthless; twice is as once. Refuses `gone_meanwhile` where nobody waits to join. */
export function withdrawInvitation(
  principal: Principal,
  id: number,
  origin: Origin,
  services: UserServices,
): Promise<void> {
  return principal.change('users.withdraw-invitation', async (scope) => {
    const user = await loadUser(scope, id);
    const proof = scope.authorize('users.withdraw-invitation', {
      role: await loadRole(scope, user.roleId),
      listsReached: await listsReached(scope, user),
    });
    if (await withdrawLink(scope, proof, user.id)) {
      await userRecords(services).recordWithdrawn(scope, proof, user, { origin, why: null });
    } else if (user.invitation?.withdrawn !== true) {
      throw refuse('gone_meanwhile');
    }
  });
}

/** Removes every second factor of somebody who has lost theirs. */
export function resetFactorsOf(
  principal: Principal,
  id: number,
  origin: Origin,
  services: UserServices,
): Promise<void> {
  return principal.change('users.reset-second-factor', async (scope) => {
    const user = await loadUser(scope, id);
    const proof = scope.authorize('users.reset-second-factor', {
      userId: user.id,
      role: await loadRole(scope, user.roleId),
      listsReached: await listsReached(scope, user),
    });
    await resetSecondFactor(scope, proof, user.id);
    const details = `Reset second factor of: ${user.username}`;
    await record(scope, proof, { action: 'update', details }, services.now());
    await userRecords(services).recordTold(scope, proof, { kind: 'second_factor_reset', user, origin });
  });
}
