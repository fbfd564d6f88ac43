// The job that has every stored file encrypted under the newest key: those that were in plain before, and all after a rotation.

import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import { z } from 'zod';
import { Refusal } from '#contract/errors.ts';
import { inFigures } from '#contract/plain-words.ts';
import type { Database } from '../../db/database.ts';
import { jobKind } from '../../jobs/kinds.ts';
import type { BlobStore, StoredBlob } from '../blob-store.ts';

/** So many files between two writes to the database. */
const BATCH = 100;
/** What is written of a file whose bytes are missing or not those that were stored: it stays as it is. */
const DAMAGED = -1;

interface Stores {
  readonly database: Database;
  readonly blobs: BlobStore;
}

export function encryptJob({ database, blobs }: Stores) {
  return jobKind({
    title: 'Encrypt stored files',
    acts: 'system',
    payload: z.strictObject({}),
    attempts: 20,
    retryAfterMs: 60_000,
    atOnce: 1,
    resumes: true,
    isWanted: async () => {
      const version = await blobs.keyVersion();
      return version !== null && (await waiting(database, version).limit(1).executeTakeFirst()) !== undefined;
    },
    async run({ signal, progress }) {
      const version = await blobs.keyVersion();
      if (version === null) return { summary: 'Files are stored in plain.' };
      const { total } = await waiting(database, version)
        .clearSelect()
        .select(({ fn }) => fn.countAll<number>().as('total'))
        .executeTakeFirstOrThrow();
      let [done, damaged] = [0, 0];
      for (;;) {
        signal.throwIfAborted();
        const startedMs = performance.now();
        // As the index has them. What was seen is among them no more.
        const some = await waiting(database, version)
          .orderBy('key_version')
          .orderBy('storage_key')
          .limit(BATCH)
          .execute();
        if (some.length === 0) break;
        const seen: { readonly key: string; readonly version: number }[] = [];
        for (const blob of some) {
          signal.throwIfAborted();
          const outcome = await renew({ database, blobs }, blob);
          if (outcome === 'released') continue;
          if (outcome === 'damaged') damaged += 1;
          seen.push({ key: blob.storageKey, version: outcome === 'damaged' ? DAMAGED : version });
          done += 1;
          progress(done, Math.max(total, done));
        }
        await noteVersions(database, seen);
        // Half of the time is left to everybody else.
        await setTimeout(performance.now() - startedMs, undefined, { signal });
      }
      const summary = `${inFigures(done - damaged)} ${done - damaged === 1 ? 'file is' : 'files are'} encrypted under key ${version}.`;
      if (damaged === 0) return { summary };
      return {
        summary: `${summary} ${inFigures(damaged)} could not be: their bytes are missing or not what was stored.`,
      };
    },
  });
}

/** Live blobs under an older key, or under none as far as is known. */
const waiting = ({ reader }: Database, version: number) =>
  reader
    .selectFrom('blobs')
    .select(['storage_key as storageKey', 'size_bytes as sizeBytes', 'sha256'])
    .where('key_version', '>=', 0)
    .where('key_version', '<', version);

/** Has the blob encrypted as new ones are. What is written of one that is purged meanwhile is removed again. */
async function renew({ database, blobs }: Stores, blob: StoredBlob): Promise<'renewed' | 'damaged' | 'released'> {
  let fault: unknown;
  try {
    await blobs.renew(blob);
  } catch (error) {
    fault = error;
  }
  // Whoever purges it removes the bytes once the row is gone: after this look, or the row is missed here.
  if (!(await isKnown(database, blob))) {
    await blobs.remove(blob.storageKey);
    return 'released';
  }
  if (fault === undefined) return 'renewed';
  if (fault instanceof Refusal && fault.code === 'integrity') return 'damaged';
  throw fault;
}

async function isKnown({ reader }: Database, { storageKey }: StoredBlob): Promise<boolean> {
  const row = reader.selectFrom('blobs').select('storage_key').where('storage_key', '=', storageKey);
  return (await row.executeTakeFirst()) !== undefined;
}

async function noteVersions(
  database: Database,
  seen: readonly { readonly key: string; readonly version: number }[],
): Promise<void> {
  await database.transaction(async (tx) => {
    const rows =
      database.kind === 'postgres'
        ? sql`json_to_recordset(${JSON.stringify(seen)}::json) as seen (key text, version bigint)`
        : sql`(select value ->> 'key' as key, value ->> 'version' as version from json_each(${JSON.stringify(seen)})) as seen`;
    await sql`update blobs set key_version = seen.version from ${rows} where blobs.storage_key = seen.key`.execute(tx);
  });
}
