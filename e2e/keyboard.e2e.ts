// Everything by keyboard alone: from sign-in to upload, view and download; dialogs that trap and restore the focus.
import { readFile } from 'node:fs/promises';
import { type ElementHandle, expect, type Locator, type Page } from '@playwright/test';
import { letPassUntil, stopClock } from './clock.ts';
import { seedFirm } from './firm.ts';
import { test } from './fixtures.ts';
import { openInTab } from './open-in-tab.ts';
import { makePdf } from './pdf.ts';
import { ADMIN } from './server.ts';
import { settle } from './settle.ts';

/** A walk through many screens: much more than a single test, also on a slow machine. */
test.setTimeout(300_000);

const PRESSES_MAX = 80;

/** What a focus may change about an element or the field around it. */
const lookOf = (element: ElementHandle): Promise<string> =>
  element.evaluate((node) =>
    [node, node.parentElement, node.parentElement?.parentElement]
      .map((part) => {
        const style = part ? part.ownerDocument.defaultView.getComputedStyle(part) : {};
        const { outlineStyle, outlineWidth, outlineColor, borderColor, boxShadow, backgroundColor, color } = style;
        return [outlineStyle, outlineWidth, outlineColor, borderColor, boxShadow, backgroundColor, color].join(' ');
      })
      .join('; '),
  );

/** Whether the middle of an element is on the screen and nothing lies over it (WCAG 2.4.11). */
const isInSight = (element: ElementHandle): Promise<boolean> =>
  element.evaluate((node) => {
    const { left, top, width, height } = node.getBoundingClientRect();
    const found = node.ownerDocument.elementFromPoint(left + width / 2, top + height / 2);
    return (
      found !== null && [node, ...(node.labels ?? [])].some((part) => part.contains(found) || found.contains(part))
    );
  });

/** Not a control: the page itself, or what stands in for it. */
const isPage = (element: ElementHandle): Promise<boolean> => element.evaluate((node) => node.matches('body, main'));

const nameOf = (element: ElementHandle): Promise<string> =>
  element.evaluate((node) =>
    (node.getAttribute('aria-label') || node.textContent || node.nodeName).trim().slice(0, 60),
  );

const hasFocus = (locator: Locator): Promise<boolean> =>
  locator.evaluate((node) => node === node.ownerDocument.activeElement);

const holdsFocus = (locator: Locator): Promise<boolean> =>
  locator.evaluate((node) => node.contains(node.ownerDocument.activeElement));

async function focused(page: Page): Promise<ElementHandle> {
  const element = (await page.evaluateHandle('document.activeElement')).asElement();
  if (element === null) throw new Error('Nothing has the focus');
  return element;
}

/** Presses Tab once. The focused element must be visible, and look different from its unfocused state. */
async function step(page: Page, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  const left = await focused(page);
  if (await isPage(left)) return page.keyboard.press(key);
  const name = await nameOf(left);
  // The calendar of a field left before closes over a moment.
  await expect.poll(() => isInSight(left), `'${name}' is in sight while it has the focus`).toBe(true);
  const withFocus = await lookOf(left);
  await page.keyboard.press(key);
  // Some borders take a moment to change.
  await expect.poll(() => lookOf(left), `the focus on '${name}' is seen`).not.toBe(withFocus);
}

/** Presses Tab until the focus is where it should go. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let presses = 0; presses < PRESSES_MAX; presses += 1) {
    if ((await target.count()) > 0 && (await hasFocus(target))) return;
    await step(page);
  }
  throw new Error(`${target} was not reached by ${PRESSES_MAX} presses of Tab`);
}

async function expectFocusWithin(dialog: Locator): Promise<void> {
  await expect.poll(() => holdsFocus(dialog), 'the focus is inside').toBe(true);
}

/** Tabs past the first element of a dialog, and past its last. */
async function expectFocusKept(page: Page, dialog: Locator): Promise<void> {
  for (const key of [...Array<string>(6).fill('Shift+Tab'), ...Array<string>(9).fill('Tab')]) {
    await page.keyboard.press(key);
    await expectFocusWithin(dialog);
  }
}

