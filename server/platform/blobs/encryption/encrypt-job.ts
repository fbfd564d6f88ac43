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

export function encryptJob({ database, blobs }: { readonly database: Database; readonly blobs: BlobStore }) {
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
          const isWhole = await renewed(blobs, blob);
          if (!isWhole) damaged += 1;
          seen.push({ key: blob.storageKey, version: isWhole ? version : DAMAGED });
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

async function renewed(blobs: BlobStore, blob: StoredBlob): Promise<boolean> {
  try {
    await blobs.renew(blob);
    return true;
  } catch (error) {
    if (error instanceof Refusal && error.code === 'integrity') return false;
    throw error;
  }
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
