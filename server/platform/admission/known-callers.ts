// Which sessions were found before: a network full of strangers does not stand before them.

import { BoundedCache } from '../db/bounded-cache.ts';
import { fingerprint } from '../secrets.ts';
import { networkOf } from './network.ts';

const ENTRIES = 10_000;
const FINGERPRINT_MAX = 100;

/** By the token alone and in this process: whether a session still holds is not asked here. */
export class KnownCallers {
  readonly #found = new BoundedCache<true>({
    entries: ENTRIES,
    characters: ENTRIES * FINGERPRINT_MAX,
    longest: FINGERPRINT_MAX,
  });

  /** The key under which a request takes its turn. */
  keyOf(token: string | undefined, address: string | undefined): string {
    const session = token === undefined ? undefined : fingerprint(token);
    if (session !== undefined && this.#found.get(session)) return `session:${session}`;
    return `network:${networkOf(address ?? '')}`;
  }

  /** Notes the token of a session that was found. */
  remember(token: string | undefined): void {
    if (token === undefined) return;
    const session = fingerprint(token);
    if (!this.#found.get(session)) this.#found.set(session, true, session);
  }
}
