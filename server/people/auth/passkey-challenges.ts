// What a browser is to sign with a passkey: each challenge is for one person and purpose, and for one answer.
import type { Database } from '../../platform/db/database.ts';
import { fingerprint } from '../../platform/secrets.ts';
import { PASSKEY_TIMEOUT_MS } from './passkeys.ts';

/** Of one person and purpose. */
const CHALLENGES_KEPT = 10;

type Purpose = 'sign-in' | 'step-up' | 'enrol';

export interface PasskeyChallenges {
  /** Stores a challenge, for one answer within five minutes. */
  keep(userId: number, purpose: Purpose, challenge: string): Promise<void>;
  /** Whether it was kept, lately and for this; a second time it is not. */
  take(userId: number, purpose: Purpose, challenge: string): Promise<boolean>;
}

export function openPasskeyChallenges(database: Database, now: () => number): PasskeyChallenges {
  return {
    async keep(userId, purpose, challenge) {
      const row = { challenge_hash: fingerprint(challenge), user_id: userId, purpose, created_at: now() };
      await database.transaction(async (tx) => {
        await tx.insertInto('passkey_challenges').values(row).execute();
        // Anyone who knows the password may ask as often as they like; an honest person answers one of the newest few.
        await tx
          .deleteFrom('passkey_challenges')
          .where('user_id', '=', userId)
          .where('purpose', '=', purpose)
          .where('challenge_hash', 'not in', (eb) =>
            eb
              .selectFrom('passkey_challenges')
              .select('challenge_hash')
              .where('user_id', '=', userId)
              .where('purpose', '=', purpose)
              .orderBy('created_at', 'desc')
              .limit(CHALLENGES_KEPT),
          )
          .execute();
      });
    },

    async take(userId, purpose, challenge) {
      const { numDeletedRows } = await database.transaction((tx) =>
        tx
          .deleteFrom('passkey_challenges')
          .where('challenge_hash', '=', fingerprint(challenge))
          .where('user_id', '=', userId)
          .where('purpose', '=', purpose)
          .where('created_at', '>', now() - PASSKEY_TIMEOUT_MS)
          .executeTakeFirst(),
      );
      return numDeletedRows === 1n;
    },
  };
}
