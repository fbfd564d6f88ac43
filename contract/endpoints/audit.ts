// The log, and changes as they happen.
import { AccessAnnouncement, ActivityExportQuery, ActivityQuery, ActivityRow } from '../activity.ts';
import { addressOf, type EndpointName } from '../addresses.ts';
import { ChangeMessage } from '../changes.ts';
import { created, type Endpoint, events, keepsNothingAlive, list, noQuery, table } from './endpoint.ts';

export const auditEndpoints = {
  'activity.list': {
    ...addressOf('activity.list'),
    action: 'activity.read',
    summary: 'The activity log within reach, newest first; without a limit the newest 1,000',
    query: ActivityQuery,
    ...list(ActivityRow),
    errors: ['reauth_required'],
  },
  'activity.export': {
    ...addressOf('activity.export'),
    action: 'activity.export',
    summary: 'The activity log within reach as CSV, safe to open in a spreadsheet',
    query: ActivityExportQuery,
    ...table,
    errors: ['reauth_required'],
  },
  'activity.announce': {
    ...addressOf('activity.announce'),
    action: 'activity.announce',
    summary: 'Announce a view or download; the server joins it with the access it records',
    body: AccessAnnouncement,
    ...created(ActivityRow),
    errors: ['not_found', 'too_many', 'gone_meanwhile'],
  },
  'changes.follow': {
    ...addressOf('changes.follow'),
    ...keepsNothingAlive,
    action: 'changes.read',
    summary:
      'What changes within reach, as server-sent events; to a caller that does not accept text/event-stream what has changed since `Last-Event-ID`, and no more',
    query: noQuery,
    ...events(ChangeMessage),
    errors: ['too_many'],
  },
} as const satisfies Partial<Record<EndpointName, Endpoint>>;
