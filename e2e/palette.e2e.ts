// The command palette: what it finds for whom, its states, and what is typed before it is there.
import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';
import { seedFirm } from './firm.ts';
import { test } from './fixtures.ts';
import { frameStands, openPalette, palette, searchButton, shortcutSheet, words } from './palette-page.ts';
import { makePdf } from './pdf.ts';
import { ADMIN } from './server.ts';

const found = (
  page: Page,
  group: 'Recent' | 'Pages' | 'Actions' | 'Clients' | 'Files' | 'Users' | 'Report types' | 'For this client',
) => palette(page).getByRole('group', { name: group, exact: true }).getByRole('option');

test('an Admin opens pages, clients and files by keyboard', async ({ signIn, server }) => {
  const firm = await seedFirm(server.origin);
  const page = await signIn(ADMIN);

  await test.step('the button opens it with pages and actions, and gets the focus back', async () => {
    const button = searchButton(page);
    await button.click();
    await expect(words(page)).toBeFocused();
    for (const name of ['Dashboard', 'Clients', 'Users', 'User Permissions', 'Activity', 'Account Setting']) {
      await expect(found(page, 'Pages').filter({ hasText: name }).first()).toBeVisible();
    }
    await expect(found(page, 'Pages').first()).toHaveAttribute('aria-selected', 'true');
    await expect(found(page, 'Actions').filter({ hasText: 'Logout' })).toHaveCount(1);
    // High contrast takes backgrounds away, but for the system's own color of what is chosen.
    await page.emulateMedia({ forcedColors: 'active' });
    await expect(found(page, 'Pages').first()).toHaveCSS('forced-color-adjust', 'none');
    await expect(found(page, 'Pages').nth(1)).toHaveCSS('forced-color-adjust', 'auto');
    const current = page
      .getByRole('navigation', { name: 'Main', includeHidden: true })
      .locator('[aria-current="page"]');
    await expect(current).toHaveCSS('forced-color-adjust', 'none');
    await page.emulateMedia({ forcedColors: 'none' });
    await page.keyboard.press('Escape');
    await expect(palette(page)).toBeHidden();
    await expect(button).toBeFocused();
  });

  await test.step('a client', async () => {
    await openPalette(page);
    // With the marks of direction that come along with what is copied elsewhere.
    await words(page).fill(`\u202a${firm.clients[1].name}\u202c`);
    await expect(found(page, 'Clients')).toHaveText([new RegExp(firm.clients[1].name)]);
    await expect(found(page, 'Clients')).toHaveAttribute('aria-selected', 'true');
    await expect(palette(page).getByRole('alert')).toHaveCount(0);
    await page.keyboard.press('Enter');
    await expect(palette(page)).toBeHidden();
    await expect(page).toHaveURL(`/clients/${firm.clients[1].id}`);
    await expect(page.getByRole('heading', { name: firm.clients[1].name, exact: true })).toBeVisible();
  });

  await test.step('a file, the second of those found', async () => {
    const [older] = firm.reports;
    await openPalette(page);
    await words(page).fill(older?.name.replace(/-1\.pdf$/, '') ?? '');
    // Those whose name says it come first; the third is of the report type.
    await expect(found(page, 'Files')).toHaveCount(3);
    await page.keyboard.press('ArrowDown');
    await expect(found(page, 'Files').filter({ hasText: older?.name ?? '' })).toHaveAttribute('aria-selected', 'true');
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(`/cpa-dashboard/report/${older?.id}`);
  });

  await test.step('a page, by another word for it', async () => {
    await openPalette(page);
    await words(page).fill('history');
    await expect(found(page, 'Pages')).toHaveText([/Activity/]);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { name: 'Activity Log' })).toBeVisible();
    await openPalette(page);
    await words(page).fill('deleted');
    await expect(found(page, 'Pages')).toHaveText([/Trash/]);
    await words(page).fill('missing');
    await expect(found(page, 'Pages')).toHaveText([/Completeness/]);
    await words(page).fill('never opened');
    await expect(found(page, 'Actions')).toHaveText(['Never opened']);
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/\/completeness\/unopened/);
  });

  await test.step('Back, which on a phone is meant for it, closes it', async () => {
    await openPalette(page);
    await page.goBack();
    await expect(page).toHaveURL(/\/activity/);
    await expect(palette(page)).toHaveCount(0);
  });
});

