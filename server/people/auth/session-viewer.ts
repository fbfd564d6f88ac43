// The rows that say who acts and with which rights, and the viewer made of them.
import { type Kysely, type SqlBool, sql } from 'kysely';
import type { Capability } from '#contract/policy/actor.ts';
import type { Schema } from '../../platform/db/schema.ts';
import { param } from '../../platform/db/statement.ts';
import { heldCapabilities } from '../access/role-facts.ts';
import type { Viewer } from '../access/viewer.ts';
import { viewerInLook } from './looks.ts';
import { type SessionRules, STEP_UP_MS } from './session-rules.ts';

export interface UserRecord {
  id: number;
  username: string;
  fullName: string;
  roleId: number;
  roleName: string;
  roleKey: Viewer['roleKey'];
  reach: Viewer['reach'];
  allClients: 0 | 1;
  mustChangePassword: 0 | 1;
  capabilities: string | null;
}

export interface SessionRecord extends UserRecord {
  sessionId: number;
  createdAt: number;
  lastSeenAt: number;
  steppedUpAt: number | null;
  /** Of a look: the session that it was opened from. */
  openedFromId: number | null;
}

/** The secrets of a session. */
export type SessionSecretKind = 'session' | 'file-cookie' | 'view-ticket';

/** A session as last read, with the viewer made of it: the same object as long as the row is the same. */
export interface KnownSession {
  readonly record: SessionRecord;
  readonly by: SessionSecretKind;
  viewer: Viewer | null;
  /** Of a look: the session that it was opened from, as far as there is one. */
  readonly openedFrom: KnownSession | null;
}

export interface EnrollingRecord extends UserRecord {
  signInId: number;
  expiresAt: number;
}

const userColumns = [
  'users.id as id',
  'users.username as username',
  'users.full_name as fullName',
  'roles.id as roleId',
  'roles.name as roleName',
  'roles.system_key as roleKey',
  'roles.reach as reach',
  'users.all_clients as allClients',
  'users.must_change_password as mustChangePassword',
] as const;

/** Sessions, with the person that each is of and what they may do; of a look, the person looked at. */
export function sessionsWithRights(db: Kysely<Schema>) {
  return db
    .selectFrom('sessions')
    .innerJoin('users', (join) => join.on(sql<SqlBool>`users.id = coalesce(sessions.looks_at_id, sessions.user_id)`))
    .innerJoin('roles', 'roles.id', 'users.role_id')
    .select([
      'sessions.id as sessionId',
      'sessions.opened_from_id as openedFromId',
      'sessions.created_at as createdAt',
      'sessions.last_seen_at as lastSeenAt',
      'sessions.stepped_up_at as steppedUpAt',
      ...userColumns,
      heldCapabilities.as('capabilities'),
    ]);
}

/** The person of the parameter `userId`. */
export function personWithRights(db: Kysely<Schema>) {
  return db
    .selectFrom('users')
    .innerJoin('roles', 'roles.id', 'users.role_id')
    .select([...userColumns, heldCapabilities.as('capabilities')])
    .where('users.id', '=', param<number>('userId'));
}

/** The sign-in with the parameter `secret` that sets up a first factor. */
export function enrollingSignIn(db: Kysely<Schema>) {
  return db
    .selectFrom('sign_ins')
    .innerJoin('users', 'users.id', 'sign_ins.user_id')
    .innerJoin('roles', 'roles.id', 'users.role_id')
    .select([
      'sign_ins.id as signInId',
      'sign_ins.expires_at as expiresAt',
      ...userColumns,
      heldCapabilities.as('capabilities'),
    ])
    .where('sign_ins.token_hash', '=', param<string>('secret'))
    .where('sign_ins.enrols', '=', 1);
}

function toPerson(record: UserRecord) {
  const { id, username, fullName, roleId, roleName, roleKey, reach, capabilities } = record;
  const held = capabilities === null ? [] : (capabilities.split(' ') as Capability[]);
  const allClients = record.allClients === 1;
  return { id, username, fullName, roleId, roleName, roleKey, reach, allClients, capabilities: held };
}

/** Whether the session is open, and as whom. */
export function viewerOf(known: KnownSession, at: number, rules: SessionRules): Viewer | null {
  const { record, openedFrom } = known;
  const { ageMaxMs, idleMaxMs, secondFactor } = rules;
  if (record.openedFromId !== null) {
    const looker = openedFrom && viewerOf(openedFrom, at, rules);
    const look = viewerInLook(record, { looker, person: toPerson(record), at, former: known.viewer });
    known.viewer = look ?? known.viewer;
    return look;
  }
  const { sessionId, createdAt, lastSeenAt, steppedUpAt } = record;
  if (at - createdAt >= ageMaxMs || at - lastSeenAt >= idleMaxMs) return null;
  // Opened by the password alone, before the profile was switched on.
  if (secondFactor && steppedUpAt === null) return null;
  const requiresStepUp = secondFactor && at - (steppedUpAt ?? 0) >= STEP_UP_MS;
  if (known.viewer?.requiresStepUp !== requiresStepUp) {
    const mustChangePassword = record.mustChangePassword === 1;
    known.viewer = {
      credential: { kind: known.by, sessionId, endsAt: createdAt + ageMaxMs, usedAt: lastSeenAt },
      requiresStepUp,
      mustChangePassword,
      look: null,
      ...toPerson(record),
    };
  }
  return known.viewer;
}

/** A job has nobody who could show a second factor again or choose a password: that is asked for when the job is ordered. */
export const onBehalfOf = (record: UserRecord | undefined): Viewer | null =>
  record === undefined
    ? null
    : {
        credential: { kind: 'job' },
        requiresStepUp: false,
        mustChangePassword: false,
        look: null,
        ...toPerson(record),
      };

/** Somebody on the way to a first factor; what is set up here ends in a session, and that asks for the new password. */
export const enrollingViewer = (record: EnrollingRecord): Viewer => ({
  credential: { kind: 'sign-in', signInId: record.signInId, endsAt: record.expiresAt },
  requiresStepUp: false,
  mustChangePassword: false,
  look: null,
  ...toPerson(record),
});
