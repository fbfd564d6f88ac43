// SAFEGUARDS=on in the browser: the second factor at sign-in, its first set-up, the step-up, and the end of idle sessions.
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, type Locator, type Page } from '@playwright/test';
import { ageSecondFactors } from '../server/testing/age-second-factors.ts';
import { apiWith } from './api.ts';
import { letPass, letPassUntil, stopClock } from './clock.ts';
import { login, stepInFull } from './fixtures.ts';
import { addPasskeyDevice, codeOf, type Enrolled, enrolThroughApi, wrongCodeOf } from './second-factor.ts';
import { ADMIN, startServer } from './server.ts';
import { settle } from './settle.ts';
import { toastOf } from './toast.ts';
import { test as base } from './visit.ts';

interface Person {
  readonly id: number;
  readonly username: string;
  readonly password: string;
}

interface Firm {
  readonly admin: Enrolled;
  /** Makes a CPA user who has yet to sign in. */
  readonly hire: (fullName: string) => Promise<Person>;
  /** Invites somebody new; the address of the link. */
  readonly invite: (fullName: string) => Promise<string>;
  /** As if time had passed: a proof given before is old, and a code taken before is forgotten. */
  readonly letTimePass: () => void;
}

const PASSWORD = 'quarterly orchard';

const test = base.extend<object, { folder: string; firm: Firm }>({
  folder: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the pattern to see what a fixture depends on
    async ({}, use) => {
      const folder = mkdtempSync(join(tmpdir(), 'coffer-safeguards-'));
      await use(folder);
      rmSync(folder, { recursive: true, force: true });
    },
    { scope: 'worker' },
  ],
  server: [
    async ({ folder }, use) => {
      const server = await startServer({ SAFEGUARDS: 'on', DATA_DIR: folder });
      // Passkeys belong to a name: an address of numbers has none.
      await use({ ...server, origin: server.origin.replace('127.0.0.1', 'localhost') });
      await server.stop();
    },
    { scope: 'worker' },
  ],
  firm: [
    async ({ server, folder }, use) => {
      const admin = await enrolThroughApi(server.origin, ADMIN);
      const api = apiWith(server.origin, admin.token);
      const roles = await api.get<{ id: number; name: string }[]>('/api/roles');
      const roleId = roles.find(({ name }) => name === 'CPA')?.id;
      const letTimePass = () => ageSecondFactors(join(folder, 'coffer.db'));
      /** Creating a person takes a step-up, and the tests take longer than one lasts. */
      const confirmIdentity = async () => {
        letTimePass();
        const { status } = await fetch(`${server.origin}/api/auth/reauth`, {
          method: 'POST',
          headers: { authorization: `Bearer ${admin.token}`, 'content-type': 'application/json' },
          body: JSON.stringify({ factor: { method: 'totp', code: codeOf(admin.key) } }),
        });
        expect(status).toBe(204);
      };
      await use({
        admin,
        hire: async (fullName) => {
          const username = fullName.toLowerCase().replaceAll(' ', '.');
          const lists = { clientIds: null, reportTypeIds: null };
          const user = { username, password: PASSWORD, fullName, roleId, ...lists };
          await confirmIdentity();
          const { id } = await api.post<{ id: number }>('/api/users', user);
          return { id, username, password: PASSWORD };
        },
        invite: async (fullName) => {
          const invitation = randomBytes(32).toString('base64url');
          const username = fullName.toLowerCase().replaceAll(' ', '.');
          await confirmIdentity();
          await api.post('/api/users', { username, password: null, invitation, fullName, roleId });
          return `/invitation#${invitation}`;
        },
        letTimePass,
      });
    },
    { scope: 'worker' },
  ],
});

const appCode = (page: Page | Locator) => page.getByLabel('Code from your authenticator app');
const heading = (page: Page, name: string) => page.getByRole('main').getByRole('heading', { name, exact: true });
const confirmation = (page: Page) => page.getByRole('dialog', { name: 'Confirm that it is you' });
const signOut = (page: Page) => page.getByRole('banner').getByRole('button', { name: 'Logout' }).click();

/** Opens `path` in a session that was begun elsewhere. */
async function enter(page: Page, { token }: Enrolled, path: string): Promise<void> {
  await page.goto('/login');
  await page.evaluate(async (bearer) => {
    const me = await fetch('/api/auth/me', { headers: { authorization: `Bearer ${bearer}` } });
    localStorage.setItem('user', await me.text());
    localStorage.setItem('token', bearer);
  }, token);
  await page.goto(path);
}

