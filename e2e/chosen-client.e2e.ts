// The chosen client of a CPA (docs/behaviour.md, Screens: the chosen client), and how few clicks lead to a report.
import { expect, type Page, type Route } from '@playwright/test';
import { seedFirm } from './firm.ts';
import { stepInFull, test } from './fixtures.ts';
import { makePdf } from './pdf.ts';
import { addFile, openAddData, textFile } from './uploads-page.ts';

const header = (page: Page) => page.getByRole('banner');
const selector = (page: Page) => page.getByRole('combobox', { name: /^(Select )?Client$/ });
const open = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true }).click();

async function expectChosen(page: Page, name: string | null): Promise<void> {
  const button = name === null ? 'Choose client' : `${name}, chosen client`;
  await expect(header(page).getByRole('button', { name: button, exact: true })).toBeVisible();
}

test('one client is chosen for all screens, until it is cleared', async ({ signIn, server }) => {
  const firm = await seedFirm(server.origin);
  const [first, second] = firm.clients;
  const page = await signIn(firm.cpa);

  await test.step('in the header, by keyboard', async () => {
    await header(page).getByRole('button', { name: 'Choose client' }).press('Enter');
    await expect(page.getByRole('combobox', { name: 'Search clients to choose' })).toBeFocused();
    await page.keyboard.type('marine tide');
    await expect(page.getByRole('listbox', { name: 'Clients' }).getByRole('option')).toHaveText([second.name]);
    await page.keyboard.press('Enter');
    await expectChosen(page, second.name);
    await expect(header(page).getByRole('button', { name: `${second.name}, chosen client` })).toBeFocused();
  });

  await test.step('Tab closes the list, and leads on from its button', async () => {
    await page.keyboard.press('Enter');
    const search = page.getByRole('combobox', { name: 'Search clients to choose' });
    await expect(search).toBeFocused();
    await page.keyboard.press('Tab');
    await expect(search).toHaveCount(0);
    await expect(header(page).getByRole('button', { name: 'Clear chosen client' })).toBeFocused();
    await expectChosen(page, second.name);
  });

  await test.step('every screen follows, and says so in its address', async () => {
    for (const [link, path] of [
      ['Reports', '/cpa-dashboard'],
      ['Firm Details', '/firm-details'],
      ['Firm Documents', '/firm-documents'],
      ['File Upload', '/file-upload'],
      ['Activity', '/activity'],
      ['Completeness', '/completeness'],
    ] as const) {
      await open(page, link);
      await expect(selector(page)).toHaveValue(second.name);
      await expect(page).toHaveURL(`${path}?client=${second.id}`);
    }
    // Whom "Remind All" means there is who is chosen.
    await page.getByRole('main').getByRole('link', { name: 'Never Opened' }).click();
    await expect(page).toHaveURL(`/completeness/unopened?client=${second.id}`);
    await page.reload();
    await expect(selector(page)).toHaveValue(second.name);
  });

  await test.step('a field that is pressed while the list is open has the focus, and what is typed', async () => {
    await header(page)
      .getByRole('button', { name: `${second.name}, chosen client` })
      .click();
    await expect(page.getByRole('combobox', { name: 'Search clients to choose' })).toBeFocused();
    await selector(page).click();
    await expect(page.getByRole('listbox', { name: 'Clients' })).toHaveCount(0);
    await expect(selector(page)).toBeFocused();
    await page.keyboard.press('Escape');
  });

  await stepInFull('the choice is the person\u2019s: another browser has it from the first picture on', async () => {
    const other = await signIn(firm.cpa, { fresh: true, at: '/file-upload' });
    await expect(selector(other)).toHaveValue(second.name);
    await expect(other).toHaveURL(`/file-upload?client=${second.id}`);
    await other.context().close();
  });

  await stepInFull('an address may ask for all clients, which chooses nothing', async () => {
    await page.goto('/activity?client=all');
    await expect(selector(page)).toHaveValue('All Clients');
    await expectChosen(page, null);
    await open(page, 'Completeness');
    await expect(selector(page)).toHaveValue(second.name);
  });

  await test.step("a screen's own select moves the header, and another tab follows", async () => {
    const select = async (name: string) => {
      await selector(page).click();
      await page.getByRole('option', { name, exact: true }).click();
      await expectChosen(page, name);
    };
    const other = await page.context().newPage();
    await other.goto('/');
    await expectChosen(other, second.name);
    await select(first.name);
    await expectChosen(other, first.name);

    // The other asks who is signed in before the choice, and is answered after it.
    const answered = Promise.withResolvers<void>();
    const chosen = Promise.withResolvers<void>();
    const late = async (route: Route) => {
      const response = await route.fetch();
      answered.resolve();
      await chosen.promise;
      await route.fulfill({ response });
    };
    await other.route('**/api/auth/me', late, { times: 1 });
    await other.reload();
    await answered.promise;
    await select(second.name);
    chosen.resolve();
    await expectChosen(other, second.name);
    await expectChosen(page, second.name);
    await select(first.name);
    await expectChosen(other, first.name);
    await other.close();
  });

  await test.step('a shared link shows its client and changes nothing that is remembered', async () => {
    await page.goto(`/firm-details?client=${second.id}`);
    await expect(selector(page)).toHaveValue(second.name);
    await expectChosen(page, second.name);
    await open(page, 'Dashboard');
    await expectChosen(page, first.name);
    await open(page, 'Reports');
    await expect(selector(page)).toHaveValue(first.name);
  });

  await test.step('Back to another client, refused for what a dialog would lose, chooses nobody else', async () => {
    await open(page, 'File Upload');
    await expect(page).toHaveURL(`/file-upload?client=${first.id}`);
    await selector(page).click();
    await page.getByRole('option', { name: second.name, exact: true }).click();
    await expectChosen(page, second.name);
    const dialog = await openAddData(page);
    await addFile(page, dialog, textFile('Half chosen.txt'));
    await page.evaluate('history.back()');
    await dialog.getByRole('button', { name: 'Keep editing' }).click();
    await expect(page).toHaveURL(`/file-upload?client=${second.id}`);
    await dialog.getByRole('button', { name: 'Cancel', exact: true }).click();
    await dialog.getByRole('button', { name: 'Discard' }).click();
    await open(page, 'Reports');
    await expect(selector(page)).toHaveValue(second.name);
  });

  await test.step('cleared in the header, for all screens', async () => {
    await header(page).getByRole('button', { name: 'Clear chosen client' }).click();
    await expect(selector(page)).toHaveValue('');
    await expect(page).not.toHaveURL(/client=/);
    await open(page, 'Firm Documents');
    await expect(selector(page)).toHaveValue('All Clients');
    await expectChosen(page, null);
  });

  await test.step('on the page of a client, and by the palette', async () => {
    await page.goto(`/clients/${first.id}`);
    await page.getByRole('button', { name: 'Work on This Client' }).click();
    await expectChosen(page, first.name);
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog', { name: 'Search', exact: true }).getByRole('combobox').fill(`choose ${second.name}`);
    await expect(page.getByRole('option')).toHaveText([`Choose ${second.name}`, new RegExp(`^${second.name}`)]);
    await page.keyboard.press('Enter');
    await expectChosen(page, second.name);
  });

  await stepInFull('a client that leaves the reach is chosen no longer', async () => {
    const roles = await firm.api.get<{ id: number; name: string }[]>('/api/roles');
    await firm.api.put(`/api/users/${firm.cpa.id}`, {
      username: firm.cpa.username,
      fullName: firm.cpa.fullName,
      roleId: roles.find(({ name }) => name === 'CPA')?.id,
      clientIds: [first.id, firm.stranger.id],
      reportTypeIds: firm.reportTypes.map(({ id }) => id),
    });
    await page.reload();
    await expectChosen(page, null);
    await expect(page.getByText(second.name)).toHaveCount(0);
  });
});

