// Batches: files dropped together, and the documents they are separated into until a person releases them.
import { statements } from './dialect.ts';

export const batches = statements(({ id, text }) => [
  `create table batches (
    ${id},
    name ${text} not null,
    owner_id bigint not null,
    owner_name ${text} not null,
    state ${text} not null,
    job_id bigint,
    recall_reason ${text},
    created_at bigint not null,
    released_at bigint
  )`,
  'create index batches_owner on batches (owner_id, id)',
  `create table batch_files (
    ${id},
    batch_id bigint not null references batches (id) on delete cascade,
    name ${text} not null,
    content_type ${text} not null,
    size_bytes bigint not null,
    sha256 ${text} not null,
    storage_key ${text} not null unique references blobs (storage_key),
    state ${text} not null,
    unreadable ${text},
    pages bigint,
    created_at bigint not null,
    constraint batch_files_content unique (batch_id, sha256)
  )`,
  `create table batch_documents (
    ${id},
    batch_id bigint not null references batches (id) on delete cascade,
    batch_file_id bigint not null references batch_files (id) on delete cascade,
    from_page bigint not null,
    to_page bigint not null,
    state ${text} not null,
    client_id bigint references clients (id) on delete set null,
    report_type_id bigint references report_types (id) on delete set null,
    period ${text},
    form ${text},
    correction bigint not null,
    proposal ${text} not null,
    fault ${text},
    releasing_by_id bigint,
    released_file_id bigint,
    replaces_file_id bigint,
    reviewed_by_name ${text},
    version bigint not null,
    constraint batch_documents_pages check (from_page >= 0 and to_page >= from_page),
    constraint batch_documents_releasing check (state <> 'releasing' or releasing_by_id is not null),
    constraint batch_documents_released check (state <> 'released' or released_file_id is not null)
  )`,
  'create index batch_documents_batch on batch_documents (batch_id, batch_file_id, from_page)',
  // A client or report type that is deleted is looked for here.
  'create index batch_documents_client on batch_documents (client_id)',
  'create index batch_documents_type on batch_documents (report_type_id)',
  `insert into role_capabilities (role_id, capability)
    select id, 'batches.manage' from roles where system_key in ('admin', 'cpa')`,
]);
