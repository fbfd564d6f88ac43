// What is written of people, and what it must not break.

import type { Kysely } from 'kysely';
import { refuse } from '#contract/errors.ts';
import type { Proof } from '#contract/policy.ts';
import type { UserRow, UserUpdate } from '#contract/users.ts';
import { refuseLookAlike } from '../../firm/names/look-alike.ts';
import { rowCount } from '../../platform/db/list.ts';
import type { Schema } from '../../platform/db/schema.ts';
import { isBrokenReference, isDuplicate } from '../../platform/db/violations.ts';
import { userNameColumns } from '../../platform/names/name-forms.ts';
import { fingerprint } from '../../platform/secrets.ts';
import { sessionOf } from '../access/credential.ts';
import type { ReadScope, WriteScope } from '../access/scope.ts';
import { changedNow, type LastChange } from '../access/versions.ts';
import { endInvitation, putInvitation, replaceInvitation, withdrawInvitation } from '../auth/invitations.ts';
import { removeSecondFactors, signOutEverywhere } from '../auth/sign-outs.ts';
import { forgetTriesAt } from '../auth/tries.ts';
import { type UserWrite, writeLists } from './access-lists.repo.ts';
import { findUser } from './read-users.repo.ts';

/** What is stored of a key: under it, nobody but the viewer finds whom the viewer has added. */
const keyOf = (scope: ReadScope, key: string) => fingerprint(`${scope.viewer.id} ${key}`);

/** Somebody as a list has added them, with the hash of the password that it gave. */
interface AddedUser {
  readonly id: number;
  readonly passwordHash: string;
}

/** Whom the viewer has added under the key, by folded user name, without those who were changed since or have chosen another password. */
export async function findAdded(scope: ReadScope, key: string): Promise<ReadonlyMap<string, AddedUser>> {
  const rows = await scope
    .users()
    .select(['users.id as id', 'users.username_key as name', 'users.password_hash as passwordHash'])
    .where('users.idempotency_key', '=', keyOf(scope, key))
    .where('users.must_change_password', '=', 1)
    .where('users.changed_at', 'is', null)
    .execute();
  return new Map(rows.map(({ name, ...added }) => [name, added]));
}

export function lastChangeOfUser(scope: ReadScope, id: number): Promise<LastChange | undefined> {
  return scope
    .users()
    .select(['users.changed_at', 'users.changed_by_id'])
    .where('users.id', '=', id)
    .executeTakeFirst();
}

/** Gives both names: to the user of `ownId`, or to a new one. */
async function naming<T>(
  scope: WriteScope,
  proof: UserWrite,
  input: Pick<UserUpdate, 'username' | 'fullName'>,
  ownId: number | null,
  work: () => Promise<T>,
): Promise<T> {
  const isReached = async (id: number) => (await findUser(scope, id)) !== null;
  const given = { ownId, isReached };
  await refuseLookAlike(scope, proof, { column: 'users.username', field: 'username', name: input.username, ...given });
  await refuseLookAlike(scope, proof, { column: 'users.full_name', field: 'fullName', name: input.fullName, ...given });
  try {
    return await work();
  } catch (error) {
    if (isDuplicate(error, 'username_key')) throw refuse('username_taken');
    if (isBrokenReference(error)) throw refuse('gone_meanwhile');
    throw error;
  }
}

function toColumns(input: UserFields) {
  return {
    ...userNameColumns(input),
    role_id: input.roleId,
    all_clients: input.allClients ? (1 as const) : (0 as const),
    ...(typeof input.email === 'string' ? { email: input.email } : {}),
    ...(typeof input.mustChangePassword === 'boolean'
      ? { must_change_password: input.mustChangePassword ? (1 as const) : (0 as const) }
      : {}),
  };
}

type UserFields = Omit<UserUpdate, 'password' | 'invitation'>;

/** By what the person signs in: a password, or none before the link with this secret was used. */
export interface NewSignIn {
  readonly passwordHash: string;
  readonly invitation: string | null;
}

