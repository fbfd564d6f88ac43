// Report Types: the table in every state, adding and deleting one, what refuses it, and who may.
import { expect, type Page } from '@playwright/test';
import { apiAs } from './api.ts';
import { addPerson, type Named, seedFirm } from './firm.ts';
import { test } from './fixtures.ts';
import { ADMIN } from './server.ts';
import { answerList, failThenRetry, holdCalls, listenForCalls } from './stub.ts';
import { readError, readToast } from './toast.ts';

const LIST = /\/api\/report-types\?.*limit=/;

const table = (page: Page) => page.getByRole('table', { name: 'Report Types' });
const row = (page: Page, name: string) => table(page).getByRole('row').filter({ hasText: name });

test('the table: its columns, grey rows while it loads, no report types, and a failure', { tag: '@full' }, async ({
  signIn,
}) => {
  const page = await signIn(ADMIN, { at: null, failures: [500] });
  await answerList(page, LIST, []);
  const answer = await holdCalls(page, LIST);
  await page.goto('/report-types');
  await expect(page.getByRole('main').getByRole('heading', { name: 'Report Types' })).toBeVisible();
  await expect(table(page).getByRole('columnheader')).toHaveText(['Report Type', 'Actions']);
  await expect(table(page).getByRole('row', { includeHidden: true })).toHaveCount(5);
  answer();
  await expect(
    page.getByText('No report types found. Add a report type to get started.', { exact: true }),
  ).toBeVisible();

  await failThenRetry(page, LIST);
  await expect(page.getByRole('main').getByRole('alert')).toHaveCount(0);
});

test('a report type is added under its trimmed name, renamed and deleted', async ({ signIn, server }) => {
  const page = await signIn(ADMIN, { at: '/report-types?q=union', failures: [409, 412] });
  const opener = page.getByRole('button', { name: 'Add Report Type' });
  await opener.click();
  const adding = page.getByRole('dialog', { name: 'Add Report Type' });
  const name = adding.getByLabel('Report Type Name');
  const add = adding.getByRole('button', { name: 'Add', exact: true });
  await expect(name).toBeFocused();
  await expect(name).toHaveAttribute('placeholder', 'Payroll Journals');
  await expect(add).toBeDisabled();
  await name.fill('   ');
  await expect(add).toBeDisabled();
  await expect(name).toHaveAccessibleDescription('Report type name cannot be empty');
  await name.press('Enter');

  const writes = listenForCalls(page, /\/api\/report-types$/);
  const go = await holdCalls(page, /\/api\/report-types$/);
  await name.fill('  Union Reports ');
  await add.dblclick();
  await expect(adding.getByRole('button', { name: 'Adding...' })).toBeDisabled();
  go();
  await expect(adding).toBeHidden();
  await expect(opener).toBeFocused();
  await readToast(page, 'status', ['Report type added successfully']);
  expect(writes.map((call) => call.postDataJSON())).toEqual([{ name: 'Union Reports' }]);
  await expect(row(page, 'Union Reports')).toBeVisible();

  await opener.click();
  await expect(name).toHaveValue('');
  const another = adding.getByRole('button', { name: 'Save and add another' });
  await expect(another).toBeDisabled();
  for (const next of ['Union Dues', 'Union Minutes']) {
    await name.fill(next);
    await another.click();
    await readToast(page, 'status', ['Report type added successfully']);
    await expect(name).toHaveValue('');
    await expect(name).toBeFocused();
    await expect(row(page, next)).toBeVisible();
  }
  await name.fill('union reports');
  await add.click();
  await expect(name).toHaveAccessibleDescription('A report type with this name already exists.');
  await expect(name).toBeFocused();
  await readError(page, 'Failed to add report type: A report type with this name already exists.');
  await page.keyboard.press('Escape');
  await adding.getByRole('button', { name: 'Discard' }).click();
  await expect(adding).toBeHidden();

  const renaming = page.getByRole('dialog', { name: 'Edit Report Type' });
  const edit = page.getByRole('button', { name: 'Edit Union Minutes' });
  await edit.click();
  const newName = renaming.getByLabel('Report Type Name');
  await expect(newName).toHaveValue('Union Minutes');
  await expect(newName).toBeFocused();
  await newName.fill('union DUES');
  await renaming.getByRole('button', { name: 'Update' }).click();
  await expect(newName).toHaveAccessibleDescription(/^A report type with this name already exists\./);
  await readError(page, 'Failed to update report type: A report type with this name already exists.');
  // A colleague renames it meanwhile.
  const api = await apiAs(server.origin);
  const unionTypes = await api.get<Named[]>('/api/report-types?q=union');
  const typeId = (of: string) => unionTypes.find((type) => type.name === of)?.id ?? 0;
  await api.put(`/api/report-types/${typeId('Union Minutes')}`, { name: 'Union Letters' });
  await newName.fill('Union Notes');
  await newName.press('Enter');
  await expect(renaming.getByRole('alert')).toContainText('This was changed by Administrator less than a minute ago');
  await renaming.getByRole('button', { name: 'Keep mine' }).click();
  await expect(renaming).toBeHidden();
  await readToast(page, 'status', ['Report type updated successfully']);
  await expect(row(page, 'Union Notes')).toBeVisible();
  await expect(row(page, 'Union Letters')).toHaveCount(0);

  // Somebody has it in a list, and the users were read before it is deleted.
  const reader = await addPerson(server.origin, 'CPA', null, [typeId('Union Reports')]);
  const goTo = (screen: string) =>
    page.getByRole('navigation').getByRole('link', { name: screen, exact: true }).click();
  const people = page.getByRole('table', { name: 'Users' });
  const findReader = async () => {
    await goTo('Users');
    await page.getByRole('searchbox', { name: 'Search users' }).fill(reader.username);
    // Nobody else is found: until then the list is the one before.
    await expect(people.getByRole('row')).toHaveCount(2);
    await expect(people).toHaveAttribute('aria-busy', 'false');
    await expect(people).toContainText(reader.username);
  };
  await findReader();
  await goTo('Report Types');
  await page.getByPlaceholder('Search report types...').fill('union');
  await expect(page).toHaveURL(/\/report-types\?q=union/);
  await expect(table(page)).toHaveAttribute('aria-busy', 'false');

  const question = page.getByRole('dialog', { name: 'Delete Union Reports?' });
  await page.getByRole('button', { name: 'Delete Union Reports' }).click();
  await expect(question).toContainText('Are you sure you want to delete this report type?');
  await expect(question).toContainText('It leaves all access lists, with its phrases and what is expected of it.');
  await question.getByRole('button', { name: 'Delete' }).click();
  await expect(question).toBeHidden();
  await expect(page.getByRole('main')).toBeFocused();
  await readToast(page, 'status', ['Report type deleted successfully']);
  await expect(row(page, 'Union Reports')).toHaveCount(0);

  // An edit of that person is none of an old version.
  await findReader();
  await page.getByRole('button', { name: `Edit ${reader.fullName}`, exact: true }).click();
  const editing = page.getByRole('dialog', { name: 'Edit User' });
  await editing.getByLabel('Full Name').fill(`${reader.fullName} Lind`);
  await editing.getByRole('button', { name: 'Update User' }).click();
  await readToast(page, 'status', ['User updated successfully']);
});

