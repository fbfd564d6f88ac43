// The Admin's home over HTTP: true totals and the latest of both lists.
import { listActivity } from '../../audit/activity-list.ts';
import { listFiles } from '../../files/list.ts';
import type { Handlers } from '../../http/route.ts';
import { countClientsAndUsers } from './overview.repo.ts';

const LATEST = 10;

export const overviewRoutes: Handlers<'overview'> = {
  'overview.get': async ({ read }) => {
    const [counts, activity, files] = await Promise.all([
      countClientsAndUsers(read),
      listActivity(read, { limit: LATEST }),
      listFiles(read, { limit: LATEST }),
    ]);
    return {
      totals: { ...counts, files: files.total, activity: activity.total },
      recentActivity: [...activity.rows],
      recentUploads: JSON.parse(files.json),
    };
  },
};