const holdSignIn = (tx: Kysely<Schema>, userId: number, { invitation }: NewSignIn, at: number) =>
  invitation === null ? endInvitation(tx, userId) : putInvitation(tx, userId, invitation, at);

export async function insertUser(
  scope: WriteScope,
  proof: Proof<'users.create'>,
  input: UserFields,
  signIn: NewSignIn,
  at: number,
  key: string | undefined,
): Promise<UserRow> {
  return naming(scope, proof, input, null, async () => {
    const tx = scope.unscoped(proof);
    const { id } = await tx
      .insertInto('users')
      .values({
        ...toColumns(input),
        password_hash: signIn.passwordHash,
        created_at: at,
        idempotency_key: key === undefined ? null : keyOf(scope, key),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await holdSignIn(tx, id, signIn, at);
    await writeLists(scope, proof, id, input);
    return present(scope, id);
  });
}

/** Changes a user; with a new password or invitation every session of the user ends, except the one that did it, and the tries at it are cleared. */
export async function updateUser(
  scope: WriteScope,
  proof: Proof<'users.update'>,
  id: number,
  input: UserFields,
  signIn: NewSignIn | null,
  at: number,
): Promise<UserRow> {
  return naming(scope, proof, input, id, async () => {
    const tx = scope.unscoped(proof);
    const columns = { ...toColumns(input), ...changedNow(scope, at) };
    await tx.updateTable('users').set(columns).where('id', '=', id).execute();
    if (signIn !== null) {
      await holdSignIn(tx, id, signIn, at);
      await tx.updateTable('users').set({ password_hash: signIn.passwordHash }).where('id', '=', id).execute();
      await signOutEverywhere(tx, id, sessionOf(scope.viewer).sessionId);
      await forgetTriesAt(scope, tx, id);
    }
    await writeLists(scope, proof, id, input);
    await keepOneAdmin(scope, proof);
    return present(scope, id);
  });
}

/** Gives the user another invitation link in place of the one before; false where there was none. */
export function replaceLink(
  scope: WriteScope,
  proof: Proof<'users.update'>,
  id: number,
  secret: string,
  at: number,
): Promise<boolean> {
  return replaceInvitation(scope.unscoped(proof), id, secret, at);
}

/** Makes the invitation link of the user worthless; false where there was none. */
export function withdrawLink(
  scope: WriteScope,
  proof: Proof<'users.update'> | Proof<'users.withdraw-invitation'>,
  id: number,
): Promise<boolean> {
  return withdrawInvitation(scope.unscoped<'users.update' | 'users.withdraw-invitation'>(proof), id);
}

/** Removes every second factor of the user, who is signed out everywhere and may try again at once. */
export async function resetSecondFactor(
  scope: WriteScope,
  proof: Proof<'users.reset-second-factor'>,
  id: number,
): Promise<void> {
  const tx = scope.unscoped(proof);
  await removeSecondFactors(tx, id);
  await forgetTriesAt(scope, tx, id);
}

export async function removeUser(scope: WriteScope, proof: Proof<'users.delete'>, id: number): Promise<void> {
  await scope.unscoped(proof).deleteFrom('users').where('id', '=', id).execute();
  await keepOneAdmin(scope, proof);
}

/** Checked after the change and inside its transaction: where no Admin is left who can sign in, everything is rolled back. */
async function keepOneAdmin(scope: WriteScope, proof: Proof<'users.update'> | Proof<'users.delete'>): Promise<void> {
  const { n } = await scope
    .unscoped<'users.update' | 'users.delete'>(proof)
    .selectFrom('users')
    .innerJoin('roles', 'roles.id', 'users.role_id')
    .select(rowCount.as('n'))
    .leftJoin('invitations', 'invitations.user_id', 'users.id')
    .where('roles.system_key', '=', 'admin')
    // Whoever was invited may never join.
    .where('invitations.user_id', 'is', null)
    .executeTakeFirstOrThrow();
  if (n === 0) throw refuse('last_admin');
}

async function present(scope: WriteScope, id: number): Promise<UserRow> {
  const row = await findUser(scope, id);
  if (row === null) throw refuse('gone_meanwhile');
  return row;
}
