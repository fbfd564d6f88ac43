// Clients, users and report types from lists, over HTTP, on both engines: judged row by row, and created together or not at all.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ActivityRow, Overview } from '#contract/activity.ts';
import type { ClientRow } from '#contract/clients.ts';
import { type ErrorBody, errorCatalogue } from '#contract/errors.ts';
import { IMPORT_BYTES_MAX, IMPORT_ROWS_MAX, type ImportResult, importFaults } from '#contract/imports.ts';
import type { ReportTypeRow } from '#contract/report-types.ts';
import type { SecurityEventRow } from '#contract/security-events.ts';
import type { LoginResponse } from '#contract/session.ts';
import type { UserRow } from '#contract/users.ts';
import { USUAL_REPORT_TYPES } from '#contract/usual-report-types.ts';
import { eventually } from './eventually.ts';
import { addRole, addUser, clientInput, type Firm, PASSWORD } from './firm.ts';
import { gatedPasswords } from './gated-passwords.ts';
import { Caller, startTestApp, type TestApp } from './test-app.ts';
import { DATABASE_KINDS } from './test-database.ts';
import { startTestFirm } from './test-firm.ts';

const JSON_TYPE = { 'content-type': 'application/json' };

describe.each(DATABASE_KINDS)('lists on %s', (kind) => {
  let app: TestApp;
  let firm: Firm;
  /** May add users, clients and report types, and reaches client 1 and report type 1: other types are listed, not reached. */
  let manager: Caller;
  beforeAll(async () => {
    ({ app, firm } = await startTestFirm(kind));
    const role = await addRole(app, 'Office manager', ['users.manage', 'clients.manage', 'report-types.manage']);
    const lists = { clientIds: [firm.clients[0]], reportTypeIds: [firm.reportTypes[0]] };
    manager = (await addUser(app, 'manager', role, lists)).caller;
  });
  afterAll(() => app.close());

  const clients = (rows: readonly object[], more: object = {}, by: Caller = app.admin) =>
    by.post<ImportResult & ErrorBody>('/api/clients/import', { rows, ...more });
  const users = (rows: readonly object[], more: object = {}, by: Caller = app.admin) =>
    by.post<ImportResult & ErrorBody>('/api/users/import', { rows, ...more });
  const types = (names: readonly string[], more: object = {}) =>
    app.admin.post<ImportResult & ErrorBody>('/api/report-types/import', {
      rows: names.map((name) => ({ name })),
      ...more,
    });
  const person = (username: string, more: object = {}) => ({
    username,
    fullName: `Full ${username}`,
    role: 'Client',
    password: PASSWORD,
    ...more,
  });
  const all = async <Row>(noun: string, by: Caller = app.admin) => (await by.get<Row[]>(`/api/${noun}`)).body;
  /** The newest entries of the log. */
  const logged = async (count: number) =>
    (await app.admin.get<ActivityRow[]>(`/api/activity-logs?limit=${count}`)).body.map(({ details }) => details);

  describe('of clients', () => {
    it('are created with an entry of the log each, and found by who imports them', async () => {
      const rows = ['Alder Row Cafe', 'Birch Lane Books'].map((name) => clientInput(name, { employeeCount: '7' }));
      expect(await clients(rows, {}, manager)).toMatchObject({
        status: 200,
        body: { created: 2, existing: [], faults: [] },
      });
      const found = await all<ClientRow>('clients', manager);
      expect(found.map(({ name, employeeCount }) => [name, employeeCount])).toEqual([
        ['Alder Row Cafe', 7],
        ['Birch Lane Books', 7],
        ['Harbor & Pine Bakery LLC', 12],
      ]);
      expect(await logged(3)).toEqual([
        'Created client: Birch Lane Books',
        'Created client: Alder Row Cafe',
        'Created user: manager, role Office manager',
      ]);
    });

    it('are all refused for one fault, and a dry run names each fault by row and column', async () => {
      const before = [await all('clients'), await logged(20)];
      const rows = [
        clientInput('Cedar Point Marina'),
        clientInput('Harbor & Pine Bakery LLC'),
        clientInput('Cedar  Point Marina', { federalId: '00-7654321' }),
        clientInput('cedar point marina'),
        clientInput('Hаrbor & Pine Bakery LLC', { federalId: '00-7654322' }),
      ];
      const faults = [
        { row: 1, column: 'name', sentence: importFaults.clientExists },
        { row: 3, column: 'name', sentence: importFaults.clientTwice },
        {
          row: 4,
          column: 'name',
          sentence: errorCatalogue.name_looks_like.sentence({ name: 'Harbor & Pine Bakery LLC' }),
        },
      ];
      const dry = await clients(rows, { dryRun: true });
      expect([dry.status, dry.body.faults.filter(({ row }) => row !== 2)]).toEqual([200, faults]);
      const refused = await clients(rows);
      expect([refused.status, refused.body.code]).toEqual([400, 'invalid']);
      expect(refused.body.fields).toMatchObject({ 'rows.3.name': importFaults.clientTwice });
      expect([await all('clients'), await logged(20)]).toEqual(before);
    });

    it('have the very faults of the form, and only a dry run of sound rows says how many there would be', async () => {
      const bad = clientInput('X', { phone: '555', federalId: '1', email: 'nowhere', startDate: '31.01.2026' });
      const asForm = await app.admin.post<ErrorBody>('/api/clients', bad);
      const { status, body } = await clients([clientInput('Dogwood Farm'), bad], { dryRun: true });
      expect(status).toBe(400);
      const named = Object.entries(asForm.body.fields ?? {}).map(([field, sentence]) => [`rows.1.${field}`, sentence]);
      expect(named.length).toBe(5);
      expect(body.fields).toEqual(Object.fromEntries(named));
      const before = await all('clients');
      expect((await clients([clientInput('Dogwood Farm')], { dryRun: true })).body.created).toBe(1);
      expect(await all('clients')).toEqual(before);
    });

    it('pass over those that exist where that is asked for', async () => {
      const rows = [clientInput('Harbor & Pine Bakery LLC'), clientInput('Elm Court Dental')];
      const { body } = await clients(rows, { skipExisting: true });
      expect(body).toEqual({ created: 1, existing: [0], faults: [] });
      expect((await all<ClientRow>('clients')).filter(({ name }) => name === 'Harbor & Pine Bakery LLC')).toHaveLength(
        1,
      );
    });

    it('are made once where two people import one list at the same time', async () => {
      const names = ['Juniper Hill Vet', 'Maple Street Books'];
      const rows = names.map((name) => clientInput(name));
      const both = [app.admin, firm.viewers.admin2].map((by) => clients(rows, { skipExisting: true }, by));
      expect((await Promise.all(both)).map(({ body }) => body.created).sort()).toEqual([0, 2]);
      const found = (await all<ClientRow>('clients')).map(({ name }) => name);
      expect(found.filter((name) => names.includes(name))).toEqual(names);
    });

    it('say nothing of clients out of reach', async () => {
      // The same name and federal id as a client that the manager does not see: the form would add it too.
      const { status, body } = await clients([clientInput('Acme Plumbing of Ohio Inc.')], { dryRun: true }, manager);
      expect([status, body]).toEqual([200, { created: 1, existing: [], faults: [] }]);
    });

    it('keep cells that look like formulas as they are', async () => {
      const row = clientInput('=1+1 Holdings', { address: '+1 Main Street', stateId: '@SUM(A1)' });
      expect((await clients([row])).status).toBe(200);
      const stored = (await all<ClientRow>('clients')).find(({ name }) => name === '=1+1 Holdings');
      expect(stored).toMatchObject({ address: '+1 Main Street', stateId: '@SUM(A1)' });
    });

    it('are 2,000 at most, of 4 MiB at most', async () => {
      const many = Array.from({ length: IMPORT_ROWS_MAX + 1 }, (_, index) => clientInput(`Company ${index}`));
      expect((await clients(many, { dryRun: true })).body.fields).toEqual({
        rows: 'At most 2,000 rows can be imported at once',
      });
      expect((await clients([])).body.fields).toEqual({ rows: 'There are no rows' });
      const fill = (bytes: number) => `{"rows":"${'x'.repeat(bytes - 11)}"}`;
      const sized = (bytes: number) =>
        app.admin.fetch('/api/clients/import', { method: 'POST', headers: JSON_TYPE, body: fill(bytes) });
      expect((await sized(IMPORT_BYTES_MAX)).status).toBe(400);
      expect((await sized(IMPORT_BYTES_MAX + 1)).status).toBe(413);
    });

    it('are imported 2,000 at once while others are served', async () => {
      // A server that is asked over a socket gives way by itself at each statement.
      const length = kind === 'sqlite' ? IMPORT_ROWS_MAX : 200;
      const rows = Array.from({ length }, (_, index) =>
        clientInput(`Numbered company ${index}`, { federalId: `00-${String(index).padStart(7, '0')}` }),
      );
      let over = false;
      const importing = clients(rows).finally(() => {
        over = true;
      });
      let served = 0;
      while (!over) {
        expect((await app.admin.get('/api/report-types')).status).toBe(200);
        served += 1;
      }
      expect((await importing).body).toEqual({ created: length, existing: [], faults: [] });
      // Each of its pauses lets others in; were it one piece of work, a handful would be answered.
      expect(served).toBeGreaterThan(40);
    });
  });

  describe('of users', () => {
    it('are created with role, clients and report types by name, and sign in', async () => {
      const rows = [
        person('ada.list', {
          clients: 'harbor & pine bakery llc ; Acme Plumbing of Ohio Inc.',
          reportTypes: 'Form 941',
        }),
        person('ben.list', { role: ' cpa ', clients: null, reportTypes: 'all' }),
      ];
      expect((await users(rows)).body).toEqual({ created: 2, existing: [], faults: [] });
      const found = (await all<UserRow>('users')).filter(({ username }) => username.endsWith('.list'));
      const typeIds = (await all<ReportTypeRow>('report-types')).map(({ id }) => id).sort((a, b) => a - b);
      expect(
        found.map(({ username, roleName, clientIds, reportTypeIds }) => [username, roleName, clientIds, reportTypeIds]),
      ).toEqual([
        ['ada.list', 'Client', [firm.clients[0], firm.clients[2]], [firm.reportTypes[1]]],
        ['ben.list', 'CPA', [], typeIds],
      ]);
      const entries = await logged(2 + typeIds.length + 3);
      expect(entries.filter((details) => details?.startsWith('Created'))).toEqual([
        'Created user: ben.list, role CPA',
        'Created user: ada.list, role Client',
      ]);
      expect(entries).toContain('Granted ben.list access to report type: Tax Notice');
      const ada = await app.login('ada.list', PASSWORD);
      // The list named the password, so it is changed first.
      expect((await ada.get<ErrorBody>('/api/clients')).body.code).toBe('password_change_required');
      const change = { currentPassword: PASSWORD, newPassword: `${PASSWORD} of my own` };
      const { body: opened } = await ada.post<LoginResponse>('/api/auth/password', change);
      const { body: events } = await new Caller(app.origin, opened.token).get<SecurityEventRow[]>(
        '/api/auth/events?about=changes',
      );
      expect(events.map(({ detail }) => detail)).toContain('added as Client');
    });

    it('have their faults by row and column, and none is added for one fault', async () => {
      const rows = [
        person('clara.new'),
        person('CLARA.new', { fullName: 'Another Clara' }),
        person('clientA', { fullName: 'Somebody Else' }),
        person('dora.new', { role: 'Clerk', clients: 'Nowhere LLC; Harbor & Pine Bakery LLC', reportTypes: 'Form 1' }),
        person('clientв', { fullName: 'Eve' }),
      ];
      const before = await all('users');
      const { status, body } = await users(rows, { dryRun: true });
      expect(status).toBe(200);
      expect(body.faults).toEqual([
        { row: 1, column: 'username', sentence: importFaults.usernameTwice },
        { row: 2, column: 'username', sentence: errorCatalogue.username_taken.sentence },
        { row: 3, column: 'role', sentence: importFaults.unknownRole('Clerk') },
        { row: 3, column: 'clients', sentence: importFaults.unknownClient('Nowhere LLC') },
        { row: 3, column: 'reportTypes', sentence: importFaults.unknownReportType('Form 1') },
      ]);
      expect((await users(rows)).status).toBe(400);
      expect(await all('users')).toEqual(before);
      const short = await users([person('fay.new', { password: '12345' })]);
      expect(short.body.fields).toEqual({ 'rows.0.password': 'Password must be at least 6 characters' });
    });

    it('get nothing that the importer does not reach, and no role that may do more', async () => {
      const refused = async (more: object) =>
        (await users([person('gil.new', more)], { dryRun: true }, manager)).body.faults.map(({ sentence }) => sentence);
      const role = 'Bookkeeper';
      expect(await refused({ role, clients: 'Acme Plumbing of Ohio Inc.' })).toEqual([
        importFaults.unknownClient('Acme Plumbing of Ohio Inc.'),
      ]);
      expect(await refused({ role, reportTypes: 'Form 941' })).toEqual([importFaults.unknownReportType('Form 941')]);
      expect(await refused({ role: 'Admin' })).toEqual([importFaults.roleNotYours('Admin')]);
      expect(await refused({ role, clients: 'Harbor & Pine Bakery LLC' })).toEqual([]);
      const row = person('hal.list', { role, clients: 'All', reportTypes: 'All' });
      expect((await users([row], {}, manager)).status).toBe(200);
      const hal = (await all<UserRow>('users')).find(({ username }) => username === 'hal.list');
      const reached = (await all<ClientRow>('clients', manager)).map(({ id }) => id).sort((a, b) => a - b);
      expect([hal?.clientIds, hal?.reportTypeIds]).toEqual([reached, [firm.reportTypes[0]]]);
    });

    it('name a client that two have as such, and pass over those that exist where that is asked for', async () => {
      await clients([clientInput('Twin Pines LLC'), clientInput('Twin Pines LLC', { federalId: '00-7654399' })]);
      const rows = [person('clientA'), person('ida.list', { clients: 'Twin Pines LLC' })];
      expect((await users(rows, { dryRun: true, skipExisting: true })).body).toEqual({
        created: 0,
        existing: [0],
        faults: [{ row: 1, column: 'clients', sentence: importFaults.ambiguousClient('Twin Pines LLC', true) }],
      });
      const sound = [person('clientA'), person('ida.list')];
      expect((await users(sound, { skipExisting: true })).body).toEqual({ created: 1, existing: [0], faults: [] });
    });

    it('are given clients by federal id too, where two have one name, by who is shown such ids whole', async () => {
      const [one, other] = ['00-7654390', '00-7654391'] as const;
      await clients([one, other].map((federalId) => clientInput('Twin Oaks LLC', { federalId })));
      const meant = (await all<ClientRow>('clients')).find(({ federalId }) => federalId === other)?.id ?? 0;
      const row = person('jan.list', { role: 'Bookkeeper', clients: `${other}; Harbor & Pine Bakery LLC` });
      expect((await users([row])).body).toEqual({ created: 1, existing: [], faults: [] });
      const jan = (await all<UserRow>('users')).find(({ username }) => username === 'jan.list');
      expect(jan?.clientIds).toEqual([firm.clients[0], meant]);

      const faultsOf = async (named: string, by?: Caller) =>
        (await users([person('kit.list', { role: 'Bookkeeper', clients: named })], { dryRun: true }, by)).body.faults;
      const fault = (sentence: string) => [{ row: 0, column: 'clients', sentence }];
      expect(await faultsOf('00-1234567')).toEqual(fault(importFaults.ambiguousClient('00-1234567', false)));
      // Out of reach.
      expect(await faultsOf(other, manager)).toEqual(fault(importFaults.unknownClient(other)));
      const role = await addRole(app, 'Keeper of users', ['users.manage']);
      const { caller } = await addUser(app, 'keeper', role, { clientIds: [meant] });
      expect(await faultsOf(other, caller)).toEqual(fault(importFaults.unknownClient(other)));
      expect(await faultsOf('Twin Oaks LLC', caller)).toEqual([]);
    });

    it('G132: are added once where their list is sent again under its key, and nobody learns more than that a name is taken', async () => {
      const send = async (rows: readonly object[], more: { key?: string; dryRun?: boolean; by?: Caller } = {}) => {
        const { key = 'once', dryRun = false, by = app.admin } = more;
        const answer = await by.fetch('/api/users/import', {
          method: 'POST',
          headers: { ...JSON_TYPE, 'idempotency-key': key },
          body: JSON.stringify({ rows, dryRun }),
        });
        const body = (await answer.json()) as ImportResult & ErrorBody;
        return { status: answer.status, body };
      };
      const added = (created: number) => ({ status: 200, body: { created, existing: [], faults: [] } });
      const taken = (...rows: number[]) => [
        400,
        Object.fromEntries(rows.map((row) => [`rows.${row}.username`, errorCatalogue.username_taken.sentence])),
      ];
      const refused = async (sent: Promise<{ status: number; body: ErrorBody }>) => {
        const { status, body } = await sent;
        return [status, body.fields];
      };
      const kim = person('kim.once', { password: `${PASSWORD} 0` });
      const lea = person('lea.once', { password: `${PASSWORD} 1` });
      const max = person('max.once', { password: `${PASSWORD} 2` });
      const rows = [kim, lea, max];
      expect(await send(rows)).toEqual(added(3));
      const before = [await all('users'), await logged(10)];
      for (const dryRun of [true, false]) expect(await send(rows, { dryRun })).toEqual(added(3));
      expect(await send(rows.slice(0, 1))).toEqual(added(1));

      // Neither another key, person or password is the same call, nor one without a key.
      expect(await refused(send(rows, { key: 'other' }))).toEqual(taken(0, 1, 2));
      expect(await refused(send(rows, { by: manager }))).toEqual(taken(0, 1, 2));
      expect(await refused(users(rows))).toEqual(taken(0, 1, 2));
      for (const more of [{ password: `${PASSWORD} 3` }, { fullName: 'Somebody Else' }, { role: 'CPA' }]) {
        expect(await refused(send([kim, { ...lea, ...more }, max]))).toEqual(taken(1));
      }
      expect([await all('users'), await logged(10)]).toEqual(before);

      // Who was changed since, or has chosen another password, is left alone.
      await app.login('kim.once', `${PASSWORD} 0`);
      const own = `${PASSWORD} of my own`;
      const change = { currentPassword: `${PASSWORD} 1`, newPassword: own };
      expect((await (await app.login('lea.once', `${PASSWORD} 1`)).post('/api/auth/password', change)).status).toBe(
        200,
      );
      expect(await refused(send(rows))).toEqual(taken(1));
      const { id, fullName } = (await all<UserRow>('users')).find(({ username }) => username === 'max.once') ?? {};
      const reset = { username: 'max.once', fullName, roleId: firm.roles.client, clientIds: [], reportTypeIds: [] };
      const next = `${PASSWORD} by an Admin`;
      expect((await app.admin.put(`/api/users/${id}`, { ...reset, password: next })).status).toBe(200);
      expect(await refused(send(rows))).toEqual(taken(1, 2));
      expect(await refused(send([{ ...max, password: next }]))).toEqual(taken(0));
      for (const [username, password] of [
        ['kim.once', `${PASSWORD} 0`],
        ['lea.once', own],
        ['max.once', next],
      ] as const) {
        expect((await app.login(username, password)).token).toBeTruthy();
      }
    });

    it('G132: are added once where their list is sent again under its key while their passwords are hashed', async () => {
      const gate = gatedPasswords();
      const slow = await startTestApp(kind, {}, { passwords: gate.passwords });
      try {
        const rows = [person('ida.twice'), person('ole.twice')];
        const send = async () => {
          const answer = await slow.admin.fetch('/api/users/import', {
            method: 'POST',
            headers: { ...JSON_TYPE, 'idempotency-key': 'twice' },
            body: JSON.stringify({ rows }),
          });
          return { status: answer.status, body: (await answer.json()) as ImportResult };
        };
        gate.shut();
        const sent = [send(), send()];
        await eventually(() => expect(gate.waiting()).toBe(1));
        await eventually(() => expect(slow.context.admission.requests.running).toBe(2));
        gate.open();
        const added = { status: 200, body: { created: 2, existing: [], faults: [] } };
        expect(await Promise.all(sent)).toEqual([added, added]);
        for (const { username } of rows) expect((await slow.login(username, PASSWORD)).token).toBeTruthy();
      } finally {
        gate.open();
        await slow.close();
      }
    });

    it('are 40 at once, more than may wait to be hashed', async () => {
      const rows = Array.from({ length: 40 }, (_, index) => person(`batch.${index + 100}`));
      expect((await users(rows)).body.created).toBe(40);
      expect((await app.login('batch.139', PASSWORD)).token).toBeTruthy();
    });
  });

  describe('of report types', () => {
    it('hold the usual ones, without those that exist', async () => {
      expect(USUAL_REPORT_TYPES).toHaveLength(17);
      const { body } = await types(USUAL_REPORT_TYPES, { skipExisting: true });
      expect([body.created, body.existing, body.faults]).toEqual([14, [0, 8, 16], []]);
      const names = (await all<ReportTypeRow>('report-types')).map(({ name }) => name).sort();
      expect(names).toEqual([...USUAL_REPORT_TYPES].sort());
      const { recentActivity } = (await app.admin.get<Overview>('/api/overview')).body;
      expect(recentActivity[0]).toMatchObject({
        details: expect.stringMatching(/^Created report type: /),
        alsoWrote: 13,
      });
      expect((await types(USUAL_REPORT_TYPES, { skipExisting: true })).body.created).toBe(0);
    });

    it('are refused together where one is there, is twice or looks like another', async () => {
      const before = await all('report-types');
      const { body } = await types(['form 941', 'Form 730', 'FORM 730', 'Form 94l', 'Fоrm 730'], { dryRun: true });
      expect(body.faults.map(({ row, sentence }) => [row, sentence])).toEqual([
        [0, errorCatalogue.report_type_name_taken.sentence],
        [2, importFaults.nameTwice],
        [4, importFaults.looksLikeRow('Form 730')],
      ]);
      expect((await types(['Form 720', 'Form 941'])).status).toBe(400);
      expect(await all('report-types')).toEqual(before);
    });

    it('are made once where two people import one list at the same time', async () => {
      const both = [1, 2].map(() => types(['Garnishment Letters', 'Union Reports'], { skipExisting: true }));
      const answers = (await Promise.all(both)).map(({ status, body }) => [status, body.created]);
      expect(answers.sort()).toEqual([
        [200, 0],
        [200, 2],
      ]);
    });

    it('are one act of the overview, all of them, also where it is the last one there', async () => {
      const many = 'Alfa Bravo Charlie Delta Echo Foxtrot Golf Hotel Juliett Kilo Mike Oscar Papa'.split(' ');
      const later = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday', 'April', 'August'];
      for (const names of [many, ...later.map((name) => [name])]) {
        app.advance(1_000);
        expect((await types(names.map((name) => `${name} Papers`))).body.created).toBe(names.length);
      }
      // More entries than are read at first.
      expect(many.length + later.length).toBeGreaterThan(20);
      const { recentActivity } = (await app.admin.get<Overview>('/api/overview')).body;
      expect(recentActivity.map(({ alsoWrote }) => alsoWrote)).toEqual([...later.map(() => 0), many.length - 1]);
    });
  });
});
