// Records views and downloads as the bytes are served: one access, one entry, joined with what the browser announced.
import type { Kysely } from 'kysely';
import { announcedDetails } from '#contract/activity.ts';
import { type AccessAction, accessDetails } from '#contract/activity-words.ts';
import { refuse, refuseTooMany } from '#contract/errors.ts';
import type { Viewer } from '../people/access/viewer.ts';
import type { Database } from '../platform/db/database.ts';
import { GatheredWrites } from '../platform/db/gathered-writes.ts';
import type { Schema } from '../platform/db/schema.ts';
import { engineOf, param, transactionStatement } from '../platform/db/statement.ts';
import { type HeldFiles, holdOpened, noteOpened, type Opener, openerOf } from './file-opens.ts';
import { type ActivityActor, activityWords, actorOf, entryRow, entryUnless, insertActivity } from './record.ts';

/** An announcement and a serving no further apart than this are the same access. */
const JOIN_WITHIN_MS = 2 * 60_000;
/** A viewer that reads a file in ranges asks for the next one within this time; later, it is a new access. */
const CONTINUE_WITHIN_MS = 10 * 60_000;
/** At most this many announcements of one person within this time may lead to no access. */
const UNSERVED_MAX = 100;
const UNSERVED_WITHIN_MS = 60 * 60_000;

export interface Access {
  readonly action: AccessAction;
  readonly actor: ActivityActor;
  readonly file: { readonly id: number; readonly name: string };
  readonly client: { readonly id: number; readonly name: string };
}

/** Bytes about to be served. `continues`: a later range, which belongs to a serving already recorded, if there is one. */
export interface Serving extends Access {
  readonly continues: boolean;
  /** Null where nothing is opened by it. */
  readonly opener: Opener | null;
  /** The newest file, of an earlier version: that one has to be there. */
  readonly newestId?: number | undefined;
}

/** Whose access it is. Nothing is opened by a look: it is the access of whoever looks, and the file stays new to the person. */
export function accessBy(viewer: Viewer): Pick<Serving, 'actor' | 'opener'> {
  return { actor: actorOf(viewer), opener: openerOf(viewer) };
}

type Half = 'announced' | 'served';

/** The newest access by this user, of this kind, to this file since a moment, of which so far only `half` is known. */
const newestHalf = (half: Half) => (db: Kysely<Schema>) =>
  db
    .selectFrom('activity')
    .select('id')
    .where('file_id', '=', param<number>('fileId'))
    .where('at', '>=', param<number>('since'))
    .where('user_id', '=', param<number>('userId'))
    .where('action', '=', param<AccessAction>('kind'))
    .where(half === 'announced' ? 'announced_at' : 'served_at', 'is not', null)
    .where(half === 'announced' ? 'served_at' : 'announced_at', 'is', null)
    .orderBy('at', 'desc')
    .limit(1);

const newestHalves = {
  announced: transactionStatement(newestHalf('announced')),
  served: transactionStatement(newestHalf('served')),
};

/** On PostgreSQL each statement is a round trip, and this one is of every view and download. */
const enterUnlessAnnounced = entryUnless(newestHalf('announced'));

const halfValues = ({ action, actor, file }: Access, since: number) => ({
  fileId: file.id,
  since,
  userId: actor.id,
  kind: action,
});

async function findHalf(tx: Kysely<Schema>, access: Access, half: Half, since: number): Promise<number | undefined> {
  const [row] = await newestHalves[half](tx, halfValues(access, since));
  return row?.id;
}

/**
 * Records that the browser is about to open a file (or just did), in a transaction that holds the turn at the actor's
 * accesses; returns the id of the access's one entry. Refuses `too_many` beyond what anybody announces honestly.
 */
export async function recordAnnouncement(tx: Kysely<Schema>, access: Access, at: number): Promise<number> {
  const served = await findHalf(tx, access, 'served', at - JOIN_WITHIN_MS);
  if (served !== undefined) {
    await tx.updateTable('activity').set({ announced_at: at }).where('id', '=', served).execute();
    return served;
  }
  const waiting = await findHalf(tx, access, 'announced', at - JOIN_WITHIN_MS);
  if (waiting !== undefined) return waiting;
  await refuseBeyondMost(tx, access.actor.id, at);
  return insertActivity(tx, access.actor, toEntry(access, announcedDetails), at, { announcedAt: at });
}

/** Announcements are free, so without a limit they could fill the log; those that were followed do not count. */
async function refuseBeyondMost(tx: Kysely<Schema>, userId: number, at: number): Promise<void> {
  const row = await tx
    .selectFrom('activity')
    .select('at')
    .where('user_id', '=', userId)
    .where('at', '>', at - UNSERVED_WITHIN_MS)
    .where('announced_at', 'is not', null)
    .where('served_at', 'is', null)
    .orderBy('at', 'desc')
    .limit(1)
    .offset(UNSERVED_MAX - 1)
    .executeTakeFirst();
  if (row === undefined) return;
  throw refuseTooMany(Math.ceil((row.at + UNSERVED_WITHIN_MS - at) / 1_000));
}

