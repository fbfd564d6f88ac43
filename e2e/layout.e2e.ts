// The frame of every page: sidebar, header, the report types, the phone's drawer, and pages that do not exist.
import { expect, type Locator, type Page } from '@playwright/test';
import { apiAs } from './api.ts';
import { letPass, stopClock } from './clock.ts';
import { seedFirm } from './firm.ts';
import { ADMIN } from './server.ts';
import { test } from './visit.ts';

const PHONE = { width: 360, height: 740 };

const sidebar = (page: Page) => page.getByRole('navigation', { name: 'Main' });
const header = (page: Page) => page.getByRole('banner');

/** Runs in the page. */
const FITS = 'document.documentElement.scrollWidth <= window.innerWidth';

/** The names and addresses of the sidebar's ways, in their order. */
async function waysOf(page: Page): Promise<string[]> {
  await expect(sidebar(page).getByRole('link').first()).toBeVisible();
  const links = await sidebar(page).getByRole('link').all();
  // Without the number of new files, which stands on a line of its own.
  const nameOf = async (link: Locator) => (await link.innerText()).split('\n', 1)[0];
  return Promise.all(links.map(async (link) => `${await nameOf(link)} ${await link.getAttribute('href')}`));
}

test('each role has its sidebar, its welcome and its ways out', async ({ signIn, server }) => {
  const firm = await seedFirm(server.origin, { reports: 1 });

  const cpa = await signIn(firm.cpa);
  expect(await waysOf(cpa)).toEqual([
    'Dashboard /',
    'Reports /cpa-dashboard',
    'Firm Details /firm-details',
    'Firm Documents /firm-documents',
    'Account Setting /account-settings',
    'File Upload /file-upload',
    'Batches /batches',
    'Requests /requests',
    'Completeness /completeness',
    'Activity /activity',
    'Trash /trash',
  ]);
  await expect(header(cpa).getByText('Welcome, Rosa Okafor')).toBeVisible();
  await expect(header(cpa).getByText('RO', { exact: true })).toBeVisible();
  await expect(sidebar(cpa).getByText('Coffer')).toBeVisible();
  await sidebar(cpa).getByRole('button', { name: 'Logout' }).click();
  await expect(cpa).toHaveURL(/\/login$/);

  const clientUser = await signIn(firm.clientUser);
  expect(await waysOf(clientUser)).toEqual([
    'Dashboard /',
    'Reports /client-reports',
    'Firm Details /firm-details',
    'Firm Documents /firm-documents',
    'Account Setting /account-settings',
    'Requests /requests',
    'Activity /activity',
    'Trash /trash',
  ]);
  // A report belongs to Reports, though its address is not below theirs.
  await clientUser.goto(`/cpa-dashboard/report/${firm.reports[0]?.id}`);
  await expect(sidebar(clientUser).locator('[aria-current="page"]')).toHaveText('Reports');

  const admin = await signIn(ADMIN);
  expect(await waysOf(admin)).toEqual([
    'Dashboard /',
    'Clients /clients',
    'Users /users',
    'Roles /roles',
    'User Permissions /permissions',
    'Report Types /report-types',
    'File Upload /file-upload',
    'Batches /batches',
    'Reports /cpa-dashboard',
    'Firm Documents /firm-documents',
    'Requests /requests',
    'Completeness /completeness',
    'Activity /activity',
    'Trash /trash',
    'Retention /retention',
    'Account Setting /account-settings',
    'Firm /firm-settings',
    'System /system',
    'Background Jobs /jobs',
    'Mail /mail',
  ]);
  // In a low window the entry of the page is in sight, wherever it stands.
  await admin.setViewportSize({ width: 1280, height: 560 });
  for (const [path, name] of [
    ['/jobs', 'Background Jobs'],
    ['/clients', 'Clients'],
  ] as const) {
    await admin.goto(path);
    await expect(sidebar(admin).getByRole('link', { name, exact: true })).toBeInViewport({ ratio: 1 });
  }

  const outsider = await signIn(firm.outsider);
  const ways = await waysOf(outsider);
  for (const barred of ['Clients', 'Users', 'Roles', 'User Permissions', 'Report Types', 'File Upload']) {
    expect(ways.filter((way) => way.startsWith(`${barred} /`))).toEqual([]);
  }
});

