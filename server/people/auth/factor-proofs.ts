// What proves a second factor, and that each proof is used once.
import type { Kysely } from 'kysely';
import type { FactorProof, PasskeyAssertion } from '#contract/factors.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Schema } from '../../platform/db/schema.ts';
import type { Sealer } from '../../platform/sealed.ts';
import { toTransports } from './factor-rows.ts';
import type { PasskeyChallenges } from './passkey-challenges.ts';
import { checkAssertion, type Site } from './passkeys.ts';
import { recoveryCodeHash } from './recovery-codes.ts';
import { totpPurpose, totpStep } from './totp.ts';

/** A factor that was right when it was checked; it counts once it has been used up. */
export type Proven =
  | { readonly method: 'totp'; readonly step: number }
  | { readonly method: 'recovery'; readonly codeHash: string }
  | { readonly method: 'passkey'; readonly passkeyId: number; readonly name: string; readonly counter: number };

export interface FactorProofs {
  /** Whether the factor is right. Using it up is another step, in the transaction of what it opens. */
  prove(
    person: { readonly id: number },
    proof: FactorProof,
    purpose: 'sign-in' | 'step-up',
    site: () => Site,
  ): Promise<Proven | null>;
}

export function openFactorProofs(
  { reader }: Database,
  now: () => number,
  { sealer, challenges }: { readonly sealer: Sealer; readonly challenges: PasskeyChallenges },
): FactorProofs {
  async function provePasskey(
    userId: number,
    answer: PasskeyAssertion,
    purpose: 'sign-in' | 'step-up',
    site: Site,
  ): Promise<Proven | null> {
    const row = await reader
      .selectFrom('passkeys')
      .select(['id', 'name', 'public_key', 'counter', 'transports'])
      .where('credential_id', '=', answer.id)
      .where('user_id', '=', userId)
      .executeTakeFirst();
    if (row === undefined) return null;
    const passkey = {
      credentialId: answer.id,
      publicKey: row.public_key,
      counter: row.counter,
      transports: toTransports(row.transports),
    };
    const counter = await checkAssertion(site, passkey, answer, (challenge) =>
      challenges.take(userId, purpose, challenge),
    );
    return counter === null ? null : { method: 'passkey', passkeyId: row.id, name: row.name, counter };
  }

  return {
    async prove(person, proof, purpose, site) {
      switch (proof.method) {
        case 'totp': {
          const row = await reader
            .selectFrom('totp_secrets')
            .select('sealed')
            .where('user_id', '=', person.id)
            .where('waiting', '=', 0)
            .executeTakeFirst();
          if (row === undefined) return null;
          const step = totpStep(await sealer.open(row.sealed, totpPurpose(person.id)), proof.code, now());
          return step === null ? null : { method: 'totp', step };
        }
        case 'recovery':
          return { method: 'recovery', codeHash: recoveryCodeHash(proof.code) };
        case 'passkey':
          return provePasskey(person.id, proof.response, purpose, site());
      }
    },
  };
}

/** Uses the factor up; false where that has happened already. Every update compares and sets, so exactly one wins. */
export async function spendProof(tx: Kysely<Schema>, userId: number, proven: Proven, at: number): Promise<boolean> {
  switch (proven.method) {
    case 'totp': {
      const { numUpdatedRows } = await tx
        .updateTable('totp_secrets')
        .set({ last_step: proven.step })
        .where('user_id', '=', userId)
        .where('waiting', '=', 0)
        .where('last_step', '<', proven.step)
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    }
    case 'recovery': {
      const { numDeletedRows } = await tx
        .deleteFrom('recovery_codes')
        .where('user_id', '=', userId)
        .where('code_hash', '=', proven.codeHash)
        .executeTakeFirst();
      return numDeletedRows === 1n;
    }
    case 'passkey': {
      const { numUpdatedRows } = await tx
        .updateTable('passkeys')
        .set({ counter: proven.counter, last_used_at: at })
        .where('id', '=', proven.passkeyId)
        .where('user_id', '=', userId)
        // An authenticator without a counter says 0 every time.
        .where((eb) => (proven.counter === 0 ? eb('counter', '=', 0) : eb('counter', '<', proven.counter)))
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    }
  }
}

/** Thrown to roll a transaction back, and turned into an answer outside it. */
export class UsedMeanwhile extends Error {}

/** Null where the work found its proof used. */
export async function orNull<Result>(work: () => Promise<Result>): Promise<Result | null> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof UsedMeanwhile) return null;
    throw error;
  }
}
