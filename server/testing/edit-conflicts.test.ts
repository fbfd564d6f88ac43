// Two people edit one user, client, role, its permissions or what is expected of a client: the second save is refused while it names the version that was read first.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ClientRow } from '#contract/clients.ts';
import type { ExpectationsOfClient } from '#contract/completeness.ts';
import type { ErrorBody } from '#contract/errors.ts';
import type { ReportTypeRow } from '#contract/report-types.ts';
import type { RolePermissions, RoleRow } from '#contract/roles.ts';
import type { UserRow } from '#contract/users.ts';
import { addRole, addUser, clientInput, type Firm } from './firm.ts';
import type { Caller, TestApp } from './test-app.ts';
import { DATABASE_KINDS } from './test-database.ts';
import { startTestFirm } from './test-firm.ts';

interface Versioned {
  readonly id: number;
  readonly version: string;
}

describe.each(DATABASE_KINDS)('a change of what somebody else has changed, on %s', (kind) => {
  let app: TestApp;
  let firm: Firm;

  beforeAll(async () => {
    ({ app, firm } = await startTestFirm(kind, {}, { clock: 'standing' }));
  });
  afterAll(() => app.close());

  /** Sends a change of the row at `path`, as of `versions` where they are given. */
  async function save(by: Caller, path: string, body: unknown, ...versions: readonly string[]) {
    const ifMatch = versions.length === 0 ? {} : { 'if-match': versions.join(', ') };
    const headers = { 'content-type': 'application/json', ...ifMatch };
    const answer = await by.fetch(path, { method: 'PUT', headers, body: JSON.stringify(body) });
    return { status: answer.status, body: (await answer.json()) as ErrorBody & Versioned };
  }

  const quoted = (version: string | undefined) => `"${version}"`;

  interface Noun {
    readonly path: string;
    readonly first: unknown;
    readonly second: unknown;
    readonly read: () => Promise<Versioned | undefined>;
  }

  const nouns: Record<string, () => Promise<Noun>> = {
    user: async () => {
      const { id } = await addUser(app, 'edited', firm.roles.cpa, { clientIds: [firm.clients[0]] });
      const body = (fullName: string) => ({ username: 'edited', fullName, roleId: firm.roles.cpa, password: '' });
      return {
        path: `/api/users/${id}`,
        first: body('First Name'),
        second: body('Second Name'),
        read: async () => (await app.admin.get<UserRow>(`/api/users/${id}`)).body,
      };
    },
    client: async () => {
      const { body: made } = await app.admin.post<ClientRow>('/api/clients', clientInput('Edited Company'));
      return {
        path: `/api/clients/${made.id}`,
        first: clientInput('Edited Company', { stateId: 'one' }),
        second: clientInput('Edited Company', { stateId: 'two' }),
        read: async () => (await app.admin.get<ClientRow>(`/api/clients/${made.id}`)).body,
      };
    },
    role: async () => {
      const id = await addRole(app, 'Edited role');
      return {
        path: `/api/roles/${id}`,
        first: { name: 'Edited once' },
        second: { name: 'Edited twice' },
        read: async () => (await app.admin.get<RoleRow[]>('/api/roles')).body.find((role) => role.id === id),
      };
    },
    'report type': async () => {
      const { body: made } = await app.admin.post<ReportTypeRow>('/api/report-types', { name: 'Edited type' });
      return {
        path: `/api/report-types/${made.id}`,
        first: { name: 'Typed once' },
        second: { name: 'Typed twice' },
        read: async () =>
          (await app.admin.get<ReportTypeRow[]>('/api/report-types')).body.find((type) => type.id === made.id),
      };
    },
    permissions: async () => {
      const roleId = await addRole(app, 'Granted role');
      return {
        path: '/api/permissions',
        first: { roleId, capabilities: ['reports.upload'] },
        second: { roleId, capabilities: ['documents.upload'] },
        read: async () =>
          (await app.admin.get<RolePermissions[]>('/api/permissions')).body.find(({ id }) => id === roleId),
      };
    },
  };

  it.each(Object.entries(nouns))(
    '%s: is refused with who and when, until the new version is named, or none',
    async (_noun, make) => {
      const { path, first, second, read } = await make();
      const before = await read();
      app.advance(1);
      const saved = await save(firm.viewers.admin2, path, first, quoted(before?.version));
      expect(saved.status).toBe(200);
      expect((await read())?.version).toBe(saved.body.version);

      app.advance(2 * 60_000);
      const refused = await save(app.admin, path, second, quoted(before?.version));
      expect([refused.status, refused.body.code, refused.body.message]).toEqual([
        412,
        'changed_meanwhile',
        'This was changed by Full admin2 2 minutes ago, while you were working on it.',
      ]);
      expect((await read())?.version).toBe(saved.body.version);

      const kept = await save(app.admin, path, second, '"another"', quoted(saved.body.version));
      expect(kept.status).toBe(200);
      expect(kept.body.version).not.toBe(saved.body.version);
      expect((await save(app.admin, path, first)).status).toBe(200);
      expect((await save(app.admin, path, second, '*')).status).toBe(200);
      expect((await save(app.admin, path, first, 'nonsense')).status).toBe(412);
    },
  );

  it('is refused without a name where the asker does not see the person', async () => {
    const role = await addRole(app, 'Client keeper', ['clients.manage']);
    const { caller } = await addUser(app, 'keeper', role, { clientIds: [firm.clients[0]] });
    const path = `/api/clients/${firm.clients[0]}`;
    const { body: before } = await caller.get<ClientRow>(path);
    app.advance(1);
    await save(app.admin, path, clientInput('Harbor & Pine Bakery LLC', { stateId: 'new' }));
    app.advance(3_600_000);
    const refused = await save(caller, path, clientInput('Harbor & Pine Bakery LLC'), quoted(before.version));
    expect(refused.body.message).toBe('This was changed 1 hour ago, while you were working on it.');
    // Their own earlier change is named to anyone.
    await save(caller, path, clientInput('Harbor & Pine Bakery LLC', { stateId: 'own' }));
    const own = await save(caller, path, clientInput('Harbor & Pine Bakery LLC'), quoted(before.version));
    expect(own.body.message).toBe(
      'This was changed by Full keeper less than a minute ago, while you were working on it.',
    );
  });

  it('says nothing of the version to those who may not change it', async () => {
    const path = `/api/users/${firm.users.cpa}`;
    const body = { username: 'cpa', fullName: 'Full cpa', roleId: firm.roles.cpa, password: '' };
    const refused = await save(firm.viewers.cpa, path, body, 'nonsense');
    expect([refused.status, refused.body.code]).toEqual([403, 'forbidden']);
  });

  it('is refused when another act changed the row, without a name', async () => {
    const { body: gone } = await app.admin.post<ClientRow>('/api/clients', clientInput('Soon Gone Inc.'));
    const { id } = await addUser(app, 'loses.one', firm.roles.cpa, { clientIds: [firm.clients[0], gone.id] });
    const body = { username: 'loses.one', fullName: 'Loses One', roleId: firm.roles.cpa, password: '' };
    const { body: before } = await save(app.admin, `/api/users/${id}`, {
      ...body,
      clientIds: [firm.clients[0], gone.id],
    });
    await app.admin.delete(`/api/clients/${gone.id}`);
    const refused = await save(
      app.admin,
      `/api/users/${id}`,
      { ...body, clientIds: [firm.clients[0]] },
      quoted(before.version),
    );
    expect([refused.status, refused.body.message]).toEqual([412, 'This was changed while you were working on it.']);
  });

  it('is no conflict where only a new client came to somebody who has them all', async () => {
    const { id } = await addUser(app, 'has.all', firm.roles.cpa);
    const body = { username: 'has.all', fullName: 'Has All', roleId: firm.roles.cpa, password: '', allClients: true };
    const { body: before } = await save(app.admin, `/api/users/${id}`, body);
    await app.admin.post('/api/clients', clientInput('Brand New Inc.'));
    expect((await save(app.admin, `/api/users/${id}`, body, quoted(before.version))).status).toBe(200);
  });

  it('of what is expected of a client is refused, of none before too, and not for what is out of reach', async () => {
    const [journal, form941, notice] = firm.reportTypes;
    const { admin2, cpa } = firm.viewers;
    const { body: made } = await app.admin.post<ClientRow>('/api/clients', clientInput('Expected Company'));
    const quarterly = { frequency: 'quarterly', starts: null };
    const one = (reportTypeId: number, dueDays = 31) => ({ reportTypeId, dueDays, ...quarterly });
    const of = (...expectations: object[]) => ({ expectations });
    const pathOf = (clientId: number) => `/api/clients/${clientId}/expectations`;
    const path = pathOf(made.id);
    const read = async (by = app.admin, from = path) => (await by.get<ExpectationsOfClient>(from)).body;

    const none = await read();
    const saved = await save(admin2, path, of(one(journal)), quoted(none.version));
    expect([saved.status, saved.body.version]).toEqual([200, (await read()).version]);
    const refused = await save(app.admin, path, of(one(form941)), quoted(none.version));
    expect([refused.status, refused.body.code, refused.body.message]).toEqual([
      412,
      'changed_meanwhile',
      'This was changed while you were working on it.',
    ]);
    expect((await read()).expectations.map(({ reportTypeId }) => reportTypeId)).toEqual([journal]);
    // What is saved for many clients at once is a change as well.
    await admin2.post('/api/completeness/expectations', of({ clientId: made.id, ...one(journal, 30) }));
    expect((await save(app.admin, path, of(one(form941)), quoted(saved.body.version))).status).toBe(412);
    expect((await save(app.admin, path, of(one(form941)))).status).toBe(200);

    const { version } = await read();
    const atOnce = Array.from({ length: 8 }, (_, nth) =>
      save(nth % 2 === 0 ? app.admin : admin2, path, of(one(form941, nth)), quoted(version)),
    );
    expect((await Promise.all(atOnce)).map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(412)]);

    const near = pathOf(firm.clients[0]);
    const before = await read(cpa, near);
    expect((await save(admin2, near, of(one(notice)))).status).toBe(200);
    expect((await save(cpa, near, of(one(journal)), quoted(before.version))).status).toBe(200);
    expect((await read(app.admin, near)).expectations).toHaveLength(2);
  });

  it('G24: lets one win of those who save at once', async () => {
    const contested: readonly [path: string, first: unknown, change: (nth: number) => unknown][] = [
      [
        '/api/clients',
        clientInput('Contested Inc.'),
        (nth) => clientInput('Contested Inc.', { stateId: `state ${nth}` }),
      ],
      ['/api/report-types', { name: 'Contested type' }, (nth) => ({ name: `Contested type ${nth}` })],
    ];
    for (const [path, first, change] of contested) {
      const { body: made } = await app.admin.post<Versioned>(path, first);
      const saves = Array.from({ length: 8 }, (_, nth) =>
        save(nth % 2 === 0 ? app.admin : firm.viewers.admin2, `${path}/${made.id}`, change(nth), quoted(made.version)),
      );
      const statuses = (await Promise.all(saves)).map(({ status }) => status);
      expect([path, statuses.sort()]).toEqual([path, [200, ...Array(7).fill(412)]]);
    }
  });
});
