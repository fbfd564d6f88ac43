import { expect } from '@playwright/test';
import { seedFirm } from './firm.ts';
import { letPass, stopClock } from './clock.ts';
import { test } from './fixtures.ts';
import { settle } from './screens.ts';
import { ADMIN } from './server.ts';

const LOOK = `(() => {
  const node = document.activeElement;
  const { left, top, width, height } = node.getBoundingClientRect();
  const found = document.elementFromPoint(left + width / 2, top + height / 2);
  const ok = found !== null && [node, ...(node.labels ?? [])].some((part) => part.contains(found) || found.contains(part));
  return [node.getAttribute('aria-label') || node.textContent.slice(0,30) || node.nodeName + node.id, Math.round(left), Math.round(top), ok, ok ? '' : found === null ? 'null' : found.outerHTML.slice(0, 300), scrollY, document.documentElement.scrollHeight].join(' | ');
})()`;
test('probe', async ({ signIn, server }) => {
  await seedFirm(server.origin);
  const page = await signIn(ADMIN, { at: null, fresh: true });
  await page.clock.install();
  await page.goto('/file-upload');
  await page.getByRole('button', { name: 'Upload Files' }).waitFor();
  await settle(page);
  await page.getByRole('button', { name: 'Upload Files' }).focus();
  await stopClock(page);
  for (const ms of [0, 16, 100]) {
    await page.getByRole('button', { name: 'Upload Files' }).focus();
    await letPass(page, 2000);
    for (let n = 0; n < 14; n += 1) {
      console.log(ms, n, await page.evaluate(LOOK));
      await page.keyboard.press('Tab');
      if (ms) await letPass(page, ms);
    }
  }
  expect(1).toBe(1);
});
