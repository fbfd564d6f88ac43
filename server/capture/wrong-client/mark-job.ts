// The job that judges uploads after they were stored, and marks what names another client for staff: people in turn.
// Whatever ends it, it goes on where it was.
import { z } from 'zod';
import type { BlobStore } from '../../blobs/blob-store.ts';
import type { Clock } from '../../clock.ts';
import type { Database } from '../../db/database.ts';
import { jobKind } from '../../jobs/kinds.ts';
import { serveInTurn } from '../../jobs/serve-in-turn.ts';
import { ThreadLimit } from '../../jobs/thread.ts';
import { ATTEMPTS_MAX, beginJudging, hasFilesToJudge, nextToJudge, senderAfter, storeJudgement } from './mark-rows.ts';
import { NamedClients } from './named-clients.ts';

/** Nobody waits for it. */
const FILE_MS = 60_000;

export interface MarkStores {
  readonly database: Database;
  readonly blobs: Pick<BlobStore, 'read'>;
  readonly clock: Clock;
  readonly now: () => number;
}

export function markUploadsJob({ database, blobs, clock, now }: MarkStores) {
  return jobKind({
    title: 'Look for uploads that name another client',
    acts: 'system',
    payload: z.strictObject({}),
    attempts: ATTEMPTS_MAX,
    retryAfterMs: 30_000,
    atOnce: 1,
    isWanted: () => hasFilesToJudge(database),
    async run({ signal }) {
      // A thread of its own: who waits for the answer to an upload does not wait for this.
      const clients = new NamedClients({ database, blobs, clock, withinMs: FILE_MS, isAwaited: false });
      try {
        const personAfter = (id: number) => senderAfter(database, id);
        const serve = async (person: number) => {
          const file = await nextToJudge(database, person);
          if (file === null) return;
          await beginJudging(database, file.id);
          let fault: unknown = null;
          const onFault = (error: unknown) => {
            fault = error;
          };
          const { contentType, byNamesAlone } = file;
          const named = await clients.in({ blob: file, contentType, byNamesAlone: byNamesAlone === 1, onFault });
          // What takes too long or too much is not read; any other fault is tried again.
          if (fault !== null && !(fault instanceof ThreadLimit)) throw fault;
          await storeJudgement(database, file.id, named, now());
        };
        await serveInTurn({ atOnce: 1, signal, personAfter, serve });
      } finally {
        await clients.close();
      }
    },
  });
}