async function continuesServing(tx: Kysely<Schema>, access: Access, since: number): Promise<boolean> {
  const serving = tx
    .selectFrom('activity')
    .select('id')
    .where('file_id', '=', access.file.id)
    .where('at', '>=', since)
    .where('user_id', '=', access.actor.id)
    .where('action', '=', access.action)
    .where('served_at', 'is not', null)
    .limit(1);
  // In a look, only what was entered as one: the same person may have opened the file by themselves.
  const { details } = activityWords(access.actor, toEntry(access, accessDetails));
  const row = await (access.actor.as === undefined
    ? serving
    : serving.where('details', '=', details)
  ).executeTakeFirst();
  return row !== undefined;
}

async function recordServing(tx: Kysely<Schema>, access: Serving, held: HeldFiles, at: number): Promise<void> {
  const { file, actor, opener } = access;
  if (access.continues && (await continuesServing(tx, access, at - CONTINUE_WITHIN_MS))) return;
  await noteOpened(tx, { fileIds: [file.id], held, userId: actor.id, opener, at });
  const id = await enterServing(tx, access, at);
  if (id === undefined) return;
  const { details, searchText } = activityWords(actor, toEntry(access, accessDetails));
  await tx
    .updateTable('activity')
    .set({ served_at: at, details, search_text: searchText })
    .where('id', '=', id)
    .execute();
}

/** Enters a serving, unless its entry waits since it was announced: then answers the id of that. */
async function enterServing(tx: Kysely<Schema>, access: Serving, at: number): Promise<number | undefined> {
  const { actor } = access;
  const entry = toEntry(access, accessDetails);
  // A look announces nothing: what waits was announced by the same person for themselves.
  if (actor.as === undefined) {
    const since = at - JOIN_WITHIN_MS;
    if (engineOf(tx) === 'postgres') {
      const values = { ...entryRow(actor, entry, at, { servedAt: at }), ...halfValues(access, since) };
      return (await enterUnlessAnnounced(tx, values))[0]?.id;
    }
    const announced = await findHalf(tx, access, 'announced', since);
    if (announced !== undefined) return announced;
  }
  await insertActivity(tx, actor, entry, at, { servedAt: at });
  return undefined;
}

/** The entry's text for what is known so far: that it was announced, or that bytes were sent. */
function toEntry({ action, file, client }: Access, words: typeof accessDetails) {
  return { action, details: words[action](file.name), file, client };
}

/** The id in `files` that has to be there. */
const rowOf = ({ file, newestId }: Serving) => newestId ?? file.id;

/** Records the accesses of requests that run concurrently; nothing may be served before its entry is durable. */
export class AccessLog {
  readonly #writes: GatheredWrites<Serving>;
  readonly #database: Database;
  readonly #now: () => number;

  constructor(database: Database, now: () => number) {
    this.#database = database;
    this.#now = now;
    this.#writes = new GatheredWrites(database, now, (tx, servings, at) => this.#recordAll(tx, servings, at, 'skip'));
  }

  /**
   * Resolves once the entry is durable; rejects where it cannot be made so, and then nothing may be served. Refuses `not_found` where the
   * file was deleted meanwhile.
   */
  async record(access: Serving): Promise<void> {
    if (await this.#writes.write(access)) return;
    // Somebody changes the file, or has deleted it: this one waits for that, and the others not for this one.
    const leftOut = await this.#database.transactionFlushedBeside((tx) =>
      this.#recordAll(tx, [access], this.#now(), 'wait'),
    );
    if (leftOut.has(access)) throw refuse('not_found');
  }

  /** Answers those of files that are not there, or that are held by others where those are skipped. */
  async #recordAll(
    tx: Kysely<Schema>,
    servings: readonly Serving[],
    at: number,
    others: 'wait' | 'skip',
  ): Promise<ReadonlySet<Serving>> {
    // Announcements come in transactions of their own; always in one order, so that no two batches deadlock.
    const users = [...new Set(servings.map(({ actor }) => actor.id))].sort((a, b) => a - b);
    await this.#database.serialize(tx, ...users.map((id) => `accesses-of-${id}` as const));
    const ids = [...new Set(servings.map(rowOf))];
    const held = await holdOpened(tx, ids, others);
    const leftOut = new Set<Serving>();
    for (const serving of servings) {
      if (held.has(rowOf(serving))) await recordServing(tx, serving, held, at);
      else leftOut.add(serving);
    }
    return leftOut;
  }
}
