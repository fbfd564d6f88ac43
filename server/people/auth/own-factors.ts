// How people set up second factors and remove them.
import type { Kysely } from 'kysely';
import { refuse } from '#contract/errors.ts';
import type { PasskeyAttestation } from '#contract/factors.ts';
import { type Origin, recordSecurityEvent } from '../../audit/security-events.ts';
import type { Outbox } from '../../mail/outbox.ts';
import { recordAndTell } from '../../mail/tell.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Schema } from '../../platform/db/schema.ts';
import type { Sealer } from '../../platform/sealed.ts';
import type { Viewer } from '../access/viewer.ts';
import type { Attempt } from './attempts.ts';
import { detailOf, factorCount, factorWords, holdAccount } from './factor-rows.ts';
import { requireSecretsKey } from './key-faults.ts';
import { byOneself, insertSession, type SessionSecrets } from './new-session.ts';
import type { PasskeyChallenges } from './passkey-challenges.ts';
import { checkAttestation, type Passkey, type Site } from './passkeys.ts';
import { newRecoveryCodes } from './recovery-codes.ts';
import { newTotpSecret, totpPurpose, totpStep } from './totp.ts';

/** A secret of an authenticator app waits so long for its first code. */
export const TOTP_WAITS_MS = 15 * 60_000;

/** What is set up, and who asked for it. */
type NewFactor =
  | { readonly method: 'totp'; readonly sealed: string; readonly step: number }
  | { readonly method: 'passkey'; readonly name: string; readonly passkey: Passkey };

export interface Enrolment {
  /** Shown only now; null where the person had a factor already. */
  readonly recoveryCodes: string[] | null;
  /** The session that the sign-in was waiting for; null for somebody who was signed in. */
  readonly session: SessionSecrets | null;
}

type FactorName = { readonly totp: true } | { readonly passkeyId: number };

export interface OwnFactors {
  /** A new secret for an authenticator app, to be confirmed. */
  newTotp(viewer: Viewer): Promise<Uint8Array>;
  /** What a right code sets up; null where it is wrong. Throws `set_up_over` where no secret waits. */
  proveNewTotp(viewer: Viewer, code: string): Promise<NewFactor | null>;
  /** What a browser's answer sets up; null where it is not right. */
  proveNewPasskey(viewer: Viewer, name: string, answer: PasskeyAttestation, site: Site): Promise<NewFactor | null>;
  /** Sets a factor up. Throws `challenge_over` where the sign-in is gone by then, `set_up_over` where the waiting secret is. */
  enrol(viewer: Viewer, factor: NewFactor, origin: Origin, attempt?: Attempt): Promise<Enrolment>;
  /** Throws `not_found`, or `last_factor` for the only one. */
  remove(viewer: Viewer, factor: FactorName, origin: Origin): Promise<void>;
  renewRecoveryCodes(viewer: Viewer, origin: Origin): Promise<string[]>;
  /** Throws KeyFault where the secrets in the database cannot be decrypted. */
  checkKey(): Promise<void>;
}

export function openOwnFactors(
  database: Database,
  now: () => number,
  services: { readonly sealer: Sealer; readonly outbox: Outbox; readonly challenges: PasskeyChallenges },
): OwnFactors {
  return { ...newFactors(database, now, services), ...accountFactors(database, now, services) };
}

/** What is set up next, and that it works. */
function newFactors(
  database: Database,
  now: () => number,
  { sealer, challenges }: { readonly sealer: Sealer; readonly challenges: PasskeyChallenges },
): Pick<OwnFactors, 'checkKey' | 'newTotp' | 'proveNewTotp' | 'proveNewPasskey'> {
  const { reader } = database;

  const checkKey = () => requireSecretsKey(database, sealer);

  return {
    checkKey,

    async newTotp(viewer) {
      // Another process may have sealed the first secret since the start, under a key that is not the one here.
      await checkKey();
      const secret = newTotpSecret();
      const row = {
        user_id: viewer.id,
        waiting: 1,
        sealed: await sealer.seal(secret, totpPurpose(viewer.id)),
        created_at: now(),
        last_step: 0,
      } as const;
      await database.transaction(async (tx) => {
        await holdAccount(tx, viewer);
        await tx.deleteFrom('totp_secrets').where('user_id', '=', viewer.id).where('waiting', '=', 1).execute();
        await tx.insertInto('totp_secrets').values(row).execute();
      });
      return secret;
    },

    async proveNewTotp(viewer, code) {
      const at = now();
      const row = await reader
        .selectFrom('totp_secrets')
        .select('sealed')
        .where('user_id', '=', viewer.id)
        .where('waiting', '=', 1)
        .where('created_at', '>', at - TOTP_WAITS_MS)
        .executeTakeFirst();
      if (row === undefined) throw refuse('set_up_over');
      const step = totpStep(await sealer.open(row.sealed, totpPurpose(viewer.id)), code, at);
      return step === null ? null : { method: 'totp', sealed: row.sealed, step };
    },

    async proveNewPasskey(viewer, name, answer, site) {
      const take = (challenge: string) => challenges.take(viewer.id, 'enrol', challenge);
      const passkey = await checkAttestation(site, answer, take);
      return passkey === null ? null : { method: 'passkey', name, passkey };
    },
  };
}

