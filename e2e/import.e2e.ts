// Lists from CSV files: an empty firm until its first client sees a report, and what the import dialog says, keeps and refuses.
import { readFile } from 'node:fs/promises';
import { expect, type Locator, type Page } from '@playwright/test';
import { apiAs } from './api.ts';
import { UNREACHABLE } from './failing-calls.ts';
import { login, test } from './fixtures.ts';
import { makePdf } from './pdf.ts';
import { ADMIN } from './server.ts';
import { failCalls, listenForCalls, loseAnswer } from './stub.ts';
import { readError, readToast, TOLD_TWICE } from './toast.ts';

// Its own firm: it starts empty, and forty clients and forty people come.
test.use({ firmName: 'import' });

const HEADER = 'Company,FEIN,Street Address,Phone,E-mail,State Tax ID,Employees,Client Since,Fax';
const numbered = (nth: number) => String(nth).padStart(2, '0');
const company = (nth: number) => `Company ${numbered(nth)} LLC`;
const companyLine = (nth: number) =>
  `"${company(nth)}",08-00000${numbered(nth)},"${nth} Orchard Lane, Dayton, OH",937.555.01${numbered(nth)},office${nth}@example.com,OH-${nth},"1,2${numbered(nth)}",1/5/2024,none`;
const forty = Array.from({ length: 40 }, (_, index) => index + 1);
const PASSWORD = 'first password';
const OWN_PASSWORD = 'one of my own';

interface ChosenFile {
  readonly name: string;
  readonly mimeType: string;
  readonly buffer: Buffer;
}

const csv = (name: string, lines: readonly string[]): ChosenFile => ({
  name,
  mimeType: 'text/csv',
  buffer: Buffer.from(`\uFEFF${lines.join('\r\n')}\r\n`),
});

const dialogOf = (page: Page, name: string) => page.getByRole('dialog', { name });

async function chooseFile(page: Page, press: () => Promise<unknown>, file: ChosenFile) {
  const choosing = page.waitForEvent('filechooser');
  await press();
  await (await choosing).setFiles(file);
}

test('an empty firm until the first client sees a report: 40 clients and 40 people by CSV', async ({ signIn }) => {
  const page = await signIn(ADMIN);
  let clicks = 0;
  const click = async (target: Locator) => {
    clicks += 1;
    await target.click();
  };
  const guide = page.getByRole('region', { name: 'First steps' });
  const home = () => click(page.getByRole('navigation').getByRole('link', { name: 'Dashboard' }));
  const step = (words: RegExp) => guide.getByRole('listitem').filter({ hasText: words });

  await click(guide.getByRole('button', { name: 'Add the 17 usual report types' }));
  await readToast(page, 'status', ['17 report types added successfully']);
  await expect(step(/^Report types/)).toContainText('(done)');

  await click(guide.getByRole('link', { name: 'Import Clients' }));
  const clients = dialogOf(page, 'Import Clients');
  await chooseFile(
    page,
    () => click(clients.getByRole('button', { name: 'Choose File' })),
    csv('clients.csv', [HEADER, ...forty.map(companyLine)]),
  );
  await expect(clients.getByText('40 rows checked, nothing is wrong.')).toBeVisible();
  await click(clients.getByRole('button', { name: 'Import 40 clients' }));
  await readToast(page, 'status', ['40 clients imported successfully']);
  await expect(page.getByText('1-25 of 40')).toBeVisible();
  const first = page.getByRole('row').filter({ hasText: company(1) });
  await expect(first).toContainText('(937)-555-0101');
  await expect(first).toContainText('08-0000001');
  await expect(first).toContainText('1,201');
  await expect(first).toContainText('01/05/2024');

  await home();
  await expect(step(/^Clients/)).toContainText('(done)');
  await click(guide.getByRole('link', { name: 'Import Users' }));
  const users = dialogOf(page, 'Import Users');
  const people = forty.map(
    (nth) => `Person ${numbered(nth)},person${numbered(nth)},Client,${company(nth)},All,${PASSWORD}`,
  );
  await chooseFile(
    page,
    () => click(users.getByRole('button', { name: 'Choose File' })),
    csv('users.csv', ['Name,Login,Role,Client,Report Types,Password', ...people]),
  );
  await click(users.getByRole('button', { name: 'Import 40 users' }));
  await readToast(page, 'status', ['40 users imported successfully']);

  await home();
  await click(guide.getByRole('link', { name: 'Upload Files' }));
  const upload = page.getByRole('dialog');
  await chooseFile(page, () => click(upload.getByRole('button', { name: 'Add File' })), {
    name: 'Journal.pdf',
    mimeType: 'application/pdf',
    buffer: await makePdf(['Payroll Journal']),
  });
  await click(upload.getByRole('combobox', { name: 'Client' }));
  await click(page.getByRole('option', { name: company(7) }));
  await click(upload.getByRole('combobox', { name: 'Report Type' }));
  await click(page.getByRole('option', { name: 'Payroll Journal' }));
  await click(upload.getByRole('button', { name: /^Upload/ }));
  await expect(page.getByRole('table').getByText('Journal.pdf')).toBeVisible();

  await home();
  await expect(page.getByRole('heading', { name: /^Welcome/ })).toBeVisible();
  await expect(page.getByRole('link', { name: /Total Files/ })).toContainText('1');
  await expect(step(/^A first report/)).toContainText('(done)');

  await click(page.getByRole('banner').getByRole('button', { name: 'Logout' }));
  clicks += 1;
  await login(page, { username: 'person07', password: PASSWORD });
  // Somebody else chose the password of an imported user: it is changed before anything is shown.
  await page.getByLabel('Current password', { exact: true }).fill(PASSWORD);
  await page.getByLabel('New password', { exact: true }).fill(OWN_PASSWORD);
  await page.getByLabel('Repeat new password', { exact: true }).fill(OWN_PASSWORD);
  await click(page.getByRole('button', { name: 'Change Password' }));
  await click(page.getByRole('navigation').getByRole('link', { name: 'Reports' }));
  await expect(page.getByRole('table').getByText('Journal.pdf')).toBeVisible();
  // 4 for report types and clients, 4 for people, 8 for a report, 5 until its client sees it.
  expect(clicks).toBe(21);
});

