// The page Help: from the account menu and from an empty home, by keyboard, on paper, and as different people have it.
import { expect } from '@playwright/test';
import { apiAs } from './api.ts';
import { seedFirm } from './firm.ts';
import { test } from './fixtures.ts';
import { ADMIN } from './server.ts';

test('a Client reads how to send a document, prints the page, and learns whom to ask', async ({ signIn, server }) => {
  const firm = await seedFirm(server.origin, { reports: 0 });
  const admin = await apiAs(server.origin, ADMIN);
  const shown = {
    name: 'Harbor & Pine Payroll',
    phone: '(937)-555-0100',
    address: '12 Harbor Street\nDayton, OH 45402',
  };
  await admin.put('/api/firm-settings', shown);
  const page = await signIn(firm.clientUser);
  await page.getByRole('link', { name: 'How this portal works' }).first().click();
  await expect(page).toHaveURL(/\/help$/);
  await expect(page.getByRole('heading', { level: 1, name: 'Help' })).toHaveCount(1);

  const contents = page.getByRole('navigation', { name: 'On this page' });
  await contents.getByRole('link', { name: 'Send a document to the firm' }).focus();
  await page.keyboard.press('Enter');
  const send = page.getByRole('heading', { level: 2, name: 'Send a document to the firm' });
  await expect(send).toBeInViewport();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('region', { name: 'Send a document to the firm' }).getByRole('link')).toBeFocused();
  const ask = page.getByRole('region', { name: 'Whom to ask' });
  await expect(ask).toContainText('Harbor & Pine Payroll answers questions');
  await expect(ask.getByRole('link', { name: 'support@example.com' })).toHaveAttribute(
    'href',
    'mailto:support@example.com',
  );
  await expect(ask.getByRole('link', { name: '(937)-555-0100' })).toHaveAttribute('href', 'tel:+19375550100');
  await expect(page.getByRole('heading', { name: 'Batches' })).toHaveCount(0);

  await page.emulateMedia({ media: 'print' });
  // Letter, upright, between its margins.
  await page.setViewportSize({ width: 703, height: 943 });
  await expect(page.getByRole('heading', { level: 1, name: 'Help' })).toBeVisible();
  await expect(ask).toContainText('12 Harbor Street');
  await expect(page.getByRole('button', { name: 'Print' })).toBeHidden();
  await expect(contents).toBeHidden();
  await expect(page.getByRole('link', { name: 'Go to Firm Documents' }).first()).toBeHidden();
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
  await page.emulateMedia({ media: null });
  await page.setViewportSize({ width: 1280, height: 720 });

  await page.getByRole('region', { name: 'Send a document to the firm' }).getByRole('link').click();
  await expect(page.getByRole('button', { name: 'Upload Document' })).toBeVisible();
  await admin.put('/api/firm-settings', { name: '', phone: '', address: '' });
});

test('staff have their own tasks there, from the account menu', async ({ signIn, server }) => {
  const firm = await seedFirm(server.origin, { reports: 0 });
  const page = await signIn(firm.cpa);
  await page
    .getByRole('banner')
    .getByRole('button', { name: /account menu/i })
    .click();
  await page.getByRole('link', { name: 'Help', exact: true }).click();
  await page
    .getByRole('region', { name: 'A print file for many clients' })
    .getByRole('link', { name: 'Go to Batches' })
    .click();
  await expect(page.getByRole('heading', { level: 1, name: 'Batches' })).toHaveCount(1);
  await expect(page.getByRole('button', { name: 'New Batch', exact: true })).toBeVisible();
});
