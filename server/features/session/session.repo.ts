// Sessions and view tickets: secrets go out once, their SHA-256 stays here.
import { sql } from 'kysely';
import type { Capability } from '#contract/policy.ts';
import type { Database } from '../../db/database.ts';
import type { Viewer } from '../../db/scope.ts';
import { compileStatement, fillHoles, hole } from '../../db/statement.ts';
import type { SessionLookup } from '../../http/authenticate.ts';
import { fingerprint, newSecret, TICKET_FIRST_USE_MS, TICKET_RANGES_MS } from '../../secrets.ts';
import type { Attempt } from './attempts.repo.ts';

const DAY_MS = 24 * 60 * 60_000;
const IDLE_MAX_MS = 7 * DAY_MS;
const AGE_MAX_MS = 30 * DAY_MS;
/** A session's last use is written down no oftener than this. */
const TOUCH_EVERY_MS = 5 * 60_000;
const USER_AGENT_MAX = 300;

export interface Credentials {
  readonly id: number;
  readonly passwordHash: string;
}

export interface OpenedSession {
  readonly token: string;
  readonly cookie: string;
  readonly viewer: Viewer;
}

export interface Device {
  readonly id: number;
  readonly createdAt: number;
  readonly lastSeenAt: number;
  readonly userAgent: string;
  readonly address: string;
}

export interface SessionStore extends SessionLookup {
  credentials(usernameKey: string): Promise<Credentials | null>;
  passwordHash(userId: number): Promise<string | null>;
  open(userId: number, device: { userAgent: string; address: string }, attempt: Attempt): Promise<OpenedSession | null>;
  end(sessionId: number, userId: number): Promise<boolean>;
  endOthers(userId: number, keepSessionId: number): Promise<void>;
  /** Stores a new password hash, ends every other session and gives this one new secrets; null if it ended meanwhile. */
  changePassword(
    viewer: Viewer,
    passwordHash: string,
    attempt: Attempt,
  ): Promise<{ token: string; cookie: string } | null>;
  devices(userId: number): Promise<Device[]>;
  /** Forgets sessions and tickets that can no longer be used. */
  forgetExpired(): Promise<void>;
  accessLists(userId: number): Promise<{ clientIds: number[]; reportTypeIds: number[] }>;
}

interface SessionRecord {
  sessionId: number;
  createdAt: number;
  lastSeenAt: number;
  id: number;
  username: string;
  fullName: string;
  roleId: number;
  roleName: string;
  roleKey: Viewer['roleKey'];
  reach: Viewer['reach'];
  capabilities: string | null;
}

