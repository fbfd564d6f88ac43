// The house's own work, which comes back by itself: what is over is forgotten, and bytes that no row knows are swept.
import { z } from 'zod';
import { forgetOldSecurityEvents } from '../audit/security-events.ts';
import { indexActivityWords } from '../audit/word-index.ts';
import type { Attempts } from '../auth/attempts.ts';
import type { SecondFactors } from '../auth/second-factors.ts';
import type { SessionStore } from '../auth/sessions.ts';
import type { BlobStore } from '../blobs/blob-store.ts';
import type { Database } from '../db/database.ts';
import { unknownStorageKeys } from '../files/orphaned-keys.ts';
import { forgetEndedJobs } from './job-table.ts';
import { jobKind } from './kinds.ts';

const EVERY_MS = 6 * 60 * 60_000;

export interface MaintainedStores {
  readonly database: Database;
  readonly now: () => number;
  readonly sessions: SessionStore;
  readonly attempts: Attempts;
  readonly factors: SecondFactors;
  readonly blobs: BlobStore;
}

/** One job of the house: whatever it does it may do twice. `now` does it without a queue. */
function upkeep(title: string, now: () => Promise<unknown>) {
  const kind = jobKind({
    title,
    acts: 'house',
    payload: z.strictObject({}),
    attempts: 3,
    retryAfterMs: 60_000,
    atOnce: 1,
    everyMs: EVERY_MS,
    run: now,
  });
  return { ...kind, now };
}

export function maintenanceJobs({ database, now, sessions, attempts, factors, blobs }: MaintainedStores) {
  return {
    'maintenance.sign-ins': upkeep('Forget sessions and sign-ins that are over', async () => {
      await sessions.forgetExpired();
      await attempts.forgetOld();
      await factors.forgetExpired();
    }),
    'maintenance.security-events': upkeep('Forget old account activity', () =>
      forgetOldSecurityEvents(database, now()),
    ),
    'maintenance.word-index': upkeep('Index the words of the log', async () => {
      await indexActivityWords(database, now(), Number.POSITIVE_INFINITY);
    }),
    'maintenance.blobs': upkeep('Remove stored bytes that no file uses', () =>
      blobs.sweep({ unknownAmong: (keys) => unknownStorageKeys(database, keys), nowMs: now() }),
    ),
    'maintenance.jobs': upkeep('Forget background jobs that ended long ago', () => forgetEndedJobs(database, now())),
  };
}

/** Every kind of job that Coffer runs: whoever orders another does not compile. */
export type CofferJobs = ReturnType<typeof maintenanceJobs>;
