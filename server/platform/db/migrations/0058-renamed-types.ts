// Report types that are given another name: who did it last, and whoever looks at the list hears of it.
import { statements } from './dialect.ts';

const now = {
  sqlite: `cast(unixepoch('subsec') * 1000 as bigint)`,
  postgres: '(extract(epoch from clock_timestamp()) * 1000)::bigint',
};

export const renamedTypes = statements(({ engine }) => {
  const name = 'report_types_heard_after_update';
  const writes = `insert into changes (at, topic, kind, report_type_id)
    select ${now[engine]}, 'reportTypes', 'changed', new.id;`;
  const when = 'after update of name on report_types';
  const lastChange = [
    'alter table report_types add column changed_at bigint',
    // Without a foreign key, like the log: the person may be deleted.
    'alter table report_types add column changed_by_id bigint',
  ];
  if (engine === 'sqlite') return [...lastChange, `create trigger ${name} ${when} begin ${writes} end`];
  return [
    ...lastChange,
    `create function ${name}() returns trigger language plpgsql as $$ begin ${writes} return new; end $$`,
    `create trigger ${name} ${when} for each row execute function ${name}()`,
  ];
});