test('the name of a Client user’s company is in the middle, on two lines where it is long', { tag: '@full' }, async ({
  signIn,
  server,
}) => {
  const firm = await seedFirm(server.origin, { reports: 1 });
  const page = await signIn(firm.clientUser, { viewport: { width: 1440, height: 900 } });
  const name = header(page).getByText(firm.clients[0].name);
  await expect(name).toBeVisible();
  const middleOf = async (place: typeof name) => {
    const box = await place.boundingBox();
    return box ? box.x + box.width / 2 : Number.NaN;
  };
  expect(Math.abs((await middleOf(name)) - (await middleOf(header(page))))).toBeLessThan(24);
  await expect(name).toHaveCSS('font-size', /^2\d(\.\d+)?px$/);

  let shown = 'Northern Lakes Forest Products and Timber Holdings LLC';
  await page.route(`**/api/clients/${firm.clients[0].id}`, async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, json: { ...(await answer.json()), name: shown } });
  });
  await page.reload();
  const heightsOf = (place: typeof name) =>
    place.evaluate(({ scrollHeight, clientHeight }) => ({ wanted: scrollHeight, given: clientHeight }));
  const whole = header(page).getByTitle(shown);
  await expect(whole).toBeVisible();
  const ofWhole = await heightsOf(whole);
  expect(ofWhole.wanted).toBeGreaterThan(40);
  expect(ofWhole.wanted).toBeLessThanOrEqual(ofWhole.given + 1);

  // One that no header has room for is whole in its title.
  shown = `${'Northern Lakes Forest Products '.repeat(6)}LLC`;
  await page.reload();
  const cut = header(page).getByTitle(shown);
  await expect(cut).toBeVisible();
  const ofCut = await heightsOf(cut);
  expect(ofCut.wanted).toBeGreaterThan(ofCut.given);
  expect((await header(page).boundingBox())?.height).toBeLessThan(60);
  expect(await page.evaluate(FITS)).toBe(true);

  await page.setViewportSize(PHONE);
  await expect(cut).toBeVisible();
  await expect(header(page).getByRole('button', { name: 'Logout' })).toBeInViewport();
});

const TITLES: readonly [string, string][] = [
  ['/', 'Dashboard'],
  ['/file-upload', 'File Upload'],
  ['/clients', 'Clients'],
  ['/users', 'Users'],
  ['/permissions', 'User Permissions'],
  ['/roles', 'Roles'],
  ['/report-types', 'Report Types'],
  ['/activity', 'Activity'],
  ['/completeness', 'Completeness'],
  ['/trash', 'Trash'],
  ['/retention', 'Retention'],
  ['/jobs', 'Background Jobs'],
  ['/mail', 'Mail'],
  ['/firm-settings', 'Firm'],
  ['/system', 'System'],
  ['/help', 'Help'],
  ['/cpa-dashboard', 'Reports'],
  ['/firm-details', 'Firm Details'],
  ['/firm-documents', 'Firm Documents'],
  ['/client-reports', 'Reports'],
  ['/account-settings', 'Account Settings'],
  ['/account-settings/nothing', 'Page Not Found'],
  ['/nowhere', 'Page Not Found'],
];

test('the header names every page, whole on the narrowest phone too', { tag: '@full' }, async ({ signIn }) => {
  const page = await signIn(ADMIN, { at: null });
  const wide = page.viewportSize() ?? { width: 1280, height: 720 };
  for (const [path, title] of TITLES) {
    await page.setViewportSize(wide);
    await page.goto(path);
    const shown = header(page).getByText(title, { exact: true });
    await expect(shown, path).toBeVisible();
    await expect(page, path).toHaveTitle(new RegExp(`^${title} · `));
    await page.setViewportSize({ width: 320, height: 568 });
    await expect
      .soft(shown, path)
      .toHaveJSProperty('scrollWidth', await shown.evaluate(({ clientWidth }) => clientWidth));
    await expect
      .soft(shown, path)
      .toHaveJSProperty('scrollHeight', await shown.evaluate(({ clientHeight }) => clientHeight));
  }
});

