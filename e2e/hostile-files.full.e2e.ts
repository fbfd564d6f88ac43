// Hostile files in a real browser: shown in the page, opened in a tab, downloaded, requested by address; nothing in them ever runs.
import { readFile } from 'node:fs/promises';
import { type BrowserContext, type Download, expect, type Page } from '@playwright/test';
import { type Firm, seedFirm } from './firm.ts';
import { test } from './fixtures.ts';
import { hostileSamples, type Sample, trapScript } from './hostile/samples.ts';
import { type Elsewhere, openControl, openElsewhere, setTraps } from './hostile/traps.ts';
import { openInTab } from './open-in-tab.ts';
import { settle } from './settle.ts';

let firm: Firm;
let elsewhere: Elsewhere;
let control: Awaited<ReturnType<typeof openControl>>;
let samples: readonly (Sample & { id: number })[] = [];

test.beforeAll(async ({ browser, server }) => {
  firm = await seedFirm(server.origin, { reports: 1 });
  elsewhere = await openElsewhere();
  control = await openControl(browser);
  const fields = { clientId: firm.clients[0].id, fileType: 'report', reportTypeId: firm.reportTypes[0].id };
  const sent: (Sample & { id: number })[] = [];
  for (const sample of hostileSamples(elsewhere.origin)) {
    const { id } = await firm.api.upload(fields, sample.name, sample.bytes);
    const { file } = await firm.api.get<{ file: { contentType: string } }>(`/api/files/${id}/facts`);
    expect([sample.name, file.contentType]).toEqual([sample.name, sample.contentType]);
    sent.push({ ...sample, id });
  }
  samples = sent;
});
test.afterAll(async () => {
  await elsewhere.close();
  await control.close();
});

/** Browsers without a PDF viewer of their own save what others show in a tab. */
const hasPdfViewer = (page: Page) => page.evaluate<boolean>('navigator.pdfViewerEnabled');

/** A browser that no other test has used or will use, because traps stay set. */
const alone = { fresh: true };

const stored = (page: Page, key: string) => page.evaluate(`localStorage.getItem(${JSON.stringify(key)})`);

/** Opens an address as if it were typed by hand: a page, or the name of the download that it was instead. */
async function typeAddress(context: BrowserContext, address: string): Promise<{ page: Page; saved: string | null }> {
  const page = await context.newPage();
  const saving = page.waitForEvent('download', { timeout: 0 }).then(
    (download) => download.suggestedFilename(),
    () => null,
  );
  // A download ends the navigation with an error, and there is no page then.
  const shown = await page.goto(address).then(
    () => true,
    () => false,
  );
  return { page, saved: shown ? null : await saving };
}

/** What the browser lets a page of a file reach of the portal's own storage. */
const reach = (page: Page) =>
  page.evaluate(
    `(() => { try { return localStorage.getItem('token') ? 'token' : 'storage' } catch { return 'nothing' } })()`,
  );

/** Presses what opens a tab; its download is heard from the tab's first moment on, before anybody could wait for it. */
async function openTab(page: Page, press: () => Promise<void>) {
  const opening = page.waitForEvent('popup');
  const downloading = new Promise<Download>((came) => {
    page.once('popup', (opened) => opened.once('download', came));
  });
  await press();
  return { tab: await opening, downloading };
}

test('the traps work: a page that runs the same script is caught', async ({ signIn, server }) => {
  const page = await signIn(firm.cpa, alone);
  const other = await openElsewhere();
  const caught = setTraps(page.context(), server.origin, other);
  const tab = await page.context().newPage();
  await tab.route('**/unguarded', (route) =>
    route.fulfill({ contentType: 'text/html', body: `<script>${trapScript(other.origin)}</script>` }),
  );
  await tab.goto(`${server.origin}/unguarded`);
  await expect.poll(() => other.hits.join()).toContain('/left');
  for (const trap of ['dialog: canary', '/image?', '/fetched', `GET ${server.origin}/canary?by=fetch`]) {
    expect(caught().join('\n')).toContain(trap);
  }
  expect(await stored(page, 'canary')).toBe('ran');
  await page.evaluate('localStorage.removeItem("canary")');
  await tab.close();
  await other.close();
});

