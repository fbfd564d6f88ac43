// Changes as they happen (docs/behaviour.md, Overview: changes as they happen): what came is offered and moves nothing, and what a Client has not opened is marked.
import { expect, type Page } from '@playwright/test';
import { apiAs } from './api.ts';
import { addPerson, type Firm, seedFirm } from './firm.ts';
import { test } from './fixtures.ts';
import { watchLayoutShifts } from './layout-shift.ts';
import { makePdf } from './pdf.ts';
import { ADMIN } from './server.ts';
import { failCalls } from './stub.ts';
import { readError } from './toast.ts';

let firm: Firm;
test.beforeAll(async ({ server }) => {
  firm = await seedFirm(server.origin);
});

const EVENTS = '/api/events';
const isEvents = (url: string) => new URL(url).pathname === EVENTS;
const news = (page: Page) => page.getByRole('button', { name: /\. Show$/ });
const rows = (page: Page) => page.getByRole('row').filter({ has: page.getByRole('cell') });

async function send(name: string, nth: 0 | 1 = 0, owner = firm.clients[0]): Promise<number> {
  const fields = { clientId: owner.id, fileType: 'report', reportTypeId: firm.reportTypes[nth].id };
  return (await firm.api.upload(fields, name, await makePdf([name]))).id;
}

/** Resolves once the page, or another tab of its browser, hears of changes. */
async function listening(page: Page, open: () => Promise<unknown>): Promise<void> {
  const begun = page.context().waitForEvent('response', (response) => isEvents(response.url()) && response.ok());
  await open();
  await begun;
}

test('a file that somebody sends is offered above the list, and no row moves before it is asked for', async ({
  signIn,
}) => {
  const page = await signIn(firm.cpa, { at: null, failures: [500] });
  const shifts = await watchLayoutShifts(page);
  const address = `/cpa-dashboard?client=${firm.clients[0].id}&reportType=${firm.reportTypes[0].id}`;
  await listening(page, () => page.goto(address));
  await expect(rows(page)).toHaveCount(2);
  const standing = (await shifts()).length;
  const before = await rows(page).allInnerTexts();

  await test.step('one of another type, or out of reach, is none of this list', async () => {
    await send('Elsewhere.pdf', 1);
    await send('Out of reach.pdf', 0, firm.stranger);
    await send('First.pdf');
    await expect(news(page)).toHaveText('1 new file. Show');
    // Read out as it comes, and not with each file that comes after.
    await expect(page.locator('[aria-live]').filter({ has: news(page) })).toHaveAttribute('aria-relevant', 'additions');
  });
  await send('Second.pdf');
  await expect(news(page)).toHaveText('2 new files. Show');
  expect(await rows(page).allInnerTexts()).toEqual(before);
  // But for the words of the offer itself.
  const moved = (await shifts()).slice(standing).flatMap(({ sources }) => sources);
  expect(moved.filter((source) => !source.startsWith('#text Show'))).toEqual([]);

  await test.step('where the list cannot be read, that is said, and the offer stays', async () => {
    const restore = await failCalls(page, /\/api\/files\?/, { status: 500, message: 'The ledger is closed.' });
    await news(page).click();
    await readError(page, 'Failed to reload: The ledger is closed.');
    expect(await rows(page).allInnerTexts()).toEqual(before);
    await expect(news(page)).toHaveText('2 new files. Show');
    await restore();
  });

  await test.step('it is reached and pressed by keyboard', async () => {
    await news(page).focus();
    await page.keyboard.press('Enter');
    await expect(rows(page).first()).toContainText('Second.pdf');
    await expect(rows(page)).toHaveCount(4);
    await expect(news(page)).toHaveCount(0);
  });
});

test('the overview and the log hear of what others do, and not of what one does oneself', { tag: '@full' }, async ({
  signIn,
  server,
}) => {
  const page = await signIn(ADMIN, { at: null });
  await listening(page, () => page.goto('/'));
  await expect(page.getByRole('table')).toBeVisible();
  // By the same person, elsewhere.
  await send('By oneself.pdf');
  const cpa = await apiAs(server.origin, firm.cpa);
  await cpa.upload({ clientId: firm.clients[0].id, fileType: 'company_document' }, 'Theirs.pdf', await makePdf(['x']));
  await expect(news(page)).toHaveText('1 new file. Show');
  await news(page).click();
  await expect(page.getByRole('table')).toContainText('Theirs.pdf');
  await expect(news(page)).toHaveCount(0);
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Activity' }).click();
  await expect(page.getByRole('table', { name: 'Activity Log' })).toContainText('Theirs.pdf');
  await cpa.upload({ clientId: firm.clients[0].id, fileType: 'company_document' }, 'More.pdf', await makePdf(['x']));
  await expect(news(page)).toHaveText('1 new entry. Show');
});

