// Looks over HTTP: who may look at whom, what is seen, that nothing is changed by any endpoint, what is noted, and how a look ends.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api, type Endpoint, type EndpointName } from '#contract/api.ts';
import type { ErrorBody } from '#contract/errors.ts';
import type { ViewTicket } from '#contract/file-opening.ts';
import type { FileRow } from '#contract/files.ts';
import type { NewFiles } from '#contract/new-files.ts';
import { CAPABILITIES, type Capability } from '#contract/policy/actor.ts';
import type { LoginResponse, SessionUser } from '#contract/session.ts';
import { MINUTE_MS } from '../../platform/clock.ts';
import { neededToLook } from '../../testing/actors.ts';
import { breadth } from '../../testing/breadth.ts';
import { dump } from '../../testing/dump.ts';
import { addRole, addUser, type Firm, PASSWORD } from '../../testing/firm.ts';
import { goodBodies, idFor, type NameWithBody } from '../../testing/good-requests.ts';
import { Listener, until } from '../../testing/listener.ts';
import { ADMIN_PASSWORD, Caller, startTestApp, type TestApp } from '../../testing/test-app.ts';
import { DATABASE_KINDS } from '../../testing/test-database.ts';
import { startTestFirm } from '../../testing/test-firm.ts';

/** What a look may call although it is no GET, and which GETs it may not: by hand, so that a new endpoint is a question. */
const READS_ALTHOUGH_NO_GET: readonly EndpointName[] = ['session.logout', 'files.archive', 'files.view-ticket'];
const REFUSED_ALTHOUGH_GET: readonly EndpointName[] = [
  'session.devices',
  'session.jobs',
  'session.events',
  'factors.list',
  'clients.removal',
  'archives.list',
  'archives.open',
  'batches.list',
  'batches.get',
  'batches.documents',
  'batches.open-file',
  'batches.accesses',
  'batches.certificate',
];
const names = (Object.keys(api) as EndpointName[]).filter((name) => (api[name] as Endpoint).action !== 'session.open');
const refusedInLook = names.filter((name) =>
  api[name].method === 'GET' ? REFUSED_ALTHOUGH_GET.includes(name) : !READS_ALTHOUGH_NO_GET.includes(name),
);

let made = 0;
const fresh = (what: string) => `${what} ${++made}`;

