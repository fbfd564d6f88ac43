// How long files are kept: years said by report type, what is due then, and its disposal with a certificate.
import { expect } from '@playwright/test';
import { apiAs } from './api.ts';
import { axeFaultsOnTheWay } from './axe.ts';
import { seedFirm } from './firm.ts';
import { test } from './fixtures.ts';
import { ADMIN } from './server.ts';
import { expectFocusIn } from './settle.ts';
import { answerList, listenForCalls } from './stub.ts';
import { isInSight, readToast } from './toast.ts';

test('an Admin says how long files are kept, disposes of what is due, and saves the certificate', async ({
  signIn,
  server,
}) => {
  const firm = await seedFirm(server.origin, { reports: 1 });
  const admin = await apiAs(server.origin, ADMIN);
  const [client] = firm.clients;
  const type = await admin.post<{ id: number; name: string }>('/api/report-types', {
    name: `Timesheets ${Date.now()}`,
  });
  const ids: number[] = [];
  for (const name of ['Old one.txt', 'Old two.txt', 'Held one.txt']) {
    const fields = { clientId: client.id, fileType: 'report', reportTypeId: type.id, period: '2010' };
    ids.push((await admin.upload(fields, name, Buffer.from(name))).id);
  }
  await admin.post('/api/holds', { kind: 'file', id: ids[2], reason: 'Audit of 2010' });

  const page = await signIn(ADMIN, { at: `/report-types?q=${type.name}`, failures: [412] });
  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: `How long to keep ${type.name}` }).click();
  await dialog.getByRole('button', { name: 'Use 4 years' }).click();
  await expectFocusIn(dialog);
  await expect(dialog).toContainText('Where tax was paid after it was due, its four years count from the payment');
  await dialog.getByRole('textbox', { name: 'Years' }).fill('2');
  await expect(dialog).toContainText('Fewer than 4 years make nothing due sooner');
  // Those words make the foot higher, and it covers nothing that has the focus all the same.
  const wide = page.viewportSize();
  await page.setViewportSize({ width: 360, height: 500 });
  const usual = dialog.getByRole('button', { name: 'Use 4 years' });
  await page.keyboard.press('Tab');
  await expect(usual).toBeFocused();
  await expect.poll(() => isInSight(usual)).toBe(true);
  if (wide !== null) await page.setViewportSize(wide);
  await dialog.getByRole('textbox', { name: 'Years' }).fill('7');
  await dialog.getByRole('radio', { name: 'For ever' }).check();
  await dialog.getByRole('radio', { name: 'For some years, then due' }).check();
  await expect(dialog.getByRole('textbox', { name: 'Years' })).toHaveValue('7');
  expect(await axeFaultsOnTheWay(page)).toEqual([]);
  // Somebody else has said another number since: it is not overwritten unseen.
  const told = dialog.getByRole('alert').getByText('This was changed while you were working on it.');
  const sayBeside = async (years: number) => {
    await admin.put('/api/retention/rules', { reportTypeId: type.id, years });
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(told).toBeVisible();
  };
  await sayBeside(5);
  await dialog.getByRole('button', { name: 'Reload' }).click();
  await expect(dialog.getByRole('textbox', { name: 'Years' })).toHaveValue('5');
  await dialog.getByRole('textbox', { name: 'Years' }).fill('7');
  await sayBeside(6);
  await dialog.getByRole('button', { name: 'Keep mine' }).click();
  await readToast(page, 'status', ['Saved how long files are kept']);

  await page.getByRole('navigation').getByRole('link', { name: 'Retention' }).click();
  await page.goto(`/retention?reportType=${type.id}`);
  const due = page.getByRole('table', { name: 'Due Files' });
  // Three rows below that of the names.
  await expect(due.getByRole('row')).toHaveCount(4);
  await expect(due.getByRole('row').filter({ hasText: 'Held one.txt' })).toContainText('On hold');
  expect(await axeFaultsOnTheWay(page)).toEqual([]);
  // A file of it leads back to what was shown.
  await due.getByRole('link', { name: 'Old one.txt' }).click();
  await page.getByRole('link', { name: 'Back to retention' }).click();
  await expect(page).toHaveURL(`/retention?reportType=${type.id}`);
  await expect(due.getByRole('row')).toHaveCount(4);
  // What the list does not show is not disposed of with it.
  const hold = page.getByRole('combobox', { name: 'Hold' });
  await hold.selectOption('On hold');
  await expect(due.getByRole('row')).toHaveCount(2);
  await expect(page.getByRole('button', { name: 'Dispose of All 0' })).toBeDisabled();
  await hold.selectOption('All');
  await expect(due.getByRole('row')).toHaveCount(4);
  await due.getByRole('checkbox', { name: 'Select all on this page' }).check();
  await expect(page.getByRole('button', { name: 'Dispose of 2 of 3' })).toBeVisible();
  await page.getByRole('button', { name: 'Dispose of All 2' }).click();
  await expect(dialog).toContainText('with any earlier versions, which the certificate counts too');
  await dialog.getByRole('button', { name: 'Dispose of 2 files' }).click();
  await readToast(page, 'status', ['2 files will be disposed of in the background']);

  const certificates = page.getByRole('table', { name: 'Certificates of Disposal' });
  const row = certificates.getByRole('row').nth(1);
  await expect(row).toContainText('Ended');
  await expect(due.getByRole('row')).toHaveCount(2);
  const saved = page.waitForEvent('download');
  await row.getByRole('button', { name: /as PDF$/ }).click();
  expect((await saved).suggestedFilename()).toMatch(/^Certificate of disposal \d+\.pdf$/);
  const table = page.waitForEvent('download');
  await row.getByRole('button', { name: /as CSV$/ }).click();
  expect((await table).suggestedFilename()).toMatch(/^Certificate of disposal \d+\.csv$/);

  await test.step('one that was cancelled says so, and is taken up again or ended', async () => {
    const stopped = {
      id: 7,
      orderedByName: 'Rosa Okafor',
      orderedAt: '2026-11-02T09:00:00.000Z',
      endedAt: null,
      purged: 9,
      left: 0,
      waiting: 31,
      stopped: 'cancelled',
      fault: null,
    };
    await answerList(page, /\/api\/retention\/disposals\?/, [stopped]);
    const waiting = {
      id: ids[0],
      originalName: 'Waiting one.txt',
      size: 11,
      fileType: 'report',
      clientId: client.id,
      clientName: client.name,
      reportTypeId: type.id,
      typeName: type.name,
      period: '2010',
      uploadedAt: stopped.orderedAt,
      years: 7,
      dueOn: '2017-12-31',
      onHold: false,
      ordered: true,
    };
    await answerList(page, /\/api\/retention\?/, [waiting]);
    await page.route(/\/api\/retention\/disposals\/7\/rest$/, (route) =>
      route.fulfill({ json: { ...stopped, endedAt: stopped.orderedAt, stopped: null, left: 31, waiting: 0 } }),
    );
    const decided = listenForCalls(page, /\/rest$/);
    await page.reload();
    const notice = page.getByRole('region', { name: /^Disposal ordered / });
    await expect(notice).toContainText('was canceled on Background Jobs. 31 files of it are still there.');
    await expect(certificates.getByRole('row').nth(1)).toContainText('Canceled, 31 waiting');
    // What waits in it is ordered by nothing else.
    await expect(due.getByRole('row').nth(1)).toContainText('In a disposal');
    const all = due.getByRole('checkbox', { name: 'Select all on this page' });
    await all.check();
    await expect(page.getByRole('button', { name: 'Dispose of 0 of 1' })).toBeDisabled();
    await all.uncheck();
    expect(await axeFaultsOnTheWay(page)).toEqual([]);
    await notice.getByRole('button', { name: 'End Here' }).click();
    await expect(dialog).toContainText('They stay on the list of what is due.');
    await dialog.getByRole('button', { name: 'End Disposal' }).click();
    await readToast(page, 'status', ['The disposal has ended: 31 files left where they are']);
    await notice.getByRole('button', { name: 'Go On' }).click();
    await dialog.getByRole('button', { name: 'Go On' }).click();
    await readToast(page, 'status', ['The disposal goes on in the background']);
    expect(decided.map((call) => call.postDataJSON())).toEqual([{ decision: 'leave' }, { decision: 'goOn' }]);
  });

  await test.step('certificates of years ago are on later pages', async () => {
    const at = '2026-11-02T09:00:00.000Z';
    const ended = { orderedByName: 'Rosa Okafor', orderedAt: at, endedAt: at, purged: 1, left: 0, waiting: 0 };
    const rows = Array.from({ length: 50 }, (_, nth) => ({ id: 60 - nth, ...ended, stopped: null, fault: null }));
    await answerList(page, /\/api\/retention\/disposals\?/, rows, 60);
    const asked = listenForCalls(page, /\/api\/retention\/disposals\?/);
    await page.reload();
    const pages = page.getByRole('navigation', { name: 'Pages of certificates of disposal' });
    await expect(pages).toContainText('1-50 of 60');
    await pages.getByRole('button', { name: 'Next page' }).click();
    await expect(pages).toContainText('51-');
    expect(new URL(asked.at(-1)?.url() ?? 'http://none').searchParams.get('offset')).toBe('50');
  });
});