/** Reads the ten codes that are shown, confirms that they are kept, and continues. */
async function keepRecoveryCodes(page: Page, goOn: string): Promise<string[]> {
  const codes = page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem');
  await expect(codes).toHaveCount(10);
  const shown = await codes.allTextContents();
  await expect(page.getByRole('button', { name: goOn })).toBeDisabled();
  await page.getByLabel('I have kept these codes').check();
  await page.getByRole('button', { name: goOn }).click();
  return shown;
}

test('who was invited chooses a password, sets up a second factor, and is led home', async ({ visit, firm }) => {
  const page = await visit({ noise: /status of 404/, hasTouch: true });
  await page.goto(await firm.invite('Ida Marchetti'));
  await page.getByLabel('New password', { exact: true }).fill(PASSWORD);
  await page.getByLabel('Repeat new password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Join' }).click();
  await expect(heading(page, 'Set up a second factor')).toBeVisible();
  await page.getByRole('button', { name: 'Authenticator app' }).click();
  const key = await page.getByRole('definition').innerText();
  // An app on the same phone cannot scan the code.
  const opened = page.getByRole('link', { name: 'Open your authenticator app' });
  await expect(opened).toHaveAttribute('href', new RegExp(`^otpauth://totp/.*secret=${key.replaceAll(' ', '')}`));
  await page.getByLabel('Code that the app shows').fill(codeOf(key));
  await keepRecoveryCodes(page, 'Continue');
  await expect(page).toHaveURL(/\/$/);
  await expect(page.getByRole('banner').getByText('Welcome, Ida Marchetti')).toBeVisible();
});

test('the first sign-in sets up an authenticator app, shows the recovery codes once, and leads on', async ({
  visit,
  firm,
}) => {
  const person = await firm.hire('Odile Brandt');
  const page = await visit({ noise: /status of 401/ });
  await page.goto('/cpa-dashboard');
  await login(page, person);
  await expect(heading(page, 'Set up a second factor')).toBeVisible();
  await page.getByRole('button', { name: 'Authenticator app' }).click();
  await expect(page.getByRole('img', { name: 'QR code for your authenticator app' })).toBeVisible();
  const key = await page.getByRole('definition').innerText();
  expect(key).toMatch(/^([A-Z2-7]{4} ?)+$/);
  await expect(page.getByRole('link', { name: 'Open your authenticator app' })).toHaveCount(0);
  const code = page.getByLabel('Code that the app shows');
  await expect(code).toBeFocused();
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const inClipboard = () => page.evaluate<string>('navigator.clipboard.readText()');
  await page.getByRole('button', { name: 'Copy key' }).click();
  await expect(toastOf(page, 'status')).toContainText('Key copied');
  expect(await inClipboard()).toBe(key.replaceAll(' ', ''));

  await page.getByRole('button', { name: 'Verify' }).click();
  await expect(page.getByText('Enter the six digits that the app shows')).toBeVisible();
  await code.fill(wrongCodeOf(key));
  await expect(page.getByText('This code or passkey is not right. Please try again.')).toBeVisible();
  await expect(page.getByText(/have your phone set its clock by itself\.$/)).toBeVisible();
  await code.fill(codeOf(key));
  // The field is gone, and the focus is where it says what is there.
  await expect(page.getByText('Keep these recovery codes where only you find them.')).toBeFocused();

  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download' }).click();
  const saved = readFileSync(await (await saving).path(), 'utf8');
  await page.getByRole('button', { name: 'Copy' }).click();
  await expect(toastOf(page, 'status')).toContainText('Recovery codes copied');
  const copied = await inClipboard();
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByText(`Coffer recovery codes of ${person.username}`)).toBeVisible();
  await expect(heading(page, 'Set up a second factor'), 'paper holds the codes alone').toBeHidden();
  await page.emulateMedia({ media: 'screen' });
  expect(await page.evaluate(() => localStorage.getItem('token')), 'no session before the codes are kept').toBeNull();
  const codes = await keepRecoveryCodes(page, 'Continue');
  for (const each of codes) expect(saved).toContain(each);
  expect(copied.split('\n')).toEqual(codes);
  await expect(page).toHaveURL(/\/cpa-dashboard$/);
  await expect(heading(page, 'Payroll Reports')).toBeVisible();
});

