// Hashes that cost nothing, in the form and in the turns of real ones, for tests that ask about something else.
import {
  createPasswordHasher,
  type DeriveTag,
  type PasswordHashCost,
  type PasswordHasher,
} from '../auth/password-hasher.ts';
import { cheapTag } from './cheap-tag.ts';

const derive: DeriveTag = async (password, nonce, { memory, passes }, tagLength) =>
  cheapTag(password, nonce, `${memory} ${passes}`, tagLength);

/** Told apart from a real one by what it costs alone. */
export function cheapPasswords(cost?: PasswordHashCost): PasswordHasher {
  return createPasswordHasher(cost, derive);
}
