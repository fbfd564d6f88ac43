// Hashes that cost nothing and end only when a test lets them: what happens while passwords are being hashed.
import { createPasswordHasher, PASSWORD_HASH_FLOOR, type PasswordHasher } from '../auth/password-hasher.ts';
import { cheapDerive } from './cheap-passwords.ts';

export interface GatedPasswords {
  readonly passwords: PasswordHasher;
  /** From now on no hash ends. */
  shut(): void;
  /** Lets all end that wait, and those after them. */
  open(): void;
  /** How many hashes wait to be let. */
  waiting(): number;
}

export function gatedPasswords(): GatedPasswords {
  let gate: PromiseWithResolvers<void> | null = null;
  let waiting = 0;
  const passwords = createPasswordHasher(PASSWORD_HASH_FLOOR, async (...given) => {
    waiting += 1;
    await gate?.promise;
    waiting -= 1;
    return cheapDerive(...given);
  });
  return {
    passwords,
    shut() {
      gate ??= Promise.withResolvers();
    },
    open() {
      gate?.resolve();
      gate = null;
    },
    waiting: () => waiting,
  };
}
