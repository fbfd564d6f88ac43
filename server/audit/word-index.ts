// Indexes the words of the log's entries, a few at a time and after those who write the log.
import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Database } from '../platform/db/database.ts';

/** How many at once: anyone who wants to write waits some milliseconds. */
const BATCH = 100;
/** An entry may change for as long as an announcement and its serving are joined; afterwards its words are final. */
const SETTLED_MS = 10 * 60_000;

/**
 * Indexes the entries that are not indexed yet and will not change, and lets others write in between. PostgreSQL maintains
 * its index itself.
 */
export async function indexActivityWords(database: Database, nowMs: number): Promise<void> {
  if (database.kind !== 'sqlite') return;
  for (;;) {
    const startedMs = performance.now();
    if ((await indexNext(database, nowMs)) < BATCH) return;
    // Two thirds of the time are left to those who write the log.
    await setTimeout(2 * (performance.now() - startedMs));
  }
}

/** Returns how many entries it indexed. */
function indexNext(database: Database, nowMs: number): Promise<number> {
  return database.transaction(async (tx) => {
    const through = sql<number>`(select through_id from indexed_words where table_name = 'activity')`;
    const { rows } = await sql<{ id: number; at: number }>`select id, at from activity where id > ${through}
      order by id limit ${BATCH}`.execute(tx);
    const unsettled = rows.findIndex(({ at }) => at >= nowMs - SETTLED_MS);
    const settled = unsettled === -1 ? rows : rows.slice(0, unsettled);
    const last = settled.at(-1)?.id;
    if (last === undefined) return 0;
    await sql`insert into activity_words (rowid, search_text)
      select id, search_text from activity where id > ${through} and id <= ${last}`.execute(tx);
    await sql`update indexed_words set through_id = ${last} where table_name = 'activity'`.execute(tx);
    return settled.length;
  });
}
