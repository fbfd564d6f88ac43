// Marks of pages that were read turned, on the page as it is looked at.
import { describe, expect, it } from 'vitest';
import { asLookedAt } from './batch-reading.ts';

/** Turns a point of a page to the right by quarters, as the page is turned. */
function turnedRight([x, y]: readonly [number, number], size: { width: number; height: number }, degrees: number) {
  let [at, page] = [[x, y] as const, size];
  for (let turned = 0; turned < degrees; turned += 90) {
    at = [page.height - at[1], at[0]];
    page = { width: page.height, height: page.width };
  }
  return { at, page };
}

describe('marks of a page that was read turned', () => {
  it.each([0, 90, 180, 270])('by %i degrees stand where the words are on the page', (degrees) => {
    const size = { width: 612, height: 792 };
    const there = { page: 3, x: 100, y: 50, width: 200, height: 12 };
    const corners = [
      turnedRight([there.x, there.y], size, degrees),
      turnedRight([there.x + there.width, there.y + there.height], size, degrees),
    ];
    const [xs, ys] = [corners.map(({ at }) => at[0]), corners.map(({ at }) => at[1])];
    const read = {
      page: 3,
      x: Math.min(...xs),
      y: Math.min(...ys),
      width: Math.max(...xs) - Math.min(...xs),
      height: Math.max(...ys) - Math.min(...ys),
    };
    expect(asLookedAt(read, corners[0]?.page ?? size, degrees)).toEqual(there);
  });
});
