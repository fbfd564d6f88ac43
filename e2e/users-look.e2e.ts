// A look: an Admin sees the portal as a Client has it, and changes nothing.
import { expect } from '@playwright/test';
import { apiAs } from './api.ts';
import { axeFaultsOnTheWay } from './axe.ts';
import { seedFirm } from './firm.ts';
import { test } from './fixtures.ts';
import { ADMIN } from './server.ts';
import { row } from './users-page.ts';

test('an Admin looks at the portal as a Client has it, changes nothing, and the file stays new', async ({
  signIn,
  server,
}) => {
  const { clients, clientUser, reports } = await seedFirm(server.origin, { reports: 2 });
  const [older, newer] = reports;
  const page = await signIn(ADMIN, { at: '/users' });
  await page.getByRole('searchbox', { name: 'Search users' }).fill(clientUser.username);
  const person = row(page, clientUser.username);
  const begin = person.getByRole('button', { name: `See what this client sees: ${clientUser.fullName}` });
  await expect(begin).toHaveAccessibleDescription('Opens in a new tab');
  // At an Admin nobody looks, whoever else has the word in a name or role.
  const admin = page.getByRole('row').filter({ has: page.getByRole('cell', { name: ADMIN.username, exact: true }) });
  await page.getByRole('searchbox', { name: 'Search users' }).fill(ADMIN.username);
  await expect(admin.getByRole('button', { name: /^Edit/ })).toBeVisible();
  await expect(admin.getByRole('button', { name: /^See what/ })).toHaveCount(0);
  await page.getByRole('searchbox', { name: 'Search users' }).fill(clientUser.username);
  const opening = page.context().waitForEvent('page');
  await begin.click();
  const look = await opening;
  const noise: string[] = [];
  look.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) noise.push(message.text());
  });
  const bar = look.getByRole('region', { name: 'Look' });
  const words = `You are looking as ${clientUser.fullName} (Client). Read only.`;

  await test.step('it shows what the client sees, and offers no change', async () => {
    await expect(bar).toContainText(words);
    await look.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Reports', exact: true }).click();
    await expect(look.getByText('2 report(s) found')).toBeVisible();
    await expect(look.getByText(/Secret/)).toHaveCount(0);
    await expect(
      look
        .getByRole('row')
        .filter({ hasText: newer?.name ?? '' })
        .getByText('New', { exact: true }),
    ).toBeVisible();
    await look.getByRole('link', { name: 'Firm Documents' }).click();
    await expect(look.getByRole('heading', { name: 'Document Library' })).toBeVisible();
    await expect(look.getByRole('button', { name: 'Upload Document' })).toHaveCount(0);
    await look.getByRole('link', { name: 'Account Setting' }).click();
    await expect(look.getByText(/are no part of a look/)).toBeVisible();
    expect(await axeFaultsOnTheWay(look)).toEqual([]);
  });

  await test.step('a report is opened; a reload keeps the look, and the other tab its own session', async () => {
    await look.goto('/client-reports');
    await look.reload();
    await expect(bar).toContainText(words);
    const viewed = look.waitForResponse(/\/api\/files\/\d+\/view$/);
    await look.getByRole('link', { name: newer?.name ?? '' }).click();
    expect((await viewed).status()).toBe(200);
    await expect(bar).toContainText(words);
    // On a phone the buttons above the pages stay below the bar and the header.
    await look.setViewportSize({ width: 360, height: 500 });
    const tools = look.getByRole('toolbar', { name: 'View' });
    await expect(tools).toBeVisible();
    await look.getByRole('region', { name: 'File', exact: true }).evaluate((file) => file.scrollIntoView());
    const [header, toolbar] = [await look.getByRole('banner').boundingBox(), await tools.boundingBox()];
    expect(toolbar?.y).toBeGreaterThanOrEqual((header?.y ?? 0) + (header?.height ?? 0) - 1);
    await look.setViewportSize({ width: 1280, height: 720 });
    await page.reload();
    await expect(page.getByText('Welcome, ')).not.toContainText(clientUser.fullName);
    await expect(page.getByRole('region', { name: 'Look' })).toHaveCount(0);
  });

  await test.step('it is ended, and says so where its tab stays open', async () => {
    await bar.getByRole('button', { name: 'End the look' }).click();
    await expect.poll(() => look.isClosed()).toBe(true);
    expect(noise).toEqual([]);
    await page.goto(`/clients/${clients[0].id}`);
    const again = page.context().waitForEvent('page');
    await page.getByRole('button', { name: `See what this client sees: ${clientUser.fullName}` }).click();
    const second = await again;
    await expect(second.getByRole('region', { name: 'Look' })).toContainText(words);
    // With the session that it was opened from.
    await page.getByRole('button', { name: 'Logout' }).first().click();
    await expect(page).toHaveURL(/\/login/);
    await second.reload();
    await expect(second.getByRole('heading', { name: 'This look has ended' })).toBeVisible();
    await expect(second.getByText(clientUser.fullName)).toHaveCount(0);
    await second.reload();
    await expect(second.getByRole('heading', { name: 'This look has ended' })).toBeVisible();
    await second.close();
  });

  await test.step('the log says whose look it was, and the report is still new for the client', async () => {
    const admin = await apiAs(server.origin);
    const log = await admin.get<{ details: string }[]>('/api/activity-logs?action=view&limit=20');
    const details = log.map((entry) => entry.details);
    expect(details).toContain(`Looked as ${clientUser.fullName} (Client)`);
    expect(details).toContain(`Viewed file: ${newer?.name}, looking as ${clientUser.fullName}`);
    const own = await apiAs(server.origin, clientUser);
    const files = await own.get<{ originalName: string; isNew: boolean }[]>('/api/files');
    expect(files.map(({ originalName, isNew }) => [originalName, isNew])).toEqual([
      [newer?.name, true],
      [older?.name, true],
    ]);
  });
});

test('what is chosen in a look stays chosen as long as it lasts, and is not kept with the person', {
  tag: '@full',
}, async ({ signIn, server }) => {
  const { clients, cpa } = await seedFirm(server.origin, { reports: 1 });
  const [, second] = clients;
  const page = await signIn(ADMIN, { at: `/users?q=${cpa.username}` });
  const opening = page.context().waitForEvent('page');
  await page.getByRole('button', { name: `See what ${cpa.fullName} sees` }).click();
  const look = await opening;
  await look.getByRole('banner').getByRole('button', { name: 'Choose client' }).click();
  await look.getByRole('option', { name: second.name, exact: true }).click();
  const chosen = look.getByRole('banner').getByRole('button', { name: `${second.name}, chosen client` });
  await expect(chosen).toBeVisible();
  // As it does by itself every few seconds.
  const asked = look.waitForResponse(/\/api\/auth\/me$/);
  await look.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
  await (await asked).finished();
  await look.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Firm Details' }).click();
  await expect(look).toHaveURL(`/firm-details?client=${second.id}`);
  await expect(chosen).toBeVisible();
  // Who sees a report and who has opened it, as the person has it; and nobody is reminded.
  await look.goto('/cpa-dashboard?opened=no');
  await expect(look.getByRole('columnheader', { name: 'Seen By' })).toBeVisible();
  await look.goto('/completeness/unopened');
  await expect(look.getByRole('link', { name: '1 report', exact: true })).toBeVisible();
  await expect(look.getByRole('button', { name: /^Remind/ })).toHaveCount(0);
  const own = await apiAs(server.origin, cpa);
  const me = await own.get<{ preferences: { chosenClientId: number | null } }>('/api/auth/me');
  expect(me.preferences.chosenClientId).toBeNull();
  await look.close();
});
