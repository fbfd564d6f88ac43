// Users who get every later client, users who must choose a new password, and who last changed a user, a client or a role.
import { statements } from './dialect.ts';

const flag = (name: string) =>
  `alter table users add column ${name} bigint not null default 0 constraint users_${name}_flag check (${name} in (0, 1))`;

const lastChange = (table: string) => [
  `alter table ${table} add column changed_at bigint`,
  // Without a foreign key, like the log: the person may be deleted.
  `alter table ${table} add column changed_by_id bigint`,
];

export const people = statements(() => [
  flag('all_clients'),
  flag('must_change_password'),
  // Each new client asks for them.
  'create index users_all_clients on users (id) where all_clients = 1',
  ...['users', 'clients', 'roles'].flatMap(lastChange),
]);
