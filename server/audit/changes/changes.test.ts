// Changes over HTTP: who hears of what, who does not, how one goes on after a pause, and how a stream ends.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { FileRow } from '#contract/files.ts';
import { eventually } from '../../testing/eventually.ts';
import { addRole, addUser, clientInput, type Firm, PASSWORD } from '../../testing/firm.ts';
import { Listener, readMessages, until } from '../../testing/listener.ts';
import { itOnAny } from '../../testing/narrowed.ts';
import { type Caller, startTestApp, type TestApp } from '../../testing/test-app.ts';
import { insertTestBatch } from '../../testing/test-batch.ts';
import { DATABASE_KINDS } from '../../testing/test-database.ts';
import { startTestFirm } from '../../testing/test-firm.ts';

describe.each(DATABASE_KINDS)('changes on %s', (kind) => {
  let app: TestApp;
  let firm: Firm;
  const listeners: Listener[] = [];
  beforeAll(async () => {
    ({ app, firm } = await startTestFirm(kind, {}, { limits: { beatEveryMs: 100, tellEveryMs: 50 } }));
  });
  afterAll(() => app.close());
  afterEach(() => {
    for (const listener of listeners.splice(0)) listener.stop();
  });

  const listen = async (caller: Caller, lastEventId?: string) => {
    const listener = await Listener.open(caller, lastEventId);
    listeners.push(listener);
    return listener;
  };
  const upload = async (by: Caller, clientId: number, reportTypeId: number | null, name = 'new.txt') => {
    const place = reportTypeId === null ? { fileType: 'company_document' } : { fileType: 'report', reportTypeId };
    const { status, body } = await by.upload<FileRow>({ name, fields: { clientId, ...place } });
    expect(status).toBe(201);
    return body;
  };
  /** A change that everybody here hears of: what was committed before it and has not been heard by then was not told. */
  const heardByAll = async (...some: readonly Listener[]) => {
    const { id } = await upload(app.admin, firm.clients[0], firm.reportTypes[0], 'for everybody.txt');
    await until(() => some.every(({ newFileIds }) => newFileIds.includes(id)));
    return id;
  };

  it('G25: of batches are heard by whom they belong to and by those with reach over everything, once for all documents', async () => {
    const own = await addUser(app, `batches of ${kind}`, firm.roles.cpa, { clientIds: [], reportTypeIds: [] });
    const { clientA, cpa, admin2 } = firm.viewers;
    const near = await Promise.all([own.caller, admin2].map((viewer) => listen(viewer)));
    const far = await Promise.all([clientA, cpa].map((viewer) => listen(viewer)));
    const told = (listener: Listener) => listener.changes.filter(({ changed }) => changed.includes('batches')).length;
    const batch = await insertTestBatch(app, {
      ownerId: own.id,
      state: 'review',
      documents: Array.from({ length: 50 }, (_, nth) => ({ from: nth + 1, to: nth + 1, state: 'toCheck' as const })),
    });
    await until(() => near.every((listener) => told(listener) > 0));
    const rows = () =>
      app.database.reader.selectFrom('changes').select('position').where('topic', '=', 'batches').execute();
    const before = (await rows()).length;
    await app.database.transaction((tx) =>
      tx.updateTable('batch_documents').set({ state: 'dropped' }).where('batch_id', '=', batch.id).execute(),
    );
    expect((await rows()).length - before).toBe(1);
    const heard = near.map(told);
    await until(() => near.every((listener, nth) => told(listener) > (heard[nth] ?? 0)));
    await heardByAll(...far);
    expect(far.map(told)).toEqual([0, 0]);
  });

  it('G25: of requests are heard by the client’s people and those who ask it, by no colleague without the right and no other client', async () => {
    const { clientA, cpa, admin2, clientB, bookkeeper } = firm.viewers;
    const near = await Promise.all([clientA, cpa, admin2].map((viewer) => listen(viewer)));
    const far = await Promise.all([clientB, bookkeeper].map((viewer) => listen(viewer)));
    const told = (listener: Listener) => listener.changes.filter(({ changed }) => changed.includes('requests')).length;
    const [clientId] = firm.clients;
    const items = [{ name: 'Bank statements', note: '' }];
    const asked = { clientIds: [clientId], title: 'Year-end package', message: '', dueOn: null, items };
    const { body } = await app.admin.post<{ ids: number[] }>('/api/requests', asked);
    await until(() => near.every((listener) => told(listener) > 0));
    const heard = near.map(told);
    await app.admin.post(`/api/requests/${body.ids[0]}/close`);
    await until(() => near.every((listener, nth) => told(listener) > (heard[nth] ?? 0)));
    await upload(app.admin, firm.clients[1], firm.reportTypes[0]);
    await heardByAll(...far.slice(1));
    await until(() => far[0]?.newFileIds.length === 1);
    expect(far.map(told)).toEqual([0, 0]);
  });

  it('G25: of files are heard by those who reach the file, and by nobody else', async () => {
    const { clientA, cpa, bookkeeper, admin2, clientB, listless } = firm.viewers;
    const near = await Promise.all([clientA, cpa, bookkeeper, admin2].map((viewer) => listen(viewer)));
    const far = await Promise.all([clientB, listless].map((viewer) => listen(viewer)));
    const { id, clientId } = await upload(app.admin, firm.clients[0], firm.reportTypes[0]);
    await until(() => near.every(({ newFileIds }) => newFileIds.includes(id)));
    for (const listener of near) {
      expect(listener.changes.flatMap(({ files }) => files)).toEqual([
        { id, kind: 'added', clientId, fileType: 'report', reportTypeId: firm.reportTypes[0] },
      ]);
    }
    // A type that a Client lacks: the CPA alone.
    const ofType = await upload(app.admin, firm.clients[0], firm.reportTypes[1]);
    const { id: forB } = await upload(app.admin, firm.clients[1], firm.reportTypes[0]);
    const last = await heardByAll(...near);
    expect(near.map(({ newFileIds }) => newFileIds)).toEqual([
      [id, last],
      [id, ofType.id, last],
      [id, last],
      [id, ofType.id, forB, last],
    ]);
    await until(() => far[0]?.newFileIds.length === 1);
    expect(far.map(({ newFileIds }) => newFileIds)).toEqual([[forB], []]);
    // Not even that something happened.
    expect(far[1]?.messages.map(({ event }) => event)).toEqual(['ready']);
  });

  it('G25: of holds are heard by those who reach the file, or the client and its files, and by nobody else', async () => {
    const { id, clientId } = await upload(app.admin, firm.clients[0], firm.reportTypes[0], 'to be held.txt');
    const { admin2, clientA, clientB, cpa } = firm.viewers;
    const near = await Promise.all([clientA, cpa].map((viewer) => listen(viewer)));
    const [own, far] = await Promise.all([listen(admin2), listen(clientB)]);
    const hold = async (of: 'file' | 'client', itemId: number) =>
      (await admin2.post<{ id: number }>('/api/holds', { kind: of, id: itemId, reason: 'An audit' })).body.id;
    const lift = (holdId: number) => admin2.post(`/api/holds/${holdId}/lift`);
    const ofFile = ({ changes }: Listener) =>
      changes.filter(({ files }) => files.some((file) => file.id === id && file.kind === 'changed')).length;
    const ofClient = ({ changes }: Listener) =>
      changes.filter(({ changed, moreFiles }) => changed.includes('clients') && moreFiles > 0).length;
    const heardBy = (told: (listener: Listener) => number, times: number) =>
      until(() => near.every((listener) => told(listener) === times));
    const onFile = await hold('file', id);
    await heardBy(ofFile, 1);
    await lift(onFile);
    await heardBy(ofFile, 2);
    const onClient = await hold('client', clientId);
    await heardBy(ofClient, 1);
    await lift(onClient);
    await heardBy(ofClient, 2);
    await heardByAll(own);
    await upload(app.admin, firm.clients[1], firm.reportTypes[0]);
    await until(() => far.newFileIds.length === 1);
    expect([own, far].flatMap((listener) => [ofFile(listener), ofClient(listener)])).toEqual([0, 0, 0, 0]);
  });

  it('G25: of files that go away are heard by those who reached them, also where they went elsewhere', async () => {
    const ofA = await upload(app.admin, firm.clients[0], firm.reportTypes[0]);
    const moved = await upload(app.admin, firm.clients[0], firm.reportTypes[0]);
    const unheard = await upload(app.admin, firm.clients[0], firm.reportTypes[1]);
    const [clientA, clientB] = await Promise.all([firm.viewers.clientA, firm.viewers.clientB].map((by) => listen(by)));
    const count = (listener?: Listener) => listener?.changes.filter(({ changed }) => changed.includes('files')).length;
    expect((await app.admin.delete(`/api/files/${unheard.id}`)).status).toBe(204);
    expect((await app.admin.delete(`/api/files/${ofA.id}`)).status).toBe(204);
    await until(() => count(clientA) === 1);
    expect(count(clientB)).toBe(0);
    const elsewhere = { clientId: firm.clients[1] };
    expect((await app.admin.put(`/api/files/${moved.id}`, elsewhere)).status).toBe(200);
    await until(() => count(clientA) === 2 && count(clientB) === 1);
    // It is no new file: it is there where the list is read again.
    expect(clientB?.newFileIds).toEqual([]);
    // Nor did the message name what it may not: the log of a Client is one's own.
    expect(clientA?.changes.map(({ newEntries }) => newEntries)).toEqual([0, 0]);
  });

  it('G25: of a period by hand are heard by those who reach the file, also of the first one, and of each once', async () => {
    const { id, clientId } = await upload(app.admin, firm.clients[0], firm.reportTypes[0], 'of no period.txt');
    const { clientA, cpa, admin2, clientB } = firm.viewers;
    const near = await Promise.all([clientA, cpa, admin2].map((viewer) => listen(viewer)));
    const far = await listen(clientB);
    const toldBy = (listener: Listener) =>
      listener.changes.flatMap(({ files }) => files.filter((file) => file.id === id && file.kind === 'changed'));
    const place = { clientId, fileType: 'report', reportTypeId: firm.reportTypes[0] };
    for (const [nth, period] of ['2026-Q1', '2026-Q2'].entries()) {
      expect((await app.admin.put('/api/files/period', { ids: [id], period })).status).toBe(200);
      await until(() => near.every((listener) => toldBy(listener).length > nth));
      await heardByAll(...near);
      for (const listener of near) {
        expect(toldBy(listener)).toEqual(Array(nth + 1).fill({ id, kind: 'changed', ...place }));
      }
    }
    expect(toldBy(far)).toEqual([]);
  });

  it('of one’s own acts are marked as one’s own, and those of others are not', async () => {
    const [cpa, admin] = await Promise.all([firm.viewers.cpa, app.admin].map((by) => listen(by)));
    await upload(firm.viewers.cpa, firm.clients[0], null);
    await until(() => cpa?.changes.length === 1 && admin?.changes.length === 1);
    const nothing = { files: [], moreFiles: 0, newEntries: 0, changed: [], clients: [], roles: [] };
    expect(cpa?.changes).toEqual([{ ...nothing, ownChanged: ['files', 'activity'] }]);
    expect(admin?.changes).toMatchObject([{ newEntries: 1, changed: ['files', 'activity'], ownChanged: [] }]);
    const { body: type } = await app.admin.post<{ id: number }>('/api/report-types', { name: 'Form W-2' });
    await until(() => admin?.changes.length === 2);
    expect(admin?.changes[1]).toMatchObject({ changed: [], ownChanged: ['reportTypes', 'activity'] });
    await app.admin.put(`/api/report-types/${type.id}`, { name: 'Form W-2c' });
    await until(() => admin?.changes.length === 3);
    expect(admin?.changes[2]).toMatchObject({ changed: [], ownChanged: ['reportTypes', 'activity'] });
  });

  it('of what others do with a file that one has sent are those of others', async () => {
    const { cpa } = firm.viewers;
    const sent = await upload(cpa, firm.clients[0], null, 'sent by oneself.txt');
    const listener = await listen(cpa);
    // One’s own sending is told by then.
    await heardByAll(listener);
    const heard = () => listener.changes.flatMap(({ files }) => files.filter(({ id }) => id === sent.id));
    const asFiled = { id: sent.id, clientId: sent.clientId, fileType: 'company_document', reportTypeId: null };
    expect((await app.admin.put(`/api/files/${sent.id}`, { originalName: 'Renamed.txt' })).status).toBe(200);
    await until(() => heard().length === 1);
    expect((await app.admin.delete(`/api/files/${sent.id}`)).status).toBe(204);
    await until(() => heard().length === 2);
    expect(heard()).toEqual(['changed', 'removed'].map((kind) => ({ ...asFiled, kind })));
    expect(listener.changes.at(-1)?.changed).toContain('files');
  });

  it('G25: of clients, people and roles are heard by those who find them in their lists', async () => {
    const [admin2, clientA, cpa] = await Promise.all(
      [firm.viewers.admin2, firm.viewers.clientA, firm.viewers.cpa].map((by) => listen(by)),
    );
    expect((await app.admin.put(`/api/clients/${firm.clients[2]}`, clientInput('Renamed LLC'))).status).toBe(200);
    await addRole(app, 'Heard of');
    await addUser(app, 'heard', firm.roles.client);
    await app.admin.post('/api/report-types', { name: 'Heard of' });
    await heardByAll(...[admin2, clientA, cpa].filter((one) => one !== undefined));
    const heard = (listener?: Listener) => [...new Set(listener?.changes.flatMap(({ changed }) => changed))].sort();
    expect(heard(admin2)).toEqual(['activity', 'clients', 'files', 'reportTypes', 'roles', 'users']);
    expect(heard(cpa)).toEqual(['activity', 'clients', 'files']);
    expect(heard(clientA)).toEqual(['files']);
  });

  it('of clients and roles say whether the client is there now, and how the role is called, and nothing of one’s own acts', async () => {
    const [admin2, admin, cpa] = await Promise.all(
      [firm.viewers.admin2, app.admin, firm.viewers.cpa].map((by) => listen(by)),
    );
    const clients = (listener?: Listener) => listener?.changes.flatMap((change) => change.clients) ?? [];
    const roles = (listener?: Listener) => listener?.changes.flatMap((change) => change.roles) ?? [];
    const { body: client } = await app.admin.post<{ id: number }>('/api/clients', clientInput('Soon Deleted LLC'));
    await until(() => clients(admin2).length === 1);
    expect((await app.admin.put(`/api/clients/${client.id}`, clientInput('Deleted Next LLC'))).status).toBe(200);
    await until(() => clients(admin2).length === 2);
    expect((await app.admin.delete(`/api/clients/${client.id}`)).status).toBe(204);
    await until(() => clients(admin2).length === 3);
    expect((await app.admin.post(`/api/clients/${client.id}/restore`, {})).status).toBe(200);
    await until(() => clients(admin2).length === 4);
    expect(clients(admin2)).toEqual([true, true, false, true].map((isThere) => ({ id: client.id, isThere })));

    const id = await addRole(app, 'Told by name');
    await until(() => roles(admin2).length === 1);
    const rights = { roleId: id, capabilities: ['activity.read'] };
    expect((await app.admin.put('/api/permissions', rights)).status).toBe(200);
    await until(() => roles(admin2).length === 2);
    expect((await app.admin.put(`/api/roles/${id}`, { name: 'Called anew' })).status).toBe(200);
    await until(() => roles(admin2).length === 3);
    expect((await app.admin.delete(`/api/roles/${id}`)).status).toBe(204);
    await until(() => roles(admin2).length === 4);
    expect(roles(admin2)).toEqual(['Told by name', 'Told by name', 'Called anew', null].map((name) => ({ id, name })));
    await heardByAll(...[cpa].filter((one) => one !== undefined));
    expect([clients(admin), roles(admin), clients(cpa), roles(cpa)]).toEqual([[], [], [], []]);
  });

  it('of a list of people are heard with the report type that is deleted out of it', async () => {
    const { body: type } = await app.admin.post<{ id: number }>('/api/report-types', { name: 'Soon gone' });
    const lists = { clientIds: [firm.clients[0]], reportTypeIds: [firm.reportTypes[0], type.id] };
    await addUser(app, 'of the type', firm.roles.client, lists);
    const admin2 = await listen(firm.viewers.admin2);
    expect((await app.admin.delete(`/api/report-types/${type.id}`)).status).toBe(204);
    await until(() => admin2.changes.some(({ changed }) => changed.includes('users')));
  });

  it('G25: stop with the right to them: a list that is changed says so, and acts at once', async () => {
    const lists = { clientIds: [firm.clients[0]], reportTypeIds: [firm.reportTypes[0]] };
    const { id, caller } = await addUser(app, 'mover', firm.roles.client, lists);
    const mover = await listen(caller);
    const first = await heardByAll(mover);
    const edit = { username: 'mover', fullName: 'Mover', roleId: firm.roles.client, password: '' };
    const elsewhere = { clientIds: [firm.clients[1]], reportTypeIds: [firm.reportTypes[0]] };
    expect((await app.admin.put(`/api/users/${id}`, { ...edit, ...elsewhere })).status).toBe(200);
    await upload(app.admin, firm.clients[0], firm.reportTypes[0]);
    await until(() => mover.messages.at(-1)?.event === 'reset');
    await upload(app.admin, firm.clients[0], firm.reportTypes[0]);
    const { id: reached } = await upload(app.admin, firm.clients[1], firm.reportTypes[0]);
    await until(() => mover.newFileIds.includes(reached));
    expect(mover.newFileIds).toEqual([first, reached]);
  });

  it('wait for nobody who writes in another database of the same server', async () => {
    const other = await startTestApp(kind);
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    const { promise: writing, resolve: writes } = Promise.withResolvers<void>();
    const lasting = other.database.transaction(async (tx) => {
      await tx.updateTable('users').set({ full_name: 'Not yet' }).execute();
      writes();
      await held;
    });
    try {
      await writing;
      const client = await listen(firm.viewers.clientA);
      expect(client.newFileIds).toEqual([]);
      await heardByAll(client);
    } finally {
      release();
      await lasting;
      await other.close();
    }
  });

  it('G27: stop with the session, without an act of anybody', async () => {
    const leaving = await app.login('cpa', PASSWORD);
    const listener = await listen(leaving);
    const still = await listen(firm.viewers.cpa);
    expect((await leaving.post('/api/auth/logout')).status).toBe(204);
    await until(() => listener.over);
    expect(still.over).toBe(false);
    expect((await Listener.open(leaving)).response.status).toBe(401);
  });

  it('go on from the last message that arrived, each once', async () => {
    const first = await listen(firm.viewers.clientA);
    const seen = await heardByAll(first);
    const { id: lastEventId } = first.messages.at(-1) ?? {};
    first.stop();
    const missed = [];
    for (const type of firm.reportTypes.slice(0, 2)) {
      missed.push((await upload(app.admin, firm.clients[0], type)).id);
    }
    const again = await listen(firm.viewers.clientA, lastEventId);
    const last = await heardByAll(again);
    expect(again.newFileIds).toEqual([missed[0], last]);
    expect([...again.newFileIds, ...first.newFileIds]).toContain(seen);
    expect(again.messages.map(({ event }) => event)).not.toContain('reset');
    // The same to a program that asks now and then.
    const asked = async (headers: Record<string, string>) => {
      const response = await firm.viewers.clientA.fetch('/api/events', { headers });
      expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
      return readMessages(await response.text());
    };
    const since = await asked({ 'last-event-id': lastEventId ?? '' });
    expect(since.flatMap(({ change }) => change?.files.map(({ id }) => id))).toEqual([missed[0], last]);
    expect(await asked({ 'last-event-id': since[0]?.id ?? '' })).toMatchObject([{ event: 'ready' }]);
    expect(await asked({})).toMatchObject([{ event: 'ready' }]);
  });

  it('that are too old, or that nobody told, begin anew', async () => {
    const [known] = (await listen(firm.viewers.clientA)).messages;
    const [place = '', at = ''] = known?.id.split('-') ?? [];
    const anHour = 60 * 60_000;
    for (const odd of [
      `${place}-${Number(at) - anHour}`,
      `${Number(place) + 1_000_000}-${at}`,
      `-1-${at}`,
      'x',
      `${place}-`,
      `${'1'.repeat(80)}-${at}`,
    ]) {
      const listener = await listen(firm.viewers.clientA, odd);
      expect([odd, listener.messages[0]?.event]).toEqual([odd, 'reset']);
      listener.stop();
      await until(() => listener.over);
    }
  });

  it('G26: are told to four streams of a session, and a fifth is refused', async () => {
    const caller = await app.login('cpa', PASSWORD);
    const four = await Promise.all([1, 2, 3, 4].map(() => listen(caller)));
    const fifth = await Listener.open(caller);
    expect(fifth.response.status).toBe(429);
    expect(fifth.response.headers.get('retry-after')).toBe('1');
    four[0]?.stop();
    await eventually(async () => expect((await listen(caller)).response.status).toBe(200));
  });

  it('G42: hold no turn: whoever listens at four places, and eight people at once, go on asking', async () => {
    const { admin2, cpa, clientA, clientB } = firm.viewers;
    const people = [cpa, admin2, clientA, clientB];
    const open = await Promise.all(people.flatMap((person) => [1, 2, 3].map(() => listen(person))));
    expect(open.map(({ response }) => response.status)).toEqual(open.map(() => 200));
    for (const person of people) expect((await person.get('/api/files')).status).toBe(200);
    expect(open.some(({ over }) => over)).toBe(false);
  });

  it('G42: are told to twenty streams of a person, whatever the session, and to others all the same', async () => {
    const username = `listens much on ${kind}`;
    await addUser(app, username, firm.roles.cpa, { clientIds: [], reportTypeIds: [] });
    const statuses: number[] = [];
    for (let session = 0; session < 6; session += 1) {
      const caller = await app.login(username, PASSWORD);
      for (let nth = 0; nth < 4; nth += 1) statuses.push((await listen(caller)).response.status);
    }
    expect(statuses).toEqual([...Array(20).fill(200), ...Array(4).fill(429)]);
    expect((await listen(firm.viewers.clientB)).response.status).toBe(200);
  });

  it('leave as they come: neither compressed nor gathered', async () => {
    const response = await firm.viewers.cpa.fetch('/api/events', {
      headers: { accept: 'text/event-stream', 'accept-encoding': 'br, gzip' },
      signal: AbortSignal.timeout(5_000),
    });
    const { headers } = response;
    expect(headers.get('content-encoding')).toBeNull();
    expect(headers.get('x-accel-buffering')).toBe('no');
    expect(headers.get('cache-control')).toBe('no-store');
    await response.body?.cancel();
  });
});

