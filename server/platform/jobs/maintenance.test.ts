// Maintenance as background jobs: when it runs, how a start brings it forward, and what is forgotten of jobs.

import { describe, expect, it, vi } from 'vitest';
import { type ScriptedJobs, scriptedJobs, WITHIN } from '../../testing/scripted-jobs.ts';
import type { TestApp } from '../../testing/test-app.ts';
import { DATABASE_KINDS } from '../../testing/test-database.ts';
import { DAY_MS, HOUR_MS } from '../clock.ts';

describe.each(DATABASE_KINDS)('jobs on %s', { timeout: 120_000 }, (engine) => {
  let app: TestApp;
  let jobs: ScriptedJobs;
  const { another, listed, order, pass, reaches, script } = scriptedJobs(engine, (met) => {
    ({ app, jobs } = met);
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
        jobs = another();
        await jobs.start();
      };
      await restart();
      await settles(MAINTENANCE.length);
      app.advance(2 * HOUR_MS);
      await restart();
      await settles(2 * MAINTENANCE.length);
    });

    it('goes on at once after the clock was put back a day', async () => {
      const settles = (count: number) =>
        vi.waitFor(async () => {
          const states = (await maintenance()).map(({ state }) => state);
          expect([
            states.filter((state) => state === 'done').length,
            states.filter((state) => state === 'waiting').length,
          ]).toEqual([count, MAINTENANCE.length]);
        }, WITHIN);
      await jobs.start();
      await settles(MAINTENANCE.length);
      await pass(0);
      await pass(-DAY_MS);
      await settles(2 * MAINTENANCE.length);
      // Once: what ended in a time to come brings nothing forward again.
      await pass(HOUR_MS / 2);
      await settles(2 * MAINTENANCE.length);
      app.advance(DAY_MS);
    });

    it('forgets jobs that ended two weeks ago, and no others', async () => {
      script(async () => {});
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
