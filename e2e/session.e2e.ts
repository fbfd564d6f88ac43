// The session and the connection: how both start, end and come back, in every tab, without losing work.
import { expect, type Page } from '@playwright/test';
import { apiAs } from './api.ts';
import { seedFirm } from './firm.ts';
import { login } from './fixtures.ts';
import { ADMIN } from './server.ts';
import { settle, watchCalls } from './settle.ts';
import { holdCalls, listenForCalls } from './stub.ts';
import { TOLD_TWICE } from './toast.ts';
import { test } from './visit.ts';

const stored = (page: Page) => page.evaluate(() => [localStorage.getItem('token'), localStorage.getItem('user')]);
const overlay = (page: Page) => page.getByRole('dialog', { name: 'Sign in again' });
const clientDialog = (page: Page) => page.getByRole('dialog', { name: 'Add New Client' });

/** Runs in the page: of the answers about the log the headers come, and the connection is lost under the rest. */
const BREAK_OFF = `(() => {
  window.wholeFetch = window.fetch;
  window.fetch = async (...asked) => {
    const answer = await window.wholeFetch(...asked);
    if (!String(asked[0]).startsWith('/api/activity-logs')) return answer;
    const body = new ReadableStream({ start: (stream) => stream.error(new TypeError('network error')) });
    return new Response(body, { headers: answer.headers });
  };
})()`;

/** Runs in the page: nobody has used the session for nearly a week. */
const NEARLY_UNUSED = `(() => {
  const week = 7 * 24 * 60 * 60_000;
  localStorage.setItem('sessionUsedAt', Date.now() - week + 5 * 60_000 + 100_000);
  document.dispatchEvent(new Event('visibilitychange'));
})()`;

interface Person {
  readonly username: string;
  readonly password: string;
}

interface UserFacts {
  readonly roleId: number;
  readonly clientIds: readonly number[] | null;
  readonly reportTypeIds: readonly number[] | null;
}

