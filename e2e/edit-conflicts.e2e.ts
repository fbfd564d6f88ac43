// Somebody else saves what is being edited: the dialog says who and when, and loses nothing that was typed.
import { expect, type Page } from '@playwright/test';
import { type ApiCaller, apiAs } from './api.ts';
import { type Named, seedFirm } from './firm.ts';
import { test } from './fixtures.ts';
import { ADMIN } from './server.ts';
import { settle } from './settle.ts';
import { holdCalls } from './stub.ts';
import { readError, readToast } from './toast.ts';

const SENTENCE = 'This was changed by Dana Reyes less than a minute ago, while you were working on it.';

async function another(api: ApiCaller, origin: string, tag: number): Promise<ApiCaller> {
  const roleId = (await api.get<Named[]>('/api/roles')).find(({ name }) => name === 'Admin')?.id;
  const person = { username: `dana.${tag}`, password: 'browser test' };
  await api.post('/api/users', { ...person, fullName: 'Dana Reyes', roleId });
  return apiAs(origin, person);
}

const clientFacts = (name: string, address: string) => ({
  name,
  address,
  phone: '(937)-555-0117',
  federalId: '08-1112223',
  stateId: 'OH-11',
  email: 'books@example.com',
  employeeCount: 3,
  startDate: '2025-01-31',
});

async function conflictIn(page: Page, title: string) {
  const dialog = page.getByRole('dialog', { name: title });
  await expect(dialog.getByRole('alert')).toContainText(SENTENCE);
  await expect(dialog.getByRole('button', { name: 'Reload' })).toBeFocused();
  return dialog;
}

