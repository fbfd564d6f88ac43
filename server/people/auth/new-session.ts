// How a session begins: its secrets are sent out once, only their SHA-256 is stored.
import type { ExpressionBuilder, Kysely } from 'kysely';
import { counted } from '#contract/plain-words.ts';
import { OPEN_SESSIONS_MAX } from '#contract/session.ts';
import { type Origin, recordSecurityEvent } from '../../audit/security-events.ts';
import type { Schema } from '../../platform/db/schema.ts';
import { fingerprint, newSecret } from '../../platform/secrets.ts';
import { rememberNetwork } from './known-networks.ts';
import { rulesOf, type SessionRules } from './session-rules.ts';

const USER_AGENT_MAX = 300;

/** What is sent out once; only the fingerprints are stored. */
export interface SessionSecrets {
  readonly sessionId: number;
  readonly token: string;
  readonly cookie: string;
}

/** Whose session it is. */
export interface Owner {
  readonly id: number;
  readonly username: string;
  readonly fullName: string;
}

interface NewSession {
  readonly user: Owner;
  readonly origin: Origin;
  readonly at: number;
  readonly steppedUp: boolean;
}

/** Locks the user's row until the transaction ends. */
export async function lockUser(tx: Kysely<Schema>, userId: number): Promise<void> {
  await tx
    .updateTable('users')
    .set((eb) => ({ role_id: eb.ref('role_id') }))
    .where('id', '=', userId)
    .execute();
}

/**
 * A new session, in the transaction of what opens it. Its network counts as known from then on. The caller holds the user's
 * row, so that of two sign-ins at once each sees the other's session.
 */
export async function insertSession(tx: Kysely<Schema>, session: NewSession): Promise<SessionSecrets> {
  const { user, origin, at, steppedUp } = session;
  await makeRoom(tx, session);
  const token = newSecret();
  const cookie = newSecret();
  const { id } = await tx
    .insertInto('sessions')
    .values({
      user_id: user.id,
      token_hash: fingerprint(token),
      cookie_hash: fingerprint(cookie),
      created_at: at,
      last_seen_at: at,
      user_agent: storedUserAgent(origin),
      address: origin.address,
      stepped_up_at: steppedUp ? at : null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await rememberNetwork(tx, { userId: user.id, address: origin.address, at });
  return { sessionId: id, token, cookie };
}

/** The sessions of a person that are not over; a look is no sign-in. */
export function openSessions(db: Kysely<Schema>, userId: number, rules: SessionRules, at: number) {
  const open = db
    .selectFrom('sessions')
    .where('user_id', '=', userId)
    .where('opened_from_id', 'is', null)
    .where('created_at', '>', at - rules.ageMaxMs)
    .where('last_seen_at', '>', at - rules.idleMaxMs);
  return rules.secondFactor ? open.where('stepped_up_at', 'is not', null) : open;
}

const storedUserAgent = (origin: Origin) => origin.userAgent.slice(0, USER_AGENT_MAX);

/**
 * Ends as many sessions as leave a place for one more: the least recently used ones, those of the device that signs in before
 * any other, so that a script that never signs out ends its own and not those of a person's browsers.
 */
async function makeRoom(tx: Kysely<Schema>, { user, origin, at, steppedUp }: NewSession): Promise<void> {
  const open = openSessions(tx, user.id, rulesOf[steppedUp ? 'on' : 'off'], at);
  const { count } = await open.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow();
  const surplus = Number(count) + 1 - OPEN_SESSIONS_MAX;
  if (surplus <= 0) return;
  const isOfThisDevice = (eb: ExpressionBuilder<Schema, 'sessions'>) =>
    eb.and([eb('user_agent', '=', storedUserAgent(origin)), eb('address', '=', origin.address)]);
  const ended = open
    .select('id')
    .orderBy((eb) => eb.case().when(isOfThisDevice(eb)).then(0).else(1).end())
    .orderBy('last_seen_at')
    .orderBy('id')
    .limit(surplus);
  await tx.deleteFrom('sessions').where('id', 'in', ended).execute();
  const detail = `${counted(surplus, 'session')} to make room: at most ${OPEN_SESSIONS_MAX} stay open`;
  await recordSecurityEvent(tx, { kind: 'session_ended', ...byOneself(user), origin, detail }, at);
}

/** Of an event: what a person does with the own account. */
export const byOneself = (user: Owner) => ({ user, actor: { id: user.id, name: user.fullName } });
