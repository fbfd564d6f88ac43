// Background jobs, the same on both engines: ordered with their act, tried again, ended, cancelled, and acting with current rights.

import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import type { ErrorBody } from '#contract/errors.ts';
import type { JobRow } from '#contract/jobs.ts';
import { backupJob } from '../../backup/backup-job.ts';
import { readBatchFileJob } from '../../batches/read-file-job.ts';
import { readBatchJob } from '../../batches/read-job.ts';
import { releaseBatchJob } from '../../batches/release-job.ts';
import { markUploadsJob } from '../../batches/wrong-client/mark-job.ts';
import type { CofferJobs } from '../../coffer-jobs.ts';
import { archiveJob } from '../../files/archives/archive-job.ts';
import { periodsJob } from '../../files/periods-job.ts';
import { disposeJob } from '../../files/retention/dispose-job.ts';
import { readTextsJobs } from '../../files/texts/read-texts-job.ts';
import { digestsJob } from '../../mail/digests/digest-job.ts';
import { sendMailsJob } from '../../mail/sending/send-job.ts';
import { actingFor } from '../../people/access/principal.ts';
import { passwordLinkJob } from '../../people/auth/password-links.ts';
import { type BusyWork, MAY_END, STARTED } from '../../testing/busy-work.ts';
import { eventually } from '../../testing/eventually.ts';
import { addRole, addUser } from '../../testing/firm.ts';
import { HandClock } from '../../testing/hand-clock.ts';
import { ADMIN_PASSWORD, type Caller, startTestApp, type TestApp } from '../../testing/test-app.ts';
import { DATABASE_KINDS } from '../../testing/test-database.ts';
import { encryptJob } from '../blobs/encryption/encrypt-job.ts';
import { scrubJob } from '../blobs/scrub-job.ts';
import { type Clock, systemClock } from '../clock.ts';
import { nameColumns } from '../names/name-forms.ts';
import { openSealer } from '../sealed.ts';
import { LEASE_MS } from './job-table.ts';
import { Jobs } from './jobs.ts';
import { jobKind, type RunningJob } from './kinds.ts';
import { runInThread } from './thread.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const WITHIN = { timeout: 25_000, interval: 20 };

/** What the next runs of `test.scripted` do, in order; the last one repeats. */
type Script = (job: RunningJob<{ name: string }>) => Promise<unknown>;

