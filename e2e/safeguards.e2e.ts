// SAFEGUARDS=on in the browser: the second factor at sign-in, and its first set-up.
import { readFileSync } from 'node:fs';
import { expect } from '@playwright/test';
import { login, stepInFull } from './fixtures.ts';
import { appCode, heading, keepRecoveryCodes, PASSWORD, signOut, test } from './safeguards-firm.ts';
import { addPasskeyDevice, codeOf, enrolThroughApi, wrongCodeOf } from './second-factor.ts';
import { isInSight, toastOf } from './toast.ts';

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
  const verify = page.getByRole('button', { name: 'Verify' });
  await page.setViewportSize({ width: 360, height: 480 });
  await verify.evaluate((node) => node.scrollIntoView({ block: 'end' }));
  await page.getByRole('button', { name: 'Copy key' }).click();
  await expect(toastOf(page, 'status')).toContainText('Key copied');
  for (const part of [verify, page.getByRole('button', { name: 'Back', exact: true })]) {
    await expect.poll(() => isInSight(part), `${part} beside the toast`).toBe(true);
  }
  await page.setViewportSize({ width: 1280, height: 720 });
  expect(await inClipboard()).toBe(key.replaceAll(' ', ''));

  await verify.click();
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
  await test.step('whoever signs in in another tab meanwhile takes no codes away', async () => {
    const other = await page.context().newPage();
    await other.goto('/login');
    await login(other, person);
    await other.getByRole('button', { name: 'Use a recovery code' }).click();
    await other.getByLabel('Recovery code').fill(copied.split('\n')[0] ?? '');
    await other.getByLabel('Recovery code').press('Enter');
    await expect(other).toHaveURL(/\/$/);
    await other.close();
  });
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
