// Writes down the letters of the log's entries, a few at a time and behind those who write the log.
import { sql } from 'kysely';
import type { Database } from '../db/database.ts';

/** So many at once: whoever wants to write meanwhile waits some milliseconds. */
const BATCH = 100;
/** An entry may change for as long as an announcement and its serving are joined; afterwards its words are final. */
const SETTLED_MS = 10 * 60_000;

/**
 * Takes up to `batches` times the next entries that nobody has written down and that change no more; answers whether any
 * remain. PostgreSQL keeps its index itself.
 */
export async function indexActivityWords(database: Database, nowMs: number, batches: number): Promise<boolean> {
  if (database.kind !== 'sqlite') return false;
  for (let batch = 0; batch < batches; batch += 1) {
    const indexed = await database.transaction(async (tx) => {
      const through = sql<number>`(select through_id from indexed_words where table_name = 'activity')`;
      const { rows } = await sql<{
        id: number;
      }>`select id from activity where id > ${through} order by id limit ${BATCH}`.execute(tx);
      const late = await sql<{ id: number }>`select min(id) as id from (select id from activity where id > ${through}
        and at >= ${nowMs - SETTLED_MS} order by id limit 1)`.execute(tx);
      const before = late.rows[0]?.id ?? Number.MAX_SAFE_INTEGER;
      const last = rows.findLast(({ id }) => id < before)?.id;
      if (last === undefined) return 0;
      await sql`insert into activity_words (rowid, search_text)
        select id, search_text from activity where id > ${through} and id <= ${last}`.execute(tx);
      await sql`update indexed_words set through_id = ${last} where table_name = 'activity'`.execute(tx);
      return rows.length;
    });
    if (indexed < BATCH) return false;
  }
  return true;
}
