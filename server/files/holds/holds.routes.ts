// Holds over HTTP: read by staff, put and lifted by who may.

import type { Handlers } from '../../api/route.ts';
import type { Now } from '../../platform/clock.ts';
import { liftHold, placeHold } from './holds.acts.ts';
import { listHolds } from './holds.repo.ts';

export function holdRoutes(services: Now): Handlers<'holds'> {
  return {
    'holds.list': ({ read, input }) => {
      read.authorize('holds.read');
      return listHolds(read, input.query);
    },

    'holds.place': ({ principal, input }) => placeHold(principal, input.body, services),

    'holds.lift': ({ principal, input }) => liftHold(principal, input.params.id, services),
  };
}
