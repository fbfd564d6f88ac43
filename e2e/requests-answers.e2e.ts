// What a client owes the firm, from the client’s side: a closed request takes nothing, files are sent from the home, and what fails is sent again.
import { expect, type Route } from '@playwright/test';
import { apiAs } from './api.ts';
import { UNREACHABLE } from './failing-calls.ts';
import { type Firm, seedFirm } from './firm.ts';
import { test } from './fixtures.ts';
import { choose, dayIn, itemOf } from './requests-page.ts';
import { failCalls } from './stub.ts';
import { readError, readToast } from './toast.ts';

// Its own firm: the requests of another file would be counted too.
test.use({ firmName: 'requests, answered' });

/** Of a file that is pasted where several items take one. */
const WHICH_ITEM = 'Which item is this for? Press "Upload" there, or drop it onto the item.';

let firm: Firm;
test.beforeAll(async ({ server }) => {
  firm = await seedFirm(server.origin, { reports: 0 });
});

test('a closed request takes nothing, and of an open one what fails says why and is sent again', async ({
  signIn,
  server,
}) => {
  const [bakery] = firm.clients;
  const api = await apiAs(server.origin);
  const items = [{ name: 'Forms W-9', note: '' }];
  const asked = { clientIds: [bakery.id], title: 'Contractors', message: '', dueOn: dayIn(-4), items };
  const { ids } = await api.post<{ ids: number[] }>('/api/requests', asked);
  await api.post(`/api/requests/${ids[0]}/close`, {});
  const client = await signIn(firm.clientUser, { failures: [401, 404, 409, 500], offline: true });
  await expect(client.getByRole('heading', { name: 'Client List' })).toBeVisible();
  await expect(client.getByText('Your firm asks for')).toHaveCount(0);
  await client.goto(`/requests/${ids[0]}`);
  await expect(client.getByText('Your firm has closed this request, so nothing more can be sent')).toBeVisible();
  await expect(client.getByRole('main').getByRole('button', { name: /^Upload/ })).toHaveCount(0);
  await client.goto('/');
  await expect(client.getByRole('heading', { name: 'Client List' })).toBeVisible();
  await api.post(`/api/requests/${ids[0]}/reopen`, {});
  await expect(client.getByRole('button', { name: 'Upload for Forms W-9' })).toBeVisible();

  await test.step('what is typed stays where the request is closed meanwhile and gone from the home, with what to do', async () => {
    const item = { name: 'A voided check', note: '' };
    const check = { ...asked, title: 'Payments', dueOn: dayIn(-5), items: [item] };
    const { ids: closing } = await api.post<{ ids: number[] }>('/api/requests', check);
    await client.getByRole('button', { name: 'A voided check does not apply' }).click();
    const dialog = client.getByRole('dialog', { name: 'A voided check does not apply' });
    const note = dialog.getByRole('textbox');
    await note.fill('We pay by wire');
    await api.post(`/api/requests/${closing[0]}/close`, {});
    await expect(client.getByRole('article', { name: 'Payments', includeHidden: true })).toHaveCount(0);
    await dialog.getByRole('button', { name: 'Tell my firm' }).click();
    const why =
      'Your firm has closed this request, so nothing more can be sent for it. Ask your firm if something is missing.';
    await readError(client, `Failed to tell your firm: ${why}`);
    await expect(dialog.getByText(why)).toBeVisible();
    await expect(note).toHaveValue('We pay by wire');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.getByRole('button', { name: 'Discard' }).click();
    await expect(dialog).toBeHidden();
  });

  await test.step('files are dropped onto an item; what fails says why, and is sent again', async () => {
    const pass = await failCalls(client, /\/api\/request-items\/\d+\/files/, {
      status: 500,
      message: 'The disk is full',
    });
    const dataTransfer = await client.evaluateHandle(`(() => {
      const carried = new DataTransfer();
      carried.items.add(new File(['W-9'], 'w9.pdf', { type: 'application/pdf' }));
      return carried;
    })()`);
    const item = itemOf(client, 'Forms W-9');
    await client.getByRole('main').dispatchEvent('dragenter', { dataTransfer });
    await item.dispatchEvent('drop', { dataTransfer });
    await expect(item.getByRole('alert')).toHaveText('The disk is full');
    await readError(client, 'Failed to send w9.pdf: The disk is full');
    await pass();
    await item.getByRole('button', { name: 'Try again: w9.pdf' }).click();
    await readToast(client, 'status', ['Sent: w9.pdf']);
    await expect(item.getByRole('link', { name: 'w9.pdf' })).toBeVisible();
    await expect(item.getByRole('alert')).toHaveCount(0);
    const home = client.getByRole('region', { name: 'Your firm asks for' });
    await expect(home).toContainText('Everything is sent.');
    const passAgain = await failCalls(client, /\/api\/request-items\/\d+\/files/, {
      status: 500,
      message: 'The disk is full',
    });
    await choose(client, 'Upload more for Forms W-9', 'page two.txt');
    await readError(client, 'Failed to send page two.txt: The disk is full');
    await expect(home, 'a file that has failed is not sent').not.toContainText('Everything is sent.');
    await passAgain();
    await item.getByRole('button', { name: 'Remove page two.txt' }).click();
    await expect(home).toContainText('Everything is sent.');
    const gone = { message: 'Not found.', code: 'not_found', requestId: 'stub' };
    const refuse = (route: Route) => route.fulfill({ status: 404, json: gone });
    await client.route(/\/api\/request-items\/\d+\/files/, refuse, { times: 1 });
    await choose(client, 'Upload more for Forms W-9', 'page three.txt');
    await readError(client, 'Failed to send page three.txt: Your firm no longer asks you for this.');
    // It would be shown nowhere, and the browser would ask at every way out.
    await expect(item.getByText('page three.txt')).toHaveCount(0);
    await expect(home).toContainText('Everything is sent.');
  });

  await test.step('what hangs on its way is cancelled, and what waits behind it goes', async () => {
    const item = itemOf(client, 'Forms W-9');
    // Never answered.
    await client.route(/\/api\/request-items\/\d+\/files/, () => undefined, { times: 1 });
    await choose(client, 'Upload more for Forms W-9', 'wrong photo.txt');
    await choose(client, 'Upload more for Forms W-9', 'page four.txt');
    await expect(item.getByRole('button', { name: 'Remove page four.txt' })).toBeVisible();
    await item.getByRole('button', { name: 'Cancel wrong photo.txt' }).click();
    await readToast(client, 'status', ['Sent: page four.txt']);
    await expect(item.getByRole('link', { name: 'page four.txt' })).toBeVisible();
    await expect(item.getByText('wrong photo.txt')).toHaveCount(0);
    await client.route(/\/api\/request-items\/\d+\/files/, () => undefined, { times: 1 });
    await choose(client, 'Upload more for Forms W-9', 'late photo.txt');
    // It may have arrived all the same.
    const readAgain = client.waitForRequest(/\/api\/requests/);
    await item.getByRole('button', { name: 'Cancel late photo.txt' }).click();
    await readAgain;
  });

  await test.step('where uploads get no answer the page says so once, and one press sends all again', async () => {
    const item = itemOf(client, 'Forms W-9');
    const bar = client.getByRole('status').filter({ hasText: 'The server cannot be reached. Trying again...' });
    const away = /\/(healthz$|api\/)/;
    const lose = (route: Route) => route.abort('connectionfailed');
    await client.route(away, lose);
    await choose(client, 'Upload more for Forms W-9', 'page five.txt', 'page six.txt');
    await readError(client, `Failed to send 2 files: ${UNREACHABLE}`);
    await expect(bar).toBeVisible();
    await client.unroute(away, lose);
    await client.getByRole('button', { name: 'Try All 2 Again' }).click();
    await readToast(client, 'status', ['Sent: page six.txt']);
    for (const name of ['page five.txt', 'page six.txt']) await expect(item.getByRole('link', { name })).toBeVisible();
    await expect(client.getByRole('button', { name: /^Try All/ })).toHaveCount(0);
    await expect(bar).toHaveCount(0);
  });

  await test.step('where the session ends between two files, the second waits for the password and goes', async () => {
    const item = itemOf(client, 'Forms W-9');
    const { origin } = new URL(client.url());
    // As another device does it, once the first is sent and the page reads the requests again.
    const endSession = async (route: Route) => {
      await (await apiAs(origin, firm.clientUser)).delete('/api/auth/sessions');
      await route.fallback();
    };
    const awaitEnd = async (route: Route) => {
      await client.route(/\/api\/requests\?/, endSession, { times: 1 });
      await route.fallback();
    };
    await client.route(/\/api\/request-items\/\d+\/files/, awaitEnd, { times: 1 });
    await choose(client, 'Upload more for Forms W-9', 'page seven.txt', 'page eight.txt');
    const again = client.getByRole('dialog', { name: 'Sign in again' });
    await again.getByLabel('Password', { exact: true }).fill(firm.clientUser.password);
    await again.getByRole('button', { name: 'Sign in', exact: true }).click();
    await expect(again).toBeHidden();
    await readToast(client, 'status', ['Sent: page eight.txt']);
    for (const name of ['page seven.txt', 'page eight.txt'])
      await expect(item.getByRole('link', { name })).toBeVisible();
    await expect(item.getByRole('alert')).toHaveCount(0);
  });

  await test.step('of several the one due first shows its items, below what is new', async () => {
    const later = { ...asked, title: 'New policy', dueOn: dayIn(5), items: [{ name: 'The policy', note: '' }] };
    await api.post('/api/requests', later);
    await api.post('/api/requests', { ...later, title: 'Older policy', dueOn: dayIn(6) });
    const pass = await failCalls(client, /\/api\/requests\?/, { status: 500, message: 'The disk is full' });
    await client.goto('/');
    const home = client.getByRole('region', { name: 'Your firm asks for' });
    // What could not be loaded does not look like nothing.
    await expect(home.getByRole('alert')).toContainText('The disk is full');
    await pass();
    const policy = home.getByRole('article', { name: 'New policy' });
    const unfold = policy.getByRole('button', { name: 'Show 1 item of New policy' });
    await expect(async () => {
      // It may be loaded by itself at this very moment, and the button be gone.
      if (await home.getByRole('alert').isVisible())
        await home.getByRole('button', { name: 'Retry' }).click({ timeout: 2_000 });
      await expect(unfold).toBeVisible({ timeout: 2_000 });
    }).toPass();
    await expect(unfold).toHaveAttribute('aria-expanded', 'false');
    await expect(home.getByRole('button', { name: /^Upload/ })).toHaveCount(1);
    await unfold.press('Enter');
    await expect(policy.getByRole('button', { name: 'Upload for The policy' })).toBeVisible();
    await policy.getByRole('button', { name: 'Hide items of New policy' }).click();
    await expect(policy.getByRole('button', { name: 'Upload for The policy' })).toBeHidden();
    const headings = await client.getByRole('main').getByRole('heading', { level: 3 }).allInnerTexts();
    expect(headings.slice(-3)).toEqual([
      expect.stringMatching(/^(New|Latest) Reports$/),
      'Your firm asks for',
      'Client List',
    ]);
  });

  await test.step('of more than are shown, the way to the others leads to the open ones', async () => {
    for (const nth of [1, 2, 3, 4]) {
      await api.post('/api/requests', { ...asked, title: `Policy ${nth}`, items: [{ name: 'The policy', note: '' }] });
    }
    await client.goto('/');
    const home = client.getByRole('region', { name: 'Your firm asks for' });
    // What is still owed is among the five, and what was sent whole is not, however early its day was.
    await expect(home.getByRole('article')).toHaveCount(5);
    await expect(home.getByRole('article', { name: 'New policy' })).toBeVisible();
    await expect(home.getByRole('article', { name: 'Contractors' })).toHaveCount(0);
    const all = client.getByRole('link', { name: /^See all \d+ open requests$/ });
    const count = /\d+/.exec(await all.innerText())?.[0];
    await all.click();
    await expect(client.getByRole('combobox', { name: 'State' })).toHaveValue('open');
    await expect(client).toHaveURL(/[?&]sort=dueOn/);
    await expect(client.getByRole('table', { name: 'Requests' }).getByRole('row')).toHaveCount(Number(count) + 1);
  });

  await test.step('a file that is pasted goes to the only item; of several it is asked which one it is for', async () => {
    const paste = () =>
      client.evaluate(`(() => {
        const clipboardData = new DataTransfer();
        clipboardData.items.add(new File(['The policy'], 'policy.txt', { type: 'text/plain' }));
        document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
      })()`);
    await client.getByRole('link', { name: 'Older policy' }).click();
    await expect(client.getByRole('button', { name: 'Upload for The policy' })).toBeVisible();
    await paste();
    await readToast(client, 'status', ['Sent: policy.txt']);
    await expect(itemOf(client, 'The policy').getByRole('link', { name: 'policy.txt' })).toBeVisible();
    const both = { ...asked, title: 'Two papers', items: [...items, { name: 'Form 1096', note: '' }] };
    const { ids: two } = await api.post<{ ids: number[] }>('/api/requests', both);
    await client.goto(`/requests/${two[0]}`);
    await expect(client.getByRole('button', { name: 'Upload for Form 1096' })).toBeVisible();
    await paste();
    await readToast(client, 'status', [WHICH_ITEM]);
    await expect(client.getByRole('list', { name: 'Sent files' })).toHaveCount(0);
    // Neither do several requests on one page say which is meant, where each has one item.
    await client.goto('/');
    await expect(client.getByRole('button', { name: /^Upload/ }).first()).toBeVisible();
    await paste();
    await readToast(client, 'status', [WHICH_ITEM]);
    await client.goto('/requests');
  });

  await test.step('a request that is out of reach now is not on the open page any more', async () => {
    await client.getByRole('link', { name: 'New policy' }).click();
    await expect(client.getByRole('heading', { name: 'New policy' })).toBeVisible();
    const { id, username, fullName } = firm.clientUser;
    const roles = await api.get<{ id: number; name: string }[]>('/api/roles');
    const roleId = roles.find(({ name }) => name === 'Client')?.id;
    const lists = { clientIds: [firm.clients[1].id], reportTypeIds: [firm.reportTypes[0].id] };
    await api.put(`/api/users/${id}`, { username, fullName, roleId, ...lists });
    await expect(client.getByText('Request Not Found')).toBeVisible();
  });
});
