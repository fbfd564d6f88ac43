// Lists that stand by client or by report type, and within each by date: the groups that a page may fall in, in their order.
import { sql } from 'kysely';
import type { FileQuery } from '#contract/files.ts';
import { DOCUMENT } from '../../people/access/reach.ts';
import type { ReadScope } from '../../people/access/scope.ts';
import type { Sources } from '../../people/access/sources.ts';
import { COUNTED_AT_MOST, type Total } from '../../platform/db/list.ts';
import { countFilesAtMost } from './counts.ts';
import { type FileFilters, type Narrowing, narrowingOf, onePlaceOf } from './narrowing.ts';
import { choosePlan, type Plan } from './plan.ts';

export interface Group {
  /** What narrows the list to this group. */
  readonly filter: Pick<FileFilters, 'clientId' | 'accessKey'>;
  /** How many files of the list it holds; null where nobody has counted them yet. */
  readonly n: number | null;
}

interface GroupRow {
  readonly id: number;
  /** The name as lists order it; null for what has none. */
  readonly name: string | null;
  readonly n: number;
}

const kinds = {
  clientName: {
    column: 'client_id',
    names: sql`left join clients named on named.id = grouped.id`,
    filter: (id: number) => ({ clientId: id }),
    place: ({ name }: GroupRow) => name ?? '',
  },
  // Documents come before reports, and a report without a type before all others.
  reportTypeName: {
    column: 'access_key',
    names: sql`left join report_types named on named.id = grouped.id`,
    filter: (id: number) => ({ accessKey: id }),
    place: ({ id, name }: GroupRow) => (id === DOCUMENT ? '' : `\n${name ?? ''}`),
  },
} as const;

/** Every group that may hold files of the list, in order, and how many files there are in all. */
export async function groupsBy(
  scope: ReadScope,
  by: keyof typeof kinds,
  direction: 'asc' | 'desc',
  query: FileQuery & FileFilters,
): Promise<{ readonly groups: readonly Group[]; readonly total: Total }> {
  const narrowing = narrowingOf(query);
  if (narrowing === null) return { groups: [], total: { total: 0, more: false } };
  const { place, filter } = kinds[by];
  // Few are counted group by group as they are found; of many, only the groups that a page comes to.
  const plan = narrowing.counted ? null : await choosePlan(scope, narrowing, 'uploadedAt', COUNTED_AT_MOST);
  const counted =
    plan === null ||
    plan.kind === 'gather' ||
    (await countFilesAtMost(scope, narrowing, inCounting(plan))) <= COUNTED_AT_MOST;
  const rows = await readGroups(scope, by, counted ? narrowing : narrowing.countedPart, counted ? plan : null);
  const ordered = rows
    .filter(({ n }) => n > 0)
    .sort((one, other) => compareByCodePoint(place(one), place(other)) || one.id - other.id);
  if (direction === 'desc') ordered.reverse();
  return {
    groups: ordered.map(({ id, n }) => ({ filter: filter(id), n: counted ? n : null })),
    total: counted
      ? { total: ordered.reduce((sum, { n }) => sum + n, 0), more: false }
      : { total: COUNTED_AT_MOST, more: true },
  };
}

/** What a plan reads where all of it is wanted. */
const inCounting = ({ name, kind, source, countSource, values }: Plan) => ({
  name: `${name} whole`,
  source: kind === 'gather' ? source : countSource,
  values,
});

/** The groups of what `plan` reads; without one, as the counters have them. */
async function readGroups(
  scope: ReadScope,
  by: keyof typeof kinds,
  narrowing: Narrowing,
  plan: Plan | null,
): Promise<GroupRow[]> {
  const { column, names } = kinds[by];
  const grouped = (sources: Sources) => {
    if (plan === null) {
      const counters = sources.fileCounts(onePlaceOf(narrowing)).where(narrowing.on('file_counts'));
      return sql`${counters
        .select([sql.ref<number>(`file_counts.${column}`).as('id'), sql<number>`sum(file_counts.n)`.as('n')])
        .groupBy(`file_counts.${column}`)}`;
    }
    const { from, where } = inCounting(plan).source(sources);
    return sql`select file.${sql.ref(column)} as id, count(*) as n from ${from} where ${where} group by file.${sql.ref(column)}`;
  };
  return scope.prepared<GroupRow>(
    `files.groups ${by} ${plan?.name ?? 'counters'} ${narrowing.key}`,
    (sources) =>
      sources.query(sql<GroupRow>`select grouped.id as "id", named.search_name as "name", cast(grouped.n as bigint) as "n"
        from (${grouped(sources)}) as grouped ${names}`),
    { ...narrowing.values, ...plan?.values },
    plan === null ? 'short' : 'long',
  );
}

/** As both engines compare text here; JavaScript's own comparison goes by halves of characters. */
function compareByCodePoint(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}