test('faults by row, columns chosen by hand, rows left out, and a template that imports', { tag: '@full' }, async ({
  signIn,
}) => {
  const page = await signIn(ADMIN, { at: '/clients' });
  const dialog = dialogOf(page, 'Import Clients');
  const open = () => page.getByRole('main').getByRole('button', { name: 'Import clients' }).click();
  await open();
  const template = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Download a template' }).click();
  const lines = (await readFile(await (await template).path(), 'utf8')).split('\r\n');
  expect(lines).toHaveLength(3);

  // An example row, one with two faults, one that is there twice, and a column under a name nobody knows.
  const header = lines[0]?.replace('Phone Number', 'Fon') ?? '';
  const good = lines[1] ?? '';
  const bad = good.replace('Harbor & Pine Bakery LLC', 'Q').replace('00-1234567', '12');
  const paste = dialog.getByRole('textbox', { name: 'Or paste rows here' });
  await paste.fill([header, good, bad, good].join('\n'));
  await dialog.getByRole('button', { name: 'Preview' }).click();
  await expect(dialog.getByText('Not imported: Fon')).toBeVisible();
  await expect(dialog.getByText('Please choose the column', { exact: true })).toBeVisible();
  await expect(dialog.getByRole('button', { name: /^Import/ })).toBeDisabled();
  await dialog.getByRole('combobox', { name: 'Phone Number' }).selectOption('Fon');

  const faults = dialog.getByRole('region', { name: 'What is wrong' }).getByRole('row');
  await expect(faults).toHaveText([
    'RowColumnWhat is wrong',
    '3Client NameName must be at least 2 characters',
    '3Federal IDFederal ID must be in format: XX-XXXXXXX',
    '4Client NameAnother row has the same name and Federal ID.',
  ]);
  const list = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Download the faults' }).click();
  expect((await readFile(await (await list).path(), 'utf8')).split('\r\n')).toHaveLength(5);

  // Nothing that was read is lost by a slip.
  await page.keyboard.press('Escape');
  await dialog.getByRole('button', { name: 'Keep editing' }).click();
  await dialog.getByRole('checkbox', { name: 'Leave those out and import the 1 row without a fault' }).check();
  await dialog.getByRole('button', { name: 'Import 1 client' }).click();
  await readToast(page, 'status', ['1 client imported successfully']);
  await expect(dialog).toHaveCount(0);
  await page.getByRole('searchbox').fill('Harbor');
  await expect(page.getByRole('row').filter({ hasText: 'Harbor & Pine Bakery LLC' })).toBeVisible();

  // The same file again: it is there already.
  await open();
  await paste.fill([lines[0], good].join('\n'));
  await dialog.getByRole('button', { name: 'Preview' }).click();
  await expect(faults.nth(1)).toHaveText('2Client NameA client with this name and Federal ID exists already.');
  await expect(dialog.getByRole('button', { name: /^Import/ })).toBeDisabled();
});

