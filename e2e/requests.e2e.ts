// What the firm asks its clients for: staff ask, the client answers, staff accept or send back until it is done; and what is late, edited or closed.
import { expect } from '@playwright/test';
import { apiAs } from './api.ts';
import { UNREACHABLE } from './failing-calls.ts';
import { type Firm, seedFirm } from './firm.ts';
import { test } from './fixtures.ts';
import { choose, dayIn, itemOf } from './requests-page.ts';
import { ADMIN } from './server.ts';
import { expectFocusIn } from './settle.ts';
import { changeAnswers, failCalls, listenForCalls, loseAnswer } from './stub.ts';
import { readError, readToast } from './toast.ts';

// Its own firm: the templates and requests of another file would be counted too.
test.use({ firmName: 'requests' });
test.describe.configure({ mode: 'serial' });

/** What staff read who have typed something for a request that somebody else has closed. */
const CLOSED = 'This request was closed meanwhile. Copy what you typed, then close this dialog and reopen the request.';

let firm: Firm;
test.beforeAll(async ({ server }) => {
  firm = await seedFirm(server.origin, { reports: 0 });
});

test('staff ask with a template and the keyboard, the client answers from the home, and it is accepted item by item', async ({
  signIn,
}) => {
  const [bakery] = firm.clients;
  const admin = await signIn(ADMIN, { at: '/requests' });
  await expect(
    admin.getByText('No requests match these filters').or(admin.getByText('No open requests')),
  ).toBeVisible();

  await test.step('the usual templates are a click', async () => {
    await admin.getByRole('button', { name: 'Templates' }).click();
    const templates = admin.getByRole('dialog', { name: 'Templates' });
    await templates.getByRole('button', { name: 'Add Usual Templates' }).click();
    await readToast(admin, 'status', ['Usual templates added successfully']);
    await expect(templates.getByRole('list', { name: 'Templates' }).getByRole('listitem')).toHaveCount(2);
    await expectFocusIn(templates);
  });

  await test.step('a template is deleted, once its question over the dialog is answered', async () => {
    const templates = admin.getByRole('dialog', { name: 'Templates' });
    const own = templates.getByRole('listitem').filter({ hasText: 'Workers comp audit' });
    await templates.getByRole('button', { name: 'Add Template' }).click();
    const adding = admin.getByRole('dialog', { name: 'Add Template' });
    await adding.getByRole('textbox', { name: 'Template Name' }).fill('Workers comp audit');
    await adding.getByRole('textbox', { name: 'Item 1', exact: true }).fill('The policy');
    await adding.getByRole('button', { name: 'Save' }).click();
    await expect(own).toBeVisible();
    await expect(adding).toBeHidden();
    await own.getByRole('button', { name: 'Edit Workers comp audit' }).click();
    const editing = admin.getByRole('dialog', { name: 'Edit Template' });
    await expect(editing.getByRole('textbox', { name: 'Template Name' })).toBeFocused();
    await admin.keyboard.press('Escape');
    await expect(editing).toBeHidden();
    await expect(own).toBeVisible();
    await expectFocusIn(templates);
    const question = admin.getByRole('dialog', { name: 'Delete Workers comp audit?' });
    await own.getByRole('button', { name: 'Delete Workers comp audit' }).click();
    await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
    await admin.keyboard.press('Escape');
    await expect(question).toBeHidden();
    await expect(own).toBeVisible();
    await own.getByRole('button', { name: 'Delete Workers comp audit' }).click();
    await question.getByRole('button', { name: 'Delete' }).click();
    await expect(own).toHaveCount(0);
    await expect(question).toBeHidden();
    await admin.keyboard.press('Escape');
    await expect(templates).toBeHidden();
  });

  const staff = await signIn(firm.cpa, { at: '/requests', failures: [409, 412], offline: true });
  await test.step('a request begins with the items of a template, and more are typed', async () => {
    await expect(staff.getByRole('button', { name: 'Templates' })).toHaveCount(0);
    await staff.getByRole('button', { name: 'New Request' }).click();
    const dialog = staff.getByRole('dialog', { name: 'New Request' });
    await dialog.getByRole('button', { name: 'Send Request' }).click();
    await expect(dialog.getByText('Please select at least one client')).toBeVisible();
    const chosen = dialog.getByRole('list', { name: 'Chosen clients' }).getByRole('listitem');
    await dialog.getByRole('button', { name: 'Add All 2 Clients' }).click();
    await expect(chosen).toContainText(firm.clients.map(({ name }) => name));
    await expect(dialog.getByRole('button', { name: /^Add All/ })).toHaveCount(0);
    await expectFocusIn(dialog);
    for (const { name } of firm.clients) await dialog.getByRole('button', { name: `Remove ${name}` }).click();
    await dialog.getByRole('combobox', { name: 'Clients' }).fill(bakery.name);
    await staff.getByRole('option', { name: bakery.name }).click();
    await expect(dialog.getByRole('list', { name: 'Chosen clients' })).toContainText(bakery.name);
    await expect(dialog.getByRole('combobox', { name: 'Clients' })).toHaveValue('');
    await dialog.getByRole('combobox', { name: 'Template' }).selectOption('Year-end package');
    await expect(dialog.getByRole('textbox', { name: 'Title' })).toHaveValue('Year-end package');
    const items = dialog.getByRole('textbox', { name: /^Item \d/ });
    await expect(items).toHaveCount(5);
    for (let nth = 5; nth > 2; nth -= 1) await dialog.getByRole('button', { name: `Remove item ${nth}` }).click();
    await items.nth(1).press('Enter');
    await expect(items).toHaveCount(3);
    await staff.keyboard.type('Notice of the state');
    // It was made all the same: sent again, it is not made twice.
    await staff.route('**/api/requests', loseAnswer, { times: 1 });
    await dialog.getByRole('button', { name: 'Send Request' }).click();
    await readError(staff, `Failed to send the request: ${UNREACHABLE}`);
    await dialog.getByRole('button', { name: 'Send Request' }).click();
    await readToast(staff, 'status', ['Request sent to the client']);
    await expect(staff.getByRole('row', { name: /Year-end package/ })).toHaveCount(1);
    await expect(staff.getByRole('row', { name: /Year-end package/ })).toContainText('0 of 3 accepted');
  });

  const client = await signIn(firm.clientUser);
  await test.step('the client finds it on the home, sends one and says that another does not apply', async () => {
    const home = client.getByRole('region', { name: 'Your firm asks for' });
    await expect(home.getByRole('article', { name: 'Year-end package' })).toContainText('No due day');
    await choose(client, 'Upload for Bank statements', 'january.txt');
    await readToast(client, 'status', ['Sent: january.txt']);
    await expect(itemOf(client, 'Bank statements')).toContainText('Sent');
    await client.getByRole('button', { name: 'Payroll adjustments does not apply' }).click();
    const dialog = client.getByRole('dialog', { name: 'Payroll adjustments does not apply' });
    await dialog.getByRole('textbox').fill('We had none');
    await dialog.getByRole('button', { name: 'Tell my firm' }).click();
    await readToast(client, 'status', ['Your firm is told that it does not apply']);
    await expect(itemOf(client, 'Payroll adjustments')).toContainText('Does not apply: We had none');
    await choose(client, 'Upload for Notice of the state', 'notice.txt');
    await readToast(client, 'status', ['Sent: notice.txt']);
    await expect(home).toContainText('Everything is sent. Your firm looks at it.');
    await client.goto('/requests');
    const row = client.getByRole('row', { name: /Year-end package/ });
    await expect(row).toContainText('0 of 3 accepted · 3 with your firm');
    await expect(row, 'it is the firm that reviews').toContainText('Sent');
    await client.goto('/');
  });

  await test.step('staff are led to what waits, accept two and send one back', async () => {
    await admin.goto('/');
    const asked = admin.getByRole('main').getByRole('link').filter({ hasText: 'Open Requests' });
    // One is open, and none of them late.
    await expect(asked).toHaveText(/^Open Requests10 late, 1 to review/);
    await staff.goto('/');
    await expect(staff.getByRole('link', { name: /Asked of Clients/ })).toHaveText(
      /^Asked of Clients1Open requests, none late/,
    );
    const answers = staff.getByRole('link', { name: /Answers to Review/ });
    await expect(answers).toHaveText(/^Answers to Review1Requests with something sent/);
    await answers.click();
    await staff.getByRole('link', { name: 'Year-end package' }).click();
    await staff.getByRole('link', { name: 'january.txt' }).click();
    // Through the files of the request as its page has them; in the list of all files the newest would be the first.
    const walk = staff.getByRole('navigation', { name: 'Files of this list' });
    await expect(walk).toContainText('1 of 2');
    await expect(walk.getByRole('button', { name: 'Previous file' })).toBeDisabled();
    await walk.getByRole('button', { name: 'Next file: notice.txt' }).click();
    await expect(walk).toContainText('2 of 2');
    await expect(walk.getByRole('button', { name: 'Next file' })).toBeDisabled();
    await staff.getByRole('link', { name: 'Back to request' }).click();
    await expect(staff.getByRole('link', { name: 'january.txt' })).toBeVisible();
    await expect(staff.getByText('0 of 3 accepted · 3 to review')).toBeVisible();
    await staff.getByRole('button', { name: 'Edit', exact: true }).click();
    const editing = staff.getByRole('dialog', { name: 'Edit Request' });
    // What the client answered is reworded, and not removed.
    await expect(editing.getByRole('button', { name: 'Remove item 1' })).toBeDisabled();
    await expect(editing.getByRole('textbox', { name: 'Item 1', exact: true })).toBeEditable();
    await editing.getByRole('button', { name: 'Cancel' }).click();
    for (const name of ['Bank statements', 'Payroll adjustments']) {
      await staff.getByRole('button', { name: `Accept ${name}` }).click();
      await readToast(staff, 'status', [`Accepted: ${name}`]);
      await expectFocusIn(itemOf(staff, name));
    }
    await staff.getByRole('button', { name: 'Send back Notice of the state' }).click();
    const dialog = staff.getByRole('dialog', { name: 'Send back Notice of the state' });
    const reason = dialog.getByRole('textbox', { name: 'What is wrong' });
    await reason.fill('The second page is missing');
    // It is closed meanwhile: the reason stays, with what to do.
    const { origin, pathname } = new URL(staff.url());
    const api = await apiAs(origin);
    await api.post(`/api${pathname}/close`, {});
    await dialog.getByRole('button', { name: 'Send back' }).click();
    await readError(staff, `Failed to send the item back: ${CLOSED}`);
    await expect(dialog.getByText(CLOSED)).toBeVisible();
    await expect(reason).toHaveValue('The second page is missing');
    await api.post(`/api${pathname}/reopen`, {});
    // More is sent meanwhile: who sends back is asked, and need not type the reason again.
    await choose(client, 'Upload more for Notice of the state', 'notice again.txt');
    await readToast(client, 'status', ['Sent: notice again.txt']);
    await dialog.getByRole('button', { name: 'Send back' }).click();
    await expect(dialog).toContainText('while you were working on it.');
    await dialog.getByRole('button', { name: 'Keep mine' }).click();
    await readToast(staff, 'status', ['Sent back to the client']);
  });

  await test.step('the client is told why without asking, sends it again, and with the last item it is done', async () => {
    await expect(itemOf(client, 'Notice of the state')).toContainText('Sent back: The second page is missing');
    await choose(client, 'Upload more for Notice of the state', 'notice whole.txt');
    await readToast(client, 'status', ['Sent: notice whole.txt']);
    await expect(staff.getByRole('link', { name: 'notice whole.txt' })).toBeVisible();
    await staff.getByRole('button', { name: 'Accept Notice of the state' }).click();
    await expect(staff.getByText('3 of 3 accepted')).toBeVisible();
    await expect(client.getByRole('region', { name: 'Your firm asks for' })).toHaveCount(0);
    await client.goto('/requests');
    await expect(client.getByRole('row', { name: /Year-end package/ })).toContainText('Done');
  });

  await test.step('that none is open does not look as if there were none', async () => {
    await staff.goto('/requests');
    // Its region is there before its words: only then are they announced.
    await expect(
      staff.locator('main [aria-live="polite"]').getByText('No open requests', { exact: true }),
    ).toBeVisible();
    await staff.getByRole('button', { name: 'See All Requests' }).click();
    await expect(staff.getByRole('row', { name: /Year-end package/ })).toContainText('Done');
  });

  await test.step('an address that names no state lists what the screen says', async () => {
    await staff.goto('/requests?state=nonsense&due=never');
    await expect(staff.getByText('No open requests', { exact: true })).toBeVisible();
    await expect(staff.getByRole('combobox', { name: 'State' })).toHaveValue('open');
    await expect(staff.getByRole('combobox', { name: 'Show' })).toHaveValue('');
  });
});

