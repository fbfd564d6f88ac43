// The activity log over HTTP.

import type { ActivityRow } from '#contract/activity.ts';
import { activityLabel } from '#contract/activity-words.ts';
import { PAGE_LIMIT_MAX } from '#contract/paging.ts';
import type { Handlers } from '../../api/route.ts';
import { datedName, sendList } from '../../api/send-document.ts';
import type { Now } from '../../platform/clock.ts';
import { momentFormat } from '../../platform/csv.ts';
import { listActivity, wholeActivityList } from '../activity-list.ts';
import { announceAccess } from './activity.acts.ts';

export function activityRoutes({ now }: Now): Handlers<'activity'> {
  return {
    'activity.list': ({ read, input }) => {
      const { offset = 0, limit = PAGE_LIMIT_MAX } = input.query;
      read.authorize('activity.read', { rows: offset + limit });
      return listActivity(read, input.query);
    },

    'activity.export': async ({ read, reply, input }) => {
      const { timeZone = 'UTC' } = input.query;
      const moment = momentFormat(timeZone);
      const columns = {
        header: ['Activity', 'User', 'Client', `Date & Time (${timeZone})`, 'Details', 'File Name', 'Client ID'],
        cells: (row: ActivityRow) => [
          activityLabel(row),
          row.userName,
          row.clientName,
          moment(row.timestamp),
          row.details,
          row.fileName,
          row.clientId,
        ],
      };
      await sendList(reply, columns, wholeActivityList(read, input.query), datedName('activity', now(), timeZone));
    },

    'activity.announce': ({ principal, input }) => announceAccess(principal, input.body, { now }),
  };
}
