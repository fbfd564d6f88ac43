// The keys under which tries at secrets are counted, and how counts are cleared when somebody gets a new secret.
import type { Kysely } from 'kysely';
import type { Turn } from '../db/database.ts';
import type { Schema } from '../db/schema.ts';
import { fingerprint } from './secrets.ts';

/** The counts that one try belongs to. */
export interface TryKeys {
  /** At one user from one network: the count behind the doubling waits. */
  readonly pair: string;
  /** An hour's tries at one user: a network the user has signed in from counts its own, all others are counted together. */
  readonly user: string;
  /** An hour's tries from one network. */
  readonly address: string;
}

/** Hashed: a password typed into the wrong field must not be found in the database. */
const nameOf = (usernameKey: string) => fingerprint(usernameKey);

const ADDRESS = 'address:';

export function tryKeys(usernameKey: string, network: string, { known }: { readonly known: boolean }): TryKeys {
  const name = nameOf(usernameKey);
  return {
    pair: `pair:${name}:${network}`,
    user: known ? `user:${name}:${network}` : `user:${name}`,
    address: `${ADDRESS}${network}`,
  };
}

/**
 * Clears the tries at a user who got a new secret, so that the person can sign in at once and from
 * anywhere. It is unknown which network the person is in, so the hour of every address restarts; what is counted at
 * other users stays. Takes the turn at tries, which is held until the transaction ends.
 */
export async function forgetTriesAt(
  turns: { serialize(turn: Turn): Promise<void> },
  tx: Kysely<Schema>,
  userId: number,
): Promise<void> {
  const user = await tx.selectFrom('users').select('username_key').where('id', '=', userId).executeTakeFirst();
  if (user === undefined) return;
  await turns.serialize('attempts');
  const name = nameOf(user.username_key);
  for (const prefix of [`pair:${name}`, `user:${name}`, ADDRESS]) {
    await tx.deleteFrom('attempts').where('key', '>=', prefix).where('key', '<', `${prefix}~`).execute();
  }
}
