// How often was tried at whom and from where, as rows: counted while one holds the turn at all tries.
import type { Kysely } from 'kysely';
import { HOUR_MS } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Schema } from '../../platform/db/schema.ts';
import { isKnownNetwork } from './known-networks.ts';
import type { HourlyCount, TryKeys } from './tries.ts';

const SECOND_MS = 1_000;
/** From one address at one user: this many failures are free, then each doubles the wait. */
const FREE_FAILURES = 5;
const FIRST_WAIT_MS = SECOND_MS;
const LONGEST_WAIT_MS = 15 * 60 * SECOND_MS;

/** A try that was counted. */
export interface Counted {
  readonly pair: Pick<Count, 'key' | 'blockedUntil'>;
  readonly hourly: readonly Pick<Count, 'key' | 'since'>[];
  /** Whether the user has signed in from this network before. */
  readonly known: boolean;
}

/** A try that was not. */
export interface LockedOut {
  readonly at: number;
  /** When this user is free again in this network. */
  readonly freeAt: number;
  /** The networks that are locked out for all whom they do not know, by the key of their count. */
  readonly networks: readonly { readonly key: string; readonly network: string; readonly freeAt: number }[];
}

interface Count {
  readonly key: string;
  readonly tries: number;
  readonly since: number;
  readonly blockedUntil: number;
}

function waitAfter(failures: number): number {
  if (failures < FREE_FAILURES) return 0;
  return Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (failures - FREE_FAILURES));
}

/** Counts a try at the user with this key from `network`, unless one of them is locked out. */
export async function countTry(
  database: Database,
  now: () => number,
  { usernameKey, network, keys }: { readonly usernameKey: string; readonly network: string; readonly keys: TryKeys },
): Promise<Counted | LockedOut> {
  return database.transaction(async (tx) => {
    await database.serialize(tx, 'attempts');
    // Read while holding the turn: in the order of turns, time does not run backwards.
    const at = now();
    // Where the person has signed in before, failures from elsewhere or at other names lock nobody out: an hour's
    // tries from there are counted separately. They count for the network all the same.
    const known = await isKnownNetwork(tx, { usernameKey, network, at });
    const atUser = keys.atUser({ known });
    const countOf = await read(tx, [keys.pair, atUser.key, ...keys.networks.map(({ key }) => key)], at);
    const isFull = ({ key, max }: HourlyCount) => countOf(key).tries >= max;
    const hourEnds = ({ key }: HourlyCount) => countOf(key).since + HOUR_MS;
    const pair = countOf(keys.pair);
    const networks = known ? [] : keys.networks.filter(isFull);
    const full = isFull(atUser) ? [atUser, ...networks] : networks;
    const freeAt = Math.max(pair.blockedUntil, ...full.map(hourEnds));
    if (freeAt > at) {
      return { at, freeAt, networks: networks.map((one) => ({ ...one, freeAt: hourEnds(one) })) };
    }
    const failures = pair.tries + 1;
    // From the last failure on, so that a long wait is not forgotten while it lasts.
    const wait = waitAfter(failures);
    const blockedUntil = wait === 0 ? 0 : at + wait;
    const hourly = [atUser, ...keys.networks].map(({ key }) => countOf(key));
    await write(tx, [
      { ...pair, tries: failures, since: at, blockedUntil },
      ...hourly.map((one) => ({ ...one, tries: one.tries + 1 })),
    ]);
    return { pair: { key: keys.pair, blockedUntil }, hourly, known };
  });
}

// All at once: everybody who tries waits while somebody holds the turn.
async function read(tx: Kysely<Schema>, keys: readonly string[], at: number): Promise<(key: string) => Count> {
  const rows = await tx
    .selectFrom('attempts')
    .select(['key', 'tries', 'since', 'blocked_until as blockedUntil'])
    .where('key', 'in', keys)
    .execute();
  return (key) => {
    const row = rows.find((one) => one.key === key);
    const over = row === undefined || (at - row.since >= HOUR_MS && at >= row.blockedUntil);
    return over ? { key, tries: 0, since: at, blockedUntil: 0 } : row;
  };
}

async function write(tx: Kysely<Schema>, counts: readonly Count[]): Promise<void> {
  await tx
    .insertInto('attempts')
    .values(counts.map(({ blockedUntil, ...count }) => ({ ...count, blocked_until: blockedUntil })))
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet(({ ref }) => ({
        tries: ref('excluded.tries'),
        since: ref('excluded.since'),
        blocked_until: ref('excluded.blocked_until'),
      })),
    )
    .execute();
}

/** `hour` is the start of the hour the try was counted in: where that is over or deleted, nothing is taken back. */
export async function takeBack(tx: Kysely<Schema>, key: string, hour?: number): Promise<void> {
  await tx
    .deleteFrom('attempts')
    .where('key', '=', key)
    .where('tries', '<=', 1)
    .$if(hour !== undefined, (counts) => counts.where('since', '=', hour ?? 0))
    .execute();
  await tx
    .updateTable('attempts')
    .set(({ eb }) => ({ tries: eb('tries', '-', 1) }))
    .where('key', '=', key)
    .$if(hour !== undefined, (counts) => counts.where('since', '=', hour ?? 0))
    .execute();
}
