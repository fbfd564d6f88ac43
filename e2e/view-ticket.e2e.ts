// A large file in a tab of its own: its browser continues to request parts of it there, and nobody else can.
import { Buffer } from 'node:buffer';
import { expect } from '@playwright/test';
import { apiAs } from './api.ts';
import { type Firm, seedFirm } from './firm.ts';
import { test } from './fixtures.ts';
import { openInTab } from './open-in-tab.ts';
import { holdCalls } from './stub.ts';

const LARGE_BYTES = 3 * 1024 * 1024;
const RANGE = { range: 'bytes=2000000-2000009' };

let firm: Firm;
let large: { id: number };
test.beforeAll(async ({ server }) => {
  firm = await seedFirm(server.origin, { reports: 1 });
  const fields = { clientId: firm.clients[0].id, fileType: 'report', reportTypeId: firm.reportTypes[0].id };
  const head = '%PDF-1.7\n1 0 obj\n<<>>\nendobj\n';
  large = await firm.api.upload(fields, 'Large register.pdf', Buffer.from(head.padEnd(LARGE_BYTES, '0123456789')));
});

test('G12: the tab of a ticket reads further parts of its file, and a browser without the session reads none', async ({
  signIn,
  browser,
  server,
}) => {
  const page = await signIn(firm.cpa, { failures: [401] });
  const addresses: string[] = [];
  page.context().on('request', (request) => {
    if (request.url().includes('token=')) addresses.push(request.url());
  });
  await page.goto(`/cpa-dashboard/report/${large.id}`);
  await openInTab(page, () => page.getByRole('button', { name: 'Open in new tab' }).click());
  const [address = ''] = addresses;
  expect(new URL(address).pathname).toBe(`/api/files/${large.id}`);

  // As a PDF viewer requests parts: at the address of the tab.
  const ask = `fetch(${JSON.stringify(address)}, { headers: ${JSON.stringify(RANGE)} }).then(async (answer) => [answer.status, (await answer.text()).length])`;
  expect(await page.evaluate(ask)).toEqual([206, 10]);

  const elsewhere = await browser.newContext();
  for (const range of [RANGE.range, 'bytes=0-', 'x']) {
    const answer = await elsewhere.request.get(address, { headers: { range } });
    expect([range, answer.status()]).toEqual([range, 401]);
  }
  await elsewhere.close();

  await test.step('a session that has ended asks for the password in sight, and the file opens after it', async () => {
    const again = page.getByRole('dialog', { name: 'Sign in again' });
    const arrive = await holdCalls(page, /\/view-ticket$/);
    const opening = page.context().waitForEvent('page');
    await page.getByRole('button', { name: 'Open in new tab' }).click();
    const empty = await opening;
    await (await apiAs(server.origin, firm.cpa)).delete('/api/auth/sessions');
    arrive();
    await expect(again).toBeVisible();
    await expect.poll(() => empty.isClosed()).toBe(true);
    await again.getByLabel('Password', { exact: true }).fill(firm.cpa.password);
    await openInTab(page, () => page.keyboard.press('Enter'));
    await expect(again).toBeHidden();
  });
});