test('whoever has the overview and several clients is led to all of them, as it counts', { tag: '@full' }, async ({
  signIn,
  server,
}) => {
  const firm = await seedFirm(server.origin);
  const { id, username, fullName } = firm.outsider;
  const users = await firm.api.get<{ id: number; roleId: number }[]>('/api/users');
  await firm.api.put(`/api/users/${id}`, {
    username,
    fullName,
    roleId: users.find((user) => user.id === id)?.roleId,
    clientIds: firm.clients.map((client) => client.id),
    reportTypeIds: firm.reportTypes.map((type) => type.id),
  });
  const page = await signIn(firm.outsider);
  await header(page).getByRole('button', { name: 'Choose client' }).press('Enter');
  await expect(page.getByRole('combobox', { name: 'Search clients to choose' })).toBeFocused();
  await page.keyboard.type('marine tide');
  await expect(page.getByRole('listbox', { name: 'Clients' }).getByRole('option')).toHaveText([firm.clients[1].name]);
  await page.keyboard.press('Enter');
  await expectChosen(page, firm.clients[1].name);

  const card = (words: string) => page.getByRole('main').getByRole('link').filter({ hasText: words });
  await expect(card('Missing Reports')).toHaveAttribute(
    'href',
    /\/completeness\?period=\d{4}-\d{4}&state=missing&client=all$/,
  );
  await card('File uploads and downloads').click();
  await expect(page).toHaveURL('/activity?client=all');
  await expectChosen(page, null);
});

