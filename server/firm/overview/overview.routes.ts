// The Admin's home over HTTP: true totals and the latest of both lists.

import type { ActivityRow } from '#contract/activity.ts';
import { ACT_ENTRIES_MAX, batchWordsIn } from '#contract/activity-words.ts';
import type { Handlers } from '../../api/route.ts';
import { listActivity } from '../../audit/activity-list.ts';
import type { Config } from '../../config.ts';
import { listFiles } from '../../files/list/list.ts';
import type { ReadScope } from '../../people/access/scope.ts';
import type { Now } from '../../platform/clock.ts';
import { dismissFirstSteps } from './overview.acts.ts';
import { countClientsAndUsers, readBackup, readFirstSteps } from './overview.repo.ts';

const LATEST = 10;
const ENTRIES_A_READ = 100;

interface Act {
  readonly entry: ActivityRow;
  alsoWrote: number;
  alsoOfBatch: number;
}

const isOfOnePerson = (one: ActivityRow, other: ActivityRow) =>
  one.action === other.action && one.userId === other.userId;

/** What one act wrote has one moment and is about one file or none: of a file that is re-filed, an entry for each reader. */
const isOfOneMoment = (one: ActivityRow, other: ActivityRow) =>
  one.fileId === other.fileId && one.timestamp === other.timestamp;

/** A release and a recall take their time, and write an entry for each file. */
function isOfOneBatch(one: ActivityRow, other: ActivityRow): boolean {
  const words = batchWordsIn(one.details, one.fileName);
  return words !== null && words === batchWordsIn(other.details, other.fileName);
}

/** The last entry of each of the latest acts, newest first: the one that says what was done, with how many came before it. */
function latestActs(newestFirst: Iterable<ActivityRow>): Act[] {
  const acts: Act[] = [];
  for (const entry of newestFirst) {
    const last = acts.at(-1);
    const ofBatch = last !== undefined && isOfOneBatch(last.entry, entry);
    if (last && isOfOnePerson(last.entry, entry) && (ofBatch || isOfOneMoment(last.entry, entry))) {
      last.alsoWrote += 1;
      if (ofBatch) last.alsoOfBatch += 1;
    } else if (acts.length === LATEST) break;
    else acts.push({ entry, alsoWrote: 0, alsoOfBatch: 0 });
  }
  return acts;
}

/** The latest acts and how many entries there are. Where one act wrote many, more are read, as many as `ACT_ENTRIES_MAX`. */
async function readLatestActs(read: ReadScope): Promise<{ acts: Act[]; total: number }> {
  const first = await listActivity(read, { limit: ENTRIES_A_READ });
  // By id: what is written meanwhile moves entries to the next read.
  const entries = new Map(first.rows.map((entry) => [entry.id, entry]));
  let acts = latestActs(entries.values());
  for (let offset = ENTRIES_A_READ; offset < ACT_ENTRIES_MAX; offset += ENTRIES_A_READ) {
    if (acts.length === LATEST || offset >= first.total) break;
    const next = await listActivity(read, { limit: ENTRIES_A_READ, offset });
    for (const entry of next.rows) entries.set(entry.id, entry);
    acts = latestActs(entries.values());
  }
  return { acts, total: first.total };
}

export const overviewRoutes = ({ config, now }: Now & { readonly config: Config }): Handlers<'overview'> => ({
  'overview.get': async ({ read }) => {
    const [counts, activity, files, backup] = await Promise.all([
      countClientsAndUsers(read),
      readLatestActs(read),
      listFiles(read, { limit: LATEST }),
      readBackup(read, config, now()),
    ]);
    return {
      totals: { ...counts, files: files.total, activity: activity.total },
      recentActivity: activity.acts.map(({ entry, ...also }) => ({ ...entry, ...also })),
      recentUploads: JSON.parse(files.json),
      backup,
    };
  },

  'overview.first-steps': ({ read }) => {
    read.authorize('first-steps.read');
    return readFirstSteps(read, config);
  },

  'overview.dismiss-first-steps': ({ principal, input }) =>
    dismissFirstSteps(principal, input.body.dismissed, { config, now }),
});
