// ZIPs prepared in the background, over HTTP, on both engines: made once of what the person reaches then, given out for what is reached now.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ActivityRow } from '#contract/activity.ts';
import { ARCHIVES_MAX, type ArchiveRow } from '#contract/archives.ts';
import type { ErrorBody } from '#contract/errors.ts';
import { PREPARED_FILES_MAX } from '#contract/file-kinds.ts';
import type { FileRow } from '#contract/files.ts';
import type { JobRow } from '#contract/jobs.ts';
import { actingFor } from '../../people/access/principal.ts';
import { sweepBlobs } from '../../platform/blobs/sweep.ts';
import { HOUR_MS, systemClock } from '../../platform/clock.ts';
import { Jobs } from '../../platform/jobs/jobs.ts';
import { LEASE_MS } from '../../platform/jobs/running-jobs.ts';
import { addUser, type Firm, PASSWORD } from '../../testing/firm.ts';
import { itOnAny } from '../../testing/narrowed.ts';
import type { Caller, TestApp } from '../../testing/test-app.ts';
import { insertTestArchive } from '../../testing/test-archive.ts';
import { DATABASE_KINDS } from '../../testing/test-database.ts';
import { startTestFirm } from '../../testing/test-firm.ts';
import { unzip } from '../../testing/unzip.ts';
import { archiveJob } from './archive-job.ts';

const WITHIN = { timeout: 20_000, interval: 20 };
const CUT = 'a transfer was cut: the right to it ended';
const OUTDATED = 'A file in this ZIP was deleted or is no longer yours to see. Prepare it again.';

