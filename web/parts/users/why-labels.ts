// Why somebody sees something, in words.
import type { UserReach } from '#contract/roles.ts';

type Why = UserReach['clients'][number]['why'];

export const whyLabels: Record<Why, string> = {
  'reach-all': 'Role sees everything',
  'all-clients': 'Given all clients, also later ones',
  'access-list': 'Access list',
};