test('sign-in, upload, view, download and delete by keyboard alone', async ({ browser, server }) => {
  const firm = await seedFirm(server.origin);
  const pdf = await makePdf(['By keyboard']);
  const context = await browser.newContext({ baseURL: server.origin, acceptDownloads: true });
  const page = await context.newPage();
  // A permanent listener: the browser must intercept file choosers before a key can open one.
  page.on('filechooser', () => undefined);
  const main = page.getByRole('main');

  await test.step('sign in', async () => {
    await page.goto('/login');
    await expect(page.getByLabel('Username')).toBeFocused();
    await page.keyboard.type(ADMIN.username);
    await step(page);
    await page.keyboard.type(ADMIN.password);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { name: 'Welcome, Administrator' })).toBeVisible();
  });

  await test.step('the first Tab offers to skip to the content', async () => {
    await page.reload();
    await expect(page.getByRole('heading', { name: 'Welcome, Administrator' })).toBeVisible();
    await settle(page);
    await page.keyboard.press('Tab');
    const skip = page.getByRole('link', { name: 'Skip to content' });
    await expect(skip).toBeFocused();
    await expect(skip).toBeInViewport();
    await page.keyboard.press('Enter');
    await expect(main).toBeFocused();
    await step(page);
    await expectFocusWithin(main);
  });

  await test.step('go to the files', async () => {
    await page.reload();
    await expect(page.getByRole('heading', { name: 'Welcome, Administrator' })).toBeVisible();
    await settle(page);
    await tabTo(page, page.getByRole('link', { name: 'File Upload', exact: true }));
    await page.keyboard.press('Enter');
    await expect(main.getByRole('heading', { name: 'Files', exact: true })).toBeVisible();
    await expect(main).toBeFocused();
  });

  const row = page.getByRole('row').filter({ hasText: 'Keyboard 941.pdf' });
  await test.step('upload', async () => {
    const open = page.getByRole('button', { name: 'Upload Files' });
    await tabTo(page, open);
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Add Data' });
    const client = dialog.getByRole('combobox', { name: 'Client Name' });
    await expect(client).toBeFocused();
    await page.keyboard.type(firm.clients[0].name);
    await expect(page.getByRole('listbox').getByRole('option')).toHaveText([firm.clients[0].name]);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect(client).toHaveValue(firm.clients[0].name);
    await tabTo(page, dialog.getByRole('combobox', { name: 'Report Type' }));
    await page.keyboard.type(firm.reportTypes[0].name);
    await expect(page.getByRole('listbox').getByRole('option')).toHaveText([firm.reportTypes[0].name]);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await tabTo(page, dialog.getByRole('button', { name: 'Add File' }));
    const choosing = page.waitForEvent('filechooser');
    await page.keyboard.press('Enter');
    await (await choosing).setFiles({ name: 'Keyboard 941.pdf', mimeType: 'application/pdf', buffer: pdf });
    await expect(dialog.getByText('Keyboard 941.pdf')).toBeVisible();
    await tabTo(page, dialog.getByRole('button', { name: 'Upload', exact: true }));
    await page.keyboard.press('Enter');
    await expect(page.getByText('File uploaded successfully')).toBeVisible();
    await expect(dialog).toBeHidden();
    await expect(open).toBeFocused();
    await expect(row).toBeVisible();
  });

  await test.step('view', async () => {
    await tabTo(page, row.getByRole('button', { name: /^View / }));
    await openInTab(page, () => page.keyboard.press('Enter'));
    await expect(row.getByRole('button', { name: /^View / })).toBeFocused();
  });

  await test.step('download', async () => {
    await step(page);
    await expect(row.getByRole('button', { name: /^Download / })).toBeFocused();
    const downloading = page.waitForEvent('download');
    await page.keyboard.press('Enter');
    const download = await downloading;
    expect(download.suggestedFilename()).toBe('Keyboard 941.pdf');
    expect((await readFile(await download.path())).equals(pdf)).toBe(true);
    await expect(page.getByText('File downloaded successfully')).toBeVisible();
    await expect(row.getByRole('button', { name: /^Download / })).toBeFocused();
  });

  await test.step('delete, after a change of mind', async () => {
    const remove = row.getByRole('button', { name: /^Delete / });
    await tabTo(page, remove);
    await page.keyboard.press('Enter');
    const question = page.getByRole('dialog');
    await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(question).toBeHidden();
    await expect(remove).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
    await tabTo(page, question.getByRole('button', { name: 'Delete', exact: true }));
    await page.keyboard.press('Enter');
    await expect(page.getByText('File deleted successfully')).toBeVisible();
    await expect(row).toHaveCount(0);
    await expect.poll(() => page.evaluate('document.activeElement.nodeName')).not.toBe('BODY');
  });
  await context.close();
});

test('a calendar that closes lies over nothing that has the focus next, though no time has passed', {
  tag: '@full',
}, async ({ signIn, server }) => {
  await seedFirm(server.origin);
  const page = await signIn(ADMIN, { at: null, fresh: true });
  await page.clock.install();
  await page.goto('/file-upload');
  const selectAll = page.getByRole('checkbox', { name: 'Select all on this page' });
  await expect(selectAll).toBeEnabled();
  await settle(page);
  await stopClock(page);
  await page.getByLabel('Start Date').press('Alt+ArrowDown');
  const calendar = page.getByRole('button', { name: 'Next month' });
  await letPassUntil(page, () => calendar.isVisible());
  await tabTo(page, selectAll);
  await step(page);
});