test('a phone shows the heading of a page, and the first file of each list of files, without scrolling', {
  tag: '@full',
}, async ({ signIn, server }) => {
  const { api, clients, cpa, clientUser } = await seedFirm(server.origin, { reports: 2 });
  await api.upload(
    { clientId: clients[0].id, fileType: 'company_document', documentType: 'Tax Return' },
    'Return.txt',
    Buffer.from('a return'),
  );
  const phone = { width: 390, height: 844 };
  const lists = [
    [cpa, '/cpa-dashboard', 'Payroll Reports', 'main'],
    // What the header says already is seen there.
    [cpa, '/firm-documents', 'Firm Documents', 'banner'],
    [cpa, '/file-upload', 'Files', 'main'],
    // There the header has the company alone.
    [clientUser, '/client-reports', 'Reports', 'main'],
  ] as const;
  for (const [person, at, heading, seenIn] of lists) {
    const page = await signIn(person, { at, viewport: phone });
    const first = page
      .getByRole('table')
      .getByRole('row')
      .filter({ has: page.getByRole('cell') })
      .first();
    await expect(first.getByRole('link').first(), at).toBeVisible();
    await expect(first, at).toBeInViewport({ ratio: 1 });
    await expect(page.getByRole('main').getByRole('heading', { level: 1, name: heading, exact: true })).toHaveCount(1);
    await expect(page.getByRole(seenIn).getByText(heading, { exact: true }).first(), at).toBeInViewport({ ratio: 1 });
  }
});

test('an unknown address says so, signed in or not, and shows a way home', { tag: '@full' }, async ({
  signIn,
  visit,
}) => {
  const expectNotFound = async (page: Page) => {
    await expect(page.getByRole('heading', { name: '404 Page Not Found' })).toBeVisible();
    await expect(page.getByText('Did you forget to add the page to the router?')).toBeVisible();
  };
  const admin = await signIn(ADMIN, { at: '/no/such/page' });
  await expectNotFound(admin);
  await admin.getByRole('link', { name: 'Go to the Dashboard' }).click();
  await expect(admin.getByRole('heading', { name: /^Welcome, / })).toBeVisible();

  // After a sign-out there one stays there, and sees nothing of the inside.
  await admin.goto('/no/such/page');
  await expectNotFound(admin);
  await sidebar(admin).getByRole('button', { name: 'Logout' }).click();
  await expect(admin.getByRole('link', { name: 'Go to the start page' })).toBeVisible();
  await expectNotFound(admin);
  await expect(sidebar(admin)).toBeHidden();

  const stranger = await visit();
  await stranger.goto('/no/such/page');
  await expectNotFound(stranger);
  await stranger.getByRole('link', { name: 'Go to the start page' }).click();
  await expect(stranger).toHaveURL(/\/login$/);
});