test('the second sign-in asks for a code; a wrong, a replayed and a used one open nothing', async ({
  visit,
  firm,
  server,
}) => {
  const person = await firm.hire('Piers Lindqvist');
  const { key, recoveryCodes } = await enrolThroughApi(server.origin, person);
  firm.letTimePass();
  const page = await visit({ noise: /status of 401/ });
  await page.goto('/account-settings');
  await login(page, person);
  await expect(heading(page, 'Confirm that it is you')).toBeVisible();
  await expect(appCode(page)).toBeFocused();
  await expect(page.getByRole('button', { name: 'Use a passkey' })).toHaveCount(0);

  const code = codeOf(key);
  await appCode(page).fill(wrongCodeOf(key));
  const refused = page.getByRole('alert').filter({ hasText: 'This code or passkey is not right.' });
  await expect(refused).toBeVisible();
  await expect(page.getByText(/have your phone set its clock by itself\.$/)).toBeVisible();
  await appCode(page).pressSequentially(`${code.slice(0, 3)} ${code.slice(3)}`);
  await expect(page).toHaveURL(/\/account-settings$/);
  await signOut(page);

  await test.step('the same code a second time', async () => {
    await login(page, person);
    await appCode(page).fill(code);
    await expect(refused).toBeVisible();
  });

  const spent = recoveryCodes[0] ?? '';
  await test.step('a recovery code, once', async () => {
    await page.getByRole('button', { name: 'Use a recovery code' }).click();
    await page.getByRole('button', { name: 'Verify' }).click();
    await expect(page.getByText('Recovery code is required')).toBeVisible();
    // A phone would make words of its letters.
    await expect(page.getByLabel('Recovery code')).toHaveAttribute('autocorrect', 'off');
    await page.getByLabel('Recovery code').fill(spent.toLowerCase());
    await page.getByLabel('Recovery code').press('Enter');
    await expect(page).toHaveURL(/\/$/);
    await signOut(page);
    await login(page, person);
    await page.getByRole('button', { name: 'Use a recovery code' }).click();
    await page.getByLabel('Recovery code').fill(spent);
    await page.getByLabel('Recovery code').press('Enter');
    await expect(refused).toBeVisible();
  });

  await stepInFull('after five wrong ones only the password begins anew', async () => {
    await page.getByRole('button', { name: 'Use the code of your app' }).click();
    const wrong = wrongCodeOf(key);
    for (let tries = 2; tries <= 5; tries += 1) {
      await appCode(page).fill('');
      await appCode(page).fill(wrong);
      await expect(refused).toBeVisible();
    }
    await appCode(page).fill('');
    await appCode(page).fill(codeOf(key));
    await expect(page.getByText('This sign-in took too long or was tried too often.')).toBeVisible();
    await page.getByRole('button', { name: 'Sign in again' }).click();
    await expect(heading(page, 'Login')).toBeVisible();
    await expect(page.getByLabel('Username')).toHaveValue(person.username);
    await expect(page.getByLabel('Password', { exact: true })).toHaveValue('');
  });
});

/** Runs in the page: the person waves the browser's own question away, once. */
const DISMISS_ONCE = `
  const { get } = navigator.credentials;
  navigator.credentials.get = () => {
    navigator.credentials.get = get;
    return Promise.reject(new DOMException('', 'NotAllowedError'));
  };
`;

test('a passkey is set up at the first sign-in and signs in afterwards', async ({ visit, firm }) => {
  const person = await firm.hire('Quentin Abara');
  // What the home asks while somebody signs out may be refused.
  const page = await visit({ noise: /status of 401/ });
  await addPasskeyDevice(page);
  await page.goto('/login');
  await login(page, person);
  await page.getByRole('button', { name: 'Passkey' }).click();
  await page.getByRole('button', { name: 'Create passkey' }).click();
  await expect(page.getByText('Please name the passkey')).toBeVisible();
  await page.getByLabel('Name of the passkey').fill('Office laptop');
  await page.getByLabel('Name of the passkey').press('Enter');
  await keepRecoveryCodes(page, 'Continue');
  await expect(page).toHaveURL(/\/$/);
  await signOut(page);

  await login(page, person);
  await expect(appCode(page)).toHaveCount(0);
  await page.evaluate(DISMISS_ONCE);
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await expect(page.getByText('No passkey was used. Try again, or choose another way.')).toBeVisible();
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await expect(heading(page, 'Dashboard')).toBeVisible();
});

