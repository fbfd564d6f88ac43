// Sessions and view tickets: secrets are sent out once, only their SHA-256 is stored.

import { type ExpressionBuilder, type Kysely, type SqlBool, sql } from 'kysely';
import { refuse } from '#contract/errors.ts';
import { counted } from '#contract/plain-words.ts';
import { type Capability, hasCommonRouting } from '#contract/policy.ts';
import { OPEN_SESSIONS_MAX, type SessionUser } from '#contract/session.ts';
import { type Origin, recordSecurityEvent, type SecurityEvent } from '../../audit/security-events.ts';
import type { Outbox } from '../../mail/outbox.ts';
import { recordAndTell } from '../../mail/tell.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Schema } from '../../platform/db/schema.ts';
import {
  bindParams,
  param,
  prepareStatement,
  type Statement,
  transactionStatement,
} from '../../platform/db/statement.ts';
import { VersionedCache } from '../../platform/db/versioned-cache.ts';
import { fingerprint, newSecret, TICKET_FIRST_USE_MS } from '../../platform/secrets.ts';
import { sessionOf } from '../access/credential.ts';
import type { Viewer, ViewerWithin } from '../access/scope.ts';
import type { Attempt } from './attempts.ts';
import { rememberNetwork } from './known-networks.ts';
import { LOOK_MAX_MS, viewerInLook } from './looks.ts';
import { readPreferences } from './preferences.ts';
import { signOutEverywhere } from './sign-outs.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

interface SessionRules {
  readonly idleMaxMs: number;
  readonly ageMaxMs: number;
  /** A session's last use is recorded no more often than this. */
  readonly touchEveryMs: number;
  /** A session must have shown a second factor, and shows it again for some acts. */
  readonly secondFactor: boolean;
}

const rulesOf: Record<'on' | 'off', SessionRules> = {
  off: { idleMaxMs: 7 * DAY_MS, ageMaxMs: 30 * DAY_MS, touchEveryMs: 5 * MINUTE_MS, secondFactor: false },
  on: { idleMaxMs: 30 * MINUTE_MS, ageMaxMs: DAY_MS / 2, touchEveryMs: MINUTE_MS, secondFactor: true },
};

/** A second factor once shown is enough for this long. */
const STEP_UP_MS = 5 * MINUTE_MS;
const USER_AGENT_MAX = 300;

export interface Credentials {
  readonly id: number;
  readonly username: string;
  readonly fullName: string;
  readonly passwordHash: string;
}

/** What is sent out once; only the fingerprints are stored. */
export interface SessionSecrets {
  readonly sessionId: number;
  readonly token: string;
  readonly cookie: string;
}

export interface Device {
  readonly id: number;
  readonly createdAt: number;
  readonly lastSeenAt: number;
  readonly userAgent: string;
  readonly address: string;
}

interface Lookup {
  /** Whether the lookup counts as a use of the session, which ends when nobody uses it; true unless given. */
  readonly uses: boolean;
}

const USED: Lookup = { uses: true };

/** The sessions as the route guard needs them. Each returns null for what is unknown, over or not for this file. */
export interface SessionLookup {
  byToken(token: string, how?: Lookup): Promise<Viewer | null>;
  /** The same session again, with the current rights. */
  bySession(sessionId: number, how?: Lookup): Promise<Viewer | null>;
  byFileCookie(cookie: string): Promise<Viewer | null>;
  /** A person on whose behalf a job acts, with the current rights. */
  byPerson(userId: number): Promise<Viewer | null>;
  /** Somebody whose password was right and who has no second factor yet: the token sets one up and does nothing else. */
  byEnrolment(token: string): Promise<Viewer | null>;
  /**
   * A ticket opens its file once, whichever part of it is asked for; of two concurrent uses one succeeds. Where it is
   * only looked at (`uses` is false), it stays as it was.
   */
  byViewTicket(ticket: string, fileId: number, how: { readonly uses: boolean }): Promise<Viewer | null>;
}