test('it finds for each person what that person reaches', { tag: '@full' }, async ({ signIn, server }) => {
  const firm = await seedFirm(server.origin);
  const [own, second] = firm.clients;

  await test.step('a CPA: own clients open on their page', async () => {
    const page = await signIn(firm.cpa);
    await openPalette(page);
    await expect(found(page, 'Pages').filter({ hasText: 'Users' })).toHaveCount(0);
    for (const hidden of [firm.stranger.name, firm.reports.at(-1)?.name ?? '']) {
      await words(page).fill(hidden);
      await expect(palette(page).getByText(`Nothing found for “${hidden}”`)).toBeVisible();
      await expect(palette(page).getByRole('option')).toHaveCount(0);
    }
    await words(page).fill(second.name);
    await found(page, 'Clients').filter({ hasText: second.name }).click();
    await expect(page).toHaveURL(`/clients/${second.id}`);
    await expect(page.getByRole('heading', { name: second.name, exact: true })).toBeVisible();
  });

  await test.step('a Client user: the own company, and none of the others', async () => {
    const page = await signIn(firm.clientUser);
    await openPalette(page);
    await words(page).fill(second.name);
    await expect(palette(page).getByText(`Nothing found for “${second.name}”`)).toBeVisible();
    await words(page).fill(own.name);
    await found(page, 'Clients').filter({ hasText: own.name }).click();
    await expect(page).toHaveURL('/firm-details');
    await expect(page.getByRole('definition').filter({ hasText: own.name })).toBeVisible();
    // What the role may send.
    await openPalette(page);
    await words(page).fill('upload');
    await expect(found(page, 'Actions')).toHaveText(['Upload documents']);
    await found(page, 'Actions').click();
    await expect(page.getByRole('dialog', { name: 'Upload Document' })).toBeVisible();
    await expect(page).toHaveURL(/\/firm-documents(\?client=\d+)?$/);
  });

  await test.step('somebody who reaches nothing: pages only', async () => {
    const page = await signIn(firm.outsider);
    await openPalette(page);
    await words(page).fill(own.name);
    await expect(palette(page).getByText(`Nothing found for “${own.name}”`)).toBeVisible();
  });
});

