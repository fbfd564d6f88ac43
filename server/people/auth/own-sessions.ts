// The sessions of a person as they see them and end them.
import type { Kysely } from 'kysely';
import { refuse } from '#contract/errors.ts';
import { counted } from '#contract/plain-words.ts';
import { type Origin, recordSecurityEvent } from '../../audit/security-events.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Schema } from '../../platform/db/schema.ts';
import { sessionOf } from '../access/credential.ts';
import type { Viewer } from '../access/viewer.ts';
import { byOneself, lockUser, openSessions } from './new-session.ts';
import type { SessionRules } from './session-rules.ts';
import { signOutEverywhere } from './sign-outs.ts';

export interface Device {
  readonly id: number;
  readonly createdAt: number;
  readonly lastSeenAt: number;
  readonly userAgent: string;
  readonly address: string;
}

export interface OwnSessions {
  devices(userId: number): Promise<Device[]>;
  signOut(viewer: Viewer, origin: Origin): Promise<void>;
  /** Ends one of the viewer's sessions; false where it is none of theirs. */
  end(viewer: Viewer, sessionId: number, origin: Origin): Promise<boolean>;
  endOthers(viewer: Viewer, origin: Origin): Promise<void>;
}

export function openOwnSessions(database: Database, now: () => number, rules: SessionRules): OwnSessions {
  return {
    async devices(userId) {
      return openSessions(database.reader, userId, rules, now())
        .select(['id', 'created_at as createdAt', 'last_seen_at as lastSeenAt', 'user_agent as userAgent', 'address'])
        .orderBy('last_seen_at', 'desc')
        .orderBy('id', 'desc')
        .execute();
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
        if (ended === 0) return;
        const detail = counted(ended, 'other session');
        await recordSecurityEvent(tx, { kind: 'session_ended', ...byOneself(viewer), origin, detail }, now());
      });
    },
  };
}

/** Refuses `unauthenticated` where the session ended since the request was let in. */
async function holdSession(tx: Kysely<Schema>, viewer: Viewer): Promise<void> {
  const { sessionId } = sessionOf(viewer);
  const open = await tx.selectFrom('sessions').select('id').where('id', '=', sessionId).executeTakeFirst();
  if (open === undefined) throw refuse('unauthenticated');
}
