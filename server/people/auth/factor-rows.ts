// What a person has set up of second factors, as the rows say, and how events tell of it.
import type { Kysely } from 'kysely';
import { refuse } from '#contract/errors.ts';
import type { Factors } from '#contract/factors.ts';
import type { Schema } from '../../platform/db/schema.ts';
import { instant, instantOrNull } from '../../platform/instant.ts';
import { sessionOf } from '../access/credential.ts';
import type { Viewer } from '../access/viewer.ts';
import { lockUser } from './new-session.ts';
import type { Passkey } from './passkeys.ts';

/** Whether an authenticator app is in use; one that is not confirmed yet is not. */
export async function hasApp(db: Kysely<Schema>, userId: number): Promise<boolean> {
  const row = await db
    .selectFrom('totp_secrets')
    .select('user_id')
    .where('user_id', '=', userId)
    .where('waiting', '=', 0)
    .executeTakeFirst();
  return row !== undefined;
}

export async function passkeyCount(db: Kysely<Schema>, userId: number): Promise<number> {
  return (await db.selectFrom('passkeys').select('id').where('user_id', '=', userId).execute()).length;
}

export async function recoveryCodesLeft(db: Kysely<Schema>, userId: number): Promise<number> {
  return (await db.selectFrom('recovery_codes').select('code_hash').where('user_id', '=', userId).execute()).length;
}

export async function factorCount(tx: Kysely<Schema>, userId: number): Promise<number> {
  return (await passkeyCount(tx, userId)) + ((await hasApp(tx, userId)) ? 1 : 0);
}

/**
 * Locks the user's row until the transaction ends, so that two changes of factors see each other. Refuses `unauthenticated` where
 * the session, or the sign-in on its way to a first factor, ended meanwhile.
 */
export async function holdAccount(tx: Kysely<Schema>, viewer: Viewer): Promise<void> {
  await lockUser(tx, viewer.id);
  const { credential } = viewer;
  const open =
    credential.kind === 'sign-in'
      ? tx.selectFrom('sign_ins').select('id').where('id', '=', credential.signInId)
      : tx.selectFrom('sessions').select('id').where('id', '=', sessionOf(viewer).sessionId);
  if ((await open.executeTakeFirst()) === undefined) throw refuse('unauthenticated');
}

/** What a person sees of the own factors. */
export async function factorsOf(db: Kysely<Schema>, userId: number): Promise<Factors> {
  const passkeys = await db
    .selectFrom('passkeys')
    .select(['id', 'name', 'created_at', 'last_used_at'])
    .where('user_id', '=', userId)
    .orderBy('id')
    .execute();
  return {
    totp: await hasApp(db, userId),
    passkeys: passkeys.map(({ id, name, created_at, last_used_at }) => ({
      id,
      name,
      createdAt: instant(created_at),
      lastUsedAt: instantOrNull(last_used_at),
    })),
    recoveryCodesLeft: await recoveryCodesLeft(db, userId),
  };
}

export type PasskeyName = Pick<Passkey, 'credentialId' | 'transports'>;

export async function passkeysOf(db: Kysely<Schema>, userId: number): Promise<PasskeyName[]> {
  const rows = await db
    .selectFrom('passkeys')
    .select(['credential_id', 'transports'])
    .where('user_id', '=', userId)
    .orderBy('id')
    .execute();
  return rows.map((row) => ({ credentialId: row.credential_id, transports: toTransports(row.transports) }));
}

export const toTransports = (list: string): string[] => (list === '' ? [] : list.split(' '));

export const factorWords = { totp: 'authenticator app', passkey: 'passkey', recovery: 'recovery code' } as const;

/** What an event says of the factor. */
export function detailOf(
  factor: { readonly method: 'totp' | 'recovery' } | { readonly method: 'passkey'; readonly name: string },
): string {
  return factor.method === 'passkey' ? `passkey: ${factor.name}` : factorWords[factor.method];
}
