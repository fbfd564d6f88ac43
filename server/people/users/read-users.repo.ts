// People as they are listed and shown: with their role, their access lists and the link by which they join.

import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely';
import { foldKey } from '#contract/fields.ts';
import type { InvitationState } from '#contract/invitation.ts';
import { hasCommonRouting, type RoleFacts } from '#contract/policy/actor.ts';
import type { UserQuery, UserRow } from '#contract/users.ts';
import { addressRefusedAt } from '../../mail/mail-rows.ts';
import { type Page, rowCount } from '../../platform/db/list.ts';
import { param } from '../../platform/db/statement.ts';
import type { SearchedTexts } from '../../platform/db/word-match.ts';
import { instant, instantOrNull } from '../../platform/instant.ts';
import { fingerprint } from '../../platform/secrets.ts';
import { readPage } from '../access/read-page.ts';
import type { ReadScope } from '../access/scope.ts';
import type { Sources } from '../access/sources.ts';
import { versionOf } from '../access/versions.ts';

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
    invitation: invitedUntil === null ? null : { until: instant(invitedUntil), withdrawn: linkWithdrawn === 1 },
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
