// Sign-ins whose password was right, which wait for a second factor.
import type { FactorMethod } from '#contract/session.ts';
import { type Origin, recordSecurityEvent } from '../../audit/security-events.ts';
import type { Outbox } from '../../mail/outbox.ts';
import { recordAndTell } from '../../mail/tell.ts';
import { MINUTE_MS } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import { fingerprint, newSecret } from '../../platform/secrets.ts';
import type { Attempt } from './attempts.ts';
import { orNull, type Proven, spendProof, UsedMeanwhile } from './factor-proofs.ts';
import { detailOf, hasApp, passkeyCount, recoveryCodesLeft } from './factor-rows.ts';
import { byOneself, insertSession, lockUser, type Owner, type SessionSecrets } from './new-session.ts';

const SIGN_IN_MS = 5 * MINUTE_MS;
const ENROLLING_MS = 15 * MINUTE_MS;
const TRIES_MAX = 5;

/** A sign-in whose password was right. */
export interface SignIn {
  readonly id: number;
  readonly person: Owner;
}

export interface WaitingSignIns {
  /**
   * Begins a sign-in whose password was `passwordHash`'s; null where that is no longer the user's. The token is for
   * the browser alone; `enrols` where there is nothing yet that could be proved.
   */
  beginSignIn(
    userId: number,
    passwordHash: string,
    attempt: Attempt,
  ): Promise<{ token: string; methods: FactorMethod[]; enrols: boolean; expiresAt: number } | null>;
  /** The sign-in of `token`; null when it is unknown or over. */
  findSignIn(token: string): Promise<SignIn | null>;
  /** Counts a try at a sign-in's second factor, before it is looked at; false when it has had its five. */
  countTry(signIn: SignIn): Promise<boolean>;
  /** Ends the sign-in with a session; null where it ended meanwhile or the factor was used already. */
  finishSignIn(signIn: SignIn, proven: Proven, attempt: Attempt, origin: Origin): Promise<SessionSecrets | null>;
}

export function openWaitingSignIns(database: Database, now: () => number, outbox: Outbox): WaitingSignIns {
  return {
    async beginSignIn(userId, passwordHash, attempt) {
      const at = now();
      const token = newSecret();
      return database.transaction(async (tx) => {
        const { numUpdatedRows } = await tx
          .updateTable('users')
          .set({ password_hash: passwordHash })
          .where('id', '=', userId)
          .where('password_hash', '=', passwordHash)
          .executeTakeFirst();
        if (numUpdatedRows !== 1n) return null;
        const methods: FactorMethod[] = [];
        if (await hasApp(tx, userId)) methods.push('totp');
        if ((await passkeyCount(tx, userId)) > 0) methods.push('passkey');
        const enrols = methods.length === 0;
        if (!enrols && (await recoveryCodesLeft(tx, userId)) > 0) methods.push('recovery');
        const expiresAt = at + (enrols ? ENROLLING_MS : SIGN_IN_MS);
        await tx
          .insertInto('sign_ins')
          .values({
            user_id: userId,
            token_hash: fingerprint(token),
            enrols: enrols ? 1 : 0,
            tries: 0,
            expires_at: expiresAt,
          })
          .execute();
        await attempt.takenBack(tx);
        return { token, methods, enrols, expiresAt };
      });
    },

    async findSignIn(token) {
      const row = await database.reader
        .selectFrom('sign_ins')
        .innerJoin('users', 'users.id', 'sign_ins.user_id')
        .select(['sign_ins.id as id', 'users.id as userId', 'users.username', 'users.full_name as fullName'])
        .where('sign_ins.token_hash', '=', fingerprint(token))
        .where('sign_ins.expires_at', '>', now())
        .where('sign_ins.tries', '<', TRIES_MAX)
        .executeTakeFirst();
      if (row === undefined) return null;
      return { id: row.id, person: { id: row.userId, username: row.username, fullName: row.fullName } };
    },

    async countTry({ id }) {
      const { numUpdatedRows } = await database.transaction((tx) =>
        tx
          .updateTable('sign_ins')
          .set((eb) => ({ tries: eb('tries', '+', 1) }))
          .where('id', '=', id)
          .where('tries', '<', TRIES_MAX)
          .executeTakeFirst(),
      );
      return numUpdatedRows === 1n;
    },

    finishSignIn({ id, person }, proven, attempt, origin) {
      const at = now();
      return orNull(() =>
        database.transaction(async (tx) => {
          await lockUser(tx, person.id);
          const { numDeletedRows } = await tx.deleteFrom('sign_ins').where('id', '=', id).executeTakeFirst();
          if (numDeletedRows !== 1n || !(await spendProof(tx, person.id, proven, at))) throw new UsedMeanwhile();
          const event = { ...byOneself(person), origin };
          if (proven.method === 'recovery') await recordSecurityEvent(tx, { ...event, kind: 'recovery_code_used' }, at);
          await recordAndTell(tx, outbox, { ...event, kind: 'signed_in', detail: detailOf(proven) }, at);
          const secrets = await insertSession(tx, { user: person, origin, at, steppedUp: true });
          await attempt.succeeded(tx);
          return secrets;
        }),
      );
    },
  };
}
