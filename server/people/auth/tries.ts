// The keys under which tries at secrets are counted, their hourly limits, and how counts are cleared when somebody gets a new secret.
import type { Kysely } from 'kysely';
import { sitePrefixOf } from '../../platform/admission/network.ts';
import type { Database, Turn } from '../../platform/db/database.ts';
import type { Schema } from '../../platform/db/schema.ts';
import { fingerprint } from '../../platform/secrets.ts';

const HOURLY_AT_USER = 50;
const HOURLY_FROM_NETWORK = 100;
/** A site has 65,536 networks of IPv6. */
const HOURLY_FROM_SITE = 500;

/** What is counted by the hour. */
export interface HourlyCount {
  readonly key: string;
  /** So many tries are let through in an hour. */
  readonly max: number;
}

export interface NetworkCount extends HourlyCount {
  /** A network or the prefix of a site. Its limit spares people who have signed in from the network they are in. */
  readonly network: string;
}

/** The counts that one try belongs to. */
export interface TryKeys {
  /** At one user from one network: the count behind the doubling waits. */
  readonly pair: string;
  /** From the network and, of IPv6, from its site. */
  readonly networks: readonly NetworkCount[];
  /** At one user: a network the user has signed in from counts its own, all others are counted together. */
  atUser(where: { readonly known: boolean }): HourlyCount;
}

/** Hashed: a password typed into the wrong field must not be found in the database. */
const nameOf = (usernameKey: string) => fingerprint(usernameKey);

const ADDRESS = 'address:';
const SITE = 'site:';

export function tryKeys(usernameKey: string, network: string): TryKeys {
  const name = nameOf(usernameKey);
  const site = sitePrefixOf(network);
  const ofNetwork = { key: `${ADDRESS}${network}`, max: HOURLY_FROM_NETWORK, network };
  const ofSite = { key: `${SITE}${site}`, max: HOURLY_FROM_SITE, network: site };
  return {
    pair: `pair:${name}:${network}`,
    networks: site === network ? [ofNetwork] : [ofNetwork, ofSite],
    atUser: ({ known }) => ({ key: known ? `user:${name}:${network}` : `user:${name}`, max: HOURLY_AT_USER }),
  };
}

interface Turns {
  serialize(turn: Turn): Promise<void>;
}

/** The turns of a transaction that no scope opened. */
export const turnsOf = (database: Database, tx: Kysely<Schema>): Turns => ({
  serialize: (turn) => database.serialize(tx, turn),
});

/**
 * Clears the tries at a user who got a new secret, so that the person can sign in from anywhere, within a second (`lockouts.ts`). It
 * is unknown which network the person is in, so the hour of every network restarts; what is counted at other users stays. Takes the
 * turn at tries, which is held until the transaction ends.
 */
export const forgetTriesAt = (turns: Turns, tx: Kysely<Schema>, userId: number): Promise<void> =>
  forget(turns, tx, userId, [ADDRESS, SITE]);

/** The same where people chose the secret themselves by a link: nobody restarts the hour of their network by links of their own. */
export const forgetOwnTries = (turns: Turns, tx: Kysely<Schema>, userId: number): Promise<void> =>
  forget(turns, tx, userId, []);

async function forget(turns: Turns, tx: Kysely<Schema>, userId: number, further: readonly string[]): Promise<void> {
  const user = await tx.selectFrom('users').select('username_key').where('id', '=', userId).executeTakeFirst();
  if (user === undefined) return;
  await turns.serialize('attempts');
  const name = nameOf(user.username_key);
  for (const prefix of [`pair:${name}`, `user:${name}`, ...further]) {
    await tx.deleteFrom('attempts').where('key', '>=', prefix).where('key', '<', `${prefix}~`).execute();
  }
}
