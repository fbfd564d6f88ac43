// An upload of a Client user that names another company: nothing for them, a badge, a card and a notice for staff who reach it.
import { expect, type Page } from '@playwright/test';
import type { FileRow, MarkedFile } from '#contract/files.ts';
import { apiAs } from './api.ts';
import { axeFaultsOnTheWay } from './axe.ts';
import { type Firm, seedFirm } from './firm.ts';
import { test } from './fixtures.ts';
import { makePdf } from './pdf.ts';
import { ADMIN } from './server.ts';
import { readToast } from './toast.ts';

/** New files are read in the background. */
const JUDGED_WITHIN_MS = 60_000;
test.setTimeout(150_000);

const BADGE = 'Names another company';

/** Sends a document that names the second company, as the first one's person; marked by then. */
async function sendMarked(origin: string, firm: Firm, name: string): Promise<number> {
  const owner = await apiAs(origin, firm.clientUser);
  const fields = { clientId: firm.clients[0].id, fileType: 'company_document' };
  const { id } = await owner.upload(fields, name, await makePdf([firm.clients[1].name, 'Lease of a boat']));
  await expect
    .poll(async () => (await firm.api.get<MarkedFile[]>(`/api/files/marked?ids=${id}`)).length, {
      timeout: JUDGED_WITHIN_MS,
    })
    .toBe(1);
  return id;
}

const notice = (page: Page) => page.getByRole('region', { name: BADGE });
const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });

test('a CPA finds it by card, badge and notice, and says that it is right; its sender sees nothing', async ({
  signIn,
  server,
}) => {
  const firm = await seedFirm(server.origin, { reports: 0 });
  const name = `Lease ${firm.clients[0].id}.pdf`;
  await sendMarked(server.origin, firm, name);

  await test.step('the Client user sees an upload like any other', async () => {
    const sender = await signIn(firm.clientUser, { at: '/firm-documents' });
    await expect(rowOf(sender, name)).toBeVisible();
    await expect(sender.getByText(BADGE)).toHaveCount(0);
    await sender.goto('/file-upload?marked=1');
    await expect(sender.getByRole('radio', { name: 'Reports' })).toBeChecked();
    await expect(sender.getByText(BADGE)).toHaveCount(0);
    await sender.goto('/');
    await expect(sender.getByRole('table', { name: 'Client List' })).toBeVisible();
    await expect(sender.getByRole('link', { name: /names? another company/ })).toHaveCount(0);
  });

  const page = await signIn(firm.cpa);
  await page.getByRole('link', { name: /^Marked Uploads 1 / }).click();
  await expect(page.getByRole('radio', { name: `${BADGE} (1)` })).toBeChecked();
  await expect(rowOf(page, name)).toHaveCount(1);
  expect(await axeFaultsOnTheWay(page)).toEqual([]);
  // By keyboard alone.
  await page.getByRole('link', { name: `${BADGE}: ${name}` }).focus();
  await page.keyboard.press('Enter');
  await expect(notice(page)).toContainText(
    `This file names ${firm.clients[1].name}, not ${firm.clients[0].name}. It was sent by ${firm.clientUser.fullName}.`,
  );
  // A document that somebody else sent is not the CPA's to file elsewhere.
  await expect(notice(page).getByRole('button')).toHaveText(['It is right']);
  expect(await axeFaultsOnTheWay(page)).toEqual([]);
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await axeFaultsOnTheWay(page)).toEqual([]);
  await notice(page).getByRole('button', { name: 'It is right' }).focus();
  await page.keyboard.press('Enter');
  await readToast(page, 'status', ['File confirmed successfully']);
  await expect(notice(page)).toHaveCount(0);
  await page.goto('/firm-documents');
  await expect(page.getByText(name).first()).toBeVisible();
  await expect(page.getByText(BADGE)).toHaveCount(0);
  await page.goto('/');
  await expect(page.getByRole('table', { name: 'Client List' })).toBeVisible();
  await expect(page.getByRole('link', { name: /names? another company/ })).toHaveCount(0);
});

test('an Admin files it there by one press, and a failure says so and offers a retry', async ({ signIn, server }) => {
  const firm = await seedFirm(server.origin, { reports: 0 });
  const name = `Berth ${firm.clients[0].id}.pdf`;
  const id = await sendMarked(server.origin, firm, name);
  const page = await signIn(ADMIN, { failures: [503] });
  await expect(page.getByRole('link', { name: /uploads? names? another company/ })).toBeVisible();
  await page.goto('/firm-documents');
  await expect(page.getByRole('link', { name: `${BADGE}: ${name}` })).toBeVisible();

  const addresses = '**/api/files/marked?*';
  await page.route(addresses, (route) =>
    route.fulfill({ status: 503, json: { code: 'unavailable', message: 'Away' } }),
  );
  await page.goto(`/cpa-dashboard/report/${id}`);
  await expect(page.getByText('It could not be loaded whether this file names another company.')).toBeVisible();
  await page.unroute(addresses);
  await page.getByRole('button', { name: 'Retry' }).click();
  await notice(page).getByRole('button', { name: 'File it there' }).click();
  await readToast(page, 'status', ['File re-filed successfully']);
  await expect(notice(page)).toHaveCount(0);
  await expect(page.getByRole('complementary', { name: 'About this file' })).toContainText(firm.clients[1].name);
  const { file } = await firm.api.get<{ file: FileRow }>(`/api/files/${id}/facts`);
  expect(file.clientId).toBe(firm.clients[1].id);
});
