// How the portal itself fares, over HTTP.
import type { Handlers } from '../api/route.ts';
import type { Services } from '../services.ts';

export const systemRoutes = ({ system }: Services): Handlers<'system'> => ({
  'system.facts': ({ read }) => {
    read.authorize('system.read');
    return system();
  },
});