describe.each(DATABASE_KINDS)('jobs on %s', { timeout: 120_000 }, (engine) => {
  let app: TestApp;
  let scripts: Script[];
  let admin: Caller;
  const started: { stop(): Promise<void> }[] = [];
  let jobs: Jobs<CofferJobs & ReturnType<typeof testKinds>>;

  function testKinds() {
    const scripted = {
      title: 'Do what the test says',
      payload: z.strictObject({ name: z.string() }),
      attempts: 3,
      retryAfterMs: MINUTE_MS,
      run: (job: RunningJob<{ name: string }>) => {
        const script = scripts.length > 1 ? scripts.shift() : scripts[0];
        return script?.(job) ?? Promise.resolve();
      },
    };
    return {
      'test.scripted': jobKind({ ...scripted, acts: 'system', atOnce: 2 }),
      'test.resuming': jobKind({ ...scripted, acts: 'system', atOnce: 1, resumes: true }),
      'test.type': jobKind({
        ...scripted,
        acts: 'person',
        atOnce: 1,
        run: async ({ principal, payload, finish }) => {
          await principal.change('batches.use', async (scope) => {
            const tx = scope.unscoped(scope.authorize('batches.use'));
            await tx
              .insertInto('report_types')
              .values({ ...nameColumns(payload.name), created_at: 1 })
              .execute();
            await finish(tx);
          });
        },
      }),
    };
  }

  // One application for all tests: each removes what it made, and has a runner of its own.
  beforeAll(async () => {
    app = await startTestApp(engine, {}, { jobs: 'delivered as in use' });
    app.context.jobs.extend(testKinds());
  });
  beforeEach(async () => {
    scripts = [];
    admin = await app.login('admin', ADMIN_PASSWORD);
    jobs = process();
  });
  afterEach(async () => {
    await Promise.all(started.splice(0).map((one) => one.stop()));
    await app.database.transaction(async (tx) => {
      await tx.deleteFrom('jobs').execute();
      await tx.deleteFrom('report_types').execute();
    });
  });
  afterAll(() => app.close());

  /** A process that runs jobs once it is started; its time is `aheadMs` ahead. */
  function process(aheadMs = 0, clock: Clock = systemClock) {
    const { database, now } = app;
    const { scopes, sessions, maintenance, services } = app.context;
    const one = new Jobs(
      {
        database,
        now: () => now() + aheadMs,
        clock,
        actingFor: (id) => actingFor(id, { scopes, findPerson: sessions.byPerson }),
      },
      {
        ...maintenance,
        'backups.make': backupJob({ database, now, config: app.config }),
        'blobs.encrypt': encryptJob({ database, blobs: services.blobs }),
        'blobs.scrub': scrubJob({ database, blobs: services.blobs, config: services.config, now: app.now }),
        'files.periods': periodsJob(database),
        'retention.dispose': disposeJob({ ...services, database }),
        'files.archive': archiveJob({ database, now, blobs: services.blobs }),
        ...readTextsJobs({ ...services, database, config: { ocr: false, searchInside: false } }),
        'files.marks': markUploadsJob({ ...services, database }),
        'batches.read': readBatchJob({ ...services, database }),
        'batches.read-file': readBatchFileJob({ ...services, database }),
        'batches.release': releaseBatchJob({ ...services, database }),
        'mail.digests': digestsJob({ ...services, database, scopes, findPerson: sessions.byPerson }),
        'mail.send': sendMailsJob({
          ...services,
          database,
          scopes,
          sealer: openSealer(services.config.secretsKeyFile),
          findPerson: sessions.byPerson,
        }),
        'session.password-link': passwordLinkJob({
          ...services,
          database,
          sealer: openSealer(services.config.secretsKeyFile),
        }),
        ...testKinds(),
      },
    );
    started.push(one);
    return one;
  }

  const order = (name = 'one', more: { openKey?: string; runAt?: number } = {}) =>
    app.database.transaction((tx) => jobs.enqueue(tx, { kind: 'test.scripted', payload: { name }, ...more }));

  async function listed(query = '?limit=1000'): Promise<JobRow[]> {
    const { status, body } = await admin.get<JobRow[]>(`/api/jobs${query}`);
    expect(status).toBe(200);
    return body;
  }

  async function job(id: number | null): Promise<JobRow> {
    const found = (await listed()).find((row) => row.id === id);
    if (found === undefined) throw new Error(`There is no job ${id}`);
    return found;
  }

  const reaches = (id: number | null, expected: Partial<JobRow>) =>
    vi.waitFor(async () => expect(await job(id)).toMatchObject(expected), WITHIN);

  /** Lets time pass, and the runner look after its jobs as it does every second. */
  async function pass(byMs: number): Promise<void> {
    app.advance(byMs);
    await jobs.tick();
  }

  const effects = async () =>
    (await app.database.reader.selectFrom('report_types').select('name').orderBy('id').execute()).map(
      ({ name }) => name,
    );

  it('exists exactly when its act has committed, and runs then', async () => {
    const ran: string[] = [];
    scripts = [async ({ payload }) => void ran.push(payload.name)];
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
    scripts = [async () => {}];
    const early = await order('early');
    const late = await order('late', { runAt: app.now() + HOUR_MS });
    expect(await job(early)).toMatchObject({ state: 'waiting', attempts: 0 });
    await jobs.start();
    await reaches(early, { state: 'done' });
    expect(await job(late)).toMatchObject({ state: 'waiting', attempts: 0 });
    await pass(HOUR_MS);
    await reaches(late, { state: 'done' });
  });

  it('is tried again, after a wait that doubles, and then fails for good, until an Admin runs it again', async () => {
    scripts = [
      async () => {
        throw new Error('The disk is away');
      },
    ];
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

    scripts = [async () => 'well'];
    const { status, body } = await admin.post<JobRow>(`/api/jobs/${id}/retry`);
    expect([status, body.state, body.endedAt]).toEqual([200, 'waiting', null]);
    await jobs.tick();
    await reaches(id, { state: 'done', attempts: 4, error: null });
    const again = await admin.post<ErrorBody>(`/api/jobs/${id}/retry`);
    expect([again.status, again.body.code]).toEqual([409, 'job_not_ended']);
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

  it('is cancelled while it waits, and ends', async () => {
    scripts = [async () => {}];
    const id = await order();
    const { status, body } = await admin.post<JobRow>(`/api/jobs/${id}/cancel`);
    expect([status, body.state]).toEqual([200, 'cancelled']);
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
    scripts = [
      ({ signal }) =>
        new Promise((_, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason));
        }),
    ];
    await jobs.start();
    const id = await order();
    await reaches(id, { state: 'running' });
    const { body } = await admin.post<JobRow>(`/api/jobs/${id}/cancel`);
    expect(body).toMatchObject({ state: 'running', cancelRequested: true });
    await jobs.tick();
    await reaches(id, { state: 'cancelled', attempts: 1 });
  });

  it('runs at most as many at once as its kind allows', async () => {
    const gate = Promise.withResolvers<void>();
    let running = 0;
    let most = 0;
    scripts = [
      async () => {
        running += 1;
        most = Math.max(most, running);
        await gate.promise;
        running -= 1;
      },
    ];
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
    scripts = [async () => {}];
    const first = await order('first', { openKey: 'only one' });
    expect([first, await order('second', { openKey: 'only one' })]).toEqual([expect.any(Number), null]);
    await jobs.start();
    await reaches(first, { state: 'done' });
    expect(await order('third', { openKey: 'only one' })).toEqual(expect.any(Number));
  });

  it('reports progress while it runs', async () => {
    const gate = Promise.withResolvers<void>();
    scripts = [
      async ({ progress }) => {
        for (let done = 0; done <= 300; done += 1) progress(done, 1_000);
        await gate.promise;
      },
    ];
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
    scripts = [
      ({ signal }) => runInThread<BusyWork, number>(module, ending, { signal }),
      ({ signal }) => runInThread<BusyWork, number>(module, endless, { signal }),
    ];
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
    scripts = [() => runInThread(missing, null)];
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
    scripts = [
      async (running) => {
        await gate.promise;
        await write('Of the late one', running).then(late.resolve, late.resolve);
      },
      (running) => write('Of the next one', running),
    ];
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
    scripts = [async () => {}];
    const id = await order();
    await app.database.transaction((tx) =>
      sql`update jobs set state = 'running', attempts = 3, lease_until = 0 where id = ${id}`.execute(tx),
    );
    await jobs.start();
    await reaches(id, { state: 'failed', attempts: 3, error: 'The process that ran it ended.' });
  });

  it('ends before the process does, and is handed back where it takes too long', async () => {
    const gate = Promise.withResolvers<void>();
    const heard: unknown[] = [];
    let wasStopped: boolean | undefined;
    scripts = [
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
    ];
    const clock = new HandClock();
    jobs = process(0, clock);
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
    expect(await job(longId)).toMatchObject({ state: 'waiting', attempts: 1, attemptsMax: 4, error: null });
    expect(await job(await order('after'))).toMatchObject({ state: 'waiting' });
  });

  it.runIf(engine === 'sqlite')('that goes on where it was keeps no process from ending', async () => {
    scripts = [
      ({ signal }) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    ];
    // Its clock stands: no time passes for what runs.
    jobs = process(0, new HandClock());
    await jobs.start();
    const id = await app.database.transaction((tx) =>
      jobs.enqueue(tx, { kind: 'test.resuming', payload: { name: 'reading' } }),
    );
    await reaches(id, { state: 'running' });
    await jobs.stop();
    expect(await job(id)).toMatchObject({ state: 'waiting', attempts: 1, attemptsMax: 4, error: null });
  });

  describe('maintenance', () => {
    const MAINTENANCE = [
      'archives',
      'blobs',
      'changes',
      'file-opens',
      'jobs',
      'mails',
      'security-events',
      'sign-ins',
      'trash',
      'word-index',
    ];
    // A search waits for the word index of the log.
    const HOURLY = ['archives', 'changes', 'trash', 'word-index'];
    const maintenance = async () => (await listed()).filter(({ kind }) => kind.startsWith('maintenance.'));

    it('runs at the start and every few hours, and shows how it went', async () => {
      await jobs.start();
      await vi.waitFor(async () => {
        const rows = await maintenance();
        expect(rows.map(({ kind, state }) => `${kind} ${state}`).toSorted()).toEqual(
          MAINTENANCE.flatMap((name) => [`maintenance.${name} done`, `maintenance.${name} waiting`]),
        );
      }, WITHIN);
      for (const row of (await maintenance()).filter(({ state }) => state === 'waiting')) {
        const hours = HOURLY.some((name) => row.kind === `maintenance.${name}`) ? 1 : 6;
        expect(Math.round((new Date(row.runAt).getTime() - app.now()) / HOUR_MS)).toBe(hours);
      }
      await pass(6 * HOUR_MS);
      await vi.waitFor(
        async () =>
          expect((await maintenance()).filter(({ state }) => state === 'done')).toHaveLength(2 * MAINTENANCE.length),
        WITHIN,
      );
    });

    it('is brought forward by a start, unless it ran lately', async () => {
      await jobs.start();
      const done = async () => (await maintenance()).filter(({ state }) => state === 'done').length;
      const waiting = async () => (await maintenance()).filter(({ state }) => state === 'waiting').length;
      const settles = (count: number) =>
        vi.waitFor(async () => expect([await done(), await waiting()]).toEqual([count, MAINTENANCE.length]), WITHIN);
      await settles(MAINTENANCE.length);
      const restart = async () => {
        await jobs.stop();
        jobs = process();
        await jobs.start();
      };
      await restart();
      await settles(MAINTENANCE.length);
      app.advance(2 * HOUR_MS);
      await restart();
      await settles(2 * MAINTENANCE.length);
    });

    it('forgets jobs that ended two weeks ago, and no others', async () => {
      scripts = [async () => {}];
      await jobs.start();
      const old = await order('old');
      await reaches(old, { state: 'done' });
      app.advance(14 * DAY_MS);
      const waiting = await order('waiting', { runAt: app.now() + HOUR_MS });
      await app.context.runMaintenance();
      const ids = (await app.database.reader.selectFrom('jobs').select('id').execute()).map(({ id }) => id);
      expect([ids.includes(old ?? 0), ids.includes(waiting ?? 0)]).toEqual([false, true]);
    });
  });
});
