// What staff ask clients for: requests, their items, the files that were sent for each, and templates.
import { statements } from './dialect.ts';

const now = {
  sqlite: `cast(unixepoch('subsec') * 1000 as bigint)`,
  postgres: '(extract(epoch from clock_timestamp()) * 1000)::bigint',
};

/** A request is touched by whatever is done with its items, so that its own row is all that is listened to. */
const heard = (engine: 'sqlite' | 'postgres') =>
  (['insert', 'update', 'delete'] as const).flatMap((event) => {
    const [name, row] = [`requests_heard_${event}`, event === 'delete' ? 'old' : 'new'];
    const writes = `insert into changes (at, topic, kind, client_id) values (${now[engine]}, 'requests', 'changed', ${row}.client_id);`;
    if (engine === 'sqlite') return [`create trigger ${name} after ${event} on requests begin ${writes} end`];
    return [
      `create function ${name}() returns trigger language plpgsql as $$ begin ${writes} return ${row}; end $$`,
      `create trigger ${name} after ${event} on requests for each row execute function ${name}()`,
    ];
  });

export const requests = statements(({ engine, id, text }) => [
  `create table requests (
    ${id},
    client_id bigint not null references clients (id) on delete cascade,
    title ${text} not null constraint requests_title check (length(title) > 0),
    message ${text} not null,
    due_on ${text} constraint requests_due_on check (length(due_on) = 10),
    state ${text} not null,
    items bigint not null,
    owed bigint not null,
    to_review bigint not null,
    asked_by_id bigint not null,
    asked_by_name ${text} not null,
    created_at bigint not null,
    changed_at bigint not null,
    constraint requests_counts check (owed >= 0 and to_review >= 0 and owed + to_review <= items)
  )`,
  'create index requests_client on requests (client_id, state)',
  'create index requests_due on requests (state, due_on)',
  `create table request_items (
    ${id},
    request_id bigint not null references requests (id) on delete cascade,
    position bigint not null,
    name ${text} not null constraint request_items_name check (length(name) > 0),
    note ${text} not null,
    state ${text} not null,
    said_not bigint not null constraint request_items_said_not check (said_not in (0, 1)),
    answer ${text} not null,
    reason ${text} not null,
    changed_at bigint,
    changed_by_id bigint
  )`,
  'create index request_items_request on request_items (request_id, position)',
  // Without a reference to the file: what was sent stays told, also where the file is gone.
  `create table request_item_files (
    item_id bigint not null references request_items (id) on delete cascade,
    file_id bigint not null,
    name ${text} not null,
    sent_at bigint not null,
    sent_by_name ${text} not null,
    primary key (item_id, file_id)
  )`,
  'create index request_item_files_file on request_item_files (file_id)',
  `create table request_templates (
    ${id},
    name ${text} not null,
    name_key ${text} not null unique constraint request_templates_name_key check (length(name_key) > 0),
    items ${text} not null,
    changed_at bigint,
    changed_by_id bigint
  )`,
  `insert into role_capabilities (role_id, capability)
    select id, 'requests.manage' from roles where system_key in ('admin', 'cpa')`,
  ...heard(engine),
]);
