// The shape of a viewer: whoever has the same one has the same queries, but for the id in them.
import { REMEMBERED } from '#contract/batch-words.ts';
import { type Actor, isClientUser } from '#contract/policy/actor.ts';
import { takesBack } from '#contract/policy/files.ts';
import {
  activityReach,
  batchReach,
  keepsWords,
  reachesEveryReportType,
  reachesEveryRole,
  reachesEveryUser,
  seesRequests,
  trashReach,
} from '#contract/policy/reach.ts';

/** What decides which rows a viewer's queries reach; viewers with the same shape share prepared statements. */
export function shapeOf(viewer: Actor): string {
  return [
    viewer.reach,
    reachesEveryReportType(viewer) ? 'types' : '',
    reachesEveryUser(viewer) ? 'users' : '',
    reachesEveryRole(viewer) ? 'roles' : '',
    activityReach(viewer),
    isClientUser(viewer) ? 'news' : '',
    takesBack(viewer) ? 'takes back' : '',
    seesRequests(viewer) ? 'requests' : '',
    Object.values(trashReach(viewer)).join('/'),
    batchReach(viewer),
    ...REMEMBERED.map((kind) => keepsWords(viewer, kind)),
  ].join('|');
}
