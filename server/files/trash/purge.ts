// What leaves the trash for good once its time is over: the rows with an entry in the log that names it, then the bytes.
import { type SqlBool, sql } from 'kysely';
import { purgedDetails } from '#contract/activity-words.ts';
import type { TrashKind } from '#contract/trash-kinds.ts';
import { insertActivity, SYSTEM } from '../../audit/record.ts';
import { releaseBlobs } from '../../platform/blobs/blob-rows.ts';
import type { BlobStore } from '../../platform/blobs/blob-store.ts';
import type { Database } from '../../platform/db/database.ts';
import { isHeldEntry } from './holds.ts';

/** In one transaction: others write in between. */
const PURGED_AT_ONCE = 100;

/**
 * Purges what is over. Bytes go after the commit: what is interrupted in between is released, and the sweep removes it. May run
 * twice at once.
 */
export async function purgeTrash(database: Database, blobs: Pick<BlobStore, 'remove'>, at: number): Promise<void> {
  // A client after its files, and these after their earlier versions: half of it is never left behind under its name.
  for (const kind of ['version', 'file', 'client'] as const) {
    for (;;) {
      const { purged, storageKeys } = await purgeSome(database, kind, at);
      for (const storageKey of storageKeys) await blobs.remove(storageKey);
      if (purged === 0) break;
    }
  }
}

function purgeSome(
  database: Database,
  kind: TrashKind | 'version',
  at: number,
): Promise<{ purged: number; storageKeys: string[] }> {
  return database.transaction(async (tx) => {
    // Nobody puts anything on hold meanwhile.
    await database.share(tx, 'rights');
    const due = tx
      .selectFrom('trash')
      .select('id')
      .where('kind', '=', kind)
      .where('gone_at', '<=', at)
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
  });
}