describe.each(DATABASE_KINDS)('prepared archives on %s', { timeout: 60_000 }, (kind) => {
  let app: TestApp;
  let firm: Firm;
  let person: { id: number; caller: Caller };
  let made = 0;

  beforeAll(async () => {
    ({ app, firm } = await startTestFirm(kind));
  });
  afterAll(() => app.close());

  // Somebody new each time, so that no test meets another's archives.
  beforeEach(async () => {
    made += 1;
    const lists = { clientIds: [firm.clients[0], firm.clients[1]], reportTypeIds: [firm.reportTypes[0]] };
    person = await addUser(app, `person${made}`, firm.roles.cpa, lists);
  });
  afterEach(async () => {
    await app.context.jobs.stop();
    vi.restoreAllMocks();
    for (const { id } of await listed(person.caller)) await person.caller.delete(own(id));
  });

  const ordered = (by: Caller, body: object) => by.post<ArchiveRow>('/api/archives', body);
  const listed = async (by: Caller) => (await by.get<ArchiveRow[]>('/api/archives')).body;
  const address = (id: number) => `/api/files/archives/${id}/download`;
  const own = (id: number) => `/api/archives/${id}`;

  async function order(body: object, by = person.caller): Promise<number> {
    const { status, body: row } = await ordered(by, body);
    expect({ status, state: row.state }).toEqual({ status: 201, state: 'preparing' });
    return row.id;
  }

  /** Lets jobs run until the archive is no longer being prepared. */
  async function settled(id: number, by = person.caller): Promise<ArchiveRow> {
    await app.context.jobs.start();
    const row = await vi.waitFor(async () => {
      const found = (await listed(by)).find((one) => one.id === id);
      expect(found?.state).toMatch(/ready|failed/);
      return found as ArchiveRow;
    }, WITHIN);
    await app.context.jobs.stop();
    return row;
  }

  const ready = async (body: object, by = person.caller) => settled(await order(body, by), by);

  async function upload(name: string, clientId: number, by = app.admin): Promise<FileRow> {
    const { body } = await by.upload<FileRow>({
      name,
      bytes: `bytes of ${name}`,
      fields: { clientId, fileType: 'report', reportTypeId: firm.reportTypes[0] },
    });
    return body;
  }

  async function content(id: number, by = person.caller): Promise<Map<string, Buffer>> {
    const response = await by.fetch(address(id));
    expect(response.status).toBe(200);
    return unzip(Buffer.from(await response.arrayBuffer()));
  }

  const blobNames = () =>
    readdirSync(join(app.config.dataDir, 'blobs'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => name)
      .sort();

  async function downloadsOf(userId: number): Promise<(string | null)[]> {
    const { body } = await app.admin.get<ActivityRow[]>(`/api/activity-logs?userId=${userId}&action=download`);
    return body.map(({ fileName }) => fileName).sort();
  }

  async function reach(clientIds: readonly number[]): Promise<void> {
    const { body: user } = await app.admin.get<{ username: string; fullName: string }>(`/api/users/${person.id}`);
    const { status } = await app.admin.put(`/api/users/${person.id}`, {
      username: user.username,
      fullName: user.fullName,
      roleId: firm.roles.cpa,
      clientIds,
      reportTypeIds: [firm.reportTypes[0]],
      password: '',
    });
    expect(status).toBe(200);
  }

  it('are made of what the person reaches, with folders, names and manifest, and each file is one download in the log', async () => {
    const id = await order({ matching: { reportTypeId: firm.reportTypes[0] } });
    expect(await listed(person.caller)).toMatchObject([{ id, state: 'preparing', filesAsked: 2, name: null }]);
    const early = await person.caller.get<ErrorBody>(address(id));
    expect([early.status, early.body.code]).toEqual([409, 'archive_not_ready']);

    const row = await settled(id);
    expect(row).toMatchObject({ state: 'ready', filesAsked: 2, files: 2, reason: null, progress: null });
    expect(row.name).toMatch(/^files-\d{4}-\d\d-\d\d\.zip$/);
    expect(await downloadsOf(person.id)).toEqual([]);

    const response = await person.caller.fetch(address(id));
    expect(response.headers.get('content-disposition')).toContain(row.name);
    expect(response.headers.get('content-disposition')).toContain('attachment');
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(bytes.length).toBe(row.sizeBytes);
    const entries = await unzip(bytes);
    const { f1, f2 } = firm.files;
    expect([...entries.keys()].sort()).toEqual(
      [
        `${f1.clientName}/Payroll Journal/${f1.originalName}`,
        `${f2.clientName}/Payroll Journal/${f2.originalName}`,
        'manifest.csv',
      ].sort(),
    );
    expect(entries.get(`${f1.clientName}/Payroll Journal/${f1.originalName}`)?.toString()).toBe('bytes of f1.txt');
    expect(await downloadsOf(person.id)).toEqual([f1.originalName, f2.originalName].sort());
  });

  it('G28: belong to their owner alone: for anybody else, an Admin too, there is none', async () => {
    const { id } = await ready({ ids: [firm.files.f1.id] });
    for (const by of [app.admin, firm.viewers.admin2, firm.viewers.cpa, firm.viewers.clientA]) {
      expect((await listed(by)).map((row) => row.id)).not.toContain(id);
      expect((await by.get(address(id))).status).toBe(404);
      expect((await by.send('HEAD', address(id))).status).toBe(404);
      expect((await by.post(`${own(id)}/retry`)).status).toBe(404);
      expect((await by.delete(own(id))).status).toBe(404);
    }
    expect(await content(id)).toHaveProperty('size', 2);
  });

  it('are ordered of files in reach alone', async () => {
    const { f1, f3 } = firm.files;
    expect((await ordered(person.caller, { ids: [f1.id, f3.id] })).status).toBe(404);
    expect((await ordered(person.caller, { ids: [999_999] })).status).toBe(404);
    expect((await ordered(person.caller, { matching: { clientId: firm.clients[2] } })).status).toBe(404);
    expect((await ordered(firm.viewers.listless, { matching: {} })).status).toBe(404);
    expect((await ordered(app.anonymous, { ids: [f1.id] })).status).toBe(401);
    expect(await listed(person.caller)).toEqual([]);
  });

  it('hold at most as many files as the contract says', async () => {
    const ids = Array.from({ length: PREPARED_FILES_MAX + 1 }, (_, index) => index + 1);
    const { status, body } = await person.caller.post<ErrorBody>('/api/archives', { ids });
    expect([status, body.code, body.message]).toEqual([400, 'invalid', 'Please select at most 20,000 files']);
  });

  it('are ordered once, however often the same is asked for while it is prepared', async () => {
    const bodies = [{ ids: [firm.files.f1.id] }, { matching: { reportTypeId: firm.reportTypes[0] } }];
    const asked = await Promise.all([...bodies, ...bodies].map((body) => order(body)));
    expect(asked.slice(2)).toEqual(asked.slice(0, 2));
    expect(await listed(person.caller)).toHaveLength(2);
    // What is ready is of before.
    const done = await settled(asked[0] ?? 0);
    expect(await order({ ids: [firm.files.f1.id] })).not.toBe(done.id);
  });

  it('are a few at a time for one person, however they are ordered', async () => {
    const [f1, f2] = [firm.files.f1.id, firm.files.f2.id];
    const five = [[f1], [f2], [f1, f2], [f2, f1], [f1, f1]];
    const answers = await Promise.all(five.map((ids) => ordered(person.caller, { ids })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 201, 409, 409]);
    expect(await listed(person.caller)).toHaveLength(ARCHIVES_MAX);
    const order = () => ordered(person.caller, { ids: [f2, f2] });
    const refused = await person.caller.post<ErrorBody>('/api/archives', { ids: [f2, f2] });
    expect(refused.body.message).toBe('You have as many prepared ZIPs as may be. Remove one first.');
    const [first] = await listed(person.caller);
    expect((await person.caller.delete(own(first?.id ?? 0))).status).toBe(204);
    expect((await order()).status).toBe(201);
  });

  it('G28: are refused once a file in them is out of reach, their bytes are removed, and they can be prepared again', async () => {
    const before = blobNames();
    const { id } = await ready({ matching: { reportTypeId: firm.reportTypes[0] } });
    expect(blobNames()).toHaveLength(before.length + 1);
    await reach([firm.clients[0]]);
    for (const _again of [1, 2]) {
      const { status, body } = await person.caller.get<ErrorBody>(address(id));
      expect([status, body.code, body.message]).toEqual([409, 'archive_outdated', OUTDATED]);
    }
    expect(blobNames()).toEqual(before);
    expect(await downloadsOf(person.id)).toEqual([]);
    expect(await listed(person.caller)).toMatchObject([{ id, state: 'failed', reason: OUTDATED, sizeBytes: null }]);

    const again = await person.caller.post<ArchiveRow>(`${own(id)}/retry`);
    expect([again.status, again.body.state]).toEqual([200, 'preparing']);
    expect(await settled(id)).toMatchObject({ state: 'ready', files: 1, filesAsked: 2 });
    expect([...(await content(id)).keys()].join()).not.toContain('CANARY2');
  });

  itOnAny(kind)('G28: are cut off while they are sent, as soon as a file in them is out of reach', async () => {
    const file = await upload('long.bin', firm.clients[1]);
    const bytes = Buffer.alloc(24 * 1024 * 1024, 7);
    await app.admin.delete(`/api/files/${file.id}`);
    const { body: long } = await app.admin.upload<FileRow>({
      name: 'long.bin',
      bytes,
      fields: { clientId: firm.clients[1], fileType: 'report', reportTypeId: firm.reportTypes[0] },
    });
    const { id } = await ready({ ids: [long.id] });
    const response = await person.caller.fetch(address(id));
    const reader = response.body?.getReader();
    await reader?.read();
    const lines = app.log.length;
    await reach([firm.clients[0]]);
    // What was sent before it waits for its reader; the rest never comes.
    await vi.waitFor(() => expect(app.log.slice(lines)).toContainEqual(expect.objectContaining({ msg: CUT })), WITHIN);
    const rest = async () => {
      let read = 0;
      for (;;) {
        const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
        if (done) return read;
        read += value?.length ?? 0;
      }
    };
    await expect(rest()).rejects.toThrow();
    await app.admin.delete(`/api/files/${long.id}`);
  });

  it('leave out what is deleted before they are made, and are refused for what is deleted after', async () => {
    const [kept, early, late] = [
      await upload('kept.txt', firm.clients[0]),
      await upload('early.txt', firm.clients[0]),
      await upload('late.txt', firm.clients[0]),
    ];
    const id = await order({ ids: [kept.id, early.id, late.id] });
    await app.admin.delete(`/api/files/${early.id}`);
    expect(await settled(id)).toMatchObject({ state: 'ready', filesAsked: 3, files: 2 });
    const paths = [...(await content(id)).keys()];
    expect(paths.join()).toContain('late.txt');
    expect(paths.join()).not.toContain('early.txt');

    await app.admin.delete(`/api/files/${late.id}`);
    expect((await person.caller.send('HEAD', address(id))).status).toBe(409);
    expect(await listed(person.caller)).toMatchObject([{ state: 'failed', reason: OUTDATED }]);
  });

  it('fail with a sentence where nothing is left to put in', async () => {
    const gone = await upload('gone.txt', firm.clients[0]);
    const id = await order({ ids: [gone.id] });
    await app.admin.delete(`/api/files/${gone.id}`);
    expect(await settled(id)).toMatchObject({ state: 'failed', reason: 'None of these files is there any more.' });
    const { body } = await person.caller.get<ErrorBody>(address(id));
    expect(body.code).toBe('archive_not_ready');
  });

  it('say nothing of the server where it is at fault', async () => {
    const id = await order({ ids: [firm.files.f1.id] });
    vi.spyOn(app.context.services.blobs, 'ensureRoom').mockRejectedValue(new Error('statfs failed at /secret/path'));
    await app.context.jobs.start();
    await vi.waitFor(async () => {
      const { body } = await app.admin.get<JobRow[]>('/api/jobs?limit=1');
      expect(body[0]?.error).toContain('/secret/path');
    }, WITHIN);
    const { body } = await app.admin.get<JobRow[]>('/api/jobs?limit=1');
    await app.admin.post(`/api/jobs/${body[0]?.id}/cancel`);
    const [row] = await listed(person.caller);
    expect(row).toMatchObject({ id, state: 'failed', reason: 'It was canceled.' });
  });

  it('are cancelled and removed by their owner, and leave no bytes', async () => {
    const before = blobNames();
    const waiting = await order({ ids: [firm.files.f1.id] });
    expect((await person.caller.delete(own(waiting))).status).toBe(204);
    const done = await ready({ ids: [firm.files.f1.id] });
    expect((await person.caller.delete(own(done.id))).status).toBe(204);
    expect((await person.caller.delete(own(done.id))).status).toBe(404);
    expect(await listed(person.caller)).toEqual([]);
    expect(blobNames()).toEqual(before);
  });

  it('are stopped while they are made, and leave no bytes', async () => {
    const before = blobNames();
    const { blobs } = app.context.services;
    const { promise: reading, resolve } = Promise.withResolvers<void>();
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    const read = blobs.read.bind(blobs);
    vi.spyOn(blobs, 'read').mockImplementation(async (...args) => {
      resolve();
      await held;
      return read(...args);
    });
    const id = await order({ ids: [firm.files.f1.id] });
    await app.context.jobs.start();
    await reading;
    expect((await person.caller.delete(own(id))).status).toBe(204);
    await vi.waitFor(async () => {
      const { body } = await app.admin.get<JobRow[]>('/api/jobs');
      expect(body.find(({ kind }) => kind === 'files.archive')).toMatchObject({ state: 'cancelled' });
    }, WITHIN);
    expect(blobNames()).toEqual(before);
    // Another job, which reads texts, may wait for it too, and each stop would wait for that one.
    release();
  });

  it('are made once, whichever of two processes ends last, and of what the other left nothing stays', async () => {
    const before = blobNames();
    const id = await order({ ids: [firm.files.f1.id, firm.files.f2.id] });
    const { blobs } = app.context.services;
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    const { promise: reading, resolve: reads } = Promise.withResolvers<void>();
    const { database, now, context } = app;
    const process = (aheadMs: number, read: typeof blobs.read) =>
      new Jobs(
        {
          database,
          now: () => now() + aheadMs,
          clock: systemClock,
          actingFor: (userId) => actingFor(userId, { scopes: context.scopes, findPerson: context.sessions.byPerson }),
        },
        {
          'files.archive': {
            ...archiveJob({
              database,
              now,
              blobs: new Proxy(blobs, {
                get: (store, name) =>
                  name === 'read' ? read : (Reflect.get(store, name) as () => unknown).bind(store),
              }),
            }),
            // The first is busy with its own run, so that the second one gets the next.
            atOnce: 1,
          },
        },
      );
    // The first is believed dead while it reads its first file.
    const slow = process(0, async (...args) => {
      reads();
      await held;
      return blobs.read(...args);
    });
    const fast = process(LEASE_MS + 1_000, (...args) => blobs.read(...args));
    await slow.start();
    await reading;
    await fast.start();
    await vi.waitFor(
      async () => expect(await listed(person.caller)).toMatchObject([{ id, state: 'ready', reason: null }]),
      WITHIN,
    );
    release();
    await slow.stop();
    await fast.stop();
    expect(await listed(person.caller)).toMatchObject([{ id, state: 'ready', files: 2 }]);
    expect(blobNames()).toHaveLength(before.length + 1);
    expect((await content(id)).size).toBe(3);
  });

  it('are removed after a day, when their owner is deleted, and once a file in them is', async () => {
    const { runMaintenance } = app.context;
    const before = blobNames();
    const gone = await upload('gone soon.txt', firm.clients[0]);
    const [old, outdated] = [await ready({ ids: [firm.files.f1.id] }), await ready({ ids: [gone.id] })];
    const leaver = await addUser(app, `leaver${made}`, firm.roles.admin);
    await ready({ ids: [firm.files.f1.id] }, leaver.caller);
    expect((await app.admin.delete(`/api/users/${leaver.id}`)).status).toBe(204);
    await app.admin.delete(`/api/files/${gone.id}`);
    // The file's own bytes are in the trash.
    expect(blobNames()).toHaveLength(before.length + 4);

    await runMaintenance();
    expect(blobNames()).toHaveLength(before.length + 2);
    expect(await listed(person.caller)).toMatchObject([
      { id: outdated.id, state: 'failed', reason: OUTDATED },
      { id: old.id, state: 'ready' },
    ]);

    app.advance(24 * HOUR_MS + 1);
    person = { ...person, caller: await app.login(`person${made}`, PASSWORD) };
    expect(await listed(person.caller)).toEqual([]);
    expect((await person.caller.get(address(old.id))).status).toBe(404);
    await runMaintenance();
    expect(blobNames()).toHaveLength(before.length + 1);
    const rows = await app.database.reader
      .selectFrom('archives')
      .select('id')
      .where('owner_id', '=', person.id)
      .execute();
    expect(rows).toEqual([]);
  });

  it('are blobs that the sweep knows, and hinder no client from being deleted', async () => {
    const { body: client } = await app.admin.post<{ id: number }>('/api/clients', {
      name: `Short-Lived ${made} LLC`,
      address: '1 Main Street',
      phone: '(207)-555-0143',
      federalId: '00-7654321',
      stateId: 'ME-1',
      email: 'office@example.com',
      employeeCount: 1,
      startDate: '2026-01-01',
    });
    const file = await upload('short-lived.txt', client.id);
    const row = await ready({ ids: [file.id] }, app.admin);
    const report = await sweepBlobs(app.database, app.context.services.blobs, {
      nowMs: Date.now() + 48 * HOUR_MS,
      maxOrphanShare: 1,
    });
    expect(report.orphans).toBe(0);
    expect((await app.admin.delete(`/api/clients/${client.id}`)).status).toBe(204);
    expect((await app.admin.get<ErrorBody>(address(row.id))).body.code).toBe('archive_outdated');
    await app.admin.delete(own(row.id));
  });

  it('open by the cookie that opens files, in ranges, and a later range is no further download', async () => {
    const { id, sizeBytes } = await ready({ ids: [firm.files.f1.id] });
    const login = await app.anonymous.fetch('/api/auth/login', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: `person${made}`, password: PASSWORD }),
    });
    const cookie = (login.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
    const whole = await app.anonymous.fetch(address(id), { headers: { cookie } });
    const bytes = Buffer.from(await whole.arrayBuffer());
    expect([whole.status, bytes.length]).toEqual([200, sizeBytes]);
    const part = await app.anonymous.fetch(address(id), { headers: { cookie, range: 'bytes=10-' } });
    expect(part.status).toBe(206);
    expect(Buffer.from(await part.arrayBuffer()).equals(bytes.subarray(10))).toBe(true);
    expect(await downloadsOf(person.id)).toEqual([firm.files.f1.originalName]);
    expect((await app.anonymous.fetch('/api/archives', { headers: { cookie } })).status).toBe(401);
    expect((await app.anonymous.fetch(own(id), { method: 'DELETE', headers: { cookie } })).status).toBe(401);
  });

  it('send nothing where the log cannot be written', async () => {
    const id = await insertTestArchive(app, { ownerId: person.id, fileIds: [firm.files.f1.id] });
    vi.spyOn(app.context.scopes, 'change').mockRejectedValue(new Error('no log'));
    expect((await person.caller.get(address(id))).status).toBe(500);
  });
});
