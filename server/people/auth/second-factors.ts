// Second factors and the sign-ins that wait for one: what a person has set up, what proves it, and that each proof is used once.

import type { Kysely } from 'kysely';
import { refuse } from '#contract/errors.ts';
import type { FactorProof, Factors, PasskeyAssertion, PasskeyAttestation } from '#contract/factors.ts';
import type { FactorMethod } from '#contract/session.ts';
import { type Origin, recordSecurityEvent } from '../../audit/security-events.ts';
import type { Outbox } from '../../mail/outbox.ts';
import { recordAndTell } from '../../mail/tell.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Schema } from '../../platform/db/schema.ts';
import type { Sealer } from '../../platform/sealed.ts';
import { fingerprint, newSecret } from '../../platform/secrets.ts';
import { sessionOf } from '../access/credential.ts';
import type { Viewer } from '../access/scope.ts';
import type { Attempt } from './attempts.ts';
import { checkAssertion, checkAttestation, PASSKEY_TIMEOUT_MS, type Passkey, type Site } from './passkeys.ts';
import { newRecoveryCodes, recoveryCodeHash } from './recovery-codes.ts';
import { insertSession, lockUser, type SessionSecrets } from './sessions.ts';
import { newTotpSecret, totpStep } from './totp.ts';

const MINUTE_MS = 60_000;
const SIGN_IN_MS = 5 * MINUTE_MS;
const ENROLLING_MS = 15 * MINUTE_MS;
const TOTP_WAITS_MS = 15 * MINUTE_MS;
const TRIES_MAX = 5;

/** Somebody whose factors are looked up. */
export interface Person {
  readonly id: number;
  readonly username: string;
  readonly fullName: string;
}

/** A sign-in whose password was right. */
export interface SignIn {
  readonly id: number;
  readonly person: Person;
}

/** A factor that was right when it was checked; it counts once it has been used up. */
type Proven =
  | { readonly method: 'totp'; readonly step: number }
  | { readonly method: 'recovery'; readonly codeHash: string }
  | { readonly method: 'passkey'; readonly passkeyId: number; readonly name: string; readonly counter: number };

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

export interface SecondFactors {
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
  /** Whether the factor is right. Using it up is another step, in the transaction of what it opens. */
  prove(person: Person, proof: FactorProof, purpose: 'sign-in' | 'step-up', site: () => Site): Promise<Proven | null>;
  /** Ends the sign-in with a session; null where it ended meanwhile or the factor was used already. */
  finishSignIn(signIn: SignIn, proven: Proven, attempt: Attempt, origin: Origin): Promise<SessionSecrets | null>;
  /** Records in the session that a second factor was shown; false where the factor was used meanwhile. */
  stepUp(viewer: Viewer, proven: Proven, attempt: Attempt, origin: Origin): Promise<boolean>;
  recordFailure(person: Person, method: FactorMethod, origin: Origin): Promise<void>;

  factorsOf(userId: number): Promise<Factors>;
  passkeysOf(userId: number): Promise<Pick<Passkey, 'credentialId' | 'transports'>[]>;
  /** Stores a passkey challenge, for one answer within five minutes. */
  keepChallenge(userId: number, purpose: Purpose, challenge: string): Promise<void>;

  /** A new secret for an authenticator app, to be confirmed. */
  newTotp(viewer: Viewer): Promise<Uint8Array>;
  /** What a right code sets up; null where it is wrong. Throws `challenge_over` where no secret waits. */
  proveNewTotp(viewer: Viewer, code: string): Promise<NewFactor | null>;
  /** What a browser's answer sets up; null where it is not right. */
  proveNewPasskey(viewer: Viewer, name: string, answer: PasskeyAttestation, site: Site): Promise<NewFactor | null>;
  /** Sets a factor up. Throws `challenge_over` where the sign-in or the waiting secret is gone by then. */
  enrol(viewer: Viewer, factor: NewFactor, origin: Origin, attempt?: Attempt): Promise<Enrolment>;
  /** Throws `not_found`, or `last_factor` for the only one. */
  remove(viewer: Viewer, factor: { totp: true } | { passkeyId: number }, origin: Origin): Promise<void>;
  renewRecoveryCodes(viewer: Viewer, origin: Origin): Promise<string[]>;
  /** Throws KeyFault where the secrets in the database cannot be decrypted. */
  checkKey(): Promise<void>;
  forgetExpired(): Promise<void>;
}