test('the report types hang below Reports and follow the choice at once, in every tab', { tag: '@full' }, async ({
  signIn,
  server,
}) => {
  const firm = await seedFirm(server.origin, { reports: 1 });
  const [first, second] = firm.reportTypes;
  const page = await signIn(firm.cpa);
  const entry = (tab: Page, { name }: { name: string }) => sidebar(tab).getByRole('button', { name, exact: true });
  const foldOf = (tab: Page) => sidebar(tab).getByRole('button', { name: 'Report types' });
  const fold = foldOf(page);

  await expect(fold).toHaveAttribute('aria-expanded', 'false');
  await expect(entry(page, first)).toBeHidden();
  await fold.click();
  await expect(fold).toHaveAttribute('aria-expanded', 'true');
  await entry(page, second).click();
  await expect(page).toHaveURL(/\/cpa-dashboard/);
  await expect(page.getByRole('heading', { name: new RegExp(`^${second.name} Files`) })).toBeVisible();
  await expect(entry(page, second)).toHaveAttribute('aria-current', 'true');
  await expect(entry(page, first)).not.toHaveAttribute('aria-current', 'true');
  expect(await page.evaluate(() => localStorage.getItem('selectedReportTypeId'))).toBe(String(second.id));

  const other = await page.context().newPage();
  await other.goto('/cpa-dashboard');
  // The page has a button for each type: the same list is not beside them, unless it is asked for.
  await expect(other.getByRole('group', { name: 'Select Report Type:' }).getByRole('button').first()).toBeVisible();
  await expect(foldOf(other)).toHaveAttribute('aria-expanded', 'false');
  await foldOf(other).click();
  await expect(entry(other, second)).toHaveAttribute('aria-current', 'true');
  await entry(other, first).click();
  // A tab whose address names a type goes on showing that one; where none is named, it is the one chosen last.
  await expect(entry(page, second)).toHaveAttribute('aria-current', 'true');
  await page.goto('/cpa-dashboard');
  await fold.click();
  await expect(entry(page, first)).toHaveAttribute('aria-current', 'true');
  await expect(page.getByRole('heading', { name: new RegExp(`^${first.name} Files`) })).toBeVisible();

  // A type that the person may not reach is not offered.
  const { name } = await (await apiAs(server.origin)).post<{ name: string }>('/api/report-types', {
    name: `Unreached ${firm.cpa.id}`,
  });
  await page.reload();
  await fold.click();
  await expect(entry(page, first)).toBeVisible();
  await expect(entry(page, { name })).toHaveCount(0);
});

test('the sidebar folds to icons with tooltips, and stays folded', { tag: '@full' }, async ({ signIn }) => {
  const page = await signIn(ADMIN, { viewport: { width: 1280, height: 900 }, fresh: true, at: null });
  await page.clock.install();
  await page.goto('/');
  const users = sidebar(page).getByRole('link', { name: 'Users', exact: true });
  const wide = await sidebar(page).boundingBox();
  await page.getByRole('button', { name: 'Collapse sidebar' }).click();
  const unfold = page.getByRole('button', { name: 'Expand sidebar' });
  await expect(unfold).toHaveAttribute('aria-expanded', 'false');
  await expect.poll(async () => (await sidebar(page).boundingBox())?.width).toBeLessThan((wide?.width ?? 0) / 2);

  await test.step('a tooltip waits 700 ms', async () => {
    const tip = page.getByRole('tooltip', { name: 'Users' });
    await stopClock(page);
    // The fold button's own tooltip must be gone: within its 300 ms the next one would come at once.
    await page.mouse.move(700, 600);
    await letPass(page, 1_000);
    await expect(page.getByRole('tooltip')).toHaveCount(0);
    await users.hover();
    await letPass(page, 690);
    expect(await tip.count()).toBe(0);
    // With the frames in which it comes up.
    for (const passedMs of [20, 20, 20]) await letPass(page, passedMs);
    await expect(tip).toBeVisible();
    await page.clock.resume();
  });

  await users.click();
  await expect(header(page).getByText('Users', { exact: true })).toBeVisible();
  await page.reload();
  await expect(unfold).toBeVisible();

  const other = await page.context().newPage();
  await other.goto('/users');
  await other.getByRole('button', { name: 'Expand sidebar' }).click();
  await expect(page.getByRole('button', { name: 'Collapse sidebar' })).toBeVisible();
  await expect(users).toContainText('Users');
});

test('on a tablet the sidebar is folded until somebody opens it, and then stays open', { tag: '@full' }, async ({
  signIn,
}) => {
  const page = await signIn(ADMIN, { viewport: { width: 1024, height: 768 } });
  await page.getByRole('button', { name: 'Expand sidebar' }).click();
  const fold = page.getByRole('button', { name: 'Collapse sidebar' });
  await expect(fold).toHaveAttribute('aria-expanded', 'true');
  await page.reload();
  await expect(fold).toBeVisible();
});

/** Runs in the page: the second key comes before anything has moved. */
const PRESS_AND_ESCAPE = `(button) => {
  button.click();
  scheduler.postTask(() => document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true })));
}`;