test('D3: no hostile file runs, reads the session or calls anyone, in the page, a tab, a download or by its address', async ({
  signIn,
  server,
}) => {
  test.slow();
  const page = await signIn(firm.cpa, alone);
  const context = page.context();
  const caught = setTraps(context, server.origin, elsewhere);

  const viewer = await hasPdfViewer(page);

  for (const { id, name, bytes, contentType, shows } of samples) {
    await test.step(`${name} in the page`, async () => {
      await page.goto(`/cpa-dashboard/report/${id}`);
      await expect(page.getByRole('heading', { name, exact: true })).toBeVisible();
      const view = page.getByRole('region', { name: 'File', exact: true });
      if (shows === 'nothing') await expect(view.getByText(/cannot be shown here$/)).toBeVisible();
      else if (shows === 'image') await expect(view.getByRole('img', { name })).toBeVisible();
      else await expect(view.getByText(shows.text, { exact: false }).first()).toBeAttached();
      await settle(page);
      // A link or a field of a PDF cannot be pressed.
      if (shows !== 'nothing') await view.click({ position: { x: 200, y: 150 } });
      await control.run();
      expect([name, caught()]).toEqual([name, []]);
    });

    const inTab = page.getByRole('button', { name: 'Open in new tab' });
    if ((await inTab.count()) > 0) {
      await test.step(`${name} in a tab`, async () => {
        const { tab, downloading } = await openTab(page, () => inTab.click());
        if (contentType !== 'application/pdf' || viewer) await tab.waitForURL(/\/api\/files\//);
        else await downloading;
        await control.run();
        expect([name, caught()]).toEqual([name, []]);
        await tab.close();
      });
    }

    await test.step(`${name} downloaded`, async () => {
      const downloading = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Download', exact: true }).click();
      const download = await downloading;
      expect(download.suggestedFilename()).not.toMatch(/[\\/]/);
      expect((await readFile(await download.path())).equals(bytes)).toBe(true);
    });

    await test.step(`${name} by its address`, async () => {
      for (const how of ['/view', '?view=true', '', '/download']) {
        const { page: tab, saved } = await typeAddress(context, `${server.origin}/api/files/${id}${how}`);
        const shown = saved === null;
        // Only a type on the list of harmless types is ever shown, and never where it was to be saved.
        if (shown) expect([name, how]).toEqual([name, expect.stringMatching(/view/)]);
        await control.run();
        if (shown) {
          expect(tab.url()).toBe(`${server.origin}/api/files/${id}${how}`);
          expect(await tab.title()).not.toContain('canary');
          // A PDF keeps its origin for the browser's own viewer, and has nothing that could run there.
          if (contentType !== 'application/pdf') expect([name, await reach(tab)]).toEqual([name, 'nothing']);
        }
        expect([name, how, caught()]).toEqual([name, how, []]);
        await tab.close();
      }
    });
  }

  expect(await stored(page, 'canary')).toBeNull();
  expect(await stored(page, 'token')).not.toBeNull();
  // The tab has the file's name, which may be any text.
  expect(await page.title()).not.toBe('canary');
});

test('D3: the lists, the log and the search show a name with markup as text', async ({ signIn, server }) => {
  const page = await signIn(firm.cpa, alone);
  const caught = setTraps(page.context(), server.origin, elsewhere);
  const strange = samples.find(({ name }) => name.startsWith('<img'));
  const name = strange?.name ?? '';
  await page.goto(`/cpa-dashboard?client=${firm.clients[0].id}`);
  await expect(page.getByRole('link', { name })).toBeVisible();
  await page.goto('/activity');
  await expect(page.getByText(name).first()).toBeVisible();
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog', { name: 'Search' }).getByRole('combobox').fill('<img src=canary');
  await expect(page.getByRole('option').filter({ hasText: name }).first()).toBeVisible();
  await settle(page);
  await control.run();
  expect(caught()).toEqual([]);
});

test('D3: a file is never a script of the portal, even where the portal itself would load it', async ({
  signIn,
  server,
}) => {
  const page = await signIn(firm.cpa, alone);
  const context = page.context();
  const caught = setTraps(context, server.origin, elsewhere);
  // A page of its own, because the browser complains on its console, as it should.
  const tab = await context.newPage();
  const complaints: string[] = [];
  tab.on('console', (message) => complaints.push(message.text()));
  await tab.goto('/account-settings');
  for (const { id, name } of samples) {
    for (const how of ['view', 'download']) {
      const outcome = await tab.evaluate(`new Promise((resolve) => {
        const script = document.createElement('script');
        script.src = '/api/files/${id}/${how}';
        script.onload = () => resolve('ran');
        script.onerror = () => resolve('refused');
        document.head.append(script);
      })`);
      expect([name, how, outcome]).toEqual([name, how, 'refused']);
    }
  }
  expect(caught()).toEqual([]);
  expect(complaints.join('\n')).toMatch(/MIME type/);
});

test('D3: a real PDF still shows, in the page and in a tab', async ({ signIn, server }) => {
  const page = await signIn(firm.cpa, alone);
  const [report] = firm.reports;
  const name = report?.name ?? '';
  await page.goto(`/cpa-dashboard/report/${report?.id}`);
  const sheet = page.getByRole('group', { name: 'Page 1 of 1' });
  await expect(sheet.getByText(name)).toBeAttached();
  await expect(sheet.locator('canvas')).toBeVisible();

  const viewer = await hasPdfViewer(page);
  const { tab, downloading } = await openTab(page, () => page.getByRole('button', { name: 'Open in new tab' }).click());
  if (viewer) {
    await tab.waitForURL(new RegExp(`^${server.origin}/api/files/${report?.id}\\?view=true&token=`));
    // The browser's own viewer draws it; the frames it adds show that it is there.
    await expect.poll(() => tab.evaluate('document.contentType')).toBe('application/pdf');
    await expect
      .poll(() =>
        tab
          .frames()
          .map((frame) => frame.url())
          .join(),
      )
      .toContain('chrome-extension://');
  } else {
    const saved = await (await downloading).path();
    expect((await readFile(saved)).subarray(0, 5).toString()).toBe('%PDF-');
  }
  await tab.close();
});

test('A14: no address that a page asks for holds the session; a file in a tab has a ticket of its own', async ({
  signIn,
}) => {
  const page = await signIn(firm.cpa, { ...alone, byHand: true });
  const asked: string[] = [];
  page.context().on('request', (request) => asked.push(request.url()));
  const token = String(await stored(page, 'token'));
  expect(token).toMatch(/^[\w-]{43,}$/);
  const [report] = firm.reports;

  for (const path of ['/', '/activity', '/account-settings', `/cpa-dashboard/report/${report?.id}`]) {
    await page.goto(path);
    await settle(page);
  }
  await openInTab(page, () => page.getByRole('button', { name: 'Open in new tab' }).click());
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download', exact: true }).click();
  await downloading;
  await page.getByRole('banner').getByRole('button', { name: 'Logout' }).click();
  await expect(page).toHaveURL(/\/login$/);

  expect(asked.length).toBeGreaterThan(20);
  expect(asked.filter((address) => decodeURIComponent(address).includes(token))).toEqual([]);
  const withToken = asked.filter((address) => /[?&]token=/.test(address));
  expect(withToken).toHaveLength(1);
  expect(new URL(withToken[0] ?? '').pathname).toBe(`/api/files/${report?.id}`);
});
