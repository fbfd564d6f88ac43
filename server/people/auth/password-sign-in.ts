// Signing in by the password alone, and choosing another one.
import type { Kysely } from 'kysely';
import { refuse } from '#contract/errors.ts';
import { type Origin, recordSecurityEvent, type SecurityEvent } from '../../audit/security-events.ts';
import type { Outbox } from '../../mail/outbox.ts';
import { recordAndTell } from '../../mail/tell.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Schema } from '../../platform/db/schema.ts';
import { fingerprint, newSecret } from '../../platform/secrets.ts';
import { sessionOf } from '../access/credential.ts';
import type { Viewer } from '../access/viewer.ts';
import type { Attempt } from './attempts.ts';
import { byOneself, insertSession, type Owner, type SessionSecrets } from './new-session.ts';
import { signOutEverywhere } from './sign-outs.ts';

export interface Credentials extends Owner {
  readonly passwordHash: string;
}

export interface PasswordSignIn {
  credentials(usernameKey: string): Promise<Credentials | null>;
  passwordHash(userId: number): Promise<string | null>;
  /** Opens a session by the password alone; null where `verified.passwordHash` is no longer the user's. */
  open(verified: Credentials, origin: Origin, attempt: Attempt): Promise<SessionSecrets | null>;
  /** Stores a costlier hash of the same password, where `formerHash` is still the stored one. */
  rehash(userId: number, formerHash: string, passwordHash: string): Promise<void>;
  /** A wrong password; `user` is null where nobody has the name: what was typed is not stored. */
  recordFailure(user: SecurityEvent['user'], origin: Origin, detail?: string): Promise<void>;
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
}

export function openPasswordSignIn(database: Database, now: () => number, outbox: Outbox): PasswordSignIn {
  const { reader } = database;
  return {
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
  };
}

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
