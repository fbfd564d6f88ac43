// Tries at a secret, counted in the database before the secret is looked at: correct across several processes.
import type { Kysely } from 'kysely';
import { Refusal, refuse } from '#contract/errors.ts';
import { foldKey } from '#contract/fields.ts';
import type { Admission } from '../../platform/admission/admission.ts';
import type { Caller } from '../../platform/admission/caller.ts';
import { networkOf, sitePrefixOf } from '../../platform/admission/network.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Schema } from '../../platform/db/schema.ts';
import { forgetOldNetworks, isKnownNetwork, namesKnownAt } from './known-networks.ts';
import { Lockouts } from './lockouts.ts';
import { type HourlyCount, type TryKeys, tryKeys } from './tries.ts';

const SECOND_MS = 1_000;
const MINUTE_S = 60;
const HOUR_MS = 60 * 60 * SECOND_MS;
/** From one address at one user: this many failures are free, then each doubles the wait. */
const FREE_FAILURES = 5;
const FIRST_WAIT_MS = SECOND_MS;
const LONGEST_WAIT_MS = 15 * 60 * SECOND_MS;

/**
 * One try. It counts as failed until `succeeded` or `takenBack` is called. Call them last in their transaction, which holds
 * the turn at all tries from then on.
 */
export interface Attempt {
  /**
   * Does costly work on the secret when it is the turn of its network. Strangers have a queue of their own, so that they never keep
   * people waiting whom their network knows. Refuses `busy` where too much waits, and where the caller leaves before it has begun.
   */
  inTurn<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Takes the try back and clears this address's failures at this user, in the transaction of what it opens. */
  succeeded(tx: Kysely<Schema>): Promise<void>;
  /**
   * Takes the try back and clears nothing: where the right password only leads to the question for the second factor.
   * Knowing the password does not give new tries at the codes.
   */
  takenBack(tx: Kysely<Schema>): Promise<void>;
}

/** Where a try comes from. */
interface TryOrigin {
  readonly address: string;
  readonly caller: Caller;
}

export interface Attempts {
  /**
   * Counts a try at `username`'s secret, and then lets `judge` look at it. Refuses `too_many`, or `locked_out` for more than a
   * minute, with the time to wait; `busy`, uncounted, where too many tries of the network wait to be counted. A try that `judge`
   * refuses as `busy` was not looked at, and is taken back where the network knows the user: a stranger who asks for more than
   * can be looked at is limited by it.
   */
  judged<Result>(username: string, from: TryOrigin, judge: (attempt: Attempt) => Promise<Result>): Promise<Result>;
  /** Deletes counts that no longer matter, and networks that nobody has signed in from for long. */
  forgetOld(): Promise<void>;
}

function waitAfter(failures: number): number {
  if (failures < FREE_FAILURES) return 0;
  return Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (failures - FREE_FAILURES));
}

function tooMany(waitMs: number): Refusal {
  const waitSeconds = Math.ceil(waitMs / SECOND_MS);
  const { code, message } =
    waitSeconds > MINUTE_S ? refuse('locked_out', { minutes: Math.ceil(waitSeconds / MINUTE_S) }) : refuse('too_many');
  return new Refusal(code, message, { retryAfterSeconds: waitSeconds });
}

/** A try that was counted. */
interface Counted {
  readonly pair: Pick<Count, 'key' | 'blockedUntil'>;
  readonly hourly: readonly Pick<Count, 'key' | 'since'>[];
  /** Whether the user has signed in from this network before. */
  readonly known: boolean;
}

/** A try that was not. */
interface LockedOut {
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

export function openAttempts(
  database: Database,
  now: () => number,
  admission: Pick<Admission, 'tries' | 'passwords' | 'strangersPasswords'>,
): Attempts {
  const lockouts = new Lockouts();

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
  async function takeBack(tx: Kysely<Schema>, key: string, hour?: number): Promise<void> {
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

  async function count(usernameKey: string, network: string, keys: TryKeys): Promise<Counted | LockedOut> {
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

  /** So that the next ones are refused without a transaction. */
  async function remember({ at, freeAt, networks }: LockedOut, { pair }: TryKeys): Promise<void> {
    lockouts.remember(pair, { freeAt, at });
    for (const { key, network, freeAt: freeAgainAt } of networks) {
      const spared = await namesKnownAt(database.reader, { network, at });
      lockouts.remember(key, { freeAt: freeAgainAt, at, spared });
    }
  }

  /** Counts the try; refuses where that is not allowed. */
  async function begin(username: string, network: string, caller: Caller): Promise<Counted> {
    const usernameKey = foldKey(username);
    const keys = tryKeys(usernameKey, network);
    const remembered = [keys.pair, ...keys.networks.map(({ key }) => key)];
    const refuseRemembered = () => {
      const at = now();
      const freeAt = lockouts.freeAt(remembered, usernameKey, at);
      if (freeAt > at) throw tooMany(freeAt - at);
    };
    refuseRemembered();
    return admission.tries.run(sitePrefixOf(network), caller, async (waited) => {
      // It may have been found by the try before this one.
      if (waited) refuseRemembered();
      const counted = await count(usernameKey, network, keys);
      if (!('freeAt' in counted)) return counted;
      await remember(counted, keys);
      throw tooMany(counted.freeAt - counted.at);
    });
  }

  function attemptOf({ pair, hourly, known }: Counted, network: string, caller: Caller): Attempt {
    return {
      inTurn: (work) =>
        known
          ? admission.passwords.run(network, caller, work)
          : admission.strangersPasswords.run(sitePrefixOf(network), caller, work),
      async succeeded(tx) {
        await database.serialize(tx, 'attempts');
        await tx.deleteFrom('attempts').where('key', '=', pair.key).execute();
        for (const { key, since } of hourly) await takeBack(tx, key, since);
      },
      async takenBack(tx) {
        await database.serialize(tx, 'attempts');
        // This try's own wait goes with it; one that a later failure has set stays.
        await tx
          .updateTable('attempts')
          .set({ blocked_until: 0 })
          .where('key', '=', pair.key)
          .where('blocked_until', '=', pair.blockedUntil)
          .execute();
        await takeBack(tx, pair.key);
        for (const { key, since } of hourly) await takeBack(tx, key, since);
      },
    };
  }

  return {
    async judged(username, { address, caller }, judge) {
      const network = networkOf(address);
      const counted = await begin(username, network, caller);
      const attempt = attemptOf(counted, network, caller);
      try {
        return await judge(attempt);
      } catch (error) {
        const isBusy = error instanceof Refusal && error.code === 'busy';
        if (isBusy && counted.known) await database.transaction(attempt.takenBack);
        throw error;
      }
    },

    async forgetOld() {
      const at = now();
      await database.transaction(async (tx) => {
        await database.serialize(tx, 'attempts');
        await tx
          .deleteFrom('attempts')
          .where('since', '<=', at - HOUR_MS)
          .where('blocked_until', '<=', at)
          .execute();
      });
      // Apart from the counts: a sign-in records its network before it takes the turn at tries.
      await database.transaction((tx) => forgetOldNetworks(tx, at));
    },
  };
}
