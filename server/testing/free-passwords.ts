// Hashes that cost nothing, for tests that sign in by the hundred and ask about something else.
import type { PasswordHasher } from '../auth/password-hasher.ts';

export const freePasswords: PasswordHasher = {
  hash: async (password) => `$argon2id$free$${password}`,
  verify: async (password, stored) => stored === `$argon2id$free$${password}`,
  isOutdated: () => false,
};
