// The log of account events: written in the transaction of the act, read by the person it is about.
import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { EndpointName } from '#contract/api.ts';
import type { Proof } from '#contract/policy.ts';
import {
  type SecurityEventKind,
  type SecurityEventQuery,
  type SecurityEventRow,
  type SecurityTopic,
  topicOf,
} from '#contract/security-events.ts';
import type { ReadScope, WriteScope } from '../people/access/scope.ts';
import type { Sources } from '../people/access/sources.ts';
import { networkOf } from '../platform/admission/network.ts';
import type { Database } from '../platform/db/database.ts';
import { GatheredWrites } from '../platform/db/gathered-writes.ts';
import { orderedBy, type Page, pageParams, pageValues, rowCount } from '../platform/db/list.ts';
import type { Schema } from '../platform/db/schema.ts';
import { param, transactionStatement } from '../platform/db/statement.ts';

/** Where a request came from. */
export interface Origin {
  readonly address: string;
  readonly userAgent: string;
}

interface EventFacts {
  /** Whose account; null where nobody has the name that was tried. That name is not stored: it may be a password. */
  readonly user: { readonly id: number; readonly username: string } | null;
  /** Who did it; null where nobody is known, as at a failed sign-in. The operator has an id of null. */
  readonly actor: { readonly id: number | null; readonly name: string } | null;
  /** Null for the operator's commands. */
  readonly origin: Origin | null;
}

/** A call that was refused, and in a few words what it was for: the caller may choose what these say. */
export interface Denial extends EventFacts {
  readonly kind: 'denied';
  readonly endpoint: EndpointName;
  readonly detail: string;
}

interface AccountEvent extends EventFacts {
  readonly kind: Exclude<SecurityEventKind, 'denied'>;
  /** A few words; never a secret, a password or a token. For failures one of few texts, which keeps their entries apart. */
  readonly detail?: string;
}

export type SecurityEvent = AccountEvent | Denial;

export const OPERATOR = { id: null, name: 'Operator' } as const;

const USER_AGENT_MAX = 300;
const DETAIL_MAX = 200;
/** How many are answered without a limit. */
const SHOWN_AT_ONCE = 50;
const KEPT_MS = 2 * 366 * 24 * 60 * 60_000;
/** A refusal repeated within this time of the first joins its entry. */
const JOINED_WITHIN_MS = 60 * 60_000;

// Every sign-in runs it, and every refusal.
const insertEvent = transactionStatement((db) =>
  db
    .insertInto('security_events')
    .values({
      at: param<number>('at'),
      times: param<number>('times'),
      open_key: param<string | null>('openKey'),
      kind: param<SecurityEventKind>('kind'),
      user_id: param<number | null>('userId'),
      username: param<string | null>('username'),
      actor_id: param<number | null>('actorId'),
      actor_name: param<string | null>('actorName'),
      address: param<string | null>('address'),
      user_agent: param<string | null>('userAgent'),
      detail: param<string | null>('detail'),
    })
    // However many processes refuse at once, the index lets one entry be open and the others join it.
    .onConflict((conflict) =>
      conflict
        .column('open_key')
        .where('open_key', 'is not', null)
        .doUpdateSet(({ ref }) => ({
          times: sql<number>`security_events.times + ${ref('excluded.times')}`,
          repeated_at: sql<number>`excluded.at`,
          address: ref('excluded.address'),
          user_agent: ref('excluded.user_agent'),
          detail: ref('excluded.detail'),
        })),
    ),
);

/** Repeats join the entry no longer. */
const closeEntry = transactionStatement((db) =>
  db
    .updateTable('security_events')
    .set({ open_key: null })
    .where('open_key', '=', param<string>('openKey'))
    .where('at', '<=', param<number>('before')),
);

/**
 * The key under which an event joins an earlier entry; null where each is an entry of its own. Anyone who repeats
 * what is refused, with another id or from another address of their network each time, adds no more than one an hour.
 */
function openKeyOf(event: SecurityEvent): string | null {
  if (topicOf[event.kind] !== 'refusals') return null;
  const apart = event.kind === 'denied' ? event.endpoint : (event.detail ?? '');
  return [event.kind, event.user?.id ?? 'nobody', networkOf(event.origin?.address ?? ''), apart].join(' ');
}

