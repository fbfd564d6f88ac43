// Passwords as Argon2id hashes: few at a time, so that a flood of sign-ins cannot take the machine.
import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { refuse } from '#contract/errors.ts';

const derive = promisify(argon2);

/** OWASP's floor for Argon2id: 19 MiB, two passes, one lane. */
const MEMORY_KIB = 19_456;
const PASSES = 2;
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
}

/** Works on two passwords at a time and keeps 32 waiting; beyond that it refuses with `busy`. */
export function createPasswordHasher(): PasswordHasher {
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

  const parameters = { memory: MEMORY_KIB, passes: PASSES, parallelism: 1 };

  async function hash(password: string): Promise<string> {
    const salt = randomBytes(SALT_BYTES);
    const derived = await inTurn(() => tag(password, salt, parameters, TAG_BYTES));
    return `$argon2id$v=19$m=${MEMORY_KIB},t=${PASSES},p=1$${base64(salt)}$${base64(derived)}`;
  }

  // Nobody's password: it costs an unknown user name the same as a known one.
  const nobody = `$argon2id$v=19$m=${MEMORY_KIB},t=${PASSES},p=1$${base64(randomBytes(SALT_BYTES))}$${base64(randomBytes(TAG_BYTES))}`;

  return {
    hash,
    async verify(password, stored) {
      const match = PHC.exec(stored ?? nobody);
      if (!match) throw new Error('A stored password hash is not in Argon2id PHC form');
      const [, memory, passes, parallelism, salt = '', expected = ''] = match;
      const wanted = Buffer.from(expected, 'base64');
      const derived = await inTurn(() =>
        tag(
          password,
          Buffer.from(salt, 'base64'),
          { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) },
          wanted.length,
        ),
      );
      return timingSafeEqual(derived, wanted) && stored !== null;
    },
  };
}