export interface SessionStore extends SessionLookup {
  /** The viewer of a session as of a transaction; null where the session is over. */
  readonly within: ViewerWithin;
  credentials(usernameKey: string): Promise<Credentials | null>;
  passwordHash(userId: number): Promise<string | null>;
  /** Opens a session by the password alone; null where `verified.passwordHash` is no longer the user's. */
  open(verified: Credentials, origin: Origin, attempt: Attempt): Promise<SessionSecrets | null>;
  /** Stores a costlier hash of the same password, where `formerHash` is still the stored one. */
  rehash(userId: number, formerHash: string, passwordHash: string): Promise<void>;
  /** A wrong password; `user` is null where nobody has the name: what was typed is not stored. */
  recordFailure(user: SecurityEvent['user'], origin: Origin, detail?: string): Promise<void>;
  signOut(viewer: Viewer, origin: Origin): Promise<void>;
  /** Ends one of the viewer's sessions; false where it is none of theirs. */
  end(viewer: Viewer, sessionId: number, origin: Origin): Promise<boolean>;
  endOthers(viewer: Viewer, origin: Origin): Promise<void>;
  /**
   * Stores a new password hash, ends every other session and gives this one new secrets; `changed` where the verified password
   * is no longer the user's. Refuses `unauthenticated` where the session ended meanwhile, and changes nothing.
   */
  changePassword(
    viewer: Viewer,
    hashes: { readonly verified: string; readonly next: string },
    origin: Origin,
    attempt: Attempt,
  ): Promise<SessionSecrets | 'changed'>;
  devices(userId: number): Promise<Device[]>;
  /** Deletes sessions and tickets that can no longer be used. */
  forgetExpired(): Promise<void>;
  /** The signed-in person as the browser gets it. */
  present(viewer: Viewer): Promise<SessionUser>;
}