describe.each(DATABASE_KINDS)('a stream of changes on %s', (kind) => {
  it('G27: keeps no session alive that nobody uses', async () => {
    const app = await startTestApp(kind, {}, { limits: { beatEveryMs: 60 * 60_000 }, clock: 'standing' });
    try {
      const listener = await Listener.open(app.admin);
      const lastSeen = async () =>
        (await app.database.reader.selectFrom('sessions').select('last_seen_at').executeTakeFirstOrThrow())
          .last_seen_at;
      const before = await lastSeen();
      app.advance(6 * 24 * 60 * 60_000);
      const beats = () => listener.text.split(':\n\n').length;
      const beaten = beats();
      await until(() => beats() > beaten + 3);
      expect(await (await app.admin.fetch('/api/events')).text()).toContain('event: ready');
      expect(await lastSeen()).toBe(before);
      app.advance(25 * 60 * 60_000);
      await until(() => listener.over);
      expect((await app.admin.get('/api/auth/me')).status).toBe(401);
    } finally {
      await app.close();
    }
  });

  it('says in the place of a beat that the session was used since', async () => {
    const everyMs = 10 * 60_000;
    const app = await startTestApp(kind, {}, { limits: { beatEveryMs: everyMs }, clock: 'standing' });
    try {
      const listener = await Listener.open(app.admin);
      const beats = () => listener.text.split(':\n\n').length;
      const beaten = beats();
      app.advance(everyMs);
      await until(() => beats() === beaten + 1);
      expect((await app.admin.get('/api/auth/me')).status).toBe(200);
      app.advance(everyMs);
      await until(() => listener.messages.length === 2);
      app.advance(everyMs);
      await until(() => beats() === beaten + 2);
      expect(listener.messages.map(({ event }) => event)).toEqual(['ready', 'used']);
    } finally {
      await app.close();
    }
  });

  itOnAny(kind)('ends at once when the server does, and the server does not wait', async () => {
    const app = await startTestApp(kind, { DRAIN_SECONDS: '3' });
    const listener = await Listener.open(app.admin);
    const closed = app.close().then(() => 'closed');
    await until(() => listener.over);
    // Before the seconds in which a proxy learns of it are over.
    expect(await Promise.race([closed, Promise.resolve('leaving')])).toBe('leaving');
    await closed;
  });
});