test('an act that needs a step-up asks for it, and continues once it is given', async ({ visit, firm }) => {
  const { admin } = firm;
  // Something is in the log.
  await firm.hire('Ursel Mbeki');
  const page = await visit({ noise: /status of (401|403)/ });
  await enter(page, admin, '/activity');
  firm.letTimePass();
  const exported = page.getByRole('button', { name: 'Export CSV' });
  const question = confirmation(page);

  await test.step('it can be cancelled, and then nothing is done', async () => {
    await exported.click();
    await expect(question).toBeVisible();
    await expect(appCode(page)).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(question).toBeHidden();
    await expect(toastOf(page, 'alert')).toContainText(
      'Failed to export activity: Please confirm first that it is you.',
    );
    await expect(exported).toBeFocused();
  });

  await test.step('a wrong code is reported, the right one saves the file', async () => {
    await exported.click();
    await appCode(page).fill(wrongCodeOf(admin.key));
    await expect(question.getByRole('alert')).toHaveText('This code or passkey is not right. Please try again.');
    const saving = page.waitForEvent('download');
    await appCode(page).fill(codeOf(admin.key));
    await saving;
    await expect(question).toBeHidden();
  });

  await test.step('for a while nothing asks again; later an open dialog stays below', async () => {
    await page.goto('/users');
    await page.getByRole('button', { name: 'Add User' }).click();
    const form = page.getByRole('dialog', { name: 'Add New User' });
    await form.getByLabel('Username').fill('second.admin');
    await form.getByLabel('Password', { exact: true }).fill('passwordpassword');
    await form.getByLabel('Full Name').fill('Second Admin');
    await form.getByRole('combobox', { name: 'Role' }).click();
    await page.getByRole('option', { name: 'Admin', exact: true }).click();
    await form.getByRole('button', { name: 'Create User' }).click();
    await expect(form.getByText('This password is one of those tried first.')).toBeVisible();
    await form.getByLabel('Password', { exact: true }).fill(PASSWORD);
    firm.letTimePass();
    await form.getByRole('button', { name: 'Create User' }).click();
    await expect(appCode(page)).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(question).toBeHidden();
    await expect(form.getByText('Discard unsaved changes?')).toHaveCount(0);
    await expect(form.getByRole('button', { name: 'Create User' })).toBeFocused();
    await page.keyboard.press('Enter');
    await appCode(page).fill(codeOf(admin.key));
    await expect(toastOf(page, 'status')).toContainText('User created successfully');
    await expect(page.getByRole('row').filter({ hasText: 'second.admin' })).toBeVisible();
  });
});

