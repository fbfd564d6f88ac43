// The filters of the log as its address carries them, read with care: anyone can type an address.

import { ACTIVITY_ACTIONS, type ActivityAction } from '#contract/activity.ts';
import { type ListedActor, reachesEveryUser } from '#contract/policy.ts';
import type { ActivityFilter } from '#web/data/activity.ts';
import { FILE_FILTERS, type FileFilters, readFileFilters, readId } from '#web/parts/file-filters.ts';

/** The names under which `useListSearch` keeps them. */
export const ACTIVITY_FILTERS = ['action', 'user', ...FILE_FILTERS] as const;

export interface ActivityFilters extends FileFilters {
  action: ActivityAction | null;
  /** Whose actions; null for everyone's. */
  userId: number | null;
}

/** Whether `viewer` can choose among users and among clients: a choice of one is none. */
export function choicesOf(viewer: ListedActor): { users: boolean; clients: boolean } {
  return { users: reachesEveryUser(viewer), clients: viewer.reach === 'all' || viewer.clientIds.length > 1 };
}

/** What `viewer` may filter by, of what the address says. */
export function readActivityFilters(
  viewer: ListedActor,
  filters: Readonly<Record<(typeof ACTIVITY_FILTERS)[number], string>>,
): ActivityFilters {
  const choices = choicesOf(viewer);
  const shared = readFileFilters(viewer, filters);
  return {
    ...shared,
    clientId: choices.clients ? shared.clientId : null,
    action: ACTIVITY_ACTIONS.find((known) => known === filters.action) ?? null,
    userId: choices.users ? readId(filters.user) : null,
  };
}

/** As a list query asks it: what is not set is not sent. */
export function askedActivity({ action, userId, clientId, startDate, endDate }: ActivityFilters): ActivityFilter {
  return {
    ...(action === null ? {} : { action }),
    ...(userId === null ? {} : { userId }),
    ...(clientId === null ? {} : { clientId }),
    ...(startDate === '' ? {} : { startDate }),
    ...(endDate === '' ? {} : { endDate }),
  };
}
