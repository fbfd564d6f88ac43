// Under which keys tries at secrets are counted, and how the counts are forgotten where somebody is given a new secret.
import type { Kysely } from 'kysely';
import type { Turn } from '../db/database.ts';
import type { Schema } from '../db/schema.ts';
import { fingerprint } from './secrets.ts';

/** The counts that one try belongs to. */
export interface TryKeys {
  /** At one user from one network: what the waits that double are counted by. */
  readonly pair: string;
  /** An hour's tries at one user: for a network where the user has signed in those from there, elsewhere those from everywhere else. */
  readonly user: string;
  /** An hour's tries from one network. */
  readonly address: string;
}

/** Whoever types a password into the wrong field should not find it in the database. */
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
 * Forgets the tries at a user whom somebody has given a new secret, so that the person can sign in at once and from
 * anywhere. Nothing tells which network the person sits in, so the hour of every address begins anew; what is counted at
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
