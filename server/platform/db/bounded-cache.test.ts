// What is cached stays within its bounds, and what was used last stays longest.
import { expect, it } from 'vitest';
import { BoundedCache } from './bounded-cache.ts';

it('G7: the cache stays within its bounds, in number and in characters', () => {
  const kept = new BoundedCache<number>({ entries: 3, characters: 100, longest: 60 });
  for (let n = 0; n < 1_000; n += 1) kept.set(`short ${n}`, n, 'x');
  expect([996, 997, 998, 999].map((n) => kept.get(`short ${n}`))).toEqual([undefined, 997, 998, 999]);
  kept.set('first long', 1, 'x'.repeat(50));
  kept.set('second long', 2, 'x'.repeat(50));
  // Both together fill the bound, so that all else is gone.
  expect([kept.get('short 999'), kept.get('first long'), kept.get('second long')]).toEqual([undefined, 1, 2]);
  kept.set('third long', 3, 'x'.repeat(50));
  expect([kept.get('first long'), kept.get('second long'), kept.get('third long')]).toEqual([undefined, 2, 3]);
});

it('G7: what was used last is dropped last', () => {
  const kept = new BoundedCache<number>({ entries: 2, characters: 100, longest: 100 });
  kept.set('one', 1, 'x');
  kept.set('two', 2, 'x');
  kept.get('one');
  kept.set('three', 3, 'x');
  expect([kept.get('one'), kept.get('two'), kept.get('three')]).toEqual([1, undefined, 3]);
});

it('G7: what is too long is never cached and displaces nothing', () => {
  const kept = new BoundedCache<number>({ entries: 10, characters: 1_000, longest: 20 });
  kept.set('one', 1, 'x');
  kept.set('huge', 2, 'x'.repeat(21));
  expect([kept.get('one'), kept.get('huge')]).toEqual([1, undefined]);
});
