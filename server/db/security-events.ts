// The log of what was done with accounts: written in the transaction of what it tells, read by the person it is about.
import { type Kysely, sql } from 'kysely';
import type { Proof } from '#contract/policy.ts';
import type { SecurityEventKind, SecurityEventRow } from '#contract/security-events.ts';
import type { Database } from './database.ts';
import type { Schema } from './schema.ts';
import type { ReadScope, WriteScope } from './scope.ts';
import { hole, transactionStatement } from './statement.ts';

/** Where a request came from. */
export interface Origin {
  readonly address: string;
  readonly userAgent: string;
}

export interface SecurityEvent {
  readonly kind: SecurityEventKind;
  /** Whose account; null where a name was tried that belongs to nobody, and no such name is kept: it may be a password. */
  readonly user: { readonly id: number; readonly username: string } | null;
  /** Who did it; null where nobody is known, as at a failed sign-in, and for the operator an id of null. */
  readonly actor: { readonly id: number | null; readonly name: string } | null;
  /** Null for the operator's commands. */
  readonly origin: Origin | null;
  /** A few words; never a secret, a password or a token. */
  readonly detail?: string;
}

export const OPERATOR = { id: null, name: 'Operator' } as const;

const USER_AGENT_MAX = 300;
const DETAIL_MAX = 200;
/** What a person is shown; the rest is for whoever reads the database. */
const SHOWN_MAX = 50;
const KEPT_MS = 2 * 366 * 24 * 60 * 60_000;

// Every sign-in runs it, and every failed one.
const insertEvent = transactionStatement((db) =>
  db.insertInto('security_events').values({
    at: hole<number>('at'),
    kind: hole<SecurityEventKind>('kind'),
    user_id: hole<number | null>('userId'),
    username: hole<string | null>('username'),
    actor_id: hole<number | null>('actorId'),
    actor_name: hole<string | null>('actorName'),
    address: hole<string | null>('address'),
    user_agent: hole<string | null>('userAgent'),
    detail: hole<string | null>('detail'),
  }),
);

/** Writes one event down. `at` is in ms since the epoch. */
export async function recordSecurityEvent(tx: Kysely<Schema>, event: SecurityEvent, at: number): Promise<void> {
  await insertEvent(tx, {
    at,
    kind: event.kind,
    userId: event.user?.id ?? null,
    username: event.user?.username ?? null,
    actorId: event.actor?.id ?? null,
    actorName: event.actor?.name ?? null,
    address: event.origin?.address ?? null,
    userAgent: event.origin?.userAgent.slice(0, USER_AGENT_MAX) ?? null,
    detail: event.detail?.slice(0, DETAIL_MAX) ?? null,
  });
}

/** Writes down what `proof` allowed the viewer to do with an account. */
export async function recordActOn(
  scope: WriteScope,
  proof: Proof,
  event: Omit<SecurityEvent, 'actor'>,
  at: number,
): Promise<void> {
  const { viewer } = scope;
  await recordSecurityEvent(scope.beyond(proof), { ...event, actor: { id: viewer.id, name: viewer.fullName } }, at);
}

/** Writes down, for everybody who holds the role, that what they may do has changed. */
export async function recordRoleChanged(
  scope: WriteScope,
  proof: Proof<'permissions.update'>,
  roleId: number,
  { origin, detail }: { readonly origin: Origin; readonly detail: string },
  at: number,
): Promise<void> {
  const { viewer } = scope;
  await scope
    .beyond(proof)
    .insertInto('security_events')
    .columns(['at', 'kind', 'user_id', 'username', 'actor_id', 'actor_name', 'address', 'user_agent', 'detail'])
    .expression((eb) =>
      eb
        .selectFrom('users')
        .select((held) => [
          sql<number>`cast(${at} as bigint)`.as('at'),
          sql<SecurityEventKind>`cast(${'access_changed'} as text)`.as('kind'),
          held.ref('users.id').as('user_id'),
          held.ref('users.username').as('username'),
          sql<number | null>`cast(${viewer.id} as bigint)`.as('actor_id'),
          sql<string | null>`cast(${viewer.fullName} as text)`.as('actor_name'),
          sql<string | null>`cast(${origin.address} as text)`.as('address'),
          sql<string | null>`cast(${origin.userAgent.slice(0, USER_AGENT_MAX)} as text)`.as('user_agent'),
          sql<string | null>`cast(${detail.slice(0, DETAIL_MAX)} as text)`.as('detail'),
        ])
        .where('users.role_id', '=', roleId),
    )
    .execute();
}

/** Takes down what no other act carries along, such as a refusal. */
export interface SecurityLog {
  record(event: SecurityEvent): Promise<void>;
}

export function openSecurityLog(database: Database, now: () => number): SecurityLog {
  return { record: (event) => database.transaction((tx) => recordSecurityEvent(tx, event, now())) };
}

/** The newest events about the viewer. Where somebody else was at work, their address and device are not told. */
export async function ownSecurityEvents(scope: ReadScope): Promise<SecurityEventRow[]> {
  const rows = await scope
    .ownSecurityEvents()
    .select(['id', 'at', 'kind', 'actor_id', 'actor_name', 'address', 'user_agent', 'detail'])
    .orderBy('id', 'desc')
    .limit(SHOWN_MAX)
    .execute();
  return rows.map(({ id, at, kind, actor_id, actor_name, address, user_agent, detail }) => {
    const another = actor_name !== null && actor_id !== scope.viewer.id;
    return {
      id,
      at: new Date(at).toISOString(),
      kind,
      actorName: another ? actor_name : null,
      address: another ? null : address,
      device: another ? null : user_agent,
      detail,
    };
  });
}

/** Forgets what is older than two years. */
export async function forgetOldSecurityEvents(database: Database, at: number): Promise<void> {
  await database.transaction((tx) =>
    tx
      .deleteFrom('security_events')
      .where('at', '<=', at - KEPT_MS)
      .execute(),
  );
}
