// The words by which pages are recognised as of a report type, as the firm writes them.
import { type Dialect, statements } from './dialect.ts';

/** A report type is another one to whoever looks at the list once its phrases are. */
const heard = (engine: Dialect['engine'], when: 'insert' | 'delete'): readonly string[] => {
  const name = `report_type_phrases_heard_after_${when}`;
  const row = when === 'insert' ? 'new' : 'old';
  const at =
    engine === 'sqlite'
      ? `cast(unixepoch('subsec') * 1000 as bigint)`
      : '(extract(epoch from clock_timestamp()) * 1000)::bigint';
  const writes = `insert into changes (at, topic, kind, report_type_id)
    select ${at}, 'reportTypes', 'changed', ${row}.report_type_id;`;
  if (engine === 'sqlite') {
    return [`create trigger ${name} after ${when} on report_type_phrases begin ${writes} end`];
  }
  return [
    `create function ${name}() returns trigger language plpgsql as $$ begin ${writes} return ${row}; end $$`,
    `create trigger ${name} after ${when} on report_type_phrases for each row execute function ${name}()`,
  ];
};

export const reportTypePhrases = statements(({ engine, id, text }) => [
  `create table report_type_phrases (
    ${id},
    report_type_id bigint not null references report_types (id) on delete cascade,
    phrase ${text} not null,
    phrase_key ${text} not null constraint report_type_phrases_key check (length(phrase_key) > 0),
    created_at bigint not null,
    constraint report_type_phrases_once unique (report_type_id, phrase_key)
  )`,
  'create index report_type_phrases_by_key on report_type_phrases (phrase_key)',
  ...heard(engine, 'insert'),
  ...heard(engine, 'delete'),
]);
