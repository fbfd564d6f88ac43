// What the firm has decided for everybody, in one row once there is a decision; and releasing a batch as a capability of its own.
import { statements } from './dialect.ts';

export const fourEyes = statements(() => [
  `create table firm_settings (
    id bigint not null primary key,
    four_eyes bigint not null,
    constraint firm_settings_one check (id = 1),
    constraint firm_settings_four_eyes check (four_eyes in (0, 1))
  )`,
  // Whoever worked with batches released them as well.
  `insert into role_capabilities (role_id, capability)
    select role_id, 'batches.release' from role_capabilities where capability = 'batches.manage'`,
]);
