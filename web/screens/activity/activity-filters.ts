// The filters of the log in its address, validated: anyone can type an address.

import { ACTIVITY_ACTIONS, type ActivityAction } from '#contract/activity-words.ts';
import type { ListedActor } from '#contract/policy/actor.ts';
import { reachesEveryUser } from '#contract/policy/reach.ts';
import type { ActivityFilter } from '#web/data/activity.ts';
import { FILE_FILTERS, type FileFilters, readFileFilters, readId } from '#web/parts/files/file-filters.ts';

/** The names under which `useListSearch` keeps them. */
export const ACTIVITY_FILTERS = ['action', 'user', ...FILE_FILTERS] as const;

export interface ActivityFilters extends FileFilters {
  action: ActivityAction | null;
  /** Whose actions; null for everyone's. */
  userId: number | null;
}

/** Whether `viewer` has more than one user and more than one client to choose from. */
export function choicesOf(viewer: ListedActor): { users: boolean; clients: boolean } {
  return { users: reachesEveryUser(viewer), clients: viewer.reach === 'all' || viewer.clientIds.length > 1 };
}

/** The filters of the address that `viewer` may use. */
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

/** As a list query: filters that are not set are not sent. */
export function askedActivity({ action, userId, clientId, startDate, endDate }: ActivityFilters): ActivityFilter {
  return {
    ...(action === null ? {} : { action }),
    ...(userId === null ? {} : { userId }),
    ...(clientId === null ? {} : { clientId }),
    ...(startDate === '' ? {} : { startDate }),
    ...(endDate === '' ? {} : { endDate }),
  };
}
