// Holds on files and clients, those that were lifted too; who puts and lifts them is a capability.
import { statements } from './dialect.ts';

export const holds = statements(({ id, text }) => [
  `create table holds (
    ${id},
    kind ${text} not null,
    item_id bigint not null,
    name ${text} not null,
    client_id bigint not null,
    client_name ${text} not null,
    reason ${text} not null,
    placed_by_id bigint not null,
    placed_by_name ${text} not null,
    placed_at bigint not null,
    lifted_by_name ${text},
    lifted_at bigint,
    constraint holds_lifted check ((lifted_at is null) = (lifted_by_name is null))
  )`,
  // One in force at a time. Every act that ends, moves or replaces something looks here.
  'create unique index holds_in_force on holds (kind, item_id) where lifted_at is null',
  'create index holds_client on holds (client_id, id)',
  `insert into role_capabilities (role_id, capability)
    select id, 'holds.manage' from roles where system_key = 'admin'`,
]);
