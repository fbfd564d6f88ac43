// The rows of prepared ZIPs: what a job makes of one, and what maintenance and their owners remove.
import { type Kysely, sql } from 'kysely';
import { releaseBlobs } from '../../platform/blobs/blob-rows.ts';
import type { Database } from '../../platform/db/database.ts';
import { isListedId, listText } from '../../platform/db/id-list.ts';
import type { Schema } from '../../platform/db/schema.ts';
import { cancelJob } from '../../platform/jobs/job-table.ts';

type Tx = Kysely<Schema>;

/** How long a ZIP is kept, from when it is ready; one that does not get ready, from when it was last ordered. */
export const KEPT_MS = 24 * 60 * 60_000;

export interface MadeArchive {
  readonly storageKey: string;
  readonly name: string;
  readonly fileIds: readonly number[];
  readonly at: number;
}

/** Enters the ZIP that `jobId` made; false where nobody waits for it any more. */
export async function enterArchive(
  tx: Tx,
  { id, jobId }: { readonly id: number; readonly jobId: number },
  { storageKey, name, fileIds, at }: MadeArchive,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('archives')
    .set({
      storage_key: storageKey,
      name,
      file_ids: JSON.stringify(fileIds),
      ready_at: at,
      expires_at: at + KEPT_MS,
      fault: null,
    })
    .where('id', '=', id)
    .where('job_id', '=', jobId)
    .where('storage_key', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Takes back the bytes of a ZIP that may not be downloaded any more; returns the key that is removed afterwards. */
export async function emptyArchive(tx: Tx, id: number, fault: string, at: number): Promise<string[]> {
  const row = await tx.selectFrom('archives').select('storage_key').where('id', '=', id).executeTakeFirst();
  if (row === undefined || row.storage_key === null) return [];
  await tx
    .updateTable('archives')
    .set({ storage_key: null, name: null, file_ids: null, ready_at: null, fault })
    .where('id', '=', id)
    .execute();
  await releaseBlobs(tx, [row.storage_key], at);
  return [row.storage_key];
}

/** Removes ZIPs, also those that are being prepared; returns the keys whose bytes are removed afterwards. */
export async function removeArchives(tx: Tx, ids: readonly number[], at: number): Promise<string[]> {
  if (ids.length === 0) return [];
  const removed = await tx
    .deleteFrom('archives')
    .where(isListedId('archives.id', listText(ids)))
    .returning(['storage_key', 'job_id'])
    .execute();
  const keys = removed.flatMap(({ storage_key }) => storage_key ?? []);
  await releaseBlobs(tx, keys, at);
  for (const { job_id } of removed) if (job_id !== null) await cancelJob(tx, job_id, at);
  return keys;
}

/** ZIPs that are over: their time has passed, or their owner was deleted. */
async function archivesOver(db: Tx, at: number): Promise<number[]> {
  const rows = await db
    .selectFrom('archives')
    .select('archives.id as id')
    .where(({ or, eb, not, exists, selectFrom }) =>
      or([
        eb('archives.expires_at', '<=', at),
        not(exists(selectFrom('users').select(sql`1`.as('one')).whereRef('users.id', '=', 'archives.owner_id'))),
      ]),
    )
    .execute();
  return rows.map(({ id }) => id);
}

/** ZIPs with a file in them that was deleted since. */
async function archivesOutdated(db: Tx): Promise<number[]> {
  const made = await db
    .selectFrom('archives')
    .select(['id', 'file_ids'])
    .where('storage_key', 'is not', null)
    .execute();
  const outdated: number[] = [];
  for (const { id, file_ids } of made) {
    const ids = JSON.parse(file_ids ?? '[]') as number[];
    const { n } = await db
      .selectFrom('files')
      .select(({ fn }) => fn.countAll<number>().as('n'))
      .where(isListedId('files.id', listText(ids)))
      .executeTakeFirstOrThrow();
    if (Number(n) < ids.length) outdated.push(id);
  }
  return outdated;
}

/**
 * Removes the ZIPs that are over, and the bytes of those that hold a deleted file, with `fault` as the reason; returns the keys
 * whose bytes are removed afterwards.
 */
export async function clearArchives(database: Database, fault: string, at: number): Promise<string[]> {
  const [over, outdated] = [await archivesOver(database.reader, at), await archivesOutdated(database.reader)];
  if (over.length === 0 && outdated.length === 0) return [];
  return database.transaction(async (tx) => {
    const keys = await removeArchives(tx, over, at);
    for (const id of outdated) keys.push(...(await emptyArchive(tx, id, fault, at)));
    return keys;
  });
}