test('what is late shows on the board and the client’s page; a request is edited, closed and reopened', async ({
  signIn,
}) => {
  const [bakery] = firm.clients;
  const admin = await signIn(ADMIN, { failures: [404] });
  const api = await apiAs(new URL(admin.url()).origin);
  const items = [{ name: 'Forms W-9', note: '' }];
  const asked = { clientIds: [bakery.id], title: 'Contractors', message: '', dueOn: dayIn(-4), items };
  const { ids } = await api.post<{ ids: number[] }>('/api/requests', asked);
  await admin.goto('/');
  const card = admin.getByRole('main').getByRole('link').filter({ hasText: 'Open Requests' });
  await expect(card).toHaveText(/^Open Requests11 late, 0 to review/);
  // To all that are open, as many as it says, and not to those alone that are late.
  await expect(card).toHaveAttribute('href', '/requests');
  await test.step('pages that stay open go by the new day once it has turned', async () => {
    const today = dayIn(0);
    const due = { ...asked, title: 'Voided check', dueOn: today };
    const { ids: dueToday } = await api.post<{ ids: number[] }>('/api/requests', due);
    const home = await signIn(firm.cpa, { at: null, timezoneId: 'UTC' });
    await home.clock.install({ time: `${today}T23:50:00Z` });
    const list = await home.context().newPage();
    await home.goto('/');
    await list.goto('/requests');
    const work = home.getByRole('link', { name: /Asked of Clients/ });
    const row = list.getByRole('row', { name: /Voided check/ });
    await expect(work).toContainText('Open requests; 1 late');
    await expect(row).toContainText('due today');
    await home.clock.fastForward('15:00');
    await expect(work).toContainText('Open requests; 2 late');
    await expect(row).toContainText('1 day late');
    await api.post(`/api/requests/${dueToday[0]}/close`, {});
  });
  const page = await signIn(firm.cpa, { at: '/completeness', failures: [400, 409, 500] });
  const owes = page.getByRole('link', { name: `${bakery.name} owes us 1 item, 4 days late` });
  const rows = page.getByRole('table', { name: 'Completeness' }).getByRole('row');
  const cells = rows.filter({ has: owes }).getByRole('cell');
  await test.step('a client of whom nothing is expected is on the board for what it owes, on a phone too', async () => {
    await expect(owes).toBeVisible();
    await expect(cells).toHaveCount(0);
    await expect(page.getByText('No expectations yet')).toBeVisible();
    const wide = page.viewportSize();
    await page.setViewportSize({ width: 390, height: 844 });
    await expect(owes).toBeVisible();
    if (wide !== null) await page.setViewportSize(wide);
  });
  await api.put(`/api/clients/${bakery.id}/expectations`, {
    expectations: [{ reportTypeId: firm.reportTypes[0].id, frequency: 'quarterly', dueDays: 31, starts: null }],
  });
  await page.reload();
  await expect(cells).toHaveCount(1);
  await owes.click();
  await expect(page.getByRole('row', { name: /Contractors/ })).toContainText('4 days late');
  await page.goto(`/clients/${bakery.id}`);
  await page.getByRole('list', { name: 'Open requests' }).getByRole('link', { name: 'Contractors' }).click();
  await expect(page.getByText('Nobody is reminded: the portal sends no mail.')).toBeVisible();
  await test.step('a due day in the past is said to be, and keeps nobody from saving', async () => {
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    const editing = page.getByRole('dialog', { name: 'Edit Request' });
    const past = editing.getByText('This day is in the past.');
    await expect(past).toBeVisible();
    await editing.getByRole('button', { name: 'Clear date' }).click();
    await expect(past).toHaveCount(0);
    const [year, month, day] = asked.dueOn.split('-');
    const dueDay = editing.getByLabel('Due Day');
    await dueDay.fill(`${month}/${day}/${year}`);
    await expect(past).toBeVisible();
    // What cannot be read is neither saved as no day nor as the one before.
    await dueDay.fill('13/45/2026');
    await dueDay.press('Enter');
    await expect(editing.getByText('Enter a date as MM/DD/YYYY')).toBeVisible();
    await editing.getByRole('button', { name: 'Save' }).click();
    await expect(dueDay).toBeFocused();
    await expect(dueDay).toHaveValue('13/45/2026');
    await dueDay.fill(`${month}/${day}/${year}`);
    await expect(past).toBeVisible();
    await editing.getByRole('textbox', { name: 'Message' }).fill('For the forms 1099');
    await editing.getByRole('button', { name: 'Save' }).click();
    await readToast(page, 'status', ['Request updated successfully']);
  });
  await test.step('a line that is removed while the client answers it is back, beside what was typed', async () => {
    const { ids: two } = await api.post<{ ids: number[] }>('/api/requests', {
      ...asked,
      title: 'Two papers',
      items: [...items, { name: 'Form 1096', note: '' }],
    });
    const { items: both } = await api.get<{ items: { id: number }[] }>(`/api/requests/${two[0]}`);
    const answering = await apiAs(new URL(page.url()).origin, firm.clientUser);
    await page.goto(`/requests/${two[0]}`);
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    const editing = page.getByRole('dialog', { name: 'Edit Request' });
    const message = editing.getByRole('textbox', { name: 'Message' });
    await editing.getByRole('button', { name: 'Remove item 1' }).click();
    await message.fill('For the forms 1099');
    await answering.post(`/api/request-items/${both[0]?.id}/does-not-apply`, { note: 'We had none' });
    await editing.getByRole('button', { name: 'Save' }).click();
    const why = '"Forms W-9" was answered already, so it stays.';
    await readError(page, `Failed to update the request: ${why}`);
    await expect(editing.getByRole('alert')).toHaveText(why);
    await expect(editing.getByRole('textbox', { name: 'Item 1', exact: true })).toHaveValue('Forms W-9');
    await expect(editing.getByRole('button', { name: 'Remove item 1' })).toBeDisabled();
    await expect(message).toHaveValue('For the forms 1099');
    // It is closed meanwhile too.
    await api.post(`/api/requests/${two[0]}/close`, {});
    await editing.getByRole('button', { name: 'Save' }).click();
    await readError(page, `Failed to update the request: ${CLOSED}`);
    await expect(editing.getByRole('alert')).toHaveText(CLOSED);
    await expect(message).toHaveValue('For the forms 1099');
    await api.post(`/api/requests/${two[0]}/reopen`, {});
    await editing.getByRole('button', { name: 'Save' }).click();
    await readToast(page, 'status', ['Request updated successfully']);
    await api.post(`/api/requests/${two[0]}/close`, {});
    await page.goto(`/requests/${ids[0]}`);
  });
  await test.step('a client that is deleted meanwhile is named and taken off, and the others are asked', async () => {
    const closing = await api.post<{ id: number }>('/api/clients', {
      name: 'Closing Lane Florist',
      address: '9 Orchard Lane, Dayton, OH 45402',
      phone: '(937)-555-0119',
      federalId: '08-1112229',
      stateId: 'OH-91',
      email: 'books9@example.com',
      employeeCount: 2,
      startDate: '2025-01-31',
    });
    await admin.goto('/requests');
    await admin.getByRole('button', { name: 'New Request' }).click();
    const dialog = admin.getByRole('dialog', { name: 'New Request' });
    for (const name of ['Closing Lane Florist', bakery.name]) {
      await dialog.getByRole('combobox', { name: 'Clients' }).fill(name);
      await admin.getByRole('option', { name }).click();
    }
    const title = dialog.getByRole('textbox', { name: 'Title' });
    await title.fill('Voided check');
    await dialog.getByRole('textbox', { name: 'Item 1', exact: true }).fill('A voided check');
    await api.delete(`/api/clients/${closing.id}`);
    await dialog.getByRole('button', { name: 'Send Request' }).click();
    const why = 'Closing Lane Florist is no longer there';
    await readError(admin, `Failed to send the request: ${why}`);
    await expect(dialog.getByText(`${why}. Send the request again to ask the others.`)).toBeVisible();
    const chosen = dialog.getByRole('list', { name: 'Chosen clients' }).getByRole('listitem');
    await expect(chosen).toHaveCount(1);
    await expect(chosen).toContainText(bakery.name);
    await expect(title).toHaveValue('Voided check');
    // No other request is made: the next steps count them.
    const sent = admin.waitForRequest(/\/api\/requests$/);
    await admin.route('**/api/requests', (route) => route.fulfill({ status: 201, json: { ids } }), { times: 1 });
    await dialog.getByRole('button', { name: 'Send Request' }).click();
    await readToast(admin, 'status', ['Request sent to the client']);
    expect((await sent).postDataJSON()).toMatchObject({ clientIds: [bakery.id], title: 'Voided check' });
  });
  await test.step('staff see when people were last reminded, in the list, with the client and with the request', async () => {
    const reminded = { at: '2026-11-20T12:00:00.000Z', people: 2 };
    const pass = await changeAnswers<{ request: object } | object[]>(page, /\/api\/requests(\/\d+$|\?)/, (body) =>
      Array.isArray(body)
        ? body.map((row) => ({ ...row, reminded }))
        : { ...body, request: { ...body.request, reminded } },
    );
    await page.reload();
    await expect(page.getByText(/11\/20\/2026 .+, mailed to 2 people/)).toBeVisible();
    await page.goto('/requests');
    await expect(page.getByRole('row', { name: /Contractors/ })).toContainText('4 days late · Reminded 11/20/2026');
    await page.goto(`/clients/${bakery.id}`);
    const open = page.getByRole('list', { name: 'Open requests' });
    await expect(open).toContainText('4 days late · Reminded 11/20/2026');
    await pass();
    await open.getByRole('link', { name: 'Contractors' }).click();
  });
  const close = async () => {
    await page.getByRole('main').getByRole('button', { name: 'Close', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Close Request' }).click();
  };
  await test.step('what somebody else has made done meanwhile is not called closed', async () => {
    const details = await api.get<{ request: object }>(`/api/requests/${ids[0]}`);
    const done = { ...details, request: { ...details.request, state: 'done' } };
    await page.route(/\/api\/requests\/\d+\/close$/, (route) => route.fulfill({ json: done }), { times: 1 });
    await close();
    await readToast(page, 'status', ['The request is done: everything of it was accepted meanwhile.']);
  });
  await close();
  await readToast(page, 'status', ['Request closed. Nothing more is sent for it.']);
  await expect(page.getByRole('button', { name: 'Reopen' })).toBeFocused();
  await page.getByRole('button', { name: 'Reopen' }).click();
  await expect(page.getByRole('button', { name: 'Close', exact: true })).toBeFocused();

  await test.step('templates that cannot be loaded are told where one begins with them', async () => {
    await page.goto('/requests');
    const pass = await failCalls(page, /\/api\/request-templates/, { status: 500, message: 'The disk is full' });
    await page.getByRole('button', { name: 'New Request' }).click();
    const dialog = page.getByRole('dialog', { name: 'New Request' });
    await expect(dialog.getByRole('alert')).toContainText('Failed to load the templates: The disk is full');
    const asked = listenForCalls(page, /\/api\/request-templates/);
    await dialog.getByRole('button', { name: 'Retry' }).click();
    await expect.poll(() => asked.length).toBeGreaterThan(0);
    await expect(dialog.getByRole('alert')).toBeVisible();
    await pass();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'New Request' }).click();
    await expect(dialog.getByRole('combobox', { name: 'Template' })).toBeVisible();
  });
});
