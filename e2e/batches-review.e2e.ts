// A batch under review, by the keyboard alone, several documents at once, thousands of them, and an image.
import { expect } from '@playwright/test';
import type { BatchDetails } from '#contract/batches.ts';
import { bitmapPage, pngOf, turnedBitmap } from '#server/testing/bitmap-page.ts';
import { axeFaultsOnTheWay } from './axe.ts';
import { choose, drop, group, known, list, pane, printFile, reviewed, selected, unknown } from './batch-page.ts';
import { type Firm, seedFirm } from './firm.ts';
import { stepInFull, test } from './fixtures.ts';
import { ADMIN } from './server.ts';
import { holdCalls } from './stub.ts';
import { readToast, toastOf } from './toast.ts';

let firm: Firm;

test.beforeAll(async ({ server }) => {
  firm = await seedFirm(server.origin);
});

/** Runs in the page: decisions wait for `letDecide`, and are counted. The browser's own account of calls has been seen to miss one. */
const HOLD_DECISIONS = `{
  const send = fetch;
  const { promise, resolve } = Promise.withResolvers();
  Object.assign(window, {
    decisions: 0,
    letDecide: resolve,
    fetch: async (address, asked) => {
      if (String(address).endsWith('/documents/decide')) {
        window.decisions += 1;
        await promise;
      }
      return send(address, asked);
    },
  });
}`;

