// The list of files to be sent (docs/behaviour.md, Files: uploading): what their names propose, and what the fields above it fill.
import { expect } from '@playwright/test';
import { axeFaultsOnTheWay } from './axe.ts';
import { table } from './files-page.ts';
import { type Firm, seedFirm } from './firm.ts';
import { test } from './fixtures.ts';
import { ADMIN } from './server.ts';
import { holdCalls } from './stub.ts';
import { addFile, choose, drag, freshNames, items, openAddData, submit, textFile } from './uploads-page.ts';

let firm: Firm;

test.beforeAll(async ({ server }) => {
  firm = await seedFirm(server.origin, { reports: 0 });
});

test('nothing can be sent before it is known what the names propose', { tag: '@full' }, async ({ signIn }) => {
  const [name = ''] = freshNames(1);
  const page = await signIn(firm.cpa, { at: `/file-upload?client=${firm.clients[1].id}` });
  const release = await holdCalls(page, /\/api\/clients\?sort=name/);
  const dialog = await openAddData(page);
  await addFile(page, dialog, textFile(name));
  await expect(items(dialog)).toContainText([name]);
  await expect(dialog.getByRole('combobox', { name: 'Client Name' })).toHaveValue(firm.clients[1].name);
  await expect(submit(dialog)).toBeDisabled();
  release();
  await expect(submit(dialog)).toBeEnabled();
});

test('five files for three clients and five types need no more than eight clicks where their names speak', async ({
  signIn,
}) => {
  const [alder, birch, cedar] = await Promise.all(
    ['Alderfield Optics', 'Birchmont Freight', 'Cedarline Foods'].map((name, nth) =>
      firm.api.post<{ id: number }>('/api/clients', {
        name: `${name}, LLC`,
        address: '4 Orchard Lane, Dayton, OH 45402',
        phone: '(937)-555-0117',
        federalId: `08-555444${nth}`,
        stateId: 'OH-71',
        email: 'books@example.com',
        employeeCount: 4,
        startDate: '2025-01-31',
      }),
    ),
  );
  for (const name of ['Form 940', 'Form 945', 'W-2', 'Deposit Notice', 'Certified Register']) {
    await firm.api.post('/api/report-types', { name });
  }
  const page = await signIn(ADMIN, { at: '/file-upload' });
  await expect(page.getByRole('button', { name: 'Upload Files' })).toBeVisible();
  await page.evaluate(`(() => {
    window.clicked = 0;
    addEventListener('click', (event) => { if (event.isTrusted) window.clicked += 1; }, true);
  })()`);
  const names = [
    'AlderfieldOptics_940_2025.pdf',
    'W2 2025 Alderfield.pdf',
    'Form 945 Birchmont Freight 2024.pdf',
    'Deposit Notice 08-5554441 Q3 2025.pdf',
    'CEDARLINE certified register 2025-03-14.pdf',
  ];
  await (await drag(page, names))();
  const dialog = page.getByRole('dialog', { name: 'Add Data' });
  const row = (nth: number) => items(dialog).filter({ hasText: names[nth] as string });
  await expect(row(0)).toContainText('Proposed: Alderfield Optics, LLC · Form 940 · 2025');
  await expect(row(0).getByRole('link', { name: /^Alderfield Optics, LLC\b/ })).toHaveAttribute(
    'href',
    `/clients/${alder?.id}`,
  );
  await expect(row(3)).toContainText('Proposed: Birchmont Freight, LLC · Deposit Notice · Q3 2025');
  await (await drag(page, names))();
  await expect(dialog.getByText(`Already in the list: ${names.slice(0, 3).join(', ')} and 2 more`)).toBeVisible();
  // Another client for one file alone, against what its name says: told, and taken back.
  await dialog.getByRole('button', { name: `Change ${names[1]}` }).click();
  await expect(dialog.getByRole('combobox', { name: 'Client', exact: true })).toBeInViewport({ ratio: 1 });
  await dialog.getByRole('combobox', { name: 'Client', exact: true }).click();
  await page.getByRole('option', { name: 'Cedarline Foods, LLC' }).click();
  await expect(row(1)).toContainText('The name speaks of Alderfield Optics, LLC');
  await dialog.getByRole('button', { name: `Use Alderfield Optics, LLC for ${names[1]}` }).click();
  await expect(row(1)).not.toContainText('The name speaks of');
  await submit(dialog).click();
  await expect(dialog).toBeHidden();
  expect(await page.evaluate('window.clicked')).toBeLessThanOrEqual(8);

  const filed = await firm.api.get<Record<string, unknown>[]>('/api/files');
  expect(
    names.map((name) => {
      const { clientId, reportTypeName, period } = filed.find(({ originalName }) => originalName === name) ?? {};
      return [clientId, reportTypeName, period];
    }),
  ).toEqual([
    [alder?.id, 'Form 940', '2025'],
    [alder?.id, 'W-2', '2025'],
    [birch?.id, 'Form 945', '2024'],
    [birch?.id, 'Deposit Notice', '2025-Q3'],
    [cedar?.id, 'Certified Register', '2025-03-14'],
  ]);
});

