// SAFEGUARDS=on in the browser: the step-up, and the end of idle sessions.
import { expect, type Page } from '@playwright/test';
import { letPass, letPassUntil, stopClock } from './clock.ts';
import { appCode, confirmation, enter, heading, PASSWORD, test } from './safeguards-firm.ts';
import { codeOf, enrolThroughApi, wrongCodeOf } from './second-factor.ts';
import { settle } from './settle.ts';
import { toastOf } from './toast.ts';

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

  await test.step('an import whose question is canceled keeps its preview, and goes on after an answer', async () => {
    await page.getByRole('main').getByRole('button', { name: 'Import users' }).click();
    const list = page.getByRole('dialog', { name: 'Import Users' });
    const rows = `Full Name,Username,Role,Password\nHedda Quist,hedda.quist,CPA,${PASSWORD}`;
    await list.getByRole('textbox', { name: 'Or paste rows here' }).fill(rows);
    await list.getByRole('button', { name: 'Preview' }).click();
    const sending = list.getByRole('button', { name: 'Import 1 user' });
    await expect(sending).toBeEnabled();
    firm.letTimePass();
    await sending.click();
    await expect(appCode(page)).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(toastOf(page, 'alert')).toContainText('Failed to import: Please confirm first that it is you.');
    await expect(sending).toBeEnabled();
    await expect(question).toBeHidden();
    await sending.click();
    await appCode(page).fill(codeOf(admin.key));
    await expect(toastOf(page, 'status')).toContainText('1 user imported successfully');
    await expect(page.getByRole('row').filter({ hasText: 'hedda.quist' })).toBeVisible();
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

test('an idle session warns, is kept alive by use in any tab, and ends with the dialog to sign in again', {
  tag: '@full',
}, async ({ visit, firm, server }) => {
  const person = await firm.hire('Sunniva Okoye');
  const enrolled = await enrolThroughApi(server.origin, person);
  const page = await visit();
  await page.clock.install();
  // The server tells of uses by its own clock, which nobody moves.
  await page.context().route('**/api/events', () => undefined);
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
