// Who has signed in from a network, for networks that are locked out.
import { statements } from './dialect.ts';

export const peopleByNetwork = statements(() => [
  'create index known_networks_network on known_networks (network, user_id, signed_in_at)',
]);