test('a report type with files cannot be deleted, and the reason says how many', { tag: '@full' }, async ({
  signIn,
  server,
}) => {
  const firm = await seedFirm(server.origin, { reports: 2 });
  const [{ name }] = firm.reportTypes;
  const page = await signIn(ADMIN, { at: '/report-types', failures: [409] });
  await page.getByPlaceholder('Search report types...').fill(name.toUpperCase());
  await expect(table(page).getByRole('row')).toHaveCount(2);
  await page.getByRole('button', { name: `Delete ${name}` }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(page.getByRole('button', { name: `Delete ${name}` })).toBeFocused();
  await readError(
    page,
    'Failed to delete report type: This report type is used by 3 files. Delete or re-file them first.',
  );
  await expect(row(page, name)).toBeVisible();
  await page.goBack();
  await expect(page.getByPlaceholder('Search report types...')).toHaveValue('');
});

test('who may not manage report types sees those within reach, and no buttons', { tag: '@full' }, async ({
  signIn,
  server,
}) => {
  const firm = await seedFirm(server.origin, { reports: 0 });
  const api = await apiAs(server.origin);
  await api.post('/api/report-types', { name: `Unreached ${firm.cpa.id}` });
  const cpa = await signIn(firm.cpa, { at: '/report-types' });
  for (const { name } of firm.reportTypes) await expect(row(cpa, name)).toBeVisible();
  await expect(table(cpa).getByRole('row')).toHaveCount(3);
  await expect(cpa.getByRole('columnheader', { name: 'Actions' })).toHaveCount(0);
  await expect(cpa.getByRole('button', { name: /^(Add|Delete) / })).toHaveCount(0);

  const outsider = await signIn(firm.outsider, { at: '/report-types' });
  await expect(outsider.getByText('No report types available', { exact: true })).toBeVisible();
});