/** Whose session it is. */
type Owner = Pick<Credentials, 'id' | 'username' | 'fullName'>;

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
function openSessions(db: Kysely<Schema>, userId: number, rules: SessionRules, at: number) {
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

interface UserRecord {
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

interface SessionRecord extends UserRecord {
  sessionId: number;
  createdAt: number;
  lastSeenAt: number;
  steppedUpAt: number | null;
  /** Of a look: the session that it was opened from. */
  openedFromId: number | null;
}

/** The secrets of a session. */
type SessionSecretKind = 'session' | 'file-cookie' | 'view-ticket';

/** A session as last read, with the viewer made of it: the same object as long as the row is the same. */
interface KnownSession {
  readonly record: SessionRecord;
  readonly by: SessionSecretKind;
  viewer: Viewer | null;
  /** Of a look: the session that it was opened from, as far as there is one. */
  readonly openedFrom: KnownSession | null;
}

interface EnrollingRecord extends UserRecord {
  signInId: number;
  expiresAt: number;
}

const heldCapabilities = sql<
  string | null
>`(select string_agg(held.capability, ' ') from role_capabilities held where held.role_id = roles.id)`;

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

function toPerson(record: UserRecord) {
  const { id, username, fullName, roleId, roleName, roleKey, reach, capabilities } = record;
  const held = capabilities === null ? [] : (capabilities.split(' ') as Capability[]);
  const allClients = record.allClients === 1;
  return { id, username, fullName, roleId, roleName, roleKey, reach, allClients, capabilities: held };
}

/** `safeguards`: the shorter limits of SAFEGUARDS=on, and no session that has not shown a second factor. */
export function openSessionStore(
  database: Database,
  now: () => number,
  { safeguards, outbox }: { readonly safeguards: boolean; readonly outbox: Outbox },
): SessionStore {
  const { reader } = database;
  const rules = rulesOf[safeguards ? 'on' : 'off'];
  const { idleMaxMs, ageMaxMs, touchEveryMs, secondFactor } = rules;

  const withRights = (db: Kysely<Schema>) =>
    db
      .selectFrom('sessions')
      // Of a look, the person looked at.
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
  const personWithRights = (db: Kysely<Schema>) =>
    db
      .selectFrom('users')
      .innerJoin('roles', 'roles.id', 'users.role_id')
      .select([...userColumns, heldCapabilities.as('capabilities')])
      .where('users.id', '=', param<number>('userId'));
  const byUserId = prepareStatement(personWithRights(reader));
  const byUserIdWithin = transactionStatement(personWithRights);
  const byEnrollingSignIn = prepareStatement(
    reader
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
      .where('sign_ins.enrols', '=', 1),
  );

  async function toViewer(known: KnownSession | undefined, { uses } = USED): Promise<Viewer | null> {
    if (known === undefined) return null;
    const at = now();
    const viewer = viewerOf(known, at);
    const { sessionId, lastSeenAt } = known.record;
    if (uses && viewer !== null && viewer.look === null && at - lastSeenAt >= touchEveryMs) {
      await database.transaction((tx) =>
        tx.updateTable('sessions').set({ last_seen_at: at }).where('id', '=', sessionId).execute(),
      );
    }
    return viewer;
  }

  async function read(
    statement: Statement,
    secret: string | number,
    by: SessionSecretKind = 'session',
  ): Promise<KnownSession | undefined> {
    const [record] = await database.rows<SessionRecord>(statement, bindParams(statement, { secret }));
    return record && known(record, by, (id) => read(byId, id));
  }

  /** A session as just read, with the one that it was opened from. */
  async function known(
    record: SessionRecord,
    by: SessionSecretKind,
    find: (id: number) => Promise<KnownSession | undefined>,
  ): Promise<KnownSession> {
    const openedFrom = record.openedFromId === null ? null : ((await find(record.openedFromId)) ?? null);
    return { record, by, viewer: null, openedFrom };
  }

  /** Finds the sessions of requests by one kind of secret. Each kind has its own cache: a cookie sent as a token must find nothing. */
  function finder(by: 'session' | 'file-cookie'): (secret: string, how?: Lookup) => Promise<Viewer | null> {
    const column = by === 'session' ? 'token_hash' : 'cookie_hash';
    const statement = prepareStatement(withRights(reader).where(`sessions.${column}`, '=', param<string>('secret')));
    const sessions = new VersionedCache<string, KnownSession>(database);
    return async (secret, how) => {
      const hash = fingerprint(secret);
      return toViewer(await sessions.get(hash, () => read(statement, hash, by)), how);
    };
  }

  const byId = prepareStatement(withRights(reader).where('sessions.id', '=', param<number>('secret')));
  /** Read again: a lookup by id is a repeated check of something that has been running for a while. */
  const bySession = async (sessionId: number, how?: Lookup, by?: SessionSecretKind) =>
    toViewer(await read(byId, sessionId, by), how);

  const bySessionWithin = transactionStatement((db) =>
    withRights(db).where('sessions.id', '=', param<number>('sessionId')),
  );

  async function readWithin(
    tx: Kysely<Schema>,
    sessionId: number,
    by: SessionSecretKind = 'session',
  ): Promise<KnownSession | undefined> {
    const [record] = await bySessionWithin(tx, { sessionId });
    return record && known(record, by, (id) => readWithin(tx, id));
  }

  /** Whether the session is open, and as whom. */
  function viewerOf(known: KnownSession, at: number): Viewer | null {
    const { record, openedFrom } = known;
    if (record.openedFromId !== null) {
      const looker = openedFrom && viewerOf(openedFrom, at);
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
        credential: { kind: known.by, sessionId, endsAt: createdAt + ageMaxMs },
        requiresStepUp,
        mustChangePassword,
        look: null,
        ...toPerson(record),
      };
    }
    return known.viewer;
  }

  /** A job has nobody who could show a second factor again or choose a password: that is asked for when the job is ordered. */
  const behalfOf = (record: UserRecord | undefined): Viewer | null =>
    record === undefined
      ? null
      : {
          credential: { kind: 'job' },
          requiresStepUp: false,
          mustChangePassword: false,
          look: null,
          ...toPerson(record),
        };

  const within: ViewerWithin = async (tx, { id, credential }) => {
    switch (credential.kind) {
      case 'job':
        return behalfOf((await byUserIdWithin(tx, { userId: id }))[0]);
      case 'sign-in':
        // Sets up a factor, and nothing that a scope writes.
        return null;
      case 'session':
      case 'file-cookie':
      case 'view-ticket':
      case 'look': {
        // Whether it is a look the row says.
        const by = credential.kind === 'look' ? 'session' : credential.kind;
        const session = await readWithin(tx, credential.sessionId, by);
        return session === undefined ? null : viewerOf(session, now());
      }
    }
  };

  /** Locks the user's row until the transaction ends; false where `passwordHash` is no longer the user's. */
  async function holdsPassword(tx: Kysely<Schema>, userId: number, passwordHash: string, next = passwordHash) {
    const { numUpdatedRows } = await tx
      .updateTable('users')
      .set({ password_hash: next })
      .where('id', '=', userId)
      .where('password_hash', '=', passwordHash)
      .executeTakeFirst();
    return numUpdatedRows === 1n;
  }

  return {
    byToken: finder('session'),
    byFileCookie: finder('file-cookie'),
    bySession,
    within,

    async byPerson(userId) {
      const [record] = await database.rows<UserRecord>(byUserId, bindParams(byUserId, { userId }));
      return behalfOf(record);
    },

    async byEnrolment(token) {
      if (!secondFactor) return null;
      const parameters = bindParams(byEnrollingSignIn, { secret: fingerprint(token) });
      const [record] = await database.rows<EnrollingRecord>(byEnrollingSignIn, parameters);
      if (record === undefined || record.expiresAt <= now()) return null;
      const { signInId, expiresAt } = record;
      // What is set up here ends in a session, and that asks for the new password.
      const nothingAsked = { requiresStepUp: false, mustChangePassword: false, look: null };
      return { credential: { kind: 'sign-in', signInId, endsAt: expiresAt }, ...nothingAsked, ...toPerson(record) };
    },

    async byViewTicket(ticket, fileId, { uses }) {
      const at = now();
      const unused = (eb: ExpressionBuilder<Schema, 'view_tickets'>) =>
        eb.and([
          eb('ticket_hash', '=', fingerprint(ticket)),
          eb.or([eb('version_id', '=', fileId), eb.and([eb('file_id', '=', fileId), eb('version_id', 'is', null)])]),
          eb('opened_at', 'is', null),
          eb('created_at', '>', at - TICKET_FIRST_USE_MS),
        ]);
      // Looked up before the turn at writing is taken: anybody may send something that is no ticket.
      const found = await reader.selectFrom('view_tickets').select('session_id').where(unused).executeTakeFirst();
      if (found === undefined) return null;
      if (!uses) return bySession(found.session_id, USED, 'view-ticket');
      const used = await database.transaction((tx) =>
        tx.updateTable('view_tickets').set({ opened_at: at }).where(unused).returning('session_id').executeTakeFirst(),
      );
      return used === undefined ? null : bySession(used.session_id, USED, 'view-ticket');
    },

    async credentials(usernameKey) {
      const row = await reader
        .selectFrom('users')
        .select(['id', 'username', 'full_name as fullName', 'password_hash as passwordHash'])
        .where('username_key', '=', usernameKey)
        .executeTakeFirst();
      return row ?? null;
    },

    async passwordHash(userId) {
      const row = await reader.selectFrom('users').select('password_hash').where('id', '=', userId).executeTakeFirst();
      return row?.password_hash ?? null;
    },

    async open(verified, origin, attempt) {
      const at = now();
      return database.transaction(async (tx) => {
        if (!(await holdsPassword(tx, verified.id, verified.passwordHash))) return null;
        const actor = { id: verified.id, name: verified.fullName };
        await recordAndTell(tx, outbox, { kind: 'signed_in', user: verified, actor, origin }, at);
        const secrets = await insertSession(tx, { user: verified, origin, at, steppedUp: false });
        await attempt.succeeded(tx);
        return secrets;
      });
    },

    async rehash(userId, formerHash, passwordHash) {
      await database.transaction((tx) => holdsPassword(tx, userId, formerHash, passwordHash));
    },

    async recordFailure(user, origin, detail) {
      const event = {
        kind: 'sign_in_failed',
        user,
        actor: null,
        origin,
        ...(detail === undefined ? {} : { detail }),
      } as const;
      await database.transaction((tx) => recordSecurityEvent(tx, event, now()));
    },

    async signOut(viewer, origin) {
      await database.transaction(async (tx) => {
        await tx.deleteFrom('sessions').where('id', '=', sessionOf(viewer).sessionId).execute();
        // Nobody had signed in for a look.
        if (viewer.look !== null) return;
        await recordSecurityEvent(tx, { kind: 'signed_out', ...byOneself(viewer), origin }, now());
      });
    },

    end(viewer, sessionId, origin) {
      return database.transaction(async (tx) => {
        await holdSession(tx, viewer);
        const { numDeletedRows } = await tx
          .deleteFrom('sessions')
          .where('id', '=', sessionId)
          .where('user_id', '=', viewer.id)
          .executeTakeFirst();
        if (numDeletedRows === 0n) return false;
        await recordSecurityEvent(tx, { kind: 'session_ended', ...byOneself(viewer), origin }, now());
        return true;
      });
    },

    async endOthers(viewer, origin) {
      await database.transaction(async (tx) => {
        await lockUser(tx, viewer.id);
        await holdSession(tx, viewer);
        const ended = await signOutEverywhere(tx, viewer.id, sessionOf(viewer).sessionId);
        const detail = counted(ended, 'other session');
        await recordSecurityEvent(tx, { kind: 'session_ended', ...byOneself(viewer), origin, detail }, now());
      });
    },

    async changePassword(viewer, { verified, next }, origin, attempt) {
      const at = now();
      const token = newSecret();
      const cookie = newSecret();
      return database.transaction(async (tx) => {
        if (!(await holdsPassword(tx, viewer.id, verified, next))) return 'changed';
        await tx.updateTable('users').set({ must_change_password: 0 }).where('id', '=', viewer.id).execute();
        await signOutEverywhere(tx, viewer.id, sessionOf(viewer).sessionId);
        await recordAndTell(tx, outbox, { kind: 'password_changed', ...byOneself(viewer), origin }, at);
        const { numUpdatedRows } = await tx
          .updateTable('sessions')
          .set({ token_hash: fingerprint(token), cookie_hash: fingerprint(cookie), last_seen_at: at })
          .where('id', '=', sessionOf(viewer).sessionId)
          .executeTakeFirst();
        await attempt.succeeded(tx);
        if (numUpdatedRows !== 1n) throw refuse('unauthenticated');
        return { sessionId: sessionOf(viewer).sessionId, token, cookie };
      });
    },

    async devices(userId) {
      return openSessions(reader, userId, rules, now())
        .select(['id', 'created_at as createdAt', 'last_seen_at as lastSeenAt', 'user_agent as userAgent', 'address'])
        .orderBy('last_seen_at', 'desc')
        .orderBy('id', 'desc')
        .execute();
    },

    async forgetExpired() {
      const at = now();
      await database.transaction(async (tx) => {
        await tx
          .deleteFrom('sessions')
          .where((eb) =>
            eb.or([
              eb('created_at', '<=', at - ageMaxMs),
              eb('last_seen_at', '<=', at - idleMaxMs),
              eb.and([eb('opened_from_id', 'is not', null), eb('created_at', '<=', at - LOOK_MAX_MS)]),
            ]),
          )
          .execute();
        await tx
          .deleteFrom('view_tickets')
          .where('created_at', '<=', at - TICKET_FIRST_USE_MS)
          .execute();
        // A day later nobody asks any more why such a link does not work.
        await tx
          .deleteFrom('password_links')
          .where('expires_at', '<=', at - DAY_MS)
          .execute();
      });
    },

    async present(viewer) {
      const clients = await reader
        .selectFrom('user_clients')
        .select('client_id')
        .where('user_id', '=', viewer.id)
        .orderBy('client_id')
        .execute();
      const reportTypes = await reader
        .selectFrom('user_report_types')
        .select('report_type_id')
        .where('user_id', '=', viewer.id)
        .orderBy('report_type_id')
        .execute();
      const { id, username, fullName, roleId, roleName, roleKey, reach, capabilities } = viewer;
      const { allClients, mustChangePassword } = viewer;
      return {
        id,
        username,
        fullName,
        roleId,
        roleName,
        role: { id: roleId, name: roleName },
        roleKey,
        look: viewer.look && { as: viewer.look.as },
        reach,
        capabilities: [...capabilities],
        commonRouting: hasCommonRouting(roleKey),
        allClients,
        mustChangePassword,
        clientIds: clients.map((row) => row.client_id),
        reportTypeIds: reportTypes.map((row) => row.report_type_id),
        preferences: await readPreferences(reader, viewer.id),
        session: { idleMaxMs, endsAt: new Date(sessionOf(viewer).endsAt).toISOString() },
      };
    },
  };
}

/** Refuses `unauthenticated` where the session ended since the request was let in. */
async function holdSession(tx: Kysely<Schema>, viewer: Viewer): Promise<void> {
  const { sessionId } = sessionOf(viewer);
  const open = await tx.selectFrom('sessions').select('id').where('id', '=', sessionId).executeTakeFirst();
  if (open === undefined) throw refuse('unauthenticated');
}

const byOneself = (user: Owner) => ({ user, actor: { id: user.id, name: user.fullName } });
