// The key by which the same upload sent twice becomes one file, the same request one request, and the same list of users is added once.
import type { FastifyRequest } from 'fastify';
import { Refusal } from '#contract/errors.ts';

const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,200}$/;

/** The request's `Idempotency-Key`; refuses `invalid`, and says what one is, where it has one that is none. */
export function idempotencyKeyOf(request: FastifyRequest): string | undefined {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key !== 'string' || !IDEMPOTENCY_KEY.test(key)) {
    throw new Refusal('invalid', 'Idempotency-Key must be 1 to 200 visible ASCII characters, without spaces');
  }
  return key;
}
