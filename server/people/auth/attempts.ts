// Tries at a secret, counted in the database before the secret is looked at: correct across several processes.
import type { Kysely } from 'kysely';
import { Refusal, refuse } from '#contract/errors.ts';
import { foldKey } from '#contract/fields.ts';
import type { Admission } from '../../platform/admission/admission.ts';
import type { Caller } from '../../platform/admission/caller.ts';
import { networkOf, sitePrefixOf } from '../../platform/admission/network.ts';
import { HOUR_MS } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Schema } from '../../platform/db/schema.ts';
import { type Counted, countTry, type LockedOut, takeBack } from './attempt-counts.ts';
import { forgetOldNetworks, namesKnownAt } from './known-networks.ts';
import { Lockouts } from './lockouts.ts';
import { type TryKeys, tryKeys } from './tries.ts';

const SECOND_MS = 1_000;
const MINUTE_S = 60;

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

function tooMany(waitMs: number): Refusal {
  const waitSeconds = Math.ceil(waitMs / SECOND_MS);
  const { code, message } =
    waitSeconds > MINUTE_S ? refuse('locked_out', { minutes: Math.ceil(waitSeconds / MINUTE_S) }) : refuse('too_many');
  return new Refusal(code, message, { retryAfterSeconds: waitSeconds });
}

export function openAttempts(
  database: Database,
  now: () => number,
  admission: Pick<Admission, 'tries' | 'passwords' | 'strangersPasswords'>,
): Attempts {
  const lockouts = new Lockouts();

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
      const counted = await countTry(database, now, { usernameKey, network, keys });
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