test('users, actions for a client, whole lists and what was opened last are found, by those who may', {
  tag: '@full',
}, async ({ signIn, server }) => {
  const firm = await seedFirm(server.origin, { reports: 7 });
  const [first, second] = firm.clients;
  const page = await signIn(ADMIN, { failures: [404] });
  const tag = first.name.replace('Larkspur Bakery ', '');

  await test.step('a name with other letters, typed plainly, before those with the words in another order', async () => {
    const [one, other] = [`Łukasz Nowák ${tag}`, `Nowák Łukasz ${tag}`];
    const facts = {
      address: '4 Orchard Lane, Dayton, OH 45402',
      phone: '(937)-555-0114',
      federalId: '08-1112224',
      stateId: 'OH-41',
      email: 'books4@example.com',
      employeeCount: 4,
      startDate: '2025-01-31',
    };
    for (const name of [one, other]) await firm.api.post('/api/clients', { name, ...facts });
    await openPalette(page);
    await words(page).fill(`LUKASZ NOWAK ${tag}`);
    await expect(found(page, 'Clients')).toHaveText([new RegExp(one), new RegExp(other)]);
    await words(page).fill(`nowak lukasz ${tag}`);
    await expect(found(page, 'Clients')).toHaveText([new RegExp(other), new RegExp(one)]);
    await page.keyboard.press('Escape');
  });

  await test.step('a user, by words of name and role in any order', async () => {
    await openPalette(page);
    await words(page).fill(`cpa okafor ${tag}`);
    await expect(found(page, 'Users')).toHaveText([new RegExp(firm.cpa.username)]);
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(new RegExp(`/users\\?q=${firm.cpa.username}`));
    await expect(page.getByRole('cell', { name: firm.cpa.username, exact: true })).toBeVisible();
  });

  await test.step('a report type, which leads to its reports', async () => {
    await openPalette(page);
    await words(page).fill(firm.reportTypes[1].name);
    await expect(found(page, 'Report types')).toHaveText([new RegExp(firm.reportTypes[1].name)]);
    await found(page, 'Report types').first().click();
    await expect(page).toHaveURL(new RegExp(`/cpa-dashboard\\?reportType=${firm.reportTypes[1].id}`));
    await expect(page.getByRole('heading', { name: `${firm.reportTypes[1].name} Files` })).toBeVisible();
  });

  await test.step('all files that match, where there are more than are shown', async () => {
    await openPalette(page);
    await words(page).fill(`journal ${tag}`);
    // Files of other tests of this server may hold the same digits.
    const all = (await firm.api.get<unknown[]>(`/api/files?q=${encodeURIComponent(`journal ${tag}`)}`)).length;
    expect(all).toBeGreaterThanOrEqual(8);
    await expect(found(page, 'Files').last()).toHaveText(`See all ${all} reports`);
    await found(page, 'Files').last().click();
    await expect(page).toHaveURL(/\/file-upload\?q=journal/);
    await expect(page.getByText(new RegExp(`^1-\\d+ of ${all}$`))).toBeVisible();
  });

  await test.step('an upload for a client: the dialog names it, and each group was asked once', async () => {
    await openPalette(page);
    const asked: string[] = [];
    page.on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url());
      // Not what the list behind it asks.
      if (searchParams.has('q') && searchParams.get('limit') === '5') asked.push(pathname);
    });
    await words(page).fill(`upload for ${first.name}`);
    await expect(found(page, 'For this client')).toHaveText([`Upload for ${first.name}`]);
    expect(asked.sort()).toEqual(['/api/clients', '/api/files', '/api/files/inside', '/api/users']);
    await page.keyboard.press('Enter');
    await expect(
      page
        .getByRole('dialog', { name: 'Add Data' })
        .getByRole('combobox', { name: /client/i })
        .first(),
    ).toHaveValue(first.name);
    await expect(page).toHaveURL(`/clients/${first.id}`);
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
  });

  await test.step('a new client', async () => {
    await openPalette(page);
    await words(page).fill('add client');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('dialog', { name: 'Add New Client' })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
  });

  await test.step('an upload', async () => {
    await openPalette(page);
    await words(page).fill('upload files');
    await expect(found(page, 'Actions')).toHaveText(['Upload files']);
    await found(page, 'Actions').click();
    await expect(page.getByRole('dialog', { name: 'Add Data' })).toBeVisible();
    await expect(page).toHaveURL('/file-upload');
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
  });

  await test.step('what was opened last, under the names of now, and not what is gone', async () => {
    await page.goto(`/cpa-dashboard/report/${firm.reports[0]?.id}`);
    await frameStands(page);
    await page.goto(`/clients/${second.id}`);
    await frameStands(page);
    await openPalette(page);
    await expect(found(page, 'Recent')).toHaveText([
      new RegExp(second.name),
      new RegExp(firm.reports[0]?.name ?? ''),
      new RegExp(first.name),
    ]);
    await expect(found(page, 'Recent').first()).toHaveAttribute('aria-selected', 'true');
    await page.keyboard.press('Escape');
    await firm.api.delete(`/api/files/${firm.reports[0]?.id}`);
    await openPalette(page);
    await expect(found(page, 'Recent')).toHaveText([new RegExp(second.name), new RegExp(first.name)]);
    await page.keyboard.press('Escape');
  });

  await test.step('what was opened, replaced and opened again, once', async () => {
    const earlier = firm.reports[1]?.id ?? 0;
    const [name, place] = [`Replaced ${tag}.pdf`, { clientId: first.id, reportTypeId: firm.reportTypes[0].id }];
    for (const path of [`/cpa-dashboard/report/${earlier}`, `/clients/${first.id}`]) {
      await page.goto(path);
      await frameStands(page);
    }
    const { id } = await firm.api.upload(
      { ...place, fileType: 'report', replaces: earlier },
      name,
      await makePdf([first.name, name]),
    );
    await page.goto(`/cpa-dashboard/report/${id}`);
    await frameStands(page);
    await openPalette(page);
    await expect(found(page, 'Recent')).toHaveText([new RegExp(name), new RegExp(first.name), new RegExp(second.name)]);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await expect(found(page, 'Recent').nth(2)).toHaveAttribute('aria-selected', 'true');
    await page.keyboard.press('Escape');
  });

  await test.step('signing out forgets them', async () => {
    const stored = () => page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('recently')));
    expect(await stored()).toHaveLength(1);
    await openPalette(page);
    await words(page).fill('sign out');
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/\/login/);
    expect(await stored()).toEqual([]);
  });

  await test.step('a CPA finds no users and adds none', async () => {
    const cpa = await signIn(firm.cpa);
    await openPalette(cpa);
    await expect(found(cpa, 'Actions').filter({ hasText: /^Add/ })).toHaveCount(0);
    await words(cpa).fill(firm.clientUser.username);
    await expect(palette(cpa).getByText(/^Nothing found for/)).toBeVisible();
  });
});

