// Client companies over HTTP, on both engines: created, changed, found, sorted, paged and deleted.
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { ActivityRow } from '#contract/activity.ts';
import type { ClientRemoval, ClientRow } from '#contract/clients.ts';
import type { ErrorBody } from '#contract/errors.ts';
import type { FileRow } from '#contract/files.ts';
import { searchForm } from '#contract/search.ts';
import type { UserRow } from '#contract/users.ts';
import { addRole, addUser, clientInput, type Firm } from '../../testing/firm.ts';
import { startTestApp, type TestApp } from '../../testing/test-app.ts';
import { DATABASE_KINDS } from '../../testing/test-database.ts';
import { startTestFirm } from '../../testing/test-firm.ts';

describe.each(DATABASE_KINDS)('clients on %s', (kind) => {
  let app: TestApp;
  let firm: Firm;
  beforeAll(async () => {
    ({ app, firm } = await startTestFirm(kind));
  });
  afterAll(() => app.close());

  async function add(name: string, more: Record<string, unknown> = {}): Promise<ClientRow> {
    const { status, body } = await app.admin.post<ClientRow>('/api/clients', clientInput(name, more));
    expect(status).toBe(201);
    return body;
  }

  it('show a federal id whole to who files with it, and its last four digits to everyone else, in searches too', async () => {
    const { id } = await add('Masked Orchard Supply', { federalId: '00-7654321' });
    const uploads = await addRole(app, 'Uploads Reports', ['reports.upload']);
    const reads = await addRole(app, 'Reads Alone', ['documents.upload', 'files.delete']);
    const lists = { clientIds: [id] };
    const whole = [app.admin, (await addUser(app, 'mask.uploads', uploads, lists)).caller];
    for (const [name, role] of [['mask.cpa', firm.roles.cpa] as const, ['mask.own', firm.roles.client] as const]) {
      whole.push((await addUser(app, name, role, lists)).caller);
    }
    const { caller: reader } = await addUser(app, 'mask.reads', reads, lists);

    const found = async (caller: typeof reader, q: string) =>
      (await caller.get<ClientRow[]>(`/api/clients?q=${encodeURIComponent(q)}`)).body.map((row) => row.federalId);
    for (const caller of whole) {
      expect((await caller.get<ClientRow>(`/api/clients/${id}`)).body.federalId).toBe('00-7654321');
      expect(await found(caller, '00-7654321')).toEqual(['00-7654321']);
      expect(await found(caller, 'masked 0076543')).toEqual(['00-7654321']);
    }
    expect((await reader.get<ClientRow>(`/api/clients/${id}`)).body.federalId).toBe('XX-XXX4321');
    for (const q of ['4321', 'masked orchard 21', 'office@example.com']) {
      expect(await found(reader, q), q).toEqual(['XX-XXX4321']);
    }
    for (const q of ['00-7654321', '54321', 'masked 007', '7654']) expect(await found(reader, q), q).toEqual([]);
  });

  describe('with other names', () => {
    const named = async (name: string, otherNames: unknown) => add(name, { otherNames });
    const found = async (caller: TestApp['admin'], q: string) =>
      (await caller.get<ClientRow[]>(`/api/clients?q=${encodeURIComponent(q)}`)).body.map(({ name }) => name);

    it('keep each once as it was entered first, and lose them only when they are told to', async () => {
      const client = await named('Quayside Bakery LLC', ['Quay Bakes', 'QSB', 'QUAY BAKES']);
      expect(client.otherNames).toEqual(['Quay Bakes', 'QSB']);
      const change = async (more: object) => {
        const path = `/api/clients/${client.id}`;
        const answer = await app.admin.put<ClientRow>(path, clientInput('Quayside Bakery LLC', { ...more }));
        expect([answer.status, (await app.admin.get<ClientRow>(path)).body]).toEqual([200, answer.body]);
        return answer.body;
      };
      const later = await change({ stateId: 'ME-2' });
      expect([later.otherNames, later.stateId]).toEqual([client.otherNames, 'ME-2']);
      expect(await found(app.admin, 'qsb')).toEqual(['Quayside Bakery LLC']);
      const renamed = await change({ otherNames: ['Harbor Bread'] });
      expect(renamed.otherNames).toEqual(['Harbor Bread']);
      expect(renamed.version).not.toBe(later.version);
      expect([await found(app.admin, 'qsb'), await found(app.admin, 'bread quayside')]).toEqual([[], [client.name]]);
      expect((await change({ otherNames: [] })).otherNames).toEqual([]);
      expect(await found(app.admin, 'harbor bread')).toEqual([]);
    });

    it('are found by whoever reaches the client, and by nobody else', async () => {
      const mine = await named('Kestrel Freight Inc.', ['KFI Trucking']);
      const theirs = await named('Osprey Freight Inc.', ['KFI Trucking']);
      const reader = (await addUser(app, 'other.names', firm.roles.cpa, { clientIds: [mine.id] })).caller;
      expect(await found(app.admin, 'kfi trucking')).toEqual([mine.name, theirs.name]);
      expect(await found(reader, 'kfi trucking')).toEqual([mine.name]);
      expect((await reader.get(`/api/clients/${theirs.id}`)).status).toBe(404);
    });

    it.each([
      ['too short', ['A'], 'otherNames.0', 'Each other name must be at least 2 characters'],
      [
        'too many',
        Array.from({ length: 21 }, (_, nth) => `Name ${nth}`),
        'otherNames',
        'Please enter at most 20 other names',
      ],
      ['no list', 'Name', 'otherNames', 'Must be a list of names'],
      ['no text', [7], 'otherNames.0', 'Each other name must be at least 2 characters'],
    ])('are refused with a sentence: %s', async (_case, otherNames, field, sentence) => {
      const answer = await app.admin.post<ErrorBody>('/api/clients', clientInput('Refused Names LLC', { otherNames }));
      expect([answer.status, answer.body.fields]).toEqual([400, { [field]: sentence }]);
    });

    it('come from one cell of a list', async () => {
      const rows = [
        clientInput('Listed Names One', { otherNames: ' One ; LNO;one ', federalId: '00-5550001' }),
        clientInput('Listed Names Two', { federalId: '00-5550002' }),
      ];
      expect((await app.admin.post('/api/clients/import', { rows })).status).toBe(200);
      const { body } = await app.admin.get<ClientRow[]>('/api/clients?q=listed%20names');
      expect(body.map(({ otherNames }) => otherNames)).toEqual([['One', 'LNO'], []]);
    });

    it('come back from the trash with their client', async () => {
      const { id } = await named('Trashed Names LLC', ['TNL']);
      expect((await app.admin.delete(`/api/clients/${id}`)).status).toBe(204);
      expect(await found(app.admin, 'tnl')).toEqual([]);
      expect((await app.admin.post<ClientRow>(`/api/clients/${id}/restore`)).body.otherNames).toEqual(['TNL']);
      expect(await found(app.admin, 'tnl')).toEqual(['Trashed Names LLC']);
    });
  });

  it('are created, read, changed and deleted', async () => {
    const input = clientInput('Larch Street Dental', { employeeCount: '0', startDate: '2026-01-31' });
    const created = await app.admin.post<ClientRow>('/api/clients', input);
    expect(created.status).toBe(201);
    const { id } = created.body;
    const row = {
      ...input,
      id,
      employeeCount: 0,
      phoneNumber: '(207)-555-0142',
      otherNames: [],
      onHold: false,
      version: expect.any(String),
    };
    expect(created.body).toEqual(row);
    expect(await app.admin.get(`/api/clients/${id}`)).toMatchObject({ status: 200, body: row });

    const changed = { ...input, name: 'Larch Street Dental PC', phone: '(207)-555-0199', employeeCount: 14 };
    const updated = await app.admin.put<ClientRow>(`/api/clients/${id}`, changed);
    expect(updated.status).toBe(200);
    expect(updated.body).toEqual({
      ...changed,
      id,
      otherNames: [],
      onHold: false,
      phoneNumber: '(207)-555-0199',
      version: expect.any(String),
    });
    const listed = (await app.admin.get<ClientRow[]>('/api/clients')).body.find((client) => client.id === id);
    expect(listed).toEqual(updated.body);
    // Saved as it is, it keeps its version, and the log below has no entry of it.
    const again = await app.admin.put<ClientRow>(`/api/clients/${id}`, changed);
    expect([again.status, again.body]).toEqual([200, updated.body]);

    const deleted = await app.admin.delete(`/api/clients/${id}`);
    expect([deleted.status, deleted.body]).toEqual([204, undefined]);
    for (const answer of [
      await app.admin.get(`/api/clients/${id}`),
      await app.admin.put(`/api/clients/${id}`, changed),
      await app.admin.get(`/api/clients/${id}/removal`),
      await app.admin.delete(`/api/clients/${id}`),
    ]) {
      expect(answer.status).toBe(404);
    }
    const { body: log } = await app.admin.get<ActivityRow[]>(`/api/activity-logs?clientId=${id}&sort=timestamp`);
    expect(log.map((entry) => [entry.action, entry.details, entry.clientName, entry.userName])).toEqual([
      ['update', 'Created client: Larch Street Dental', 'Larch Street Dental', 'Administrator'],
      [
        'update',
        'Updated client: Larch Street Dental PC, renamed from Larch Street Dental',
        'Larch Street Dental PC',
        'Administrator',
      ],
      [
        'delete',
        expect.stringMatching(/^Deleted client: Larch Street Dental PC/),
        'Larch Street Dental PC',
        'Administrator',
      ],
    ]);
  });

  it('keep text as typed, without outer space', async () => {
    const name = `Éclair & Søn 北海道 "quoted" <b>\\ 'x'; -- %_ \u{1F950}`;
    const client = await add(`  ${name} `, { address: ' 1 Rue de l’Église  ', email: ' office@example.com ' });
    expect(client).toMatchObject({ name, address: '1 Rue de l’Église', email: 'office@example.com' });
    expect((await app.admin.get<ClientRow>(`/api/clients/${client.id}`)).body).toEqual(client);
  });

  it('never get an id twice, not even that of the highest row', async () => {
    const first = await add('Last One LLC');
    expect((await app.admin.delete(`/api/clients/${first.id}`)).status).toBe(204);
    const second = await add('Last One LLC');
    expect(second.id).toBeGreaterThan(first.id);
    await app.admin.delete(`/api/clients/${second.id}`);
  });

  it('refuse every field the server sets itself', async () => {
    for (const key of ['id', 'createdAt', 'phoneNumber', 'name_key', 'search_text']) {
      const { status, body } = await app.admin.post<ErrorBody>('/api/clients', { ...clientInput('X Ltd'), [key]: 1 });
      expect([key, status, Object.keys(body.fields ?? {})]).toEqual([key, 400, [key]]);
    }
  });

  it('deleted with what belongs to nobody else: files, bytes and Client users of this client alone', async () => {
    const [gone, stays] = [await add('Going Away Inc.'), await add('Staying Here Inc.')];
    const alone = await addUser(app, 'alone', firm.roles.client, { clientIds: [gone.id] });
    const both = await addUser(app, 'both', firm.roles.client, { clientIds: [gone.id, stays.id] });
    const staff = await addUser(app, 'staff', firm.roles.cpa, { clientIds: [gone.id] });
    const custom = await addUser(app, 'custom', firm.roles.bookkeeper, { clientIds: [gone.id] });
    const fields = { clientId: gone.id, fileType: 'company_document' };
    const mine = await alone.caller.upload<FileRow>({ name: 'a.txt', fields });
    const theirs = await app.admin.upload<FileRow>({ name: 'b.txt', fields: { ...fields, clientId: stays.id } });
    expect([mine.status, theirs.status]).toEqual([201, 201]);

    expect((await app.admin.get<ClientRemoval>(`/api/clients/${gone.id}/removal`)).body).toEqual({
      files: 1,
      users: 1,
      onHold: null,
    });
    expect((await app.admin.delete(`/api/clients/${gone.id}`)).status).toBe(204);

    expect((await alone.caller.get('/api/auth/me')).status).toBe(401);
    const { body: users } = await app.admin.get<UserRow[]>('/api/users');
    const listOf = (id: number) => users.find((user) => user.id === id)?.clientIds;
    expect([alone, both, staff, custom].map(({ id }) => listOf(id))).toEqual([undefined, [stays.id], [], []]);
    expect((await app.admin.get(`/api/files/${mine.body.id}/download`)).status).toBe(404);
    expect((await app.admin.get(`/api/files/${theirs.body.id}/download`)).status).toBe(200);
    const stored = await app.database.reader.selectFrom('files').select(['id', 'storage_key']).execute();
    expect(stored.map((file) => file.id)).not.toContain(mine.body.id);
    const { body: log } = await app.admin.get<ActivityRow[]>(`/api/activity-logs?fileId=${mine.body.id}`);
    expect(log).toMatchObject([
      { action: 'upload', fileName: 'a.txt', userName: 'Full alone', clientName: 'Going Away Inc.' },
    ]);
  });

  // The embedded engine has one connection, so nothing there is read beside another transaction.
  if (kind === 'sqlite' || inject('postgresUrl') !== null) {
    it('say what would go with them without waiting for whoever writes', async () => {
      const { id } = await add('Read Meanwhile LLC');
      await app.database.transaction(async (tx) => {
        await app.database.serialize(tx, 'rights');
        await tx.updateTable('clients').set({ address: 'Not committed yet' }).where('id', '=', id).execute();
        const { status, body } = await app.admin.get<ClientRemoval>(`/api/clients/${id}/removal`);
        expect([status, body]).toEqual([200, { files: 0, users: 0, onHold: null }]);
      });
    });
  }

  describe('in a list', () => {
    const names = (rows: readonly ClientRow[]) => rows.map((row) => row.name);
    let all: ClientRow[];
    const found = async (q: string) => {
      const answer = await app.admin.get<ClientRow[]>(`/api/clients?q=${encodeURIComponent(q)}`);
      expect([q, answer.status, Number(answer.headers.get('x-total-count'))]).toEqual([q, 200, answer.body.length]);
      return names(answer.body);
    };
    beforeAll(async () => {
      for (const { id } of (await app.admin.get<ClientRow[]>('/api/clients')).body) {
        if (!firm.clients.includes(id)) await app.admin.delete(`/api/clients/${id}`);
      }
      await add('Zebra Crossing', {
        address: '77 Stripe Avenue, Åbo',
        phone: '(415)-555-0177',
        federalId: '08-7654321',
        stateId: 'CA-Zeta-9',
        email: 'Hello@Zebra.example.com',
        employeeCount: 2,
        startDate: '2020-12-31',
      });
      await add('ÉCOLE ÎLE', { employeeCount: 10, startDate: '2021-01-01', federalId: '07-0000001' });
      await add('100% Pure_Water \\ Co', { employeeCount: 9, startDate: '2019-06-30' });
      await add('1000 Pure Waters', { employeeCount: 100, startDate: '2022-02-02' });
      await add('Жук и Ко', { employeeCount: 11 });
      all = (await app.admin.get<ClientRow[]>('/api/clients')).body;
    });

    it('are found by any part of name, email, phone, federal id, state id and address, in any case', async () => {
      const zebra = ['Zebra Crossing'];
      for (const q of [
        'zebra cr',
        'CROSSING',
        'hello@',
        'ZEBRA.EXAMPLE',
        '(415)',
        '555-0177',
        '08-76',
        '7654321',
        'zeta-9',
      ]) {
        expect([q, await found(q)]).toEqual([q, zebra]);
      }
      for (const q of ['stripe AVENUE', 'åbo', 'ÅBO', 'a\u030abo', '  zebra  '])
        expect([q, await found(q)]).toEqual([q, zebra]);
      for (const q of ['école', 'ÉCOLE', 'École', 'e\u0301cole', 'île'])
        expect([q, await found(q)]).toEqual([q, ['ÉCOLE ÎLE']]);
      for (const q of ['жук', 'ЖУК']) expect([q, await found(q)]).toEqual([q, ['Жук и Ко']]);
      expect(await found('nothing like it')).toEqual([]);
      // Not across two fields, and not in fields that are not searched (docs/behaviour.md, Lists).
      expect(await found('crossinghello')).toEqual([]);
      // Each word, in any order, in whichever field.
      expect(await found('hello crossing')).toEqual(zebra);
      expect(await found('hello nothing')).toEqual([]);
      expect(await found('2020-12-31')).toEqual([]);
    });

    it('are found literally by SQL wildcards', async () => {
      const water = ['100% Pure_Water \\ Co'];
      for (const q of ['%', '_', '\\', 'e_W', '100% pure_w', '\\ Co pure_w'])
        expect([q, await found(q)]).toEqual([q, water]);
      for (const q of ['%%', '__', "'", '"', '*', '?', 'z.bra', 'z%bra', 'z_bra'])
        expect([q, await found(q)]).toEqual([q, []]);
    });

    it('are all there for an empty search', async () => {
      expect((await found('')).length).toBe(all.length);
      expect((await found('  ')).length).toBe(all.length);
    });

    it.each([
      ['name', (row: ClientRow) => searchForm(row.name)],
      ['email', (row: ClientRow) => row.email],
      ['phone', (row: ClientRow) => row.phone],
      ['federalId', (row: ClientRow) => row.federalId],
      ['employeeCount', (row: ClientRow) => row.employeeCount],
      ['startDate', (row: ClientRow) => row.startDate],
    ])('are sorted by %s both ways', async (column, keyOf) => {
      const up = (await app.admin.get<ClientRow[]>(`/api/clients?sort=${column}`)).body;
      const down = (await app.admin.get<ClientRow[]>(`/api/clients?sort=-${column}`)).body;
      expect(down).toEqual(up.toReversed());
      const byKey = (a: ClientRow, b: ClientRow) => {
        const [x, y] = [keyOf(a), keyOf(b)];
        return x < y ? -1 : x > y ? 1 : a.id - b.id;
      };
      expect(up).toEqual(all.toSorted(byKey));
    });

    it('are sorted by name by default', () => {
      expect(names(all)[0]).toBe('100% Pure_Water \\ Co');
      expect(names(all)).toEqual(names(all.toSorted((a, b) => (searchForm(a.name) < searchForm(b.name) ? -1 : 1))));
    });

    it('are where a reader of English looks for them', async () => {
      const own = await startTestApp(kind);
      const accented = [
        'Ångstrom Labs',
        'angle iron',
        'Élan Salon',
        'El Sol',
        'Łukasz Deli',
        'luna',
        'Öland Oil',
        'zinc',
      ];
      for (const name of accented.toReversed()) await own.admin.post('/api/clients', clientInput(name));
      const { body } = await own.admin.get<ClientRow[]>('/api/clients?sort=name');
      expect(names(body).filter((name) => accented.includes(name))).toEqual([
        'angle iron',
        'Ångstrom Labs',
        'El Sol',
        'Élan Salon',
        'Łukasz Deli',
        'luna',
        'Öland Oil',
        'zinc',
      ]);
      await own.close();
    });

    it('come page by page without gap or overlap, with the total of all pages', async () => {
      const pages: ClientRow[] = [];
      for (let offset = 0; offset < all.length + 3; offset += 3) {
        const { body, headers } = await app.admin.get<ClientRow[]>(`/api/clients?limit=3&offset=${offset}`);
        expect(Number(headers.get('x-total-count'))).toBe(all.length);
        expect(body.length).toBe(Math.max(0, Math.min(3, all.length - offset)));
        pages.push(...body);
      }
      expect(pages).toEqual(all);
      const { body, headers } = await app.admin.get<ClientRow[]>('/api/clients?q=pure&limit=1&offset=1');
      expect([names(body), headers.get('x-total-count')]).toEqual([['1000 Pure Waters'], '2']);
    });

    it('count only what the viewer reaches', async () => {
      const { body, headers } = await firm.viewers.cpa.get<ClientRow[]>('/api/clients?limit=1');
      expect([body.length, headers.get('x-total-count')]).toEqual([1, '2']);
      const searched = await firm.viewers.cpa.get<ClientRow[]>('/api/clients?q=zebra');
      expect([searched.body, searched.headers.get('x-total-count')]).toEqual([[], '0']);
    });
  });

  it('answer HEAD with the headers of GET', async () => {
    const head = await app.admin.fetch('/api/clients?limit=1', { method: 'HEAD' });
    const get = await app.admin.fetch('/api/clients?limit=1');
    expect(head.status).toBe(200);
    expect(head.headers.get('x-total-count')).toBe(get.headers.get('x-total-count'));
    expect(await head.text()).toBe('');
  });
});
