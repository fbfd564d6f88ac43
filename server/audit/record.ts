// Writes the activity log: one entry for one act, in the transaction of the act, with its counters.
import { type Kysely, sql } from 'kysely';
import type { ActivityAction } from '#contract/activity.ts';
import type { Proof } from '#contract/policy.ts';
import type { WriteScope } from '../access/scope.ts';
import type { Schema } from '../db/schema.ts';
import { param, transactionStatement } from '../db/statement.ts';
import { activitySearchText } from '../names/search-text.ts';

export interface ActivityEntry {
  readonly action: ActivityAction;
  readonly details: string;
  readonly file?: { readonly id: number; readonly name: string };
  readonly client?: { readonly id: number; readonly name: string };
}

export interface ActivityActor {
  readonly id: number;
  readonly name: string;
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
  const { details, file, client } = entry;
  const texts = { details, fileName: file?.name, userName: actor.name, clientName: client?.name };
  return { details, searchText: activitySearchText(texts) };
}

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
  const { viewer } = scope;
  await insertActivity(scope.unscoped(proof), { id: viewer.id, name: viewer.fullName }, entry, at);
}
