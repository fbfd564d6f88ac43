// Names with markup on every screen and in every dialog: told as text, and nothing of them ever runs.
import { expect } from '@playwright/test';
import { test } from './fixtures.ts';
import { callWith, type Row } from './hostile/call.ts';
import { openElsewhere, setTraps } from './hostile/traps.ts';
import { isScreen, layScreens, PROVOKED, walk } from './screens.ts';
import { ADMIN } from './server.ts';

/** Runs where it is taken for markup, and for a template, an address or a style too. */
const MARKUP = `<img src=/canary onerror=alert("canary")>{{alert("canary")}}<svg/onload=alert("canary")>`;

/** Dialogs about a row, lists to choose from, a tab of their own. */
const TELLS_NAMES = /-(edit|delete|delete-selected|client-list|palette|uploads)$/;

async function tokenOf(origin: string, { username, password }: { username: string; password: string }) {
  const { body } = await callWith<{ token: string }>(origin, '', 'POST', '/api/auth/login', { username, password });
  return body.token;
}

/** Writes the markup into every name that the screens show. */
async function layMarkup(origin: string) {
  const laid = await layScreens(origin);
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
    { clientId: laid.landmarks.clientId, fileType: 'report', reportTypeId: type.id },
    { clientId: laid.landmarks.clientId, fileType: 'company_document' },
  ]) {
    const form = new FormData();
    for (const [key, value] of Object.entries(fields)) form.append(key, String(value));
    form.append('file', new Blob(['a letter']), `${MARKUP.replaceAll('/', '')}.txt`);
    const headers = { authorization: `Bearer ${token}` };
    expect((await fetch(`${origin}/api/files`, { method: 'POST', headers, body: form })).status).toBe(201);
  }
  return laid;
}

test.use({ firmName: 'names with markup' });
let laid: ReturnType<typeof layMarkup> | undefined;

for (const visitor of ['admin', 'cpa', 'client', 'outsider'] as const) {
  test(`E2: markup in names is text on every screen of ${visitor}`, async ({ signIn, server }) => {
    test.setTimeout(180_000);
    laid ??= layMarkup(server.origin);
    const { landmarks, people } = await laid;
    const elsewhere = await openElsewhere();
    const page = await signIn(people[visitor], { at: null, ...PROVOKED, fresh: true });
    const caught = setTraps(page.context(), server.origin, elsewhere);
    let told = 0;
    const look = async (name: string) => {
      const words = await page.evaluate<string>('document.body.innerText');
      if (words.includes('alert("canary")')) told += 1;
      const made = 'document.querySelectorAll("[onerror], [onload], img[src*=canary]").length';
      expect([name, await page.evaluate(made)]).toEqual([name, 0]);
      expect([name, caught()]).toEqual([name, []]);
    };
    // Every screen, and of its states those that tell a name.
    const wanted = (name: string) => isScreen(name) || TELLS_NAMES.test(name);
    await walk(page, visitor, landmarks, look, { wanted, within: true });
    expect(told, 'the names were there to be seen').toBeGreaterThan(2);
    await elsewhere.close();
  });
}
