// How the portal itself fares, over HTTP.
import type { SystemFacts } from '#contract/system.ts';
import type { Handlers } from '../api/route.ts';

export const systemRoutes = ({ system }: { readonly system: () => Promise<SystemFacts> }): Handlers<'system'> => ({
  'system.facts': ({ read }) => {
    read.authorize('system.read');
    return system();
  },
});
