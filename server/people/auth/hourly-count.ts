// Counts of what one person does within an hour, beside the tries at secrets and forgotten with them (`attempts.ts`).
import { sql } from 'kysely';
import { HOUR_MS } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';

/** Counts one more under `key`, by whichever process, and answers how many there are since the hour began with the first. */
export async function countWithinHour(database: Database, key: string, at: number): Promise<number> {
  const isOver = sql<boolean>`attempts.since <= ${at - HOUR_MS}`;
  const { tries } = await database.transaction((tx) =>
    tx
      .insertInto('attempts')
      .values({ key, tries: 1, since: at, blocked_until: 0 })
      .onConflict((conflict) =>
        conflict.column('key').doUpdateSet({
          tries: sql<number>`case when ${isOver} then 1 else attempts.tries + 1 end`,
          since: sql<number>`case when ${isOver} then excluded.since else attempts.since end`,
        }),
      )
      .returning('tries')
      .executeTakeFirstOrThrow(),
  );
  return tries;
}
