// What is entered in the log because a browser says so.

import type { AccessAnnouncement } from '#contract/activity.ts';
import { refuse } from '#contract/errors.ts';
import type { Principal } from '../../people/access/principal.ts';
import type { Now } from '../../platform/clock.ts';
import { accessBy } from '../access-log.ts';
import { findAccess, insertAnnouncement } from './activity.repo.ts';

/** Enters that a file in reach is about to be opened. The details that the browser sends are not stored: the server words the log. */
export function announceAccess(
  principal: Principal,
  announced: AccessAnnouncement,
  { now }: Now,
): ReturnType<typeof insertAnnouncement> {
  return principal.change('activity.announce', async (scope) => {
    const target = await findAccess(scope, announced);
    if (target === null) throw refuse('not_found');
    const proof = scope.authorize('activity.announce');
    const { actor } = accessBy(scope.viewer);
    return insertAnnouncement(scope, proof, { action: announced.action, actor, ...target }, now());
  });
}
