// The trash over HTTP: its list. What is in it is restored under the address that it had.

import type { Handlers } from '../../api/route.ts';
import type { Now } from '../../platform/clock.ts';
import { listTrash } from './trash.repo.ts';

export function trashRoutes({ now }: Now): Handlers<'trash'> {
  return {
    'trash.list': ({ read, input }) => {
      read.authorize('trash.read');
      return listTrash(read, input.query, now());
    },
  };
}
