// Background jobs, the same on both engines: ordered with their act, tried again, run side by side, and acting with current rights.

import { sql } from 'kysely';
import { describe, expect, it, vi } from 'vitest';
import type { ErrorBody } from '#contract/errors.ts';
import type { JobRow } from '#contract/jobs.ts';
import { type BusyWork, MAY_END, STARTED } from '../../testing/busy-work.ts';
import { addRole, addUser } from '../../testing/firm.ts';
import { type ScriptedJobs, scriptedJobs, WITHIN } from '../../testing/scripted-jobs.ts';
import type { Caller, TestApp } from '../../testing/test-app.ts';
import { DATABASE_KINDS } from '../../testing/test-database.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../clock.ts';
import { Thread } from './thread.ts';

async function runInThread(url: URL, input: BusyWork | null, signal?: AbortSignal): Promise<number> {
  await using thread = new Thread<BusyWork | null, number>(url, { signal });
  return await thread.ask(input);
}

describe.each(DATABASE_KINDS)('jobs on %s', { timeout: 120_000 }, (engine) => {
  let app: TestApp;
  let admin: Caller;
  let jobs: ScriptedJobs;
  const { effects, job, listed, order, pass, reaches, script } = scriptedJobs(engine, (met) => {
    ({ app, admin, jobs } = met);
  });

  it('exists exactly when its act has committed, and runs then', async () => {
    const ran: string[] = [];
    script(async ({ payload }) => void ran.push(payload.name));
    await jobs.start();
    const undone = app.database.transaction(async (tx) => {
      await jobs.enqueue(tx, { kind: 'test.scripted', payload: { name: 'undone' } });
      throw new Error('The act failed');
    });
    await expect(undone).rejects.toThrow('The act failed');
    await reaches(await order('done'), { state: 'done', attempts: 1, error: null, title: 'Do what the test says' });
    expect(ran).toEqual(['done']);
    expect((await listed()).filter(({ kind }) => kind === 'test.scripted')).toHaveLength(1);
  });

  it('waits for a process that runs jobs, and for its time', async () => {
    script(async () => {});
    const early = await order('early');
    const late = await order('late', { runAt: app.now() + HOUR_MS });
    expect(await job(early)).toMatchObject({ state: 'waiting', attempts: 0 });
    await jobs.start();
    await reaches(early, { state: 'done' });
    expect(await job(late)).toMatchObject({ state: 'waiting', attempts: 0 });
    await pass(HOUR_MS);
    await reaches(late, { state: 'done' });
  });

  it('is due at once where the clock was put back since it was ordered', async () => {
    script(async () => {});
    const id = await order();
    app.advance(-DAY_MS);
    await jobs.start();
    await reaches(id, { state: 'done' });
    app.advance(DAY_MS);
  });

  it('is tried again, after a wait that doubles, and then fails for good, until an Admin runs it again', async () => {
    script(async () => {
      throw new Error('The disk is away');
    });
    await jobs.start();
    const id = await order();
    await reaches(id, { state: 'waiting', attempts: 1, attemptsMax: 3, error: 'The disk is away' });
    const waitMs = async () => new Date((await job(id)).runAt).getTime() - app.now();
    expect(Math.round((await waitMs()) / MINUTE_MS)).toBe(1);
    await pass(MINUTE_MS);
    await reaches(id, { state: 'waiting', attempts: 2 });
    expect(Math.round((await waitMs()) / MINUTE_MS)).toBe(2);
    await pass(MINUTE_MS);
    expect(await job(id)).toMatchObject({ state: 'waiting', attempts: 2 });
    await pass(MINUTE_MS);
    await reaches(id, { state: 'failed', attempts: 3, error: 'The disk is away' });
    await pass(DAY_MS);
    expect(await job(id)).toMatchObject({ state: 'failed', attempts: 3 });
    expect((await listed('?state=failed')).map((row) => row.id)).toEqual([id]);

    const gate = Promise.withResolvers<void>();
    script(async () => {
      await gate.promise;
      return 'well';
    });
    const press = () => admin.post<JobRow & ErrorBody>(`/api/jobs/${id}/retry`);
    // Of two who press at once the second one is told that it goes on, and it runs once.
    const presses = await Promise.all([press(), press()]);
    expect(presses.map(({ status }) => status).sort()).toEqual([200, 409]);
    const body = presses.find(({ status }) => status === 200)?.body;
    expect([body?.state, body?.endedAt]).toEqual(['waiting', null]);
    const told = presses.find(({ status }) => status === 409)?.body.message;
    expect(told).toMatch(/^This job is already (?:waiting to run|running)\.$/);
    await jobs.tick();
    await reaches(id, { state: 'running' });
    expect((await press()).body.message).toBe('This job is already running.');
    gate.resolve();
    await reaches(id, { state: 'done', attempts: 3, error: null });
    const again = await press();
    expect([again.status, again.body.code]).toEqual([409, 'job_not_ended']);
    expect(again.body.message).toBe('Only a job that failed or was canceled can be run again.');
    const { body: log } = await admin.get<{ details: string }[]>('/api/activity-logs?limit=1');
    expect(log[0]?.details).toBe('Ran background job again: Do what the test says');
  });

  it('that cannot be read any more is a dead end at once', async () => {
    const id = await order();
    await app.database.transaction((tx) => sql`update jobs set payload = '{"name":7}' where id = ${id}`.execute(tx));
    await jobs.start();
    await reaches(id, { state: 'failed', attempts: 1 });
  });

  it('is not taken with a payload that is not of its kind, and then its act fails', async () => {
    const wrong = app.database.transaction((tx) =>
      jobs.enqueue(tx, { kind: 'test.scripted', payload: { name: 7 } as unknown as { name: string } }),
    );
    await expect(wrong).rejects.toThrow();
    // @ts-expect-error Nobody knows this kind.
    const unknown = app.database.transaction((tx) => jobs.enqueue(tx, { kind: 'test.unknown', payload: {} }));
    await expect(unknown).rejects.toThrow('No kind of job');
    // @ts-expect-error It acts for a person, and none is named.
    const nobodys = app.database.transaction((tx) => jobs.enqueue(tx, { kind: 'test.type', payload: { name: 'x' } }));
    await nobodys;
  });

  it('runs at most as many at once as its kind allows', async () => {
    const gate = Promise.withResolvers<void>();
    let running = 0;
    let most = 0;
    script(async () => {
      running += 1;
      most = Math.max(most, running);
      await gate.promise;
      running -= 1;
    });
    await jobs.start();
    const ids = await Promise.all(['a', 'b', 'c', 'd', 'e'].map((name) => order(name)));
    await vi.waitFor(() => expect(running).toBe(2), WITHIN);
    await jobs.tick();
    await jobs.tick();
    const states = (await listed()).filter(({ id }) => ids.includes(id)).map(({ state }) => state);
    expect(states.toSorted()).toEqual(['running', 'running', 'waiting', 'waiting', 'waiting']);
    gate.resolve();
    for (const id of ids) await reaches(id, { state: 'done' });
    expect(most).toBe(2);
  });

  it('with a key is taken once until it has ended', async () => {
    script(async () => {});
    const first = await order('first', { openKey: 'only one' });
    expect([first, await order('second', { openKey: 'only one' })]).toEqual([expect.any(Number), null]);
    await jobs.start();
    await reaches(first, { state: 'done' });
    expect(await order('third', { openKey: 'only one' })).toEqual(expect.any(Number));
  });

  it('reports progress while it runs', async () => {
    const gate = Promise.withResolvers<void>();
    script(async ({ progress }) => {
      for (let done = 0; done <= 300; done += 1) progress(done, 1_000);
      await gate.promise;
    });
    await jobs.start();
    const id = await order();
    await reaches(id, { state: 'running', progress: 30 });
    gate.resolve();
    await reaches(id, { state: 'done' });
  });

  it('that keeps a processor busy leaves the server answering, and ends when it is cancelled', async () => {
    const busy = () => ({ flags: new Int32Array(new SharedArrayBuffer(8)) });
    const module = new URL('../../testing/busy-work.ts', import.meta.url);
    const [ending, endless] = [busy(), busy()];
    script(
      ({ signal }) => runInThread(module, ending, signal),
      ({ signal }) => runInThread(module, endless, signal),
    );
    await jobs.start();
    const first = await order();
    const begun = (work: BusyWork) => vi.waitFor(() => expect(Atomics.load(work.flags, STARTED)).toBe(1), WITHIN);
    await begun(ending);
    // On the event loop it would never end, since only what follows ends it.
    expect((await app.anonymous.get('/healthz')).status).toBe(200);
    Atomics.store(ending.flags, MAY_END, 1);
    await reaches(first, { state: 'done' });
    const second = await order();
    await begun(endless);
    await admin.post(`/api/jobs/${second}/cancel`);
    await jobs.tick();
    await reaches(second, { state: 'cancelled' });
  });

  it('fails with what its thread throws', async () => {
    const missing = new URL('../testing/no-such-module.ts', import.meta.url);
    script(() => runInThread(missing, null));
    await jobs.start();
    const id = await order();
    await vi.waitFor(async () => expect((await job(id)).error).toContain('no-such-module'), WITHIN);
  });

  describe('for a person', () => {
    const typeJob = (actingFor: { id: number; fullName: string }, name: string) =>
      app.database.transaction((tx) => jobs.enqueue(tx, { kind: 'test.type', payload: { name }, actingFor }));

    it('acts with the rights of the moment in which it acts', async () => {
      const roleId = await addRole(app, 'Typist', ['batches.manage']);
      const { id } = await addUser(app, 'typist', roleId);
      const person = { id, fullName: 'Full typist' };
      const first = await typeJob(person, 'While it was allowed');
      await jobs.start();
      await reaches(first, { state: 'done', actingUserId: id, actingUserName: 'Full typist' });
      expect(await effects()).toContain('While it was allowed');

      const later = await app.database.transaction((tx) =>
        jobs.enqueue(tx, {
          kind: 'test.type',
          payload: { name: 'When it was not' },
          actingFor: person,
          runAt: app.now() + HOUR_MS,
        }),
      );
      await admin.put('/api/permissions', { roleId, capabilities: [] });
      await pass(HOUR_MS);
      // No more attempts: they would be refused in the same way.
      await reaches(later, { state: 'failed', attempts: 1, error: 'You do not have permission to do this.' });
      expect(await effects()).not.toContain('When it was not');

      await admin.put('/api/permissions', { roleId, capabilities: ['batches.manage'] });
      await admin.post(`/api/jobs/${later}/retry`);
      await jobs.tick();
      await reaches(later, { state: 'done' });
      expect(await effects()).toContain('When it was not');
    });

    it('who was deleted does nothing', async () => {
      const roleId = await addRole(app, 'Ghost', ['batches.manage']);
      const { id } = await addUser(app, 'ghost', roleId);
      const ordered = await typeJob({ id, fullName: 'Full ghost' }, 'Of a ghost');
      await admin.delete(`/api/users/${id}`);
      await jobs.start();
      await reaches(ordered, { state: 'failed', error: 'Please sign in.', actingUserName: 'Full ghost' });
      expect(await effects()).not.toContain('Of a ghost');
    });
  });
});
