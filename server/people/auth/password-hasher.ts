// Passwords as Argon2id hashes: few at a time, so that a flood cannot take the machine, and with places reserved for sign-ins.

import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { refuse } from '#contract/errors.ts';
import { PASSWORD_HASH_FLOOR, type PasswordHashCost } from '../../config.ts';

const deriveArgon2id = promisify(argon2);

const TAG_BYTES = 32;
const SALT_BYTES = 16;
const AT_ONCE = 2;
/** The other place is a sign-in's. */
const HASHES_AT_ONCE = 1;
const HASHES_WAITING_MAX = 16;
/** So many sign-ins go before a waiting hash: neither waits for ever for the other. */
const HASH_OVERTAKEN_MAX = 8;

interface Parameters {
  memory: number;
  passes: number;
  parallelism: number;
}

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64').replace(/=+$/, '');

/** The tag of `tagLength` bytes for `password` with `nonce` at that cost. */
export type DeriveTag = (
  password: string,
  nonce: Uint8Array,
  cost: Parameters,
  tagLength: number,
) => Promise<Uint8Array>;

const argon2id: DeriveTag = (password, nonce, { memory, passes, parallelism }, tagLength) =>
  deriveArgon2id('argon2id', { message: password, nonce, memory, passes, parallelism, tagLength });

const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

export interface PasswordHasher {
  /** The hash to store, in PHC form. `at once`: refuses with `busy` rather than wait. */
  hash(password: string, when?: 'at once'): Promise<string>;
  /**
   * Whether `password` is the one behind `stored`. With null (no such user) it does the same work and returns false.
   * It waits for its turn however much waits: `server/platform/admission/admission.ts` says how much that may be.
   */
  verify(password: string, stored: string | null): Promise<boolean>;
  /** A hash that no password is behind, for somebody who has none yet: what is tried costs the same as at any other, and is never right. */
  locked(): string;
  /** Whether `stored` was made at another cost than today's, and should be rehashed while its password is at hand. */
  isOutdated(stored: string): boolean;
}

type Share = 'verify' | 'hash';

/** What is being worked on and what waits. A sign-in waits for at most one hash, and hashes never take its place in the queue. */
function openTurns() {
  const running = { verify: 0, hash: 0 };
  const waiting: Record<Share, (() => void)[]> = { verify: [], hash: [] };
  let overtaken = 0;

  /** What comes next; null where nothing that may start is waiting. */
  function nextShare(): Share | null {
    if (running.verify + running.hash >= AT_ONCE) return null;
    const mayHash = waiting.hash.length > 0 && running.hash < HASHES_AT_ONCE;
    if (mayHash && (waiting.verify.length === 0 || overtaken >= HASH_OVERTAKEN_MAX)) return 'hash';
    return waiting.verify.length > 0 ? 'verify' : null;
  }

  function letBegin(): void {
    for (let share = nextShare(); share !== null; share = nextShare()) {
      overtaken = share === 'verify' && waiting.hash.length > 0 ? overtaken + 1 : 0;
      running[share] += 1;
      waiting[share].shift()?.();
    }
  }

  async function inTurn<T>(share: Share, work: () => Promise<T>): Promise<T> {
    await new Promise<void>((begin) => {
      waiting[share].push(begin);
      letBegin();
    });
    try {
      return await work();
    } finally {
      running[share] -= 1;
      letBegin();
    }
  }

  return {
    verify: <T>(work: () => Promise<T>) => inTurn('verify', work),
    async hash<T>(when: 'at once' | undefined, work: () => Promise<T>): Promise<T> {
      const isFree = running.verify + running.hash < AT_ONCE && running.hash < HASHES_AT_ONCE;
      if (waiting.hash.length >= HASHES_WAITING_MAX || (when === 'at once' && !isFree)) throw refuse('busy');
      return inTurn('hash', work);
    },
  };
}

/**
 * Works on two passwords at a time, at most one of them a new one. 16 new passwords wait; beyond that it refuses with `busy`. Throws when `cost` is below the floor. Only tests replace `derive`,
 * where the cost is not what they test.
 */
export function createPasswordHasher(
  cost: PasswordHashCost = PASSWORD_HASH_FLOOR,
  derive: DeriveTag = argon2id,
): PasswordHasher {
  const { memoryKib, passes } = cost;
  if (!(memoryKib >= PASSWORD_HASH_FLOOR.memoryKib && passes >= PASSWORD_HASH_FLOOR.passes)) {
    throw new Error('Passwords may not be hashed below the floor');
  }
  const turns = openTurns();

  const parameters = { memory: memoryKib, passes, parallelism: 1 };
  const prefix = `$argon2id$v=19$m=${memoryKib},t=${passes},p=1$`;

  async function hash(password: string, when?: 'at once'): Promise<string> {
    const salt = randomBytes(SALT_BYTES);
    const derived = await turns.hash(when, () => derive(password, salt, parameters, TAG_BYTES));
    return `${prefix}${base64(salt)}$${base64(derived)}`;
  }

  // Made of random bytes alone: nobody knows what they could be the hash of.
  const locked = () => `${prefix}${base64(randomBytes(SALT_BYTES))}$${base64(randomBytes(TAG_BYTES))}`;
  // Nobody's password: it costs an unknown user name the same as a known one.
  const nobody = locked();

  return {
    hash,
    locked,
    isOutdated: (stored) => !stored.startsWith(prefix),
    async verify(password, stored) {
      const match = PHC.exec(stored ?? nobody);
      if (!match) throw new Error('A stored password hash is not in Argon2id PHC form');
      const [, memory, times, parallelism, salt = '', expected = ''] = match;
      const wanted = Buffer.from(expected, 'base64');
      const derived = await turns.verify(() =>
        derive(
          password,
          Buffer.from(salt, 'base64'),
          { memory: Number(memory), passes: Number(times), parallelism: Number(parallelism) },
          wanted.length,
        ),
      );
      return timingSafeEqual(derived, wanted) && stored !== null;
    },
  };
}
