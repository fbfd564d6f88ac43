// Records views and downloads as the bytes are served: one access, one entry, joined with what the browser announced.
import type { Kysely } from 'kysely';
import { type AccessAction, accessDetails } from '#contract/activity.ts';
import type { Database } from './database.ts';
import { type ActivityActor, insertActivity } from './record.ts';
import type { Schema } from './schema.ts';
import { hole, transactionStatement } from './statement.ts';

/** An announcement and a serving no further apart than this are the same access. */
const JOIN_WITHIN_MS = 2 * 60_000;
/** A viewer that reads a file in ranges asks for the next one within this time; later, it is a new access. */
const CONTINUE_WITHIN_MS = 10 * 60_000;

export interface Access {
  readonly action: AccessAction;
  readonly actor: ActivityActor;
  readonly file: { readonly id: number; readonly name: string };
  readonly client: { readonly id: number; readonly name: string };
}

/** Bytes about to be served. `continues`: a later range, which belongs to a serving already recorded, if there is one. */
export interface Serving extends Access {
  readonly continues: boolean;
}

interface Waiting {
  readonly access: Serving;
  readonly done: (error?: unknown) => void;
}

type Half = 'announced' | 'served';

/** The newest access by this user, of this kind, to this file since a moment, of which so far only `half` is known. */
const newestHalf = (half: Half) =>
  transactionStatement((db) =>
    db
      .selectFrom('activity')
      .select('id')
      .where('file_id', '=', hole<number>('fileId'))
      .where('at', '>=', hole<number>('since'))
      .where('user_id', '=', hole<number>('userId'))
      .where('action', '=', hole<AccessAction>('action'))
      .where(half === 'announced' ? 'announced_at' : 'served_at', 'is not', null)
      .where(half === 'announced' ? 'served_at' : 'announced_at', 'is', null)
      .orderBy('at', 'desc')
      .limit(1),
  );

const newestHalves = { announced: newestHalf('announced'), served: newestHalf('served') };

async function findHalf(tx: Kysely<Schema>, access: Access, half: Half, since: number): Promise<number | undefined> {
  const { action, actor, file } = access;
  const [row] = await newestHalves[half](tx, { fileId: file.id, since, userId: actor.id, action });
  return row?.id;
}

/**
 * Notes that the browser is about to open a file (or just did), in a transaction that holds the turn at the actor's
 * accesses; returns the id of the access's one entry.
 */
export async function recordAnnouncement(tx: Kysely<Schema>, access: Access, at: number): Promise<number> {
  const id = await findHalf(tx, access, 'served', at - JOIN_WITHIN_MS);
  if (id !== undefined) {
    await tx.updateTable('activity').set({ announced_at: at }).where('id', '=', id).execute();
    return id;
  }
  return insertActivity(tx, access.actor, toEntry(access), at, { announcedAt: at });
}

async function continuesServing(tx: Kysely<Schema>, access: Access, since: number): Promise<boolean> {
  const row = await tx
    .selectFrom('activity')
    .select('id')
    .where('file_id', '=', access.file.id)
    .where('at', '>=', since)
    .where('user_id', '=', access.actor.id)
    .where('action', '=', access.action)
    .where('served_at', 'is not', null)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

async function recordServing(tx: Kysely<Schema>, access: Serving, at: number): Promise<void> {
  if (access.continues && (await continuesServing(tx, access, at - CONTINUE_WITHIN_MS))) return;
  const id = await findHalf(tx, access, 'announced', at - JOIN_WITHIN_MS);
  if (id !== undefined) {
    await tx.updateTable('activity').set({ served_at: at }).where('id', '=', id).execute();
    return;
  }
  await insertActivity(tx, access.actor, toEntry(access), at, { servedAt: at });
}

function toEntry({ action, file, client }: Access) {
  return { action, details: accessDetails[action](file.name), file, client };
}

/**
 * Collects the accesses of requests that run side by side and commits them together: each still waits until its own
 * entry is durable, but one flush to disk serves them all.
 */
export class AccessLog {
  readonly #database: Database;
  readonly #now: () => number;
  #waiting: Waiting[] = [];
  #flushing = false;

  constructor(database: Database, now: () => number) {
    this.#database = database;
    this.#now = now;
  }

  /** Resolves once the entry is durable; rejects where it cannot be made so, and then nothing may be served. */
  record(access: Serving): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#waiting.push({ access, done: (error) => (error === undefined ? resolve() : reject(error)) });
    if (!this.#flushing) {
      this.#flushing = true;
      setImmediate(() => void this.#flush());
    }
    return promise;
  }

  async #flush(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting;
      this.#waiting = [];
      const at = this.#now();
      try {
        await this.#database.transactionFlushedBeside(async (tx) => {
          // Announcements come in transactions of their own; in one order, so that no two batches wait for each other.
          const users = [...new Set(batch.map(({ access }) => access.actor.id))].sort((a, b) => a - b);
          for (const id of users) await this.#database.serialize(tx, `accesses-of-${id}`);
          for (const { access } of batch) await recordServing(tx, access, at);
        });
        for (const { done } of batch) done();
      } catch (error) {
        for (const { done } of batch) done(error);
      }
    }
    this.#flushing = false;
  }
}