export function openSessionStore(database: Database, now: () => number): SessionStore {
  const { reader } = database;

  const withRights = reader
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .innerJoin('roles', 'roles.id', 'users.role_id')
    .select([
      'sessions.id as sessionId',
      'sessions.created_at as createdAt',
      'sessions.last_seen_at as lastSeenAt',
      'users.id as id',
      'users.username as username',
      'users.full_name as fullName',
      'roles.id as roleId',
      'roles.name as roleName',
      'roles.system_key as roleKey',
      'roles.reach as reach',
      sql<
        string | null
      >`(select string_agg(held.capability, ' ') from role_capabilities held where held.role_id = roles.id)`.as(
        'capabilities',
      ),
    ]);
  const byTokenHash = compileStatement(withRights.where('sessions.token_hash', '=', hole<string>('secret')));
  const byCookieHash = compileStatement(withRights.where('sessions.cookie_hash', '=', hole<string>('secret')));
  const bySessionId = compileStatement(withRights.where('sessions.id', '=', hole<number>('secret')));

  async function toViewer(record: SessionRecord | undefined): Promise<Viewer | null> {
    if (record === undefined) return null;
    const at = now();
    if (at - record.createdAt >= AGE_MAX_MS || at - record.lastSeenAt >= IDLE_MAX_MS) return null;
    if (at - record.lastSeenAt >= TOUCH_EVERY_MS) {
      await database.transaction((tx) =>
        tx.updateTable('sessions').set({ last_seen_at: at }).where('id', '=', record.sessionId).execute(),
      );
    }
    return {
      sessionId: record.sessionId,
      id: record.id,
      username: record.username,
      fullName: record.fullName,
      roleId: record.roleId,
      roleName: record.roleName,
      roleKey: record.roleKey,
      reach: record.reach,
      capabilities: record.capabilities === null ? [] : (record.capabilities.split(' ') as Capability[]),
    };
  }

  async function find(statement: typeof byTokenHash, secret: string | number): Promise<Viewer | null> {
    const [record] = await database.rows<SessionRecord>(statement, fillHoles(statement, { secret }));
    return toViewer(record);
  }

  return {
    byToken: (token) => find(byTokenHash, fingerprint(token)),
    byFileCookie: (cookie) => find(byCookieHash, fingerprint(cookie)),

    async byViewTicket(ticket, fileId) {
      const at = now();
      const sessionId = await database.transaction(async (tx) => {
        const row = await tx
          .selectFrom('view_tickets')
          .select(['id', 'session_id', 'file_id', 'created_at', 'opened_at'])
          .where('ticket_hash', '=', fingerprint(ticket))
          .executeTakeFirst();
        if (row === undefined || row.file_id !== fileId) return null;
        if (row.opened_at !== null) return at - row.opened_at < TICKET_RANGES_MS ? row.session_id : null;
        if (at - row.created_at >= TICKET_FIRST_USE_MS) return null;
        await tx.updateTable('view_tickets').set({ opened_at: at }).where('id', '=', row.id).execute();
        return row.session_id;
      });
      return sessionId === null ? null : find(bySessionId, sessionId);
    },

    async credentials(usernameKey) {
      const row = await reader
        .selectFrom('users')
        .select(['id', 'password_hash as passwordHash'])
        .where('username_key', '=', usernameKey)
        .executeTakeFirst();
      return row ?? null;
    },

    async passwordHash(userId) {
      const row = await reader.selectFrom('users').select('password_hash').where('id', '=', userId).executeTakeFirst();
      return row?.password_hash ?? null;
    },

    async open(userId, device, attempt) {
      const at = now();
      const token = newSecret();
      const cookie = newSecret();
      const { id } = await database.transaction(async (tx) => {
        await attempt.succeeded(tx);
        return tx
          .insertInto('sessions')
          .values({
            user_id: userId,
            token_hash: fingerprint(token),
            cookie_hash: fingerprint(cookie),
            created_at: at,
            last_seen_at: at,
            user_agent: device.userAgent.slice(0, USER_AGENT_MAX),
            address: device.address,
          })
          .returning('id')
          .executeTakeFirstOrThrow();
      });
      const viewer = await find(bySessionId, id);
      return viewer === null ? null : { token, cookie, viewer };
    },

    async end(sessionId, userId) {
      const result = await database.transaction((tx) =>
        tx.deleteFrom('sessions').where('id', '=', sessionId).where('user_id', '=', userId).executeTakeFirst(),
      );
      return result.numDeletedRows > 0n;
    },

    async endOthers(userId, keepSessionId) {
      await database.transaction((tx) =>
        tx.deleteFrom('sessions').where('user_id', '=', userId).where('id', '<>', keepSessionId).execute(),
      );
    },

    async changePassword(viewer, passwordHash, attempt) {
      const token = newSecret();
      const cookie = newSecret();
      const kept = await database.transaction(async (tx) => {
        await attempt.succeeded(tx);
        await tx.updateTable('users').set({ password_hash: passwordHash }).where('id', '=', viewer.id).execute();
        await tx.deleteFrom('sessions').where('user_id', '=', viewer.id).where('id', '<>', viewer.sessionId).execute();
        const { numUpdatedRows } = await tx
          .updateTable('sessions')
          .set({ token_hash: fingerprint(token), cookie_hash: fingerprint(cookie), last_seen_at: now() })
          .where('id', '=', viewer.sessionId)
          .executeTakeFirst();
        return numUpdatedRows > 0n;
      });
      return kept ? { token, cookie } : null;
    },

    async devices(userId) {
      const at = now();
      return reader
        .selectFrom('sessions')
        .select(['id', 'created_at as createdAt', 'last_seen_at as lastSeenAt', 'user_agent as userAgent', 'address'])
        .where('user_id', '=', userId)
        .where('created_at', '>', at - AGE_MAX_MS)
        .where('last_seen_at', '>', at - IDLE_MAX_MS)
        .orderBy('last_seen_at', 'desc')
        .orderBy('id', 'desc')
        .execute();
    },

    async forgetExpired() {
      const at = now();
      await database.transaction(async (tx) => {
        await tx
          .deleteFrom('sessions')
          .where((eb) => eb.or([eb('created_at', '<=', at - AGE_MAX_MS), eb('last_seen_at', '<=', at - IDLE_MAX_MS)]))
          .execute();
        await tx
          .deleteFrom('view_tickets')
          .where('created_at', '<=', at - TICKET_FIRST_USE_MS - TICKET_RANGES_MS)
          .execute();
      });
    },

    async accessLists(userId) {
      const clients = await reader
        .selectFrom('user_clients')
        .select('client_id')
        .where('user_id', '=', userId)
        .orderBy('client_id')
        .execute();
      const reportTypes = await reader
        .selectFrom('user_report_types')
        .select('report_type_id')
        .where('user_id', '=', userId)
        .orderBy('report_type_id')
        .execute();
      return {
        clientIds: clients.map((row) => row.client_id),
        reportTypeIds: reportTypes.map((row) => row.report_type_id),
      };
    },
  };
}
