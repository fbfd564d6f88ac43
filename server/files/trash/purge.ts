// What leaves the trash for good once its time is over: the rows with an entry in the log that names it, then the bytes.
import { type Expression, type Kysely, type SqlBool, sql } from 'kysely';
import { purgedDetails } from '#contract/activity-words.ts';
import type { TrashKind } from '#contract/trash-kinds.ts';
import { wasJustRestored } from '../../audit/backup-runs.ts';
import { insertActivity, SYSTEM } from '../../audit/record.ts';
import { releaseBlobs } from '../../platform/blobs/blob-rows.ts';
import type { BlobStore } from '../../platform/blobs/blob-store.ts';
import type { Database } from '../../platform/db/database.ts';
import { isListedId, listText } from '../../platform/db/id-list.ts';
import type { Schema } from '../../platform/db/schema.ts';
import { isHeldEntry } from './holds.ts';

/** In one transaction: others write in between. */
const PURGED_AT_ONCE = 100;

/**
 * Purges what is over, and nothing for a day after a restore. Bytes go after the commit: what is interrupted in between is released, and
 * the sweep removes it. May run twice at once.
 */
export async function purgeTrash(database: Database, blobs: Pick<BlobStore, 'remove'>, at: number): Promise<void> {
  if (await wasJustRestored(database, at)) return;
  // A client after its files, and these after their earlier versions: half of it is never left behind under its name.
  for (const kind of ['version', 'file', 'client'] as const) {
    for (;;) {
      const { purged, storageKeys } = await purgeSome(database, kind, at);
      for (const storageKey of storageKeys) await blobs.remove(storageKey);
      if (purged === 0) break;
    }
  }
}

interface Purged {
  readonly purged: number;
  /** Of bytes that go after the commit. */
  readonly storageKeys: readonly string[];
}

function purgeSome(database: Database, kind: TrashKind | 'version', at: number): Promise<Purged> {
  return database.transaction(async (tx) => {
    // Nobody puts anything on hold meanwhile.
    await database.share(tx, 'rights');
    return purgeEntries(tx, kind, sql<SqlBool>`trash.gone_at <= ${at}`, at);
  });
}

/**
 * Purges files that have just come into the trash, with their earlier versions, in the transaction that took them there and in which
 * nobody puts anything on hold. Answers the keys of the bytes that go after the commit.
 */
export async function purgeFiles(tx: Kysely<Schema>, ids: readonly number[], at: number): Promise<readonly string[]> {
  const storageKeys: string[] = [];
  for (const [kind, column] of [
    ['version', 'trash.version_of'],
    ['file', 'trash.item_id'],
  ] as const) {
    for (;;) {
      const some = await purgeEntries(tx, kind, isListedId(column, listText(ids)), at);
      storageKeys.push(...some.storageKeys);
      if (some.purged === 0) break;
    }
  }
  return storageKeys;
}

/** Purges those entries of a kind for which `where` holds (over `trash`) and that are not on hold, as many as go at once. */
async function purgeEntries(
  tx: Kysely<Schema>,
  kind: TrashKind | 'version',
  where: Expression<SqlBool>,
  at: number,
): Promise<Purged> {
  const due = tx
    .selectFrom('trash')
    .select('id')
    .where('kind', '=', kind)
    .where(where)
    .where(sql<SqlBool>`not ${isHeldEntry}`)
    .orderBy('gone_at')
    .limit(PURGED_AT_ONCE);
  const gone = await tx
    .deleteFrom('trash')
    .where('id', 'in', due)
    .returning(['item_id', 'name', 'client_id', 'client_name', 'sha256', 'storage_key'])
    .execute();
  const storageKeys = gone.flatMap(({ storage_key }) => storage_key ?? []);
  await releaseBlobs(tx, storageKeys, at);
  for (const { item_id, name, client_id, client_name, sha256 } of gone) {
    const client = { id: client_id, name: client_name };
    const entry =
      kind === 'client'
        ? { details: purgedDetails('client', name), client }
        : {
            details: `${purgedDetails(kind === 'version' ? 'earlier version' : 'file', name)} (SHA-256 ${sha256})`,
            file: { id: item_id, name },
            client,
          };
    await insertActivity(tx, SYSTEM, { action: 'delete', ...entry }, at);
  }
  return { purged: gone.length, storageKeys };
}
