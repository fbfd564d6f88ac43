// Account settings: the password, the devices one is signed in on, what one has ordered, the appearance; each with what can go wrong.
import { expect, type Page } from '@playwright/test';
import { apiAs } from './api.ts';
import { type Person, seedFirm } from './firm.ts';
import { stepInFull, test } from './fixtures.ts';
import { ADMIN } from './server.ts';
import { answerList, failCalls, holdCalls, loseAnswer } from './stub.ts';
import { putToastAway, readError } from './toast.ts';

const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const devices = (page: Page) => section(page, 'Signed-in devices').getByRole('listitem');

async function openSettings(page: Page): Promise<void> {
  await page.goto('/account-settings');
  await expect(page.getByRole('heading', { name: 'Account Settings Page' })).toBeVisible();
}

const signsIn = (origin: string, { username }: Person, password: string) =>
  apiAs(origin, { username, password }).then(
    () => true,
    () => false,
  );

test('a password is changed under its rules; every other device is signed out and this one is not', async ({
  signIn,
  server,
}) => {
  const { cpa } = await seedFirm(server.origin, { reports: 0 });
  const elsewhere = await apiAs(server.origin, cpa);
  const page = await signIn(cpa, { at: null, failures: [400, 401, 500], offline: true });
  await openSettings(page);
  const form = section(page, 'Change password');
  const current = form.getByLabel('Current password');
  const next = form.getByLabel('New password', { exact: true });
  const repeated = form.getByLabel('Repeat new password');
  const submit = form.getByRole('button', { name: 'Change Password' });

  await test.step('faults are shown at their fields, the first has the focus', async () => {
    await submit.click();
    await expect(current).toBeFocused();
    await expect(form.getByText('Password is required')).toBeVisible();
    await expect(form.getByText('Password must be at least 6 characters')).toBeVisible();
    await expect(form.getByText('Please repeat the new password')).toBeVisible();
    await current.fill(cpa.password);
    await next.fill('quite long');
    await repeated.fill('quite lonG');
    await submit.click();
    await expect(form.getByText('The passwords do not match')).toBeVisible();
    await expect(repeated).toBeFocused();
  });

  await test.step('a wrong current password is reported by the server, at its field', async () => {
    await current.fill('not the one');
    await repeated.fill('quite long');
    await submit.click();
    await expect(form.getByText('The current password is not right.')).toBeVisible();
    await expect(current).toBeFocused();
    await expect(page.getByText('Failed to change password: The current password is not right.')).toBeVisible();
  });

  await test.step('a server in trouble keeps what was typed', async () => {
    await page.route('**/api/auth/password', (route) => route.fulfill({ status: 500, json: { message: 'Try later' } }));
    await current.fill(cpa.password);
    await submit.click();
    await expect(page.getByText('Failed to change password: Try later')).toBeVisible();
    await expect(next).toHaveValue('quite long');
    await page.unroute('**/api/auth/password');
  });

  await test.step('it is changed; what goes on by itself until the answer is there is not refused', async () => {
    const held = Promise.withResolvers<void>();
    await page.route('**/api/auth/password', async (route) => {
      const response = await route.fetch();
      await held.promise;
      await route.fulfill({ response });
    });
    await page.clock.install();
    const listens = page.waitForResponse('**/api/events');
    const streamEnds = page.evaluate(async () => {
      const headers = { Accept: 'text/event-stream', Authorization: `Bearer ${localStorage.getItem('token')}` };
      await (await fetch('/api/events', { headers })).text();
    });
    await listens;
    await submit.click();
    await expect(form.getByRole('button', { name: 'Changing...' })).toHaveAttribute('aria-disabled', 'true');
    // That of the page ends with it, and comes back after a second and a half at most.
    await streamEnds;
    for (let step = 0; step < 6; step += 1) await page.clock.runFor(500);
    const follows = page.waitForResponse('**/api/events');
    held.resolve();
    expect((await follows).status()).toBe(200);
    await expect(page.getByText('Password changed successfully')).toBeVisible();
    await expect(current).toHaveValue('');
    await expect(devices(page)).toHaveCount(1);
    await page.reload();
    await expect(page.getByRole('heading', { name: 'Account Settings Page' })).toBeVisible();
    await expect(elsewhere.get('/api/auth/me')).rejects.toThrow('401');
    expect(await signsIn(server.origin, cpa, cpa.password)).toBe(false);
    expect(await signsIn(server.origin, cpa, 'quite long')).toBe(true);
  });

  await test.step('where its answer is lost nobody knows, and it is said which password to try', async () => {
    await page.route('**/api/auth/password', loseAnswer, { times: 1 });
    await current.fill('quite long');
    await next.fill('longer still');
    await repeated.fill('longer still');
    await submit.click();
    await readError(
      page,
      'No answer came: your password may have been changed. Where you are asked to sign in again, try the new one first, then the old.',
    );
    await expect(next).toHaveValue('longer still');

    // Pressed again, it waits for the sign-in: the session has another token, which never came.
    await submit.click();
    const again = page.getByRole('dialog', { name: 'Sign in again' });
    await expect(again).toContainText('Your password may have been changed: try the new one first, then the old.');
    await again.getByLabel('Password', { exact: true }).fill('quite long');
    await again.getByRole('button', { name: 'Sign in', exact: true }).click();
    await expect(again.getByRole('alert')).toHaveText('Invalid username or password');
    await again.getByLabel('Password', { exact: true }).fill('longer still');
    await again.getByRole('button', { name: 'Sign in', exact: true }).click();
    await expect(again).toBeHidden();
    await expect(form).toContainText('If you have just signed in with the new one, it is changed already.');
    expect(await signsIn(server.origin, cpa, 'longer still')).toBe(true);
  });
});