test('a workbook is refused with what to do, and a failure keeps the rows', { tag: '@full' }, async ({ signIn }) => {
  const page = await signIn(ADMIN, { at: '/report-types', failures: [500] });
  const dialog = dialogOf(page, 'Import Report Types');
  await page.getByRole('main').getByRole('button', { name: 'Import report types' }).click();
  await chooseFile(page, () => dialog.getByRole('button', { name: 'Choose File' }).click(), {
    name: 'types.xlsx',
    mimeType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    buffer: Buffer.from([0x50, 0x4b, 3, 4, 0, 0]),
  });
  await expect(dialog.getByRole('alert')).toContainText('CSV UTF-8 (Comma delimited)');
  await dialog.getByRole('textbox', { name: 'Or paste rows here' }).fill('Report Type\nForm 730\nForm 8027');
  const restore = await failCalls(page, /\/api\/report-types\/import$/, {
    status: 500,
    message: 'The ledger is closed.',
  });
  await dialog.getByRole('button', { name: 'Preview' }).click();
  await expect(dialog.getByText('The rows could not be checked')).toBeVisible();
  await expect(dialog.locator(TOLD_TWICE)).toHaveCount(0);
  await restore();
  await dialog.getByRole('button', { name: 'Check Again' }).click();
  await dialog.getByRole('button', { name: 'Import 2 report types' }).click();
  await readToast(page, 'status', ['2 report types imported successfully']);
});

