// How dates, times, sizes and missing values read on the screens, in time zones on both sides of the date line.
import { expect, type Page } from '@playwright/test';
import { seedFirm } from './firm.ts';
import { test } from './fixtures.ts';
import { ADMIN } from './server.ts';
import { answerList, listenForCalls } from './stub.ts';

const entry = (id: number, more: object) => ({
  id,
  action: 'view',
  fileId: null,
  fileName: null,
  details: null,
  userId: 1,
  userName: 'Rosa Okafor',
  clientId: 1,
  clientName: 'Larkspur Bakery',
  timestamp: '2026-01-31T00:05:00.000Z',
  ...more,
});

const file = (id: number, more: object) => ({
  id,
  originalName: `CP575-${id}.pdf`,
  size: 0,
  contentType: 'application/pdf',
  sha256: '0',
  uploadedAt: '2026-01-31T00:05:00.000Z',
  createdAt: '2026-01-31T00:05:00.000Z',
  uploadedById: 1,
  uploaderName: 'Rosa Okafor',
  clientId: 1,
  clientName: 'Larkspur Bakery',
  reportTypeId: null,
  reportTypeName: null,
  fileType: 'company_document',
  documentType: 'Other',
  ...more,
});

/** The texts of one column, by its header. */
async function columnOf(page: Page, table: string, header: string): Promise<string[]> {
  const whole = page.getByRole('table', { name: table });
  await expect(whole.getByRole('cell').first()).toBeVisible();
  const headers = await whole.getByRole('columnheader').allTextContents();
  const nth = headers.indexOf(header);
  const rows = await whole
    .getByRole('row')
    .filter({ has: page.getByRole('cell') })
    .all();
  return Promise.all(rows.map((row) => row.getByRole('cell').nth(nth).innerText()));
}

for (const { timezoneId, day, time, today } of [
  { timezoneId: 'America/Los_Angeles', day: '01/30/2026', time: '01/30/2026 4:05 PM', today: '01/30/2026' },
  { timezoneId: 'Asia/Tokyo', day: '01/31/2026', time: '01/31/2026 9:05 AM', today: '01/31/2026' },
]) {
  test(`instants are local and days stay themselves in ${timezoneId}`, async ({ signIn, server }) => {
    const { clients } = await seedFirm(server.origin);
    const page = await signIn(ADMIN, { timezoneId });
    await page.clock.setFixedTime('2026-01-31T00:05:00Z');

    await test.step('the log', async () => {
      await answerList(page, /\/api\/activity-logs\?/, [
        entry(1, {}),
        entry(2, { timestamp: '2026-06-15T19:00:00.000Z' }),
        entry(3, { timestamp: null }),
        entry(4, { timestamp: 'noon', clientName: '' }),
      ]);
      const asked = listenForCalls(page, /\/api\/activity-logs\?/);
      await page.goto('/activity?startDate=2026-01-30&endDate=2026-01-31');
      const summer = timezoneId === 'Asia/Tokyo' ? '06/16/2026 4:00 AM' : '06/15/2026 12:00 PM';
      expect(await columnOf(page, 'Activity Log', 'Date & Time')).toEqual([time, summer, 'N/A', 'Invalid Date']);
      expect((await columnOf(page, 'Activity Log', 'Client')).at(-1)).toBe('Unknown Client');
      await expect(page.getByLabel('Start Date', { exact: true })).toHaveValue('01/30/2026');
      await expect(page.getByLabel('End Date', { exact: true })).toHaveValue('01/31/2026');
      const sent = Object.fromEntries(new URL(asked[0]?.url() ?? 'http://none').searchParams);
      expect(sent).toMatchObject({ startDate: '2026-01-30', endDate: '2026-01-31', timeZone: timezoneId });
    });

    await test.step('files and their sizes', async () => {
      await answerList(page, /\/api\/files\?/, [
        file(1, { size: 1_572_864 }),
        file(2, { size: 1, clientName: null }),
        file(3, { size: 2_147_483_648 }),
      ]);
      await page.goto('/firm-documents');
      expect(await columnOf(page, 'Document Library', 'Size')).toEqual([
        '1.50 MB',
        '0.00 MB (<1\u00a0KB)',
        '2048.00 MB',
      ]);
      expect(await columnOf(page, 'Document Library', 'Uploaded')).toEqual([day, day, day]);
      expect((await columnOf(page, 'Document Library', 'Client'))[1]).toBe('Unknown Client');
    });

    await test.step('a start date is the day it was given, in the list, the details and the form', async () => {
      await page.goto(`/clients?q=${encodeURIComponent(clients[0].name)}`);
      await expect(page.getByRole('cell', { name: '01/31/2025', exact: true })).toBeVisible();
      await page.getByRole('button', { name: `Edit ${clients[0].name}`, exact: true }).click();
      await expect(page.getByRole('dialog').getByLabel('Start Date')).toHaveValue('01/31/2025');
      await page.goto('/clients');
      await page.getByRole('button', { name: 'Add Client' }).click();
      await expect(page.getByRole('dialog').getByLabel('Start Date')).toHaveValue(today);
    });

    await test.step('and where it is missing or unreadable, the placeholder texts', async () => {
      await page.route(/\/api\/clients\/\d+$/, (route) =>
        route.fulfill({
          json: {
            id: clients[0].id,
            name: clients[0].name,
            address: '',
            phone: '',
            federalId: '',
            stateId: '',
            employeeCount: 1234,
            startDate: '',
          },
        }),
      );
      await page.goto('/firm-details');
      await expect(page.getByRole('definition')).toHaveText([clients[0].name, '—', '—', '—', '—', '1,234', 'N/A']);
    });
  });
}
