// How many files a list holds: by the counters that move with every file, or by counting up to a limit.
import { type Kysely, sql } from 'kysely';
import type { RowSource } from '../../people/access/reach.ts';
import type { ReadScope } from '../../people/access/scope.ts';
import type { Sources } from '../../people/access/sources.ts';
import { COUNTED_AT_MOST, cappedCount } from '../../platform/db/list.ts';
import type { Schema } from '../../platform/db/schema.ts';
import { param } from '../../platform/db/statement.ts';
import { type Narrowing, onePlaceOf } from './narrowing.ts';

/** How many files there have ever been: about as many as a walk through all of them passes. */
export async function filesEver(scope: ReadScope): Promise<number> {
  const [row] = await scope.prepared<{ n: number }>('files.ever', (sources) =>
    sources.query(sql`select cast(coalesce(max(last.id), 0) as bigint) as n from files last`),
  );
  return row?.n ?? 0;
}

/** The same for work that has no viewer. */
export async function filesEverIn(db: Kysely<Schema>): Promise<number> {
  const row = await db
    .selectFrom('files')
    .select(({ fn }) => fn.max('id').as('n'))
    .executeTakeFirst();
  return row?.n ?? 0;
}

/** How many files in reach match, as the counters have it; without a narrowing all in reach. */
export async function countInCounters(scope: ReadScope, narrowing: Narrowing | null): Promise<number> {
  const [row] = await scope.prepared<{ n: number }>(
    `files.counted ${narrowing?.key ?? 'all'}`,
    (sources) => {
      const counters = sources.fileCounts(narrowing === null ? undefined : onePlaceOf(narrowing));
      const narrowed = narrowing === null ? counters : counters.where(narrowing.on('file_counts'));
      return narrowed.select(sql<number>`cast(coalesce(sum(file_counts.n), 0) as bigint)`.as('n'));
    },
    narrowing?.values,
  );
  return row?.n ?? 0;
}

/** How many files there are, up to `most`; unless given, one more than are counted for a list. */
export async function countFilesAtMost(
  scope: ReadScope,
  narrowing: Narrowing,
  {
    name,
    source,
    values,
  }: {
    readonly values?: Readonly<Record<string, unknown>>;
    readonly name: string;
    readonly source: (sources: Sources) => RowSource;
  },
  most: number = COUNTED_AT_MOST + 1,
): Promise<number> {
  const [row] = await scope.prepared<{ n: number }>(
    `files.at-most ${name} ${narrowing.key}`,
    (sources) => sources.query(sql<{ n: number }>`select ${cappedCount(source(sources), param('most'))} as n`),
    { ...narrowing.values, ...values, most },
    narrowing.lasting,
  );
  return row?.n ?? 0;
}
