// What a release is said to have come to.
import { expect, test } from 'vitest';
import { type ReleaseSeen, seeRelease } from './release-end.ts';

const end = (...looks: readonly (readonly [releasing: number, released: number, recalled?: number])[]) => {
  const seen = looks.reduce<ReleaseSeen | undefined>(
    (before, [releasing, released, recalled = 0]) => seeRelease(before, { releasing, released, recalled }),
    undefined,
  );
  return seen && { done: seen.done, failed: seen.failed };
};

test('a release counts what it has come to, also where more is released meanwhile', () => {
  expect(end([0, 4], [0, 4])).toBeUndefined();
  expect(end([3, 4], [1, 6], [0, 7])).toEqual({ done: 3, failed: 0 });
  expect(end([3, 0], [0, 2])).toEqual({ done: 2, failed: 1 });
  // Two more while the first three are under way, one of which fails.
  expect(end([3, 0], [4, 1], [0, 5])).toEqual({ done: 5, failed: 0 });
  expect(end([3, 0], [4, 1], [0, 4])).toEqual({ done: 4, failed: 1 });
  // What is recalled meanwhile has not failed.
  expect(end([2, 3], [2, 2, 1], [0, 4, 1])).toEqual({ done: 2, failed: 0 });
  // Nor has what is released before the page hears of the recall.
  expect(end([5, 4], [3, 2, 4], [0, 5, 4])).toEqual({ done: 5, failed: 0 });
});
