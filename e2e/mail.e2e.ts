// The page Mail with a real mail server behind it: a test mail that arrives, one that is refused and tried again, and what the home says of it.
import { expect, type Page } from '@playwright/test';
import { mailEnvironment, startMailServer, type TestMailServer } from '../server/testing/mail-server.ts';
import { apiAs } from './api.ts';
import { seedFirm } from './firm.ts';
import { test as base, stepInFull } from './fixtures.ts';
import { makePdf } from './pdf.ts';
import { ADMIN, startServer } from './server.ts';
import { answerList, changeAnswers, failCalls } from './stub.ts';
import { notifications, readError, readToast } from './toast.ts';

// Its own server: it sends mail, to a mail server that the tests answer for.
const test = base.extend<object, { mailServer: TestMailServer }>({
  mailServer: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the pattern to see what a fixture depends on
    async ({}, use) => {
      const mailServer = await startMailServer();
      await use(mailServer);
      await mailServer.close();
    },
    { scope: 'worker' },
  ],
  server: [
    async ({ mailServer }, use) => {
      const server = await startServer(mailEnvironment(mailServer.port));
      await use(server);
      await server.stop();
    },
    { scope: 'worker' },
  ],
});

const row = (page: Page, address: string) =>
  page.getByRole('table', { name: 'Mail' }).getByRole('row').filter({ hasText: address });

