// A list of files from its first row to its last, for exports: each piece begins after the last row of the one before.
import { sql } from 'kysely';
import type { FileExportQuery, FileRow } from '#contract/files.ts';
import type { ReadScope } from '../../people/access/scope.ts';
import { orderOf, slicesOf } from '../../platform/db/list.ts';
import { param } from '../../platform/db/statement.ts';
import { filesAsJson, pageOfFiles } from '../file-row.ts';
import { filesEver } from './counts.ts';
import { groupsBy } from './groups.ts';
import { type Narrowing, narrowingOf } from './narrowing.ts';
import { choosePlan, placeOf, type ReadOrder } from './plan.ts';

/** How many rows are read at once: gathering is repeated for each piece. */
const PIECE = 1_000;

/**
 * The files that exist when it begins, in the list's order. What is deleted or taken out of reach meanwhile is left out,
 * what arrives meanwhile is not in it.
 */
export async function* wholeFileList(scope: ReadScope, query: FileExportQuery): AsyncGenerator<readonly FileRow[]> {
  const newest = await filesEver(scope);
  const { column, direction } = orderOf(query.sort ?? '-uploadedAt');
  if (column !== 'clientName' && column !== 'reportTypeName') {
    yield* pieces(scope, narrowingOf(query), { column, direction }, newest);
    return;
  }
  const { groups } = await groupsBy(scope, column, direction, query);
  for (const { filter } of groups) {
    yield* pieces(scope, narrowingOf({ ...query, ...filter }), { column: 'uploadedAt', direction }, newest);
  }
}

interface PlacedRow {
  readonly id: number;
  readonly place: number | string;
  readonly json: string;
}

async function* pieces(
  scope: ReadScope,
  narrowing: Narrowing | null,
  order: ReadOrder,
  newest: number,
): AsyncGenerator<readonly FileRow[]> {
  if (narrowing === null) return;
  const plan = await choosePlan(scope, narrowing, order.column, PIECE);
  const direction = sql.raw(order.direction);
  const past = order.direction === 'asc' ? sql`>` : sql`<`;
  let last: PlacedRow | undefined;
  do {
    const begins = last === undefined;
    const rows = await scope.prepared<PlacedRow>(
      `files.piece ${plan.name} ${order.column} ${order.direction} ${begins} ${narrowing.key}`,
      (sources) => {
        const { from, where } = plan.source(sources);
        const place = placeOf(order.column);
        const after = begins ? sql`` : sql`and (${place}, file.id) ${past} (${param('place')}, ${param('id')})`;
        const listed = filesAsJson(sources, pageOfFiles);
        return sources.query(sql<PlacedRow>`with page as (select file.id as id, file.client_id as client_id, ${place} as place from ${from}
            where ${where} and file.id <= ${param('newest')} ${after}
            order by place ${direction}, id ${direction} limit ${sql.lit(PIECE)})
          select page.id as "id", page.place as "place", ${listed.json} as "json"
          from ${listed.from} order by page.place ${direction}, page.id ${direction}`);
      },
      { ...narrowing.values, ...plan.values, newest, ...(last && { place: last.place, id: last.id }) },
      'long',
    );
    for (const some of slicesOf(rows)) yield some.map(({ json }) => JSON.parse(json) as FileRow);
    last = rows.length < PIECE ? undefined : rows.at(-1);
  } while (last !== undefined);
}