test('on a phone the sidebar is a drawer, cards keep the roles of a table, and icons have room for a finger', async ({
  signIn,
  server,
}) => {
  const { clients } = await seedFirm(server.origin, { reports: 0 });
  const page = await signIn(ADMIN, { viewport: PHONE });
  await expect(sidebar(page)).toBeHidden();
  const open = page.getByRole('button', { name: 'Open menu' });
  await open.click();
  const drawer = page.getByRole('dialog', { name: 'Menu' });
  await expect(drawer.getByRole('link', { name: 'Clients' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(drawer).toBeHidden();
  await expect(open).toBeFocused();

  // Also before the drawer has taken the focus that it is to give back.
  for (let round = 0; round < 5; round += 1) {
    await open.evaluate(PRESS_AND_ESCAPE);
    await expect(open).toHaveAttribute('aria-expanded', 'false');
    await expect(drawer).toBeHidden();
    await expect(open).toBeFocused();
  }

  await open.click();
  await drawer.getByRole('link', { name: 'Clients' }).click();
  await expect(drawer).toBeHidden();
  await expect(header(page).getByText('Clients', { exact: true })).toBeVisible();
  expect(await page.evaluate(FITS)).toBe(true);

  await test.step('a card is a row, its lines are cells, its icons 44 px where fingers press them', async () => {
    await page.goto(`/clients?q=${clients[0].name}`);
    const edit = page.getByRole('button', { name: `Edit ${clients[0].name}` });
    await expect(page.locator('[role="table"] [role="row"] [role="cell"]').filter({ has: edit })).toHaveCount(1);
    const sizeOf = async () => (await edit.boundingBox())?.height ?? 0;
    expect(await sizeOf()).toBeGreaterThanOrEqual(24);
    const device = await page.context().newCDPSession(page);
    await device.send('Emulation.setTouchEmulationEnabled', { enabled: true });
    await expect.poll(sizeOf).toBeGreaterThanOrEqual(44);
    expect((await page.getByRole('button', { name: 'Clear search' }).boundingBox())?.width).toBeGreaterThanOrEqual(44);
    const search = page.getByRole('main').getByRole('searchbox');
    expect((await search.boundingBox())?.height).toBeGreaterThanOrEqual(44);
    // An iPhone zooms in on a field with smaller letters.
    await expect(search).toHaveCSS('font-size', '16px');
    expect(await page.evaluate(FITS)).toBe(true);
    // They cut no words of a list.
    await page.goto('/file-upload');
    const type = page.getByRole('combobox', { name: 'Report Type' });
    await expect(type).toHaveValue('All Report Types');
    await expect(type).toHaveCSS('font-size', '16px');
    expect(await type.evaluate((field) => field.scrollWidth - field.clientWidth)).toBe(0);
    await device.send('Emulation.setTouchEmulationEnabled', { enabled: false });
  });

  await open.click();
  await drawer.getByRole('button', { name: 'Logout' }).click();
  await expect(page).toHaveURL(/\/login$/);
});

test('by keyboard the first stop leads past the frame', { tag: '@full' }, async ({ signIn }) => {
  const page = await signIn(ADMIN, { at: '/clients' });
  await expect(page.getByRole('button', { name: 'Add Client' })).toBeVisible();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('main')).toBeFocused();
});

test('the chosen colours are before the application does', { tag: '@full' }, async ({ visit }) => {
  const page = await visit({ colorScheme: 'light', noise: /net::ERR_FAILED/ });
  await page.goto('/login');
  const scheme = () => page.locator('html').getAttribute('data-mantine-color-scheme');
  expect(await scheme()).toBe('light');
  await page.evaluate(() => localStorage.setItem('mantine-color-scheme-value', 'dark'));

  await page.route('**/assets/*.js', (route) => route.abort());
  await page.reload();
  expect(await scheme()).toBe('dark');
  await expect(page.locator('html')).toHaveCSS('background-color', 'rgb(16, 20, 26)');
  await expect(page.getByRole('alert')).toContainText('The portal could not be loaded.');
});