/** Ends the session that the page's browser holds, as another device of the same person would: the page is not notified. */
async function endSessionOf(page: Page, origin: string, { username, password }: Person): Promise<void> {
  const signIn = await fetch(`${origin}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password }),
  });
  const { token } = (await signIn.json()) as { token: string };
  const held = await page.evaluate(() => localStorage.getItem('token'));
  expect(held, 'the page has a session to lose').not.toBeNull();
  await fetch(`${origin}/api/auth/sessions`, { method: 'DELETE', headers: { authorization: `Bearer ${token}` } });
}

async function startClient(page: Page, name: string): Promise<void> {
  await page.goto(`/clients?q=${encodeURIComponent(name)}`);
  await page.getByRole('button', { name: 'Add Client' }).click();
  await clientDialog(page).getByLabel('Client Name').fill(name);
}

test('a stored session continues, behind Loading... until the server has confirmed it', { tag: '@full' }, async ({
  signIn,
  server,
}) => {
  const page = await signIn(ADMIN, { at: null, failures: [401] });
  const held = Promise.withResolvers<void>();
  await page.route('**/api/auth/me', async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.goto('/roles');
  await expect(page.getByText('Loading...')).toBeVisible();
  await expect(page.getByRole('navigation')).toHaveCount(0);
  held.resolve();
  await expect(page.getByRole('button', { name: 'Add Role' })).toBeVisible();
  await page.unroute('**/api/auth/me');

  await test.step('one that the server has forgotten leads to the login and back', async () => {
    await endSessionOf(page, server.origin, ADMIN);
    await page.goto('/roles?q=cp');
    await expect(page).toHaveURL(/\/login\?next=/);
    expect((await stored(page))[0]).toBeNull();
    await login(page, ADMIN);
    await expect(page).toHaveURL(/\/roles\?q=cp$/);
  });

  await test.step('a stored user that cannot be read clears both, silently', async () => {
    for (const unreadable of ['{"id":', '"a word"', 'null', '{"username":"admin"}']) {
      await page.evaluate((user) => localStorage.setItem('user', user), unreadable);
      await page.goto('/roles');
      await expect(page, unreadable).toHaveURL(/\/login/);
      await expect(page.getByRole('alert')).toHaveCount(0);
      expect(await stored(page), unreadable).toEqual([null, null]);
      await page.evaluate(() => localStorage.setItem('token', 'left over'));
    }
  });
});

test('a session that ends over a page is renewed there, and the work is kept in every tab', async ({
  signIn,
  server,
}) => {
  const page = await signIn(ADMIN, { failures: [401] });
  await startClient(page, 'Half Typed Orchards');
  await clientDialog(page).getByLabel('Email').fill('half@example.com');
  const other = await page.context().newPage();
  await startClient(other, 'Typed In Another Tab');
  await endSessionOf(page, server.origin, ADMIN);

  await test.step('the next call notices, and both tabs ask', async () => {
    const fields = { Address: '1 Mill Road', 'State ID': 'ME-1', 'Number of Employees': '2' };
    for (const [label, text] of Object.entries(fields)) await clientDialog(page).getByLabel(label).fill(text);
    await clientDialog(page).getByLabel('Phone Number').pressSequentially('2075550142');
    await clientDialog(page).getByLabel('Federal ID').pressSequentially('001234567');
    await clientDialog(page).getByRole('button', { name: 'Save Client' }).click();
    for (const tab of [page, other]) {
      await expect(overlay(tab).getByText('Your session has ended. Sign in again to go on.')).toBeVisible();
    }
    await expect(page).toHaveURL(/\/clients\?q=/);
    await expect(overlay(page).getByLabel('Username')).toHaveValue('admin');
    await expect(overlay(page).getByLabel('Password', { exact: true })).toBeFocused();
    // Nothing failed: what was pressed waits.
    await expect(page.getByRole('alert').filter({ hasText: 'Failed' })).toHaveCount(0);
    await expect(clientDialog(page).getByRole('button', { name: 'Saving...', includeHidden: true })).toBeDisabled();
  });

  await test.step('it cannot be dismissed, and a wrong password is reported', async () => {
    await page.keyboard.press('Escape');
    await expect(overlay(page)).toBeVisible();
    await expect(clientDialog(page).getByText('Discard unsaved changes?')).toHaveCount(0);
    await overlay(page).getByRole('button', { name: 'Sign in', exact: true }).click();
    await expect(overlay(page).getByText('Password is required')).toBeVisible();
    await overlay(page).getByLabel('Password', { exact: true }).fill('not this one');
    await page.keyboard.press('Enter');
    await expect(overlay(page).getByRole('alert')).toHaveText('Invalid username or password');
    await overlay(page).getByLabel('Username').fill('');
    await page.keyboard.press('Enter');
    await expect(overlay(page).getByText('Username is required')).toBeVisible();
    await expect(overlay(page).getByLabel('Username')).toBeFocused();
    await overlay(page).getByLabel('Username').fill('admin');
  });

  await test.step('the right one restores every tab, and what was pressed is sent again, once', async () => {
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST' && /\/api\/clients$/.test(request.url())) sent.push(request.url());
    });
    await overlay(page).getByLabel('Password', { exact: true }).fill(ADMIN.password);
    await page.keyboard.press('Enter');
    for (const tab of [page, other]) await expect(overlay(tab)).toBeHidden();
    await expect(clientDialog(other).getByLabel('Client Name')).toHaveValue('Typed In Another Tab');
    await expect(page.getByText('Client created successfully')).toBeVisible();
    await expect(page.getByRole('cell', { name: 'Half Typed Orchards', exact: true })).toBeVisible();
    expect(sent).toHaveLength(1);
  });

  const { clientUser } = await seedFirm(server.origin);
  await test.step('somebody else sends nothing of it', async () => {
    await clientDialog(other).getByRole('button', { name: 'Cancel' }).click();
    await clientDialog(other).getByRole('button', { name: 'Discard' }).click();
    await page.goto('/report-types');
    await page.getByRole('button', { name: 'Add Report Type' }).click();
    await page.getByRole('dialog').getByRole('textbox').fill('Nobody’s');
    await endSessionOf(page, server.origin, ADMIN);
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST' && /\/api\/report-types$/.test(request.url())) sent.push(request.url());
    });
    await page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }).click();
    await overlay(page).getByRole('button', { name: 'Sign in as someone else' }).click();
    await expect(page).toHaveURL(/\/login/);
    await login(page, clientUser);
    await expect(page.getByRole('banner').getByText(`Welcome, ${clientUser.fullName}`)).toBeVisible();
    expect(sent).toHaveLength(1);
  });

  await test.step('whose username was changed after it ended writes the new one', async () => {
    const api = await apiAs(server.origin);
    const [user] = await api.get<UserFacts[]>(`/api/users?q=${clientUser.username}`);
    const { roleId, clientIds, reportTypeIds } = user as UserFacts;
    const { id, fullName, password } = clientUser;
    const username = `renamed.${clientUser.username}`;
    await api.put(`/api/users/${id}`, { username, fullName, roleId, clientIds, reportTypeIds });
    await endSessionOf(page, server.origin, { ...clientUser, username });
    // The page may hear of it before.
    await page.getByRole('navigation').getByRole('link', { name: 'Account Setting' }).dispatchEvent('click');
    await expect(overlay(page).getByLabel('Username')).toHaveValue(clientUser.username);
    await overlay(page).getByLabel('Username').fill(username);
    await overlay(page).getByLabel('Password', { exact: true }).fill(password);
    await page.keyboard.press('Enter');
    await expect(overlay(page)).toBeHidden();
    await expect(page.getByRole('heading', { name: 'Account Settings Page' })).toBeVisible();
  });
});

test('two minutes before a session ends for its age one may sign in again, or go on until then', {
  tag: '@full',
}, async ({ signIn }) => {
  const page = await signIn(ADMIN, { at: null });
  const soon = (ms: number) => new Date(Date.now() + ms).toISOString();
  let endsAt = soon(100_000);
  await page.route('**/api/auth/me', async (route) => {
    const answer = await route.fetch();
    const user = (await answer.json()) as { session: object };
    await route.fulfill({ response: answer, json: { ...user, session: { ...user.session, endsAt } } });
  });
  await page.goto('/roles');
  const warning = page.getByRole('dialog', { name: 'Your session ends soon' });
  await expect(warning.getByText(/^1:\d\d$/)).toBeVisible();
  await warning.getByRole('button', { name: 'Go on until then' }).click();
  await expect(warning).toBeHidden();
  await expect(page.getByRole('button', { name: 'Add Role' })).toBeVisible();

  endsAt = soon(110_000);
  await page.reload();
  await warning.getByRole('button', { name: 'Sign in again now' }).click();
  await expect(overlay(page).getByLabel('Username')).toHaveValue(ADMIN.username);
  await page.unrouteAll();
  await overlay(page).getByLabel('Password', { exact: true }).fill(ADMIN.password);
  await overlay(page).getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(overlay(page)).toBeHidden();
  await expect(page.getByRole('button', { name: 'Add Role' })).toBeVisible();

  const idle = page.getByRole('dialog', { name: 'Are you still there?' });

  await test.step('and one that is not used is warned of too', async () => {
    await page.evaluate(NEARLY_UNUSED);
    await idle.getByRole('button', { name: 'Stay signed in' }).click();
    await expect(idle).toBeHidden();
  });

  await test.step('not where the server tells that it is used, as by a download that goes on', async () => {
    const body = 'event: used\nid: 1-1\ndata: \n\n';
    await page.route('**/api/events', (route) => route.fulfill({ contentType: 'text/event-stream', body }));
    const tell = await holdCalls(page, /\/api\/events$/);
    watchCalls(page);
    await page.reload();
    await expect(page.getByRole('button', { name: 'Add Role' })).toBeVisible();
    await settle(page);
    await page.evaluate(NEARLY_UNUSED);
    await expect(idle).toBeVisible();
    tell();
    await expect(idle).toBeHidden();
  });
});

test('lists that failed without a session are loaded again', { tag: '@full' }, async ({ signIn, server }) => {
  const page = await signIn(ADMIN, { at: '/report-types', failures: [401] });
  await expect(page.getByRole('button', { name: 'Add Report Type' })).toBeVisible();
  await endSessionOf(page, server.origin, ADMIN);
  await page.getByRole('navigation').getByRole('link', { name: 'Roles' }).click();
  await expect(overlay(page)).toBeVisible();
  await overlay(page).getByLabel('Password', { exact: true }).fill(ADMIN.password);
  await overlay(page).getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(overlay(page)).toBeHidden();
  await expect(page.getByRole('cell', { name: /^CPA/ })).toBeVisible();
  await expect(page).toHaveURL(/\/roles/);
});

test('the next person to sign in sees nothing of the previous one, in any tab', { tag: '@full' }, async ({
  signIn,
  server,
}) => {
  const firm = await seedFirm(server.origin, { reports: 1 });
  const page = await signIn(firm.cpa, { at: '/firm-documents', failures: [401] });
  await expect(page.getByRole('heading', { name: 'Document Library' })).toBeVisible();
  const other = await page.context().newPage();
  await other.goto('/firm-details');
  await expect(other.getByRole('main').getByText(firm.clients[0].name).first()).toBeVisible();

  await endSessionOf(page, server.origin, firm.cpa);
  await page.getByRole('navigation').getByRole('link', { name: 'Reports' }).click();
  await expect(overlay(page).getByLabel('Username')).toHaveValue(firm.cpa.username);
  await overlay(page).getByRole('button', { name: 'Sign in as someone else' }).click();
  await expect(page).toHaveURL(/\/login\?next=/);
  await expect(overlay(other), 'the other tab still waits for its person').toBeVisible();

  await login(page, firm.outsider);
  await expect(page).toHaveURL(/\/cpa-dashboard/);
  for (const tab of [page, other]) {
    await expect(tab.getByRole('banner').getByText('Welcome, Nils Perrin')).toBeVisible();
    await expect(overlay(tab)).toHaveCount(0);
    await expect(tab.getByText(firm.clients[0].name)).toHaveCount(0);
  }
});

test('a logout in one tab signs every tab out, unsaved work or not', { tag: '@full' }, async ({ signIn, server }) => {
  const page = await signIn(ADMIN, { failures: [401] });
  const other = await page.context().newPage();
  await startClient(other, 'Left Behind');
  await page.getByRole('banner').getByRole('button', { name: 'Logout' }).click();
  for (const tab of [page, other]) {
    await expect(tab).toHaveURL(/\/login$/);
    await expect(tab.getByLabel('Username')).toBeVisible();
    await expect(tab.getByRole('dialog')).toHaveCount(0);
  }
  expect(await stored(page)).toEqual([null, null]);
  await login(page, ADMIN);
  await expect(other.getByRole('heading', { name: /^Welcome, / })).toBeVisible();

  await test.step('of a session that was over by then it ends no later one', async () => {
    await expect(page.getByRole('heading', { name: /^Welcome, / })).toBeVisible();
    const authorization = `Bearer ${await page.evaluate(() => localStorage.getItem('token'))}`;
    const sent = listenForCalls(page, /\/api\/auth\/logout$/);
    const arrive = await holdCalls(page, /\/api\/auth\/logout$/);
    await page.getByRole('banner').getByRole('button', { name: 'Logout' }).click();
    await expect(page).toHaveURL(/\/login$/);
    await fetch(`${server.origin}/api/auth/logout`, { method: 'POST', headers: { authorization } });
    await login(page, ADMIN);
    await expect(page.getByRole('heading', { name: /^Welcome, / })).toBeVisible();
    const answered = page.waitForResponse(/\/api\/auth\/logout$/);
    arrive();
    expect((await answered).status()).toBe(401);
    await page.getByRole('navigation').getByRole('link', { name: 'Clients' }).click();
    await expect(page.getByRole('heading', { name: 'Client Management' })).toBeVisible();
    expect(sent).toHaveLength(1);
  });
});

test('signing out calls back what is still being read', async ({ signIn }) => {
  const page = await signIn(ADMIN);
  const asked = Promise.withResolvers<void>();
  // Never answered.
  await page.route('**/api/auth/me', () => asked.resolve());
  await page.reload();
  await asked.promise;
  const calledBack = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/api/auth/me'));
  await page.getByRole('banner').getByRole('button', { name: 'Logout' }).click();
  await calledBack;
  await expect(page).toHaveURL(/\/login$/);
});

test('a dialog with unsaved work asks before it closes, however it is closed', async ({ signIn }) => {
  const page = await signIn(ADMIN);
  await page.getByRole('navigation').getByRole('link', { name: 'Clients' }).click();
  await page.getByRole('button', { name: 'Add Client' }).click();
  const dialog = clientDialog(page);
  const name = dialog.getByLabel('Client Name');
  const question = dialog.getByText('Discard unsaved changes?');
  await name.fill('Not Saved Yet');
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toHaveText('Cancel');

  const ways: Record<string, () => Promise<unknown>> = {
    Escape: () => page.keyboard.press('Escape'),
    'the cross': () => dialog.getByRole('button', { name: 'Close' }).click(),
    'a click next to it': () => page.mouse.click(5, 450),
    Cancel: () => dialog.getByRole('button', { name: 'Cancel' }).click(),
    Back: () => page.evaluate('history.back()'),
  };
  for (const [way, go] of Object.entries(ways)) {
    await go();
    await expect(question, way).toBeVisible();
    await expect(dialog.getByRole('button', { name: 'Keep editing' }), way).toBeFocused();
    await dialog.getByRole('button', { name: 'Keep editing' }).click();
    await expect(question, way).toHaveCount(0);
    await expect(name, way).toHaveValue('Not Saved Yet');
    await expect(page, way).toHaveURL(/\/clients$/);
  }

  await test.step('closing the tab', async () => {
    const asked = page.waitForEvent('dialog');
    const closing = page.close({ runBeforeUnload: true });
    const browserDialog = await asked;
    expect(browserDialog.type()).toBe('beforeunload');
    await browserDialog.dismiss();
    await closing;
  });

  await test.step('once discarded, it closes and the navigation continues', async () => {
    await page.evaluate('history.back()');
    await dialog.getByRole('button', { name: 'Discard' }).click();
    await expect(dialog).toHaveCount(0);
    await expect(page).toHaveURL(/\/$/);
  });
});

test('a lost connection is shown, and failed calls are repeated when it is back', async ({ signIn }) => {
  const page = await signIn(ADMIN, { offline: true });
  const bar = page.getByRole('status').filter({ hasText: 'You are offline' });

  await test.step('a single lost call is no lost connection', async () => {
    await page.route('**/api/users?**', (route) => route.abort());
    await page.getByRole('navigation').getByRole('link', { name: 'Users' }).click();
    await expect(page.getByRole('button', { name: 'Retry' })).toBeVisible();
    await expect(bar).toHaveCount(0);
    await page.unroute('**/api/users?**');
  });

  await test.step('without a network the bar is above the page', async () => {
    await page.getByRole('button', { name: 'Add User' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add New User' });
    await dialog.getByLabel('Full Name').fill('Typed Offline');
    await page.context().setOffline(true);
    await expect(bar).toBeVisible();
    await expect(page.locator(TOLD_TWICE).filter({ hasText: 'You are offline' })).toHaveCount(0);
    await expect(dialog.getByLabel('Full Name')).toHaveValue('Typed Offline');
    await page.context().setOffline(false);
    await expect(bar).toHaveCount(0);
    await expect(page.getByRole('cell', { name: 'admin', exact: true })).toBeVisible();
    await expect(dialog.getByLabel('Full Name')).toHaveValue('Typed Offline');
    await dialog.getByRole('button', { name: 'Cancel', exact: true }).click();
    await dialog.getByRole('button', { name: 'Discard' }).click();
    await expect(dialog).toBeHidden();
  });

  await test.step('an answer that breaks off on its way is no answer', async () => {
    await page.evaluate(BREAK_OFF);
    await page.getByRole('navigation').getByRole('link', { name: 'Activity', exact: true }).click();
    await expect(page.getByRole('main').getByRole('alert')).toContainText('The server cannot be reached.');
    await expect(bar).toHaveCount(0);
    await page.evaluate('void (window.fetch = window.wholeFetch)');
    await page.getByRole('main').getByRole('button', { name: 'Retry' }).click();
    await expect(page.getByRole('table', { name: 'Activity Log' }).getByRole('row').nth(1)).toBeVisible();
    await expect(page.getByRole('main').getByRole('alert')).toHaveCount(0);
  });
});

test('a page whose code cannot be had says why, and reloads at a press alone', { tag: '@full' }, async ({
  signIn,
  server,
}) => {
  const page = await signIn(ADMIN, { offline: true, fresh: true, failures: [404, 503] });
  let loads = 0;
  page.on('load', () => {
    loads += 1;
  });
  const code = '**/assets/roles-*.js';
  const gone = page.getByRole('alert').filter({ hasText: 'A new version is available' });
  const unserved = page
    .getByRole('alert')
    .filter({ hasText: 'The portal did not answer. Please try again in a moment.' });

  await test.step('removed by an update, whose page names another start', async () => {
    await page.route(code, (route) => route.fulfill({ status: 404, body: '' }));
    await page.route(`${server.origin}/`, (route) =>
      route.fulfill({ contentType: 'text/html', body: '<!doctype html>' }),
    );
    await page.getByRole('navigation').getByRole('link', { name: 'Roles' }).click();
    await expect(gone).toBeVisible();
    await expect(page.getByRole('navigation').getByRole('link', { name: 'Clients' })).toBeVisible();
    expect(loads, 'nothing reloads by itself').toBe(0);
  });

  await test.step('not served by a portal that starts or is busy, which is no new version', async () => {
    await page.unroute(`${server.origin}/`);
    await page.unroute(code);
    await page.route(code, (route) => route.fulfill({ status: 503, body: '' }));
    await gone.getByRole('button', { name: 'Reload' }).click();
    await expect(unserved).toBeVisible();
    await expect(gone).toHaveCount(0);
    expect(loads).toBe(1);
    await page.unroute(code);
    await unserved.getByRole('button', { name: 'Retry' }).click();
    await expect(page.getByRole('button', { name: 'Add Role' })).toBeVisible();
    expect(loads).toBe(2);
  });

  await test.step('without a network a page that was never open says so, and opens when it is back', async () => {
    await page.context().setOffline(true);
    await page.getByRole('navigation').getByRole('link', { name: 'Report Types' }).click();
    await expect(page.getByText('This page could not be loaded')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Retry' })).toBeVisible();
    await page.context().setOffline(false);
    await expect(page.getByRole('button', { name: 'Add Report Type' })).toBeVisible();
    expect(loads, 'and it needs no reload').toBe(2);
  });
});
