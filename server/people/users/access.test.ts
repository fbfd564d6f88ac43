// What a change of a person's access does: all clients and later ones, its entries in the log, and however many at once.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ActivityRow } from '#contract/activity.ts';
import type { ErrorBody } from '#contract/errors.ts';
import type { ClientReach, UserReach } from '#contract/roles.ts';
import type { UserRow } from '#contract/users.ts';
import { nameColumns } from '../../platform/names/name-forms.ts';
import { newSecret as newLink } from '../../platform/secrets.ts';
import { addRole, addUser, clientInput, type Firm, PASSWORD } from '../../testing/firm.ts';
import type { Caller, TestApp } from '../../testing/test-app.ts';
import { DATABASE_KINDS } from '../../testing/test-database.ts';
import { startTestFirm } from '../../testing/test-firm.ts';

interface Row {
  readonly id: number;
}

describe.each(DATABASE_KINDS)('access on %s', (kind) => {
  let app: TestApp;
  let firm: Firm;
  let made = 0;

  beforeAll(async () => {
    ({ app, firm } = await startTestFirm(kind));
  });
  afterAll(() => app.close());

  const person = (username: string, more: Record<string, unknown> = {}) => ({
    username,
    fullName: `Full ${username}`,
    roleId: firm.roles.cpa,
    password: '',
    ...more,
  });

  async function add(username: string, more: Record<string, unknown> = {}) {
    const { body } = await app.admin.post<UserRow>('/api/users', person(username, { password: PASSWORD, ...more }));
    return { user: body, caller: await app.login(username, PASSWORD) };
  }

  const newClient = async (by: Caller = app.admin) => {
    made += 1;
    const { body } = await by.post<Row>('/api/clients', clientInput(`Later company number ${made}`));
    return body.id;
  };

  const clientsOf = async (caller: Caller) => (await caller.get<Row[]>('/api/clients')).body.map(({ id }) => id).sort();
  const everyClient = () => clientsOf(app.admin);

  /** The newest entries that are about `username`, newest first. */
  const entriesAbout = async (username: string) =>
    (await app.admin.get<ActivityRow[]>(`/api/activity-logs?q=${encodeURIComponent(username)}`)).body;

  describe('all clients, also later ones', () => {
    it('shows every client, and each later one at once, whoever adds it', async () => {
      const { user, caller } = await add('all.of.them', { allClients: true });
      expect(user).toMatchObject({ allClients: true, clientIds: await everyClient() });
      expect(await clientsOf(caller)).toEqual(await everyClient());

      const later = await newClient();
      expect(await clientsOf(caller)).toContain(later);
      const keeper = await addUser(app, 'keeper', await addRole(app, 'Keeper', ['clients.manage']));
      const ofKeeper = await newClient(keeper.caller);
      expect(await clientsOf(caller)).toContain(ofKeeper);
      expect(await clientsOf(keeper.caller)).toEqual([ofKeeper]);
      // Somebody who adds one and has them all has it once.
      const { caller: both } = await add('adds.and.has', {
        allClients: true,
        roleId: await addRole(app, 'Adder', ['clients.manage']),
      });
      const own = await newClient(both);
      expect(await clientsOf(both)).toContain(own);
    });

    it('ends with the next list, and nobody else gets later ones', async () => {
      const { user, caller } = await add('for.a.while', { allClients: true });
      const [first] = firm.clients;
      const { body } = await app.admin.put<UserRow>(
        `/api/users/${user.id}`,
        person('for.a.while', { clientIds: [first] }),
      );
      expect(body).toMatchObject({ allClients: false, clientIds: [first] });
      await newClient();
      expect(await clientsOf(caller)).toEqual([first]);
      expect(await clientsOf(firm.viewers.cpa)).toEqual([firm.clients[0], firm.clients[2]]);
    });

    it.each([
      ['Client', () => firm.roles.client],
      ['Admin', () => firm.roles.admin],
    ])('is not for the role %s', async (_name, roleId) => {
      const refused = await app.admin.post<ErrorBody>(
        '/api/users',
        person('no.client', { password: PASSWORD, allClients: true, roleId: roleId() }),
      );
      expect([refused.status, Object.keys(refused.body.fields ?? {})]).toEqual([400, ['allClients']]);
    });

    it('stays with the role that has come to see everything since, and keeps nobody from inviting anew', async () => {
      const roleId = await addRole(app, 'Partner');
      const given = { roleId, allClients: true };
      const invited = person('new.partner', { ...given, password: null, invitation: newLink() });
      const { body: user } = await app.admin.post<UserRow>('/api/users', invited);
      await app.admin.put('/api/permissions', { roleId, capabilities: [], reach: 'all' });
      const anew = await app.admin.post<UserRow>(`/api/users/${user.id}/invitation`, { invitation: newLink() });
      expect([anew.status, anew.body.allClients]).toEqual([200, true]);
      const renamed = person('new.partner', { ...given, fullName: 'The New Partner' });
      expect((await app.admin.put(`/api/users/${user.id}`, renamed)).status).toBe(200);
      const { status } = await app.admin.post('/api/users', person('next.partner', { ...given, password: PASSWORD }));
      expect(status).toBe(400);
    });

    it('G23: is given and taken by those alone who have it themselves', async () => {
      const role = await addRole(app, 'Lead', ['users.manage']);
      const lists = { reportTypeIds: [...firm.reportTypes] };
      const { user: other } = await add('has.it', { roleId: firm.roles.bookkeeper, allClients: true });
      // The list names every client of today, which is not every client of tomorrow.
      const { caller: today } = await add('lead.of.today', { roleId: role, clientIds: await everyClient(), ...lists });
      const give = (by: Caller, username: string) =>
        by.post(
          '/api/users',
          person(username, { password: PASSWORD, roleId: firm.roles.bookkeeper, allClients: true }),
        );
      const take = (by: Caller) =>
        by.put(`/api/users/${other.id}`, person('has.it', { roleId: firm.roles.bookkeeper, clientIds: [] }));
      expect([(await give(today, 'given.by.today')).status, (await take(today)).status]).toEqual([403, 403]);
      expect((await today.delete(`/api/users/${other.id}`)).status).toBe(403);
      const { caller: lead } = await add('lead.of.all', { roleId: role, allClients: true, ...lists });
      expect([(await give(lead, 'given.by.lead')).status, (await take(lead)).status]).toEqual([201, 200]);
    });

    it('misses no client that is added while it is being given', async () => {
      const { user, caller } = await add('in.between');
      const [, ...added] = await Promise.all([
        app.admin.put(`/api/users/${user.id}`, person('in.between', { allClients: true })),
        ...Array.from({ length: 6 }, () => newClient()),
      ]);
      expect(await clientsOf(caller)).toEqual(expect.arrayContaining(added));
      expect(await clientsOf(caller)).toEqual(await everyClient());
    });

    it('is the answer to why somebody sees a client', async () => {
      const { user } = await add('asked.about', { allClients: true, reportTypeIds: [firm.reportTypes[0]] });
      const { body: ofUser } = await app.admin.get<UserReach>(`/api/permissions/users/${user.id}`);
      expect(new Set(ofUser.clients.map(({ why }) => why))).toEqual(new Set(['all-clients']));
      expect(ofUser.reportTypes.map(({ why }) => why)).toEqual(['access-list']);
      const { body: ofClient } = await app.admin.get<ClientReach>(`/api/permissions/clients/${firm.clients[1]}`);
      const whyOf = (username: string) => ofClient.users.find((one) => one.username === username)?.why;
      expect(['asked.about', 'clientB', 'admin'].map(whyOf)).toEqual(['all-clients', 'access-list', 'reach-all']);
    });
  });

  describe('the log of it', () => {
    it('says what was granted and taken, client by client and type by type, in the client’s log too', async () => {
      const [first, second] = firm.clients;
      const { user } = await add('exactly', { clientIds: [first], reportTypeIds: [firm.reportTypes[0]] });
      const next = { clientIds: [second], reportTypeIds: [firm.reportTypes[0], firm.reportTypes[1]] };
      await app.admin.put(`/api/users/${user.id}`, person('exactly', next));
      const bakery = 'Harbor & Pine Bakery LLC';
      const canary = 'CANARY2 Acme Plumbing LLC';
      expect(
        (await entriesAbout('exactly')).map(({ details, clientId, clientName }) => [details, clientId, clientName]),
      ).toEqual([
        ['Updated user: exactly', null, null],
        ['Granted exactly access to report type: Form 941', null, null],
        [`Granted exactly access to client: ${canary}`, second, canary],
        [`Took from exactly access to client: ${bakery}`, first, bakery],
        ['Created user: exactly, role CPA', null, null],
        ['Granted exactly access to report type: Payroll Journal', null, null],
        [`Granted exactly access to client: ${bakery}`, first, bakery],
      ]);
      // Whoever reads the log of a client reads who came to see it, and nothing of the others.
      const { body: seen } = await firm.viewers.cpa.get<ActivityRow[]>('/api/activity-logs?q=exactly');
      expect(seen.map(({ details }) => details)).toEqual([
        `Took from exactly access to client: ${bakery}`,
        `Granted exactly access to client: ${bakery}`,
      ]);
      const { headers } = await app.admin.get(`/api/activity-logs?clientId=${second}&action=update`);
      const { body: ofSecond } = await app.admin.get<ActivityRow[]>(`/api/activity-logs?clientId=${second}`);
      expect(headers.get('x-total-count')).toBe(String(ofSecond.filter(({ action }) => action === 'update').length));

      // Saved as it is, in whatever order, it is no change.
      const { body: saved } = await app.admin.get<UserRow>(`/api/users/${user.id}`);
      const asItIs = { ...next, reportTypeIds: next.reportTypeIds.toReversed() };
      const again = await app.admin.put<UserRow>(`/api/users/${user.id}`, person('exactly', asItIs));
      expect([again.status, again.body.version]).toEqual([200, saved.version]);
      expect(await entriesAbout('exactly')).toHaveLength(7);
      // Nothing granted and nothing taken is no entry.
      await app.admin.put(`/api/users/${user.id}`, person('exactly', { ...next, fullName: 'Somebody Else' }));
      expect((await entriesAbout('exactly')).slice(0, 2).map(({ details }) => details)).toEqual([
        'Updated user: exactly',
        'Updated user: exactly',
      ]);
    });

    it('says all clients in one entry, and what is kept afterwards', async () => {
      const { user } = await add('one.entry', { clientIds: [firm.clients[0]] });
      await app.admin.put(`/api/users/${user.id}`, person('one.entry', { allClients: true }));
      await app.admin.put(`/api/users/${user.id}`, person('one.entry', { clientIds: [firm.clients[2]] }));
      expect((await entriesAbout('one.entry')).map(({ details }) => details)).toEqual([
        'Updated user: one.entry',
        'Granted one.entry access to client: Acme Plumbing of Ohio Inc.',
        'Took from one.entry access to all clients, also later ones',
        'Updated user: one.entry',
        'Granted one.entry access to all clients, also later ones',
        'Created user: one.entry, role CPA',
        'Granted one.entry access to client: Harbor & Pine Bakery LLC',
      ]);
    });

    it('names what people took from themselves', async () => {
      const role = await addRole(app, 'Self', ['users.manage']);
      const { user, caller } = await add('gives.away', { roleId: role, clientIds: [...firm.clients] });
      await caller.put(`/api/users/${user.id}`, person('gives.away', { roleId: role, clientIds: [firm.clients[0]] }));
      const taken = (await entriesAbout('gives.away')).filter(({ details }) => details?.startsWith('Took'));
      expect(taken.map(({ clientId }) => clientId)).toEqual([firm.clients[2], firm.clients[1]]);
    });

    it('holds thousands of clients given at once, and counts them', async () => {
      const many = 1_500;
      const ids = await app.database.transaction(async (tx) => {
        const added: number[] = [];
        for (let start = 0; start < many; start += 300) {
          const { employeeCount, startDate, phone, email, address, federalId, stateId } = clientInput('');
          const rows = Array.from({ length: 300 }, (_, nth) => ({
            ...nameColumns(`Bulk company ${start + nth}`),
            address,
            phone,
            email,
            federal_id: federalId,
            state_id: stateId,
            employee_count: employeeCount,
            start_date: startDate,
            search_text: '',
            created_at: 1,
          }));
          const inserted = await tx.insertInto('clients').values(rows).returning('id').execute();
          added.push(...inserted.map(({ id }) => id));
        }
        return added;
      });
      const { user } = await add('of.many', { clientIds: ids });
      expect(user.clientIds).toHaveLength(many);
      const entries = await app.database.reader
        .selectFrom('activity')
        .select(['client_id as clientId', 'search_text as text'])
        .where('details', 'like', 'Granted of.many access to client:%')
        .execute();
      expect(entries.map(({ clientId }) => clientId).sort()).toEqual([...ids].sort());
      expect(entries[0]?.text).toBe('granted ofmany access to client bulk company 0\n\nadministrator\nbulk company 0');
      const counts = await app.database.reader
        .selectFrom('activity_counts')
        .select('n')
        .where('client_id', 'in', ids.slice(0, 500))
        .execute();
      expect([counts.length, new Set(counts.map(({ n }) => n))]).toEqual([500, new Set([1])]);
    });
  });
});