const dialogs: readonly { path: string; button: string | RegExp }[] = [
  { path: '/clients', button: 'Add Client' },
  { path: '/clients', button: /^Edit / },
  { path: '/clients', button: /^Delete / },
  { path: '/users', button: 'Add User' },
  { path: '/users', button: /^Edit / },
  { path: '/users', button: /^Delete / },
  { path: '/roles', button: 'Add Role' },
  { path: '/roles', button: /^Edit / },
  { path: '/roles', button: /^Delete / },
  { path: '/report-types', button: 'Add Report Type' },
  { path: '/report-types', button: /^Delete / },
  { path: '/permissions', button: /^Edit / },
  { path: '/file-upload', button: 'Upload Files' },
  { path: '/file-upload', button: /^Delete / },
  { path: '/firm-documents', button: 'Upload Document' },
  { path: '/', button: 'Search' },
];

test('every dialog takes the focus, keeps it, closes with Esc and restores the focus', { tag: '@full' }, async ({
  signIn,
  server,
}) => {
  await seedFirm(server.origin);
  const page = await signIn(ADMIN, { at: null });
  let path = '';
  for (const { path: next, button } of dialogs) {
    await test.step(`${next}: ${button}`, async () => {
      if (next !== path) await page.goto(next);
      path = next;
      const opener = page.getByRole('button', { name: button }).first();
      await opener.waitFor();
      await settle(page);
      await opener.focus();
      await page.keyboard.press('Enter');
      const dialog = page.getByRole('dialog');
      await dialog.waitFor();
      await expectFocusWithin(dialog);
      await expectFocusKept(page, dialog);
      await page.keyboard.press('Escape');
      await expect(dialog).toBeHidden();
      await expect(opener).toBeFocused();
    });
  }
  await test.step('what has the focus is under neither head nor foot of a dialog, in a low window either', async () => {
    await page.goto('/clients');
    for (const height of [500, 256]) {
      await page.setViewportSize({ width: 640, height });
      await page.getByRole('button', { name: 'Add Client' }).click();
      const dialog = page.getByRole('dialog');
      await expectFocusWithin(dialog);
      await settle(page);
      for (const key of [...Array<string>(14).fill('Tab'), ...Array<string>(14).fill('Shift+Tab')]) {
        await page.keyboard.press(key);
        const element = await focused(page);
        await expect.poll(() => isInSight(element), `'${await nameOf(element)}' at ${height} px`).toBe(true);
      }
      await page.keyboard.press('Escape');
      await expect(dialog).toBeHidden();
    }
  });
});

test('the menu of a phone takes the focus, and gives it to the page that was chosen', { tag: '@full' }, async ({
  signIn,
  server,
}) => {
  const firm = await seedFirm(server.origin);
  const page = await signIn(firm.cpa, { viewport: { width: 360, height: 740 } });
  const menu = page.getByRole('button', { name: 'Open menu' });
  await tabTo(page, menu);
  await page.keyboard.press('Enter');
  const drawer = page.getByRole('dialog', { name: 'Menu' });
  await drawer.waitFor();
  await expectFocusWithin(drawer);
  await expectFocusKept(page, drawer);
  await page.keyboard.press('Escape');
  await expect(drawer).toBeHidden();
  await expect(menu).toBeFocused();

  await page.keyboard.press('Enter');
  await drawer.waitFor();
  await settle(page);
  await tabTo(page, drawer.getByRole('link', { name: 'Firm Details' }));
  await page.keyboard.press('Enter');
  await expect(drawer).toBeHidden();
  await expect(page.getByRole('main').getByRole('heading', { name: 'Company Details' })).toBeVisible();
  await expect(page.getByRole('main')).toBeFocused();

  await test.step('Back closes it with the page that it was opened on, and the menu of the account', async () => {
    await menu.click();
    await drawer.waitFor();
    await page.goBack();
    await expect(drawer).toBeHidden();
    await expect(page.getByRole('main')).toBeFocused();
    await page.getByRole('button', { name: /account menu$/ }).click();
    const account = page.getByRole('dialog', { name: 'Account menu' });
    await account.waitFor();
    await page.goForward();
    await expect(account).toBeHidden();
  });

  await test.step('in a window that becomes wide it is closed: the page scrolls', async () => {
    await menu.click();
    await drawer.waitFor();
    await page.setViewportSize({ width: 1024, height: 740 });
    await expect(page.locator('[data-scroll-locked]')).toHaveCount(0);
  });
});