test('other devices are signed out one by one and all at once', async ({ signIn, server }) => {
  const { cpa } = await seedFirm(server.origin, { reports: 0 });
  for (let nth = 0; nth < 3; nth += 1) await apiAs(server.origin, cpa);
  const other = await signIn(cpa, { failures: [401] });
  const page = await signIn(cpa, { at: null, failures: [404, 500] });
  await openSettings(page);
  await expect(devices(page)).toHaveCount(5);
  await expect(devices(page).first()).toContainText('This device');
  await expect(devices(page).first().getByRole('button')).toHaveCount(0);
  await expect(devices(page).filter({ hasText: 'This device' })).toHaveCount(1);

  await test.step('one of them, at the second attempt', async () => {
    let broken = true;
    const held = Promise.withResolvers<void>();
    await page.route('**/api/auth/sessions/*', async (route) => {
      await held.promise;
      await (broken ? route.fulfill({ status: 500, json: { message: 'Try later' } }) : route.continue());
    });
    const last = devices(page)
      .last()
      .getByRole('button', { name: /^Sign out/ });
    await last.click();
    await expect(devices(page).last().getByText('Signing out...')).toBeVisible();
    held.resolve();
    await expect(page.getByText('Failed to sign out device: Try later')).toBeVisible();
    await expect(devices(page)).toHaveCount(5);
    broken = false;
    await last.click();
    await expect(page.getByText('Device signed out successfully')).toBeVisible();
    await expect(devices(page)).toHaveCount(4);
    await expect(page.getByRole('list', { name: 'Signed-in devices' })).toBeFocused();
    await page.unroute('**/api/auth/sessions/*');
  });

  await test.step('one that another tab has signed out a moment before', async () => {
    await putToastAway(page);
    await page.route('**/api/auth/sessions/*', async (route) => {
      await route.fetch();
      await route.continue();
    });
    await devices(page)
      .last()
      .getByRole('button', { name: /^Sign out/ })
      .click();
    await expect(page.getByText('Device signed out successfully')).toBeVisible();
    await expect(devices(page)).toHaveCount(3);
  });

  await test.step('all others, after a question that can be answered no', async () => {
    const everywhere = page.getByRole('button', { name: 'Sign out everywhere else' });
    const question = page.getByRole('dialog', { name: 'Sign out everywhere else?' });
    await everywhere.click();
    await expect(question).toContainText('You stay signed in here and are signed out on 2 other devices.');
    await question.getByRole('button', { name: 'Cancel' }).click();
    await expect(question).toBeHidden();
    await expect(everywhere).toBeFocused();
    await expect(devices(page)).toHaveCount(3);
    await everywhere.click();
    await question.getByRole('button', { name: 'Sign Out' }).click();
    await expect(page.getByText('All other devices signed out successfully')).toBeVisible();
    await expect(devices(page)).toHaveCount(1);
    await expect(everywhere).toHaveCount(0);
    await page.reload();
    await expect(devices(page)).toHaveCount(1);
  });

  await test.step('who was signed out there has to sign in again', async () => {
    await other.goto('/account-settings');
    await expect(other.getByLabel('Password', { exact: true })).toBeVisible();
  });
});

