// What changed, for those who look at it; and which files a person has opened.
import { statements } from './dialect.ts';

const accessKeyOf = (row: string) =>
  `case when ${row}file_type = 'company_document' then -1 else coalesce(${row}report_type_id, 0) end`;

const now = {
  sqlite: `cast(unixepoch('subsec') * 1000 as bigint)`,
  postgres: '(extract(epoch from clock_timestamp()) * 1000)::bigint',
};

interface Watched {
  readonly table: string;
  readonly when: string;
  readonly condition?: string;
  readonly writes: string;
}

/** What each trigger writes down: enough to say afterwards who reached the row that changed, also where it is gone. */
const watched = (at: string): readonly Watched[] => {
  const into = (columns: string, values: string) => `insert into changes (at, ${columns}) select ${at}, ${values}`;
  const ofFile = (kind: string, row: string, more = '') =>
    `${into('topic, kind, file_id, client_id, access_key, owner_id', `'files', '${kind}', ${row}id, ${row}client_id, ${accessKeyOf(row)}, ${row}uploaded_by_id`)}${more};`;
  const of = (topic: string, column: string, id: string) =>
    `${into(`topic, kind, ${column}`, `'${topic}', 'changed', ${id}`)};`;
  const moved = ['client_id', 'file_type', 'report_type_id', 'document_type'];
  const placeDiffers = moved.map((column) => `new.${column} is distinct from old.${column}`).join(' or ');
  const rowsOf = (table: string, topic: string, column: string): Watched[] => [
    { table, when: 'insert', writes: of(topic, column, 'new.id') },
    { table, when: 'delete', writes: of(topic, column, 'old.id') },
  ];
  return [
    { table: 'files', when: 'insert', writes: ofFile('added', 'new.') },
    {
      table: 'files',
      when: 'delete',
      writes: `${ofFile('removed', 'old.')} delete from file_opens where file_id = old.id;`,
    },
    {
      table: 'files',
      when: `update of ${moved.join(', ')}, original_name, period`,
      // A period that is filled in where there was none is filled in for every file at once.
      condition: `${placeDiffers} or new.original_name is distinct from old.original_name
        or (old.period is not null and new.period is distinct from old.period)`,
      writes: `${ofFile('changed', 'new.')} ${ofFile('changed', 'old.', ` where ${placeDiffers}`)}`,
    },
    {
      table: 'activity',
      when: 'insert',
      condition: `new.action not in ('view', 'download')`,
      writes: `${into('topic, kind, file_id, client_id, user_id', `'activity', 'added', new.file_id, new.client_id, new.user_id`)};`,
    },
    ...rowsOf('clients', 'clients', 'client_id'),
    { table: 'clients', when: 'update', writes: of('clients', 'client_id', 'new.id') },
    ...rowsOf('users', 'users', 'user_id'),
    {
      table: 'users',
      when: 'update of username, full_name, role_id, all_clients, must_change_password, changed_at',
      writes: of('users', 'user_id', 'new.id'),
    },
    ...rowsOf('roles', 'roles', 'role_id'),
    { table: 'roles', when: 'update', writes: of('roles', 'role_id', 'new.id') },
    ...rowsOf('report_types', 'reportTypes', 'report_type_id'),
  ];
};

/** Lists that go with a row of theirs, while it still says whose they are. */
const taken = (at: string): readonly Watched[] => [
  {
    table: 'clients',
    when: 'delete',
    writes: `insert into changes (at, topic, kind, user_id) select ${at}, 'users', 'changed', user_id
      from user_clients where client_id = old.id;`,
  },
  {
    table: 'report_types',
    when: 'delete',
    writes: `insert into changes (at, topic, kind, user_id) select ${at}, 'users', 'changed', user_id
      from user_report_types where report_type_id = old.id;`,
  },
  { table: 'users', when: 'delete', writes: 'delete from file_opens where user_id = old.id;' },
];

function triggers(engine: 'sqlite' | 'postgres', moment: 'before' | 'after', all: readonly Watched[]): string[] {
  return all.flatMap(({ table, when, condition, writes }) => {
    const name = `${table}_heard_${moment}_${when.split(' ', 1)[0]}`;
    const only = condition === undefined ? '' : ` when (${condition})`;
    if (engine === 'sqlite') {
      return [`create trigger ${name} ${moment} ${when} on ${table}${only} begin ${writes} end`];
    }
    const row = when === 'delete' ? 'old' : 'new';
    return [
      `create function ${name}() returns trigger language plpgsql as $$ begin ${writes} return ${row}; end $$`,
      `create trigger ${name} ${moment} ${when} on ${table} for each row${only} execute function ${name}()`,
    ];
  });
}

const columns = (text: string) => `
    at bigint not null,
    topic ${text} not null,
    kind ${text} not null,
    file_id bigint,
    client_id bigint,
    access_key bigint,
    owner_id bigint,
    user_id bigint,
    role_id bigint,
    report_type_id bigint`;

const tables = {
  // One transaction writes at a time, so that ids are committed in their order.
  sqlite: (text: string) => [`create table changes (position integer primary key autoincrement, ${columns(text)})`],
  // By the transaction: what is older than every transaction that still runs is there whole.
  postgres: (text: string) => [
    `create table changes (position bigint not null default (pg_current_xact_id()::text::bigint), ${columns(text)})`,
    'create index changes_position on changes (position)',
  ],
};

export const changes = statements(({ engine, text, keyedTable }) => [
  ...tables[engine](text),
  // Without references: a file may be deleted while somebody opens it, and that must not fail for all who open something then.
  `create table file_opens (
    file_id bigint not null,
    user_id bigint not null,
    at bigint not null,
    primary key (file_id, user_id)
  )${keyedTable}`,
  'create index file_opens_user on file_opens (user_id)',
  // Nobody finds everything new after the update; null for accounts made later, whose files are new from their first day.
  'alter table users add column news_since bigint',
  `update users set news_since = ${now[engine]}`,
  ...triggers(engine, 'before', taken(now[engine])),
  ...triggers(engine, 'after', watched(now[engine])),
]);
