// The job that judges a new name for which the guard had no time, and marks the file for staff where it holds another client's.
import { z } from 'zod';
import { jobKind } from '../../platform/jobs/kinds.ts';
import { ThreadLimit } from '../../platform/jobs/thread.ts';
import { FILE_MS, type MarkStores } from './mark-job.ts';
import { ATTEMPTS_MAX, nameOf, storeNameJudgement } from './mark-rows.ts';
import { NamedClients } from './named-clients.ts';

export function judgeNameJob({ database, blobs, clock, now }: MarkStores) {
  return jobKind({
    title: 'Look whether a new name names another client',
    acts: 'system',
    // The name itself is with the file: what people wrote stands in no job.
    payload: z.strictObject({ fileId: z.int() }),
    attempts: ATTEMPTS_MAX,
    retryAfterMs: 30_000,
    atOnce: 1,
    async run({ payload: { fileId }, finish }) {
      const name = await nameOf(database, fileId);
      if (name === null) return;
      const reader = new NamedClients({ database, blobs, clock, withinMs: FILE_MS, isAwaited: false });
      let fault: unknown = null;
      const onFault = (error: unknown) => {
        fault = error;
      };
      try {
        const naming = await reader.onName(name, { onFault });
        // What takes too long or too much is not read; any other fault is tried again.
        if (fault !== null && !(fault instanceof ThreadLimit)) throw fault;
        await database.transaction(async (tx) => {
          await storeNameJudgement(database, tx, { fileId, name, named: naming?.named ?? [], at: now() });
          await finish(tx);
        });
      } finally {
        await reader.close();
      }
    },
  });
}