/** Records one event, or counts a repeated refusal. `at` is in ms since the epoch. */
export async function recordSecurityEvent(
  tx: Kysely<Schema>,
  event: SecurityEvent,
  at: number,
  times = 1,
): Promise<void> {
  const openKey = openKeyOf(event);
  if (openKey !== null) await closeEntry(tx, { openKey, before: at - JOINED_WITHIN_MS });
  await insertEvent(tx, {
    at,
    times,
    openKey,
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

/** Records what `proof` allowed the viewer to do with an account. */
export async function recordActOn(
  scope: WriteScope,
  proof: Proof,
  event: Omit<AccountEvent, 'actor'>,
  at: number,
): Promise<void> {
  const { viewer } = scope;
  await recordSecurityEvent(scope.unscoped(proof), { ...event, actor: { id: viewer.id, name: viewer.fullName } }, at);
}

/** Who is notified of a change together: all who hold a role, or whose lists name a client or a report type. */
export type People = { readonly roleId: number } | { readonly clientId: number } | { readonly reportTypeId: number };

function peopleCondition(people: People): RawBuilder<SqlBool> {
  if ('roleId' in people) return sql`users.role_id = ${people.roleId}`;
  if ('clientId' in people) {
    return sql`users.id in (select held.user_id from user_clients held where held.client_id = ${people.clientId})`;
  }
  return sql`users.id in (select held.user_id from user_report_types held where held.report_type_id = ${people.reportTypeId})`;
}

/** Records for all these people that their rights or reach have changed: before the rows that identify them are gone. */
export async function recordAccessChanged(
  scope: WriteScope,
  proof: Proof,
  people: People,
  { origin, detail }: { readonly origin: Origin; readonly detail: string },
  at: number,
): Promise<void> {
  const { viewer } = scope;
  await scope
    .unscoped(proof)
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
        .where(peopleCondition(people)),
    )
    .execute();
}

/** Records refusals, which belong to no other transaction. */
export interface SecurityLog {
  /** Resolves once the refusal is durable; rejects where it cannot be made so. */
  record(denial: Denial): Promise<void>;
}

export function openSecurityLog(database: Database, now: () => number): SecurityLog {
  const writes = new GatheredWrites<Denial>(database, now, async (tx, denials, at) => {
    const entries = new Map<string, { denial: Denial; times: number }>();
    for (const denial of denials) {
      const key = openKeyOf(denial) ?? '';
      entries.set(key, { denial, times: (entries.get(key)?.times ?? 0) + 1 });
    }
    // In one order, so that no two processes deadlock.
    for (const key of [...entries.keys()].sort()) {
      const entry = entries.get(key);
      if (entry) await recordSecurityEvent(tx, entry.denial, at, entry.times);
    }
    return undefined;
  });
  return {
    async record(denial) {
      await writes.write(denial);
    },
  };
}

interface EventRecord extends Pick<SecurityEventRow, 'id' | 'times' | 'kind' | 'address' | 'detail'> {
  at: number;
  lastAt: number;
  actorId: number | null;
  actorName: string | null;
  device: string | null;
}

/** One page of the events about the viewer, newest first. Where somebody else acted, their address and device are left out. */
export async function ownSecurityEvents(scope: ReadScope, query: SecurityEventQuery): Promise<Page<SecurityEventRow>> {
  const { about } = query;
  const narrowing = about === undefined ? {} : { about };
  const events = (sources: Sources) => {
    const all = sources.ownSecurityEvents();
    return about === undefined
      ? all
      : all.where(sql<SqlBool>`security_events.about = ${param<SecurityTopic>('about')}`);
  };
  const narrowed = about !== undefined;
  const rows = await scope.prepared<EventRecord>(
    `security-events.list ${narrowed}`,
    (sources) =>
      events(sources)
        .select([
          'id',
          'at',
          'times',
          'last_at as lastAt',
          'kind',
          'actor_id as actorId',
          'actor_name as actorName',
          'address',
          'user_agent as device',
          'detail',
        ])
        .orderBy(orderedBy('desc', 'last_at', 'id'))
        .limit(pageParams.limit)
        .offset(pageParams.offset),
    { ...narrowing, ...pageValues(query, SHOWN_AT_ONCE) },
  );
  const [count] = await scope.prepared<{ total: number }>(
    `security-events.count ${narrowed}`,
    (sources) => events(sources).select(rowCount.as('total')),
    narrowing,
  );
  return { rows: rows.map((row) => toRow(row, scope.viewer.id)), total: count?.total ?? 0 };
}

function toRow({ at, lastAt, actorId, actorName, address, device, ...row }: EventRecord, viewerId: number) {
  const another = actorName !== null && actorId !== viewerId;
  return {
    ...row,
    at: new Date(at).toISOString(),
    lastAt: new Date(lastAt).toISOString(),
    actorName: another ? actorName : null,
    address: another ? null : address,
    device: another ? null : device,
  };
}

/** Deletes what is older than two years. */
export async function forgetOldSecurityEvents(database: Database, at: number): Promise<void> {
  await database.transaction((tx) =>
    tx
      .deleteFrom('security_events')
      .where('at', '<=', at - KEPT_MS)
      .execute(),
  );
}
