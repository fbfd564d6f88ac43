// Second factors: what a person has set up, what proves it, and what that opens.
import { refuse } from '#contract/errors.ts';
import type { Factors } from '#contract/factors.ts';
import type { FactorMethod } from '#contract/session.ts';
import { type Origin, recordSecurityEvent } from '../../audit/security-events.ts';
import type { Outbox } from '../../mail/outbox.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Sealer } from '../../platform/sealed.ts';
import { sessionOf } from '../access/credential.ts';
import type { Viewer } from '../access/viewer.ts';
import type { Attempt } from './attempts.ts';
import {
  type FactorProofs,
  openFactorProofs,
  orNull,
  type Proven,
  spendProof,
  UsedMeanwhile,
} from './factor-proofs.ts';
import { detailOf, factorsOf, factorWords, type PasskeyName, passkeysOf } from './factor-rows.ts';
import { byOneself, type Owner } from './new-session.ts';
import { type OwnFactors, openOwnFactors, TOTP_WAITS_MS } from './own-factors.ts';
import { openPasskeyChallenges, type PasskeyChallenges } from './passkey-challenges.ts';
import { PASSKEY_TIMEOUT_MS } from './passkeys.ts';
import { openWaitingSignIns, type WaitingSignIns } from './waiting-sign-ins.ts';

export interface SecondFactors extends WaitingSignIns, FactorProofs, OwnFactors {
  readonly challenges: PasskeyChallenges;
  factorsOf(userId: number): Promise<Factors>;
  passkeysOf(userId: number): Promise<PasskeyName[]>;
  /** Records in the session that a second factor was shown; false where the factor was used meanwhile. */
  stepUp(viewer: Viewer, proven: Proven, attempt: Attempt, origin: Origin): Promise<boolean>;
  recordFailure(person: Owner, method: FactorMethod, origin: Origin): Promise<void>;
  forgetExpired(): Promise<void>;
}

export function openSecondFactors(
  database: Database,
  now: () => number,
  { sealer, outbox }: { readonly sealer: Sealer; readonly outbox: Outbox },
): SecondFactors {
  const challenges = openPasskeyChallenges(database, now);
  return {
    challenges,
    ...openWaitingSignIns(database, now, outbox),
    ...openFactorProofs(database, now, { sealer, challenges }),
    ...openOwnFactors(database, now, { sealer, outbox, challenges }),
    factorsOf: (userId) => factorsOf(database.reader, userId),
    passkeysOf: (userId) => passkeysOf(database.reader, userId),

    async stepUp(viewer, proven, attempt, origin) {
      const at = now();
      const done = await orNull(() =>
        database.transaction(async (tx) => {
          if (!(await spendProof(tx, viewer.id, proven, at))) throw new UsedMeanwhile();
          const { numUpdatedRows } = await tx
            .updateTable('sessions')
            .set({ stepped_up_at: at })
            .where('id', '=', sessionOf(viewer).sessionId)
            .executeTakeFirst();
          if (numUpdatedRows !== 1n) throw refuse('unauthenticated');
          const event = { ...byOneself(viewer), origin };
          if (proven.method === 'recovery') await recordSecurityEvent(tx, { ...event, kind: 'recovery_code_used' }, at);
          await recordSecurityEvent(tx, { ...event, kind: 'stepped_up', detail: detailOf(proven) }, at);
          await attempt.succeeded(tx);
          return true;
        }),
      );
      return done ?? false;
    },

    async recordFailure(person, method, origin) {
      const event = {
        kind: 'second_factor_failed',
        user: person,
        actor: null,
        origin,
        detail: factorWords[method],
      } as const;
      await database.transaction((tx) => recordSecurityEvent(tx, event, now()));
    },

    forgetExpired: () => forgetExpired(database, now()),
  };
}

/** Deletes what nobody may answer any more. */
async function forgetExpired(database: Database, at: number): Promise<void> {
  await database.transaction(async (tx) => {
    await tx.deleteFrom('sign_ins').where('expires_at', '<=', at).execute();
    await tx
      .deleteFrom('passkey_challenges')
      .where('created_at', '<=', at - PASSKEY_TIMEOUT_MS)
      .execute();
    await tx
      .deleteFrom('totp_secrets')
      .where('waiting', '=', 1)
      .where('created_at', '<=', at - TOTP_WAITS_MS)
      .execute();
  });
}
