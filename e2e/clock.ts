// The clock of a page in the hands of its test: what waits for a time happens when the test lets that time pass, on any machine.
import { expect, type Page } from '@playwright/test';

/** No machine is so slow that this is past before the clock stands. */
const AHEAD_MS = 60_000;
const STEP_MS = 10;

/**
 * Runs in the page: what happened before is drawn after it. React renders and runs its effects in messages that it sends itself, and
 * messages come in their order.
 */
const ACT = `(async () => {
  for (let turn = 0; turn < 5; turn += 1) {
    const { port1, port2 } = new MessageChannel();
    await new Promise((turned) => {
      port1.onmessage = turned;
      port2.postMessage(null);
    });
  }
})()`;

/**
 * Stops the clock of a page from a `fresh` browser, a minute ahead. Who stops it after the page has begun to wait for something calls
 * `page.clock.install()` before the page is opened, or that is waited for by the real clock.
 */
export async function stopClock(page: Page): Promise<void> {
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + AHEAD_MS);
}

/** Lets time pass on a stopped clock. The page has acted on what happened before, and acts on all that this time brings. */
export async function letPass(page: Page, timeMs: number): Promise<void> {
  await page.evaluate(ACT);
  await page.clock.runFor(timeMs);
  await page.evaluate(ACT);
}

/**
 * Lets time pass on a stopped clock, 10 ms for each look, until `reached`. Where that takes an answer of the server, a look comes each 50 ms
 * at most: the clock of the page goes on by a fifth of the wait.
 */
export async function letPassUntil(page: Page, reached: () => Promise<boolean>): Promise<void> {
  const look = async () => {
    await letPass(page, STEP_MS);
    return reached();
  };
  await expect.poll(look, { intervals: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 50] }).toBe(true);
}
