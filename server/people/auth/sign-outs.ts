// Ends everything a person is signed in by, in the transaction that asks for it.
import type { Kysely } from 'kysely';
import type { Schema } from '../../platform/db/schema.ts';

/** Ends a user's sessions, except `keepSessionId`, all looks, every unfinished sign-in and a link for a forgotten password. Returns how many sessions, looks not counted. */
export async function signOutEverywhere(tx: Kysely<Schema>, userId: number, keepSessionId = 0): Promise<number> {
  for (const table of ['sign_ins', 'password_links'] as const) {
    await tx.deleteFrom(table).where('user_id', '=', userId).execute();
  }
  const ended = await tx
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .where('id', '<>', keepSessionId)
    .returning('looks_at_id')
    .execute();
  return ended.filter(({ looks_at_id: looksAt }) => looksAt === null).length;
}

/** Removes every second factor of a user and signs the user out everywhere. */
export async function removeSecondFactors(tx: Kysely<Schema>, userId: number): Promise<void> {
  for (const table of ['totp_secrets', 'passkeys', 'passkey_challenges', 'recovery_codes'] as const) {
    await tx.deleteFrom(table).where('user_id', '=', userId).execute();
  }
  await signOutEverywhere(tx, userId);
}