test('a test mail arrives, a refused one says why, and is tried again', async ({ signIn, mailServer }) => {
  mailServer.refuseRecipient = (to) =>
    to === 'nobody@example.com' ? { code: 550, words: '5.1.1 No such user' } : null;
  const page = await signIn(ADMIN, { at: '/mail', failures: [400] });
  await expect(page.getByText('as Bücher & Ledger <portal@example.com>.')).toContainText(
    'comes back to that address and is not read here: somebody should read its mailbox.',
  );
  await expect(page.getByText('No mails found', { exact: true })).toBeVisible();
  await expect(page.getByText('What people are told by mail appears here.')).toBeVisible();
  const to = page.getByRole('textbox', { name: 'Send a test mail to' });
  const send = page.getByRole('button', { name: 'Send Test Mail' });
  await expect(send).toBeDisabled();
  await to.fill('rosa');
  await send.click();
  await readError(page, 'Failed to send a test mail: Invalid email address');
  await expect(to).toBeFocused();
  await expect(to).toHaveAccessibleDescription('Invalid email address');
  await to.fill('rosa@example.com');
  await send.click();
  await readToast(page, 'status', ['The test mail is on its way']);
  const outcome = page.getByRole('form', { name: 'Test mail' }).getByRole('status');
  await expect(outcome).toHaveText('Test mail to rosa@example.com: Sent.');
  await expect(row(page, 'rosa@example.com')).toContainText('Sent');
  expect(mailServer.arrived.at(-1)?.mail.subject).toBe('Test mail from Coffer');

  await test.step('what becomes of it is told also where newer mails push it out of the list', async () => {
    const newer = {
      id: 1_000_000,
      title: 'What is new',
      toName: 'Rosa Okafor',
      toAddress: 'newer@example.com',
      state: 'sent',
      attempts: 1,
      error: null,
      createdAt: '2026-11-02T09:00:00.000Z',
      dueAt: '2026-11-02T09:00:00.000Z',
      endedAt: '2026-11-02T09:00:01.000Z',
    };
    await answerList(page, /\/api\/mail\/messages\?.*limit=/, [newer], 40);
    await to.fill('far@example.com');
    await send.click();
    await expect(row(page, 'newer@example.com')).toBeVisible();
    await expect(outcome).toHaveText('Test mail to far@example.com: Sent.');
    await expect(row(page, 'far@example.com')).toHaveCount(0);
    await page.unrouteAll();
  });

  await to.fill('nobody@example.com');
  await send.click();
  await expect(row(page, 'nobody@example.com')).toContainText('Failed');
  await expect(row(page, 'nobody@example.com')).toContainText(
    'The mail server refused this address: 550 5.1.1 No such user.',
  );
  await expect(outcome).toHaveText(
    'Test mail to nobody@example.com: Failed. The mail server refused this address: 550 5.1.1 No such user.',
  );
  await page.reload();
  await expect(outcome).toHaveCount(0);
  await page.getByRole('navigation').getByRole('link', { name: 'Dashboard' }).click();
  await page.getByRole('link', { name: 'A mail did not get through' }).click();
  // To it alone, whatever else was sent.
  await expect(page).toHaveURL('/mail?state=failing');
  await expect(page.getByLabel('State')).toHaveValue('failing');
  await expect(row(page, 'nobody@example.com')).toContainText('Failed');
  await expect(row(page, '@example.com')).toHaveCount(1);
  mailServer.refuseRecipient = () => null;
  await page.getByRole('button', { name: 'Try Test mail to nobody@example.com again' }).click();
  await expect(row(page, 'nobody@example.com')).toHaveCount(0);
  await page.getByRole('button', { name: 'Clear Filters' }).click();
  await expect(row(page, 'nobody@example.com')).toContainText('Sent');
  await page.getByLabel('State').selectOption('Failed');
  await expect(page.getByText('No mails are in this state.', { exact: true })).toBeVisible();
  // What was seen to arrive here is not told as failing there.
  await page.getByRole('navigation').getByRole('link', { name: 'Dashboard' }).click();
  await expect(page.getByRole('heading', { name: /^Welcome, / })).toBeVisible();
  await expect(page.getByRole('link', { name: 'A mail did not get through' })).toHaveCount(0);

  await test.step('where many did not get through, one press has all of them tried again', async () => {
    const addresses = ['away1@example.com', 'away2@example.com'];
    mailServer.refuseRecipient = (address) =>
      addresses.includes(address) ? { code: 550, words: '5.7.1 Relaying denied' } : null;
    await page.goto('/mail');
    await expect(to).toBeVisible();
    const all = page.getByRole('button', { name: 'Try All Again' });
    await expect(all).toHaveCount(0);
    for (const address of addresses) {
      await to.fill(address);
      await send.click();
      await readToast(page, 'status', ['The test mail is on its way']);
      await expect(row(page, address)).toContainText('Failed');
    }
    mailServer.refuseRecipient = () => null;
    await page.reload();
    await expect(page.getByText('2 mails failed within three days or wait for another try.')).toBeVisible();
    await all.click();
    await readToast(page, 'status', ['2 mails will be tried again']);
    for (const address of addresses) await expect(row(page, address)).toContainText('Sent');
    await expect(all).toHaveCount(0);
  });

  await test.step('one that waits for its time is seen to be sent, without a reload', async () => {
    const waiting = {
      id: 7,
      title: 'Test mail',
      toName: '',
      toAddress: 'later@example.com',
      state: 'waiting',
      attempts: 1,
      error: 'The mail server asks to try again later: 450 4.2.1 Busy.',
      createdAt: '2026-11-02T09:00:00.000Z',
      dueAt: new Date(Date.now() + 2_500).toISOString(),
      endedAt: null,
    };
    await answerList(page, /\/api\/mail\/messages\?/, [waiting]);
    await page.goto('/mail');
    await expect(row(page, 'later@example.com')).toContainText('450 4.2.1 Busy');
    await page.unrouteAll();
    await answerList(page, /\/api\/mail\/messages\?/, [{ ...waiting, state: 'sent', error: null }]);
    await expect(row(page, 'later@example.com')).toContainText('Sent');
  });
});

