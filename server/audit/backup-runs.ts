// How backups ended: written by each of them, read by the schedule and by whoever looks after the portal. And whether it was just restored.
import type { Selectable } from 'kysely';
import type { BackupFacts } from '#contract/activity.ts';
import { restoredPortalDetails } from '#contract/activity-words.ts';
import type { Config } from '../config.ts';
import { DAY_MS } from '../platform/clock.ts';
import type { Database } from '../platform/db/database.ts';
import type { Schema } from '../platform/db/schema.ts';
import { SYSTEM } from './record.ts';

export interface BackupRun {
  /** Without credentials. */
  readonly place: string;
  /** ms since 1970. */
  readonly begunAt: number;
  readonly endedAt: number;
  /** Null where it came to none. */
  readonly made: {
    readonly name: string;
    readonly files: number;
    readonly sizeBytes: number;
    /** How many files were missing or damaged at the firm already. */
    readonly damaged: number;
  } | null;
  /** Why it came to none, or what failed after it was made, in one line. */
  readonly fault: string | null;
}

export async function recordBackupRun(database: Database, run: BackupRun): Promise<void> {
  const { place, begunAt, endedAt, made, fault } = run;
  const row = {
    place,
    name: made?.name ?? null,
    begun_at: begunAt,
    ended_at: endedAt,
    files: made?.files ?? 0,
    size_bytes: made?.sizeBytes ?? 0,
    damaged: made?.damaged ?? 0,
    fault,
  };
  await database.transaction((tx) => tx.insertInto('backup_runs').values(row).execute());
}

type Run = Selectable<Schema['backup_runs']>;

/** The one that was recorded last; null where there is none. */
export async function lastBackupRun({ reader }: Pick<Database, 'reader'>): Promise<Run | null> {
  const last = await reader.selectFrom('backup_runs').selectAll().orderBy('id', 'desc').limit(1).executeTakeFirst();
  return last ?? null;
}

/** Those at this place that were begun within that time (ms since 1970). */
export function backupRunsAt(
  { reader }: Pick<Database, 'reader'>,
  place: string,
  { since, until }: { readonly since: number; readonly until: number },
): Promise<Run[]> {
  const runs = reader.selectFrom('backup_runs').selectAll().where('place', '=', place);
  return runs.where('begun_at', '>=', since).where('begun_at', '<=', until).execute();
}

/** The last one that came to a backup. */
async function lastMadeBackup({ reader }: Pick<Database, 'reader'>): Promise<Run | null> {
  const runs = reader.selectFrom('backup_runs').selectAll().where('name', 'is not', null);
  return (await runs.orderBy('id', 'desc').limit(1).executeTakeFirst()) ?? null;
}

/** Since when the firm is there, by its built-in roles, which nobody removes; null before its first start. */
async function oldestRole({ reader }: Pick<Database, 'reader'>): Promise<number | null> {
  const roles = reader.selectFrom('roles').select('created_at').orderBy('created_at').limit(1);
  return (await roles.executeTakeFirst())?.created_at ?? null;
}

/** One that was missed may be made up for on the next day. By hand, or by a schedule of the operator's, many back up once a week. */
const OLD_AFTER_MS = { daily: 2 * DAY_MS, byHand: 7 * DAY_MS };

interface BackedUp {
  /** The run that was recorded last. */
  readonly tried: Run | null;
  /** The last that came to a backup. */
  readonly made: Run | null;
  /** Since when the firm is there (ms since 1970); null where nothing says so, which is long ago. */
  readonly firmSince: number | null;
}

export async function readBackedUp(database: Pick<Database, 'reader'>): Promise<BackedUp> {
  const [tried, made, firmSince] = await Promise.all([
    lastBackupRun(database),
    lastMadeBackup(database),
    oldestRole(database),
  ]);
  return { tried, made, firmSince };
}

/** How the portal is backed up; null where none is set up and none was made. */
export function presentBackup(
  { tried, made, firmSince }: BackedUp,
  config: Pick<Config, 'backup'>,
  nowMs: number,
): BackupFacts | null {
  const isDaily = config.backup !== null;
  if (tried === null && !isDaily) return null;
  // Where none was made the firm itself has waited for one as long as it is there.
  const since = made === null ? (firmSince ?? 0) : made.ended_at;
  return {
    last: made && {
      endedAt: new Date(made.ended_at).toISOString(),
      files: made.files,
      sizeBytes: made.size_bytes,
      damaged: made.damaged,
      place: made.place,
    },
    fault: tried?.name === null ? tried.fault : null,
    faultAfter: tried?.name ? tried.fault : null,
    isDaily,
    isOld: (made !== null || isDaily) && nowMs - since > OLD_AFTER_MS[isDaily ? 'daily' : 'byHand'],
  };
}

/** Whether a backup of the firm has ever ended at this place. */
export async function hasBackedUpTo({ reader }: Pick<Database, 'reader'>, place: string): Promise<boolean> {
  const run = await reader
    .selectFrom('backup_runs')
    .select('id')
    .where('place', '=', place)
    .where('name', 'is not', null)
    .limit(1)
    .executeTakeFirst();
  return run !== undefined;
}

/** How long nothing is purged after a restore: holds that were placed after the backup are gone, and are placed again meanwhile. */
export const KEPT_AFTER_RESTORE_MS = DAY_MS;

/** Whether the portal was restored so lately, by the entry that a restored one begins with. */
export async function wasJustRestored({ reader }: Pick<Database, 'reader'>, at: number): Promise<boolean> {
  const entry = await reader
    .selectFrom('activity')
    .select('id')
    .where('user_id', '=', SYSTEM.id)
    .where('at', '>', at - KEPT_AFTER_RESTORE_MS)
    .where('details', 'like', restoredPortalDetails('%'))
    .limit(1)
    .executeTakeFirst();
  return entry !== undefined;
}
