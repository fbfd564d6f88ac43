// SAFEGUARDS=on in the browser: second factors in the account settings, and their reset by an Admin.
import { expect } from '@playwright/test';
import { appCode, confirmation, enter, heading, keepRecoveryCodes, test } from './safeguards-firm.ts';
import { addPasskeyDevice, codeOf, enrolThroughApi } from './second-factor.ts';
import { toastOf } from './toast.ts';

test('second factors are added and removed in the account settings, and one always stays', async ({
  visit,
  firm,
  server,
}) => {
  const person = await firm.hire('Renske Aldous');
  const enrolled = await enrolThroughApi(server.origin, person);
  const page = await visit({ noise: /status of (401|403|404)/ });
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
    const passkey = confirmation(page).getByRole('button', { name: 'Use a passkey' });
    await passkey.waitFor();
    // Nor is the page left while they are made: nobody would see them.
    await page.goBack();
    await passkey.click();
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

  await test.step('a passkey that another tab has removed by then is removed', async () => {
    await page.route('**/api/auth/factors/passkeys/*', async (route) => {
      await route.fetch();
      await route.fulfill({ response: await route.fetch() });
    });
    await section.getByRole('button', { name: 'Remove passkey Blue key' }).click();
    const asked = page.getByRole('dialog', { name: 'Remove passkey Blue key?' });
    await asked.getByRole('button', { name: 'Remove' }).click();
    await expect(toastOf(page, 'status')).toContainText('Passkey removed successfully');
    await expect(rows.filter({ hasText: 'Blue key' })).toHaveCount(0);
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