test('who has forgotten the password gets a link and chooses another one', async ({
  signIn,
  server,
  mailServer,
  browser,
}) => {
  const admin = await apiAs(server.origin, ADMIN);
  const username = 'forgetful';
  const { id: roleId } =
    (await admin.get<{ id: number; name: string }[]>('/api/roles')).find(({ name }) => name === 'CPA') ?? {};
  await admin.post('/api/users', {
    username,
    fullName: 'Forgetful Person',
    roleId,
    email: 'forgetful@example.com',
    password: 'gone with the wind',
  });
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
  const page = await context.newPage();
  await page.goto(`${server.origin}/login`);
  await page.getByRole('link', { name: 'Forgot password' }).click();
  await page.getByRole('button', { name: 'Send Link' }).click();
  await expect(page.getByText('Username is required')).toBeVisible();
  await page.getByLabel('Username').fill(username);
  await page.getByRole('button', { name: 'Send Link' }).click();
  const told = page.getByRole('status').filter({ hasText: `If there is a user "${username}" with a mail address` });
  await expect(told).toBeFocused();
  await test.step('pressed again, "Forgot password" offers another one', async () => {
    await expect(page.getByRole('button', { name: 'Send Link' })).toHaveCount(0);
    await page.getByRole('link', { name: 'Forgot password' }).click();
    await expect(page.getByRole('button', { name: 'Send Link' })).toBeVisible();
  });
  const toThem = () => mailServer.arrived.filter(({ to }) => to.includes('forgetful@example.com'));
  await expect.poll(() => toThem().length, { timeout: 20_000 }).toBe(1);
  const [, path = ''] = /http:\/\/portal\.example\.com(\/new-password#\S+)/.exec(toThem()[0]?.mail.text ?? '') ?? [];
  await test.step('opened where somebody else is signed in, it says so and stays as it is', async () => {
    const tab = await signIn(ADMIN);
    await tab.goto(path);
    await expect(tab.getByText('You are signed in as')).toBeVisible();
    await tab.getByRole('link', { name: 'Stay Signed In' }).click();
    await expect(tab.getByRole('heading', { name: /^Welcome, / })).toBeVisible();
  });
  await page.goto(server.origin + path);
  await expect(page.getByRole('heading', { name: 'A new password for Forgetful Person' })).toBeVisible();
  await page.getByLabel('New password', { exact: true }).fill('found again');
  await page.getByLabel('Repeat new password').fill('found again');
  await page.getByRole('button', { name: 'Save Password' }).click();
  await expect(page.getByRole('button', { name: 'Logout' })).toBeVisible();
  await signIn({ username, password: 'found again' });
  await page.evaluate(() => localStorage.clear());
  await page.goto(server.origin + path);
  await page.reload();
  await expect(
    page.getByText('This link is not valid. It was used already, has expired, or was replaced by a newer one.'),
  ).toBeVisible();
  await context.close();
});

test('an invitation goes by mail too, and the dialog says where to', async ({ signIn, server, mailServer }) => {
  const admin = await apiAs(server.origin, ADMIN);
  const roles = await admin.get<{ id: number; name: string }[]>('/api/roles');
  const username = 'newcomer';
  await admin.post('/api/users', {
    username,
    fullName: 'New Comer',
    roleId: roles.find(({ name }) => name === 'CPA')?.id,
    email: 'newcomer@example.com',
    password: 'told by telephone',
  });
  const page = await signIn(ADMIN, { at: `/users?q=${username}` });
  await page.getByRole('button', { name: 'Edit New Comer' }).click();
  const editing = page.getByRole('dialog', { name: 'Edit User' });
  await editing.getByRole('checkbox', { name: /^Invite anew/ }).check();
  await editing.getByRole('button', { name: 'Update User' }).click();
  const given = editing.getByLabel(`Invitation link of New Comer (${username})`);
  await expect(given).toHaveAccessibleDescription(/ It is on its way to newcomer@example\.com too\.$/);
  const link = await given.inputValue();
  // Not the address that the page is open at.
  expect(link).toMatch(/^http:\/\/portal\.example\.com\/invitation#/);
  const mailed = () => mailServer.arrived.find(({ mail }) => mail.subject === 'Your invitation to Coffer')?.mail.text;
  await expect.poll(mailed, { timeout: 20_000 }).toContain(link);

  await test.step('an address that is refused is told with its user, until it is corrected', async () => {
    const wrong = 'newcomre@example.com';
    const refused = new Set<string>();
    mailServer.refuseRecipient = (to) => {
      if (to !== wrong) return null;
      refused.add(to);
      return { code: 550, words: '5.1.1 No such user' };
    };
    await page.goto(`/users?q=${username}`);
    await page.getByRole('button', { name: 'Edit New Comer' }).click();
    await editing.getByLabel('Email').fill(wrong);
    await editing.getByRole('button', { name: 'Update User' }).click();
    await expect(editing).toHaveCount(0);
    await expect.poll(() => refused.size, { timeout: 20_000 }).toBe(1);
    const row = page.getByRole('row').filter({ hasText: 'New Comer' });
    await expect(async () => {
      await page.reload();
      await expect(row).toContainText(`Mails to ${wrong} are refused. Correct the address.`, { timeout: 2_000 });
    }).toPass();
    await page.getByRole('button', { name: 'Edit New Comer' }).click();
    const words = /^The mail server refused this address on .+\. Correct it\.$/;
    await expect(editing.getByLabel('Email')).toHaveAccessibleDescription(words);
    await editing.getByLabel('Email').fill('newcomer@example.com');
    await expect(editing.getByLabel('Email')).not.toHaveAccessibleDescription(words);
    await editing.getByRole('button', { name: 'Update User' }).click();
    await expect(editing).toHaveCount(0);
    await expect(row).not.toContainText('are refused');
    mailServer.refuseRecipient = () => null;
  });
});

test('a person chooses what to hear of, gets it, and ends it by the link at its foot', async ({
  signIn,
  server,
  mailServer,
  browser,
}) => {
  const { api, clients, reportTypes, cpa } = await seedFirm(server.origin, { reports: 0 });
  const roles = await api.get<{ id: number; name: string }[]>('/api/roles');
  const person = { username: `hears.${clients[0].id}`, password: 'told by telephone' };
  const email = `${person.username}@example.com`;
  await api.post('/api/users', {
    ...person,
    email,
    fullName: 'Hana Hears',
    roleId: roles.find(({ name }) => name === 'Client')?.id,
    clientIds: [clients[0].id],
    reportTypeIds: [reportTypes[0].id],
  });
  const section = (of: Page) => of.getByRole('region', { name: 'Mail', exact: true });
  const page = await signIn(person, { at: '/account-settings' });
  await expect(section(page).getByText(`Mails to you go to ${email}.`)).toBeVisible();
  const reports = section(page).getByRole('combobox', { name: 'New reports' });
  await expect(reports).toHaveValue('');
  await expect(section(page).getByRole('combobox', { name: 'Requests' })).toContainText(
    'As usual: every quarter of an hour',
  );
  await reports.selectOption('At once');
  await readToast(page, 'status', ['Your choice is kept']);

  await test.step('a time zone that the browser does not know has its plain name', async () => {
    const inLater = (own: object) => ({ ...own, timeZone: 'America/Later' });
    const restore = await changeAnswers(page, /\/api\/digests$/, inLater);
    await page.reload();
    await expect(section(page).getByText('Daily mails are written at 7:00 AM, America/Later.')).toBeVisible();
    await restore();
  });

  const place = { clientId: clients[0].id, fileType: 'report', reportTypeId: reportTypes[0].id };
  await api.upload(place, 'Payroll Journal.pdf', await makePdf(['Hours']));
  const toThem = () => mailServer.arrived.filter(({ to }) => to.includes(email));
  await expect.poll(() => toThem().length, { timeout: 30_000 }).toBe(1);
  const { subject, text = '' } = toThem()[0]?.mail ?? {};
  expect(subject).toBe('Coffer: 1 new report');
  expect(text).toContain(`Payroll Journal.pdf: ${clients[0].name}, ${reportTypes[0].name}`);
  const [, path = ''] = /http:\/\/portal\.example\.com(\/end-mails#\S+)/.exec(text) ?? [];

  const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
  const stranger = await context.newPage();
  await stepInFull('a link that was changed ends nothing, and says so', async () => {
    await stranger.goto(`${server.origin}${path.slice(0, -4)}AAAA`);
    await stranger.getByRole('button', { name: 'End These Mails' }).click();
    await expect(stranger.getByRole('alert')).toHaveText(
      'This link is not valid. Open the one in the newest mail, or choose under Account Settings.',
    );
  });
  await stranger.goto(server.origin + path);
  await expect(stranger.getByRole('heading', { name: 'No more mails about new reports?' })).toBeVisible();
  await page.reload();
  await expect(reports).toHaveValue('atOnce');
  await stranger.getByRole('button', { name: 'End These Mails' }).click();
  const ended = stranger.getByRole('main').getByRole('status');
  await expect(ended).toContainText('You get no more mails about new reports.');
  await expect(ended).toBeFocused();
  await page.reload();
  await expect(reports).toHaveValue('never');
  await stepInFull('half of a link says so', async () => {
    await stranger.goto(`${server.origin}/end-mails#nothing`);
    await expect(stranger.getByText('This address is not a whole link.', { exact: false })).toBeVisible();
  });
  await context.close();

  const admin = await signIn(ADMIN, { at: '/mail', failures: [500] });
  const usual = admin.getByRole('group', { name: 'Client users' }).getByRole('combobox', { name: 'Deleted files' });
  await expect(usual).toHaveValue('daily');
  const answers = admin.getByRole('group', { name: 'Staff' }).getByRole('combobox', { name: 'Answers to requests' });
  await expect(answers).toHaveValue('never');
  await usual.selectOption('Never');
  await readToast(admin, 'status', ['What is usual is kept']);
  await page.reload();
  await expect(section(page).getByRole('combobox', { name: 'Deleted files' })).toContainText('As usual: never');

  await stepInFull('whoever has no mail address is told', async () => {
    const silent = await signIn(cpa, { at: '/account-settings' });
    await expect(section(silent).getByText('Your user has no mail address', { exact: false })).toBeVisible();
  });

  await test.step('whoever asks a client of whom nobody can be reminded is told so, also without a due day', async () => {
    const asked = { title: 'Voided check', message: '', dueOn: null, items: [{ name: 'The check', note: '' }] };
    const ask = (clientId: number) => api.post<{ ids: number[] }>('/api/requests', { ...asked, clientIds: [clientId] });
    const { ids: heard } = await ask(clients[0].id);
    const { ids: unheard } = await ask(clients[1].id);
    await admin.goto(`/requests/${heard[0]}`);
    await expect(admin.getByText('Nobody is reminded: give it a due day.')).toBeVisible();
    await admin.goto(`/requests/${unheard[0]}`);
    await expect(admin.getByText(/^Nobody can be reminded: no user of this client has a mail address/)).toBeVisible();
    await admin.goto('/requests');
    await admin.getByRole('button', { name: 'New Request' }).click();
    await expect(admin.getByRole('dialog').getByText('Without one nobody is reminded.')).toBeVisible();
    await admin.goto('/mail');
  });

  await test.step('what could not be loaded says so in its place, and is loaded again', async () => {
    const pass = await failCalls(admin, /\/api\/digests\/usual$/, { status: 500, message: 'The disk is full' });
    await admin.reload();
    const unread = admin.getByRole('alert').filter({ hasText: 'Failed to load what people hear of by mail' });
    await expect(unread).toContainText('The disk is full');
    await expect(admin.getByRole('table', { name: 'Mail' })).toBeVisible();
    await pass();
    await unread.getByRole('button', { name: 'Retry' }).click();
    await expect(usual).toHaveValue('never');
    await expect(unread).toHaveCount(0);
  });

  await stepInFull('of two choices in a row each shows what was chosen, and one that fails goes back', async () => {
    const held = Promise.withResolvers<void>();
    await admin.route('**/api/digests/usual', async (route) => {
      if (!route.request().postData()?.includes('staff')) return route.fallback();
      await held.promise;
      await route.fulfill({ status: 500, json: { message: 'The disk is full', code: 'internal', requestId: 'r' } });
    });
    await answers.selectOption('Daily');
    await usual.selectOption('Daily');
    await expect(answers).toHaveValue('daily');
    held.resolve();
    await expect(answers).toHaveValue('never');
    await readToast(admin, 'status', ['What is usual is kept']);
    await expect(usual).toHaveValue('daily');
  });
});

test('staff see what nobody has opened, and remind those who see it once a day', async ({
  signIn,
  server,
  mailServer,
}) => {
  const { api, clients, stranger, reportTypes } = await seedFirm(server.origin, { reports: 2 });
  const roles = await api.get<{ id: number; name: string }[]>('/api/roles');
  const email = `late${clients[0].id}@example.com`;
  await api.post('/api/users', {
    username: `late.${clients[0].id}`,
    password: 'told by telephone',
    fullName: 'Lena Late',
    email,
    roleId: roles.find(({ name }) => name === 'Client')?.id,
    clientIds: [clients[0].id],
    reportTypeIds: [reportTypes[0].id],
  });
  const page = await signIn(ADMIN, { at: '/completeness' });
  await page.getByRole('link', { name: 'Never Opened' }).click();
  await expect(page).toHaveURL('/completeness/unopened');
  const row = page.getByRole('table', { name: 'Never Opened' }).getByRole('row').filter({ hasText: clients[0].name });
  await expect(row).toContainText('2 reports');
  const client = row.getByRole('link', { name: clients[0].name });
  await expect(client).toHaveAttribute('href', `/clients/${clients[0].id}`);
  await expect(row).toContainText('2 people');
  const unseen = page.getByRole('row').filter({ hasText: stranger.name }).getByText('Nobody', { exact: true });
  await expect(unseen, 'stands out as in the lists of reports').not.toHaveCSS('background-color', 'rgba(0, 0, 0, 0)');
  await row.getByRole('button', { name: `Remind of ${reportTypes[0].name} of ${clients[0].name}` }).click();
  await readToast(page, 'status', ['1 person will be reminded of 2 reports']);
  const toThem = () => mailServer.arrived.filter(({ to }) => to.includes(email));
  await expect.poll(() => toThem().length, { timeout: 20_000 }).toBe(1);
  expect(toThem()[0]?.mail.subject).toBe('Coffer: 2 reports not opened yet');
  await page.goto(`/completeness/unopened?client=${clients[0].id}`);
  await page.getByRole('button', { name: 'Remind All' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Send Reminders' }).click();
  await readToast(page, 'status', [
    'Nobody was reminded: they were within the last day, see none of these reports, or hear nothing by mail',
  ]);
  await test.step('of more than are taken at once it says how many are left, and a press goes on with them', async () => {
    const told = notifications(page).getByRole('paragraph');
    const words = '120 people will be reminded of 5,000 reports';
    const taken = { files: 5_000, people: 120 };
    let left = 1_234;
    const pass = await changeAnswers(page, /\/api\/unopened\/reminders$/, () => ({ ...taken, left }));
    await page.getByRole('button', { name: 'Remind All' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Send Reminders' }).click();
    await expect(told).toHaveText(`${words}. 1,234 reports are left.`);
    left = 0;
    await notifications(page).getByRole('button', { name: 'Remind of the Rest' }).click();
    await readToast(page, 'status', [words]);
    await pass();
  });
  await test.step('all can be reminded, whomever the page in sight is of', async () => {
    const [{ id: reportTypeId, name: reportTypeName }] = reportTypes;
    const nobodys = {
      clientId: stranger.id,
      clientName: stranger.name,
      reportTypeId,
      reportTypeName,
      files: 1,
      since: '2026-11-20T12:00:00.000Z',
      people: 0,
      remindedAt: null,
    };
    const all = page.getByRole('button', { name: 'Remind All' });
    await answerList(page, /\/api\/unopened\?/, [nobodys], 1);
    await page.goto('/completeness/unopened');
    await expect(page.getByText('1-1 of 1', { exact: true })).toBeVisible();
    await expect(all).toBeDisabled();
    await answerList(page, /\/api\/unopened\?/, [nobodys], 26);
    await page.reload();
    await expect(page.getByText('1-1 of 26', { exact: true })).toBeVisible();
    await expect(all).toBeEnabled();
    await page.unrouteAll();
  });
  await page.goto(`/completeness/unopened?client=${clients[1].id}`);
  await expect(page.getByText('No reports match your filters.')).toBeVisible();
  await page.getByRole('button', { name: 'Clear Filters' }).click();
  await row.getByRole('link', { name: '2 reports' }).click();
  await expect(page).toHaveURL(/\/cpa-dashboard\?.*opened=no/);
  await expect(page.getByRole('table').getByRole('row')).toHaveCount(3);
  await page.goto(`/file-upload?client=${stranger.id}`);
  const nobody = page.getByRole('link', { name: /^Nobody: who can see Secret / });
  await expect(nobody, 'stands out in its row').not.toHaveCSS('background-color', 'rgba(0, 0, 0, 0)');
});

test('nobody else finds the page', { tag: '@full' }, async ({ signIn, server }) => {
  const firm = await seedFirm(server.origin);
  const page = await signIn(firm.cpa);
  await expect(page.getByRole('navigation').getByRole('link', { name: 'Mail' })).toHaveCount(0);
  await page.goto('/mail');
  await expect(page.getByRole('main').getByRole('status')).toContainText('You do not have permission to see this.');
});