test('generated passwords or links are handed over once, and nobody leaves without them by a slip', async ({
  signIn,
  server,
}) => {
  const api = await apiAs(server.origin);
  const roles = await api.get<{ id: number; name: string }[]>('/api/roles');
  const inRole = (role: string) => ({
    username: 'second.admin',
    fullName: 'Second Admin',
    roleId: roles.find(({ name }) => name === role)?.id,
  });
  const { id } = await api.post<{ id: number }>('/api/users', { ...inRole('Admin'), password: PASSWORD });
  const page = await signIn(
    { username: 'second.admin', password: PASSWORD },
    { at: '/users', failures: [403], offline: true },
  );
  const dialog = dialogOf(page, 'Import Users');
  await page.getByRole('main').getByRole('button', { name: 'Import users' }).click();
  const preview = async (...rows: readonly string[]) => {
    const pasted = ['Full Name,Username,Role', ...rows].join('\n');
    await dialog.getByRole('textbox', { name: 'Or paste rows here' }).fill(pasted);
    await dialog.getByRole('button', { name: 'Preview' }).click();
  };
  const two = ['Greta Lind,greta.lind,Client', 'Ivo Marsh,ivo.marsh,cpa'];
  await preview(...two);
  const warning = dialog.getByRole('status').filter({ hasText: '2 rows to look at before you import' });
  await expect(warning).toContainText('Row 2: Greta will see nothing until at least one client is ticked.');
  await expect(warning).toContainText('Row 3: Ivo will see nothing until at least one client is ticked.');
  await dialog.getByLabel(/^Invite those without a password/).uncheck();
  // They were added all the same: sent again, they are not added twice, and their passwords are not lost.
  await page.route('**/api/users/import', loseAnswer, { times: 1 });
  await dialog.getByRole('button', { name: 'Import 2 users' }).click();
  await readError(page, `Failed to import: ${UNREACHABLE}`);
  await test.step('another list gets nothing of what was made for the first, which is known again', async () => {
    const calls = listenForCalls(page, /\/api\/users\/import$/);
    const judged = async (verdict: string, ...rows: readonly string[]) => {
      await dialog.getByRole('button', { name: 'Choose Another File' }).click();
      await preview(...rows);
      await expect(dialog.getByText(verdict)).toBeVisible();
      const call = calls.at(-1);
      const sent = call?.postDataJSON() as { rows: { password: string }[] } | undefined;
      return [call?.headers()['idempotency-key'], sent?.rows[0]?.password];
    };
    const [key, password] = await judged('1 row checked, nothing is wrong.', 'Una Field,una.field,Client');
    const [ofTwo, first] = await judged('2 rows checked, nothing is wrong.', ...two);
    expect([key === ofTwo, password === first]).toEqual([false, false]);
  });
  await dialog.getByRole('button', { name: 'Import 2 users' }).click();
  await expect(dialog.getByText('2 users got a generated password.')).toBeVisible();
  await test.step('they stay where the right to add people is lost meanwhile', async () => {
    const offers = page.getByRole('button', { name: 'Import users', includeHidden: true });
    await expect(offers).toHaveCount(1);
    // A new tab asks for the rights of now, and tells the others.
    await api.put(`/api/users/${id}`, inRole('CPA'));
    const other = await page.context().newPage();
    await other.goto('/help');
    await expect(offers).toHaveCount(0);
    await expect(dialog.getByText('2 users got a generated password.')).toBeVisible();
    await api.put(`/api/users/${id}`, inRole('Admin'));
    await other.reload();
    await expect(offers).toHaveCount(1);
    await other.close();
  });
  await page.keyboard.press('Escape');
  // The users are there: nothing of them is unsaved.
  await expect(dialog.getByText('They were not downloaded, and cannot be shown again. Close anyway?')).toBeVisible();
  await dialog.getByRole('button', { name: 'Go Back' }).click();
  const download = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Download Passwords' }).click();
  const lines = (await readFile(await (await download).path(), 'utf8')).replace('\uFEFF', '').split('\r\n');
  expect(lines[0]).toBe('Full Name,Username,Password');
  const [name, username, password] = lines[1]?.split(',') ?? [];
  expect([name, username]).toEqual(['Greta Lind', 'greta.lind']);
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await signIn({ username: 'greta.lind', password: password ?? '' });

  await page.getByRole('main').getByRole('button', { name: 'Import users' }).click();
  await dialog
    .getByRole('textbox', { name: 'Or paste rows here' })
    .fill('Full Name,Username,Role,Email,Clients\nNora Vale,nora.vale,Client,nora@example.com,All');
  await dialog.getByRole('button', { name: 'Preview' }).click();
  await expect(
    dialog.getByText('Row 2: Nora is a Client user and will see every client, since the list says "All".'),
  ).toBeVisible();
  await dialog.getByRole('button', { name: 'Import 1 user' }).click();
  await expect(dialog.getByText('1 user got an invitation link')).toBeVisible();
  const links = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Download Links' }).click();
  const [head, first] = (await readFile(await (await links).path(), 'utf8')).replace('\uFEFF', '').split('\r\n');
  expect(head).toBe('Full Name,Username,Email,Invitation Link,Valid Until');
  const [guest, , address, link = ''] = first?.split(',') ?? [];
  expect([guest, address]).toEqual(['Nora Vale', 'nora@example.com']);
  // It is done, and nothing of it is cancelled any more.
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toHaveCount(0);
  const again = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Download Again' }).click();
  expect((await again).suggestedFilename()).toBe('invitations.csv');
  await dialog.getByRole('button', { name: 'Done' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole('row').filter({ hasText: 'nora.vale' })).toContainText('Invited until');
  await page.goto(link);
  await expect(page.getByText('You are signed in as')).toBeVisible();
});

test('a search that finds nothing leads back, and an empty list says the next step', { tag: '@full' }, async ({
  signIn,
}) => {
  for (const [path, words] of [
    ['/clients', 'No clients match your search criteria.'],
    ['/users', 'Nothing matches your search.'],
    ['/roles', 'Nothing matches your search.'],
    ['/report-types', 'No report types match your search criteria.'],
  ] as const) {
    const page = await signIn(ADMIN, { at: `${path}?q=nothing+like+it` });
    await expect(page.getByText(words, { exact: true })).toBeVisible();
    await page.getByRole('button', { name: 'Show All' }).click();
    await expect(page.getByRole('searchbox')).toBeFocused();
    await expect(page.getByText(words, { exact: true })).toHaveCount(0);
  }
});

test('someone who may add nothing is offered no import', { tag: '@full' }, async ({ signIn, server }) => {
  const api = await apiAs(server.origin);
  const roles = await api.get<{ id: number; name: string }[]>('/api/roles');
  const roleId = roles.find(({ name }) => name === 'CPA')?.id;
  await api.post('/api/users', { username: 'plain.cpa', fullName: 'Plain CPA', roleId, password: PASSWORD });
  const page = await signIn({ username: 'plain.cpa', password: PASSWORD }, { at: '/clients' });
  await expect(page.getByRole('heading', { name: 'Client Management' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Import clients' })).toHaveCount(0);
});
