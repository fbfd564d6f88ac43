// The networks a person has signed in from: written where a session is opened, read where tries at a secret are counted.
import type { Kysely } from 'kysely';
import { networkOf } from '../../platform/admission/network.ts';
import type { Schema } from '../../platform/db/schema.ts';

const KEPT_MS = 90 * 24 * 60 * 60_000;
/** Per person, so that nobody who moves about fills the table. */
const KEPT_MAX = 50;

/** Records that the user has signed in from `address`, in the transaction that opens the session. */
export async function rememberNetwork(
  tx: Kysely<Schema>,
  { userId, address, at }: { readonly userId: number; readonly address: string; readonly at: number },
): Promise<void> {
  const network = networkOf(address);
  // The caller has hung up: the address is unknown.
  if (network === '') return;
  const { numInsertedOrUpdatedRows: made } = await tx
    .insertInto('known_networks')
    .values({ user_id: userId, network, signed_in_at: at })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  if (made === 0n) {
    await tx
      .updateTable('known_networks')
      .set({ signed_in_at: at })
      .where('user_id', '=', userId)
      .where('network', '=', network)
      .execute();
    return;
  }
  await tx
    .deleteFrom('known_networks')
    .where('user_id', '=', userId)
    .where('network', 'not in', (older) =>
      older
        .selectFrom('known_networks')
        .select('network')
        .where('user_id', '=', userId)
        .orderBy('signed_in_at', 'desc')
        .limit(KEPT_MAX),
    )
    .execute();
}

/** Whether the user of this name has signed in from `network` in the last ninety days. */
export async function isKnownNetwork(
  tx: Kysely<Schema>,
  { usernameKey, network, at }: { readonly usernameKey: string; readonly network: string; readonly at: number },
): Promise<boolean> {
  const row = await tx
    .selectFrom('users')
    .innerJoin('known_networks', 'known_networks.user_id', 'users.id')
    .select('known_networks.network')
    .where('users.username_key', '=', usernameKey)
    .where('known_networks.network', '=', network)
    .where('known_networks.signed_in_at', '>', at - KEPT_MS)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * The folded names of those who have signed in from `network` in the last ninety days; of a site's prefix, from any network of it.
 */
export async function namesKnownAt(
  reader: Kysely<Schema>,
  { network, at }: { readonly network: string; readonly at: number },
): Promise<Set<string>> {
  const rows = await reader
    .selectFrom('known_networks')
    .innerJoin('users', 'users.id', 'known_networks.user_id')
    .select('users.username_key as usernameKey')
    .where((eb) =>
      eb.or([
        eb('known_networks.network', '=', network),
        // What begins with the prefix and a colon: a semicolon comes after it.
        eb.and([eb('known_networks.network', '>', `${network}:`), eb('known_networks.network', '<', `${network};`)]),
      ]),
    )
    .where('known_networks.signed_in_at', '>', at - KEPT_MS)
    .execute();
  return new Set(rows.map(({ usernameKey }) => usernameKey));
}

/** Deletes networks that were not signed in from for ninety days. */
export async function forgetOldNetworks(tx: Kysely<Schema>, at: number): Promise<void> {
  await tx
    .deleteFrom('known_networks')
    .where('signed_in_at', '<=', at - KEPT_MS)
    .execute();
}