test('the keyboard alone: chosen, split, joined, accepted and dropped', async ({ signIn }) => {
  const [larkspur, tidewater] = firm.clients;
  const [journals, returns] = firm.reportTypes;
  const page = await signIn(firm.cpa, { at: '/batches' });
  await drop(page, [
    { name: 'keys.pdf', bytes: await printFile([...known(firm), unknown]) },
    { name: 'notes.txt', bytes: Buffer.from('Notes that name nobody') },
  ]);
  await reviewed(page);
  await expect(page.getByRole('heading', { name: 'keys.pdf and others' }).first()).toBeVisible();
  const key = (name: string) => page.keyboard.press(name);
  await expect(selected(page)).toContainText('Pages 5-6');

  await page.keyboard.press('?');
  await expect(page.getByRole('dialog').getByRole('region', { name: 'On this page' })).toContainText('Drop');
  await key('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);

  await list(page).focus();
  // Without a client nothing is accepted: its field is where the focus goes.
  await key('a');
  await expect(toastOf(page, 'alert')).toContainText('Please select a client');
  const client = pane(page).getByRole('combobox', { name: 'Client' });
  await expect(client).toBeFocused();
  await page.keyboard.type(larkspur.name);
  const option = page.getByRole('option', { name: larkspur.name, exact: true });
  await expect(option).toBeVisible();
  await key('Enter');
  await expect(list(page)).toBeFocused();
  await expect(selected(page)).toContainText(larkspur.name);
  // What is typed takes the place of the type that stands there.
  for (const { name } of [returns, journals]) {
    await key('t');
    await page.keyboard.type(name);
    await expect(page.getByRole('option', { name, exact: true })).toBeVisible();
    await key('Enter');
    await expect(list(page)).toBeFocused();
    await expect(selected(page)).toContainText(name);
  }
  // So does what stands there already, in full or as far as it is typed: nothing changes.
  for (const [letter, name] of [
    ['t', journals.name],
    ['c', larkspur.name],
  ] as const) {
    for (const typed of [name, name.slice(0, 6), ...(letter === 't' ? [name.slice(0, 1)] : [])]) {
      await key(letter);
      await page.keyboard.type(typed);
      await expect(page.getByRole('option', { name, exact: true })).toBeVisible();
      await key('Enter');
      await expect(list(page)).toBeFocused();
      await expect(selected(page)).toContainText(name);
    }
  }
  // Of a period its day, and not its kind.
  await key('p');
  await expect(pane(page).getByRole('textbox', { name: 'Pay Date' })).toBeFocused();
  await key('Escape');
  await expect(list(page)).toBeFocused();

  // Split at its second page, which is gone to first.
  await pane(page).getByRole('textbox', { name: 'Page' }).fill('6');
  await key('Enter');
  await expect(pane(page).getByRole('button', { name: 'Split at Page 6' })).toBeVisible();
  await list(page).focus();
  // Both say what was looked at.
  const version = expect.any(Number);
  const split = page.waitForRequest(/\/documents\/split$/);
  await key('s');
  expect((await split).postDataJSON()).toEqual({ documentId: expect.any(Number), page: 6, version });
  await expect(group(page, 'To check, 3')).toContainText('Page 6');
  await key('j');
  await expect(selected(page)).toContainText('Page 6');
  const joined = page.waitForRequest(/\/documents\/join$/);
  await key('b');
  const before = { id: expect.any(Number), version };
  expect((await joined).postDataJSON()).toEqual({ documentId: expect.any(Number), version, before });
  await expect(group(page, 'To check, 2')).toContainText('Pages 5-6');
  await expect(selected(page)).toContainText('Pages 5-6');
  // Held down, it accepts no other.
  await page.keyboard.down('Enter');
  await page.keyboard.down('Enter');
  await page.keyboard.up('Enter');
  await expect(group(page, 'Accepted, 1')).toContainText(larkspur.name);
  // On to the next: what no client is named in is dropped.
  await expect(selected(page)).toContainText('notes.txt');
  await key('d');
  await expect(group(page, 'Dropped, 1')).toContainText('notes.txt');
  await expect(selected(page)).toContainText(larkspur.name);
  // Pressed twice, it is one act.
  await page.evaluate(HOLD_DECISIONS);
  await key('Shift+A');
  await expect(page.getByRole('button', { name: 'Accept All Ready (2)' })).toHaveAttribute('aria-disabled', 'true');
  await key('Shift+A');
  await page.evaluate('letDecide()');
  await readToast(page, 'status', ['2 documents accepted']);
  await expect(group(page, 'Accepted, 3')).toContainText(tidewater.name);

  // In a field letters are letters.
  await key('c');
  await page.keyboard.type('d');
  await expect(client).toHaveValue('d');
  await key('Escape');
  await key('Escape');
  await expect(list(page)).toBeFocused();
  await expect(group(page, 'Accepted, 3')).toBeVisible();
  expect(await page.evaluate('decisions')).toBe(1);

  // What no toast says is said to those who hear the page.
  await key('u');
  await expect(page.getByRole('status').filter({ hasText: /^To be checked again: / })).toHaveCount(1);

  await test.step('on a phone the place in the list and the focus stay, and what is pointed at is in sight', async () => {
    const [shown = ''] = /Pages \d-\d/.exec((await selected(page).textContent()) ?? '') ?? [];
    await page.setViewportSize({ width: 390, height: 844 });
    const back = pane(page).getByRole('button', { name: 'Back to the documents' });
    await expect(pane(page)).toContainText(shown);
    await back.click();
    await expect(list(page)).toBeFocused();
    await expect(selected(page)).toContainText(shown);
    await key('ArrowDown');
    await expect(back).toBeFocused();
    await expect(pane(page)).not.toContainText(shown);
    await key('Enter');
    await expect(list(page)).toBeFocused();
    await key('Enter');
    await expect(back).toBeFocused();
    await expect(pane(page)).not.toContainText(shown);
    // Its page is below all that is said of it.
    await pane(page).getByRole('region', { name: 'What speaks for it' }).getByRole('button').last().click();
    await expect(pane(page).locator('[data-page]')).toBeInViewport({ ratio: 0.95 });
  });
});

test('several are ticked, filed, accepted and released together, and what is there already is skipped', async ({
  signIn,
}) => {
  const [larkspur] = firm.clients;
  const [journals, returns] = firm.reportTypes;
  const page = await signIn(firm.cpa, { at: '/batches' });
  const key = (name: string) => page.keyboard.press(name);
  const ticked = () => list(page).getByRole('option', { checked: true });
  const bar = page.getByRole('region', { name: 'Ticked documents' });
  const run = { name: 'several.pdf', bytes: await printFile([...known(firm), unknown]) };
  await choose(page, [run, { name: 'notes.txt', bytes: Buffer.from(`Notes ${firm.cpa.id} that name nobody`) }]);
  await reviewed(page);
  await list(page).focus();
  await key('Space');
  await key('Shift+ArrowDown');
  await expect(ticked()).toHaveCount(2);
  await expect(bar).toContainText('2 ticked');
  await expect(bar).toContainText('Left out: 2 without a client');
  await expect(bar.getByRole('button', { name: 'Accept 0' })).toBeDisabled();
  // None of them goes half way.
  await key('a');
  await expect(toastOf(page, 'alert')).toContainText('None of them can be accepted together');

  await key('c');
  const dialog = page.getByRole('dialog');
  const client = dialog.getByRole('combobox', { name: 'Client' });
  await expect(client).toBeFocused();
  expect(await axeFaultsOnTheWay(page)).toEqual([]);
  await page.keyboard.type(larkspur.name);
  await page.getByRole('option', { name: larkspur.name, exact: true }).click();
  await test.step('a period that contradicts the report type is asked about here too', async () => {
    await dialog.getByRole('combobox', { name: 'Report Type' }).fill(returns.name);
    await page.getByRole('option', { name: returns.name, exact: true }).click();
    const kind = dialog.getByRole('combobox', { name: 'Period' });
    await kind.click();
    await page.getByRole('option', { name: 'Year', exact: true }).click();
    const doubt = dialog.getByRole('status').filter({ hasText: `${returns.name} is for a quarter` });
    await doubt.getByRole('button', { name: /^Keep / }).click();
    await expect(doubt).toHaveCount(0);
    await kind.click();
    await page.getByRole('option', { name: 'Leave as it is' }).click();
  });
  await dialog.getByRole('combobox', { name: 'Report Type' }).fill(journals.name);
  await page.getByRole('option', { name: journals.name, exact: true }).click();
  await dialog.getByRole('button', { name: 'Set', exact: true }).click();
  await readToast(page, 'status', ['2 documents changed']);
  await expect(dialog).toHaveCount(0);
  await expect(group(page, 'To check, 2').getByRole('option').filter({ hasText: larkspur.name })).toHaveCount(2);
  await list(page).focus();
  await key('a');
  await readToast(page, 'status', ['2 documents accepted.']);
  await expect(group(page, 'Accepted, 2')).toBeVisible();
  await expect(bar).toHaveCount(0);

  // All of the list, and none.
  await key('Control+a');
  await expect(ticked()).toHaveCount(4);
  expect(await axeFaultsOnTheWay(page)).toEqual([]);
  await expect(bar).toContainText('Left out: 2 accepted before.');
  await key('Escape');
  await expect(ticked()).toHaveCount(0);
  // By mouse: one, and all up to another.
  await group(page, 'Ready, 2').locator('[data-tick]').first().click();
  await group(page, 'Accepted, 2')
    .getByRole('option')
    .first()
    .click({ modifiers: ['Shift'] });
  await expect(ticked()).toHaveCount(3);
  await key('r');
  await expect(dialog).toContainText('Release 1 document?');
  await expect(dialog).toContainText('2 ticked are not accepted and stay as they are.');
  await expect(dialog).toContainText('It will become a file of its client');
  await dialog.getByRole('button', { name: 'Release', exact: true }).click();
  await expect(group(page, 'Released, 1')).toBeVisible({ timeout: 30_000 });
  await expect(ticked()).toHaveCount(2);
  // Of the same place as the one that is released now: that one is decided by itself, and stays ticked.
  await expect(bar).toContainText('Left out: 1 there already.');
  const decided = await holdCalls(page, /\/documents\/decide$/);
  await bar.getByRole('button', { name: 'Accept 1' }).click();
  // What is ticked meanwhile stays so.
  await group(page, 'Accepted, 1').locator('[data-tick]').click();
  await expect(ticked()).toHaveCount(3);
  decided();
  await expect(group(page, 'Accepted, 2')).toBeVisible();
  await expect(ticked()).toHaveCount(2);
  await bar.getByRole('button', { name: 'Clear' }).click();
  await group(page, 'Already there, 1').getByRole('option').click();
  // What is on hold is not replaced, and that is said where it would be offered.
  const choices = pane(page).getByRole('group', { name: 'What becomes of this one' });
  await expect(choices.getByRole('button', { name: 'Replace it' })).toBeVisible();
  const earlier = await pane(page).getByText('Already there:').getByRole('link').getAttribute('href');
  const id = Number(/\d+/.exec(earlier ?? '')?.[0]);
  const hold = await firm.api.post<{ id: number }>('/api/holds', { kind: 'file', id, reason: 'Audit of 2026' });
  await page.reload();
  await expect(choices).toContainText('The earlier file is on hold: it cannot be replaced until the hold is lifted.');
  await expect(choices.getByRole('button', { name: 'Replace it' })).toHaveCount(0);
  await list(page).focus();
  await key('e');
  await expect(toastOf(page, 'alert')).toContainText('The earlier file is on hold');
  await firm.api.post(`/api/holds/${hold.id}/lift`, {});
  await list(page).focus();
  await key('n');
  await expect(group(page, 'Accepted, 3')).toBeVisible();
  await key('r');
  // Over before the page has looked again, it is told all the same.
  const looked = await holdCalls(page, /\/api\/batches\/\d+$/);
  await dialog.getByRole('button', { name: 'Release', exact: true }).click();
  const { pathname } = new URL(page.url());
  await expect
    .poll(async () => (await firm.api.get<BatchDetails>(`/api${pathname}`)).batch.state, { timeout: 30_000 })
    .toBe('released');
  looked();
  await readToast(page, 'status', ['3 documents released']);
  await expect(group(page, 'Released, 4')).toBeVisible();
  await expect(dialog).toHaveCount(0);
  await key('l');
  await expect(dialog).toContainText('Recall');
  await key('Escape');

  await stepInFull(
    'dropped once more: its pages are there, and the second copy is skipped unless somebody says otherwise',
    async () => {
      await page.goto('/batches');
      await choose(page, [run]);
      await reviewed(page);
      await expect(group(page, 'Already there, 3')).toBeVisible();
      await expect(pane(page).getByText('The same pages of this file were released already')).toBeVisible();
      await expect(choices.getByRole('button', { name: 'Skip it (proposed)' })).toBeVisible();
      await expect(choices.getByRole('button', { pressed: true })).toHaveCount(0);
      await expect(pane(page).getByRole('button', { name: 'Accept', exact: true })).toHaveCount(0);
      expect(await axeFaultsOnTheWay(page)).toEqual([]);
      await list(page).focus();
      await key('Enter');
      await expect(group(page, 'Dropped, 1')).toBeVisible();
      await key('n');
      await expect(group(page, 'Accepted, 1')).toBeVisible();
      await key('r');
      await expect(dialog).toContainText('It has the same bytes as a file that is there already.');
      await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused();
      await key('Escape');
      await expect(dialog).toHaveCount(0);
      await choices.getByRole('button', { name: 'Skip it' }).click();
      await expect(group(page, 'Dropped, 2')).toBeVisible();
      // All of it is taken back at once.
      await list(page).focus();
      await key('Control+a');
      // On a phone the bar is one line, and this is in its menu.
      const wide = page.viewportSize();
      await page.setViewportSize({ width: 390, height: 844 });
      const accept = await bar.getByRole('button', { name: /^Accept/ }).boundingBox();
      expect((await bar.getByRole('button', { name: 'Clear' }).boundingBox())?.y).toBe(accept?.y);
      const back = bar.getByRole('button', { name: 'Back to Check 3' });
      await expect(back).toBeHidden();
      await bar.getByRole('button', { name: 'More' }).click();
      await expect(back).toBeInViewport();
      // Escape is for the menu, and nothing is unticked.
      await key('Escape');
      await expect(back).toBeHidden();
      if (wide !== null) await page.setViewportSize(wide);
      await back.click();
      await readToast(page, 'status', ['3 documents are to be checked again']);
      await expect(group(page, 'Already there, 3')).toBeVisible();
      await expect(bar.getByRole('button', { name: /^Back to Check/ })).toHaveCount(0);
    },
  );
});

test('of four thousand documents only those in sight are drawn, and all that are ready are accepted', {
  tag: '@full',
}, async ({ signIn }) => {
  const page = await signIn(firm.cpa, { at: '/batches', failures: [500] });
  const many: { id: number; state: string }[] = [];
  await page.route(/\/api\/batches\/\d+\/documents(?:\?|$)/, async (route) => {
    if (many.length === 0) {
      const [first] = (await (await route.fetch()).json()) as { id: number; state: string }[];
      const states = ['toCheck', 'ready', 'ready', 'ready'];
      const name = (nth: number) => `Document ${nth + 1}.pdf`;
      for (let nth = 0; nth < 4000; nth += 1)
        many.push({
          ...first,
          id: nth + 1,
          name: name(nth),
          state: states[Math.floor(nth / 1000)],
        } as (typeof many)[number]);
    }
    const asked = new URL(route.request().url()).searchParams;
    const [from, count] = [Number(asked.get('offset')), Number(asked.get('limit'))];
    await route.fulfill({ json: many.slice(from, from + count), headers: { 'X-Total-Count': '4000' } });
  });
  let accepted = 0;
  await page.route(/\/documents\/decide$/, async (route) => {
    const { ids } = route.request().postDataJSON() as { ids: number[] };
    accepted += ids.length;
    const chosen = new Set(ids);
    const rows = many.filter(({ id }) => chosen.has(id));
    for (const row of rows) row.state = 'accepted';
    await route.fulfill({ json: rows });
  });
  await choose(page, [{ name: 'many.pdf', bytes: await printFile([unknown]) }]);
  await reviewed(page);
  await expect(group(page, 'To check, 1,000')).toBeVisible();
  await list(page).focus();
  for (let nth = 0; nth < 50; nth += 1) await page.keyboard.press('j');
  await expect(selected(page)).toContainText('Document 51.pdf');
  expect(await list(page).getByRole('option').count()).toBeLessThan(60);
  await expect(selected(page)).toBeInViewport();
  await page.getByRole('button', { name: 'Accept All Ready (3,000)' }).click();
  await expect(page.getByText('3,000 documents accepted')).toBeVisible();
  expect(accepted).toBe(3000);

  // A release that fails half way says how many are on their way and how many are left.
  const { batch } = await firm.api.get<BatchDetails>(`/api${new URL(page.url()).pathname}`);
  let releases = 0;
  await page.route(/\/release$/, (route) => {
    releases += 1;
    return releases === 1
      ? route.fulfill({ json: batch })
      : route.fulfill({ status: 500, json: { message: 'The disk is full.', code: 'internal', requestId: 'stub' } });
  });
  await page.getByRole('button', { name: 'Release Accepted (3,000)' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Release', exact: true }).click();
  await expect(toastOf(page, 'alert')).toContainText(
    '500 documents are being released. 2,500 are not: The disk is full. Press Release again for them.',
  );
  expect(releases).toBe(2);
});

test('what is there already is replaced or corrected by a key, and is so once it is released', async ({ signIn }) => {
  const [larkspur, tidewater] = firm.clients;
  const [journals] = firm.reportTypes;
  const there = async (nth: 0 | 1) => {
    const fields = { clientId: firm.clients[nth].id, fileType: 'report', reportTypeId: journals.id };
    const bytes = await printFile(known(firm).slice(nth, nth + 1));
    return firm.api.upload({ ...fields, period: '2026-11-20' }, `There already ${nth}.pdf`, bytes);
  };
  const [replaced, corrected] = [await there(0), await there(1)];
  const page = await signIn(firm.cpa, { at: '/batches' });
  await choose(page, [{ name: 'again.pdf', bytes: await printFile(known(firm)) }]);
  await reviewed(page);
  await group(page, 'Already there, 2').getByRole('option').filter({ hasText: larkspur.name }).click();
  await list(page).focus();
  const decided = await holdCalls(page, /\/documents\/decide$/);
  await page.keyboard.press('e');
  await expect(selected(page)).toContainText(tidewater.name);
  // The server is slow: what it has not answered yet is not the next one.
  await page.keyboard.press('o');
  decided();
  await expect(group(page, 'Accepted, 2')).toContainText(larkspur.name);
  const choices = pane(page).getByRole('group', { name: 'What becomes of this one' });
  await expect(choices.getByRole('button', { name: 'Corrects it', pressed: true })).toBeVisible();
  await page.keyboard.press('r');
  await page.getByRole('dialog').getByRole('button', { name: 'Release', exact: true }).click();
  await expect(group(page, 'Released, 2')).toBeVisible({ timeout: 30_000 });

  interface Row {
    id: number;
    corrects: { id: number } | null;
  }
  const filesOf = ({ id }: typeof larkspur) => firm.api.get<Row[]>(`/api/files?clientId=${id}`);
  const [newer, ...others] = await filesOf(larkspur);
  expect(others.map(({ id }) => id)).not.toContain(replaced.id);
  const { versions } = await firm.api.get<{ versions: { rows: Row[] } | null }>(`/api/files/${newer?.id}/facts`);
  expect(versions?.rows.map(({ id }) => id)).toContain(replaced.id);
  expect((await filesOf(tidewater)).map(({ corrects }) => corrects?.id)).toContain(corrected.id);

  await stepInFull(
    'of a page with the name of one client and the number of another, either is chosen by one press',
    async () => {
      const federalId = known(firm)[1]?.federalId ?? '';
      await page.goto('/batches');
      await choose(page, [{ name: 'either.pdf', bytes: await printFile([{ name: larkspur.name, federalId }]) }]);
      await reviewed(page);
      const others = pane(page).getByRole('region', { name: 'Other clients it could be of' });
      const client = pane(page).getByRole('combobox', { name: 'Client' });
      await others.getByRole('button', { name: larkspur.name, exact: true }).click();
      await expect(client).toHaveValue(larkspur.name);
      await expect(selected(page)).toContainText(larkspur.name);
      // The one that was proposed is offered in its place.
      await others.getByRole('button', { name: tidewater.name, exact: true }).click();
      await expect(client).toHaveValue(tidewater.name);
      await expect(selected(page)).toContainText(tidewater.name);
    },
  );
});

test('an image is marked where its words stand, and what has no marks says them without a button', async ({
  signIn,
}) => {
  // In letters that a bitmap has.
  const words = ['HARBOR POTTERY', 'PAYROLL'];
  await firm.api.post('/api/clients', {
    name: 'Harbor Pottery',
    address: '4 Orchard Lane, Dayton, OH 45402',
    phone: '(937)-555-0114',
    federalId: '08-4561237',
    stateId: 'OH-41',
    email: 'books4@example.com',
    employeeCount: 4,
    startDate: '2025-01-31',
  });
  const page = await signIn(ADMIN, { at: '/batches' });
  // It lies on its left side, and its camera has noted so: browsers show it upright, and it is read so.
  const photo = pngOf(turnedBitmap(bitmapPage(words), 3), { orientation: 6 });
  await choose(page, [
    { name: 'photo.png', bytes: Buffer.from(photo) },
    { name: 'notes.txt', bytes: Buffer.from(words.join('\n')) },
  ]);
  await reviewed(page);
  const show = (name: string) => list(page).getByRole('option').filter({ hasText: name }).click();
  const spoken = pane(page).getByRole('region', { name: 'What speaks for it' });
  const named = spoken.getByRole('button', { name: /HARBOR POTTERY on page 1$/ });
  const image = pane(page).getByRole('img', { name: 'photo.png' });
  const mark = pane(page).locator('[data-pointed]');
  /** The edges of the mark, in parts of the image: left, top, right and bottom. */
  const place = async () => {
    const [marked, whole] = [await mark.boundingBox(), await image.boundingBox()];
    if (marked === null || whole === null) return [];
    const [left, top] = [(marked.x - whole.x) / whole.width, (marked.y - whole.y) / whole.height];
    return [left, top, left + marked.width / whole.width, top + marked.height / whole.height];
  };
  const ofTheName = [0.07, 0.07, 0.46, 0.1].map((edge) => expect.closeTo(edge, 1));

  await show('photo.png');
  await named.press('Enter');
  await expect(mark).toBeInViewport({ ratio: 0.95 });
  expect(await place()).toEqual(ofTheName);
  expect(await axeFaultsOnTheWay(page)).toEqual([]);

  // Larger than its pane, it is brought to the mark.
  await image.click();
  await expect(image).toHaveCSS('width', '850px');
  await pane(page)
    .getByRole('region', { name: 'Image photo.png' })
    .evaluate((node: { scrollTop: number; readonly scrollHeight: number }) => {
      node.scrollTop = node.scrollHeight;
    });
  await expect(mark).not.toBeInViewport();
  await named.press('Enter');
  await expect(mark).toBeInViewport({ ratio: 0.95 });
  expect(await place()).toEqual(ofTheName);

  await pane(page).getByRole('button', { name: 'Fit', exact: true }).click();
  await page.setViewportSize({ width: 390, height: 844 });
  await named.press('Enter');
  await expect(mark).toBeInViewport({ ratio: 0.95 });
  await expect.poll(place).toEqual(ofTheName);
  await page.setViewportSize({ width: 1280, height: 720 });

  // A text has no place for marks, and neither has a picture that the browser cannot show.
  await show('notes.txt');
  await expect(spoken).toContainText('HARBOR POTTERY on page 1');
  await expect(spoken.getByRole('button')).toHaveCount(0);
  await page.route(/\/api\/files\/batches\/\d+\/content/, (route) =>
    route.fulfill({ contentType: 'image/png', body: 'no picture' }),
  );
  await show('photo.png');
  await expect(pane(page).getByText('This file cannot be shown here')).toBeVisible();
  await expect(spoken).toContainText('HARBOR POTTERY on page 1');
  await expect(spoken.getByRole('button')).toHaveCount(0);
});
