// Hashes that cost nothing and end only when a test lets them: what happens while passwords are being hashed.
import { PASSWORD_HASH_FLOOR } from '../config.ts';
import { createPasswordHasher, type PasswordHasher } from '../people/auth/password-hasher.ts';
import { cheapDerive } from './cheap-passwords.ts';

export interface GatedPasswords {
  readonly passwords: PasswordHasher;
  /** From now on no hash ends. */
  shut(): void;
  /** Lets all end that wait, and those after them. */
  open(): void;
  /** How many hashes wait to be let. */
  waiting(): number;
  /** The passwords whose hashes have begun since the gate was shut last, in their order. */
  begun(): readonly string[];
}

export function gatedPasswords(): GatedPasswords {
  let gate: PromiseWithResolvers<void> | null = null;
  let waiting = 0;
  let begun: string[] = [];
  const passwords = createPasswordHasher(PASSWORD_HASH_FLOOR, async (...given) => {
    waiting += 1;
    begun.push(given[0]);
    await gate?.promise;
    waiting -= 1;
    return cheapDerive(...given);
  });
  return {
    passwords,
    shut() {
      gate ??= Promise.withResolvers();
      begun = [];
    },
    open() {
      gate?.resolve();
      gate = null;
    },
    waiting: () => waiting,
    begun: () => begun,
  };
}