describe.each(DATABASE_KINDS)('looks on %s', (kind) => {
  let app: TestApp;
  let firm: Firm;
  beforeAll(async () => {
    ({ app, firm } = await startTestFirm(kind, {}, { limits: { beatEveryMs: 50, tellEveryMs: 50 } }));
  });
  afterAll(() => app.close());

  async function lookAt(userId: number, by = app.admin): Promise<Caller> {
    const { status, body } = await by.post<LoginResponse>(`/api/users/${userId}/look`);
    if (status !== 201) throw new Error(`No look: ${JSON.stringify(body)}`);
    return new Caller(app.origin, body.token);
  }
  const statusOf = async (by: Caller, path = '/api/auth/me') => (await by.get(path)).status;
  const newLooker = async () => {
    const { id, caller } = await addUser(app, fresh('looker'), firm.roles.admin);
    return { id, looker: caller };
  };
  /** A Client user of the first client, whom nobody else uses. */
  const newClient = () =>
    addUser(app, fresh('client'), firm.roles.client, {
      clientIds: [firm.clients[0]],
      reportTypeIds: [firm.reportTypes[0]],
    });
  const looks = () =>
    app.database.reader.selectFrom('sessions').select('id').where('looks_at_id', 'is not', null).execute();

  it('G56: show what the person sees, by the rights of the person, and whose look it is', async () => {
    for (const viewer of ['clientA', 'cpa', 'bookkeeper', 'listless'] as const) {
      const own = firm.viewers[viewer];
      const look = await lookAt(firm.users[viewer]);
      for (const path of [
        '/api/files',
        '/api/clients',
        '/api/users',
        '/api/roles',
        '/api/report-types',
        '/api/overview',
        '/api/files/news',
        '/api/activity-logs',
        '/api/trash',
        '/api/permissions',
      ]) {
        const [seen, is] = [await look.get(path), await own.get(path)];
        expect([path, seen.status, seen.body]).toEqual([path, is.status, is.body]);
      }
      const { body: person } = await own.get<SessionUser>('/api/auth/me');
      const { body: seen } = await look.get<SessionUser>('/api/auth/me');
      expect(seen).toEqual({ ...person, look: { as: person.fullName }, session: seen.session });
      // Out of reach for the person, though not for whoever looks.
      expect((await look.get(`/api/files/${firm.files.f2.id}/view`)).status).toBe(404);
    }
    // Rights as they are now.
    const look = await lookAt(firm.users.listless);
    const lists = { clientIds: [firm.clients[0]], reportTypeIds: [firm.reportTypes[0]], password: '' };
    const person = { username: 'listless', fullName: 'Full listless', roleId: firm.roles.bookkeeper };
    expect((await look.get<FileRow[]>('/api/files')).body).toEqual([]);
    expect((await app.admin.put(`/api/users/${firm.users.listless}`, { ...person, ...lists })).status).toBe(200);
    expect((await look.get<FileRow[]>('/api/files')).body.map(({ id }) => id)).toContain(firm.files.f1.id);
  });

  it.each(breadth(['cpa'] as const, ['clientA', 'cpa', 'bookkeeper'] as const))(
    'G56: change nothing by any endpoint, as %s',
    async (viewer) => {
      const look = await lookAt(firm.users[viewer]);
      const call = (name: EndpointName, method: string = api[name].method) => {
        const path = api[name].path.replace(
          '{id}',
          String(api[name].path.includes('{id}') ? idFor(api[name].path, firm) : 0),
        );
        const body = name in goodBodies && method !== 'HEAD' ? goodBodies[name as NameWithBody](firm) : undefined;
        return look.fetch(path, {
          method,
          ...(body === undefined
            ? {}
            : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
        });
      };
      const before = await dump(app.database);
      const wrong: unknown[] = [];
      for (const name of refusedInLook) {
        const answer = await call(name);
        const { code, message } = (await answer.json()) as ErrorBody;
        const sentence = `You are looking as Full ${viewer}. Nothing can be changed here.`;
        if (answer.status !== 403 || code !== 'look_reads_only' || message !== sentence)
          wrong.push([name, code, message]);
        if (api[name].method === 'GET' && (await call(name, 'HEAD')).status !== 403) wrong.push([name, 'HEAD']);
        // No other method finds what this one does.
        for (const method of ['HEAD', 'OPTIONS', 'PATCH']) {
          if (api[name].method !== 'GET' && (await call(name, method)).ok) {
            const reads = names.some((other) => api[other].method === 'GET' && api[other].path === api[name].path);
            if (method !== 'HEAD' || !reads) wrong.push([name, method]);
          }
        }
      }
      expect(wrong).toEqual([]);
      // All that it may call, but for the end: what is in the log is the looker's.
      for (const name of names.filter((one) => !refusedInLook.includes(one))) {
        if (name === 'session.logout' || name === 'changes.follow') continue;
        const { status } = await call(name).then(async (response) => {
          await response.arrayBuffer();
          return response;
        });
        if (status === 401 || status >= 500) wrong.push([name, status]);
      }
      expect(wrong).toEqual([]);
      const after = await dump(app.database);
      const changed = Object.keys(after).filter((table) => String(after[table]) !== String(before[table]));
      const noted = ['activity', 'activity_counts', 'changes', 'security_events', 'view_tickets', 'indexed_words'];
      expect(changed.filter((table) => !noted.includes(table) && !table.startsWith('activity_words'))).toEqual([]);
      const userId = firm.users[viewer];
      const count = (rows: Record<string, string[]>, table: string) =>
        rows[table]?.filter((row) => JSON.parse(row).user_id === userId).length;
      for (const table of ['activity', 'security_events', 'file_opens', 'known_networks', 'sessions']) {
        expect([table, count(after, table)]).toEqual([table, count(before, table)]);
      }
    },
  );

  it('G56: open files for whoever looks, in whose name and as a look they are in the log, and leave them new', async () => {
    const { id: userId, caller: client } = await newClient();
    const { id: lookerId, looker } = await newLooker();
    const file = async () =>
      (
        await app.admin.upload<FileRow>({
          name: `${fresh('pay')}.txt`,
          bytes: 'pay',
          fields: { clientId: firm.clients[0], fileType: 'report', reportTypeId: firm.reportTypes[0] },
        })
      ).body;
    const [viewed, saved, zipped, byTicket, byToken, ownToo] = [
      await file(),
      await file(),
      await file(),
      await file(),
      await file(),
      await file(),
    ] as const;
    const facts = async () => {
      const { reader } = app.database;
      const ofUser = (table: 'file_opens' | 'known_networks' | 'sessions' | 'activity') =>
        reader.selectFrom(table).selectAll().where('user_id', '=', userId).execute();
      return {
        news: (await client.get<NewFiles>('/api/files/news')).body,
        devices: (await client.get<unknown[]>('/api/auth/sessions')).body.length,
        opens: await ofUser('file_opens'),
        networks: await ofUser('known_networks'),
        activity: await ofUser('activity'),
        sessions: (await ofUser('sessions')).length,
      };
    };
    const before = await facts();
    expect(before.news.reports[0]?.count).toBeGreaterThanOrEqual(6);
    const look = await lookAt(userId, looker);

    expect((await look.get(`/api/files/${viewed.id}/view`)).body).toBe('pay');
    // A later part of it belongs to the same access; of a file that was not opened in the look, it is one.
    const part = (by: Caller, { id }: FileRow) =>
      by.fetch(`/api/files/${id}/view`, { headers: { range: 'bytes=1-2' } }).then((response) => response.text());
    expect(await part(look, viewed)).toBe('ay');
    expect((await looker.get(`/api/files/${ownToo.id}/view`)).body).toBe('pay');
    expect(await part(look, ownToo)).toBe('ay');
    expect((await look.get(`/api/files/${saved.id}/download`)).body).toBe('pay');
    expect((await look.post('/api/files/archive', { ids: [zipped.id] })).status).toBe(200);
    const { body: ticket } = await look.post<ViewTicket>(`/api/files/${byTicket.id}/view-ticket`);
    expect((await app.anonymous.get(ticket.url)).body).toBe('pay');
    expect((await app.anonymous.get(`/api/files/${byToken.id}?view=true&token=${look.token}`)).body).toBe('pay');

    expect(await facts()).toEqual(before);
    const entries = await app.database.reader
      .selectFrom('activity')
      .select(['user_name as by', 'action', 'details'])
      .where('user_id', '=', lookerId)
      .orderBy('id')
      .execute();
    const { fullName } = (await client.get<SessionUser>('/api/auth/me')).body;
    const by = (await looker.get<SessionUser>('/api/auth/me')).body.fullName;
    const seen = (action: string, { originalName }: FileRow) => ({
      by,
      action,
      details: `${action === 'view' ? 'Viewed' : 'Downloaded'} file: ${originalName}, looking as ${fullName}`,
    });
    expect(entries).toEqual([
      { by, action: 'view', details: `Looked as ${fullName} (Client)` },
      seen('view', viewed),
      { by, action: 'view', details: `Viewed file: ${ownToo.originalName}` },
      seen('view', ownToo),
      seen('download', saved),
      seen('download', zipped),
      seen('view', byTicket),
      seen('view', byToken),
    ]);
    // The person finds the look among what was done with the account.
    const { body: events } = await client.get<{ kind: string; actorName: string; address: string | null }[]>(
      '/api/auth/events?about=changes',
    );
    expect(events[0]).toMatchObject({ kind: 'looked_at', actorName: by, address: null });
    // Opened by the person, it is new no longer.
    expect((await client.get(`/api/files/${viewed.id}/view`)).status).toBe(200);
    expect((await facts()).opens.length).toBe(1);
  });

  it('G56: note what was refused with whoever looks', async () => {
    const { id: userId } = await newClient();
    const { id: lookerId, looker } = await newLooker();
    const look = await lookAt(userId, looker);
    await look.delete(`/api/files/${firm.files.f1.id}`);
    await look.get(`/api/files/${firm.files.f2.id}/view`);
    const rows = await app.database.reader
      .selectFrom('security_events')
      .select(['user_id', 'actor_id', 'detail'])
      .where('kind', '=', 'denied')
      .where('user_id', 'in', [userId, lookerId])
      .orderBy('id')
      .execute();
    const as = (await look.get<SessionUser>('/api/auth/me')).body.fullName;
    expect(rows).toEqual([
      { user_id: lookerId, actor_id: lookerId, detail: `delete file ${firm.files.f1.id} (looking as ${as})` },
      { user_id: lookerId, actor_id: lookerId, detail: `view file ${firm.files.f2.id} (looking as ${as})` },
    ]);
  });

  it('G56: are begun by those alone who see everything and may do all that the person may, and never at an Admin', async () => {
    const everywhere = async (capabilities: readonly Capability[]) => {
      const role = await addRole(app, fresh('role'));
      const { status } = await app.admin.put('/api/permissions', { roleId: role, capabilities, reach: 'all' });
      expect(status).toBe(200);
      return { role, ...(await addUser(app, fresh('user'), role)) };
    };
    const try_ = async (by: Caller, userId: number) => (await by.post<ErrorBody>(`/api/users/${userId}/look`)).status;
    const full = await everywhere(neededToLook);
    const { clientA, cpa, admin2 } = firm.users;
    expect(await try_(full.caller, clientA)).toBe(201);
    // Does more than the looker.
    expect(await try_(full.caller, cpa)).toBe(403);
    expect(await try_(app.admin, cpa)).toBe(201);
    for (const missing of neededToLook) {
      const { caller } = await everywhere(neededToLook.filter((capability) => capability !== missing));
      expect([missing, await try_(caller, clientA)]).toEqual([missing, 403]);
    }
    // All that may be done, but not seen.
    const byLists = await addUser(app, fresh('user'), await addRole(app, fresh('role'), CAPABILITIES), {
      clientIds: firm.clients,
      reportTypeIds: firm.reportTypes,
    });
    expect(await try_(byLists.caller, clientA)).toBe(403);
    expect(await try_(app.admin, admin2)).toBe(403);
    const { body: me } = await app.admin.get<SessionUser>('/api/auth/me');
    expect(await try_(app.admin, me.id)).toBe(403);
    expect(await try_(full.caller, full.id)).toBe(403);
    expect(await try_(app.admin, 999_999)).toBe(404);
    expect(await try_(firm.viewers.cpa, clientA)).toBe(403);
    expect(await try_(app.anonymous, clientA)).toBe(401);
    // The page of a client says at whom.
    type Reach = { users: { id: number; mayLook: boolean }[] };
    const { body: reach } = await full.caller.get<Reach>(`/api/permissions/clients/${firm.clients[0]}`);
    const told = Object.fromEntries(reach.users.map(({ id, mayLook }) => [id, mayLook]));
    expect([told[clientA], told[cpa], told[admin2], told[full.id]]).toEqual([true, false, false, false]);
    // No look begins in a look, not even at somebody who may look.
    const nested = await lookAt(full.id);
    expect((await nested.get<SessionUser>('/api/auth/me')).body.capabilities).toContain('users.manage');
    const refused = await nested.post<ErrorBody>(`/api/users/${clientA}/look`);
    expect([refused.status, refused.body.code]).toEqual([403, 'look_reads_only']);
  });

  describe('G56: are over at once', () => {
    const others = async (looker: Caller) => {
      const { body } = await looker.get<{ id: number; current: boolean }[]>('/api/auth/sessions');
      return body.filter(({ current }) => !current);
    };
    const roleUpdate = async (id: number, roleId: number) => {
      const { body } = await app.admin.get<{ username: string; fullName: string }>(`/api/users/${id}`);
      const { username, fullName } = body;
      return app.admin.put(`/api/users/${id}`, {
        username,
        fullName,
        roleId,
        password: '',
        clientIds: [firm.clients[0]],
      });
    };
    const ends: Record<
      string,
      (people: { looker: Caller; lookerId: number; look: Caller; userId: number }) => unknown
    > = {
      'when they are ended': ({ look }) => look.post('/api/auth/logout'),
      'when whoever looks signs out': ({ looker }) => looker.post('/api/auth/logout'),
      'when the session they were opened from is ended from elsewhere': async ({ looker, lookerId }) => {
        const { username } = (await looker.get<SessionUser>('/api/auth/me')).body;
        expect(lookerId).toBeGreaterThan(0);
        const elsewhere = await app.login(username, PASSWORD);
        const [first] = await others(elsewhere);
        expect(await others(elsewhere)).toHaveLength(1);
        expect((await elsewhere.delete(`/api/auth/sessions/${first?.id}`)).status).toBe(204);
      },
      'when whoever looks signs out everywhere else': ({ looker }) => looker.delete('/api/auth/sessions'),
      'when whoever looks gets a new password': async ({ lookerId }) => {
        const { body } = await app.admin.get<{ username: string; fullName: string }>(`/api/users/${lookerId}`);
        const { username, fullName } = body;
        const roleId = firm.roles.admin;
        await app.admin.put(`/api/users/${lookerId}`, { username, fullName, roleId, password: 'a new password' });
      },
      'when whoever looks loses the right': ({ lookerId }) => roleUpdate(lookerId, firm.roles.cpa),
      'when whoever looks must choose a password': async ({ lookerId }) => {
        await app.database.transaction((tx) =>
          tx.updateTable('users').set({ must_change_password: 1 }).where('id', '=', lookerId).execute(),
        );
      },
      'when whoever looks is deleted': ({ lookerId }) => app.admin.delete(`/api/users/${lookerId}`),
      'when the person becomes an Admin': ({ userId }) => roleUpdate(userId, firm.roles.admin),
      'when the person is deleted': ({ userId }) => app.admin.delete(`/api/users/${userId}`),
    };

    it.each(Object.entries(ends))('%s', async (_when, end) => {
      const { id: lookerId, looker } = await newLooker();
      const { id: userId } = await newClient();
      const look = await lookAt(userId, looker);
      const { body: ticket } = await look.post<ViewTicket>(`/api/files/${firm.files.f1.id}/view-ticket`);
      expect(await statusOf(look)).toBe(200);
      await end({ looker, lookerId, look, userId });
      for (const path of ['/api/auth/me', '/api/files', `/api/files/${firm.files.f1.id}/view`]) {
        expect([path, await statusOf(look, path)]).toEqual([path, 401]);
      }
      // Nor does anything of it go on.
      expect((await app.anonymous.get(ticket.url)).status).toBe(401);
      expect((await look.delete(`/api/files/${firm.files.f1.id}`)).status).toBe(401);
      expect(await statusOf(app.admin)).toBe(200);
    });

    it('and leave the session they were opened from, its cookie and its devices as they were', async () => {
      const { looker } = await newLooker();
      const { id: userId, caller: client } = await newClient();
      const devices = async () => (await looker.get<unknown[]>('/api/auth/sessions')).body.length;
      const before = await devices();
      const opened = await looker.post<LoginResponse>(`/api/users/${userId}/look`);
      expect(opened.headers.get('set-cookie')).toBe(null);
      const look = new Caller(app.origin, opened.body.token);
      expect(await devices()).toBe(before);
      const ended = await look.post('/api/auth/logout');
      expect([ended.status, ended.headers.get('set-cookie')]).toEqual([204, null]);
      expect(await statusOf(looker)).toBe(200);
      const { body: events } = await looker.get<{ kind: string }[]>('/api/auth/events');
      expect(events.map(({ kind: what }) => what)).toEqual(['signed_in', 'access_changed']);
      const { body: ofPerson } = await client.get<{ kind: string }[]>('/api/auth/events');
      expect(ofPerson.map(({ kind: what }) => what)).toEqual(['looked_at', 'signed_in', 'access_changed']);
    });

    it('also where they are ended twice at once, and while something is asked', async () => {
      const { looker } = await newLooker();
      const look = await lookAt((await newClient()).id, looker);
      const answers = await Promise.all([
        look.post('/api/auth/logout'),
        look.get('/api/files'),
        look.post('/api/auth/logout'),
        look.get('/api/files'),
      ]);
      for (const { status } of answers) expect([200, 204, 401]).toContain(status);
      expect(await statusOf(look)).toBe(401);
      // One that begins while its session ends is over with it, or never was.
      const { id } = await newClient();
      const [begun] = await Promise.all([
        looker.post<LoginResponse>(`/api/users/${id}/look`),
        looker.post('/api/auth/logout'),
      ]);
      expect([201, 401, 403]).toContain(begun.status);
      if (begun.status === 201) expect(await statusOf(new Caller(app.origin, begun.body.token))).toBe(401);
    });
  });

  it('G56: go on where the person’s password is set anew, and show what is behind it', async () => {
    const { id: userId, caller: client } = await newClient();
    const look = await lookAt(userId);
    const { username, fullName, roleId, clientIds } = (await client.get<SessionUser>('/api/auth/me')).body;
    const person = { username, fullName, roleId, clientIds, reportTypeIds: null };
    await app.admin.put(`/api/users/${userId}`, { ...person, password: 'a new password', mustChangePassword: true });
    expect(await statusOf(client)).toBe(401);
    const { status, body } = await look.get<SessionUser>('/api/auth/me');
    expect([status, body.mustChangePassword]).toEqual([200, false]);
    expect(await statusOf(look, '/api/files')).toBe(200);
  });

  it('G56: hear of what the person hears of, count as the looker’s, and end their stream with them', async () => {
    const { id: userId } = await newClient();
    const look = await lookAt(userId);
    const listener = await Listener.open(look);
    const send = (clientId: number, reportTypeId: number) =>
      app.admin.upload<FileRow>({ fields: { clientId, fileType: 'report', reportTypeId } });
    const [c1, c2] = firm.clients;
    const [t1, t2] = firm.reportTypes;
    await send(c2, t1);
    await send(c1, t2);
    const { body } = await send(c1, t1);
    await until(() => listener.newFileIds.length > 0);
    expect(listener.newFileIds).toEqual([body.id]);
    await look.post('/api/auth/logout');
    await until(() => listener.over);
    // However many look, the person still finds places for their own streams.
    const lookers = [await newLooker(), await newLooker()];
    const person = await newClient();
    const sessions = await Promise.all(
      lookers.flatMap(({ looker }) => [1, 2, 3, 4].map(() => lookAt(person.id, looker))),
    );
    const open = await Promise.all(sessions.flatMap((one) => [1, 2, 3].map(() => Listener.open(one))));
    expect(open.map(({ response }) => response.status)).toEqual(open.map(() => 200));
    const own = await Listener.open(person.caller);
    expect(own.response.status).toBe(200);
    for (const one of open) one.stop();
    own.stop();
    // And whoever looks has as many as anybody, however many looks.
    const { looker } = await newLooker();
    const { username } = (await looker.get<SessionUser>('/api/auth/me')).body;
    const again = await app.login(username, PASSWORD);
    const looking = await Promise.all([1, 2, 3, 4].map(() => lookAt(person.id, looker)));
    const theirs = await Promise.all(
      [looker, looker, looker, looker, again, ...looking, ...looking, ...looking, ...looking.slice(1)].map((one) =>
        Listener.open(one),
      ),
    );
    expect(theirs.map(({ response }) => response.status)).toEqual(theirs.map(() => 200));
    const last = await Listener.open(looking[0] as Caller);
    expect(last.response.status).toBe(429);
    for (const one of [...theirs, last]) one.stop();
  });

  it('G56: end after half an hour however much they are used, and a session has four', async () => {
    const { looker } = await newLooker();
    const { id } = await newClient();
    const first = await lookAt(id, looker);
    const rest = await Promise.all([1, 2, 3, 4].map(() => lookAt(id, looker)));
    expect(await statusOf(first)).toBe(401);
    for (const one of rest) expect(await statusOf(one)).toBe(200);
    const crowd = await Promise.all(Array.from({ length: 8 }, () => lookAt(id, looker)));
    const open = await Promise.all(crowd.map((one) => statusOf(one)));
    expect([open.filter((status) => status === 200).length, await statusOf(rest[0] as Caller)]).toEqual([4, 401]);
    const look = crowd[open.indexOf(200)] as Caller;
    for (let minutes = 0; minutes < 29; minutes += 1) {
      app.advance(MINUTE_MS);
      expect(await statusOf(look)).toBe(200);
    }
    app.advance(MINUTE_MS);
    expect([await statusOf(look), await statusOf(looker)]).toEqual([401, 200]);
    await app.context.sessions.forgetExpired();
    expect(await looks()).toEqual([]);
  });
});

describe.each(DATABASE_KINDS)('looks with SAFEGUARDS=on on %s', (kind) => {
  let app: TestApp;
  let admin: Caller;
  let userId: number;
  beforeAll(async () => {
    app = await startTestApp(kind, { SAFEGUARDS: 'on' });
    admin = app.admin;
    const { body: roles } = await admin.get<{ id: number; systemKey: string }[]>('/api/roles');
    const roleId = roles.find(({ systemKey }) => systemKey === 'client')?.id;
    const { body } = await admin.post<{ id: number }>('/api/users', {
      username: 'pat',
      password: PASSWORD,
      fullName: 'Pat Example',
      roleId,
    });
    userId = body.id;
  });
  afterAll(() => app.close());

  it('G56: ask for the second factor again, and end with the idle session they were opened from', async () => {
    const { status, body } = await admin.post<LoginResponse>(`/api/users/${userId}/look`);
    expect(status).toBe(201);
    const look = new Caller(app.origin, body.token);
    expect((await look.get('/api/auth/me')).status).toBe(200);
    for (const path of ['/api/auth/factors', '/api/auth/sessions', '/api/auth/events']) {
      expect([path, (await look.get(path)).status]).toEqual([path, 403]);
    }
    app.advance(6 * MINUTE_MS);
    const refused = await admin.post<ErrorBody>(`/api/users/${userId}/look`);
    expect([refused.status, refused.body.code]).toEqual([403, 'reauth_required']);
    // What asks for more than a session asks that of whoever looks.
    const exported = await look.get<ErrorBody>('/api/activity-logs/export');
    expect([exported.status, exported.body.code]).toEqual([403, 'reauth_required']);
    const reauth = await look.post<ErrorBody>('/api/auth/reauth', { factor: { method: 'totp', code: '123456' } });
    expect([reauth.status, reauth.body.code]).toEqual([403, 'look_reads_only']);
    const again = await app.login('admin', ADMIN_PASSWORD);
    const { body: second } = await again.post<LoginResponse>(`/api/users/${userId}/look`);
    const looking = new Caller(app.origin, second.token);
    app.advance(15 * MINUTE_MS);
    expect((await looking.get('/api/auth/me')).status).toBe(200);
    app.advance(14 * MINUTE_MS);
    expect((await looking.get('/api/auth/me')).status).toBe(200);
    app.advance(2 * MINUTE_MS);
    expect((await looking.get('/api/auth/me')).status).toBe(401);
    expect((await again.get('/api/auth/me')).status).toBe(401);
  });
});
