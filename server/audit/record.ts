// Writes the activity log: entries in the transaction of their act, with their counters.
import { setImmediate } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { type ActivityAction, inLookDetails } from '#contract/activity-words.ts';
import type { Proof } from '#contract/policy.ts';
import type { WriteScope } from '../people/access/scope.ts';
import { callerOf, type Viewer } from '../people/access/viewer.ts';
import type { DatabaseKind } from '../platform/db/database.ts';
import type { Schema } from '../platform/db/schema.ts';
import { param, transactionStatement } from '../platform/db/statement.ts';
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

// Every view and download runs these two, so they are prepared once.
const insertEntry = transactionStatement((db) =>
  db
    .insertInto('activity')
    .values({
      action: param<ActivityAction>('action'),
      details: param<string>('details'),
      file_id: param<number | null>('fileId'),
      file_name: param<string | null>('fileName'),
      user_id: param<number>('userId'),
      user_name: param<string>('userName'),
      client_id: param<number | null>('clientId'),
      client_name: param<string | null>('clientName'),
      search_text: param<string>('searchText'),
      at: param<number>('at'),
      announced_at: param<number | null>('announcedAt'),
      served_at: param<number | null>('servedAt'),
    })
    .returning('id'),
);

const countEntry = transactionStatement((db) =>
  db
    .insertInto('activity_counts')
    .values({
      user_id: param<number>('userId'),
      client_id: param<number>('clientId'),
      action: param<ActivityAction>('action'),
      n: 1,
    })
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'client_id', 'action']).doUpdateSet({ n: sql<number>`activity_counts.n + 1` }),
    ),
);

/** The text of an entry, as it is shown and as it is searched. */
export function activityWords(actor: ActivityActor, entry: ActivityEntry): { details: string; searchText: string } {
  const { file, client } = entry;
  const details = actor.as === undefined ? entry.details : inLookDetails(entry.details, actor.as);
  const texts = { details, fileName: file?.name, userName: actor.name, clientName: client?.name };
  return { details, searchText: activitySearchText(texts) };
}

/** Who does what nobody ordered, or the operator did. */
export const SYSTEM: ActivityActor = { id: 0, name: 'System' };

/** Inserts an entry and counts it; returns its id. `at` is in ms since the epoch. */
export async function insertActivity(
  tx: Kysely<Schema>,
  actor: ActivityActor,
  entry: ActivityEntry,
  at: number,
  access: { announcedAt?: number; servedAt?: number } = {},
): Promise<number> {
  const [row] = await insertEntry(tx, {
    action: entry.action,
    ...activityWords(actor, entry),
    fileId: entry.file?.id ?? null,
    fileName: entry.file?.name ?? null,
    userId: actor.id,
    userName: actor.name,
    clientId: entry.client?.id ?? null,
    clientName: entry.client?.name ?? null,
    at,
    announcedAt: access.announcedAt ?? null,
    servedAt: access.servedAt ?? null,
  });
  await countEntry(tx, { userId: actor.id, clientId: entry.client?.id ?? NONE, action: entry.action });
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
