// What changed last, in the order of the commits: wakes those who wait for it, and says how far it is known.
import { type Kysely, sql } from 'kysely';
import type { Database } from '../platform/db/database.ts';
import type { Schema } from '../platform/db/schema.ts';

/** Changes are kept this long for whoever was away; older ones are forgotten. */
export const CHANGES_KEPT_MS = 60 * 60_000;

/** What was committed up to `upto`, without it, is known whole: nothing is added before it any more. */
export interface KnownChanges {
  /** The place of the newest change, or of nothing yet. */
  readonly upto: number;
  /** Whether anything was committed at or after the place that was asked about. */
  readonly some: boolean;
  /** Whether something is committed already that is not known whole: it is worth another look soon. */
  readonly more: boolean;
}

export interface ChangeFeed {
  /** How far changes are known, and whether there are any from `from` on. */
  known(from: number): Promise<KnownChanges>;
  /** Calls `wake` soon after each commit that changed something, and sometimes without one; the answer stops it. */
  watch(wake: () => void): () => Promise<void>;
}

/**
 * The place after all that is known whole: on PostgreSQL the oldest transaction that still runs. One that is seen in another database of
 * the server changes nothing here, and may last for hours; one that is seen nowhere has just ended, or is prepared, and counts.
 */
const END = {
  sqlite: `(coalesce((select seq from sqlite_sequence where name = 'changes'), 0) + 1)`,
  postgres: `(with taken as (select pg_current_snapshot() as snapshot)
    select coalesce(
      (select min(running.id) from (select pg_snapshot_xip(snapshot)::text::bigint as id from taken) as running
        where not exists (select 1 from pg_stat_activity as elsewhere
          where elsewhere.backend_xid::text::bigint = running.id % 4294967296
            and elsewhere.datid <> (select oid from pg_database where datname = current_database()))),
      (select pg_snapshot_xmax(snapshot)::text::bigint from taken)))`,
};

export function openChangeFeed(database: Database): ChangeFeed {
  const end = sql.raw(END[database.kind]);
  return {
    async known(from) {
      const { rows } = await sql<{ upto: number; some: number | boolean; more: number | boolean }>`
        select ends.upto as upto,
          exists (select 1 from changes where position >= ${from} and position < ends.upto) as some,
          exists (select 1 from changes where position >= ends.upto) as more
        from (select ${end} as upto) as ends`.execute(database.reader);
      const [row] = rows;
      if (row === undefined) throw new Error('The database does not say how far its changes go');
      return { upto: row.upto, some: Boolean(row.some), more: Boolean(row.more) };
    },
    watch: (wake) => database.watchChanges(wake),
  };
}

/**
 * Tells those who reach a file that it was changed, where no trigger does: within the transaction of the change. `at` is now, in ms
 * since the epoch.
 */
export async function tellOfFile({ db }: { readonly db: Kysely<Schema> }, id: number, at: number): Promise<void> {
  await sql`insert into changes (at, topic, kind, file_id, client_id, access_key, owner_id)
    select cast(${at} as bigint), 'files', 'changed', id, client_id, access_key, uploaded_by_id
    from files where id = ${id}`.execute(db);
}

/**
 * Tells those who reach a client, and those who reach files of it, that they were changed, where no trigger does: likewise. Of the files
 * one row a place stands for all, and names none.
 */
export async function tellOfClient({ db }: { readonly db: Kysely<Schema> }, id: number, at: number): Promise<void> {
  await sql`insert into changes (at, topic, kind, client_id)
    select cast(${at} as bigint), 'clients', 'changed', id from clients where id = ${id}`.execute(db);
  await sql`insert into changes (at, topic, kind, client_id, access_key, owner_id)
    select distinct cast(${at} as bigint), 'files', 'changed', client_id, access_key, nullif(owner_id, 0)
    from file_counts where client_id = ${id} and n > 0`.execute(db);
}

/** Forgets changes that nobody asks for any more. `at` is now, in ms since the epoch. */
export async function forgetOldChanges(db: { transaction: Database['transaction'] }, at: number): Promise<void> {
  await db.transaction((tx: Kysely<Schema>) =>
    tx
      .deleteFrom('changes')
      .where('at', '<', at - CHANGES_KEPT_MS)
      .execute(),
  );
}
