// Reading the log of one's clients becomes a capability; before, the role's system key implied it.
import { type Dialect, oneOf, type Step, statements } from './dialect.ts';

const CAPABILITIES = [
  'clients.manage',
  'users.manage',
  'roles.manage',
  'report-types.manage',
  'reports.upload',
  'documents.upload',
  'files.delete',
  'activity.read-clients',
  'activity.read',
];

// SQLite changes no check of a table, so that the table is recreated, on both engines alike.
const rewrite = ({ text, keyedTable }: Dialect) => [
  'alter table role_capabilities rename to role_capabilities_before',
  `create table role_capabilities (
    role_id bigint not null references roles (id) on delete cascade,
    capability ${text} not null constraint role_capabilities_known ${oneOf('capability', CAPABILITIES)},
    primary key (role_id, capability)
  )${keyedTable}`,
  'insert into role_capabilities (role_id, capability) select role_id, capability from role_capabilities_before',
  'drop table role_capabilities_before',
  `insert into role_capabilities (role_id, capability)
    select id, 'activity.read-clients' from roles where system_key in ('admin', 'cpa')`,
];

export const activityOfClients: Step = statements(rewrite);
