// How background jobs end before they are done: cancelled, taken over by another process, or handed back when their own ends.

import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import type { ActivityRow } from '#contract/activity.ts';
import type { ErrorBody } from '#contract/errors.ts';
import type { JobRow } from '#contract/jobs.ts';
import { eventually } from '../../testing/eventually.ts';
import { HandClock } from '../../testing/hand-clock.ts';
import { type ScriptedJobs, scriptedJobs } from '../../testing/scripted-jobs.ts';
import type { Caller, TestApp } from '../../testing/test-app.ts';
import { DATABASE_KINDS } from '../../testing/test-database.ts';
import { DAY_MS } from '../clock.ts';
import { nameColumns } from '../names/name-forms.ts';
import type { RunningJob } from './kinds.ts';
import { LEASE_MS } from './running-jobs.ts';

describe.each(DATABASE_KINDS)('jobs on %s', { timeout: 120_000 }, (engine) => {
  let app: TestApp;
  let admin: Caller;
  let jobs: ScriptedJobs;
  const { another, effects, job, order, pass, process, reaches, script } = scriptedJobs(engine, (met) => {
    ({ app, admin, jobs } = met);
  });

  it('is cancelled while it waits, and ends', async () => {
    script(async () => {});
    const id = await order();
    const { status, body } = await admin.post<JobRow>(`/api/jobs/${id}/cancel`);
    expect([status, body.state]).toEqual([200, 'cancelled']);
    const { body: log } = await admin.get<ActivityRow[]>('/api/activity-logs?limit=1');
    expect(log[0]?.details).toBe(`Canceled background job: ${body.title}`);
    await jobs.start();
    await reaches(await order('after'), { state: 'done' });
    expect(await job(id)).toMatchObject({ state: 'cancelled', attempts: 0 });
    const again = await admin.post<ErrorBody>(`/api/jobs/${id}/cancel`);
    expect([again.status, again.body.code]).toEqual([409, 'job_ended']);
    await admin.post(`/api/jobs/${id}/retry`);
    await jobs.tick();
    await reaches(id, { state: 'done', attempts: 1 });
  });

  it('is cancelled while it runs, and is not tried again', async () => {
    script(
      ({ signal }) =>
        new Promise((_, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason));
        }),
    );
    await jobs.start();
    const id = await order();
    await reaches(id, { state: 'running' });
    const { body } = await admin.post<JobRow>(`/api/jobs/${id}/cancel`);
    expect(body).toMatchObject({ state: 'running', cancelRequested: true });
    await jobs.tick();
    await reaches(id, { state: 'cancelled', attempts: 1 });
  });

  it('is cancelled right before it fails or is handed back, and is not begun again', async () => {
    const gate = Promise.withResolvers<void>();
    script(
      async () => {
        await gate.promise;
        throw new Error('Out of luck');
      },
      ({ signal }) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    );
    // Its clock stands: it does not look for what was cancelled.
    const clock = new HandClock();
    jobs = another(clock);
    await jobs.start();
    const failing = await order('failing');
    await reaches(failing, { state: 'running' });
    await admin.post(`/api/jobs/${failing}/cancel`);
    gate.resolve();
    await reaches(failing, { state: 'cancelled', attempts: 1 });
    const handedBack = await order('handed back');
    await reaches(handedBack, { state: 'running' });
    await admin.post(`/api/jobs/${handedBack}/cancel`);
    const stopped = jobs.stop(20_000);
    await eventually(() => expect(clock.waiting).toBe(1));
    clock.advance(20_000);
    await stopped;
    expect(await job(handedBack)).toMatchObject({ state: 'cancelled', attempts: 1 });
  });

  it('that another process has taken over takes effect once: a late process rolls its effect back', async () => {
    const gate = Promise.withResolvers<void>();
    const late = Promise.withResolvers<unknown>();
    const write = (name: string, { finish }: RunningJob<{ name: string }>) =>
      app.database.transaction(async (tx) => {
        await tx
          .insertInto('report_types')
          .values({ ...nameColumns(name), created_at: 1 })
          .execute();
        await finish(tx);
      });
    script(
      async (running) => {
        await gate.promise;
        await write('Of the late one', running).then(late.resolve, late.resolve);
      },
      (running) => write('Of the next one', running),
    );
    await jobs.start();
    const id = await order();
    await reaches(id, { state: 'running' });
    // For the other one this process has given no sign of life for longer than its lease.
    await process(2 * LEASE_MS).start();
    await reaches(id, { state: 'done', attempts: 2 });
    gate.resolve();
    expect(String(await late.promise)).toContain('taken over');
    expect(await effects()).toEqual(['Of the next one']);
    expect(await job(id)).toMatchObject({ state: 'done', attempts: 2 });
  });

  it('that killed its process every time is a dead end too', async () => {
    script(async () => {});
    const id = await order();
    await app.database.transaction((tx) =>
      sql`update jobs set state = 'running', attempts = 3, lease_until = 0 where id = ${id}`.execute(tx),
    );
    await jobs.start();
    await reaches(id, { state: 'failed', attempts: 3, error: 'The process that ran it ended.' });
  });

  it('of a process that was killed before the clock was put back a day is run again when its lease is over', async () => {
    script(async () => {});
    const id = await order();
    const leaseUntil = app.now() + DAY_MS;
    await app.database.transaction((tx) =>
      sql`update jobs set state = 'running', attempts = 1, lease_until = ${leaseUntil} where id = ${id}`.execute(tx),
    );
    await jobs.start();
    // Its process may live, and has not looked at the clock since.
    expect(await job(id)).toMatchObject({ state: 'running', attempts: 1 });
    await pass(LEASE_MS + 1);
    await reaches(id, { state: 'done', attempts: 2 });
  });

  it('ends before the process does, and is handed back where it takes too long', async () => {
    const gate = Promise.withResolvers<void>();
    const heard: unknown[] = [];
    let wasStopped: boolean | undefined;
    script(
      async ({ signal }) => {
        await gate.promise;
        wasStopped = signal.aborted;
      },
      ({ signal }) =>
        new Promise((_, reject) => {
          signal.addEventListener('abort', () => {
            heard.push(signal.reason);
            reject(signal.reason);
          });
        }),
    );
    const clock = new HandClock();
    jobs = another(clock);
    await jobs.start();
    const short = await order('short');
    await reaches(short, { state: 'running' });
    const longId = await order('long');
    await reaches(longId, { state: 'running' });
    const stopped = jobs.stop(20_000);
    // The tick waits no more, but the end does.
    await eventually(() => expect(clock.waiting).toBe(1));
    clock.advance(19_999);
    gate.resolve();
    await reaches(short, { state: 'done' });
    expect([wasStopped, heard]).toEqual([false, []]);
    clock.advance(1);
    await stopped;
    expect(heard).toHaveLength(1);
    // It does not count against the job.
    expect(await job(longId)).toMatchObject({ state: 'waiting', attempts: 0, attemptsMax: 3, error: null });
    expect(await job(await order('after'))).toMatchObject({ state: 'waiting' });
  });

  it.runIf(engine === 'sqlite')('that goes on where it was keeps no process from ending', async () => {
    script(({ signal }) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))));
    // Its clock stands: no time passes for what runs.
    jobs = another(new HandClock());
    await jobs.start();
    const id = await app.database.transaction((tx) =>
      jobs.enqueue(tx, { kind: 'test.resuming', payload: { name: 'reading' } }),
    );
    await reaches(id, { state: 'running' });
    await jobs.stop();
    expect(await job(id)).toMatchObject({ state: 'waiting', attempts: 0, attemptsMax: 3, error: null });
  });
});
