// The Admin's home over HTTP: true totals and the latest of both lists.

import type { Handlers } from '../../api/route.ts';
import type { Config } from '../../config.ts';
import { listFiles } from '../../files/list/list.ts';
import type { Now } from '../../platform/clock.ts';
import { readLatestActs } from './latest-acts.ts';
import { dismissFirstSteps } from './overview.acts.ts';
import { countClientsAndUsers, readBackup, readFirstSteps } from './overview.repo.ts';

const LATEST = 10;

export const overviewRoutes = ({ config, now }: Now & { readonly config: Config }): Handlers<'overview'> => ({
  'overview.get': async ({ read }) => {
    const [counts, activity, files, backup] = await Promise.all([
      countClientsAndUsers(read),
      readLatestActs(read, LATEST),
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
