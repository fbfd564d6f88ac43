// Writes the activity log: entries in the transaction of their act, with their counters.
import { setImmediate } from 'node:timers/promises';
import { type Compilable, type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import { type ActivityAction, inLookDetails } from '#contract/activity-words.ts';
import type { Proof } from '#contract/policy.ts';
import type { WriteScope } from '../people/access/scope.ts';
import { callerOf, type Viewer } from '../people/access/viewer.ts';
import type { DatabaseKind } from '../platform/db/database.ts';
import type { Schema } from '../platform/db/schema.ts';
import { engineOf, param, transactionStatement } from '../platform/db/statement.ts';
import { activitySearchText } from '../platform/names/search-text.ts';

export interface ActivityEntry {
  readonly action: ActivityAction;
  readonly details: string;
  readonly file?: { readonly id: number; readonly name: string };
  readonly client?: { readonly id: number; readonly name: string };
}

export interface ActivityActor {
  readonly id: number;
  readonly name: string;
  /** As whom the actor looks: what is entered says so. */
  readonly as?: string | undefined;
}

/** Whom an entry names for what `viewer` does. */
export function actorOf(viewer: Viewer): ActivityActor {
  const { id, fullName } = callerOf(viewer);
  return { id, name: fullName, as: viewer.look?.as };
}

/** Used in the counters where an entry has no client, and a file no report type. */
const NONE = 0;

/** What an entry is made of, with the types: of a value that is selected PostgreSQL knows none. */
const COLUMNS = {
  action: 'text',
  details: 'text',
  file_id: 'bigint',
  file_name: 'text',
  user_id: 'bigint',
  user_name: 'text',
  client_id: 'bigint',
  client_name: 'text',
  search_text: 'text',
  at: 'bigint',
  announced_at: 'bigint',
  served_at: 'bigint',
} as const;

type Column = keyof typeof COLUMNS;

const columnNames = Object.keys(COLUMNS) as Column[];
const bound = (column: Column) => sql`cast(${param(column)} as ${sql.raw(COLUMNS[column])})`;

/** `where` says when there is to be one. */
const newEntry = (where: RawBuilder<SqlBool>) => sql<{
  id: number;
}>`insert into activity (${sql.raw(columnNames.join(', '))})
  select ${sql.join(columnNames.map(bound))} where ${where} returning id`;

const always = sql<SqlBool>`true`;

/** One more for each row of `from`. */
const oneMore = (from: RawBuilder<unknown>) => sql`insert into activity_counts (user_id, client_id, action, n)
  select ${bound('user_id')}, coalesce(${bound('client_id')}, ${sql.lit(NONE)}), ${bound('action')}, 1 ${from}
  on conflict (user_id, client_id, action) do update set n = activity_counts.n + 1`;

// Every view and download runs it. On PostgreSQL it counts too, which saves a round trip; SQLite changes one table in a statement.
const insertEntry = transactionStatement<{ id: number }>((db, engine) => ({
  compile: () =>
    (engine === 'postgres'
      ? sql<{
          id: number;
        }>`with entry as (${newEntry(always)}), counted as (${oneMore(sql`from entry`)}) select id from entry`
      : newEntry(always)
    ).compile(db),
}));

// SQLite reads the conflict as a join without the condition.
const countEntry = transactionStatement<unknown>((db) => ({ compile: () => oneMore(sql`where true`).compile(db) }));

/** On PostgreSQL: enters and counts an entry of `entryRow` in one statement where `found` finds none, else answers what it finds. */
export const entryUnless = (found: (db: Kysely<Schema>) => Compilable) =>
  transactionStatement<{ id: number }>((db) => ({
    compile: () =>
      sql<{ id: number }>`with found as (${found(db)}),
        entry as (${newEntry(sql<SqlBool>`not exists (select 1 from found)`)}),
        counted as (${oneMore(sql`from entry`)})
        select id from found`.compile(db),
  }));

/** The text of an entry, as it is shown and as it is searched. */
export function activityWords(actor: ActivityActor, entry: ActivityEntry): { details: string; searchText: string } {
  const { file, client } = entry;
  const details = actor.as === undefined ? entry.details : inLookDetails(entry.details, actor.as);
  const texts = { details, fileName: file?.name, userName: actor.name, clientName: client?.name };
  return { details, searchText: activitySearchText(texts) };
}

/** Who does what nobody ordered, or the operator did. */
export const SYSTEM: ActivityActor = { id: 0, name: 'System' };

/** When the browser said that it would open the file, and when it was served. */
interface AccessTimes {
  readonly announcedAt?: number;
  readonly servedAt?: number;
}

/** The columns of an entry, as the parameters of its statement. `at` is in ms since the epoch. */
export function entryRow(
  actor: ActivityActor,
  entry: ActivityEntry,
  at: number,
  { announcedAt, servedAt }: AccessTimes = {},
): Readonly<Record<Column, number | string | null>> {
  const { details, searchText } = activityWords(actor, entry);
  return {
    action: entry.action,
    details,
    file_id: entry.file?.id ?? null,
    file_name: entry.file?.name ?? null,
    user_id: actor.id,
    user_name: actor.name,
    client_id: entry.client?.id ?? null,
    client_name: entry.client?.name ?? null,
    search_text: searchText,
    at,
    announced_at: announcedAt ?? null,
    served_at: servedAt ?? null,
  };
}

/** Inserts an entry and counts it; returns its id. `at` is in ms since the epoch. */
export async function insertActivity(
  tx: Kysely<Schema>,
  actor: ActivityActor,
  entry: ActivityEntry,
  at: number,
  access: AccessTimes = {},
): Promise<number> {
  const values = entryRow(actor, entry, at, access);
  const [row] = await insertEntry(tx, values);
  if (engineOf(tx) === 'sqlite') await countEntry(tx, values);
  if (row === undefined) throw new Error('An inserted log entry did not answer its id');
  return row.id;
}

/** Records what `proof` allowed, in its own transaction. */
export async function record(scope: WriteScope, proof: Proof, entry: ActivityEntry, at: number): Promise<void> {
  await insertActivity(scope.unscoped(proof), actorOf(scope.viewer), entry, at);
}

/** How many entries are inserted at once: others get a turn at the event loop in between. */
const ENTRIES_AT_ONCE = 200;

const GIVEN = ['action', 'details', 'file_id', 'file_name', 'client_id', 'client_name', 'search_text'] as const;
const isId = (column: string) => column.endsWith('_id');

/** The entries in the parameter `rows`, a JSON array, as the table `given`: one statement for any number of them. */
const given = {
  postgres: sql`json_to_recordset(cast(${param('rows')} as json)) as given (${sql.raw(
    GIVEN.map((column) => `${column} ${isId(column) ? 'bigint' : 'text'}`).join(', '),
  )})`,
  sqlite: sql`(select ${sql.raw(GIVEN.map((column) => `value ->> '${column}' as ${column}`).join(', '))}
    from json_each(${param('rows')})) as given`,
};

const manyStatements = (engine: DatabaseKind) => ({
  insert: transactionStatement<unknown>((db) => ({
    compile: () =>
      sql`insert into activity (${sql.raw(GIVEN.join(', '))}, user_id, user_name, at)
        select ${sql.raw(GIVEN.map((column) => `given.${column}`).join(', '))},
          cast(${param('userId')} as bigint), cast(${param('userName')} as text), cast(${param('at')} as bigint)
        from ${given[engine]}`.compile(db),
  })),
  // SQLite reads the conflict as a join without the condition.
  count: transactionStatement<unknown>((db) => ({
    compile: () =>
      sql`insert into activity_counts (user_id, client_id, action, n)
        select cast(${param('userId')} as bigint), coalesce(given.client_id, ${sql.lit(NONE)}), given.action, count(*)
        from ${given[engine]} where true group by 2, 3
        on conflict (user_id, client_id, action) do update set n = activity_counts.n + excluded.n`.compile(db),
  })),
});
const manyAtOnce = { sqlite: manyStatements('sqlite'), postgres: manyStatements('postgres') };

/** Records many entries of one act, however many; they are on top of the log in the order given, the last one first. */
export async function recordEach(
  scope: WriteScope,
  proof: Proof,
  entries: readonly ActivityEntry[],
  at: number,
): Promise<void> {
  const tx = scope.unscoped(proof);
  const actor = actorOf(scope.viewer);
  const { insert, count } = manyAtOnce[scope.engine];
  for (let start = 0; start < entries.length; start += ENTRIES_AT_ONCE) {
    if (start > 0) await setImmediate();
    const some = entries.slice(start, start + ENTRIES_AT_ONCE);
    const rows = JSON.stringify(
      some.map((entry) => {
        const { details, searchText } = activityWords(actor, entry);
        return {
          action: entry.action,
          details,
          file_id: entry.file?.id ?? null,
          file_name: entry.file?.name ?? null,
          client_id: entry.client?.id ?? null,
          client_name: entry.client?.name ?? null,
          search_text: searchText,
        };
      }),
    );
    await insert(tx, { rows, userId: actor.id, userName: actor.name, at });
    await count(tx, { rows, userId: actor.id });
  }
}
