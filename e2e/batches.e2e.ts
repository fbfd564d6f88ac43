// Batches: one print file of three companies reaches each of them, checked, and is recalled; and not everybody has any of it.
import { readFile } from 'node:fs/promises';
import { expect } from '@playwright/test';
import { RELEASING_ENDED } from '#contract/batch-words.ts';
import type { BatchDetails, DocumentRow } from '#contract/batches.ts';
import { axeFaultsOnTheWay } from './axe.ts';
import {
  choose,
  group,
  known,
  list,
  pane,
  press,
  printFile,
  reviewed,
  roomInRows,
  selected,
  unknown,
} from './batch-page.ts';
import { type Firm, seedFirm } from './firm.ts';
import { test } from './fixtures.ts';
import { hasInk, makePdf } from './pdf.ts';
import { changeAnswers } from './stub.ts';
import { readToast, toastOf } from './toast.ts';

let firm: Firm;

test.beforeAll(async ({ server }) => {
  firm = await seedFirm(server.origin);
});

/** Of a button that takes something away. */
const RED = 'rgb(201, 42, 42)';

/** A batch, or its documents. */
const BATCH = /\/api\/batches\/\d+(?:\/documents)?(?:\?|$)/;

test('a print file reaches each company, checked by a person, and is recalled', async ({ signIn }) => {
  const [larkspur, tidewater] = firm.clients;
  const page = await signIn(firm.cpa, { at: '/batches', failures: [500] });
  await expect(page.getByText('No batches yet')).toBeVisible();
  expect(await axeFaultsOnTheWay(page)).toEqual([]);
  await choose(page, [{ name: 'payrun-2026-11.pdf', bytes: await printFile([...known(firm), unknown]) }]);
  await expect(page).toHaveURL(/\/batches\/\d+$/);
  await reviewed(page);
  await expect(page.getByRole('heading', { name: /payrun-2026-11\.pdf/ }).first()).toBeVisible();

  await expect(group(page, 'Ready, 2')).toContainText(larkspur.name);
  await expect(group(page, 'To check, 1')).toContainText('No client');
  // The first to check is in view, with its own pages of the file.
  await expect(selected(page)).toContainText('Pages 5-6');
  await expect(pane(page).getByRole('group', { name: 'Page 5 of 6' })).toBeVisible();
  await expect.poll(() => pane(page).locator('canvas').first().evaluate(hasInk)).toBe(true);
  const reason = /Nothing in it names a client|It names another company/;
  await expect(pane(page).getByText(reason)).toBeVisible();
  await expect(selected(page), 'said in the row too').toContainText(reason);
  const rooms = await roomInRows(page);
  expect(rooms).toHaveLength(3);
  for (const room of rooms) expect(Math.abs(room), 'as high as what stands in it').toBeLessThan(2);
  expect(await axeFaultsOnTheWay(page)).toEqual([]);

  // What somebody else decides about it brings no other one into view, on which a key would act.
  const decide = async (decision: 'dropped' | 'open') => {
    const documents = `/api${new URL(page.url()).pathname}/documents`;
    const [, , third] = await firm.api.get<DocumentRow[]>(documents);
    await firm.api.post(`${documents}/decide`, { ids: [third?.id], decision });
  };
  await decide('dropped');
  await expect(group(page, 'Dropped, 1')).toBeVisible();
  await expect(selected(page)).toContainText('Pages 5-6');
  await decide('open');
  await expect(group(page, 'To check, 1')).toBeVisible();

  // What somebody else sends to where one of them would go is there already, for as long as it is.
  const place = { clientId: larkspur.id, fileType: 'report', reportTypeId: firm.reportTypes[0].id };
  const byHand = await firm.api.upload({ ...place, period: '2026-11-20' }, 'By hand.pdf', await makePdf(['By hand']));
  await expect(group(page, 'Already there, 1')).toContainText(larkspur.name);
  await firm.api.delete(`/api/files/${byHand.id}`);
  await expect(group(page, 'Ready, 2')).toBeVisible();

  // A wrong guess is put right by hand.
  const client = pane(page).getByRole('combobox', { name: 'Client' });
  await client.fill(tidewater.name);
  await page.getByRole('option', { name: tidewater.name, exact: true }).click();
  await expect(group(page, 'To check, 1')).toContainText(tidewater.name);
  await pane(page).getByRole('button', { name: 'Accept', exact: true }).click();
  await expect(group(page, 'Accepted, 1')).toContainText(tidewater.name);
  await press(page, 'Accept All Ready (2)');
  await readToast(page, 'status', ['2 documents accepted']);

  // Left of a release that was killed for good, they are released again by the same button.
  await page.route(/\/api\/batches\/\d+(?:\/documents)?(?:\?|$)/, async (route) => {
    const response = await route.fetch();
    const body = await response.json();
    const json = Array.isArray(body)
      ? body.map((document) => ({ ...document, state: 'releasing' }))
      : { ...body, batch: { ...body.batch, accepted: 0, releasing: 3, fault: RELEASING_ENDED } };
    await route.fulfill({ response, json });
  });
  await page.reload();
  await expect(page.getByRole('alert')).toContainText(RELEASING_ENDED);
  await expect(page.getByText('Releasing failed', { exact: true })).toBeVisible();
  const dialog = page.getByRole('dialog');
  await press(page, 'Release Again (3)');
  await expect(dialog).toContainText('3 documents will become files of 2 clients');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page.unrouteAll({ behavior: 'wait' });
  await page.reload();

  // While it is under way, it is stopped beside its progress: what is no file yet is accepted as it was.
  let isStopped = false;
  await changeAnswers<BatchDetails | DocumentRow[]>(page, BATCH, (body) => {
    if (isStopped) return body;
    return Array.isArray(body)
      ? body.map((document) => ({ ...document, state: 'releasing' }))
      : { ...body, batch: { ...body.batch, accepted: 0, releasing: 3 } };
  });
  await page.reload();
  // Without a width, since nothing of it is done.
  await expect(page.getByRole('progressbar', { name: /^Progress of payrun/ })).toHaveAttribute('aria-valuenow', '0');
  await expect(group(page, 'Releasing, 3')).toBeVisible();
  await page.route(
    /\/stop$/,
    async (route) => {
      isStopped = true;
      await route.fallback();
    },
    { times: 1 },
  );
  await press(page, 'Stop');
  await readToast(page, 'status', ['Release stopped: 0 released, 3 not']);
  await expect(group(page, 'Accepted, 3')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Stop', exact: true })).toHaveCount(0);
  await page.unrouteAll({ behavior: 'wait' });

  await press(page, 'Release Accepted (3)');
  await expect(dialog).toContainText('3 documents will become files of 2 clients');
  const release = dialog.getByRole('button', { name: 'Release', exact: true });
  await expect(release).not.toHaveCSS('background-color', RED);
  await release.click();
  await expect(group(page, 'Released, 3')).toBeVisible({ timeout: 30_000 });
  await readToast(page, 'status', ['3 documents released']);
  await expect(pane(page).getByText('Released as').getByRole('link')).toHaveAttribute(
    'href',
    /\/cpa-dashboard\/report\/\d+\?from=%2Fbatches%2F\d+/,
  );

  // The client's user sees exactly theirs.
  const theirs = await signIn(firm.clientUser, { at: '/client-reports' });
  const files = theirs.getByRole('table').getByRole('row').filter({ hasText: '2026' });
  const mine = theirs.getByRole('link', { name: new RegExp(`Payroll Journal.*${larkspur.name}`) });
  await expect(mine).toHaveCount(1);
  await expect(theirs.getByText(tidewater.name)).toHaveCount(0);
  expect(await files.count()).toBeGreaterThan(0);
  await mine.click();
  await expect.poll(() => theirs.locator('canvas').first().evaluate(hasInk)).toBe(true);
  await expect(theirs.getByText('of 2', { exact: true })).toBeVisible();

  // What cannot be done any more is not there.
  for (const name of [/^Accept All Ready/, /^Release Accepted/]) {
    await expect(page.getByRole('button', { name })).toHaveCount(0);
  }
  await group(page, 'Released, 3').getByRole('option').filter({ hasText: tidewater.name }).first().click();
  await expect(pane(page).getByRole('combobox')).toHaveCount(0);
  await expect(pane(page).getByRole('link', { name: tidewater.name, exact: true })).toHaveAttribute(
    'href',
    `/clients/${tidewater.id}`,
  );

  // One of them alone: that is said at the document, and not over all of them.
  await pane(page).getByRole('button', { name: 'Recall This Document' }).click();
  await dialog.getByRole('textbox', { name: 'Why' }).fill('Wrong week');
  const recall = dialog.getByRole('button', { name: 'Recall', exact: true });
  await expect(recall).toHaveCSS('background-color', RED);
  await recall.click();
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await expect(group(page, 'Recalled, 1')).toBeVisible();
  await expect(group(page, 'Recalled, 1')).toContainText('Wrong week');
  await expect(pane(page).getByText(`Recalled by ${firm.cpa.fullName}, `)).toContainText(': Wrong week');
  await expect(page.getByText('2 released · 1 recalled', { exact: false })).toBeVisible();

  // While others are on their way, the question says that they stay.
  const asItIs = await changeAnswers<BatchDetails>(page, /\/api\/batches\/\d+$/, ({ batch, ...rest }) => ({
    batch: { ...batch, releasing: 3 },
    ...rest,
  }));
  await page.reload();
  await press(page, 'Recall All 2');
  await expect(dialog).toContainText('3 documents are still being released. Recall them once that is done.');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await asItIs();

  // What is on hold stays, and holds no other back.
  const fileId = Number(/\d+/.exec(new URL(theirs.url()).pathname)?.[0]);
  const hold = await firm.api.post<{ id: number }>('/api/holds', { kind: 'file', id: fileId, reason: 'Audit of 2026' });
  await page.reload();
  await press(page, 'Recall 1 of 2');
  await expect(dialog).toContainText('Recall 1 document?');
  await expect(dialog).toContainText(
    '1 of 2 released is on hold and stays where it is. What is recalled is taken from everybody',
  );
  await dialog.getByRole('textbox', { name: 'Why' }).fill('Figures of the week before');
  await dialog.getByRole('button', { name: 'Recall', exact: true }).click();
  await expect(dialog.getByText('1 document taken from everybody.')).toBeVisible();
  await expect(dialog.getByText('Nobody has opened it')).toBeVisible();
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await expect(page.getByText('1 released · 2 recalled', { exact: false })).toBeVisible();
  await press(page, 'Recall');
  await expect(dialog).toContainText('Its file is on hold, so nothing is recalled.');
  await expect(dialog.getByRole('button', { name: 'Recall', exact: true })).toBeDisabled();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await firm.api.post(`/api/holds/${hold.id}/lift`, {});
  await page.reload();

  await press(page, 'Recall');
  await dialog.getByRole('textbox', { name: 'Why' }).fill('Figures of the week before');
  await dialog.getByRole('button', { name: 'Recall', exact: true }).click();
  await expect(dialog.getByText('1 document taken from everybody.')).toBeVisible();
  await expect(dialog.getByRole('listitem').filter({ hasText: `${firm.clientUser.fullName} opened` })).toHaveCount(1);
  expect(await axeFaultsOnTheWay(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  // Each keeps its own reason.
  await expect(
    group(page, 'Recalled, 3').getByRole('option').filter({ hasText: 'Figures of the week before' }),
  ).toHaveCount(2);
  await expect(group(page, 'Recalled, 3').getByRole('option').filter({ hasText: 'Wrong week' })).toHaveCount(1);
  await expect(pane(page).getByText(`Recalled by ${firm.cpa.fullName}, `)).toBeVisible();

  // What it says stays to be had once everything is recalled.
  const saving = page.waitForEvent('download');
  await press(page, 'Certificate');
  const saved = await saving;
  expect(saved.suggestedFilename()).toMatch(/^Certificate of .+\.pdf$/);
  expect((await readFile(await saved.path())).subarray(0, 5).toString()).toBe('%PDF-');
  await page.route('**/api/batches/*/certificate', (route) =>
    route.fulfill({ status: 500, json: { message: 'Out of order' } }),
  );
  await press(page, 'Certificate');
  await expect(toastOf(page, 'alert')).toContainText('Failed to save the certificate');
  await page.unroute('**/api/batches/*/certificate');

  await press(page, 'Discard');
  await expect(dialog).toContainText('What was recalled stays recalled.');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog).toBeHidden();

  // Put right, they are accepted one after the other, or together after a question.
  await list(page).focus();
  await page.keyboard.press('a');
  await expect(group(page, 'Accepted, 1')).toBeVisible();
  await expect(group(page, 'Recalled, 2').getByRole('option', { selected: true })).toHaveCount(1);
  await page.keyboard.press('Control+a');
  await page.keyboard.press('a');
  await expect(dialog).toContainText('Accept 2 documents?');
  await expect(dialog).toContainText('All of them were recalled: the reason is in the row of each.');
  await expect(dialog).toContainText('Left out: 1 accepted before.');
  await dialog.getByRole('button', { name: 'Accept', exact: true }).click();
  await expect(group(page, 'Accepted, 3')).toContainText('Wrong week');
  // Whatever is decided since, it was released once: there is a certificate to save, and to lose.
  await expect(page.getByRole('button', { name: 'Certificate' })).toBeVisible();
  await press(page, 'Discard');
  await expect(dialog).toContainText('Save the certificate first');
  await dialog.getByRole('button', { name: 'Cancel' }).click();

  await theirs.goto('/client-reports');
  await expect(theirs.getByRole('table').first()).toBeVisible();
  await expect(mine).toHaveCount(0);
});

test('who may not work with batches has none of it', { tag: '@full' }, async ({ signIn }) => {
  const page = await signIn(firm.clientUser, { at: '/batches' });
  await expect(page.getByText('You do not have permission to see this.')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Batches' })).toHaveCount(0);
  await page.goto('/batches/1');
  await expect(page.getByText('You do not have permission to see this.')).toBeVisible();
});
