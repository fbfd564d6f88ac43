// The activity log over HTTP.
import { refuse } from '#contract/errors.ts';
import { authorize } from '#contract/policy.ts';
import { listActivity } from '../../db/lists/activity-list.ts';
import type { Handlers } from '../../http/route.ts';
import type { Services } from '../../services.ts';
import { findAccess, insertAnnouncement } from './activity.repo.ts';

export function activityRoutes({ now }: Services): Handlers<'activity'> {
  return {
    'activity.list': ({ read, input }) => listActivity(read, input.query),

    // What the browser says of details is not kept: the log's words are the server's.
    'activity.announce': ({ viewer, input, change }) =>
      change(async (scope) => {
        const target = await findAccess(scope, input.body);
        if (target === null) throw refuse('not_found');
        const proof = authorize(viewer, 'activity.announce');
        const actor = { id: viewer.id, name: viewer.fullName };
        return insertAnnouncement(scope, proof, { action: input.body.action, actor, ...target }, now());
      }),
  };
}