test('devices are awaited in grey, and a failure offers another attempt', { tag: '@full' }, async ({
  signIn,
  server,
}) => {
  const { clientUser } = await seedFirm(server.origin, { reports: 0 });
  const page = await signIn(clientUser, { at: null, failures: [500] });
  const held = Promise.withResolvers<void>();
  let broken = true;
  await page.route('**/api/auth/sessions', async (route) => {
    await held.promise;
    await (broken ? route.fulfill({ status: 500, json: { message: 'Try later' } }) : route.continue());
  });
  await openSettings(page);
  await expect(page.getByRole('status', { name: 'Loading devices...' })).toBeVisible();
  held.resolve();
  const fault = section(page, 'Signed-in devices').getByRole('alert');
  await expect(fault).toContainText('Try later');
  broken = false;
  await fault.getByRole('button', { name: 'Retry' }).click();
  await expect(devices(page).first()).toContainText('This device');
});

const accountEvents = (page: Page) => section(page, 'Recent activity on this account').getByRole('listitem');
const aboutTab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true });

test('recent activity on an account is shown in plain words', async ({ signIn, server }) => {
  const { cpa, api } = await seedFirm(server.origin, { reports: 0 });
  const wrong = { username: cpa.username, password: 'not the one' };
  await expect(apiAs(server.origin, wrong)).rejects.toThrow('401');
  const elsewhere = await apiAs(server.origin, cpa);
  const page = await signIn(cpa, { at: null });
  await openSettings(page);
  await expect(accountEvents(page).first()).toContainText('Signed in');
  await expect(accountEvents(page).first()).toContainText(/\d\d\/\d\d\/\d{4} .* Chrome on Linux from 127\.0\.0\.1/);
  await expect(accountEvents(page).filter({ hasText: 'A sign-in failed' })).toHaveCount(0);
  await expect(page.getByRole('region', { name: 'Second factor', exact: true })).toHaveCount(0);

  await test.step('what is done on this page is shown at once', async () => {
    await page.getByRole('button', { name: 'Sign out everywhere else' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Sign Out' }).click();
    await expect(accountEvents(page).first()).toContainText('A device was signed out');
    await expect(elsewhere.get('/api/auth/me')).rejects.toThrow('401');
  });

  await test.step('and what an Admin does, by name', async () => {
    const roles = await api.get<{ id: number; name: string }[]>('/api/roles');
    const roleId = roles.find(({ name }) => name === 'Client')?.id;
    const lists = { clientIds: null, reportTypeIds: null };
    await api.put(`/api/users/${cpa.id}`, { username: cpa.username, fullName: cpa.fullName, roleId, ...lists });
    await aboutTab(page, 'Changes').click();
    await expect(accountEvents(page).first()).toContainText('Access changed');
    await expect(accountEvents(page).first()).toContainText('by Administrator');
  });

  await test.step('and what was refused, apart from the rest, once with how often', async () => {
    const client = await apiAs(server.origin, cpa);
    const wrong = { currentPassword: 'not the one', newPassword: 'another one' };
    await expect(client.post('/api/auth/password', wrong)).rejects.toThrow('40');
    for (let nth = 0; nth < 37; nth += 1) {
      await expect(client.get(`/api/clients/${900_000 + nth}`)).rejects.toThrow('404');
    }
    // By the keyboard alone.
    await page.keyboard.press('ArrowRight');
    await expect(aboutTab(page, 'Refused')).toBeFocused();
    await expect(accountEvents(page)).toHaveCount(3);
    await expect(accountEvents(page).first()).toContainText(
      'Something out of reach was refused (last: read client 900036)',
    );
    await expect(accountEvents(page).first()).toContainText(/37 times, last at \d\d\/\d\d\/\d{4}/);
    await expect(accountEvents(page).nth(1)).toContainText('Wrong current password');
    await expect(accountEvents(page).nth(2)).toContainText('A sign-in failed');
    await expect(page).toHaveURL(/activity=refusals/);
    await page.reload();
    await expect(accountEvents(page)).toHaveCount(3);
  });

  await stepInFull('older entries on the next page', async () => {
    for (let nth = 0; nth < 9; nth += 1) await apiAs(server.origin, cpa);
    await aboutTab(page, 'Sign-ins').click();
    const pages = page.getByRole('navigation', { name: 'Pages of recent activity on this account' });
    await expect(pages).toContainText(/1-10 of \d+/);
    await expect(accountEvents(page)).toHaveCount(10);
    await pages.getByRole('button', { name: 'Next page' }).click();
    await expect(pages).toContainText(/11-\d+ of \d+/);
    await expect(accountEvents(page).last()).toContainText('Signed in');
    await page.goBack();
    await expect(pages).toContainText(/1-10 of \d+/);
  });
});

test('the activity of an account is awaited in grey, may fail, and may be empty', { tag: '@full' }, async ({
  signIn,
  server,
}) => {
  const { clientUser } = await seedFirm(server.origin, { reports: 0 });
  const page = await signIn(clientUser, { at: null, failures: [500] });
  const restore = await failCalls(page, /\/api\/auth\/events/, { status: 500, message: 'Try later' });
  const release = await holdCalls(page, /\/api\/auth\/events/);
  await openSettings(page);
  const place = section(page, 'Recent activity on this account');
  await expect(place.getByRole('status', { name: 'Loading account activity...' })).toBeVisible();
  release();
  await expect(place.getByRole('alert')).toContainText('Try later');
  await restore();
  await answerList(page, /\/api\/auth\/events/, []);
  await place.getByRole('button', { name: 'Retry' }).click();
  await expect(place.getByText('Nothing has been noted yet.')).toBeVisible();
  await aboutTab(page, 'Changes').click();
  await expect(place.getByText('Nothing has been changed yet.')).toBeVisible();
  await aboutTab(page, 'Refused').click();
  await expect(place.getByText('Nothing was refused.')).toBeVisible();
});

test('what one has ordered in the background is listed with what came of it', async ({ signIn, server }) => {
  const { cpa, reports } = await seedFirm(server.origin, { reports: 1 });
  const page = await signIn(cpa, { at: null });
  await openSettings(page);
  const place = section(page, 'Background work');
  await expect(place.getByText('Nothing is being prepared for you.')).toBeVisible();

  const by = await apiAs(server.origin, cpa);
  await by.post('/api/archives', { ids: [reports[0]?.id] });
  await page.reload();
  const work = place.getByRole('listitem');
  await expect(work).toHaveCount(1);
  await expect(work).toContainText('Prepare a ZIP');
  // Asked for again until it has ended.
  await expect(work).toContainText('Done');
  await expect(work).toContainText(/Ordered .+, ended /);
  const saved = page.waitForEvent('download');
  await work.getByRole('button', { name: /^Download .+\.zip$/ }).click();
  expect((await saved).suggestedFilename()).toMatch(/\.zip$/);

  await stepInFull('a ZIP that is removed is offered no more', async () => {
    const [zip] = await by.get<{ id: number }[]>('/api/archives');
    await by.delete(`/api/archives/${zip?.id}`);
    await page.reload();
    await expect(work).toContainText('Done');
    await expect(work.getByRole('button')).toHaveCount(0);
  });
});

test('theme and table density act at once and are remembered', async ({ signIn, server }) => {
  await seedFirm(server.origin, { reports: 0 });
  const page = await signIn(ADMIN, { at: null, colorScheme: 'light' });
  const rowHeight = async () => {
    await page.goto('/report-types');
    const row = page.getByRole('row').last();
    await expect(row).toContainText('Quarterly 941');
    return (await row.boundingBox())?.height ?? 0;
  };
  const comfortable = await rowHeight();

  await openSettings(page);
  const appearance = section(page, 'Appearance');
  await expect(appearance.getByRole('radio', { name: 'System' })).toBeChecked();
  await expect(appearance.getByRole('radio', { name: 'Comfortable' })).toBeChecked();
  await appearance.getByText('Dark', { exact: true }).click();
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark');
  await appearance.getByText('Compact', { exact: true }).click();
  const compact = await rowHeight();
  expect(compact).toBeLessThan(comfortable - 5);
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark');

  await openSettings(page);
  await expect(appearance.getByRole('radio', { name: 'Dark' })).toBeChecked();
  await expect(appearance.getByRole('radio', { name: 'Compact' })).toBeChecked();
  await stepInFull('another browser has the density too, and the theme is of this one', async () => {
    const elsewhere = await signIn(ADMIN, { at: '/report-types', colorScheme: 'light', fresh: true });
    await expect(elsewhere.locator('html')).toHaveAttribute('data-density', 'compact');
    await expect(elsewhere.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'light');
  });
  await test.step('the menu behind the avatar changes the same, by keys too', async () => {
    const button = page.getByRole('button', { name: /, account menu$/ });
    await button.press('Enter');
    const menu = page.getByRole('dialog', { name: 'Account menu' });
    await expect(menu.getByRole('radio', { name: 'Dark' })).toBeChecked();
    await menu.getByText('Light', { exact: true }).click();
    await expect(appearance.getByRole('radio', { name: 'Light' })).toBeChecked();
    await page.keyboard.press('Escape');
    await expect(menu).toBeHidden();
    await expect(button).toBeFocused();
    await button.click();
    await menu.getByRole('button', { name: 'Keyboard shortcuts' }).click();
    await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
    await page.keyboard.press('Escape');
  });
  await appearance.getByText('System', { exact: true }).click();
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'light');
  await appearance.getByText('Comfortable', { exact: true }).click();
  expect(await rowHeight()).toBe(comfortable);
});
