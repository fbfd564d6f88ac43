// The job that backs the firm up once a day: in a process of its own, by the command that an operator would give.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import process from 'node:process';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { backupRunsAt, lastBackupRun, recordBackupRun } from '../audit/backup-runs.ts';
import { type Config, environmentFor } from '../config.ts';
import { CLOCKS_DIFFER_MS } from '../platform/clock.ts';
import type { Database } from '../platform/db/database.ts';
import { jobKind } from '../platform/jobs/kinds.ts';
import { ENDING_SIGNALS, EXIT } from './backup-refusal.ts';
import { backupPlace, placeName } from './target.ts';

const KIND = 'backups.make';
const COMMAND = join(import.meta.dirname, '../admin.ts');

interface Stores {
  readonly database: Database;
  readonly config: Config;
  readonly now: () => number;
}

/** The last moment at which the clock of this machine showed `at` (HH:MM), in ms since 1970. */
export function lastMomentOf(at: string, nowMs: number): number {
  const [hours = 0, minutes = 0] = at.split(':').map(Number);
  const moment = new Date(nowMs);
  moment.setHours(hours, minutes, 0, 0);
  if (moment.getTime() > nowMs) moment.setDate(moment.getDate() - 1);
  return moment.getTime();
}

/** As its runs are written down. */
const nameOf = (url: string): string => placeName(backupPlace(url, 'BACKUP_URL'));

async function wasOrdered({ reader }: Database, since: number, until: number): Promise<boolean> {
  const jobs = reader.selectFrom('jobs').select('id').where('kind', '=', KIND);
  const job = jobs.where('created_at', '>=', since).where('created_at', '<=', until).limit(1);
  return (await job.executeTakeFirst()) !== undefined;
}

export function backupJob({ database, config, now }: Stores) {
  const { backup } = config;
  return jobKind({
    title: 'Back up',
    acts: 'system',
    payload: z.strictObject({}),
    attempts: 3,
    retryAfterMs: 10 * 60_000,
    atOnce: 1,
    // What counts is a whole one there since then, by hand too, and any try of this job: one that failed is tried again by its attempts, and
    // then on the next day. What failed by hand does not.
    async isWanted() {
      if (backup === null) return false;
      const since = lastMomentOf(backup.at, now());
      // One of a time to come was begun before the clock was put back.
      const until = now() + CLOCKS_DIFFER_MS;
      const runs = await backupRunsAt(database, nameOf(backup.url), { since, until });
      if (runs.some(({ name, damaged }) => name !== null && damaged === 0)) return false;
      return runs.length === 0 || !(await wasOrdered(database, since, until));
    },
    async run({ signal }) {
      if (backup === null) return { summary: 'BACKUP_URL is not set.' };
      const begunAt = now();
      const before = await lastBackupRun(database);
      const { code, endedBy, said } = await asOperator({ database, config }, signal);
      signal.throwIfAborted();
      const last = await lastBackupRun(database);
      const run = last !== null && last.id !== before?.id ? last : null;
      if (run?.name) {
        const damaged = run.damaged === 0 ? 'whole' : `${run.damaged} files were damaged at the firm already`;
        const after = run.fault === null ? '' : ` Something after it failed: ${run.fault}`;
        return { summary: `Backup ${run.name}: ${run.files} files, ${damaged}.${after}` };
      }
      // systemd tells it to end together with the server. The next attempt goes on.
      if (ENDING_SIGNALS.some((name) => name === endedBy)) throw new Error('The backup was told to end.');
      const fault = run?.fault ?? said ?? `The backup ended with ${code ?? endedBy} and said nothing.`;
      // Where another one is running, that one tells how it ended.
      if (run === null && code !== EXIT.busy)
        await recordBackupRun(database, { place: nameOf(backup.url), begunAt, endedAt: now(), made: null, fault });
      throw new Error(fault);
    },
  });
}

/** Resolves to its exit code or what ended it, and the last line of what it complained of. */
async function asOperator({ database, config }: Omit<Stores, 'now'>, signal: AbortSignal) {
  const { url = '', keep = null } = config.backup ?? {};
  const env = environmentFor(config, database.url ?? config.databaseUrl);
  const args = [COMMAND, 'backup', url, ...(keep === null ? [] : ['--keep', keep])];
  // An abort that came before is told to no listener.
  signal.throwIfAborted();
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'pipe'] });
  const end = () => child.kill('SIGTERM');
  signal.addEventListener('abort', end, { once: true });
  try {
    const [said, [code, endedBy]] = await Promise.all([text(child.stderr), once(child, 'close')]);
    const how = { code: code as number | null, endedBy: endedBy as NodeJS.Signals | null };
    return { ...how, said: said.trim().split('\n').at(-1) || null };
  } finally {
    signal.removeEventListener('abort', end);
  }
}
