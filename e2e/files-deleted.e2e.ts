// Files that are deleted on the Files screen: one, several, and one’s own until somebody has opened it.
import { expect } from '@playwright/test';
import { apiAs } from './api.ts';
import { UNREACHABLE } from './failing-calls.ts';
import { bar, row, tick } from './files-page.ts';
import { seedFirm } from './firm.ts';
import { test } from './fixtures.ts';
import { makePdf } from './pdf.ts';
import { notifications, readError, readToast, toastOf } from './toast.ts';

test('deletes one file after the question, and several of them one after the other', async ({ signIn, server }) => {
  const own = await seedFirm(server.origin, { reports: 6 });
  const nth = (n: number) => own.reports[n - 1] ?? { id: 0, name: '' };
  const page = await signIn(own.cpa, { at: '/file-upload', failures: [404, 409, 412], offline: true });
  const question = page.getByRole('dialog');

  await test.step('one', async () => {
    await tick(page, nth(1).name).check();
    const button = row(page, nth(1).name).getByRole('button', { name: `Delete ${nth(1).name}` });
    await button.click();
    await expect(question).toContainText('Are you sure you want to delete this file?');
    await expect(question).toContainText(nth(1).name);
    await question.getByRole('button', { name: 'Cancel' }).click();
    await expect(question).toBeHidden();
    await expect(button).toBeFocused();
    await button.click();
    await question.getByRole('button', { name: 'Delete' }).click();
    await readToast(page, 'status', ['File deleted successfully']);
    await expect(row(page, nth(1).name)).toHaveCount(0);
    await expect(bar(page).getByRole('button'), 'a deleted file is no longer ticked').toHaveCount(0);
  });

  await test.step('several, one of which fails and stays ticked', async () => {
    for (const n of [2, 3, 4]) await tick(page, nth(n).name).check();
    const failing = `**/api/files/${nth(3).id}`;
    await page.route(failing, (route) =>
      route.fulfill({ status: 409, json: { message: 'It is in use.', code: 'gone_meanwhile' } }),
    );
    let held: () => void = () => undefined;
    await page.route(`**/api/files/${nth(4).id}`, async (route) => {
      await new Promise<void>((resolve) => {
        held = resolve;
      });
      await route.continue();
    });
    await bar(page).getByRole('button', { name: 'Delete', exact: true }).click();
    await expect(question).toContainText('Delete 3 files?');
    await expect(question).toContainText('Are you sure you want to delete these 3 files?');
    await question.getByRole('button', { name: 'Delete' }).click();
    await expect(question.getByRole('status')).toHaveText('2 of 3 done');
    await expect(question.getByRole('button', { name: 'Deleting...' })).toBeDisabled();
    held();
    const sentence = `Failed to delete file: ${nth(3).name} (It is in use.) 2 are done, 1 is not.`;
    await expect(toastOf(page, 'alert').getByRole('paragraph')).toHaveText(['Error', sentence]);
    await expect(row(page, nth(2).name)).toHaveCount(0);
    await expect(row(page, nth(4).name)).toHaveCount(0);
    await expect(bar(page).getByRole('status')).toHaveText('1 selected');
    await expect(tick(page, nth(3).name)).toBeChecked();
    // What was deleted comes back by Undo all the same, and goes again.
    await notifications(page).getByRole('button', { name: 'Undo' }).click();
    await readToast(page, 'status', ['2 files restored successfully']);
    await page.unroute(`**/api/files/${nth(4).id}`);
    for (const n of [2, 4]) await tick(page, nth(n).name).check();
    await bar(page).getByRole('button', { name: 'Delete', exact: true }).click();
    await question.getByRole('button', { name: 'Delete' }).click();
    await readError(page, sentence);
    await expect(bar(page).getByRole('status')).toHaveText('1 selected');
    await page.unroute(failing);
  });

  await test.step('without an answer the rest is left, and named with the one that failed', async () => {
    for (const n of [5, 6]) await tick(page, nth(n).name).check();
    const failing = `**/api/files/${nth(3).id}`;
    await page.route(failing, (route) => route.abort('connectionfailed'));
    await bar(page).getByRole('button', { name: 'Delete', exact: true }).click();
    await question.getByRole('button', { name: 'Delete' }).click();
    const left = [3, 5, 6].map((n) => `${nth(n).name} (${UNREACHABLE})`);
    await readError(page, `Failed to delete files: ${left.join(', ')}`);
    await page.unroute(failing);
    for (const n of [5, 6]) await tick(page, nth(n).name).uncheck();
    await expect(bar(page).getByRole('status')).toHaveText('1 selected');
  });

  await test.step('one that was filed elsewhere since the question: it says so, and is ticked no more', async () => {
    await tick(page, nth(3).name).uncheck();
    await tick(page, nth(5).name).check();
    await bar(page).getByRole('button', { name: 'Delete', exact: true }).click();
    await expect(question).toContainText(`Delete ${nth(5).name}?`);
    const there = { clientId: own.clients[1].id, keepBecause: 'They were merged' };
    await own.api.put(`/api/files/${nth(5).id}`, there);
    await question.getByRole('button', { name: 'Delete' }).click();
    const reason = 'This was changed while you were working on it.';
    await readError(page, `Failed to delete file: ${nth(5).name} (${reason})`);
    await expect(row(page, nth(5).name)).toContainText(own.clients[1].name);
    await expect(tick(page, nth(5).name)).not.toBeChecked();
    await tick(page, nth(3).name).check();
  });

  await test.step('one that came on hold meanwhile: it says so, and is not offered again, in its row and among those ticked', async () => {
    await tick(page, nth(5).name).check();
    await expect(bar(page).getByRole('button', { name: 'Delete', exact: true })).toBeVisible();
    const hold = await own.api.post<{ id: number }>('/api/holds', {
      kind: 'file',
      id: nth(5).id,
      reason: 'Audit of 2026',
    });
    const remove = page.getByRole('button', { name: `Delete ${nth(5).name}` });
    await remove.click();
    await question.getByRole('button', { name: 'Delete' }).click();
    await readError(page, 'Failed to delete file: This file is on hold and cannot be deleted.');
    await expect(remove).toHaveCount(0);
    await expect(bar(page).getByRole('button', { name: 'Delete 1 of 2' })).toBeVisible();
    await own.api.post(`/api/holds/${hold.id}/lift`, {});
  });

  await test.step('one that is gone already: it says so, and its row goes', async () => {
    await own.api.delete(`/api/files/${nth(6).id}`);
    await row(page, nth(6).name)
      .getByRole('button', { name: `Delete ${nth(6).name}` })
      .click();
    await question.getByRole('button', { name: 'Delete' }).click();
    await readError(page, 'Failed to delete file: Not found.');
    await expect(row(page, nth(6).name)).toHaveCount(0);
    await expect(row(page, nth(5).name), 'loaded again, it is on hold no more').toBeVisible();
  });

  await test.step('all that is left', async () => {
    await bar(page).getByRole('button', { name: 'Delete', exact: true }).click();
    await question.getByRole('button', { name: 'Delete' }).click();
    await readToast(page, 'status', ['2 files deleted successfully']);
    await expect(page.getByText('No files found. Upload a file to get started.')).toBeVisible();
  });
});