test('a client that somebody else has saved: theirs is taken, or one’s own is kept', async ({ signIn, server }) => {
  const { api, clients } = await seedFirm(server.origin, { reports: 0 });
  const [{ id, name }] = clients;
  const dana = await another(api, server.origin, id);
  const page = await signIn(ADMIN, { at: `/clients?q=${encodeURIComponent(name)}`, failures: [412] });
  await page.getByRole('button', { name: `Edit ${name}` }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit Client' });
  const [address, email] = [dialog.getByLabel('Address'), dialog.getByLabel('Email')];
  const save = dialog.getByRole('button', { name: 'Save Client' });
  const addressNow = async () => (await api.get<{ address: string }>(`/api/clients/${id}`)).address;

  await email.fill('typed@example.com');
  await dana.put(`/api/clients/${id}`, clientFacts(name, '1 First Change Road'));
  await save.click();
  await conflictIn(page, 'Edit Client');
  await expect(email).toHaveValue('typed@example.com');
  expect(await addressNow()).toBe('1 First Change Road');

  await dialog.getByRole('button', { name: 'Reload' }).click();
  await expect(address).toHaveValue('1 First Change Road');
  await expect(email).toHaveValue('books@example.com');

  await address.fill('2 My Own Road');
  await dana.put(`/api/clients/${id}`, clientFacts(name, '3 Second Change Road'));
  await save.click();
  await conflictIn(page, 'Edit Client');
  await dialog.getByRole('button', { name: 'Keep mine' }).click();
  await expect(dialog).toBeHidden();
  await readToast(page, 'status', ['Client updated successfully']);
  expect(await addressNow()).toBe('2 My Own Road');

  await test.step('what is loaded for a dialog that was left goes into no later one', async () => {
    const edit = page.getByRole('button', { name: `Edit ${name}` });
    await edit.click();
    await email.fill('first@example.com');
    await dana.put(`/api/clients/${id}`, clientFacts(name, '5 Late Change Road'));
    await save.click();
    await conflictIn(page, 'Edit Client');
    const ofClient = new RegExp(`/api/clients/${id}$`);
    const answer = await holdCalls(page, ofClient);
    await dialog.getByRole('button', { name: 'Reload' }).click();
    await expect(dialog.getByRole('button', { name: 'Reload' })).toBeDisabled();
    await dialog.getByRole('button', { name: 'Close', exact: true }).click();
    await dialog.getByRole('button', { name: 'Discard' }).click();
    await expect(dialog).toBeHidden();
    await edit.click();
    await email.fill('later@example.com');
    const loaded = page.waitForResponse(ofClient);
    answer();
    await (await loaded).finished();
    await settle(page);
    await expect(email).toHaveValue('later@example.com');
    await page.keyboard.press('Escape');
    await dialog.getByRole('button', { name: 'Discard' }).click();
    await expect(dialog).toBeHidden();
  });

  await test.step('whoever has left the page by then is told by a toast', async () => {
    await page.getByRole('link', { name, exact: true }).click();
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await email.fill('left@example.com');
    await dana.put(`/api/clients/${id}`, clientFacts(name, '4 Third Change Road'));
    const answer = await holdCalls(page, new RegExp(`/api/clients/${id}$`));
    await save.click();
    await expect(dialog.getByRole('button', { name: 'Saving...' })).toBeDisabled();
    await page.goBack();
    await expect(dialog.getByText('This is still being saved. Leave anyway?')).toBeVisible();
    await dialog.getByRole('button', { name: 'Discard' }).click();
    await expect(page).toHaveURL(/\/clients\?q=/);
    await expect(dialog).toBeHidden();
    answer();
    await readError(page, `Failed to update client: ${SENTENCE}`);
    expect(await addressNow()).toBe('4 Third Change Road');
  });
});

test('a user and a role that somebody else has saved', { tag: '@full' }, async ({ signIn, server }) => {
  const { api, cpa, clients } = await seedFirm(server.origin, { reports: 0 });
  const dana = await another(api, server.origin, cpa.id);
  const roles = await api.get<Named[]>('/api/roles');
  const page = await signIn(ADMIN, { at: `/users?q=${cpa.username}`, failures: [412] });
  await page.getByRole('button', { name: `Edit ${cpa.fullName}` }).click();
  const user = page.getByRole('dialog', { name: 'Edit User' });
  await user.getByLabel('Full Name').fill('Rosa Okafor-Lind');
  const theirs = {
    username: cpa.username,
    fullName: cpa.fullName,
    roleId: roles.find(({ name }) => name === 'CPA')?.id,
    clientIds: [clients[0].id],
  };
  await dana.put(`/api/users/${cpa.id}`, theirs);
  await user.getByRole('button', { name: 'Update User' }).click();
  await conflictIn(page, 'Edit User');
  await user.getByRole('button', { name: 'Reload' }).click();
  await expect(user.getByLabel('Full Name')).toHaveValue(cpa.fullName);
  await expect(user.getByText('Selected: 1 clients', { exact: true })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(user).toBeHidden();

  await test.step('what is changed while it is asked is kept too', async () => {
    await page.getByRole('button', { name: `Edit ${cpa.fullName}` }).click();
    await user.getByLabel('Full Name').fill('Rosa Okafor-Lind');
    await dana.put(`/api/users/${cpa.id}`, { ...theirs, fullName: 'Rosa Okafor-Berg' });
    await user.getByRole('button', { name: 'Update User' }).click();
    await conflictIn(page, 'Edit User');
    await user.getByRole('checkbox', { name: 'All clients, also later ones' }).check();
    await user.getByRole('button', { name: 'Keep mine' }).click();
    await expect(user).toBeHidden();
    await readToast(page, 'status', ['User updated successfully']);
    const saved = await api.get<{ fullName: string; allClients: boolean }>(`/api/users/${cpa.id}`);
    expect(saved).toMatchObject({ fullName: 'Rosa Okafor-Lind', allClients: true });
  });

  await test.step('what is no field is as of now too: the invitation that ended with the mail address', async () => {
    const invited = { username: `invited.${cpa.id}`, fullName: 'Ivo Sand', roleId: theirs.roleId };
    const secret = String(cpa.id).padStart(43, 'i');
    const made = { ...invited, email: 'ivo@example.com', password: null, invitation: secret };
    const { id } = await api.post<Named>('/api/users', made);
    await page.goto(`/users?q=${invited.username}`);
    await page.getByRole('button', { name: 'Edit Ivo Sand' }).click();
    await expect(user.getByText(/^Invited until /)).toBeVisible();
    await user.getByLabel('Full Name').fill('Ivo Sand-Lind');
    await dana.put(`/api/users/${id}`, { ...invited, email: 'ivo@example.org' });
    await user.getByRole('button', { name: 'Update User' }).click();
    await conflictIn(page, 'Edit User');
    await user.getByRole('button', { name: 'Reload' }).click();
    await expect(user.getByText('Invitation withdrawn. Nobody can sign in as this user.')).toBeVisible();
    await expect(user.getByRole('button', { name: 'Withdraw Invitation' })).toHaveCount(0);
    await page.keyboard.press('Escape');
    await expect(user).toBeHidden();
  });

  const role = await api.post<Named>('/api/roles', { name: `Desk ${cpa.id}` });
  await page.goto('/roles');
  await page.getByRole('button', { name: `Edit Desk ${cpa.id}` }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit Role' });
  await dialog.getByLabel('Role Name').fill(`Mine ${cpa.id}`);
  await dana.put(`/api/roles/${role.id}`, { name: `Theirs ${cpa.id}` });
  await dialog.getByRole('button', { name: 'Update Role' }).click();
  await conflictIn(page, 'Edit Role');
  await dialog.getByRole('button', { name: 'Keep mine' }).click();
  await readToast(page, 'status', ['Role updated successfully']);
  await expect(page.getByText(`Mine ${cpa.id}`)).toBeVisible();
});
