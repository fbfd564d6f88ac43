// Deleting a client: the confirmation, what it counts, and what is on hold.
import { expect } from '@playwright/test';
import type { ClientRemoval } from '#contract/clients.ts';
import { pressOnAndOn, row } from './clients-page.ts';
import { seedFirm } from './firm.ts';
import { test } from './fixtures.ts';
import { ADMIN } from './server.ts';
import { failCalls } from './stub.ts';
import { notifications, readError, readToast } from './toast.ts';

test('a client is deleted after a confirmation that names it and counts what is deleted with it', async ({
  signIn,
  server,
}) => {
  const firm = await seedFirm(server.origin, { reports: 2 });
  const [{ name }] = firm.clients;
  const page = await signIn(ADMIN, { at: `/clients?q=${encodeURIComponent(name)}`, failures: [503] });
  const opener = page.getByRole('button', { name: `Delete ${name}` });
  await opener.click();
  const dialog = page.getByRole('dialog', { name: `Delete ${name}?` });
  await expect(dialog).toContainText(
    'Are you sure you want to delete this client? This will also delete all associated files and users.',
  );
  await expect(dialog).toContainText('2 files and 1 user');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog).toBeHidden();
  await expect(opener).toBeFocused();

  const restore = await failCalls(page, /\/api\/clients\/\d+$/, { status: 503, message: 'Try later.' });
  await opener.click();
  // The trash brings it back: nothing has to be typed.
  await expect(dialog.getByRole('textbox')).toHaveCount(0);
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await readError(page, 'Failed to delete client: Try later.');
  await expect(row(page, name)).toBeVisible();
  await restore();

  await opener.click();
  // Pressing again must not request a deleted client.
  await pressOnAndOn(page, 'Delete');
  await expect(dialog).toBeHidden();
  await expect(row(page, name)).toHaveCount(0);
  await expect(page.getByText('No clients match your search criteria.')).toBeVisible();
  await expect(page.getByRole('main')).toBeFocused();
  await readToast(page, 'status', ['Client deleted successfully']);
  await expect(notifications(page).getByRole('alert')).toHaveCount(0);
  await page.goto(`/users?q=${firm.clientUser.username}`);
  await expect(page.getByText('No users found')).toBeVisible();
});

test('where not all that is deleted with a client is in reach, the confirmation names no number', {
  tag: '@full',
}, async ({ signIn, server }) => {
  const firm = await seedFirm(server.origin, { reports: 1 });
  const [{ name }] = firm.clients;
  const page = await signIn(ADMIN, { at: null });
  let removal: ClientRemoval = { files: null, users: 2, onHold: null };
  await page.route('**/api/clients/*/removal', (route) => route.fulfill({ json: removal }));
  await page.goto(`/clients?q=${encodeURIComponent(name)}`);
  const dialog = page.getByRole('dialog', { name: `Delete ${name}?` });
  await page.getByRole('button', { name: `Delete ${name}` }).click();
  await expect(dialog).toContainText('This also deletes: all its files and 2 users.');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  removal = { files: null, users: null, onHold: null };
  await page.getByRole('button', { name: `Delete ${name}` }).click();
  await expect(dialog).toContainText('This also deletes: all its files and all its users.');
});

test('of a client that is on hold the confirmation says so, and offers no deletion', async ({ signIn, server }) => {
  const firm = await seedFirm(server.origin, { reports: 1 });
  const [{ id, name }, other] = firm.clients;
  await firm.api.post('/api/holds', { kind: 'client', id, reason: 'Lawsuit' });
  const page = await signIn(ADMIN, { at: `/clients?q=${encodeURIComponent(name)}` });
  const dialog = page.getByRole('dialog', { name: `Delete ${name}?` });
  await page.getByRole('button', { name: `Delete ${name}` }).click();
  await expect(dialog).toContainText('This client is on hold and cannot be deleted.');
  await expect(dialog.getByRole('button', { name: 'Delete' })).toHaveCount(0);
  await dialog.getByRole('button', { name: 'Close', exact: true }).last().click();
  await expect(dialog).toBeHidden();
  await test.step('its row says so, until the hold is lifted on its page', async () => {
    const mark = row(page, name).getByRole('img', { name: 'This client is on hold and cannot be deleted' });
    await expect(mark).toHaveText('On hold');
    await row(page, name).getByRole('link', { name }).click();
    await page.getByRole('region', { name: 'On hold' }).getByRole('button', { name: 'Lift Hold' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Lift Hold' }).click();
    await readToast(page, 'status', ['Hold lifted']);
    await page.goBack();
    await expect(row(page, name)).toBeVisible();
    await expect(mark).toHaveCount(0);
  });
  await page.goto(`/clients?q=${encodeURIComponent(other.name)}`);
  await page.getByRole('button', { name: `Delete ${other.name}` }).click();
  const others = page.getByRole('dialog', { name: `Delete ${other.name}?` });
  await expect(others).toContainText('This also deletes:');
  await expect(others.getByRole('button', { name: 'Delete' })).toBeVisible();
});
