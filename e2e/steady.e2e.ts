// What a person already sees on a screen stays where it is when the data arrives, however late.
import { setTimeout } from 'node:timers/promises';
import { expect } from '@playwright/test';
import { test } from './fixtures.ts';
import { watchLayoutShifts } from './layout-shift.ts';
import { isScreen, layScreens, walk } from './screens.ts';

test.setTimeout(240_000);

const LATE_MS = 250;
/**
 * What counts as steady (Core Web Vitals). It is not nought: how many devices, roles and report types there are is known only
 * when they come, and what stands below them makes room.
 */
const MOVED_MAX = 0.1;

for (const visitor of ['admin', 'cpa', 'client'] as const) {
  test(`no screen of ${visitor} moves when its data arrives late`, async ({ signIn, server }) => {
    const { landmarks, people } = await layScreens(server.origin);
    const page = await signIn(people[visitor], { viewport: { width: 1440, height: 900 } });
    const shifts = await watchLayoutShifts(page);
    await page.route('**/api/**', async (route) => {
      await setTimeout(LATE_MS);
      await route.fallback().catch(() => undefined);
    });
    await walk(
      page,
      visitor,
      landmarks,
      async (name) => {
        const seen = await shifts();
        const moved = seen.reduce((sum, { value }) => sum + value, 0);
        expect.soft(moved, `${name}: ${JSON.stringify(seen)}`).toBeLessThan(MOVED_MAX);
      },
      { wanted: isScreen },
    );
  });
}
