// Every screen that stands, and its open dialogs, judged by axe against WCAG 2.2 AA, in both colour schemes.
import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';
import { apiAs } from './api.ts';
import { test } from './fixtures.ts';
import { makePdf } from './pdf.ts';
import { ADMIN } from './server.ts';

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

async function expectAccessible(page: Page, what: string): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).withTags(TAGS).analyze();
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).join(', ')}`);
  expect(found, what).toEqual([]);
}

/** Mantine moves a dialog in; colours are judged once it stands. */
async function openDialog(page: Page, button: string): Promise<void> {
  await page.getByRole('button', { name: button, exact: true }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toBeVisible();
  await expect.poll(() => dialog.evaluate((node) => node.getAnimations({ subtree: true }).length)).toBe(0);
}

const screens: readonly { path: string; heading: string; dialog?: string }[] = [
  { path: '/', heading: 'Welcome, Administrator' },
  { path: '/clients', heading: 'Client Management', dialog: 'Add Client' },
  { path: '/users', heading: 'User Management', dialog: 'Add User' },
  { path: '/roles', heading: 'Roles', dialog: 'Add Role' },
  { path: '/report-types', heading: 'Report Types', dialog: 'Add Report Type' },
  { path: '/activity', heading: 'Activity Log' },
  { path: '/file-upload', heading: 'Files', dialog: 'Upload Files' },
  { path: '/cpa-dashboard', heading: 'Payroll Reports' },
  { path: '/firm-documents', heading: 'Firm Documents' },
];

for (const colorScheme of ['light', 'dark'] as const) {
  test(`every screen is accessible, ${colorScheme}`, async ({ signIn, server }) => {
    const api = await apiAs(server.origin);
    const name = `Larkspur Café ${colorScheme}`;
    const client = await api.post<{ id: number }>('/api/clients', {
      name,
      address: '4 Orchard Lane, Dayton, OH 45402',
      phone: '(937)-555-0117',
      federalId: '08-1112223',
      stateId: 'OH-11',
      email: 'books@example.com',
      employeeCount: 3,
      startDate: '2025-01-31',
    });
    await api.upload({ clientId: client.id, fileType: 'company_document' }, 'CP575.pdf', await makePdf([name]));
    const page = await signIn(ADMIN);
    await page.emulateMedia({ colorScheme });
    for (const { path, heading, dialog } of screens) {
      await page.goto(path);
      await expect(page.getByRole('heading', { name: heading, exact: true }).first()).toBeVisible();
      await page.waitForLoadState('networkidle');
      await expectAccessible(page, `${path} ${colorScheme}`);
      if (dialog === undefined) continue;
      await openDialog(page, dialog);
      await expectAccessible(page, `${path}, ${dialog}, ${colorScheme}`);
      await page.keyboard.press('Escape');
      await expect(page.getByRole('dialog')).toBeHidden();
    }
  });
}

test('the sign-in page is accessible and says what is missing', async ({ browser, server }) => {
  const context = await browser.newContext({ baseURL: server.origin });
  const page = await context.newPage();
  await page.goto('/clients');
  await expect(page).toHaveURL(/\/login/);
  await page.getByRole('button', { name: 'Login', exact: true }).click();
  await expect(page.getByText('Username is required')).toBeVisible();
  await expect(page.getByText('Password is required')).toBeVisible();
  await expectAccessible(page, 'login with faults');
  await page.getByLabel('Username').fill('nobody');
  await page.getByLabel('Password', { exact: true }).fill('wrong one');
  await page.getByRole('button', { name: 'Login', exact: true }).click();
  await expect(page.getByText('Login failed')).toBeVisible();
  await expect(page.getByText('Invalid username or password')).toBeVisible();
  await expect(page).toHaveURL(/\/login/);
  await context.close();
});
