// The Admin's home over HTTP: true totals and the latest of both lists.

import type { ActivityRow } from '#contract/activity.ts';
import type { Handlers } from '../../api/route.ts';
import { listActivity } from '../../audit/activity-list.ts';
import type { Config } from '../../config.ts';
import { listFiles } from '../../files/list/list.ts';
import type { Now } from '../../platform/clock.ts';
import { dismissFirstSteps } from './overview.acts.ts';
import { countClientsAndUsers, readBackup, readFirstSteps } from './overview.repo.ts';

const LATEST = 10;
/** So many entries are read to find the latest acts: one act may have written many. */
const READ_FOR_LATEST = 100;

/** What one act wrote has one moment and one person, and is about one file or none: of a file that is re-filed, an entry for each reader. */
const ofOneAct = (one: ActivityRow, other: ActivityRow) =>
  one.fileId === other.fileId &&
  one.action === other.action &&
  one.userId === other.userId &&
  one.timestamp === other.timestamp;

/** The last entry of each of the latest acts, newest first: the one that says what was done, with how many came before it. */
function latestActs(newestFirst: readonly ActivityRow[]): { entry: ActivityRow; alsoWrote: number }[] {
  const acts: { entry: ActivityRow; alsoWrote: number }[] = [];
  for (const entry of newestFirst) {
    const last = acts.at(-1);
    if (last && ofOneAct(last.entry, entry)) last.alsoWrote += 1;
    else if (acts.length === LATEST) break;
    else acts.push({ entry, alsoWrote: 0 });
  }
  return acts;
}

export const overviewRoutes = ({ config, now }: Now & { readonly config: Config }): Handlers<'overview'> => ({
  'overview.get': async ({ read }) => {
    const [counts, activity, files, backup] = await Promise.all([
      countClientsAndUsers(read),
      listActivity(read, { limit: READ_FOR_LATEST }),
      listFiles(read, { limit: LATEST }),
      readBackup(read, config, now()),
    ]);
    return {
      totals: { ...counts, files: files.total, activity: activity.total },
      recentActivity: latestActs(activity.rows).map(({ entry, alsoWrote }) => ({ ...entry, alsoWrote })),
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