/** Of one person and purpose. */
const CHALLENGES_KEPT = 10;

type Purpose = 'sign-in' | 'step-up' | 'enrol';

const totpPurpose = (userId: number) => `totp of user ${userId}`;

/** Whether an authenticator app is in use; one that is not confirmed yet is not. */
async function hasApp(db: Kysely<Schema>, userId: number): Promise<boolean> {
  const row = await db
    .selectFrom('totp_secrets')
    .select('user_id')
    .where('user_id', '=', userId)
    .where('waiting', '=', 0)
    .executeTakeFirst();
  return row !== undefined;
}

async function passkeyCount(db: Kysely<Schema>, userId: number): Promise<number> {
  return (await db.selectFrom('passkeys').select('id').where('user_id', '=', userId).execute()).length;
}

async function recoveryCodesLeft(db: Kysely<Schema>, userId: number): Promise<number> {
  return (await db.selectFrom('recovery_codes').select('code_hash').where('user_id', '=', userId).execute()).length;
}

async function factorCount(tx: Kysely<Schema>, userId: number): Promise<number> {
  return (await passkeyCount(tx, userId)) + ((await hasApp(tx, userId)) ? 1 : 0);
}

/**
 * Locks the user's row until the transaction ends, so that two changes of factors see each other. Refuses `unauthenticated` where
 * the session, or the sign-in on its way to a first factor, ended meanwhile.
 */
async function holdAccount(tx: Kysely<Schema>, viewer: Viewer): Promise<void> {
  await lockUser(tx, viewer.id);
  const { credential } = viewer;
  const open =
    credential.kind === 'sign-in'
      ? tx.selectFrom('sign_ins').select('id').where('id', '=', credential.signInId)
      : tx.selectFrom('sessions').select('id').where('id', '=', sessionOf(viewer).sessionId);
  if ((await open.executeTakeFirst()) === undefined) throw refuse('unauthenticated');
}

/** Uses the factor up; false where that has happened already. Every update compares and sets, so exactly one wins. */
async function use(tx: Kysely<Schema>, userId: number, proven: Proven, at: number): Promise<boolean> {
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
class UsedMeanwhile extends Error {}

async function orNull<Result>(work: () => Promise<Result>): Promise<Result | null> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof UsedMeanwhile) return null;
    throw error;
  }
}

const factorWords = { totp: 'authenticator app', passkey: 'passkey', recovery: 'recovery code' } as const;

function detailOf(factor: Proven | NewFactor): string {
  return factor.method === 'passkey' ? `passkey: ${factor.name}` : factorWords[factor.method];
}

