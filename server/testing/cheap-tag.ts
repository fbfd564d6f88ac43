// Replaces Argon2id in tests of something else: a cheap tag that differs for every password and salt.
import { createHash } from 'node:crypto';

/** `cost` is part of it, so that hashes of two costs are never the same. */
export function cheapTag(password: string, nonce: Uint8Array, cost: string, tagLength: number): Uint8Array {
  return createHash('shake256', { outputLength: tagLength }).update(nonce).update(`${cost} ${password}`).digest();
}
