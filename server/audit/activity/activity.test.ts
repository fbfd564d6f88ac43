// The activity log over HTTP, on both engines: who adds what to it, and when two messages are one access.
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import type { ActivityRow } from '#contract/activity.ts';
import type { ErrorBody } from '#contract/errors.ts';
import { HOUR_MS, MINUTE_MS } from '../../platform/clock.ts';
import type { Firm } from '../../testing/firm.ts';
import { itOnAny } from '../../testing/narrowed.ts';
import { someoneWaits } from '../../testing/someone-waits.ts';
import type { Caller, TestApp } from '../../testing/test-app.ts';
import { DATABASE_KINDS } from '../../testing/test-database.ts';
import { startTestFirm } from '../../testing/test-firm.ts';

const SECOND_MS = 1_000;

describe.each(DATABASE_KINDS)('the activity log on %s', (kind) => {
  let app: TestApp;
  let firm: Firm;
  let viewer: Caller;
  beforeAll(async () => {
    ({ app, firm } = await startTestFirm(kind, {}, { clock: 'standing' }));
    viewer = firm.viewers.cpa;
  });
  afterAll(() => app.close());

  const entries = async (query: string) => (await app.admin.get<ActivityRow[]>(`/api/activity-logs?${query}`)).body;
  const announce = (action: string, fileId: number, more: Record<string, unknown> = {}, caller = viewer) =>
    caller.post<ActivityRow>('/api/activity-logs', { action, fileId, ...more });
  const open = async (how: string, fileId: number, init: RequestInit = {}, caller = viewer) => {
    const response = await caller.fetch(`/api/files/${fileId}${how}`, init);
    await response.arrayBuffer();
    return response.status;
  };
  const range = (value: string) => ({ headers: { range: value } });

  it('says Created for what is new, in an export too, and counts users for who sees all of them', async () => {
    const { body: type } = await app.admin.post<{ id: number }>('/api/report-types', { name: 'Created Papers' });
    await app.admin.delete(`/api/report-types/${type.id}`);
    const { body: csv } = await app.admin.get<string>('/api/activity-logs/export?q=Created%20Papers');
    const lines = csv.split('\r\n').filter((line) => line.includes('Created Papers'));
    expect(lines.map((line) => line.split(',')[0])).toEqual(['"Deleted"', '"Created"']);
    expect((await entries('q=Created%20Papers')).map((row) => row.action)).toEqual(['delete', 'update']);

    const usersFor = async (caller: Caller) => {
      const { body } = await caller.get<{ totals: { users: number | null } }>('/api/overview');
      return body.totals.users;
    };
    expect(await usersFor(app.admin)).toBe((await app.admin.get<unknown[]>('/api/users')).body.length);
    for (const caller of [firm.viewers.cpa, firm.viewers.bookkeeper]) expect(await usersFor(caller)).toBeNull();
  });

  describe('an access', () => {
    let fileId: number;
    const accesses = () =>
      entries(`fileId=${fileId}&sort=timestamp`).then((rows) => rows.filter((row) => row.action !== 'upload'));
    beforeEach(async () => {
      fileId = firm.files.f1.id;
      // Past every earlier access, so that nothing joins those.
      app.advance(HOUR_MS);
      const fields = { clientId: firm.clients[0], fileType: 'report', reportTypeId: firm.reportTypes[0] };
      const uploaded = await app.admin.upload<{ id: number }>({ name: 'read me.txt', bytes: '0123456789', fields });
      fileId = uploaded.body.id;
    });

    it('F1: is recorded when the bytes are served, whether or not it was announced', async () => {
      expect(await open('/download', fileId)).toBe(200);
      const rows = await accesses();
      expect(rows).toEqual([
        {
          id: expect.any(Number),
          action: 'download',
          fileId,
          fileName: 'read me.txt',
          fileOpens: true,
          announcedOnly: false,
          details: 'Downloaded file: read me.txt',
          userId: firm.users.cpa,
          userName: 'Full cpa',
          clientId: firm.clients[0],
          clientName: 'Harbor & Pine Bakery LLC',
          timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        },
      ]);
    });

    it.each([
      ['', 'download'],
      ['?view=true', 'view'],
      ['?view=false', 'download'],
      ['/download', 'download'],
      ['/view', 'view'],
    ])('by GET of the id%s is a %s', async (how, action) => {
      expect(await open(how, fileId)).toBe(200);
      expect((await accesses()).map((row) => row.action)).toEqual([action]);
    });

    it('F1: announced and then served is one entry', async () => {
      const announced = await announce('view', fileId, {
        details: 'Viewed file: read me.txt',
        clientId: firm.clients[0],
      });
      expect(announced.status).toBe(201);
      app.advance(2 * MINUTE_MS - SECOND_MS);
      await open('/view', fileId);
      const rows = await accesses();
      expect(rows.map((row) => row.id)).toEqual([announced.body.id]);
      expect(rows[0]).toMatchObject({ action: 'view', details: 'Viewed file: read me.txt' });
    });

    it('F1: served and then announced is one entry', async () => {
      await open('/download', fileId);
      app.advance(2 * MINUTE_MS - SECOND_MS);
      const announced = await announce('download', fileId);
      const rows = await accesses();
      expect(rows.map((row) => row.id)).toEqual([announced.body.id]);
    });

    it('announced more than two minutes before or after it was served is another', async () => {
      await announce('download', fileId);
      app.advance(2 * MINUTE_MS + SECOND_MS);
      await open('/download', fileId);
      expect(await accesses()).toHaveLength(2);
      app.advance(2 * MINUTE_MS + SECOND_MS);
      await announce('download', fileId);
      expect(await accesses()).toHaveLength(3);
    });

    it('announced once and served twice is two', async () => {
      await announce('download', fileId);
      await open('/download', fileId);
      await open('/download', fileId);
      expect(await accesses()).toHaveLength(2);
    });

    it('announced and served at the same moment is one, however many people do so', async () => {
      const people = [viewer, firm.viewers.clientA, firm.viewers.bookkeeper, app.admin];
      for (let round = 1; round <= 6; round += 1) {
        await Promise.all(people.flatMap((by) => [announce('view', fileId, {}, by), open('/view', fileId, {}, by)]));
        expect((await accesses()).length).toBe(round * people.length);
        app.advance(HOUR_MS);
      }
    });

    it('announced and served twice, at the same moment, is two', async () => {
      await Promise.all([0, 1].flatMap(() => [announce('view', fileId), open('/view', fileId)]));
      expect(await accesses()).toHaveLength(2);
    });

    // The embedded engine has one connection, so nothing there can wait for another transaction.
    if (kind === 'postgres' && inject('postgresUrl') !== null) {
      it('announced and served at the same time is one entry', async () => {
        const run = (tx: Parameters<Parameters<TestApp['database']['transaction']>[0]>[0], sql: string) =>
          tx.executeQuery({ ...tx.selectFrom('users').selectAll().compile(), sql, parameters: [] });
        const gate = `create function gate() returns trigger language plpgsql as $$ begin perform pg_advisory_xact_lock(42); return new; end $$`;
        await app.database.transaction((tx) => run(tx, gate));
        await app.database.transaction((tx) =>
          run(tx, 'create trigger gate before insert on activity for each row execute function gate()'),
        );
        let both: Promise<unknown> = Promise.resolve();
        await app.database.transaction(async (tx) => {
          await run(tx, 'select pg_advisory_xact_lock(42)');
          both = Promise.all([announce('view', fileId), open('/view', fileId)]);
          await someoneWaits(app, 2);
        });
        await both;
        await app.database.transaction((tx) => run(tx, 'drop function gate cascade'));
        expect(await accesses()).toHaveLength(1);
      });
    }

    it('of another kind, by another person or to another file joins nothing', async () => {
      await announce('view', fileId);
      await open('/download', fileId);
      await open('/view', fileId, {}, firm.viewers.clientA);
      await open('/view', firm.files.f1.id);
      const rows = await accesses();
      expect(rows.map((row) => [row.action, row.userName]).sort()).toEqual([
        ['download', 'Full cpa'],
        ['view', 'Full clientA'],
        ['view', 'Full cpa'],
      ]);
    });

    it('read range by range is one entry, until there is a pause of ten minutes', async () => {
      expect(await open('/view', fileId, range('bytes=0-3'))).toBe(206);
      app.advance(9 * MINUTE_MS);
      expect(await open('/view', fileId, range('bytes=4-5'))).toBe(206);
      expect(await open('/view', fileId, range('bytes=6-'))).toBe(206);
      expect(await accesses()).toHaveLength(1);
      app.advance(11 * MINUTE_MS);
      expect(await open('/view', fileId, range('bytes=4-5'))).toBe(206);
      expect(await accesses()).toHaveLength(2);
    });

    it('begun in the middle is an entry too', async () => {
      expect(await open('/download', fileId, range('bytes=9-'))).toBe(206);
      expect(await accesses()).toHaveLength(1);
    });

    it('by HEAD, refused or missing makes no entry', async () => {
      for (const how of ['', '/download', '/view', '?view=true']) {
        expect(await open(how, fileId, { method: 'HEAD' })).toBe(200);
      }
      expect(await open('/download', fileId, range('bytes=99-'))).toBe(416);
      expect(await open('/download', fileId, {}, firm.viewers.clientB)).toBe(404);
      expect(await open('/download', fileId, {}, app.anonymous)).toBe(401);
      expect(await accesses()).toEqual([]);
    });
  });

  describe('an announcement', () => {
    it('cannot set what the server decides', async () => {
      const { f1 } = firm.files;
      app.advance(HOUR_MS);
      for (const [key, value] of [
        ['userName', 'Somebody Else'],
        ['userId', 1],
        ['timestamp', '2020-01-01T00:00:00Z'],
        ['fileName', 'other.pdf'],
        ['clientName', 'Other Inc.'],
        ['id', 1],
      ] as const) {
        const { status, body } = await viewer.post<ErrorBody>('/api/activity-logs', {
          action: 'view',
          fileId: f1.id,
          [key]: value,
        });
        expect([key, status, Object.keys(body.fields ?? {})]).toEqual([key, 400, [key]]);
      }
      const { status, body } = await announce('view', f1.id, { details: 'Downloaded file: payroll of everybody.pdf' });
      expect([status, body.details, body.userName]).toEqual([201, 'Viewed file: f1.txt', 'Full cpa']);
      // The admin overview puts the file's id into the text and sends no client (docs/behaviour.md, Overview).
      app.advance(HOUR_MS);
      const short = await announce(
        'download',
        f1.id,
        { details: `Downloaded file: ${f1.id}`, clientId: null },
        app.admin,
      );
      expect([short.status, short.body.details, short.body.clientId]).toEqual([
        201,
        'Downloaded file: f1.txt',
        firm.clients[0],
      ]);
    });

    describe('that nothing followed', () => {
      let fileId: number;
      const fields = () => ({ clientId: firm.clients[0], fileType: 'report', reportTypeId: firm.reportTypes[0] });
      const ofFile = async () =>
        (await entries(`fileId=${fileId}&sort=timestamp`)).filter(({ action }) => action !== 'upload');
      beforeEach(async () => {
        app.advance(2 * HOUR_MS);
        const uploaded = await app.admin.upload<{ id: number }>({ name: 'wanted.txt', fields: fields() });
        fileId = uploaded.body.id;
      });

      it('G19: is one entry however often it is repeated, and never looks like an access', async () => {
        for (let nth = 0; nth < 10; nth += 1) expect((await announce('download', fileId)).status).toBe(201);
        await Promise.all(Array.from({ length: 10 }, () => announce('view', fileId)));
        const [downloaded, viewed, ...more] = await ofFile();
        expect(more).toEqual([]);
        expect(downloaded).toMatchObject({
          action: 'download',
          announcedOnly: true,
          details: 'Asked to download, nothing was sent: wanted.txt',
        });
        expect(viewed).toMatchObject({
          action: 'view',
          announcedOnly: true,
          details: 'Asked to view, nothing was sent: wanted.txt',
        });
      });

      it('G19: reads the same in an export and in a search, is counted, and is no act of the overview', async () => {
        await announce('download', fileId);
        for (const at of [0, 3 * MINUTE_MS]) {
          app.advance(at);
          const { body } = await app.admin.get<{ recentActivity: ActivityRow[] }>('/api/overview');
          expect(body.recentActivity[0]).toMatchObject({ fileId, action: 'upload' });
          expect(body.recentActivity.filter(({ announcedOnly }) => announcedOnly)).toEqual([]);
          const { body: csv } = await app.admin.get<string>(`/api/activity-logs/export?fileId=${fileId}`);
          expect(csv).toMatch(/Asked to download, nothing was sent: wanted\.txt/);
          // Announced is no action: the label is the one announced, and the details say that nothing was sent.
          expect(csv).not.toContain('Announced');
          expect(await entries(`fileId=${fileId}&q=Downloaded`)).toEqual([]);
          expect(await entries(`fileId=${fileId}&q=nothing was SENT`)).toHaveLength(1);
          const counted = await app.admin.get<ActivityRow[]>(
            `/api/activity-logs?action=download&clientId=${firm.clients[0]}`,
          );
          expect(counted.headers.get('x-total-count')).toBe(String(counted.body.length));
          expect(counted.body.map((row) => row.fileId)).toContain(fileId);
        }
      });

      it('G19: becomes an access once it is served', async () => {
        const announced = await announce('download', fileId);
        app.advance(MINUTE_MS);
        await announce('download', fileId);
        await open('/download', fileId);
        const rows = await ofFile();
        expect(rows).toMatchObject([
          { id: announced.body.id, announcedOnly: false, details: 'Downloaded file: wanted.txt' },
        ]);
        expect(await entries(`fileId=${fileId}&q=downloaded`)).toHaveLength(1);
        expect(await entries(`fileId=${fileId}&q=asked`)).toEqual([]);
        // Served too late for it, an access is an entry of its own and the announcement stays what it was.
        await announce('view', fileId);
        app.advance(3 * MINUTE_MS);
        await open('/view', fileId);
        expect((await ofFile()).map((row) => [row.action, row.announcedOnly])).toEqual([
          ['download', false],
          ['view', true],
          ['view', false],
        ]);
      });

      itOnAny(kind)(
        'G19: is taken down a hundred times an hour for one person, and then nothing more until something is sent',
        async () => {
          const ids: number[] = [];
          for (let nth = 0; nth < 51; nth += 1) {
            const uploaded = await app.admin.upload<{ id: number }>({ name: `${nth}.txt`, fields: fields() });
            ids.push(uploaded.body.id);
          }
          const statuses: number[] = [];
          for (const id of ids) {
            for (const action of ['view', 'download']) statuses.push((await announce(action, id)).status);
          }
          expect(statuses).toEqual([...Array.from({ length: 100 }, () => 201), 429, 429]);
          const refused = await viewer.fetch('/api/activity-logs', {
            method: 'POST',
            body: JSON.stringify({ action: 'view', fileId }),
            headers: { 'content-type': 'application/json' },
          });
          expect(refused.status).toBe(429);
          const retryAfter = Number(refused.headers.get('retry-after'));
          expect(retryAfter).toBeGreaterThan(50 * 60);
          const message = `Too many attempts. Please try again in ${Math.ceil(retryAfter / 60)} minutes.`;
          expect(await refused.json()).toMatchObject({ code: 'too_many', message });
          // A waiting announcement may be repeated all the same, and others continue.
          expect((await announce('view', ids[0] ?? 0)).status).toBe(201);
          expect((await announce('view', fileId, {}, firm.viewers.clientA)).status).toBe(201);
          // Files open without being announced, and an announcement that is followed by an access makes room.
          expect(await open('/download', fileId)).toBe(200);
          expect(await open('/view', ids[0] ?? 0)).toBe(200);
          expect((await announce('view', fileId)).status).toBe(201);
          expect((await announce('view', ids[50] ?? 0)).status).toBe(429);
          app.advance(HOUR_MS);
          expect((await announce('view', ids[50] ?? 0)).status).toBe(201);
        },
      );
    });

    it('can only be of a view or a download', async () => {
      for (const action of ['upload', 'delete', 'update', 'VIEW', '', null]) {
        const { status, body } = await viewer.post<ErrorBody>('/api/activity-logs', {
          action,
          fileId: firm.files.f1.id,
        });
        expect([action, status, body.message]).toEqual([action, 400, 'Action must be view or download']);
      }
    });

    it('must be of a file in reach, and of its own client', async () => {
      const before = await entries('limit=1');
      const { f1, f2 } = firm.files;
      const refused = await announce('view', f2.id);
      const missing = await announce('view', 999_999);
      const mixed = await announce('view', f1.id, { clientId: firm.clients[2] });
      const disguised = await announce('view', f2.id, { clientId: firm.clients[0] });
      for (const answer of [refused, missing, mixed, disguised]) {
        expect(answer.status).toBe(404);
        expect({ ...answer.body, requestId: '' }).toEqual({ ...missing.body, requestId: '' });
      }
      expect(await entries('limit=1')).toEqual(before);
    });
  });
});
