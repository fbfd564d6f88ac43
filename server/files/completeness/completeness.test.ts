// The completeness board over HTTP: who sees what is expected, when something is missing or late, and who may say what is expected.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BoardRow, BoardSummary, ExpectationsOfClient, Proposals } from '#contract/completeness.ts';
import type { ErrorBody } from '#contract/errors.ts';
import type { FileRow } from '#contract/files.ts';
import type { Viewer } from '../../people/access/viewer.ts';
import { DAY_MS } from '../../platform/clock.ts';
import { CANARY, clientInput, type Firm, makeFirm } from '../../testing/firm.ts';
import { ADMIN_PASSWORD, type Caller, startTestApp, type TestApp } from '../../testing/test-app.ts';
import { DATABASE_KINDS } from '../../testing/test-database.ts';
import { BOARD_PIECE, wholeBoard } from './board.repo.ts';

const NOVEMBER_2 = Date.UTC(2026, 10, 2, 15);

describe.each(DATABASE_KINDS)('what is expected of clients on %s', (engine) => {
  let app: TestApp;
  let admin: Caller;
  let firm: Firm;
  const setClock = (at: number) => app.advance(at - app.now());

  const expectation = (reportTypeId: number, more: Record<string, unknown> = {}) => ({
    reportTypeId,
    frequency: 'quarterly',
    dueDays: 31,
    starts: null,
    ...more,
  });
  const save = (by: Caller, clientId: number, ...expectations: object[]) =>
    by.put<ExpectationsOfClient & ErrorBody>(`/api/clients/${clientId}/expectations`, { expectations });
  const expectedOf = async (by: Caller, clientId: number) =>
    (await by.get<ExpectationsOfClient>(`/api/clients/${clientId}/expectations`)).body.expectations;
  const saved = async (clientId: number, ...expectations: object[]) => {
    const { status, body } = await save(admin, clientId, ...expectations);
    expect({ status, body }).toMatchObject({ status: 200 });
  };
  const board = (by: Caller, query: string) => by.get<BoardRow[]>(`/api/completeness?${query}`);
  /** 'Client / Type: period state, …' for each cell. */
  const cellsOf = async (by: Caller, query: string) =>
    (await board(by, query)).body.flatMap(({ clientName, cells }) =>
      cells.map(
        ({ reportTypeName, reports }) =>
          `${clientName} / ${reportTypeName}: ${reports.map(({ period, state }) => `${period} ${state}`).join(', ')}`,
      ),
    );
  const upload = async (
    clientId: number,
    reportTypeId: number,
    period: string | null,
    more: { replaces?: number } = {},
  ) => {
    const { status, body } = await admin.upload<FileRow>({
      fields: { clientId, fileType: 'report', reportTypeId, ...(period !== null && { period }), ...more },
      name: `${period}.txt`,
      bytes: `${Math.random()}`,
    });
    expect(status).toBe(201);
    return body.id;
  };
  const ask = async (clientId: number, dueOn: string | null, names: string[]) => {
    const items = names.map((name) => ({ name, note: '' }));
    const input = { clientIds: [clientId], title: 'Papers', message: '', dueOn, items };
    return (await admin.post<{ ids: number[] }>('/api/requests', input)).body.ids[0] ?? 0;
  };

  beforeAll(async () => {
    app = await startTestApp(engine, {}, { clock: 'standing' });
    setClock(NOVEMBER_2);
    admin = await app.login(app.config.adminUsername, ADMIN_PASSWORD);
    firm = await makeFirm({ ...app, admin });
  });
  afterAll(async () => {
    await app.close();
  });

  it('says what is missing, expected, late, delivered and opened', async () => {
    const [bakery] = firm.clients;
    const [journal, form941, notice] = firm.reportTypes;
    await saved(
      bakery,
      expectation(form941, { dueDays: 31 }),
      expectation(notice, { dueDays: 60 }),
      expectation(journal, { frequency: 'monthly', dueDays: 5 }),
    );
    expect(await cellsOf(admin, 'period=2026-Q3')).toEqual([
      'Harbor & Pine Bakery LLC / Form 941: 2026-Q3 missing',
      'Harbor & Pine Bakery LLC / Payroll Journal: 2026-07 missing, 2026-08 missing, 2026-09 missing',
      'Harbor & Pine Bakery LLC / Tax Notice: 2026-Q3 expected',
    ]);
    await upload(bakery, form941, '2026-Q3');
    await upload(bakery, notice, '2026-Q3');
    const august = await upload(bakery, journal, '2026-08-14');
    // For the month itself it counts as well as for a pay date in it.
    await upload(bakery, journal, '2026-07');
    // Neither another quarter's, nor one without a period though it came in November.
    await upload(bakery, journal, '2026-Q3');
    await upload(bakery, journal, null);
    expect(await cellsOf(admin, 'period=2026-Q3')).toEqual([
      'Harbor & Pine Bakery LLC / Form 941: 2026-Q3 late',
      'Harbor & Pine Bakery LLC / Payroll Journal: 2026-07 late, 2026-08 late, 2026-09 missing',
      'Harbor & Pine Bakery LLC / Tax Notice: 2026-Q3 delivered',
    ]);
    const { body } = await board(admin, `period=2026-08&reportTypeId=${journal}`);
    expect(body).toEqual([
      {
        clientId: bakery,
        clientName: 'Harbor & Pine Bakery LLC',
        owed: 0,
        owedDueOn: null,
        cells: [
          {
            reportTypeId: journal,
            reportTypeName: 'Payroll Journal',
            frequency: 'monthly',
            dueDays: 5,
            state: 'late',
            reports: [
              {
                period: '2026-08',
                from: '2026-08-01',
                to: '2026-08-31',
                dueOn: '2026-09-05',
                state: 'late',
                deliveredAt: new Date(NOVEMBER_2).toISOString(),
                openedByClient: false,
                fileId: august,
              },
            ],
          },
        ],
      },
    ]);
    expect(await cellsOf(admin, 'period=2026-11')).toEqual([
      'Harbor & Pine Bakery LLC / Payroll Journal: 2026-11 expected',
    ]);
  });

  it('knows that the client has opened it, and staff have not', async () => {
    const [bakery] = firm.clients;
    const [journal] = firm.reportTypes;
    const id = await upload(bakery, journal, '2026-11-13');
    const states = async () => (await cellsOf(admin, `period=2026-11&reportTypeId=${journal}`)).join();
    await firm.viewers.cpa.fetch(`/api/files/${id}/download`);
    expect(await states()).toContain('2026-11 delivered');
    await firm.viewers.clientA.fetch(`/api/files/${id}/view`);
    expect(await states()).toContain('2026-11 opened');
    expect(await cellsOf(admin, 'period=2026-11&state=opened')).toHaveLength(1);
    expect(await cellsOf(admin, 'period=2026-11&state=delivered')).toEqual([]);
  });

  it('counts a due day until it is over everywhere', async () => {
    const [, acme] = firm.clients;
    const [, form941] = firm.reportTypes;
    await saved(acme, expectation(form941));
    const state = async () => (await cellsOf(admin, `period=2026-Q3&clientId=${acme}`)).join();
    try {
      setClock(Date.UTC(2026, 10, 1, 12) - 1);
      expect(await state()).toContain('2026-Q3 expected');
      app.advance(1);
      expect(await state()).toContain('2026-Q3 missing');
      // Sent in the last moment, it is not late afterwards.
      app.advance(-1);
      await upload(acme, form941, '2026-Q3');
      app.advance(DAY_MS);
      expect(await state()).toContain('2026-Q3 delivered');
    } finally {
      setClock(NOVEMBER_2);
    }
  });

  it('expects nothing that ended before the first day, or before the client', async () => {
    const [, , ohio] = firm.clients;
    const [journal, form941] = firm.reportTypes;
    await saved(ohio, expectation(form941), expectation(journal, { frequency: 'biweekly', starts: '2026-09-14' }));
    expect(await cellsOf(admin, `period=2026-09&clientId=${ohio}`)).toEqual([
      'Acme Plumbing of Ohio Inc. / Form 941: 2026-Q3 missing',
      'Acme Plumbing of Ohio Inc. / Payroll Journal: 2026-09-27 missing',
    ]);
    expect(await cellsOf(admin, `period=2023-Q4&clientId=${ohio}`)).toEqual([]);
    expect(await cellsOf(admin, `period=2024-Q1&clientId=${ohio}`)).toHaveLength(1);
  });

  it('shows everybody what is within reach, and nothing else', async () => {
    const [bakery, acme, ohio] = firm.clients;
    const [journal, form941, notice] = firm.reportTypes;
    const { admin2, cpa, bookkeeper, listless, clientA, clientB } = firm.viewers;
    const names = async (by: Caller) => (await cellsOf(by, 'period=2026-Q3')).map((cell) => cell.split(':')[0]);
    expect(await names(admin2)).toEqual([
      'Acme Plumbing of Ohio Inc. / Form 941',
      'Acme Plumbing of Ohio Inc. / Payroll Journal',
      `${CANARY} Acme Plumbing LLC / Form 941`,
      'Harbor & Pine Bakery LLC / Form 941',
      'Harbor & Pine Bakery LLC / Payroll Journal',
      'Harbor & Pine Bakery LLC / Tax Notice',
    ]);
    expect(await names(cpa)).toEqual([
      'Acme Plumbing of Ohio Inc. / Form 941',
      'Acme Plumbing of Ohio Inc. / Payroll Journal',
      'Harbor & Pine Bakery LLC / Form 941',
      'Harbor & Pine Bakery LLC / Payroll Journal',
    ]);
    expect(await names(bookkeeper)).toEqual(['Harbor & Pine Bakery LLC / Payroll Journal']);
    expect(await names(listless)).toEqual([]);
    for (const by of [clientA, clientB]) {
      for (const path of ['/api/completeness?period=2026-Q3', `/api/clients/${bakery}/expectations`]) {
        expect(await by.get(path)).toMatchObject({ status: 403 });
      }
    }
    // Named in the address, what is out of reach is not there either.
    expect(await cellsOf(cpa, `period=2026-Q3&clientId=${acme}`)).toEqual([]);
    expect(await cellsOf(cpa, `period=2026-Q3&reportTypeId=${notice}`)).toEqual([]);
    expect((await cpa.get(`/api/clients/${acme}/expectations`)).status).toBe(404);
    expect(await expectedOf(cpa, bakery)).toEqual([
      { ...expectation(form941), reportTypeName: 'Form 941' },
      { ...expectation(journal, { frequency: 'monthly', dueDays: 5 }), reportTypeName: 'Payroll Journal' },
    ]);
    expect((await cpa.get(`/api/clients/${ohio}/expectations`)).status).toBe(200);
    const summary = async (by: Caller, more = '') =>
      (await by.get<BoardSummary>(`/api/completeness/summary?period=2026-Q3${more}`)).body;
    expect(await summary(admin2)).toEqual({
      period: '2026-Q3',
      expectations: 6,
      expected: 0,
      delivered: 2,
      late: 3,
      missing: 3,
    });
    expect(await summary(bookkeeper)).toEqual({
      period: '2026-Q3',
      expectations: 1,
      expected: 0,
      delivered: 0,
      late: 2,
      missing: 1,
    });
    // Narrowed as the board is.
    expect(await summary(admin2, `&clientId=${bakery}`)).toMatchObject({
      expected: 0,
      delivered: 1,
      late: 3,
      missing: 1,
    });
    expect(await summary(admin2, `&clientId=${bakery}&reportTypeId=${form941}`)).toMatchObject({ late: 1, missing: 0 });
    expect(await summary(cpa, `&clientId=${acme}`)).toMatchObject({ expected: 0, delivered: 0, late: 0, missing: 0 });
    const exported = async (more = '') =>
      (await bookkeeper.fetch(`/api/completeness/export?period=2026-Q3${more}`)).text();
    const csv = await exported();
    expect(csv.trim().split('\r\n')).toHaveLength(4);
    expect(csv).not.toContain('Form 941');
    // Two came, on a day that the screen shows by the clock of whoever looks.
    const days = (text: string) => text.match(/2026-11-\d\d/g);
    expect(days(csv)).toEqual(['2026-11-02', '2026-11-02']);
    expect(days(await exported('&timeZone=Pacific/Kiritimati'))).toEqual(['2026-11-03', '2026-11-03']);
  });

  it('filters by state and pages by client', async () => {
    const { body: one, headers } = await board(admin, 'period=2026-Q3&limit=1&offset=1');
    expect(headers.get('x-total-count')).toBe('3');
    expect(one.map(({ clientName }) => clientName)).toEqual([`${CANARY} Acme Plumbing LLC`]);
    const past = await board(admin, 'period=2026-Q3&offset=9');
    expect([past.headers.get('x-total-count'), past.body]).toEqual(['3', []]);
    const missing = await board(admin, 'period=2026-Q3&state=missing');
    expect(missing.body.map(({ clientName }) => clientName)).toEqual([
      'Acme Plumbing of Ohio Inc.',
      'Harbor & Pine Bakery LLC',
    ]);
    expect((await board(admin, 'period=2026-Q3&state=late')).body).toHaveLength(1);
    expect((await board(admin, 'period=2026-Q3&state=expected')).body).toHaveLength(0);
    expect((await board(admin, '')).body).toEqual((await board(admin, 'period=2026-Q3')).body);
    // Two years are what both have.
    const missingIn = async (period: string) =>
      (await admin.get<BoardSummary>(`/api/completeness/summary?period=${period}`)).body.missing;
    expect(await missingIn('2025')).toBeGreaterThan(0);
    expect(await missingIn('2025-2026')).toBe((await missingIn('2025')) + (await missingIn('2026')));
    const wrong = ['2026-13', 'Q3', '2025-2027', '2026-2025', '2026-2026'].map((period) => `period=${period}`);
    for (const query of [...wrong, 'period=2026&state=lost', 'period=2026&limit=201']) {
      expect((await board(admin, query)).status, query).toBe(400);
    }
  });

  it('lets those say what is expected who may, of clients and types they reach, all or none', async () => {
    const [bakery, acme, ohio] = firm.clients;
    const [journal, form941, notice] = firm.reportTypes;
    const { cpa, bookkeeper, clientA, listless } = firm.viewers;
    for (const by of [bookkeeper, clientA, listless]) {
      expect((await save(by, bakery, expectation(journal))).status).toBe(403);
    }
    expect((await save(cpa, acme, expectation(journal))).status).toBe(404);
    expect((await save(cpa, bakery, expectation(notice))).status).toBe(404);
    // What the CPA does not reach stays as it is.
    expect((await save(cpa, bakery, expectation(form941, { dueDays: 30 }))).status).toBe(200);
    expect((await expectedOf(admin, bakery)).map(({ reportTypeName, dueDays }) => [reportTypeName, dueDays])).toEqual([
      ['Form 941', 30],
      ['Tax Notice', 60],
    ]);
    const many = (by: Caller, ...expectations: object[]) =>
      by.post<ErrorBody>('/api/completeness/expectations', { expectations });
    const ofOhio = { clientId: ohio, ...expectation(form941, { dueDays: 40 }) };
    expect((await many(cpa, ofOhio, { clientId: acme, ...expectation(form941) })).status).toBe(404);
    expect((await many(cpa, ofOhio, { clientId: bakery, ...expectation(notice) })).status).toBe(404);
    expect((await many(bookkeeper, ofOhio)).status).toBe(403);
    expect((await many(cpa, ofOhio, ofOhio)).status).toBe(400);
    const dueOfOhio = async () => (await expectedOf(cpa, ohio)).map(({ dueDays }) => dueDays);
    expect(await dueOfOhio()).toEqual([31, 31]);
    expect(await many(cpa, ofOhio, { clientId: bakery, ...expectation(journal) })).toMatchObject({
      status: 200,
      body: { saved: 2, clients: 2 },
    });
    expect(await dueOfOhio()).toEqual([40, 31]);
    // What a colleague has said since the proposals were made is left to them, where it is asked for.
    await saved(bakery, expectation(notice, { dueDays: 60 }));
    const expectations = [
      { ...ofOhio, dueDays: 90 },
      { clientId: bakery, ...expectation(notice, { dueDays: 60 }) },
      { clientId: bakery, ...expectation(form941) },
    ];
    const skipping = (by: Caller) => by.post('/api/completeness/expectations', { expectations, skipExisting: true });
    expect((await skipping(cpa)).status).toBe(404);
    expect(await skipping(admin)).toMatchObject({ status: 200, body: { saved: 2, clients: 1 } });
    expect(await dueOfOhio()).toEqual([40, 31]);
    expect((await expectedOf(admin, bakery)).map(({ dueDays }) => dueDays)).toEqual([31, 60]);
  });

  it('proposes from history what is delivered again and again, and stores nothing', async () => {
    const [bakery, acme, ohio] = firm.clients;
    const [journal, form941, notice] = firm.reportTypes;
    const { cpa, bookkeeper } = firm.viewers;
    await saved(bakery);
    const sent = (type: number, period: string, at: string, more: { replaces?: number } = {}) => {
      setClock(Date.parse(`${at}T15:00:00Z`));
      return upload(bakery, type, period, more);
    };
    try {
      for (const day of ['2026-07-17', '2026-07-31', '2026-08-14', '2026-08-28', '2026-09-11', '2026-09-25']) {
        await sent(journal, day, day);
      }
      // Replaced long afterwards, they came when the first of each came for its quarter; what that one had replaced was of another.
      for (const [period, at] of [
        ['2026-Q1', '2026-04-28'],
        ['2026-Q2', '2026-07-29'],
      ] as const) {
        const elsewhere = await sent(form941, '2025-Q4', '2026-01-12');
        const first = await sent(form941, period, at, { replaces: elsewhere });
        await sent(form941, period, '2026-10-20', { replaces: first });
      }
      await sent(notice, '2025', '2026-01-30');
      setClock(Date.parse('2026-10-08T15:00:00Z'));
      for (const month of ['2026-07', '2026-08', '2026-09']) await upload(ohio, form941, month);
    } finally {
      setClock(NOVEMBER_2);
    }
    const propose = (by: Caller, body: object = {}) => by.post<Proposals>('/api/completeness/proposals', body);
    expect((await propose(bookkeeper)).status).toBe(403);
    expect((await propose(cpa, { clientIds: [acme] })).status).toBe(404);
    const { body } = await propose(cpa);
    const short = body.proposals.map(({ clientId, reportTypeName, frequency, dueDays, starts, lastPeriod }) => ({
      clientId,
      reportTypeName,
      frequency,
      dueDays,
      starts,
      lastPeriod,
    }));
    expect(short).toEqual([
      {
        clientId: bakery,
        reportTypeName: 'Form 941',
        frequency: 'quarterly',
        dueDays: 31,
        starts: '2026-01-01',
        lastPeriod: '2026-Q3',
      },
      expect.objectContaining({ reportTypeName: 'Payroll Journal', frequency: 'biweekly' }),
    ]);
    const { body: all } = await propose(admin, { clientIds: [bakery] });
    expect(all.proposals.map(({ reportTypeName, frequency }) => `${reportTypeName} ${frequency}`)).toEqual([
      'Form 941 quarterly',
      'Payroll Journal biweekly',
      'Tax Notice yearly',
    ]);
    const { body: months } = await propose(admin, { clientIds: [ohio] });
    expect(months.proposals).toContainEqual(
      expect.objectContaining({ frequency: 'monthly', starts: '2026-07-01', lastPeriod: '2026-09', seen: 3 }),
    );
    // They go on by name behind any of them.
    const behind = async (after?: Proposals['last']) => {
      const { body: some } = await propose(admin, { clientIds: [bakery, ohio], after });
      return [[...new Set(some.proposals.map(({ clientId }) => clientId))], some.clients, some.last];
    };
    const ofBakery = { id: bakery, name: 'Harbor & Pine Bakery LLC' };
    const ofOhio = { id: ohio, name: 'Acme Plumbing of Ohio Inc.' };
    expect(await behind()).toEqual([[ohio, bakery], 2, ofBakery]);
    expect(await behind(ofOhio)).toEqual([[bakery], 1, ofBakery]);
    expect(await behind(ofBakery)).toEqual([[], 0, null]);
    expect((await propose(cpa, { after: ofOhio })).body.proposals).toEqual(body.proposals);
    // Also behind one that was deleted meanwhile.
    const gone = await admin.post<{ id: number; name: string }>('/api/clients', clientInput('Bygone Foods LLC'));
    const ofGone = { id: gone.body.id, name: gone.body.name };
    expect((await admin.delete(`/api/clients/${ofGone.id}`)).status).toBe(204);
    expect(await behind(ofGone)).toEqual([[bakery], 1, ofBakery]);
    expect(await expectedOf(admin, bakery)).toEqual([]);
  });

  it('writes into the log who said what is expected, and comes back with a client from the trash', async () => {
    const [, , ohio] = firm.clients;
    const { body: entries } = await admin.get<{ details: string; userName: string }[]>(
      `/api/activity-logs?clientId=${ohio}&limit=5`,
    );
    expect(entries.map(({ details, userName }) => `${userName}: ${details}`)).toContain(
      'Full cpa: Updated what is expected of client: Acme Plumbing of Ohio Inc. (1 report type)',
    );
    const before = await expectedOf(admin, ohio);
    expect((await admin.delete(`/api/clients/${ohio}`)).status).toBe(204);
    expect(await cellsOf(admin, `period=2026-09&clientId=${ohio}`)).toEqual([]);
    expect((await admin.post(`/api/clients/${ohio}/restore`, undefined)).status).toBe(200);
    expect(await expectedOf(admin, ohio)).toEqual(before);
    expect(before).toHaveLength(2);
    // Saved as it is, it is no entry, in whatever way it is saved.
    const logged = async () =>
      (await admin.get(`/api/activity-logs?clientId=${ohio}&limit=1`)).headers.get('x-total-count');
    const entriesBefore = await logged();
    const same = before.map(({ reportTypeName: _name, ...one }) => one);
    await saved(ohio, ...same.toReversed());
    const expectations = same.map((one) => ({ ...one, clientId: ohio }));
    expect((await admin.post('/api/completeness/expectations', { expectations })).status).toBe(200);
    expect(await logged()).toBe(entriesBefore);
    await saved(ohio, ...same.map((one) => ({ ...one, dueDays: one.dueDays + 1 })));
    expect(await logged()).toBe(String(Number(entriesBefore) + 1));
  });

  it('says beside it what the client owes, and since when, to who sees requests', async () => {
    const [bakery] = firm.clients;
    const [, form941] = firm.reportTypes;
    await saved(bakery, expectation(form941, { dueDays: 31 }));
    const owed = async () => {
      const [row] = (await board(admin, `period=2026-Q3&clientId=${bakery}`)).body;
      return [row?.owed, row?.owedDueOn];
    };
    expect(await owed()).toEqual([0, null]);
    await ask(bakery, null, ['Voided check']);
    expect(await owed()).toEqual([1, null]);
    await ask(bakery, '2026-12-01', ['Bank statements', 'Forms W-9']);
    const first = await ask(bakery, '2026-10-15', ['Notices']);
    expect(await owed()).toEqual([4, '2026-10-15']);
    // What was answered is owed no more, nor what is asked no more.
    const { body } = await admin.get<{ items: { id: number }[] }>(`/api/requests/${first}`);
    await firm.viewers.clientA.post(`/api/request-items/${body.items[0]?.id}/does-not-apply`, { note: '' });
    expect(await owed()).toEqual([3, '2026-12-01']);
    await admin.post(`/api/requests/${first}/close`);
    expect(await owed()).toEqual([3, '2026-12-01']);
    // Of the same client to somebody who has no requests.
    await admin.put(`/api/users/${firm.users.bookkeeper}`, {
      username: 'bookkeeper',
      fullName: 'Full bookkeeper',
      password: '',
      roleId: firm.roles.bookkeeper,
      clientIds: [bakery],
      reportTypeIds: [form941],
    });
    const { body: others } = await board(firm.viewers.bookkeeper, 'period=2026-Q3');
    expect([...new Set(others.flatMap(({ owed, owedDueOn }) => [owed, owedDueOn]))]).toEqual([null]);
  });

  it('lists who owes something though nothing is expected of them, unless it is about reports alone', async () => {
    const [bakery, , ohio] = firm.clients;
    const [, form941] = firm.reportTypes;
    const { cpa, bookkeeper, listless } = firm.viewers;
    const ofOhio = 'Acme Plumbing of Ohio Inc.';
    const ofAcme = `${CANARY} Acme Plumbing LLC`;
    const ofBakery = 'Harbor & Pine Bakery LLC';
    const newcomer = 'Zephyr Tutoring';
    const { body: added } = await admin.post<{ id: number }>('/api/clients', clientInput(newcomer));
    const names = async (by: Caller, query = '') =>
      (await board(by, `period=2026-Q3${query}`)).body.map(({ clientName }) => clientName);
    const counted = async () => (await admin.get<BoardSummary>('/api/completeness/summary?period=2026-Q3')).body;
    await saved(bakery, expectation(form941));
    await saved(ohio);
    const before = await counted();
    expect(await names(admin)).toEqual([ofAcme, ofBakery]);

    await ask(ohio, '2026-12-15', ['Lease']);
    const asked = await ask(added.id, null, ['Forms W-9', 'Voided check']);
    expect(await names(admin)).toEqual([ofOhio, ofAcme, ofBakery, newcomer]);
    expect(await counted()).toEqual(before);
    expect((await board(admin, `period=2026-Q3&clientId=${ohio}`)).body).toEqual([
      { clientId: ohio, clientName: ofOhio, cells: [], owed: 1, owedDueOn: '2026-12-15' },
    ]);
    // What is owed has no period.
    expect((await board(admin, 'period=2019')).body.map(({ clientName }) => clientName)).toContain(newcomer);
    for (const query of [`&reportTypeId=${form941}`, '&state=missing', '&state=late']) {
      const shown = await names(admin, query);
      expect([shown.includes(ofOhio), shown.includes(newcomer)], query).toEqual([false, false]);
    }
    const paged = async (page: string) => {
      const { body, headers } = await board(admin, `period=2026-Q3&${page}`);
      return [headers.get('x-total-count'), body.map(({ clientName, cells }) => `${clientName} ${cells.length}`)];
    };
    expect(await paged('limit=1')).toEqual(['4', [`${ofOhio} 0`]]);
    expect(await paged('limit=2&offset=2')).toEqual(['4', [`${ofBakery} 1`, `${newcomer} 0`]]);
    expect(await paged('offset=9')).toEqual(['4', []]);

    const csv = await (await admin.fetch('/api/completeness/export?period=2026-Q3')).text();
    const lines = csv.trimEnd().split('\r\n');
    expect(lines).toHaveLength(5);
    expect(lines[0]).toMatch(/,"Opened by Client","Items Owed by Client","Client ID"$/);
    expect(lines.at(-1)).toMatch(/^"Zephyr Tutoring",,,,,,,,,,2,\d+$/);

    // Within reach, and to who sees requests.
    expect(await names(cpa)).toEqual([ofOhio, ofBakery]);
    expect(await names(cpa, `&clientId=${added.id}`)).toEqual([]);
    expect(await names(listless)).toEqual([]);
    await ask(bakery, null, ['Notices']);
    await saved(bakery);
    expect(await names(cpa)).toEqual([ofOhio, ofBakery]);
    expect(await names(bookkeeper)).toEqual([]);
    await admin.post(`/api/requests/${asked}/close`);
    expect(await names(admin)).toEqual([ofOhio, ofAcme, ofBakery]);
  });

  it('leaves nobody out of an export because somebody else leaves the board meanwhile', async () => {
    const [bakery] = firm.clients;
    const first = 'Aardvark Kennels';
    const { body: added } = await admin.post<{ id: number }>('/api/clients', clientInput(first));
    const asked = await ask(added.id, null, ['Lease']);
    await ask(bakery, null, ['Ledger']);
    const { id } = await app.database.reader.selectFrom('users').select('id').orderBy('id').executeTakeFirstOrThrow();
    const viewer = (await app.context.sessions.byPerson(id)) as Viewer;
    const exported: string[] = [];
    BOARD_PIECE.clients = 1;
    for await (const rows of wholeBoard(app.context.scopes.read(viewer), { period: '2026-Q3' }, app.now())) {
      exported.push(...rows.map(({ clientName }) => clientName));
      if (exported.length === 1) await admin.post(`/api/requests/${asked}/close`);
    }
    const { body: left } = await board(admin, 'period=2026-Q3');
    expect(left.length).toBeGreaterThan(0);
    expect(exported).toEqual([first, ...left.map(({ clientName }) => clientName)]);
  });

  it('goes by the first of what took each other’s place: a report that is replaced afterwards is not late', async () => {
    const [, , ohio] = firm.clients;
    const [journal, form941, notice] = firm.reportTypes;
    const { cpa } = firm.viewers;
    await saved(
      ohio,
      expectation(form941),
      expectation(journal, { frequency: 'monthly', dueDays: 5 }),
      expectation(notice),
    );
    const inTime = Date.UTC(2026, 9, 3, 15);
    try {
      setClock(inTime);
      const first = await upload(ohio, form941, '2026-Q3');
      const september = await upload(ohio, journal, '2026-09-11');
      const elsewhere = await upload(ohio, notice, '2026-Q2');
      setClock(NOVEMBER_2);
      const second = await upload(ohio, form941, '2026-Q3', { replaces: first });
      await upload(ohio, form941, '2026-Q3', { replaces: second });
      // Its pay date was put right, within the month.
      await upload(ohio, journal, '2026-09-12', { replaces: september });
      // What it replaces was of another quarter.
      await upload(ohio, notice, '2026-Q3', { replaces: elsewhere });
    } finally {
      setClock(NOVEMBER_2);
    }
    const ofOhio = `period=2026-09&clientId=${ohio}`;
    const cells = [
      'Acme Plumbing of Ohio Inc. / Form 941: 2026-Q3 delivered',
      'Acme Plumbing of Ohio Inc. / Payroll Journal: 2026-09 delivered',
      'Acme Plumbing of Ohio Inc. / Tax Notice: 2026-Q3 late',
    ];
    expect(await cellsOf(admin, ofOhio)).toEqual(cells);
    expect(await cellsOf(cpa, ofOhio)).toEqual(cells.slice(0, 2));
    const { body: rows } = await board(cpa, `${ofOhio}&reportTypeId=${form941}`);
    expect(rows[0]?.cells[0]?.reports[0]?.deliveredAt).toBe(new Date(inTime).toISOString());
    const { body: counts } = await admin.get<BoardSummary>(`/api/completeness/summary?${ofOhio}`);
    expect(counts).toMatchObject({ expected: 0, delivered: 2, late: 1, missing: 0 });
    expect(await cellsOf(admin, `${ofOhio}&reportTypeId=${form941}&state=late`)).toEqual([]);
    expect(await cellsOf(admin, `${ofOhio}&reportTypeId=${form941}&state=delivered`)).toEqual(cells.slice(0, 1));
  });
});
