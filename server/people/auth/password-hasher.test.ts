// How sign-ins and new passwords share the hasher: who waits, who goes first, and who is refused.

import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { Refusal } from '#contract/errors.ts';
import { PASSWORD_HASH_FLOOR } from '../../config.ts';
import { createPasswordHasher, type DeriveTag } from './password-hasher.ts';

// The cost is not what is tested here, only that it takes a turn of the loop.
const derive: DeriveTag = async (_password, _nonce, _cost, tagLength) => setImmediate(Buffer.alloc(tagLength));

const { hash, verify } = createPasswordHasher(PASSWORD_HASH_FLOOR, derive);

/** 'done', or the code it was refused with; `order` collects what is done. */
async function outcome(work: Promise<unknown>, done: () => void = () => {}): Promise<string> {
  try {
    await work;
    done();
    return 'done';
  } catch (error) {
    if (error instanceof Refusal) return error.code;
    throw error;
  }
}

const times = <Result>(count: number, work: (nth: number) => Result) =>
  Array.from({ length: count }, (_, nth) => work(nth));
const countOf = (outcomes: readonly string[], what: string) => outcomes.filter((outcome) => outcome === what).length;

describe('the password hasher', () => {
  it('G9: keeps its places for sign-ins, whatever waits to be hashed', async () => {
    const hashes = times(60, () => outcome(hash('new password')));
    const verifies = times(32, () => outcome(verify('not it', null)));
    expect(countOf(await Promise.all(verifies), 'done')).toBe(32);
    const outcomes = await Promise.all(hashes);
    expect([countOf(outcomes, 'done'), countOf(outcomes, 'busy')]).toEqual([17, 43]);
  });

  it('G9: lets sign-ins go first, and a new password wait for eight of them at most', async () => {
    const order: string[] = [];
    const hashes = times(3, () => outcome(hash('new password'), () => order.push('hash')));
    const verifies = times(32, () => outcome(verify('not it', null), () => order.push('verify')));
    await Promise.all([...hashes, ...verifies]);
    // The first hash had begun before anybody asked to sign in.
    const places = order.flatMap((what, place) => (what === 'hash' ? [place] : [])).slice(1);
    const between = places.map((place, nth) => place - (nth === 0 ? 0 : (places[nth - 1] ?? 0)));
    expect(places).toHaveLength(2);
    for (const verified of between) {
      expect(verified).toBeGreaterThanOrEqual(6);
      expect(verified).toBeLessThanOrEqual(12);
    }
  });

  it('G9: refuses at once a hash that would have to wait, where it is not to wait', async () => {
    const running = times(2, () => outcome(verify('not it', null)));
    expect(await outcome(hash('new password', 'at once'))).toBe('busy');
    await Promise.all(running);
    const first = outcome(hash('new password', 'at once'));
    expect(await outcome(hash('new password', 'at once'))).toBe('busy');
    expect(await first).toBe('done');
  });
});
