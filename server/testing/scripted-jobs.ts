// Jobs that do what a test says, and the processes that run them: what the tests of background jobs share.
import { afterAll, afterEach, beforeAll, beforeEach, expect, vi } from 'vitest';
import { z } from 'zod';
import type { JobRow } from '#contract/jobs.ts';
import { type CofferJobs, cofferJobs } from '../coffer-jobs.ts';
import { actingFor } from '../people/access/principal.ts';
import { type Clock, MINUTE_MS, systemClock } from '../platform/clock.ts';
import type { DatabaseKind } from '../platform/db/database.ts';
import { Jobs } from '../platform/jobs/jobs.ts';
import { jobKind, type RunningJob } from '../platform/jobs/kinds.ts';
import { nameColumns } from '../platform/names/name-forms.ts';
import { openSealer } from '../platform/sealed.ts';
import { ADMIN_PASSWORD, type Caller, startTestApp, type TestApp } from './test-app.ts';

export const WITHIN = { timeout: 25_000, interval: 20 };

type Named = RunningJob<{ name: string }>;
/** What the next runs of `test.scripted` do, in order; the last one repeats. */
type Script = (job: Named) => Promise<unknown>;

function testKinds(run: Script) {
  const scripted = {
    title: 'Do what the test says',
    payload: z.strictObject({ name: z.string() }),
    attempts: 3,
    retryAfterMs: MINUTE_MS,
    run,
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

/** Every kind of job of the product, as `app` runs it; but texts stay unread, so that reading them is not ordered by itself. */
export function kindsOf({ context, database }: TestApp) {
  const { services, sessions, attempts, factors, scopes } = context;
  return cofferJobs({
    ...services,
    database,
    sessions,
    attempts,
    factors,
    scopes,
    config: { ...services.config, ocr: false, searchInside: false },
    sealer: openSealer(services.config.secretsKeyFile),
    findPerson: sessions.byPerson,
  });
}

export type ScriptedJobs = Jobs<CofferJobs & ReturnType<typeof testKinds>>;

/** What each test meets: the application, an Admin, and a process that runs jobs once it is started. */
interface JobsMet {
  readonly app: TestApp;
  readonly admin: Caller;
  readonly jobs: ScriptedJobs;
}

/** Within a `describe`: one application for all its tests, each of which removes what it made and has a runner of its own, told to `onReady`. */
export function scriptedJobs(engine: DatabaseKind, onReady: (met: JobsMet) => void) {
  let app: TestApp;
  let scripts: Script[];
  let admin: Caller;
  let jobs: ScriptedJobs;
  const started: { stop(): Promise<void> }[] = [];
  const kinds = () =>
    testKinds((job) => {
      const script = scripts.length > 1 ? scripts.shift() : scripts[0];
      return script?.(job) ?? Promise.resolve();
    });

  beforeAll(async () => {
    app = await startTestApp(engine, {}, { jobs: 'delivered as in use' });
    app.context.jobs.extend(kinds());
  });
  beforeEach(async () => {
    scripts = [];
    admin = await app.login('admin', ADMIN_PASSWORD);
    jobs = process();
    onReady({ app, admin, jobs });
  });
  afterEach(async () => {
    await Promise.all(started.splice(0).map((one) => one.stop()));
    await app.database.transaction(async (tx) => {
      await tx.deleteFrom('jobs').execute();
      await tx.deleteFrom('report_types').execute();
    });
  });
  afterAll(() => app.close());

  /** Another process that runs jobs once it is started; its time is `aheadMs` ahead. */
  function process(aheadMs = 0, clock: Clock = systemClock): ScriptedJobs {
    const { database, now } = app;
    const { scopes, sessions } = app.context;
    const one = new Jobs(
      {
        database,
        now: () => now() + aheadMs,
        clock,
        actingFor: (id) => actingFor(id, { scopes, findPerson: sessions.byPerson }),
      },
      { ...kindsOf(app), ...kinds() },
    );
    started.push(one);
    return one;
  }

  /** A process in the place of the one that the test has met. */
  function another(clock?: Clock): ScriptedJobs {
    jobs = process(0, clock);
    return jobs;
  }

  /** Says what the next runs do, in order; the last one repeats. */
  const script = (...next: Script[]) => {
    scripts = next;
  };

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

  return { another, effects, job, listed, order, pass, process, reaches, script };
}