test('one connection serves every tab of a browser, and goes to another tab when its own closes', {
  tag: '@full',
}, async ({ signIn }) => {
  const page = await signIn(firm.cpa, { at: null });
  const asked: string[] = [];
  page.context().on('request', (request) => isEvents(request.url()) && asked.push(request.url()));
  const address = `/cpa-dashboard?client=${firm.clients[1].id}&reportType=${firm.reportTypes[0].id}`;
  await listening(page, () => page.goto(address));
  const other = await page.context().newPage();
  await other.goto(address);
  await expect(other.getByText('No files found')).toBeVisible();
  // Where news are said stands there once the tab hears of them.
  await expect(other.locator('[aria-relevant="additions"]')).toBeAttached();
  await send('For both.pdf', 0, firm.clients[1]);
  for (const tab of [page, other]) await expect(news(tab)).toHaveText('1 new file. Show');
  expect(asked).toHaveLength(1);
  await listening(other, () => page.close());
  expect(asked).toHaveLength(2);
  await send('For the one left.pdf', 0, firm.clients[1]);
  await expect(news(other)).toHaveText('2 new files. Show');
});

test('without the connection lists are as before: loaded when they are opened', { tag: '@full' }, async ({
  signIn,
}) => {
  const page = await signIn(firm.cpa, { at: null, failures: [503] });
  await page.route(`**${EVENTS}`, (route) => route.fulfill({ status: 503, json: { message: 'Busy', code: 'busy' } }));
  const asked = page.waitForResponse((response) => isEvents(response.url()));
  await page.goto(`/cpa-dashboard?client=${firm.clients[0].id}&reportType=${firm.reportTypes[1].id}`);
  await asked;
  const before = await rows(page).count();
  await send('Unheard of.pdf', 1);
  const main = page.getByRole('main');
  await main.getByRole('button', { name: firm.reportTypes[0].name }).click();
  await main.getByRole('button', { name: firm.reportTypes[1].name }).click();
  await expect(rows(page)).toHaveCount(before + 1);
  await expect(news(page)).toHaveCount(0);
});