/** What somebody has set up. */
function accountFactors(
  database: Database,
  now: () => number,
  { outbox }: { readonly outbox: Outbox },
): Pick<OwnFactors, 'enrol' | 'remove' | 'renewRecoveryCodes'> {
  return {
    enrol(viewer, factor, origin, attempt) {
      const { credential } = viewer;
      const at = now();
      return database.transaction(async (tx) => {
        await holdAccount(tx, viewer);
        const first = (await factorCount(tx, viewer.id)) === 0;
        // Somebody who has a factor by now is not setting up a first one: that sign-in is over.
        if (credential.kind === 'sign-in') {
          const { numDeletedRows } = await tx
            .deleteFrom('sign_ins')
            .where('id', '=', credential.signInId)
            .executeTakeFirst();
          if (numDeletedRows !== 1n || !first) throw refuse('challenge_over');
        }
        await (factor.method === 'totp' ? replaceApp(tx, viewer.id, factor) : insertPasskey(tx, viewer.id, factor, at));
        const event = { ...byOneself(viewer), origin };
        await recordAndTell(tx, outbox, { ...event, kind: 'second_factor_added', detail: detailOf(factor) }, at);
        let recoveryCodes: string[] | null = null;
        if (first) {
          // Other sign-ins were about to set up a first factor too.
          await tx.deleteFrom('sign_ins').where('user_id', '=', viewer.id).execute();
          recoveryCodes = await makeRecoveryCodes(tx, viewer.id);
          await recordSecurityEvent(tx, { ...event, kind: 'recovery_codes_made' }, at);
        }
        let session: SessionSecrets | null = null;
        if (credential.kind === 'sign-in') {
          await recordAndTell(tx, outbox, { ...event, kind: 'signed_in', detail: detailOf(factor) }, at);
          session = await insertSession(tx, { user: viewer, origin, at, steppedUp: true });
        }
        await attempt?.succeeded(tx);
        return { recoveryCodes, session };
      });
    },

    async remove(viewer, factor, origin) {
      const at = now();
      await database.transaction(async (tx) => {
        await holdAccount(tx, viewer);
        const before = await factorCount(tx, viewer.id);
        const detail = await deleteFactor(tx, viewer.id, factor);
        if (detail === undefined) throw refuse('not_found');
        if (before === 1) throw refuse('last_factor');
        const event = { kind: 'second_factor_removed', ...byOneself(viewer), origin, detail } as const;
        await recordAndTell(tx, outbox, event, at);
      });
    },

    async renewRecoveryCodes(viewer, origin) {
      return database.transaction(async (tx) => {
        await holdAccount(tx, viewer);
        const codes = await makeRecoveryCodes(tx, viewer.id);
        const event = { kind: 'recovery_codes_made', ...byOneself(viewer), origin } as const;
        await recordAndTell(tx, outbox, event, now());
        return codes;
      });
    },
  };
}

/** Puts the confirmed secret in the place of a former one. */
async function replaceApp(
  tx: Kysely<Schema>,
  userId: number,
  factor: { readonly sealed: string; readonly step: number },
): Promise<void> {
  await tx.deleteFrom('totp_secrets').where('user_id', '=', userId).where('waiting', '=', 0).execute();
  const { numUpdatedRows } = await tx
    .updateTable('totp_secrets')
    .set({ waiting: 0, last_step: factor.step })
    .where('user_id', '=', userId)
    .where('sealed', '=', factor.sealed)
    .executeTakeFirst();
  if (numUpdatedRows !== 1n) throw refuse('set_up_over');
}

async function insertPasskey(
  tx: Kysely<Schema>,
  userId: number,
  factor: { readonly name: string; readonly passkey: Passkey },
  at: number,
): Promise<void> {
  const { credentialId, publicKey, counter, transports } = factor.passkey;
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('passkeys')
    .values({
      user_id: userId,
      name: factor.name,
      credential_id: credentialId,
      public_key: publicKey,
      counter,
      transports: transports.join(' '),
      created_at: at,
      last_used_at: null,
    })
    .onConflict((conflict) => conflict.column('credential_id').doNothing())
    .executeTakeFirst();
  // Browsers do not create a passkey twice: the options name the existing ones.
  if (numInsertedOrUpdatedRows !== 1n) throw refuse('wrong_code');
}

/** Removes the factor, and answers what events say of it; undefined where there is none. */
async function deleteFactor(tx: Kysely<Schema>, userId: number, factor: FactorName): Promise<string | undefined> {
  if ('totp' in factor) {
    const row = await tx
      .deleteFrom('totp_secrets')
      .where('user_id', '=', userId)
      .where('waiting', '=', 0)
      .returning('user_id')
      .executeTakeFirst();
    return row && factorWords.totp;
  }
  const row = await tx
    .deleteFrom('passkeys')
    .where('id', '=', factor.passkeyId)
    .where('user_id', '=', userId)
    .returning('name')
    .executeTakeFirst();
  return row && `${factorWords.passkey}: ${row.name}`;
}

async function makeRecoveryCodes(tx: Kysely<Schema>, userId: number): Promise<string[]> {
  const { shown, hashes } = newRecoveryCodes();
  await tx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
  await tx
    .insertInto('recovery_codes')
    .values(hashes.map((code_hash) => ({ user_id: userId, code_hash })))
    .execute();
  return shown;
}
