// People in the database.

import { type Expression, type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import { refuse } from '#contract/errors.ts';
import { foldKey } from '#contract/fields.ts';
import type { InvitationState } from '#contract/invitation.ts';
import { hasCommonRouting, type RoleFacts } from '#contract/policy/actor.ts';
import type { Proof } from '#contract/policy.ts';
import type { UserQuery, UserRow, UserUpdate } from '#contract/users.ts';
import { refuseLookAlike } from '../../firm/names/look-alike.ts';
import { addressRefusedAt } from '../../mail/mail-rows.ts';
import { type Page, rowCount } from '../../platform/db/list.ts';
import type { Schema } from '../../platform/db/schema.ts';
import { param } from '../../platform/db/statement.ts';
import { isBrokenReference, isDuplicate } from '../../platform/db/violations.ts';
import type { SearchedTexts } from '../../platform/db/word-match.ts';
import { instant, instantOrNull } from '../../platform/instant.ts';
import { userNameColumns } from '../../platform/names/name-forms.ts';
import { fingerprint } from '../../platform/secrets.ts';
import { sessionOf } from '../access/credential.ts';
import { readPage } from '../access/read-page.ts';
import type { ReadScope, WriteScope } from '../access/scope.ts';
import type { Sources } from '../access/sources.ts';
import { changedNow, type LastChange, versionOf } from '../access/versions.ts';
import { endInvitation, putInvitation, replaceInvitation, withdrawInvitation } from '../auth/invitations.ts';
import { removeSecondFactors, signOutEverywhere } from '../auth/sign-outs.ts';
import { forgetTriesAt } from '../auth/tries.ts';
import { type UserWrite, writeLists } from './access-lists.repo.ts';

interface UserRecord {
  id: number;
  username: string;
  fullName: string;
  roleId: number;
  roleName: string;
  roleKey: RoleFacts['systemKey'];
  clientIds: string | null;
  reportTypeIds: string | null;
  allClients: 0 | 1;
  mustChangePassword: 0 | 1;
  email: string;
  mailRefusedAt: number | null;
  invitedUntil: number | null;
  linkWithdrawn: 0 | 1;
  changedAt: number | null;
}

const sortColumns = {
  fullName: 'users.search_name',
  username: 'users.username_key',
  roleName: 'roles.search_name',
} as const;

function toIds(list: string | null): number[] {
  if (list === null) return [];
  return list
    .split(',')
    .map(Number)
    .sort((a, b) => a - b);
}


function toRow({ roleKey, changedAt, invitedUntil, linkWithdrawn, ...record }: UserRecord): UserRow {
  const user = {
    ...record,
    clientIds: toIds(record.clientIds),
    allClients: record.allClients === 1,
    reportTypeIds: toIds(record.reportTypeIds),
    mustChangePassword: record.mustChangePassword === 1,
    mailRefusedAt: instantOrNull(record.mailRefusedAt),
  };
  const { username, fullName, roleId, clientIds, allClients, reportTypeIds, mustChangePassword, email } = user;
  // Who has all clients is not changed by a new one.
  const clients = allClients ? 'all' : clientIds;
  const content = [username, fullName, roleId, clients, reportTypeIds, mustChangePassword, email];
  return {
    ...user,
    role: { id: roleId, name: user.roleName },
    commonRouting: hasCommonRouting(roleKey),
    invitation:
      invitedUntil === null ? null : { until: instant(invitedUntil), withdrawn: linkWithdrawn === 1 },
    version: versionOf(changedAt, content),
  };
}

function withLists(sources: Sources) {
  return sources
    .users()
    .innerJoin('roles', 'roles.id', 'users.role_id')
    .leftJoin('invitations', 'invitations.user_id', 'users.id')
    .select([
      'users.id as id',
      'users.username as username',
      'users.full_name as fullName',
      'roles.id as roleId',
      'roles.name as roleName',
      'roles.system_key as roleKey',
      'users.all_clients as allClients',
      'users.must_change_password as mustChangePassword',
      'users.email as email',
      addressRefusedAt.as('mailRefusedAt'),
      'invitations.expires_at as invitedUntil',
      sql<0 | 1>`case when invitations.token_hash is null then 1 else 0 end`.as('linkWithdrawn'),
      'users.changed_at as changedAt',
      sql<
        string | null
      >`(select string_agg(cast(held.client_id as text), ',') from user_clients held where held.user_id = users.id)`.as(
        'clientIds',
      ),
      sql<
        string | null
      >`(select string_agg(cast(held.report_type_id as text), ',') from user_report_types held where held.user_id = users.id)`.as(
        'reportTypeIds',
      ),
    ]);
}

/** `searchForm` of a mail address, by the signs that one may hold (`Email` in contract/fields.ts). */
const addressForm = ['@', '.', '-', '_', '+', "'"].reduce(
  (form, sign) => sql`replace(${form}, ${sql.lit(sign)}, '')`,
  sql`lower(${sql.ref('users.email')})`,
);

const byName: SearchedTexts = {
  forms: ['users.search_name', 'roles.search_name'],
  written: ['users.full_name', 'users.username', 'roles.name'],
};
const byNameOrAddress: SearchedTexts = {
  ...byName,
  further: (pattern, as) => (as === 'form' ? sql`${addressForm} like ${pattern}` : sql`false`),
};

/** Of whom there is an invitation such as `link` has to be. */
const whoseLink = (link: RawBuilder<SqlBool>) =>
  sql<SqlBool>`exists (select 1 from invitations link where link.user_id = users.id and ${link})`;
const isOver = sql<SqlBool>`link.expires_at <= ${param<number>('now')}`;

const inState: Readonly<Record<InvitationState, RawBuilder<SqlBool>>> = {
  invited: whoseLink(sql`link.token_hash is not null and not ${isOver}`),
  expired: whoseLink(sql`link.token_hash is not null and ${isOver}`),
  withdrawn: whoseLink(sql`link.token_hash is null`),
  joined: sql<SqlBool>`not ${whoseLink(sql`1 = 1`)}`,
};

/**
 * One page of the users in reach, and how many match; `q` is looked for in full name, user name and role, and where it has an @ in the
 * mail address too: whoever looks for Tom does not mean customer@example.com.
 */
export async function listUsers(scope: ReadScope, query: UserQuery, now: number): Promise<Page<UserRow>> {
  const { state } = query;
  const hasSign = query.q?.includes('@') === true;
  const that = (found: Expression<SqlBool>) =>
    state === undefined ? found : sql<SqlBool>`(${found}) and ${inState[state]}`;
  const { rows, total } = await readPage<UserRecord, keyof typeof sortColumns>(scope, query, {
    name: ['users', ...(state === undefined ? [] : [state]), ...(hasSign ? ['by address'] : [])].join(' '),
    values: { now },
    sortColumns,
    sort: query.sort ?? 'fullName',
    idColumn: 'users.id',
    searched: hasSign ? byNameOrAddress : byName,
    rows: (sources, found) => withLists(sources).where(that(found)),
    count: (sources, found) =>
      sources.users().innerJoin('roles', 'roles.id', 'users.role_id').where(that(found)).select(rowCount.as('total')),
  });
  return { rows: rows.map(toRow), total };
}

/** The user, or null when missing or out of reach. */
export async function findUser(scope: ReadScope, id: number): Promise<UserRow | null> {
  const [row] = await scope.prepared<UserRecord>(
    'users.get',
    (sources) => withLists(sources).where('users.id', '=', param<number>('id')),
    { id },
  );
  return row ? toRow(row) : null;
}

/** Who of this name waits to join by the link with this secret, which only whoever made it knows; null for nobody in reach. */
export async function findInvited(scope: ReadScope, username: string, secret: string): Promise<UserRow | null> {
  const found = await scope
    .users()
    .innerJoin('invitations', 'invitations.user_id', 'users.id')
    .select('users.id as id')
    .where('users.username_key', '=', foldKey(username))
    .where('invitations.token_hash', '=', fingerprint(secret))
    .executeTakeFirst();
  return found === undefined ? null : findUser(scope, found.id);
}

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
