// Names with markup on every screen and in every dialog: shown as text, and nothing in them ever runs.
import { expect } from '@playwright/test';
import { test } from './fixtures.ts';
import { callWith, type Row } from './hostile/call.ts';
import { openControl, openElsewhere, setTraps } from './hostile/traps.ts';
import { seedScreens } from './screens/seed.ts';
import { isScreen, PROVOKED, walk } from './screens.ts';
import { ADMIN } from './server.ts';

/** Would run if treated as markup, as a template, an address or a style. */
const MARKUP = `<img src=/canary onerror=alert("canary")>{{alert("canary")}}<svg/onload=alert("canary")>`;

/** Dialogs about a row, lists to choose from, a tab of their own. */
const SHOWS_NAMES = /-(edit|delete|delete-selected|client-list|palette|uploads)$/;

async function tokenOf(origin: string, { username, password }: { username: string; password: string }) {
  const { body } = await callWith<{ token: string }>(origin, '', 'POST', '/api/auth/login', { username, password });
  return body.token;
}

/** Writes the markup into every name that the screens show. */
async function seedMarkup(origin: string) {
  const seeded = await seedScreens(origin);
  const token = await tokenOf(origin, ADMIN);
  const { body: type } = await callWith(origin, token, 'POST', '/api/report-types', { name: `${MARKUP} type` });
  const { body: clients } = await callWith<Row[]>(origin, token, 'GET', '/api/clients');
  for (const [nth, { id, ...client }] of clients.entries()) {
    const { address, phone, federalId, stateId, email, employeeCount, startDate } = client;
    const facts = { address: `${address} ${MARKUP}`, phone, federalId, stateId, email, employeeCount, startDate };
    const { status } = await callWith(origin, token, 'PUT', `/api/clients/${id}`, {
      ...facts,
      name: `${MARKUP} ${nth}`,
    });
    expect(status).toBe(200);
  }
  const { body: users } = await callWith<Row[]>(origin, token, 'GET', '/api/users');
  for (const { id, username, roleId, clientIds, reportTypeIds } of users) {
    const reportTypes = Array.isArray(reportTypeIds) ? [type.id, ...reportTypeIds] : reportTypeIds;
    const person = {
      username,
      fullName: `${MARKUP} ${id}`,
      roleId,
      password: '',
      clientIds,
      reportTypeIds: reportTypes,
    };
    expect((await callWith(origin, token, 'PUT', `/api/users/${id}`, person)).status).toBe(200);
  }
  const { body: roles } = await callWith<Row[]>(origin, token, 'GET', '/api/roles');
  for (const { id, systemKey } of roles) {
    if (systemKey === null) await callWith(origin, token, 'PUT', `/api/roles/${id}`, { name: `${MARKUP} ${id}` });
  }
  for (const fields of [
    { clientId: seeded.fixtureIds.clientId, fileType: 'report', reportTypeId: type.id },
    { clientId: seeded.fixtureIds.clientId, fileType: 'company_document' },
  ]) {
    const form = new FormData();
    for (const [key, value] of Object.entries(fields)) form.append(key, String(value));
    form.append('file', new Blob(['a letter']), `${MARKUP.replaceAll('/', '')}.txt`);
    const headers = { authorization: `Bearer ${token}` };
    expect((await fetch(`${origin}/api/files`, { method: 'POST', headers, body: form })).status).toBe(201);
  }
  return seeded;
}

// Its own firm: all of its clients and people are renamed.
test.use({ firmName: 'names with markup' });
let seeded: ReturnType<typeof seedMarkup> | undefined;

for (const visitor of ['admin', 'cpa', 'client', 'outsider'] as const) {
  test(`E2: markup in names is text on every screen of ${visitor}`, async ({ browser, signIn, server }) => {
    test.setTimeout(180_000);
    seeded ??= seedMarkup(server.origin);
    const { fixtureIds, people } = await seeded;
    const elsewhere = await openElsewhere();
    const page = await signIn(people[visitor], { at: null, ...PROVOKED, fresh: true });
    const caught = setTraps(page.context(), server.origin, elsewhere);
    let seen = 0;
    const look = async (name: string) => {
      const words = await page.evaluate<string>('document.body.innerText');
      if (words.includes('alert("canary")')) seen += 1;
      const made = 'document.querySelectorAll("[onerror], [onload], img[src*=canary]").length';
      expect([name, await page.evaluate(made)]).toEqual([name, 0]);
      expect([name, caught()]).toEqual([name, []]);
    };
    // Every screen, and of its states those that show a name.
    const wanted = (name: string) => isScreen(name) || SHOWS_NAMES.test(name);
    await walk(page, visitor, fixtureIds, look, { wanted, within: true });
    expect(seen, 'the names were there to be seen').toBeGreaterThan(2);
    const control = await openControl(browser);
    await control.run();
    expect(caught()).toEqual([]);
    await control.close();
    await elsewhere.close();
  });
}
