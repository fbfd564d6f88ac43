// Lockouts that this process has found in the database, so that whoever goes on trying is refused without asking it again.

/** So long a lockout is remembered. One that a new secret has ended, in whatever process, ends here at most so much later. */
const REMEMBERED_MS = 1_000;
/** The oldest is forgotten first. */
const LOCKOUTS_MAX = 10_000;

interface Lockout {
  readonly freeAt: number;
  readonly rememberedUntil: number;
  readonly spared: ReadonlySet<string>;
}

const NOBODY: ReadonlySet<string> = new Set();

/** By the keys of `server/people/auth/tries.ts`. Times are milliseconds since the epoch. */
export class Lockouts {
  readonly #byKey = new Map<string, Lockout>();

  /** Tries counted under `key` are refused until `freeAt`, but for the user names in `spared`; the database has said so at `at`. */
  remember(key: string, { freeAt, at, spared = NOBODY }: { freeAt: number; at: number; spared?: ReadonlySet<string> }) {
    this.#byKey.delete(key);
    this.#byKey.set(key, { freeAt, rememberedUntil: Math.min(freeAt, at + REMEMBERED_MS), spared });
    for (const [oldest, { rememberedUntil }] of this.#byKey) {
      if (this.#byKey.size <= LOCKOUTS_MAX && at < rememberedUntil) break;
      this.#byKey.delete(oldest);
    }
  }

  /** When a try by this user name, counted under `keys`, is free again; 0 where nothing speaks against it as far as is known here. */
  freeAt(keys: readonly string[], usernameKey: string, at: number): number {
    let latest = 0;
    for (const key of keys) {
      const lockout = this.#byKey.get(key);
      if (lockout === undefined || at >= lockout.rememberedUntil || lockout.spared.has(usernameKey)) continue;
      latest = Math.max(latest, lockout.freeAt);
    }
    return latest;
  }

  /** How many are remembered. */
  get size(): number {
    return this.#byKey.size;
  }
}
