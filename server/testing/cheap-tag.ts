// In the place of Argon2id, for tests that ask about something else: a tag that is another for every password and salt, at once.
import { createHash } from 'node:crypto';

/** `cost` goes into it, so that hashes of two costs are never the same. */
export function cheapTag(password: string, nonce: Uint8Array, cost: string, tagLength: number): Uint8Array {
  return createHash('shake256', { outputLength: tagLength }).update(nonce).update(`${cost} ${password}`).digest();
}
