// How backups ended: written by each of them, read by the schedule and by whoever looks after the portal.
import type { Selectable } from 'kysely';
import type { Database } from '../db/database.ts';
import type { Schema } from '../db/schema.ts';

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
  /** Why it came to none, in one line. */
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

/** The one that was recorded last; null where there is none. */
export async function lastBackupRun({
  reader,
}: Pick<Database, 'reader'>): Promise<Selectable<Schema['backup_runs']> | null> {
  const last = await reader.selectFrom('backup_runs').selectAll().orderBy('id', 'desc').limit(1).executeTakeFirst();
  return last ?? null;
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
