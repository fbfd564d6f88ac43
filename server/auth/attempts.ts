// Tries at a secret, counted in the database before the secret is looked at: correct across several processes.
import type { Kysely } from 'kysely';
import { Refusal, refuse } from '#contract/errors.ts';
import { foldKey } from '#contract/fields.ts';
import type { Caller } from '../admission/caller.ts';
import type { FairTurns } from '../admission/fair-turns.ts';
import type { Database } from '../db/database.ts';
import type { Schema } from '../db/schema.ts';
import { forgetOldNetworks, isKnownNetwork } from './known-networks.ts';
import { networkOf } from './network.ts';
import { tryKeys } from './tries.ts';

const SECOND_MS = 1_000;
const MINUTE_S = 60;
const HOUR_MS = 60 * 60 * SECOND_MS;
/** From one address at one user: this many failures are free, then each doubles the wait. */
const FREE_FAILURES = 5;
const FIRST_WAIT_MS = SECOND_MS;
const LONGEST_WAIT_MS = 15 * 60 * SECOND_MS;
const HOURLY_AT_USER = 50;
const HOURLY_FROM_ADDRESS = 100;

/**
 * One try. It counts as failed until one of these is called. Call it last in its transaction, which holds
 * the turn at all tries from then on.
 */
export interface Attempt {
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
   * refuses as `busy` was not looked at, and is taken back.
   */
  judged<Result>(username: string, from: TryOrigin, judge: (attempt: Attempt) => Promise<Result>): Promise<Result>;
  /** Deletes counts that no longer matter, and networks that nobody has signed in from for long. */
  forgetOld(): Promise<void>;
}

function waitAfter(failures: number): number {
  if (failures < FREE_FAILURES) return 0;
  return Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (failures - FREE_FAILURES));
}

function tooMany(waitSeconds: number): Refusal {
  const { code, message } =
    waitSeconds > MINUTE_S ? refuse('locked_out', { minutes: Math.ceil(waitSeconds / MINUTE_S) }) : refuse('too_many');
  return new Refusal(code, message, { retryAfterSeconds: waitSeconds });
}

interface Count {
  readonly key: string;
  readonly tries: number;
  readonly since: number;
  readonly blockedUntil: number;
}

/** `turns`: in which networks have their tries counted. */
export function openAttempts(database: Database, now: () => number, turns: FairTurns): Attempts {
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

  async function begin(username: string, network: string): Promise<Attempt> {
    const usernameKey = foldKey(username);
    const counted = await database.transaction(async (tx) => {
      await database.serialize(tx, 'attempts');
      // Read while holding the turn: in the order of turns, time does not run backwards.
      const at = now();
      // Where the person has signed in before, failures from elsewhere or at other names lock nobody out: an hour's
      // tries from there are counted separately. They count for the address all the same.
      const known = await isKnownNetwork(tx, { usernameKey, network, at });
      const keys = tryKeys(usernameKey, network, { known });
      const countOf = await read(tx, Object.values(keys), at);
      const pair = countOf(keys.pair);
      const atUser = countOf(keys.user);
      const fromAddress = countOf(keys.address);
      const freeAt = Math.max(
        pair.blockedUntil,
        atUser.tries >= HOURLY_AT_USER ? atUser.since + HOUR_MS : 0,
        !known && fromAddress.tries >= HOURLY_FROM_ADDRESS ? fromAddress.since + HOUR_MS : 0,
      );
      if (freeAt > at) throw tooMany(Math.ceil((freeAt - at) / SECOND_MS));
      const failures = pair.tries + 1;
      // From the last failure on, so that a long wait is not forgotten while it lasts.
      const wait = waitAfter(failures);
      const blockedUntil = wait === 0 ? 0 : at + wait;
      await write(tx, [
        { ...pair, tries: failures, since: at, blockedUntil },
        { ...atUser, tries: atUser.tries + 1 },
        { ...fromAddress, tries: fromAddress.tries + 1 },
      ]);
      return { pair: { key: keys.pair, blockedUntil }, hourly: [atUser, fromAddress] };
    });
    return {
      async succeeded(tx) {
        await database.serialize(tx, 'attempts');
        await tx.deleteFrom('attempts').where('key', '=', counted.pair.key).execute();
        for (const { key, since } of counted.hourly) await takeBack(tx, key, since);
      },
      async takenBack(tx) {
        await database.serialize(tx, 'attempts');
        const { key, blockedUntil } = counted.pair;
        // This try's own wait goes with it; one that a later failure has set stays.
        await tx
          .updateTable('attempts')
          .set({ blocked_until: 0 })
          .where('key', '=', key)
          .where('blocked_until', '=', blockedUntil)
          .execute();
        await takeBack(tx, key);
        for (const { key: hourly, since } of counted.hourly) await takeBack(tx, hourly, since);
      },
    };
  }

  return {
    async judged(username, { address, caller }, judge) {
      const network = networkOf(address);
      const attempt = await turns.run(network, caller, () => begin(username, network));
      try {
        return await judge(attempt);
      } catch (error) {
        if (error instanceof Refusal && error.code === 'busy') await database.transaction(attempt.takenBack);
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