test('who may not delete reports takes back one’s own, until somebody has opened it', async ({ signIn, server }) => {
  const own = await seedFirm(server.origin, { reports: 0 });
  const role = await own.api.post<{ id: number; name: string }>('/api/roles', { name: `Sender ${own.cpa.username}` });
  await own.api.put('/api/permissions', { roleId: role.id, capabilities: ['reports.upload'] });
  const [client] = own.clients;
  const [type] = own.reportTypes;
  const sender = { username: `sender.${own.cpa.username}`, password: 'browser test', fullName: 'Nora Sender' };
  const lists = { clientIds: [client.id], reportTypeIds: [type.id] };
  await own.api.post('/api/users', { ...sender, roleId: role.id, ...lists });
  const api = await apiAs(server.origin, sender);
  const place = { clientId: client.id, fileType: 'report', reportTypeId: type.id };
  const name = 'Wrong month.pdf';
  const { id } = await api.upload(place, name, await makePdf([name]));
  const page = await signIn(sender, { at: '/file-upload', failures: [409] });
  const question = page.getByRole('dialog');

  await test.step('in its row, and back by Undo', async () => {
    await expect(row(page, name).getByRole('button', { name: `Delete ${name}` })).toHaveCount(0);
    await row(page, name)
      .getByRole('button', { name: `Take back ${name}` })
      .click();
    await expect(question).toContainText('Nobody else has opened it yet.');
    await question.getByRole('button', { name: 'Take back' }).click();
    await expect(row(page, name)).toHaveCount(0);
    await expect(page.getByText('File taken back', { exact: true })).toBeVisible();
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(row(page, name)).toBeVisible();
  });

  await test.step('on its page, where whoever opens it is faster', async () => {
    await row(page, name).getByRole('link', { name }).click();
    const button = page.getByRole('button', { name: 'Take back', exact: true });
    await expect(button).toBeVisible();
    const reader = await apiAs(server.origin, own.clientUser);
    const { url } = await reader.post<{ url: string }>(`/api/files/${id}/view-ticket`, {});
    expect((await fetch(server.origin + url)).status).toBe(200);
    await button.click();
    await question.getByRole('button', { name: 'Take back' }).click();
    const sentence = 'Somebody has opened this report, so it cannot be taken back. Ask somebody who may delete it.';
    await readError(page, `Failed to take the file back: ${sentence}`);
    await expect(button).toHaveCount(0);
  });
});

test('a right that goes while its list is open takes its buttons along, and whoever was faster is told', async ({
  signIn,
  server,
}) => {
  const own = await seedFirm(server.origin, { reports: 1 });
  const role = await own.api.post<{ id: number }>('/api/roles', { name: `Tidier ${own.cpa.username}` });
  await own.api.put('/api/permissions', { roleId: role.id, capabilities: ['reports.upload', 'files.delete'] });
  const tidier = { username: `tidier.${own.cpa.username}`, password: 'browser test', fullName: 'Iris Tidier' };
  const lists = { clientIds: [own.clients[0].id], reportTypeIds: own.reportTypes.map(({ id }) => id) };
  await own.api.post('/api/users', { ...tidier, roleId: role.id, ...lists });
  const name = own.reports[0]?.name ?? '';
  const page = await signIn(tidier, { at: '/file-upload', failures: [403] });
  const remove = row(page, name).getByRole('button', { name: `Delete ${name}` });
  await remove.click();
  await expect(page.getByRole('dialog')).toContainText('Are you sure you want to delete this file?');
  await own.api.put('/api/permissions', { roleId: role.id, capabilities: ['reports.upload'] });
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await readError(page, 'Failed to delete file: You do not have permission to do this.');
  await expect(row(page, name)).toBeVisible();
  await expect(remove).toHaveCount(0);
});
