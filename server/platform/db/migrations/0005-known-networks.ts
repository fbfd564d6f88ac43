// The networks a person has signed in from. Taken from open sessions; an IPv6 network is recorded at the next sign-in.
import { statements } from './dialect.ts';

export const knownNetworks = statements(({ text, keyedTable }) => [
  `create table known_networks (
    user_id bigint not null references users (id) on delete cascade,
    network ${text} not null check (network <> ''),
    signed_in_at bigint not null,
    primary key (user_id, network)
  )${keyedTable}`,
  'create index known_networks_signed_in on known_networks (signed_in_at)',
  `insert into known_networks (user_id, network, signed_in_at)
    select user_id, address, max(created_at) from sessions
    where address <> '' and address not like '%:%'
    group by user_id, address`,
]);
