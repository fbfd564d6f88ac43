// Who comes with a secret: sessions by token and cookie, view tickets, sign-ins on their way, and the people that jobs act for.
import type { ExpressionBuilder, Kysely } from 'kysely';
import type { Database, Statement } from '../../platform/db/database.ts';
import type { Schema } from '../../platform/db/schema.ts';
import { bindParams, param, prepareStatement, transactionStatement } from '../../platform/db/statement.ts';
import { VersionedCache } from '../../platform/db/versioned-cache.ts';
import { fingerprint, TICKET_FIRST_USE_MS } from '../../platform/secrets.ts';
import type { ViewerWithin } from '../access/scope.ts';
import type { Viewer } from '../access/viewer.ts';
import type { SessionRules } from './session-rules.ts';
import {
  type EnrollingRecord,
  enrollingSignIn,
  enrollingViewer,
  type KnownSession,
  onBehalfOf,
  personWithRights,
  type SessionRecord,
  type SessionSecretKind,
  sessionsWithRights,
  type UserRecord,
  viewerOf,
} from './session-viewer.ts';

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

export interface SessionsWithin {
  /** The viewer of a session as of a transaction; null where the session is over. */
  readonly within: ViewerWithin;
}

export function openSessionLookup(
  database: Database,
  now: () => number,
  rules: SessionRules,
): SessionLookup & SessionsWithin {
  const { reader } = database;
  const byId = prepareStatement(sessionsWithRights(reader).where('sessions.id', '=', param<number>('secret')));

  async function toViewer(known: KnownSession | undefined, { uses } = USED): Promise<Viewer | null> {
    if (known === undefined) return null;
    const at = now();
    const viewer = viewerOf(known, at, rules);
    const { sessionId, lastSeenAt } = known.record;
    if (uses && viewer !== null && viewer.look === null && at - lastSeenAt >= rules.touchEveryMs) {
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
    return record && knownSession(record, by, (id) => read(byId, id));
  }

  /** Finds the sessions of requests by one kind of secret. Each kind has its own cache: a cookie sent as a token must find nothing. */
  function finder(by: 'session' | 'file-cookie'): (secret: string, how?: Lookup) => Promise<Viewer | null> {
    const column = by === 'session' ? 'token_hash' : 'cookie_hash';
    const statement = prepareStatement(
      sessionsWithRights(reader).where(`sessions.${column}`, '=', param<string>('secret')),
    );
    const sessions = new VersionedCache<string, KnownSession>(database);
    return async (secret, how) => {
      const hash = fingerprint(secret);
      return toViewer(await sessions.get(hash, () => read(statement, hash, by)), how);
    };
  }

  /** Read again: a lookup by id is a repeated check of something that has been running for a while. */
  const bySession = async (sessionId: number, how?: Lookup, by?: SessionSecretKind) =>
    toViewer(await read(byId, sessionId, by), how);

  return {
    byToken: finder('session'),
    byFileCookie: finder('file-cookie'),
    bySession,
    byViewTicket: async (ticket, fileId, how) => {
      const sessionId = await sessionOfTicket(database, now(), { ticket, fileId, ...how });
      return sessionId === null ? null : bySession(sessionId, USED, 'view-ticket');
    },
    ...personLookup(database, now, rules),
    within: viewerWithin(now, rules),
  };
}

/** A session as just read, with the one that it was opened from. */
async function knownSession(
  record: SessionRecord,
  by: SessionSecretKind,
  find: (id: number) => Promise<KnownSession | undefined>,
): Promise<KnownSession> {
  const openedFrom = record.openedFromId === null ? null : ((await find(record.openedFromId)) ?? null);
  return { record, by, viewer: null, openedFrom };
}

/** People who have no session: those that jobs act for, and those on their way to a first factor. */
function personLookup(
  database: Database,
  now: () => number,
  { secondFactor }: SessionRules,
): Pick<SessionLookup, 'byPerson' | 'byEnrolment'> {
  const byUserId = prepareStatement(personWithRights(database.reader));
  const byEnrollingSignIn = prepareStatement(enrollingSignIn(database.reader));
  return {
    async byPerson(userId) {
      const [record] = await database.rows<UserRecord>(byUserId, bindParams(byUserId, { userId }));
      return onBehalfOf(record);
    },

    async byEnrolment(token) {
      if (!secondFactor) return null;
      const parameters = bindParams(byEnrollingSignIn, { secret: fingerprint(token) });
      const [record] = await database.rows<EnrollingRecord>(byEnrollingSignIn, parameters);
      return record === undefined || record.expiresAt <= now() ? null : enrollingViewer(record);
    },
  };
}

/** The session that the ticket was made in, null where it does not open the file; `uses` uses it up. */
async function sessionOfTicket(
  database: Database,
  at: number,
  { ticket, fileId, uses }: { readonly ticket: string; readonly fileId: number; readonly uses: boolean },
): Promise<number | null> {
  const unused = (eb: ExpressionBuilder<Schema, 'view_tickets'>) =>
    eb.and([
      eb('ticket_hash', '=', fingerprint(ticket)),
      eb.or([eb('version_id', '=', fileId), eb.and([eb('file_id', '=', fileId), eb('version_id', 'is', null)])]),
      eb('opened_at', 'is', null),
      eb('created_at', '>', at - TICKET_FIRST_USE_MS),
    ]);
  // Looked up before the turn at writing is taken: anybody may send something that is no ticket.
  const found = await database.reader.selectFrom('view_tickets').select('session_id').where(unused).executeTakeFirst();
  if (found === undefined || !uses) return found?.session_id ?? null;
  const used = await database.transaction((tx) =>
    tx.updateTable('view_tickets').set({ opened_at: at }).where(unused).returning('session_id').executeTakeFirst(),
  );
  return used?.session_id ?? null;
}

/** The viewer of a credential once more, as of a transaction. */
function viewerWithin(now: () => number, rules: SessionRules): ViewerWithin {
  const byUserId = transactionStatement(personWithRights);
  const bySession = transactionStatement((db) =>
    sessionsWithRights(db).where('sessions.id', '=', param<number>('sessionId')),
  );

  async function read(
    tx: Kysely<Schema>,
    sessionId: number,
    by: SessionSecretKind = 'session',
  ): Promise<KnownSession | undefined> {
    const [record] = await bySession(tx, { sessionId });
    return record && knownSession(record, by, (id) => read(tx, id));
  }

  return async (tx, { id, credential }) => {
    switch (credential.kind) {
      case 'job':
        return onBehalfOf((await byUserId(tx, { userId: id }))[0]);
      case 'sign-in':
        // Sets up a factor, and nothing that a scope writes.
        return null;
      case 'session':
      case 'file-cookie':
      case 'view-ticket':
      case 'look': {
        // Whether it is a look the row says.
        const by = credential.kind === 'look' ? 'session' : credential.kind;
        const session = await read(tx, credential.sessionId, by);
        return session === undefined ? null : viewerOf(session, now(), rules);
      }
    }
  };
}
