// What capabilities are called: on the screens, and in the log where one is given or taken.
import type { Capability } from './policy/actor.ts';

export const capabilityLabels: Record<Capability, string> = {
  'clients.manage': 'Manage clients',
  'users.manage': 'Manage users',
  'roles.manage': 'Manage roles',
  'report-types.manage': 'Manage report types',
  'reports.upload': 'Upload reports',
  'documents.upload': 'Upload company documents',
  'files.delete': 'Delete reports',
  'holds.manage': 'Put on hold',
  'batches.manage': 'Work with batches',
  'batches.release': 'Release batches',
  'requests.manage': 'Ask clients',
  'activity.read-clients': 'Read client activity',
  'activity.read': 'Read all activity',
};
