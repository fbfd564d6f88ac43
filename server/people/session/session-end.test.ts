// When a session ends by itself, on both engines.
import { beforeEach, describe, expect, it } from 'vitest';
import type { SecurityEventRow } from '#contract/security-events.ts';
import { OPEN_SESSIONS_MAX, type SessionRow } from '#contract/session.ts';
import { DAY_MS } from '../../platform/clock.ts';
import { ADMIN_PASSWORD, type Caller, startTestApp, type TestApp } from '../../testing/test-app.ts';
import { DATABASE_KINDS } from '../../testing/test-database.ts';

describe.each(DATABASE_KINDS)('the end of a session on %s', (kind) => {
  let app: TestApp;
  beforeEach(async () => {
    app = await startTestApp(kind, {}, { clock: 'standing' });
    return () => app.close();
  });
  const status = async (caller = app.admin) => (await caller.get('/api/auth/me')).status;

  it('comes after seven days without use, and not a moment before', async () => {
    app.advance(7 * DAY_MS - 60_000);
    expect(await status()).toBe(200);
    app.advance(7 * DAY_MS - 60_000);
    expect(await status()).toBe(200);
    app.advance(7 * DAY_MS + 60_000);
    expect(await status()).toBe(401);
  });

  it('comes after thirty days, however much it is used', async () => {
    for (let day = 0; day < 29; day += 1) {
      app.advance(DAY_MS);
      expect(await status()).toBe(200);
    }
    const other = await app.login('admin', ADMIN_PASSWORD);
    app.advance(DAY_MS - 60_000);
    expect(await status()).toBe(200);
    app.advance(2 * 60_000);
    expect([await status(), await status(other)]).toEqual([401, 200]);
    // Expired sessions are no longer listed, and maintenance deletes them.
    expect((await other.get<SessionRow[]>('/api/auth/sessions')).body).toMatchObject([{ current: true }]);
    await app.context.runMaintenance();
    expect(await app.database.reader.selectFrom('sessions').select('id').execute()).toHaveLength(1);
  });

  it('leaves a place for a new one, so that nothing else ends', async () => {
    const sessionsOf = async (caller: Caller) => (await caller.get<SessionRow[]>('/api/auth/sessions')).body;
    for (let nth = 1; nth < OPEN_SESSIONS_MAX; nth += 1) await app.login('admin', ADMIN_PASSWORD);
    expect(await sessionsOf(app.admin)).toHaveLength(OPEN_SESSIONS_MAX);
    app.advance(8 * DAY_MS);
    const caller = await app.login('admin', ADMIN_PASSWORD);
    expect(await sessionsOf(caller)).toHaveLength(1);
    const { body } = await caller.get<SecurityEventRow[]>('/api/auth/events?limit=100');
    expect(body.filter(({ kind }) => kind === 'session_ended')).toEqual([]);
  });

  it('leaves a place for a new one also where it was used to the last', async () => {
    const callers = [app.admin];
    while (callers.length < OPEN_SESSIONS_MAX) callers.push(await app.login('admin', ADMIN_PASSWORD));
    for (let day = 0; day < 30; day += 5) {
      expect(await Promise.all(callers.map(status))).toEqual(callers.map(() => 200));
      app.advance(5 * DAY_MS);
    }
    const caller = await app.login('admin', ADMIN_PASSWORD);
    const { body } = await caller.get<SecurityEventRow[]>('/api/auth/events?limit=100');
    expect(body.filter(({ kind }) => kind === 'session_ended')).toEqual([]);
  });
});
