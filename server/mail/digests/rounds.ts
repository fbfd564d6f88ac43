// When digests are written: each pace has rounds, and a round tells what happened between the end of the one before and its own.
import type { Kysely } from 'kysely';
import { localDay, localHour } from '#contract/days.ts';
import { DAILY_HOUR, DIGEST_PACES, type DigestPace } from '#contract/digest-words.ts';
import { DAY_MS, MINUTE_MS } from '../../platform/clock.ts';
import type { Schema } from '../../platform/db/schema.ts';

const SECOND_MS = 1_000;
const QUARTER_MS = 15 * MINUTE_MS;

/**
 * A file has its moment before its transaction commits: what is younger than `settlesMs` may not be there yet, and is left for the next round.
 * What is told at once waits until nothing has come for `quietMs`, so that ten files sent one after the other are one mail, and goes after
 * `waitsMs` though more comes. Tests have less patience.
 */
export const ROUNDS = { settlesMs: 20 * SECOND_MS, quietMs: 45 * SECOND_MS, waitsMs: 3 * MINUTE_MS };

export type RoundPace = Exclude<DigestPace, 'never'>;
export const ROUND_PACES = DIGEST_PACES.filter((pace) => pace !== 'never');

/** Until when the round of `pace` goes that is due at `at`: ms since the epoch, as all moments here. */
export function roundEnd(pace: RoundPace, at: number, timeZone: string): number {
  const settled = at - ROUNDS.settlesMs;
  switch (pace) {
    case 'atOnce':
      return settled;
    case 'quarterHour':
      return settled - (settled % QUARTER_MS);
    case 'daily': {
      const today = localHour(localDay(settled, timeZone), DAILY_HOUR, timeZone);
      return today <= settled ? today : localHour(localDay(settled - DAY_MS, timeZone), DAILY_HOUR, timeZone);
    }
  }
}

/** Until when the rounds of each pace went; a pace that never had one is missing. */
export type Rounds = ReadonlyMap<DigestPace, number>;

export async function readRounds(db: Kysely<Schema>): Promise<Rounds> {
  const rows = await db.selectFrom('digest_rounds').select(['pace', 'done_until as doneUntil']).execute();
  return new Map(rows.map(({ pace, doneUntil }) => [pace, doneUntil]));
}

/** From when on it is told: nobody hears of what was before. */
export async function beginRounds(tx: Kysely<Schema>, pace: RoundPace, until: number): Promise<void> {
  await tx
    .insertInto('digest_rounds')
    .values({ pace, done_until: until })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Ends a round; false where another process has ended it. */
export async function endRound(
  tx: Kysely<Schema>,
  { pace, done, until }: { readonly pace: RoundPace; readonly done: number; readonly until: number },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('digest_rounds')
    .set({ done_until: until })
    .where('pace', '=', pace)
    .where('done_until', '=', done)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}
