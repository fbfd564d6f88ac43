// The login page: fields and faults, what a failure says, and where one arrives after signing in.
import { expect, type Page } from '@playwright/test';
import { breadth } from '#server/testing/breadth.ts';
import { login, stepInFull } from './fixtures.ts';
import { ADMIN } from './server.ts';
import { test } from './visit.ts';

const faultOf = (page: Page, title: string) => page.getByRole('alert').filter({ hasText: title });

/** What the browser stores of a session. */
const stored = (page: Page) => page.evaluate(() => [localStorage.getItem('token'), localStorage.getItem('user')]);

test('both fields are required, and say so', { tag: '@full' }, async ({ visit }) => {
  const page = await visit();
  await page.goto('/login');
  await expect(page).toHaveTitle(/^Login/);
  await expect(page.getByLabel('Username')).toBeFocused();
  await page.getByRole('button', { name: 'Login', exact: true }).click();
  await expect(page.getByText('Username is required')).toBeVisible();
  await expect(page.getByText('Password is required')).toBeVisible();
  await expect(page.getByLabel('Username')).toBeFocused();
  await expect(page.getByLabel('Username')).toHaveAttribute('aria-invalid', 'true');

  await page.getByLabel('Username').fill('   ');
  await expect(page.getByText('Username is required')).toHaveCount(0);
  await page.getByLabel('Username').press('Enter');
  await expect(page.getByText('Username is required')).toBeVisible();

  await page.getByLabel('Username').fill('somebody');
  await page.getByLabel('Username').press('Enter');
  await expect(page.getByText('Username is required')).toHaveCount(0);
  await expect(page.getByLabel('Password', { exact: true })).toBeFocused();
  await expect(page).toHaveURL(/\/login$/);

  const password = page.getByLabel('Password', { exact: true });
  await expect(password).toHaveAttribute('aria-required', 'true');
  await expect(password).toHaveAttribute('type', 'password');
  await test.step('Caps Lock is said while somebody types', async () => {
    const type = (on: boolean) => password.dispatchEvent('keydown', { key: 'A', bubbles: true, modifierCapsLock: on });
    await type(true);
    await expect(page.getByText('Caps Lock is on')).toBeVisible();
    await type(false);
    await expect(page.getByText('Caps Lock is on')).toHaveCount(0);
  });
  await page.getByRole('button', { name: 'Show password' }).click();
  await expect(password).toHaveAttribute('type', 'text');
});

test('help is on the page: a forgotten password, the secure note, support', async ({ visit }) => {
  const page = await visit();
  await page.goto('/login?next=%2Fclients');
  await expect(page.getByText('Secure Login')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Contact Support' })).toHaveAttribute(
    'href',
    'mailto:support@example.com',
  );
  await page.getByRole('link', { name: 'Forgot password' }).click();
  await expect(page.getByText('Please ask your accounting firm.', { exact: false })).toBeVisible();
  await expect(page, 'the page to go on to is kept').toHaveURL(/next=%2Fclients$/);
});

test('a firm without a support address has one at its own host', async ({ visit }) => {
  const page = await visit();
  await page.route('**/login', async (route) => {
    const answer = await route.fetch();
    const body = (await answer.text()).replace('content="support@example.com"', 'content=""');
    await route.fulfill({ response: answer, body });
  });
  await page.goto('/login');
  await expect(page.getByText('Secure Login')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Contact Support' })).toHaveAttribute(
    'href',
    `mailto:support@${new URL(page.url()).hostname}`,
  );
});

