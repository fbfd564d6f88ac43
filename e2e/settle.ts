// Waits until a page has come to rest.
import { expect, type Locator, type Page, type Request } from '@playwright/test';

const awaited = new WeakMap<Page, Set<Request>>();

/** Tracks the calls that a page waits for. */
export function watchCalls(page: Page): Set<Request> {
  const known = awaited.get(page);
  if (known) return known;
  const calls = new Set<Request>();
  awaited.set(page, calls);
  // The stream of changes ends with the page.
  const ends = (url: string) => url.includes('/api/') && !url.endsWith('/api/events');
  page.on('request', (request) => ends(request.url()) && calls.add(request));
  page.on('requestfinished', (request) => calls.delete(request));
  page.on('requestfailed', (request) => calls.delete(request));
  return calls;
}

/**
 * Runs in the page: how many animations run. What the latest answer adds is drawn in the next frame, and animations that
 * moving moves in the one after.
 */
const COUNT_MOVING = `(async () => {
  for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame);
  return document.getAnimations().filter(({ playState }) => playState === 'running').length;
})()`;

/** Waits until no call is pending and nothing moves: no skeleton row, spinner or opening dialog. */
export async function settle(page: Page): Promise<void> {
  const calls = watchCalls(page);
  const moving = () => page.evaluate<number>(COUNT_MOVING);
  await expect
    .poll(async () => calls.size + (await moving()) + calls.size, {
      message: `${page.url()} comes to rest`,
      intervals: [10, 30, 50, 100, 200],
    })
    .toBe(0);
}

/** For whoever goes by keyboard: the focus is in this place, or on it. */
export const expectFocusIn = (place: Locator) =>
  expect(place.locator('xpath=descendant-or-self::*').and(place.page().locator(':focus'))).toHaveCount(1);
