// Jobs that one process looks for by itself, on both engines: that it can always be stopped, and what it leaves then.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { eventually } from '../../testing/eventually.ts';
import { HandClock } from '../../testing/hand-clock.ts';
import { DATABASE_KINDS, openTestDatabase, type TestDatabase } from '../../testing/test-database.ts';
import { HOUR_MS } from '../clock.ts';
import type { Database } from '../db/database.ts';
import { silent } from './job-log.ts';
import { JOBS_GRACE_MS, Jobs } from './jobs.ts';
import { jobKind } from './kinds.ts';

describe.each(DATABASE_KINDS)('jobs that a process looks for on %s', { timeout: 30_000 }, (engine) => {
  let folder: string;
  let test: TestDatabase;
  let nowMs: number;
  let ran: number;
  let run: () => Promise<void>;
  let isWanted: () => Promise<boolean>;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'coffer-test-'));
    test = await openTestDatabase(engine, join(folder, 'coffer.db'), { migrated: true });
    nowMs = Date.now();
    ran = 0;
    run = async () => {};
    isWanted = async () => false;
  });
  afterEach(async () => {
    await test.database.close();
    await test.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  function process({ database = test.database, clock = new HandClock() } = {}) {
    const kind = {
      title: 'Do what the test says',
      acts: 'system',
      payload: z.strictObject({}),
      attempts: 3,
      retryAfterMs: HOUR_MS,
      atOnce: 1,
    } as const;
    const actingFor = () => {
      throw new Error('None of these acts for a person');
    };
    return new Jobs(
      { database, now: () => nowMs, clock, actingFor, alone: true },
      {
        work: jobKind({
          ...kind,
          run: async () => {
            ran += 1;
            await run();
          },
        }),
        wanted: jobKind({ ...kind, run: async () => {}, isWanted: () => isWanted() }),
        // As many as the server has: a look takes longer than it takes to hand a job back.
        ...Object.fromEntries(
          Array.from({ length: 25 }, (_, index) => [`other${index}`, jobKind({ ...kind, run: async () => {} })]),
        ),
      },
    );
  }

  type Process = ReturnType<typeof process>;
  const order = (jobs: Process, runAt = nowMs) =>
    test.database.transaction((tx) => jobs.enqueue(tx, { kind: 'work', payload: {}, runAt }));
  const rows = () => test.database.reader.selectFrom('jobs').select(['state', 'attempts']).execute();

  it('are left where they are when the process ends while it looks for them', async () => {
    const jobs = process();
    await jobs.start();
    await order(jobs, nowMs + HOUR_MS);
    nowMs += HOUR_MS;
    const looking = Promise.withResolvers<void>();
    const gate = Promise.withResolvers<boolean>();
    isWanted = () => {
      looking.resolve();
      return gate.promise;
    };
    void jobs.tick();
    await looking.promise;
    const stopped = jobs.stop();
    gate.resolve(false);
    await stopped;
    expect([ran, await rows()]).toEqual([0, [{ state: 'waiting', attempts: 0 }]]);
  });

  it('are ordered also while it cannot be found out whether there is work for another kind', async () => {
    isWanted = async () => {
      throw new Error('The key of the files is missing');
    };
    const jobs = process().extend({
      after: jobKind({
        title: 'Do what comes after it',
        acts: 'system',
        payload: z.strictObject({}),
        attempts: 3,
        retryAfterMs: HOUR_MS,
        atOnce: 1,
        isWanted: async () => ran === 0,
        run: async () => {
          ran += 1;
        },
      }),
    });
    const said: unknown[] = [];
    await jobs.start({ ...silent, error: (...line) => void said.push(line) });
    await eventually(() => expect(ran).toBe(1));
    await jobs.stop();
    expect(said).toEqual([[expect.objectContaining({ kind: 'wanted' }), expect.stringContaining('found out')]]);
  });

  it('are not started twice', async () => {
    const jobs = process();
    await jobs.start();
    await expect(jobs.start()).rejects.toThrow('run already');
    await jobs.stop();
    await jobs.start();
    await jobs.stop();
  });

  it('are not begun behind the back of a process that ends', async () => {
    let open = 0;
    const transaction: Database['transaction'] = async (work) => {
      open += 1;
      await gate.promise;
      return test.database.transaction(work).finally(() => {
        open -= 1;
      });
    };
    const gate = Promise.withResolvers<void>();
    const jobs = process({ database: { ...test.database, transaction } });
    await order(jobs);
    await jobs.start();
    expect(open).toBe(1);
    const stopped = jobs.stop();
    gate.resolve();
    await stopped;
    expect([open, ran, await rows()]).toEqual([0, 0, [{ state: 'waiting', attempts: 0 }]]);
  });

  it('that do not listen are left behind, said so, and waited for once', async () => {
    const clock = new HandClock();
    const jobs = process({ clock });
    const said: unknown[] = [];
    run = () => new Promise(() => {});
    await order(jobs);
    await jobs.start({ ...silent, error: (...line) => void said.push(line) });
    await eventually(() => expect(ran).toBe(1));
    let isOver = false;
    const [stopped, alsoStopped] = [jobs.stop(), jobs.stop()];
    void alsoStopped.then(() => {
      isOver = true;
    });
    for (const ms of [JOBS_GRACE_MS, 1_000]) {
      await eventually(() => expect(clock.waiting).toBe(1));
      expect(isOver).toBe(false);
      clock.advance(ms);
    }
    await Promise.all([stopped, alsoStopped]);
    expect(said).toMatchObject([[{ kind: 'work' }, expect.stringContaining('left behind')]]);
    await jobs.start();
    await jobs.stop();
  });
});