test('a login that fails says why and leaves the person signed out', async ({ visit }) => {
  const page = await visit({ noise: /status of (401|429|502)|net::ERR_/ });
  await page.goto('/login');

  await test.step('the server says why', async () => {
    await login(page, { username: 'admin', password: 'not this one' });
    const toast = faultOf(page, 'Invalid username or password');
    await expect(toast).toContainText('Login failed');
    // A mistyped password is nothing to look up in a log.
    await expect(toast.getByText(/request/i)).toHaveCount(0);
    await expect(page.getByLabel('Password', { exact: true })).toBeFocused();
    expect(await stored(page)).toEqual([null, null]);
    await expect(page).toHaveURL(/\/login$/);
    await toast.getByRole('button', { name: 'Dismiss' }).click();
    await expect(page.getByRole('main').getByText('Invalid username or password')).toBeVisible();
  });

  await stepInFull('something in between answers without a message', async () => {
    await page.route('**/api/auth/login', (route) => route.fulfill({ status: 502, body: '<html>Bad Gateway</html>' }));
    await login(page, ADMIN);
    await expect(page.getByRole('alert').getByText('Login failed', { exact: true })).toHaveCount(2);
    await page.getByRole('button', { name: 'Dismiss' }).click();
  });

  await stepInFull('nothing answers', async () => {
    await page.unroute('**/api/auth/login');
    await page.route('**/api/auth/login', (route) => route.abort());
    await login(page, ADMIN);
    await expect(faultOf(page, 'The server cannot be reached.')).toContainText('Login failed');
    await page.getByRole('button', { name: 'Dismiss' }).click();
  });

  await stepInFull('what failed is no error at all', async () => {
    // An answer that breaks off is told as none: this one throws no Error where its status is read.
    await page.evaluate("globalThis.fetch = async () => ({ get ok() { throw 'nothing that can be read'; } })");
    await login(page, ADMIN);
    await expect(faultOf(page, 'Unknown error occurred')).toContainText('Login failed');
    expect(await stored(page)).toEqual([null, null]);
  });
});

test('a locked-out user reads how long and whom to ask, for as long as it takes to read', { tag: '@full' }, async ({
  visit,
}) => {
  const page = await visit({ noise: /status of (429|401)/ });
  await page.goto('/login');
  const words = 'Too many attempts. Please try again in 12 minutes, or ask your firm to set a new password for you.';
  await page.route('**/api/auth/login', (route) =>
    route.fulfill({ status: 429, json: { message: words, code: 'locked_out', requestId: 'locked' } }),
  );
  await login(page, ADMIN);
  const toast = faultOf(page, 'Login failed');
  await expect(toast).toContainText(words);
  await toast.getByRole('button', { name: 'Dismiss' }).click();
  await expect(page.getByRole('main').getByText(words)).toBeVisible();

  await page.unroute('**/api/auth/login');
  await login(page, { ...ADMIN, password: 'not this one' });
  await expect(faultOf(page, 'Invalid username or password')).toBeVisible();
  await expect(page.getByText(words)).toHaveCount(0);
});

test('while it is on its way the login cannot be sent twice', { tag: '@full' }, async ({ visit }) => {
  const page = await visit();
  await page.goto('/login');
  let calls = 0;
  const held = Promise.withResolvers<void>();
  await page.route('**/api/auth/login', async (route) => {
    calls += 1;
    await held.promise;
    await route.continue();
  });
  await login(page, ADMIN);
  const button = page.getByRole('button', { name: 'Signing in...' });
  await expect(button).toBeDisabled();
  await page.getByLabel('Password', { exact: true }).press('Enter');
  held.resolve();
  await expect(page).toHaveURL(/\/$/);
  expect(calls).toBe(1);
});

test('a page requested while signed out opens after the sign-in; after a logout one starts at home', async ({
  visit,
}) => {
  const page = await visit();
  await page.goto('/activity?action=upload');
  await expect(page).toHaveURL(/\/login\?next=/);
  await login(page, ADMIN);
  await expect(page).toHaveURL(/\/activity\?action=upload$/);

  await page.goto('/login');
  await expect(page, 'a signed-in person has no business at the login').toHaveURL(/\/$/);
  await page.goto('/login?next=%2Fclients%3Fq%3Dpine');
  await expect(page).toHaveURL(/\/clients\?q=pine$/);

  await page.getByRole('banner').getByRole('button', { name: 'Logout' }).click();
  await expect(page).toHaveURL(/\/login$/);
  expect(await stored(page)).toEqual([null, null]);
  await login(page, ADMIN);
  await expect(page).toHaveURL(/\/$/);
});

const ELSEWHERE = [
  '//evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '/\t/evil.example',
  '/.//evil.example',
  '/a/..//evil.example',
  'https:evil.example',
  'https://evil.example',
  'javascript:document.title=1',
  '%2F%2Fevil.example',
  '/login?next=/login',
];

test('E7: the way back never leads out of the portal', async ({ visit, server }) => {
  const page = await visit();
  await page.goto(`/login?next=${encodeURIComponent('//evil.example/steal')}`);
  await login(page, ADMIN);
  await expect(page).toHaveURL(`${server.origin}/`);

  for (const next of breadth(ELSEWHERE.slice(0, 2), ELSEWHERE)) {
    await page.goto(`/login?next=${encodeURIComponent(next)}`);
    await expect(page.getByRole('heading', { name: /^Welcome, / }), next).toBeVisible();
    expect(page.url(), next).toBe(`${server.origin}/`);
  }
});