test('it says that it searches, what failed, and never shows results of an earlier search', { tag: '@full' }, async ({
  signIn,
  server,
}) => {
  const firm = await seedFirm(server.origin);
  const [first, second] = firm.clients;
  const page = await signIn(ADMIN, { failures: [500] });
  const open = Promise.withResolvers<void>();
  await page.route('**/api/clients?*', async (route) => {
    if (new URL(route.request().url()).searchParams.get('q') === first.name) await open.promise;
    // The palette no longer waits for it when it is dropped.
    await route.continue().catch(() => undefined);
  });

  await openPalette(page);
  await words(page).fill(first.name);
  await expect(palette(page).getByText('Searching...')).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(palette(page), 'nothing is opened while nothing is found').toBeVisible();
  await words(page).fill(second.name);
  await expect(found(page, 'Clients')).toHaveText([new RegExp(second.name)]);
  open.resolve();
  await words(page).fill(`${second.name} or nobody`);
  await expect(palette(page).getByRole('option')).toHaveCount(0);
  await expect(palette(page).getByText(/^Nothing found for/)).toBeVisible();

  let broken = true;
  await page.route('**/api/files?*', (route) =>
    broken ? route.fulfill({ status: 500, json: { message: 'The disk is away', code: 'internal' } }) : route.continue(),
  );
  const [report] = firm.reports;
  await words(page).fill(report?.name ?? '');
  const fault = palette(page).getByRole('alert');
  await expect(fault).toContainText('Files could not be searched: The disk is away');
  broken = false;
  await fault.getByRole('button', { name: 'Retry' }).click();
  await expect(found(page, 'Files').first()).toContainText(report?.name ?? '');
  await expect(fault).toHaveCount(0);
});

test('it switches the theme, shows the shortcuts and signs out', { tag: '@full' }, async ({ signIn }) => {
  const page = await signIn(ADMIN, { colorScheme: 'light' });
  const html = page.locator('html');
  await expect(html).toHaveAttribute('data-mantine-color-scheme', 'light');
  await openPalette(page);
  await words(page).fill('dark');
  await page.keyboard.press('Enter');
  await expect(palette(page)).toBeHidden();
  await expect(html).toHaveAttribute('data-mantine-color-scheme', 'dark');

  const button = searchButton(page);
  await button.focus();
  await page.keyboard.press('Enter');
  await found(page, 'Actions').filter({ hasText: 'Keyboard shortcuts' }).click();
  await expect(shortcutSheet(page)).toBeVisible();
  await expect(palette(page)).toBeHidden();
  await page.keyboard.press('Escape');
  await expect(shortcutSheet(page)).toBeHidden();
  await expect(button).toBeFocused();

  await openPalette(page);
  await words(page).fill('sign out');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/login/);
  await expect(palette(page)).toHaveCount(0);
});

test('a palette that cannot be loaded says so', { tag: '@full' }, async ({ signIn }) => {
  const page = await signIn(ADMIN, { offline: true });
  await page.route('**/assets/palette-*.js', (route) => route.abort());
  await frameStands(page);
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('alert')).toContainText('This part of the page could not be loaded');
  await expect(palette(page)).toHaveCount(0);
});

test('palette and shortcuts are accessible, light and dark', { tag: '@full' }, async ({ signIn, server }) => {
  const firm = await seedFirm(server.origin, { reports: 0 });
  const page = await signIn(ADMIN);
  const expectAccessible = async (what: string) => {
    const dialog = page.getByRole('dialog');
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await expect.poll(() => dialog.evaluate((node) => node.getAnimations({ subtree: true }).length)).toBe(0);
      const { violations } = await new AxeBuilder({ page })
        .include('[role="dialog"]')
        .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'])
        .analyze();
      const found = violations.map(
        ({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).join(', ')}`,
      );
      expect(found, `${what}, ${colorScheme}`).toEqual([]);
    }
  };
  await openPalette(page);
  await expectAccessible('palette with pages');
  await words(page).fill(firm.clients[0].name);
  await expect(found(page, 'Clients')).toHaveCount(1);
  await expectAccessible('palette with a client');
  await page.keyboard.press('Escape');
  await expect(palette(page)).toBeHidden();
  await page.keyboard.press('?');
  await expect(shortcutSheet(page)).toBeVisible();
  await expectAccessible('shortcuts');
});

test('what is typed before the palette is there stands in it', { tag: '@full' }, async ({ signIn }) => {
  const page = await signIn(ADMIN);
  await expect(page.getByRole('button', { name: 'Search', exact: true })).toBeVisible();
  let release = () => {};
  const later = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/assets/palette-*.js', async (route) => {
    await later;
    await route.continue();
  });
  await page.keyboard.press('Control+k');
  await page.keyboard.type('gox');
  await page.keyboard.press('Backspace');
  release();
  await expect(words(page)).toBeFocused();
  await page.keyboard.type('ld');
  await expect(words(page)).toHaveValue('gold');
  // Closed without a word, nothing is kept for the next time; and pressed while it fades, the key is not lost.
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+k');
  await expect(words(page)).toBeFocused();
  await expect(words(page)).toHaveValue('');

  await test.step('two quick presses come to what two slow ones do', async () => {
    await words(page).fill('gold');
    await page.keyboard.press('Control+k');
    await page.keyboard.press('Control+k');
    await expect(words(page)).toHaveValue('');
    await expect(words(page)).toBeFocused();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    await page.keyboard.press('Control+k');
    await expect(palette(page)).toHaveCount(0);
    await page.keyboard.press('Control+k');
    await expect(words(page)).toBeFocused();
  });
});
