// Batches among what changes: one row for what a statement, or on PostgreSQL a transaction, does to the batches of one owner.
import { statements } from './dialect.ts';

type Event = 'insert' | 'update' | 'delete';
const EVENTS: readonly Event[] = ['insert', 'update', 'delete'];

/** Whose batches rows of a table belong to. */
const OWNERS = {
  batches: (rows: string) => `select distinct ${rows}.owner_id as owner_id from ${rows}`,
  batch_files: (rows: string) =>
    `select distinct batches.owner_id as owner_id from ${rows} join batches on batches.id = ${rows}.batch_id`,
  batch_documents: (rows: string) =>
    `select distinct batches.owner_id as owner_id from ${rows} join batches on batches.id = ${rows}.batch_id`,
} as const;
const TABLES = Object.keys(OWNERS) as (keyof typeof OWNERS)[];

/** A run that goes on or ends: of the batch that it is the reading of, else of whoever ordered it. */
const ofJob = `coalesce((select batches.owner_id from batches where batches.job_id = new.id), new.acting_user_id)`;
const JOB = `new.kind like 'batches.%' and new.acting_user_id is not null
  and (new.state <> old.state or new.progress is distinct from old.progress)`;

const onPostgres = [
  ...TABLES.flatMap((table) =>
    EVENTS.flatMap((event) => {
      const name = `${table}_heard_${event}`;
      const rows = event === 'delete' ? 'old table as touched' : 'new table as touched';
      return [
        `create function ${name}() returns trigger language plpgsql as $$ begin
          insert into changes (at, topic, kind, owner_id)
            select (extract(epoch from clock_timestamp()) * 1000)::bigint, 'batches', 'changed', owners.owner_id
            from (${OWNERS[table]('touched')}) as owners
            where not exists (select 1 from changes where changes.position = pg_current_xact_id()::text::bigint
              and changes.topic = 'batches' and changes.owner_id = owners.owner_id);
          return null;
        end $$`,
        `create trigger ${name} after ${event} on ${table} referencing ${rows}
          for each statement execute function ${name}()`,
      ];
    }),
  ),
  `create function jobs_of_batches_heard() returns trigger language plpgsql as $$ begin
    insert into changes (at, topic, kind, owner_id)
      values ((extract(epoch from clock_timestamp()) * 1000)::bigint, 'batches', 'changed', ${ofJob});
    return null;
  end $$`,
  `create trigger jobs_of_batches_heard after update on jobs for each row when (${JOB}) execute function jobs_of_batches_heard()`,
];

/**
 * SQLite knows no statements in triggers, but within one the time stands still: rows after the first find theirs as the newest
 * change. Nothing else is written in between, and no other transaction begins in the millisecond of a statement of this one.
 */
const once = (owner: string) => `insert into changes (at, topic, kind, owner_id)
  select touched.at, 'batches', 'changed', touched.owner_id
  from (select cast(unixepoch('subsec') * 1000 as bigint) as at, ${owner} as owner_id) as touched
  where touched.owner_id is not null and not exists (select 1 from changes
    where changes.position = (select max(position) from changes) and changes.topic = 'batches'
      and changes.owner_id = touched.owner_id and changes.at = touched.at);`;

const onSqlite = [
  ...TABLES.flatMap((table) =>
    EVENTS.map((event) => {
      const row = event === 'delete' ? 'old' : 'new';
      const owner =
        table === 'batches' ? `${row}.owner_id` : `(select owner_id from batches where batches.id = ${row}.batch_id)`;
      return `create trigger ${table}_heard_${event} after ${event} on ${table} begin ${once(owner)} end`;
    }),
  ),
  `create trigger jobs_of_batches_heard after update on jobs when ${JOB} begin ${once(ofJob)} end`,
];

export const changesOfBatches = statements(({ engine }) => (engine === 'postgres' ? onPostgres : onSqlite));