test('the fields above the list fill only files without their own, and a report without a type is asked about', {
  tag: '@full',
}, async ({ signIn }) => {
  const clients = await Promise.all(
    ['Juniper Vale Dental', 'Kestrel Rock Mining'].map((name, nth) =>
      firm.api.post<{ id: number; name: string }>('/api/clients', {
        name: `${name}, LLC`,
        address: '4 Orchard Lane, Dayton, OH 45402',
        phone: '(937)-555-0118',
        federalId: `08-666777${nth}`,
        stateId: 'OH-72',
        email: 'books@example.com',
        employeeCount: 4,
        startDate: '2025-01-31',
      }),
    ),
  );
  const [juniper, kestrel] = clients.map(({ id }) => id);
  const names = ['Juniper Vale Dental 2025.txt', 'Kestrel Rock Mining.txt', 'scan 0017.txt', 'scan 0018.txt'].map(
    (name) => `${process.pid} ${name}`,
  );
  const page = await signIn(ADMIN, { at: '/file-upload' });
  await expect(page.getByRole('button', { name: 'Upload Files' })).toBeVisible();
  await (await drag(page, names))();
  const dialog = page.getByRole('dialog', { name: 'Add Data' });
  const row = (nth: number) => items(dialog).filter({ hasText: names[nth] as string });
  const client = dialog.getByRole('combobox', { name: 'Client Name', exact: true });
  const status = dialog.getByText(/ (needs|need) a client$/);
  await expect(row(1)).toContainText('Kestrel Rock Mining, LLC');
  await expect(submit(dialog)).toBeDisabled();
  await expect(status).toHaveText('2 files need a client');

  await test.step('Enter takes the first match; leaving takes the only one, or keeps what was typed', async () => {
    await client.fill('no such client');
    await client.press('Tab');
    await expect(dialog.getByText('Nothing matches “no such client”.', { exact: false })).toBeVisible();
    await expect(client).toHaveValue('no such client');
    await client.fill('juniper vale');
    await client.press('Enter');
    await expect(client).toHaveValue('Juniper Vale Dental, LLC');
    await expect(dialog, 'nothing is sent').toBeVisible();
    await client.fill(firm.clients[0].name);
    await client.press('Tab');
    await expect(client).toHaveValue(firm.clients[0].name);
  });
  await expect(row(0), 'what its name proposes stays').toContainText('Juniper Vale Dental, LLC');
  await expect(row(1)).toContainText('Kestrel Rock Mining, LLC');
  for (const nth of [2, 3]) await expect(row(nth)).toContainText(firm.clients[0].name);
  await expect(status).toHaveCount(0);
  await expect(dialog.getByText('2 of 4 files keep a client of their own.')).toBeVisible();

  await test.step('one client for all is an act of its own', async () => {
    const useForAll = dialog.getByRole('button', { name: 'Use for all 4 files: client' });
    await useForAll.click();
    for (const nth of [0, 1, 2, 3]) await expect(row(nth)).toContainText(firm.clients[0].name);
    await expect(useForAll).toHaveCount(0);
    await dialog.getByRole('button', { name: `Use Juniper Vale Dental, LLC for ${names[0]}` }).click();
    await dialog.getByRole('button', { name: `Use Kestrel Rock Mining, LLC for ${names[1]}` }).click();
  });

  const question = dialog.getByRole('alert');
  const type = dialog.getByRole('combobox', { name: 'Report Type', exact: true });
  await test.step('a type or the question', async () => {
    await submit(dialog).click();
    await expect(question).toContainText('4 files have no report type. Without a type, clients cannot see them.');
    expect(await axeFaultsOnTheWay(page)).toEqual([]);
    await question.getByRole('button', { name: 'Choose a type' }).click();
    await expect(question).toHaveCount(0);
    await expect(type).toBeFocused();
    await submit(dialog).click();
    await question.getByRole('button', { name: 'Upload anyway' }).click();
    await expect(dialog).toBeHidden();
  });

  const stored = await firm.api.get<{ originalName: string; clientId: number }[]>('/api/files');
  const clientOf = (name: string) => stored.find(({ originalName }) => originalName === name)?.clientId;
  expect(names.map(clientOf)).toEqual([juniper, kestrel, firm.clients[0].id, firm.clients[0].id]);

  await test.step('staff see that clients do not, and can list such reports alone', async () => {
    const mark = 'Not visible to clients';
    await expect(
      table(page)
        .getByRole('row')
        .filter({ hasText: names[2] as string }),
    ).toContainText(mark);
    await choose(page, page.locator('main'), 'Report Type', 'Without type');
    await expect(page).toHaveURL(/reportType=none/);
    await expect(
      table(page)
        .getByRole('row')
        .filter({ hasText: names[2] as string }),
    ).toContainText(mark);
    await expect(table(page).getByRole('row').filter({ hasNotText: mark }), 'the head alone').toHaveCount(1);
    expect(await axeFaultsOnTheWay(page)).toEqual([]);
    await page.goto(`/cpa-dashboard?reportType=none&client=${juniper}`);
    await expect(page.getByRole('button', { name: 'Without type' })).toHaveAttribute('aria-pressed', 'true');
    await page.getByRole('link', { name: names[0] as string, exact: true }).click();
    await expect(page.getByRole('heading', { name: names[0] as string })).toContainText(mark);
  });
  const viewer = await signIn(firm.clientUser, { at: '/cpa-dashboard?reportType=none' });
  // Not those of the sidebar, which unfold besides.
  await expect(viewer.getByRole('main').getByRole('button', { name: firm.reportTypes[0].name })).toBeVisible();
  await expect(viewer.getByRole('button', { name: 'Without type' })).toHaveCount(0);
});