test('a session that ends during a step-up is renewed, and the act is done', async ({ visit, firm, server }) => {
  const person = await firm.hire('Wendeline Roth');
  const enrolled = await enrolThroughApi(server.origin, person);
  const page = await visit({ noise: /status of (401|403)/ });
  await enter(page, enrolled, '/account-settings');
  firm.letTimePass();
  await page.getByLabel('Current password').fill(person.password);
  await page.getByLabel('New password', { exact: true }).fill('another orchard');
  await page.getByLabel('Repeat new password').fill('another orchard');
  await page.getByRole('button', { name: 'Change Password' }).click();
  await expect(confirmation(page)).toBeVisible();

  const authorization = `Bearer ${enrolled.token}`;
  await fetch(`${server.origin}/api/auth/logout`, { method: 'POST', headers: { authorization } });
  await appCode(page).fill(codeOf(enrolled.key));
  const again = page.getByRole('dialog', { name: 'Sign in again' });
  await again.getByLabel('Password', { exact: true }).fill(person.password);
  await again.getByRole('button', { name: 'Sign in', exact: true }).click();
  await appCode(again).fill(codeOf(enrolled.key));
  await expect(toastOf(page, 'status')).toContainText('Password changed successfully');
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test('second factors are added and removed in the account settings, and one always stays', async ({
  visit,
  firm,
  server,
}) => {
  const person = await firm.hire('Renske Aldous');
  const enrolled = await enrolThroughApi(server.origin, person);
  const page = await visit({ noise: /status of (401|403)/ });
  await addPasskeyDevice(page);
  await enter(page, enrolled, '/account-settings');
  const section = page.getByRole('region', { name: 'Second factor', exact: true });
  const rows = section.getByRole('listitem');
  await expect(rows).toHaveCount(2);
  await expect(rows.filter({ hasText: 'Recovery codes' })).toContainText('10 of 10 left');
  await expect(section.getByRole('button', { name: 'Remove authenticator app' })).toHaveCount(0);

  await test.step('a passkey, after the step-up', async () => {
    firm.letTimePass();
    const add = section.getByRole('button', { name: 'Add a passkey' });
    await add.click();
    await expect(page.getByLabel('Name of the passkey')).toBeFocused();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await expect(add).toBeFocused();
    await add.click();
    await page.getByLabel('Name of the passkey').fill('Blue key');
    await page.getByRole('button', { name: 'Create passkey' }).click();
    await appCode(page).fill(codeOf(enrolled.key));
    await expect(toastOf(page, 'status')).toContainText('Passkey added successfully');
    await expect(rows.filter({ hasText: 'Blue key' })).toContainText('Not used yet');
    await expect(page.getByRole('dialog')).toHaveCount(0);
  });

  await test.step('new recovery codes, confirmed by the passkey', async () => {
    const sidebar = page.getByRole('navigation', { name: 'Main' });
    await sidebar.getByRole('link', { name: 'Dashboard' }).click();
    await expect(heading(page, 'Dashboard')).toBeVisible();
    await sidebar.getByRole('link', { name: 'Account Setting' }).click();
    firm.letTimePass();
    await section.getByRole('button', { name: 'Make new recovery codes' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Make New Codes' }).click();
    await confirmation(page).getByRole('button', { name: 'Use a passkey' }).click();
    await expect(page.getByRole('list', { name: 'Recovery codes' })).toBeVisible();
    // Back, which on a phone is a swipe, would take the only copy with it.
    await page.goBack();
    await expect(page).toHaveURL(/\/account-settings$/);
    const codes = await keepRecoveryCodes(page, 'Done');
    expect(codes).not.toContain(enrolled.recoveryCodes[0]);
    await expect(rows.filter({ hasText: 'Blue key' })).toContainText('Last used');
  });

  await test.step('the app is removed; the passkey, now the last, cannot be', async () => {
    await section.getByRole('button', { name: 'Remove authenticator app' }).click();
    const asked = page.getByRole('dialog', { name: 'Remove authenticator app?' });
    await asked.getByRole('button', { name: 'Remove' }).click();
    await expect(toastOf(page, 'status')).toContainText('Authenticator app removed successfully');
    await expect(section.getByRole('button', { name: 'Set up authenticator app' })).toBeVisible();
    await expect(section.getByRole('button', { name: 'Remove passkey Blue key' })).toHaveCount(0);
  });

  await test.step('an app is set up again', async () => {
    await section.getByRole('button', { name: 'Set up authenticator app' }).click();
    const form = page.getByRole('dialog', { name: 'Set up authenticator app' });
    await form.getByLabel('Code that the app shows').fill(codeOf(await form.getByRole('definition').innerText()));
    await expect(toastOf(page, 'status')).toContainText('Authenticator app set up successfully');
    await expect(section.getByRole('button', { name: 'Remove passkey Blue key' })).toBeVisible();
  });

  await test.step('and all of it is listed below', async () => {
    await page.getByRole('tab', { name: 'Changes', exact: true }).click();
    const accountEvents = page.getByRole('list', { name: 'Recent activity on this account' }).getByRole('listitem');
    await expect(accountEvents.filter({ hasText: 'Second factor removed' })).toHaveCount(1);
    // The first ones with the first factor, and those of just now.
    await expect(accountEvents.filter({ hasText: 'New recovery codes made' })).toHaveCount(2);
    await expect(accountEvents.first()).toContainText('Second factor added');
    await expect(accountEvents.first()).toContainText('Chrome on Linux');
  });
});

test('an idle session warns, is kept alive by use in any tab, and ends with the dialog to sign in again', {
  tag: '@full',
}, async ({ visit, firm, server }) => {
  const person = await firm.hire('Sunniva Okoye');
  const enrolled = await enrolThroughApi(server.origin, person);
  const page = await visit();
  await page.clock.install();
  await enter(page, enrolled, '/cpa-dashboard?q=spring');
  await expect(heading(page, 'Payroll Reports')).toBeVisible();
  const other = await page.context().newPage();
  await other.goto('/firm-documents');
  await expect(heading(other, 'Firm Documents')).toBeVisible();
  // An answer that is still on its way would be a use after the clock was moved. The stream of changes is always under way.
  for (const tab of [page, other]) await settle(tab);
  const warning = (tab: Page) => tab.getByRole('dialog', { name: 'Are you still there?' });

  await stopClock(page);
  /** Nobody does anything in any tab for so long; then they draw what that brings. */
  const idle = async (time: string) => {
    await page.clock.fastForward(time);
    await letPass(page, 1_000);
  };

  await test.step('two minutes before, in every tab; staying in one keeps both', async () => {
    await idle('25:20');
    await expect(warning(page)).toHaveCount(0);
    await idle('01:00');
    await expect(warning(page).getByText(/^1:\d\d$/)).toBeVisible();
    await expect(warning(page).getByRole('status')).toHaveText('2 minutes left');
    await letPassUntil(page, () => warning(other).isVisible());
    await warning(page).getByRole('button', { name: 'Stay signed in' }).click();
    for (const tab of [page, other]) await letPassUntil(page, () => warning(tab).isHidden());
  });

  await test.step('typing is use too', async () => {
    await idle('20:00');
    const confirming = page.waitForResponse('**/api/auth/me');
    await page.getByRole('main').press('Shift');
    await (await confirming).finished();
    await idle('20:00');
    await expect(warning(page)).toHaveCount(0);
    await expect(warning(other)).toHaveCount(0);
  });

  await test.step('at the end one signs in again over the page, with the second factor', async () => {
    await idle('10:00');
    await page.clock.resume();
    const again = page.getByRole('dialog', { name: 'Sign in again' });
    await expect(again.getByLabel('Username')).toHaveValue(person.username);
    await expect(other.getByRole('dialog', { name: 'Sign in again' })).toBeVisible();
    expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull();
    firm.letTimePass();
    await again.getByLabel('Password', { exact: true }).fill(person.password);
    await again.getByRole('button', { name: 'Sign in', exact: true }).click();
    await expect(appCode(page)).toBeFocused();
    await page.keyboard.press('Escape');
    await appCode(page).fill(codeOf(enrolled.key));
    await expect(again).toBeHidden();
    await expect(page).toHaveURL(/q=spring$/);
    await expect(other.getByRole('dialog')).toHaveCount(0);
  });
});

test('an Admin resets a second factor: the person is out, and sets a new one up over the page', async ({
  visit,
  firm,
  server,
}) => {
  const person = await firm.hire('Tamsin Ferreira');
  const enrolled = await enrolThroughApi(server.origin, person);
  const theirs = await visit({ noise: /status of 401/ });
  await enter(theirs, enrolled, '/firm-documents');
  await expect(heading(theirs, 'Firm Documents')).toBeVisible();

  const page = await visit({ noise: /status of 403/ });
  await enter(page, firm.admin, '/users');
  firm.letTimePass();
  await expect(page.getByRole('button', { name: 'Reset second factor of Administrator' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Reset second factor of Tamsin Ferreira' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Reset', exact: true }).click();
  await appCode(page).fill(codeOf(firm.admin.key));
  await expect(toastOf(page, 'status')).toContainText('Second factor reset successfully');

  await theirs.getByRole('navigation').getByRole('link', { name: 'Account Setting' }).click();
  const again = theirs.getByRole('dialog', { name: 'Sign in again' });
  await again.getByLabel('Password', { exact: true }).fill(person.password);
  await again.getByRole('button', { name: 'Sign in', exact: true }).click();
  await again.getByRole('button', { name: 'Authenticator app' }).click();
  await again.getByLabel('Code that the app shows').fill(codeOf(await again.getByRole('definition').innerText()));
  await keepRecoveryCodes(theirs, 'Continue');
  await expect(again).toBeHidden();
  await theirs.getByRole('tab', { name: 'Changes', exact: true }).click();
  await expect(theirs.getByRole('list', { name: 'Recent activity on this account' })).toContainText(
    'Second factor reset',
  );
});
