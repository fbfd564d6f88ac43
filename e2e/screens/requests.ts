// The screens of requests, of staff and of Client users.
import type { Screen } from './screen.ts';
import { dialog, faults } from './states.ts';

export const requestsScreens: readonly Screen[] = [
  {
    name: 'requests',
    path: '/requests',
    heading: 'Requests',
    states: [
      dialog('new', 'New Request'),
      faults('new-faults', 'New Request', 'Send Request'),
      dialog('templates', 'Templates'),
    ],
  },
  {
    name: 'request',
    path: ({ requestId }) => (requestId === undefined ? undefined : `/requests/${requestId}`),
    heading: 'Year-end package',
    states: [dialog('edit', 'Edit'), dialog('send-back', /^Send back /), dialog('close', 'Close')],
  },
];

export const clientRequestsScreens: readonly Screen[] = [
  { name: 'client-requests', path: '/requests', heading: 'Requests', states: [] },
  {
    name: 'client-request',
    path: ({ requestId }) => (requestId === undefined ? undefined : `/requests/${requestId}`),
    heading: 'Year-end package',
    states: [dialog('does-not-apply', /does not apply$/)],
  },
];