test('what a Client has not opened is marked, and counted in the sidebar, until it is opened', async ({
  signIn,
  server,
}) => {
  const mine = await seedFirm(server.origin);
  const [journal] = mine.reportTypes;
  const page = await signIn(mine.clientUser, { at: null });
  await listening(page, () => page.goto('/client-reports'));
  const sidebar = page.getByRole('navigation', { name: 'Main' });
  const marks = page.getByRole('table').getByText('New', { exact: true });
  const type = sidebar.getByRole('button', { name: journal.name });
  await expect(marks).toHaveCount(2);
  await expect(sidebar.getByRole('link', { name: 'Reports', exact: true })).toHaveAccessibleDescription('2 new');
  const unfold = sidebar.getByRole('button', { name: 'Report types' });
  if ((await unfold.getAttribute('aria-expanded')) === 'false') await unfold.click();
  await expect(type).toHaveAccessibleDescription('2 new');

  await test.step('one that comes is counted at once', async () => {
    const fields = { clientId: mine.clients[0].id, fileType: 'company_document' };
    await mine.api.upload(fields, 'Letter.pdf', await makePdf(['Letter']));
    const documents = sidebar.getByRole('link', { name: 'Firm Documents', exact: true });
    await expect(documents).toHaveAccessibleDescription('1 new');
  });

  const other = await page.context().newPage();
  await other.goto('/client-reports');
  const otherMarks = other.getByRole('table').getByText('New', { exact: true });
  await expect(otherMarks).toHaveCount(2);

  await test.step('opened on its page, it is new no longer', async () => {
    const name = mine.reports[0]?.name ?? '';
    await page.getByRole('link', { name, exact: true }).click();
    await expect(page.getByRole('heading', { name })).toBeVisible();
    await expect(type).toHaveAccessibleDescription('1 new');
    await page.goBack();
    await expect(marks).toHaveCount(1);
  });

  await test.step('nor in another tab', async () => {
    await expect(otherMarks).toHaveCount(1);
    const reports = other.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Reports', exact: true });
    await expect(reports).toHaveAccessibleDescription('1 new');
    await other.close();
  });

  await test.step('nor downloaded', async () => {
    await page.getByRole('button', { name: /^Download .*-2\.pdf/ }).click();
    await expect(marks).toHaveCount(0);
    await expect(type).toHaveAccessibleDescription('');
  });

  await test.step('a company that is given another name has it in the header at once', async () => {
    const path = `/api/clients/${mine.clients[0].id}`;
    const { id, phoneNumber, onHold, version, ...facts } = await mine.api.get<Record<string, unknown>>(path);
    const name = `Wintergreen Pastry ${String(id)}`;
    await mine.api.put(path, { ...facts, name });
    await expect(page.getByRole('banner').getByText(name, { exact: true })).toBeVisible();
  });

  await test.step('what the Client sends is new to staff, listed apart and counted until they open it', async () => {
    const fields = { clientId: mine.clients[0].id, fileType: 'company_document' };
    await (await apiAs(server.origin, mine.clientUser)).upload(fields, 'Signed W-4.pdf', await makePdf(['W-4']));
    const staff = await signIn(mine.cpa, { at: '/firm-documents' });
    const main = staff.getByRole('navigation', { name: 'Main' });
    const entry = main.getByRole('link', { name: 'Firm Documents', exact: true });
    const library = staff.getByRole('table', { name: 'Document Library' });
    const named = (name: string) => library.getByRole('link', { name });
    await expect(named('Letter.pdf')).toBeVisible();
    await expect(library.getByText('New', { exact: true })).toHaveCount(1);
    await expect(entry).toHaveAccessibleDescription('1 new');
    // The page of the client says the same: what the firm sent today is not new.
    await staff.goto(`/clients/${mine.clients[0].id}`);
    const ofClient = staff.getByRole('region', { name: 'Company Documents', exact: true }).getByRole('row');
    await expect(ofClient.filter({ hasText: 'Signed W-4.pdf' }).getByText('New', { exact: true })).toBeVisible();
    await expect(ofClient.filter({ hasText: 'Letter.pdf' }).getByText('New', { exact: true })).toHaveCount(0);
    // Of that one it is said who of the client's people sees it, as of reports.
    await expect(ofClient.filter({ hasText: 'Letter.pdf' })).toContainText(/\d (person|people), /);
    await expect(ofClient.filter({ hasText: 'Signed W-4.pdf' })).not.toContainText(/person|people/);
    await staff.goto('/firm-documents');
    await staff.getByRole('checkbox', { name: 'New only' }).check();
    await expect(staff).toHaveURL(/new=1/);
    await expect(named('Letter.pdf')).toHaveCount(0);
    await named('Signed W-4.pdf').click();
    await expect(staff.getByRole('heading', { name: 'Signed W-4.pdf' })).toBeVisible();
    await expect(entry).toHaveAccessibleDescription('');
    await staff.goBack();
    await expect(staff.getByRole('checkbox', { name: 'New only' })).toBeChecked();
    await staff.getByRole('button', { name: 'Remove filter Show' }).click();
    await expect(named('Letter.pdf')).toBeVisible();
    await expect(library.getByText('New', { exact: true })).toHaveCount(0);
  });
});

