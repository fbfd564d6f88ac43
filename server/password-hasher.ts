// Passwords as Argon2id hashes: few at a time, so that a flood of sign-ins cannot take the machine.
import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { refuse } from '#contract/errors.ts';

const derive = promisify(argon2);

/** What a hash costs whoever makes or guesses it: memory in KiB and passes over it. */
export interface PasswordHashCost {
  readonly memoryKib: number;
  readonly passes: number;
}

/** OWASP's floor for Argon2id on one lane; nothing cheaper is ever stored. */
export const PASSWORD_HASH_FLOOR: PasswordHashCost = { memoryKib: 19_456, passes: 2 };

const TAG_BYTES = 32;
const SALT_BYTES = 16;
const AT_ONCE = 2;
const QUEUE_MAX = 32;

interface Parameters {
  memory: number;
  passes: number;
  parallelism: number;
}

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64').replace(/=+$/, '');

function tag(password: string, nonce: Uint8Array, { memory, passes, parallelism }: Parameters, tagLength: number) {
  return derive('argon2id', { message: password, nonce, memory, passes, parallelism, tagLength });
}

const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

export interface PasswordHasher {
  /** The hash to store, in PHC form. */
  hash(password: string): Promise<string>;
  /** Whether `password` is the one behind `stored`. With null (no such user) it does the same work and answers false. */
  verify(password: string, stored: string | null): Promise<boolean>;
  /** Whether `stored` was made at another cost than today's, and is to be made anew while its password is at hand. */
  isOutdated(stored: string): boolean;
}

/**
 * Works on two passwords at a time and keeps 32 waiting; beyond that it refuses with `busy`. Throws when `cost` is below
 * the floor.
 */
export function createPasswordHasher(cost: PasswordHashCost = PASSWORD_HASH_FLOOR): PasswordHasher {
  const { memoryKib, passes } = cost;
  if (!(memoryKib >= PASSWORD_HASH_FLOOR.memoryKib && passes >= PASSWORD_HASH_FLOOR.passes)) {
    throw new Error('Passwords may not be hashed below the floor');
  }
  let running = 0;
  const waiting: (() => void)[] = [];

  async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (running >= AT_ONCE) {
      if (waiting.length >= QUEUE_MAX) throw refuse('busy');
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else {
      running += 1;
    }
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  }

  const parameters = { memory: memoryKib, passes, parallelism: 1 };
  const prefix = `$argon2id$v=19$m=${memoryKib},t=${passes},p=1$`;

  async function hash(password: string): Promise<string> {
    const salt = randomBytes(SALT_BYTES);
    const derived = await inTurn(() => tag(password, salt, parameters, TAG_BYTES));
    return `${prefix}${base64(salt)}$${base64(derived)}`;
  }

  // Nobody's password: it costs an unknown user name the same as a known one.
  const nobody = `${prefix}${base64(randomBytes(SALT_BYTES))}$${base64(randomBytes(TAG_BYTES))}`;

  return {
    hash,
    isOutdated: (stored) => !stored.startsWith(prefix),
    async verify(password, stored) {
      const match = PHC.exec(stored ?? nobody);
      if (!match) throw new Error('A stored password hash is not in Argon2id PHC form');
      const [, memory, times, parallelism, salt = '', expected = ''] = match;
      const wanted = Buffer.from(expected, 'base64');
      const derived = await inTurn(() =>
        tag(
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
