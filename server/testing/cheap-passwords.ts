// Hashes that cost nothing, in the same form and order as real ones, for tests of something else.
import type { PasswordHashCost } from '../config.ts';
import { createPasswordHasher, type DeriveTag, type PasswordHasher } from '../people/auth/password-hasher.ts';
import { cheapTag } from './cheap-tag.ts';

export const cheapDerive: DeriveTag = async (password, nonce, { memory, passes }, tagLength) =>
  cheapTag(password, nonce, `${memory} ${passes}`, tagLength);

/** Differs from a real one in its cost alone. */
export function cheapPasswords(cost?: PasswordHashCost): PasswordHasher {
  return createPasswordHasher(cost, cheapDerive);
}