test('what is counted beside a list, or said in its rows, changes with it', async ({ signIn, server }) => {
  const mine = await seedFirm(server.origin, { reports: 0 });
  const [client] = mine.clients;
  const [, form941] = mine.reportTypes;
  // To whose account nothing older is new.
  const chief = await addPerson(server.origin, 'Admin', null, null);
  const page = await signIn(chief, { at: null });

  await test.step('a document that one deletes oneself is counted no longer, and is again by Undo', async () => {
    const sender = await apiAs(server.origin, mine.clientUser);
    const fields = { clientId: client.id, fileType: 'company_document' };
    await sender.upload(fields, 'Signed lease.pdf', await makePdf(['Lease']));
    await page.goto('/firm-documents');
    const sidebar = page.getByRole('navigation', { name: 'Main' });
    const entry = sidebar.getByRole('link', { name: 'Firm Documents', exact: true });
    await expect(entry).toHaveAccessibleDescription('1 new');
    await page.getByRole('button', { name: 'Delete Signed lease.pdf' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await expect(entry).toHaveAccessibleDescription('');
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(entry).toHaveAccessibleDescription('1 new');
  });

  await test.step('the heading of the board counts what the board shows', async () => {
    const expected = { reportTypeId: form941.id, frequency: 'quarterly', dueDays: 0, starts: null };
    await mine.api.put(`/api/clients/${client.id}/expectations`, { expectations: [expected] });
    await listening(page, () => page.goto(`/completeness?period=2025-Q2&client=${client.id}`));
    await expect(page.getByText('1 missing for Q2 2025', { exact: true })).toBeVisible();
    const fields = { clientId: client.id, fileType: 'report', reportTypeId: form941.id, period: '2025-Q2' };
    await mine.api.upload(fields, '941.pdf', await makePdf(['941']));
    await expect(news(page)).toHaveText('This list has changed. Show');
    await news(page).click();
    const board = page.getByRole('table', { name: 'Completeness' });
    const cell = `${client.name}, ${form941.name}, Q2 2025: Late`;
    await expect(board.getByRole('button', { name: cell })).toBeVisible();
    await expect(page.getByText('Nothing missing for Q2 2025, 1 late', { exact: true })).toBeVisible();
  });

  await test.step('people have their role by its new name', async () => {
    const { id, username } = mine.outsider;
    const { roleId, roleName } = await mine.api.get<{ roleId: number; roleName: string }>(`/api/users/${id}`);
    await listening(page, () => page.goto(`/users?q=${username}`));
    const row = page.getByRole('table', { name: 'Users' }).getByRole('row').filter({ hasText: username });
    await expect(row).toContainText(roleName);
    // Their rights stand in none of its columns: what is offered follows them, and by then they are heard of.
    const offered = page.waitForResponse((response) => new URL(response.url()).pathname === '/api/permissions');
    await mine.api.put('/api/permissions', { roleId, capabilities: ['documents.upload'] });
    await offered;
    await expect(news(page)).toHaveCount(0);
    await mine.api.put(`/api/roles/${roleId}`, { name: `${roleName} of branches` });
    await expect(news(page)).toHaveText('This list has changed. Show');
    await news(page).click();
    await expect(row).toContainText(`${roleName} of branches`);
  });

  await test.step('the trash hears of what is deleted and restored', async () => {
    await listening(page, () => page.goto('/trash?q=Withdrawn'));
    await expect(page.getByText('Nothing in the trash matches your search and filters.')).toBeVisible();
    const fields = { clientId: client.id, fileType: 'report', reportTypeId: form941.id };
    const { id } = await mine.api.upload(fields, 'Withdrawn.pdf', await makePdf(['Withdrawn']));
    await mine.api.delete(`/api/files/${id}`);
    await news(page).click();
    const row = page.getByRole('table', { name: 'Trash' }).getByRole('row').filter({ hasText: 'Withdrawn.pdf' });
    await expect(row).toBeVisible();
    await mine.api.post(`/api/files/${id}/restore`, {});
    await news(page).click();
    await expect(row).toHaveCount(0);
  });

  await test.step('so does what nobody has opened', async () => {
    await listening(page, () => page.goto(`/completeness/unopened?client=${client.id}`));
    const row = page.getByRole('table', { name: 'Never Opened' }).getByRole('row').filter({ hasText: form941.name });
    await expect(row).toContainText('2 reports');
    const fields = { clientId: client.id, fileType: 'report', reportTypeId: form941.id };
    await mine.api.upload(fields, 'Third.pdf', await makePdf(['Third']));
    await expect(news(page)).toHaveText('This list has changed. Show');
    await news(page).click();
    await expect(row).toContainText('3 reports');
  });

  await test.step('a trash of clients alone hears of no file, one of documents alone of no client, and none of an edit', async () => {
    await listening(page, () => page.goto('/trash?noun=client'));
    const sidebar = page.getByRole('navigation', { name: 'Main' });
    const entry = sidebar.getByRole('link', { name: 'Firm Documents', exact: true });
    const sender = await apiAs(server.origin, mine.clientUser);
    const fields = { clientId: client.id, fileType: 'company_document' };
    const { id } = await sender.upload(fields, 'Sent twice.pdf', await makePdf(['Twice']));
    await expect(entry).toHaveAccessibleDescription('2 new');
    await mine.api.delete(`/api/files/${id}`);
    // Heard of by then.
    await expect(entry).toHaveAccessibleDescription('1 new');
    await expect(news(page)).toHaveCount(0);

    await listening(page, () => page.goto('/trash?noun=company_document'));
    const path = `/api/clients/${client.id}`;
    const { id: _id, phoneNumber, onHold, version, ...facts } = await mine.api.get<Record<string, unknown>>(path);
    await mine.api.put(path, { ...facts, employeeCount: 99 });
    await sender.upload(fields, 'Sent last.pdf', await makePdf(['Last']));
    await expect(entry).toHaveAccessibleDescription('2 new');
    await expect(news(page)).toHaveCount(0);

    // One of everything hears of no client that is edited, and of each that is deleted.
    await listening(page, () => page.goto('/trash'));
    await mine.api.put(path, { ...facts, employeeCount: 98 });
    await sender.upload(fields, 'Sent at last.pdf', await makePdf(['At last']));
    await expect(entry).toHaveAccessibleDescription('3 new');
    await expect(news(page)).toHaveCount(0);
    const spare = await mine.api.post<{ id: number }>('/api/clients', { ...facts, name: `Spare Parts ${client.id}` });
    await mine.api.delete(`/api/clients/${spare.id}`);
    await expect(news(page)).toHaveText('This list has changed. Show');
  });
});
