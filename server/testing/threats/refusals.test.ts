// Rows G13 and G19 of the threat model: refusals leave one entry with a count, and hide nothing else.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ErrorBody } from '#contract/errors.ts';
import type { SecurityEventRow } from '#contract/security-events.ts';
import { openSecurityLog } from '../../audit/security-events.ts';
import { MINUTE_MS } from '../../platform/clock.ts';
import { addUser, type Firm, PASSWORD } from '../firm.ts';
import { itOnAny } from '../narrowed.ts';
import { refuseSecurityEvents } from '../refuse-events.ts';
import { Caller, type TestApp } from '../test-app.ts';
import { DATABASE_KINDS } from '../test-database.ts';
import { startTestFirm } from '../test-firm.ts';

const NONE_THERE = 999_999;

describe.each(DATABASE_KINDS)('refusals on %s', (kind) => {
  let app: TestApp;
  let firm: Firm;
  let people = 0;
  beforeAll(async () => {
    ({ app, firm } = await startTestFirm(kind, { TRUST_PROXY: '127.0.0.1' }));
  });
  afterAll(() => app.close());

  /** Somebody of this test alone. */
  async function somebody() {
    people += 1;
    const username = `refused${people}`;
    const lists = { clientIds: [firm.clients[0]], reportTypeIds: [firm.reportTypes[0]] };
    return { username, ...(await addUser(app, username, firm.roles.client, lists)) };
  }

  /** One call that comes from `address`. */
  const from = async (address: string, caller: Caller, path: string, init: RequestInit = {}) => {
    const response = await caller.fetch(path, { ...init, headers: { ...init.headers, 'x-forwarded-for': address } });
    return { status: response.status, body: (await response.json().catch(() => null)) as unknown };
  };
  const signIn = async (address: string, username: string, password: string) => {
    const { status, body } = await from(address, app.anonymous, '/api/auth/login', {
      method: 'POST',
      body: JSON.stringify({ username, password }),
      headers: { 'content-type': 'application/json' },
    });
    return status === 200 ? new Caller(app.origin, (body as { token: string }).token) : status;
  };
  const eventsOf = async (caller: Caller, query = '') => {
    const { status, body, headers } = await caller.get<SecurityEventRow[]>(`/api/auth/events${query}`);
    expect([query, status]).toEqual([query, 200]);
    return { rows: body, total: Number(headers.get('x-total-count')) };
  };
  /** The newest, whether or not the server can distinguish them. */
  const refusalsOf = async (caller: Caller) =>
    (await eventsOf(caller)).rows.filter(({ kind: what }) => what === 'denied' || what === 'sign_in_failed');
  const summary = ({ kind: what, times, detail }: SecurityEventRow) => [what, times, detail];

  describe('of a signed-in person', () => {
    it('G19: are recorded whatever they are about, at the route guard and behind it, there or missing', async () => {
      const { caller } = await somebody();
      const [c1, c2] = firm.clients;
      for (const [method, path, json, status, detail] of [
        ['GET', `/api/clients/${c2}`, undefined, 404, `read client ${c2}`],
        ['GET', `/api/clients/${NONE_THERE}`, undefined, 404, `read client ${NONE_THERE}`],
        ['PUT', `/api/clients/${c1}`, { broken: true }, 403, `change client ${c1}`],
        ['DELETE', `/api/clients/${c2}`, undefined, 403, `delete client ${c2}`],
        [
          'GET',
          `/api/users/${firm.users.cpa}/client-access`,
          undefined,
          404,
          `read the clients of user ${firm.users.cpa}`,
        ],
        ['POST', '/api/users', {}, 403, 'add a user'],
        ['DELETE', `/api/roles/${firm.roles.cpa}`, undefined, 403, `delete role ${firm.roles.cpa}`],
        ['DELETE', `/api/report-types/${NONE_THERE}`, undefined, 403, `delete report type ${NONE_THERE}`],
        ['PUT', '/api/permissions', { roleId: 1 }, 403, 'change the permissions of a role'],
        ['GET', `/api/permissions/users/${firm.users.cpa}`, undefined, 404, `read the reach of user ${firm.users.cpa}`],
        ['DELETE', `/api/auth/sessions/${NONE_THERE}`, undefined, 404, `sign out device ${NONE_THERE}`],
        [
          'POST',
          '/api/activity-logs',
          { action: 'view', fileId: firm.files.f2.id },
          404,
          `announce file ${firm.files.f2.id}`,
        ],
        [
          'POST',
          '/api/files/archive',
          { ids: [firm.files.f1.id, firm.files.f2.id] },
          404,
          `download files ${firm.files.f1.id}, ${firm.files.f2.id}`,
        ],
        ['DELETE', `/api/clients/${'9'.repeat(40)}`, undefined, 403, 'delete a client'],
        ['DELETE', '/api/clients/%3Cscript%3E', undefined, 403, 'delete a client'],
      ] as const) {
        const answer = await caller.send<ErrorBody>(method, path, json);
        expect([method, path, answer.status]).toEqual([method, path, status]);
        const rows = await refusalsOf(caller);
        expect([method, path, rows[0]?.kind, rows[0]?.detail]).toEqual([method, path, 'denied', detail]);
      }
    });

    it('G19: of unknown addresses, and without a sign-in, are not', async () => {
      const { caller } = await somebody();
      const stored = async () => (await app.database.reader.selectFrom('security_events').selectAll().execute()).length;
      const before = await stored();
      for (const path of ['/api/none', '/api/clients/1/none', '/api/auth/factors']) {
        expect([path, (await caller.get(path)).status]).toEqual([path, 404]);
      }
      expect((await app.anonymous.get('/api/clients/1')).status).toBe(401);
      expect((await new Caller(app.origin, 'x'.repeat(43)).get('/api/clients/1')).status).toBe(401);
      expect(await stored()).toBe(before);
    });

    it('G19: that cannot be recorded are answered as a fault, and only those', async () => {
      const { caller } = await somebody();
      await refuseSecurityEvents(app.database, true);
      const refused = [
        (await caller.get(`/api/clients/${NONE_THERE}`)).status,
        (await caller.delete(`/api/clients/${NONE_THERE}`)).status,
        (await caller.get('/api/clients')).status,
      ];
      await refuseSecurityEvents(app.database, false);
      expect(refused).toEqual([500, 500, 200]);
      expect((await caller.get(`/api/clients/${NONE_THERE}`)).status).toBe(404);
    });

    itOnAny(kind)(
      'G13: a walk through a thousand ids is a handful of entries with a count and the last try',
      async () => {
        const { caller } = await somebody();
        const ids = Array.from({ length: 250 }, (_, index) => NONE_THERE + index);
        const { total: before } = await eventsOf(caller);
        for (let start = 0; start < ids.length; start += 25) {
          // Side by side, as a crawler would.
          await Promise.all(
            ids
              .slice(start, start + 25)
              .flatMap((id) => [
                caller.get(`/api/files/${id}`),
                caller.get(`/api/clients/${id}`),
                caller.delete(`/api/clients/${id}`),
                caller.put(`/api/users/${id}`, {}),
              ]),
          );
        }
        const rows = await refusalsOf(caller);
        expect(rows.map(({ times }) => times)).toEqual([250, 250, 250, 250]);
        for (const what of ['open file', 'read client', 'delete client', 'change user']) {
          expect(rows.find(({ detail }) => detail?.startsWith(`${what} `))?.detail).toMatch(/ \d+$/);
        }
        expect((await eventsOf(caller)).total).toBe(before + 4);
      },
    );

    it('G13: an hour later, from another address and of another person they are entries of their own', async () => {
      const one = await somebody();
      const other = await somebody();
      const path = `/api/clients/${NONE_THERE}`;
      await from('203.0.113.7', one.caller, path);
      app.advance(50 * MINUTE_MS);
      await from('203.0.113.7', one.caller, path);
      await from('203.0.113.8', one.caller, path);
      await from('203.0.113.7', other.caller, path);
      const first = await refusalsOf(one.caller);
      expect(first.map(({ times, address }) => [times, address])).toEqual([
        [1, '203.0.113.8'],
        [2, '203.0.113.7'],
      ]);
      const [, repeated] = first;
      const apart = Date.parse(repeated?.lastAt ?? '') - Date.parse(repeated?.at ?? '');
      expect(Math.round(apart / MINUTE_MS)).toBe(50);
      app.advance(11 * MINUTE_MS);
      await from('203.0.113.7', one.caller, path);
      expect((await refusalsOf(one.caller)).map(({ times }) => times)).toEqual([1, 1, 2]);
      expect((await refusalsOf(other.caller)).map(({ times }) => times)).toEqual([1]);
    });

    it('G13: are counted in one entry by several processes at once, and in the next one an hour later', async () => {
      const { id, username } = await somebody();
      const processes = [1, 2, 3].map(() => openSecurityLog(app.database, app.now));
      const user = { id, username };
      const refused = (nth: number) => ({
        kind: 'denied' as const,
        endpoint: nth % 2 === 0 ? ('files.open' as const) : ('clients.get' as const),
        user,
        actor: { id, name: 'Somebody' },
        origin: { address: '203.0.113.7', userAgent: 'x' },
        detail: `${nth}`,
      });
      const times = async () =>
        (
          await app.database.reader
            .selectFrom('security_events')
            .select(['times'])
            .where('user_id', '=', id)
            .where('kind', '=', 'denied')
            .orderBy('id')
            .execute()
        ).map((row) => row.times);
      for (const wanted of [
        [60, 60],
        [60, 60, 60, 60],
      ]) {
        for (let round = 0; round < 20; round += 1) {
          await Promise.all(processes.flatMap((log) => [log.record(refused(round * 2)), log.record(refused(1))]));
        }
        expect(await times()).toEqual(wanted);
        app.advance(61 * MINUTE_MS);
      }
    });

    it('G13: from one network of IPv6 addresses they are one entry', async () => {
      const { caller } = await somebody();
      for (const host of ['1', '2', 'ffff:1:2:3']) {
        await from(`2001:db8:1:2:${host === 'ffff:1:2:3' ? host : `:${host}`}`, caller, `/api/clients/${NONE_THERE}`);
      }
      const rows = await refusalsOf(caller);
      expect(rows.map(({ times, address }) => [times, address])).toEqual([[3, '2001:db8:1:2:ffff:1:2:3']]);
    });
  });

  it('G13: sign-ins that fail are one entry for an account and an address, also for unknown names', async () => {
    const { username, caller } = await somebody();
    for (let nth = 0; nth < 3; nth += 1) expect(await signIn('203.0.113.9', username, `wrong ${nth}`)).toBe(401);
    expect(await signIn('203.0.113.10', username, 'wrong')).toBe(401);
    const rows = await refusalsOf(caller);
    expect(rows.map((row) => [...summary(row), row.address])).toEqual([
      ['sign_in_failed', 1, null, '203.0.113.10'],
      ['sign_in_failed', 3, null, '203.0.113.9'],
    ]);
    for (let nth = 0; nth < 5; nth += 1) expect(await signIn('203.0.113.11', `nobody ${nth}`, 'wrong')).toBe(401);
    const unknown = await app.database.reader
      .selectFrom('security_events')
      .select(['times', 'user_id'])
      .where('address', '=', '203.0.113.11')
      .execute();
    expect(unknown).toEqual([{ times: 5, user_id: null }]);
  });

  it('G13: a foreign sign-in stays in sight however much is refused afterwards', async () => {
    const { username, caller } = await somebody();
    const foreign = await signIn('198.51.100.66', username, PASSWORD);
    if (typeof foreign === 'number') throw new Error(`No sign-in: ${foreign}`);
    for (let nth = 0; nth < 60; nth += 1) await from('198.51.100.66', foreign, `/api/files/${NONE_THERE + nth}`);
    for (let nth = 0; nth < 4; nth += 1) await signIn(`198.51.100.${nth}`, username, 'wrong');
    const all = await eventsOf(caller);
    expect(all.rows.map(summary).slice(0, 6)).toEqual([
      ...Array.from({ length: 4 }, () => ['sign_in_failed', 1, null]),
      ['denied', 60, `open file ${NONE_THERE + 59}`],
      ['signed_in', 1, null],
    ]);
    const { rows, total } = await eventsOf(caller, '?about=sign-ins');
    expect(rows.map((row) => [row.kind, row.address])).toEqual([
      ['signed_in', '198.51.100.66'],
      ['signed_in', '127.0.0.1'],
    ]);
    expect(total).toBe(2);
    expect((await eventsOf(caller, '?about=changes')).rows.map(({ kind: what }) => what)).toEqual(['access_changed']);
    expect((await eventsOf(caller, '?about=refusals')).total).toBe(5);
  });

  it('G13: are paged, by topic and together, and accept only known filters', async () => {
    const { username, caller } = await somebody();
    for (let nth = 0; nth < 6; nth += 1) await signIn(`192.0.2.${nth}`, username, PASSWORD);
    const whole = await eventsOf(caller);
    expect([whole.rows.length, whole.total]).toEqual([8, 8]);
    const pages: SecurityEventRow[] = [];
    for (let offset = 0; offset < 9; offset += 3) {
      const page = await eventsOf(caller, `?limit=3&offset=${offset}`);
      expect(page.total).toBe(8);
      pages.push(...page.rows);
    }
    expect(pages).toEqual(whole.rows);
    const second = await eventsOf(caller, '?about=sign-ins&limit=3&offset=3');
    expect([second.rows.length, second.total]).toEqual([3, 7]);
    expect((await eventsOf(caller, '?offset=100')).rows).toEqual([]);
    for (const query of [
      'about=everything',
      'about=',
      'kind=denied',
      'userId=1',
      'limit=0',
      'limit=1001',
      'offset=-1',
    ]) {
      expect([query, (await caller.get(`/api/auth/events?${query}`)).status]).toEqual([query, 400]);
    }
  });
});
