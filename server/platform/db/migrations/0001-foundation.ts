// Who signs in, what they may do, clients, files, the log, sessions, and the counters behind every total.
import { oneOf, statements } from './dialect.ts';

const SYSTEM_ROLES = ['admin', 'cpa', 'client'];
const REACHES = ['all', 'lists'];
const ACTIVITY_ACTIONS = ['upload', 'download', 'view', 'delete', 'update'];
const FILE_TYPES = ['report', 'company_document'];
const DOCUMENT_TYPES = ['Tax Return', 'Financial Statement', 'Supporting Document', 'Correspondence', 'Other'];
const CAPABILITIES = [
  'clients.manage',
  'users.manage',
  'roles.manage',
  'report-types.manage',
  'reports.upload',
  'documents.upload',
  'files.delete',
  'activity.read',
];

export const foundation = statements(({ id, text, keyedTable }) => [
  `create table roles (
    ${id},
    name ${text} not null check (length(name) between 1 and 100),
    name_key ${text} not null constraint roles_name_key unique,
    system_key ${text} unique ${oneOf('system_key', SYSTEM_ROLES)},
    reach ${text} not null ${oneOf('reach', REACHES)},
    created_at bigint not null
  )`,
  `create table role_capabilities (
    role_id bigint not null references roles (id) on delete cascade,
    capability ${text} not null ${oneOf('capability', CAPABILITIES)},
    primary key (role_id, capability)
  )${keyedTable}`,
  `create table users (
    ${id},
    username ${text} not null check (length(username) between 1 and 64),
    username_key ${text} not null constraint users_username_key unique,
    full_name ${text} not null check (length(full_name) between 1 and 200),
    full_name_key ${text} not null,
    password_hash ${text} not null check (password_hash like '$argon2id$%'),
    role_id bigint not null references roles (id),
    created_at bigint not null
  )`,
  'create index users_role on users (role_id)',
  'create index users_full_name on users (full_name_key, id)',
  `create table clients (
    ${id},
    name ${text} not null check (length(name) between 2 and 200),
    name_key ${text} not null,
    address ${text} not null,
    phone ${text} not null,
    email ${text} not null,
    federal_id ${text} not null,
    state_id ${text} not null,
    employee_count bigint not null check (employee_count >= 0),
    start_date ${text} not null check (length(start_date) = 10),
    search_text ${text} not null,
    created_at bigint not null
  )`,
  'create index clients_name on clients (name_key, id)',
  `create table report_types (
    ${id},
    name ${text} not null check (length(name) between 1 and 100),
    name_key ${text} not null constraint report_types_name_key unique,
    created_at bigint not null
  )`,
  `create table user_clients (
    user_id bigint not null references users (id) on delete cascade,
    client_id bigint not null references clients (id) on delete cascade,
    primary key (user_id, client_id)
  )${keyedTable}`,
  'create index user_clients_client on user_clients (client_id, user_id)',
  `create table user_report_types (
    user_id bigint not null references users (id) on delete cascade,
    report_type_id bigint not null references report_types (id) on delete cascade,
    primary key (user_id, report_type_id)
  )${keyedTable}`,
  'create index user_report_types_type on user_report_types (report_type_id, user_id)',
  `create table files (
    ${id},
    original_name ${text} not null check (length(original_name) between 1 and 255),
    name_key ${text} not null,
    storage_key ${text} not null unique check (length(storage_key) = 32),
    size_bytes bigint not null check (size_bytes >= 0),
    sha256 ${text} not null check (length(sha256) = 64),
    content_type ${text} not null,
    file_type ${text} not null ${oneOf('file_type', FILE_TYPES)},
    document_type ${text} ${oneOf('document_type', DOCUMENT_TYPES)},
    client_id bigint not null references clients (id),
    report_type_id bigint references report_types (id),
    uploaded_by_id bigint references users (id) on delete set null,
    uploader_name ${text} not null,
    uploaded_at bigint not null,
    idempotency_key ${text},
    check (file_type = 'report' or report_type_id is null),
    check (file_type = 'company_document' or document_type is null)
  )`,
  'create index files_uploaded on files (uploaded_at, id)',
  'create index files_kind_uploaded on files (file_type, uploaded_at, id)',
  'create index files_type_uploaded on files (report_type_id, uploaded_at, id)',
  'create index files_client_uploaded on files (client_id, uploaded_at, id)',
  'create index files_client_kind_uploaded on files (client_id, file_type, uploaded_at, id)',
  'create index files_client_type_uploaded on files (client_id, report_type_id, uploaded_at, id)',
  'create index files_client_name on files (client_id, name_key, id)',
  'create index files_name on files (name_key, id)',
  'create index files_size on files (size_bytes, id)',
  `create index files_untyped on files (uploaded_by_id, client_id) where report_type_id is null and file_type = 'report'`,
  `create unique index files_idempotency on files (uploaded_by_id, idempotency_key) where idempotency_key is not null`,
  `create table activity (
    ${id},
    action ${text} not null ${oneOf('action', ACTIVITY_ACTIONS)},
    file_id bigint,
    file_name ${text},
    details ${text},
    user_id bigint,
    user_name ${text} not null,
    client_id bigint,
    client_name ${text},
    search_text ${text} not null,
    at bigint not null,
    announced_at bigint,
    served_at bigint
  )`,
  'create index activity_at on activity (at, id)',
  'create index activity_user on activity (user_id, at, id)',
  'create index activity_client on activity (client_id, at, id)',
  'create index activity_file on activity (file_id, at, id)',
  // The few announcements that still wait for their serving: read at every serving.
  'create index activity_unserved on activity (user_id, file_id, action, at) where served_at is null and announced_at is not null',
  'create index activity_action on activity (action, at, id)',
  `create table sessions (
    ${id},
    user_id bigint not null references users (id) on delete cascade,
    token_hash ${text} not null unique,
    cookie_hash ${text} not null unique,
    created_at bigint not null,
    last_seen_at bigint not null,
    user_agent ${text} not null,
    address ${text} not null
  )`,
  'create index sessions_user on sessions (user_id, last_seen_at)',
  `create table attempts (
    key ${text} not null primary key,
    tries bigint not null check (tries >= 0),
    since bigint not null,
    blocked_until bigint not null
  )${keyedTable}`,
  'create index attempts_since on attempts (since)',
  `create table view_tickets (
    ${id},
    ticket_hash ${text} not null unique,
    session_id bigint not null references sessions (id) on delete cascade,
    file_id bigint not null references files (id) on delete cascade,
    created_at bigint not null,
    opened_at bigint
  )`,
  'create index view_tickets_session on view_tickets (session_id)',
  'create index view_tickets_file on view_tickets (file_id)',
  'create index view_tickets_created on view_tickets (created_at)',
  `create table file_counts (
    client_id bigint not null references clients (id) on delete cascade,
    report_type_id bigint not null,
    file_type ${text} not null ${oneOf('file_type', FILE_TYPES)},
    n bigint not null check (n >= 0),
    primary key (client_id, report_type_id, file_type)
  )${keyedTable}`,
  `create table activity_counts (
    user_id bigint not null,
    client_id bigint not null,
    action ${text} not null ${oneOf('action', ACTIVITY_ACTIONS)},
    n bigint not null check (n >= 0),
    primary key (user_id, client_id, action)
  )${keyedTable}`,
  'create index activity_counts_client on activity_counts (client_id, action, user_id, n)',
]);
