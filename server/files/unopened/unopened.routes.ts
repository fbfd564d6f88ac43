// What nobody of a client's people has opened, over HTTP, and the press that reminds them.

import type { Handlers } from '../../api/route.ts';
import type { Outbox } from '../../mail/outbox.ts';
import type { Now } from '../../platform/clock.ts';
import { remindOfUnopened } from './unopened.acts.ts';
import { listUnopened } from './unopened.ts';

export function unopenedRoutes(services: Now & { readonly outbox: Outbox }): Handlers<'unopened'> {
  return {
    'unopened.list': ({ read, input }) => {
      read.authorize('files.read-readers');
      return listUnopened(read, input.query);
    },

    'unopened.remind': ({ principal, input }) => remindOfUnopened(principal, input.body, services),
  };
}