test('a Client user has no client to choose', { tag: '@full' }, async ({ signIn, server }) => {
  const firm = await seedFirm(server.origin);
  const page = await signIn(firm.clientUser);
  await expect(header(page).getByText(firm.clients[0].name)).toBeVisible();
  await expect(header(page).getByRole('button', { name: 'Choose client' })).toHaveCount(0);
});

/** Counts what a person does: each click, and each key that is pressed. */
function counting(page: Page) {
  const count = { clicks: 0, keys: 0 };
  return {
    count,
    click: async (target: ReturnType<Page['getByRole']>) => {
      count.clicks += 1;
      await target.click();
    },
    press: async (key: string) => {
      count.keys += 1;
      await page.keyboard.press(key);
    },
    type: async (text: string) => {
      count.keys += text.length;
      await page.keyboard.type(text);
    },
  };
}

test("last month's 941: two clicks or twelve keys for a CPA, two clicks for a Client", { tag: '@full' }, async ({
  signIn,
  server,
}) => {
  const firm = await seedFirm(server.origin);
  const [client] = firm.clients;
  const report = { clientId: client.id, fileType: 'report', reportTypeId: firm.reportTypes[1].id };
  await firm.api.upload(report, 'Before.pdf', await makePdf(['Before']));
  await firm.api.upload(report, 'Last month.pdf', await makePdf(['Last month']));
  // Ten letters, as "harbor 941" has: the client's word and the type's.
  const words = 'larksp 941';
  const newest = (page: Page) => page.getByRole('group', { name: 'Files' }).getByRole('option').first();
  const expectOpened = (page: Page) =>
    expect(page.getByRole('heading', { name: 'Last month.pdf', exact: true })).toBeVisible();

  await test.step('a CPA, by keyboard: Enter right after the last letter', async () => {
    const page = await signIn(firm.cpa);
    await expectChosen(page, null);
    const hand = counting(page);
    await hand.press('Control+k');
    await expect(page.getByRole('dialog', { name: 'Search', exact: true }).getByRole('combobox')).toBeFocused();
    await hand.type(words);
    await hand.press('Enter');
    await expectOpened(page);
    expect(hand.count).toEqual({ clicks: 0, keys: 12 });
  });

  for (const person of [firm.cpa, firm.clientUser]) {
    await test.step(`${person.fullName}, by mouse`, async () => {
      const page = await signIn(person);
      const hand = counting(page);
      await hand.click(page.getByRole('button', { name: 'Search', exact: true }));
      await expect(page.getByRole('dialog', { name: 'Search', exact: true }).getByRole('combobox')).toBeFocused();
      await hand.type(person === firm.cpa ? words : '941');
      await expect(newest(page)).toContainText('Last month.pdf');
      await hand.click(newest(page));
      await expectOpened(page);
      expect(hand.count.clicks).toBe(2);
    });
  }
});
