// By what somebody acts, in the database: each secret of a session and each stand-in for one, with no more than its kind may.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ActivityRow } from '#contract/activity.ts';
import type { ViewTicket } from '#contract/file-opening.ts';
import type { FileRow } from '#contract/files.ts';
import type { Action } from '#contract/policy/rights.ts';
import { deleteFile } from '../../files/deletion.ts';
import { createReportType } from '../../firm/report-types/report-types.acts.ts';
import type { Firm } from '../../testing/firm.ts';
import { ADMIN_PASSWORD, type TestApp } from '../../testing/test-app.ts';
import { DATABASE_KINDS } from '../../testing/test-database.ts';
import { startTestFirm } from '../../testing/test-firm.ts';
import { actingFor, type Principal } from '../access/principal.ts';
import type { Viewer } from '../access/viewer.ts';

describe.each(DATABASE_KINDS)('credentials on %s', (kind) => {
  let app: TestApp;
  let firm: Firm;
  let adminId = 0;

  beforeAll(async () => {
    ({ app, firm } = await startTestFirm(kind));
    adminId = (await app.admin.get<{ id: number }>('/api/auth/me')).body.id;
  });
  afterAll(() => app.close());

  /** What comes of a write under `action`: its code, or that it was let in. */
  async function triedBy(viewer: Viewer, action: Action): Promise<unknown> {
    return app.context.scopes
      .change(viewer, action, async () => 'let in')
      .catch((error: { readonly code?: unknown }) => error.code);
  }

  /** The viewer of the cookie that a sign-in sets. */
  async function byCookie(): Promise<Viewer> {
    const login = await app.anonymous.fetch('/api/auth/login', {
      method: 'POST',
      body: JSON.stringify({ username: 'admin', password: ADMIN_PASSWORD }),
      headers: { 'content-type': 'application/json' },
    });
    const cookie = /coffer_files=([^;]+)/.exec(login.headers.get('set-cookie') ?? '')?.[1] ?? '';
    return (await app.context.sessions.byFileCookie(cookie)) as Viewer;
  }

  async function byTicket(): Promise<Viewer> {
    const fields = { clientId: firm.clients[0], fileType: 'report', reportTypeId: firm.reportTypes[0] };
    const { body: file } = await app.admin.upload<FileRow>({ name: 'ticket.pdf', bytes: '%PDF-1.4', fields });
    const { body } = await app.admin.post<ViewTicket>(`/api/files/${file.id}/view-ticket`);
    return (await app.context.sessions.byViewTicket(body.ticket, file.id, { uses: false })) as Viewer;
  }

  /** Somebody in the session that they opened last, as a route hands them on. */
  async function inSession(userId: number): Promise<Principal> {
    const { scopes, sessions } = app.context;
    const { id } = await app.database.reader
      .selectFrom('sessions')
      .select('id')
      .where('user_id', '=', userId)
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow();
    const viewer = (await sessions.bySession(id)) as Viewer;
    return { read: async () => scopes.read(viewer), change: (action, work) => scopes.change(viewer, action, work) };
  }

  const byJob = async () => (await app.context.sessions.byPerson(adminId)) as Viewer;

  it('whoever acts in a session needs no request: acts take them and plain input, with the same rights and the same log', async () => {
    const { services } = app.context;
    const [admin, cpa] = [await inSession(adminId), await inSession(firm.users.cpa)];
    const named = { name: 'Made without a request' };
    await expect(createReportType(cpa, named, services)).rejects.toMatchObject({ code: 'forbidden' });
    expect(await createReportType(admin, named, services)).toMatchObject(named);
    await expect(deleteFile(cpa, firm.files.f2.id, services)).rejects.toMatchObject({ code: 'not_found' });
    await deleteFile(cpa, firm.files.f3.id, services);
    const { body: log } = await app.admin.get<ActivityRow[]>('/api/activity-logs?limit=2');
    expect(log.map(({ details, userName }) => [details, userName])).toEqual([
      ['Deleted file: f3.txt', 'Full cpa'],
      ['Created report type: Made without a request', 'Administrator'],
    ]);
  });

  it('G124: the cookie of files writes nothing but what opening files asks for', async () => {
    const viewer = await byCookie();
    expect(viewer.credential.kind).toBe('file-cookie');
    expect(await triedBy(viewer, 'archives.use')).toBe('let in');
    for (const action of ['files.delete', 'users.create', 'session.password', 'factors.change'] as const) {
      expect([action, await triedBy(viewer, action)]).toEqual([action, 'forbidden']);
    }
  });

  it('G124: a view ticket opens its file and writes nothing else', async () => {
    const viewer = await byTicket();
    expect(viewer.credential.kind).toBe('view-ticket');
    expect(await triedBy(viewer, 'files.read')).toBe('let in');
    for (const action of ['archives.use', 'files.upload', 'session.password'] as const) {
      expect([action, await triedBy(viewer, action)]).toEqual([action, 'forbidden']);
    }
  });

  it('G124: a job does what jobs do, and never what is of the account, also of an Admin', async () => {
    const viewer = await byJob();
    expect(viewer.credential.kind).toBe('job');
    expect(await triedBy(viewer, 'files.upload')).toBe('let in');
    const never = [
      'session.password',
      'factors.change',
      'session.devices',
      'users.update',
      'permissions.update',
    ] as const;
    const principal = actingFor(adminId, { scopes: app.context.scopes, findPerson: app.context.sessions.byPerson });
    for (const action of never) {
      expect([action, await triedBy(viewer, action)]).toEqual([action, 'forbidden']);
      await expect(principal.change(action, async () => 'let in')).rejects.toMatchObject({ code: 'forbidden' });
    }
  });

  it('G124: a job in whose name nobody is any more does nothing', async () => {
    const gone: Viewer = { ...(await byJob()), id: 999_999 };
    expect(await triedBy(gone, 'files.upload')).toBe('unauthenticated');
  });

  it('G124: a session that is over lets nothing in by any of its secrets', async () => {
    const viewer = await byCookie();
    const { credential } = viewer;
    if (!('sessionId' in credential)) throw new Error('a cookie is of a session');
    await app.database.transaction((tx) => tx.deleteFrom('sessions').where('id', '=', credential.sessionId).execute());
    for (const by of ['session', 'file-cookie', 'view-ticket'] as const) {
      const over: Viewer = { ...viewer, credential: { ...credential, kind: by } as Viewer['credential'] };
      expect([by, await triedBy(over, 'files.read')]).toEqual([by, 'unauthenticated']);
    }
  });

  it('G124: a sign-in that waits for its factor writes through no scope', async () => {
    const viewer: Viewer = {
      ...(await byJob()),
      credential: { kind: 'sign-in', signInId: 1, endsAt: Number.MAX_SAFE_INTEGER },
    };
    expect(await triedBy(viewer, 'factors.enrol')).toBe('unauthenticated');
    expect(await triedBy(viewer, 'files.read')).toBe('unauthenticated');
  });
});