export function openSecondFactors(
  database: Database,
  now: () => number,
  { sealer, outbox }: { readonly sealer: Sealer; readonly outbox: Outbox },
): SecondFactors {
  const { reader } = database;

  async function takeChallenge(userId: number, purpose: Purpose, challenge: string): Promise<boolean> {
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
  }

  async function provePasskey(
    userId: number,
    answer: PasskeyAssertion,
    purpose: Purpose,
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
      takeChallenge(userId, purpose, challenge),
    );
    return counter === null ? null : { method: 'passkey', passkeyId: row.id, name: row.name, counter };
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

  async function checkKey(): Promise<void> {
    const row = await reader.selectFrom('totp_secrets').select(['user_id', 'sealed']).limit(1).executeTakeFirst();
    if (row !== undefined) await sealer.open(row.sealed, totpPurpose(row.user_id));
  }

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
      const row = await reader
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

    finishSignIn({ id, person }, proven, attempt, origin) {
      const at = now();
      return orNull(() =>
        database.transaction(async (tx) => {
          await lockUser(tx, person.id);
          const { numDeletedRows } = await tx.deleteFrom('sign_ins').where('id', '=', id).executeTakeFirst();
          if (numDeletedRows !== 1n || !(await use(tx, person.id, proven, at))) throw new UsedMeanwhile();
          const event = { user: person, actor: toActor(person), origin };
          if (proven.method === 'recovery') await recordSecurityEvent(tx, { ...event, kind: 'recovery_code_used' }, at);
          await recordAndTell(tx, outbox, { ...event, kind: 'signed_in', detail: detailOf(proven) }, at);
          const secrets = await insertSession(tx, { user: person, origin, at, steppedUp: true });
          await attempt.succeeded(tx);
          return secrets;
        }),
      );
    },

    async stepUp(viewer, proven, attempt, origin) {
      const at = now();
      const done = await orNull(() =>
        database.transaction(async (tx) => {
          if (!(await use(tx, viewer.id, proven, at))) throw new UsedMeanwhile();
          const { numUpdatedRows } = await tx
            .updateTable('sessions')
            .set({ stepped_up_at: at })
            .where('id', '=', sessionOf(viewer).sessionId)
            .executeTakeFirst();
          if (numUpdatedRows !== 1n) throw refuse('unauthenticated');
          const event = { user: viewer, actor: toActor(viewer), origin };
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

    async factorsOf(userId) {
      const passkeys = await reader
        .selectFrom('passkeys')
        .select(['id', 'name', 'created_at', 'last_used_at'])
        .where('user_id', '=', userId)
        .orderBy('id')
        .execute();
      return {
        totp: await hasApp(reader, userId),
        passkeys: passkeys.map(({ id, name, created_at, last_used_at }) => ({
          id,
          name,
          createdAt: new Date(created_at).toISOString(),
          lastUsedAt: last_used_at === null ? null : new Date(last_used_at).toISOString(),
        })),
        recoveryCodesLeft: await recoveryCodesLeft(reader, userId),
      };
    },

    async passkeysOf(userId) {
      const rows = await reader
        .selectFrom('passkeys')
        .select(['credential_id', 'transports'])
        .where('user_id', '=', userId)
        .orderBy('id')
        .execute();
      return rows.map((row) => ({ credentialId: row.credential_id, transports: toTransports(row.transports) }));
    },

    async keepChallenge(userId, purpose, challenge) {
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
      if (row === undefined) throw refuse('challenge_over');
      const step = totpStep(await sealer.open(row.sealed, totpPurpose(viewer.id)), code, at);
      return step === null ? null : { method: 'totp', sealed: row.sealed, step };
    },

    async proveNewPasskey(viewer, name, answer, site) {
      const take = (challenge: string) => takeChallenge(viewer.id, 'enrol', challenge);
      const passkey = await checkAttestation(site, answer, take);
      return passkey === null ? null : { method: 'passkey', name, passkey };
    },

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
        if (factor.method === 'totp') {
          await tx.deleteFrom('totp_secrets').where('user_id', '=', viewer.id).where('waiting', '=', 0).execute();
          const { numUpdatedRows } = await tx
            .updateTable('totp_secrets')
            .set({ waiting: 0, last_step: factor.step })
            .where('user_id', '=', viewer.id)
            .where('sealed', '=', factor.sealed)
            .executeTakeFirst();
          if (numUpdatedRows !== 1n) throw refuse('challenge_over');
        } else {
          const { credentialId, publicKey, counter, transports } = factor.passkey;
          const { numInsertedOrUpdatedRows } = await tx
            .insertInto('passkeys')
            .values({
              user_id: viewer.id,
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
        const event = { user: viewer, actor: toActor(viewer), origin };
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
        let detail: string | undefined;
        if ('totp' in factor) {
          const row = await tx
            .deleteFrom('totp_secrets')
            .where('user_id', '=', viewer.id)
            .where('waiting', '=', 0)
            .returning('user_id')
            .executeTakeFirst();
          detail = row && factorWords.totp;
        } else {
          const row = await tx
            .deleteFrom('passkeys')
            .where('id', '=', factor.passkeyId)
            .where('user_id', '=', viewer.id)
            .returning('name')
            .executeTakeFirst();
          detail = row && `${factorWords.passkey}: ${row.name}`;
        }
        if (detail === undefined) throw refuse('not_found');
        if (before === 1) throw refuse('last_factor');
        const event = { kind: 'second_factor_removed', user: viewer, actor: toActor(viewer), origin, detail } as const;
        await recordAndTell(tx, outbox, event, at);
      });
    },

    async renewRecoveryCodes(viewer, origin) {
      return database.transaction(async (tx) => {
        await holdAccount(tx, viewer);
        const codes = await makeRecoveryCodes(tx, viewer.id);
        const event = { kind: 'recovery_codes_made', user: viewer, actor: toActor(viewer), origin } as const;
        await recordAndTell(tx, outbox, event, now());
        return codes;
      });
    },

    checkKey,

    async forgetExpired() {
      const at = now();
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
    },
  };
}

const toActor = ({ id, fullName }: Person) => ({ id, name: fullName });

const toTransports = (list: string): string[] => (list === '' ? [] : list.split(' '));
