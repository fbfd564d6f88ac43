// Somebody who must change the password first: nothing else is done before, in either profile.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ErrorBody } from '#contract/errors.ts';
import type { LoginResponse, SessionUser } from '#contract/session.ts';
import type { UserRow } from '#contract/users.ts';
import { type Firm, PASSWORD } from '../../testing/firm.ts';
import { Caller, type TestApp } from '../../testing/test-app.ts';
import { DATABASE_KINDS } from '../../testing/test-database.ts';
import { startTestFirm } from '../../testing/test-firm.ts';
import { resetPassword } from '../auth/reset-password.ts';

const NEXT = 'a password of my own';

describe.each(DATABASE_KINDS)('a password that somebody else has set, on %s', (kind) => {
  describe.each(['off', 'on'])('with SAFEGUARDS=%s', (safeguards) => {
    let app: TestApp;
    let firm: Firm;

    beforeAll(async () => {
      ({ app, firm } = await startTestFirm(kind, { SAFEGUARDS: safeguards }));
    });
    afterAll(() => app.close());

    const body = (username: string, more: Record<string, unknown> = {}) => ({
      username,
      fullName: `Full ${username}`,
      roleId: firm.roles.cpa,
      password: PASSWORD,
      ...more,
    });

    const add = async (username: string, more: Record<string, unknown> = {}) =>
      (await app.admin.post<UserRow>('/api/users', body(username, more))).body;

    const me = async (caller: Caller) => (await caller.get<SessionUser>('/api/auth/me')).body.mustChangePassword;

    it('G22: must be changed before anything else is done, where it was set so', async () => {
      const user = await add('new.person', { mustChangePassword: true, clientIds: [firm.clients[0]] });
      expect(user.mustChangePassword).toBe(true);
      const caller = await app.login('new.person', PASSWORD);
      expect(await me(caller)).toBe(true);

      const refusals = await Promise.all([
        caller.get<ErrorBody>('/api/clients'),
        caller.get<ErrorBody>('/api/overview'),
        caller.get<ErrorBody>(`/api/users/${user.id}`),
        caller.get<ErrorBody>('/api/auth/sessions'),
        caller.get<ErrorBody>('/api/auth/events'),
        caller.delete('/api/auth/sessions'),
        caller.get<ErrorBody>(`/api/files/${firm.files.f4.id}`),
        caller.post<ErrorBody>('/api/clients', {}),
        ...(safeguards === 'on' ? [caller.post<ErrorBody>('/api/auth/factors/totp')] : []),
      ]);
      for (const refused of refusals) {
        expect([refused.status, refused.body.code]).toEqual([403, 'password_change_required']);
      }
      const change = (newPassword: string) =>
        caller.post<LoginResponse & ErrorBody>('/api/auth/password', { currentPassword: PASSWORD, newPassword });
      const same = await change(PASSWORD);
      expect([same.status, Object.keys(same.body.fields ?? {})]).toEqual([400, ['newPassword']]);

      const changed = await change(NEXT);
      expect([changed.status, changed.body.user.mustChangePassword]).toEqual([200, false]);
      const freed = new Caller(app.origin, changed.body.token);
      expect((await freed.get('/api/clients')).body).toMatchObject([{ id: firm.clients[0] }]);
      expect((await app.admin.get<UserRow>(`/api/users/${user.id}`)).body.mustChangePassword).toBe(false);
    });

    it('lets such a person sign out', async () => {
      await add('leaves.again', { mustChangePassword: true });
      const caller = await app.login('leaves.again', PASSWORD);
      expect((await caller.post('/api/auth/logout')).status).toBe(204);
      expect((await caller.get('/api/auth/me')).status).toBe(401);
    });

    it('asks nothing where nobody set it so', async () => {
      const user = await add('as.before');
      expect(user.mustChangePassword).toBe(false);
      const caller = await app.login('as.before', PASSWORD);
      expect([await me(caller), (await caller.get('/api/clients')).status]).toEqual([false, 200]);
    });

    it('holds for open sessions from the change on, and a change without the field leaves it', async () => {
      const user = await add('later.on');
      const caller = await app.login('later.on', PASSWORD);
      const change = (more: Record<string, unknown>) =>
        app.admin.put<UserRow>(`/api/users/${user.id}`, body('later.on', { password: '', ...more }));
      expect((await change({ mustChangePassword: true })).body.mustChangePassword).toBe(true);
      expect((await caller.get('/api/clients')).status).toBe(403);
      expect((await change({})).body.mustChangePassword).toBe(true);
      expect((await change({ mustChangePassword: false })).body.mustChangePassword).toBe(false);
      expect((await caller.get('/api/clients')).status).toBe(200);
    });

    it('is asked after the operator has set it', async () => {
      const user = await add('asks.operator');
      const passwordHash = await app.context.services.passwords.hash(NEXT);
      await resetPassword(app.database, app.context.services.outbox, {
        username: 'asks.operator',
        passwordHash,
        at: app.now(),
      });
      expect((await app.admin.get<UserRow>(`/api/users/${user.id}`)).body.mustChangePassword).toBe(true);
      const caller = await app.login('asks.operator', NEXT);
      expect((await caller.get('/api/clients')).status).toBe(403);
    });
  });
});
