// The first steps through an empty firm, over HTTP on both engines: each is done as soon as the thing is there, whoever made it.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ActivityRow } from '#contract/activity.ts';
import type { FirstSteps } from '#contract/first-steps.ts';
import { addUser, clientInput } from '../../testing/firm.ts';
import { ADMIN_PASSWORD, Caller, startTestApp, type TestApp } from '../../testing/test-app.ts';
import { DATABASE_KINDS } from '../../testing/test-database.ts';

const STEPS = '/api/overview/first-steps';

describe.each(DATABASE_KINDS)('the first steps on %s', (kind) => {
  let app: TestApp;
  let first: Caller;
  let second: Caller;
  let roles: Readonly<Record<string, number>>;
  const id = async (answer: Promise<{ body: unknown }>) => ((await answer).body as { id: number }).id;

  beforeAll(async () => {
    app = await startTestApp(kind);
    first = app.admin;
    const { body } = await first.get<{ id: number; systemKey: string }[]>('/api/roles');
    roles = Object.fromEntries(body.map((role) => [role.systemKey, role.id]));
  });
  afterAll(() => app.close());

  const steps = async (by = first) => (await by.get<FirstSteps>(STEPS)).body.steps;
  /** The names of what is done. */
  const doneOf = (found: FirstSteps['steps']) =>
    Object.entries(found ?? {}).flatMap(([name, value]) => (value === false || value === null ? [] : [name]));

  it('are done one after the other, for both Admins alike', async () => {
    expect(doneOf(await steps())).toEqual([]);
    second = (await addUser(app, 'second.admin', roles.admin ?? 0)).caller;
    // Only the first one has the password of the first start.
    expect(doneOf(await steps(second))).toEqual(['signInChanged']);
    const { body } = await first.post<{ token: string }>('/api/auth/password', {
      currentPassword: ADMIN_PASSWORD,
      newPassword: 'one of my own',
    });
    first = new Caller(app.origin, body.token);
    const done = ['signInChanged'];
    const expectNext = async (...names: string[]) => {
      done.push(...names);
      for (const by of [first, second]) expect(doneOf(await steps(by)).sort()).toEqual([...done].sort());
    };
    await expectNext();

    await second.put('/api/firm-settings', { supportEmail: 'help@example.com' });
    await expectNext('supportAddress');
    const [journal, notice] = [
      await id(second.post('/api/report-types', { name: 'Payroll Journal' })),
      await id(second.post('/api/report-types', { name: 'Tax Notice' })),
    ];
    await expectNext('reportTypes');
    const near = await id(second.post('/api/clients', clientInput('Larch Street Dental')));
    const far = await id(second.post('/api/clients', clientInput('Tidewater Marine')));
    await expectNext('clients');

    const person = (username: string, role: string, clientIds: number[], reportTypeIds: number[]) =>
      addUser({ ...app, admin: second }, username, roles[role] ?? 0, { clientIds, reportTypeIds });
    // Half of the lists, or a colleague, is nobody who sees a report.
    await person('no.types', 'client', [near], []);
    await person('no.clients', 'client', [], [journal]);
    await person('colleague', 'cpa', [near], [journal]);
    await expectNext();
    const { id: userId } = await person('hank', 'client', [near], [journal]);
    await expectNext('clientUser');

    const send = (clientId: number, more: Record<string, number | string>) =>
      second.upload({ name: 'a.txt', bytes: `${clientId} ${JSON.stringify(more)}`, fields: { clientId, ...more } });
    await send(far, { fileType: 'report', reportTypeId: journal });
    await send(near, { fileType: 'report', reportTypeId: notice });
    await send(near, { fileType: 'report' });
    await send(near, { fileType: 'company_document' });
    await expectNext();
    await send(near, { fileType: 'report', reportTypeId: journal });
    await expectNext('sees');
    expect((await steps())?.sees).toEqual({ id: userId, username: 'hank', fullName: 'Full hank' });
  });

  it('are put away for everybody and brought back by those who decide for the firm, which the log says once', async () => {
    const { caller: cpa } = await addUser({ ...app, admin: first }, 'another.cpa', roles.cpa ?? 0);
    for (const by of [cpa, app.anonymous]) {
      expect((await by.get(STEPS)).status).toBe(by === cpa ? 403 : 401);
      expect((await by.put(STEPS, { dismissed: true })).status).toBe(by === cpa ? 403 : 401);
    }
    expect(await steps()).not.toBeNull();
    expect((await second.put(STEPS, { dismissed: true })).body).toEqual({ steps: null });
    await first.put(STEPS, { dismissed: true });
    expect(await steps()).toBeNull();
    // What else the firm decides leaves it as it is.
    await first.put('/api/firm-settings', { fourEyes: true });
    expect(await steps()).toBeNull();
    await first.put(STEPS, { dismissed: false });
    expect(await steps()).not.toBeNull();
    const { body } = await first.get<ActivityRow[]>('/api/activity-logs?action=update');
    const said = body.flatMap(({ details, userName }) =>
      /first steps/.test(details ?? '') ? [[details, userName]] : [],
    );
    expect(said).toEqual([
      ['Brought back the first steps', 'Administrator'],
      ['Dismissed the first steps', 'Full second.admin'],
    ]);
  });
});
