// Scheduled maintenance: deletes what is over, and sweeps bytes that no row knows.
import { z } from 'zod';
import { refuse } from '#contract/errors.ts';
import { counted, inFigures } from '#contract/plain-words.ts';
import { forgetOldChanges } from './audit/change-feed.ts';
import { forgetOldSecurityEvents } from './audit/security-events.ts';
import { indexActivityWords } from './audit/word-index.ts';
import { clearArchives } from './files/archives/archive-rows.ts';
import { forgetOldOpens } from './files/list/news.ts';
import { purgeTrash } from './files/trash/purge.ts';
import { forgetOldMails } from './mail/mail-rows.ts';
import type { Attempts } from './people/auth/attempts.ts';
import type { SecondFactors } from './people/auth/second-factors.ts';
import type { SessionStore } from './people/auth/sessions.ts';
import type { BlobStore } from './platform/blobs/blob-store.ts';
import { type OrphanAges, SeenOrphans, type SweepReport, sweepBlobs } from './platform/blobs/sweep.ts';
import { type Clock, HOUR_MS } from './platform/clock.ts';
import type { Database } from './platform/db/database.ts';
import { forgetEndedJobs, lastDone } from './platform/jobs/job-table.ts';
import { jobKind } from './platform/jobs/kinds.ts';

const EVERY_MS = 6 * HOUR_MS;

export interface MaintainedStores {
  readonly database: Database;
  readonly now: () => number;
  readonly clock: Clock;
  readonly sessions: SessionStore;
  readonly attempts: Attempts;
  readonly factors: SecondFactors;
  readonly blobs: BlobStore;
}

/** One maintenance job: it may run twice without harm. `now` does it without a queue. */
function schedule(title: string, now: () => Promise<unknown>, everyMs = EVERY_MS) {
  const kind = jobKind({
    title,
    acts: 'system',
    payload: z.strictObject({}),
    attempts: 3,
    retryAfterMs: 60_000,
    atOnce: 1,
    everyMs,
    run: now,
  });
  return { ...kind, now };
}

/** The report, with a sentence for whoever looks at the job where the sweep has stopped. */
function withSummary(report: SweepReport) {
  if (!report.tooManyOrphans) return report;
  const { orphans, blobs } = report;
  const unknown = `${inFigures(orphans)} of ${counted(blobs, 'stored file')} ${orphans === 1 ? 'is' : 'are'} unknown to the database`;
  return { ...report, summary: `${unknown}, more than is removed unseen. System says what to do.` };
}

/** What a sweep leaves in its result for those of other processes. */
const Swept = z.object({ seen: z.record(z.string(), z.number()) });

/** What the last sweep that any process has ended had seen. The time since is that of the clock, which would have to leap a second time. */
async function seenByLast(database: Database, at: number): Promise<OrphanAges> {
  const last = await lastDone(database, 'maintenance.blobs');
  const parsed = Swept.safeParse(last?.result);
  if (!parsed.success) return {};
  const sinceMs = Math.max(0, at - (last?.endedAt ?? at));
  return Object.fromEntries(Object.entries(parsed.data.seen).map(([key, ageMs]) => [key, ageMs + sinceMs]));
}

export function maintenanceJobs({ database, now, clock, sessions, attempts, factors, blobs }: MaintainedStores) {
  let seen: SeenOrphans | undefined;
  return {
    'maintenance.sign-ins': schedule('Forget sessions and sign-ins that are over', async () => {
      await sessions.forgetExpired();
      await attempts.forgetOld();
      await factors.forgetExpired();
    }),
    'maintenance.security-events': schedule('Forget old account activity', () =>
      forgetOldSecurityEvents(database, now()),
    ),
    'maintenance.word-index': schedule(
      'Index the words of the log',
      async () => {
        await indexActivityWords(database, now());
      },
      HOUR_MS,
    ),
    'maintenance.changes': schedule('Forget which lists changed', () => forgetOldChanges(database, now()), HOUR_MS),
    'maintenance.file-opens': schedule('Forget who opened files that are no longer new', () =>
      forgetOldOpens(database, now()),
    ),
    'maintenance.blobs': schedule('Remove stored bytes that no file uses', async () => {
      seen ??= new SeenOrphans(clock, await seenByLast(database, now()));
      const report = await sweepBlobs(database, blobs, { nowMs: now(), seen });
      return { ...withSummary(report), seen: seen.ages() };
    }),
    'maintenance.trash': schedule(
      'Purge what was in the trash long enough',
      () => purgeTrash(database, blobs, now()),
      HOUR_MS,
    ),
    'maintenance.archives': schedule(
      'Remove prepared ZIPs that are over',
      async () => {
        const keys = await clearArchives(database, refuse('archive_outdated').message, now());
        for (const key of keys) await blobs.remove(key);
      },
      HOUR_MS,
    ),
    'maintenance.mails': schedule('Forget mails that were sent long ago', () => forgetOldMails(database, now())),
    'maintenance.jobs': schedule('Forget background jobs that ended long ago', () => forgetEndedJobs(database, now())),
  };
}

export type MaintenanceJobs = ReturnType<typeof maintenanceJobs>;
