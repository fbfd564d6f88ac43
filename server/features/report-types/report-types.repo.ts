// Report types in the database.
import { sql } from 'kysely';
import { refuse } from '#contract/errors.ts';
import type { Proof } from '#contract/policy.ts';
import type { ReportTypeInput, ReportTypeQuery, ReportTypeRow } from '#contract/report-types.ts';
import { countWithin } from '../../access/reach.ts';
import { readPage } from '../../access/read-page.ts';
import type { ReadScope, WriteScope } from '../../access/scope.ts';
import { type Page, rowCount } from '../../db/list.ts';
import { isBrokenReference, isDuplicate } from '../../db/violations.ts';
import { nameColumns, refuseLookAlike } from '../../names/look-alike.ts';

const columns = ['report_types.id as id', 'report_types.name as name'] as const;

export function listReportTypes(scope: ReadScope, query: ReportTypeQuery): Promise<Page<ReportTypeRow>> {
  return readPage<ReportTypeRow, 'name'>(scope, query, {
    name: 'report-types',
    sortColumns: { name: 'report_types.name_key' },
    sort: query.sort ?? 'name',
    idColumn: 'report_types.id',
    searchColumns: ['report_types.name_key'],
    rows: (sources, found) => sources.reportTypes().where(found).select(columns),
    count: (sources, found) => sources.reportTypes().where(found).select(rowCount.as('total')),
  });
}

export async function findReportType(scope: ReadScope, id: number): Promise<ReportTypeRow | null> {
  const row = await scope.reportTypes().select(columns).where('report_types.id', '=', id).executeTakeFirst();
  return row ?? null;
}

export async function insertReportType(
  scope: WriteScope,
  proof: Proof<'report-types.create'>,
  input: ReportTypeInput,
  at: number,
): Promise<ReportTypeRow> {
  await refuseLookAlike(scope, proof, {
    column: 'report_types.name',
    field: 'name',
    name: input.name,
    ownId: null,
    isReached: async (id) => (await findReportType(scope, id)) !== null,
  });
  try {
    return await scope
      .unscoped(proof)
      .insertInto('report_types')
      .values({ ...nameColumns(input.name), created_at: at })
      .returning(columns)
      .executeTakeFirstOrThrow();
  } catch (error) {
    if (isDuplicate(error, 'name_key')) throw refuse('report_type_name_taken');
    throw error;
  }
}

/** Deletes a report type without files; during an upload the foreign key decides. */
export async function removeReportType(
  scope: WriteScope,
  proof: Proof<'report-types.delete'>,
  id: number,
): Promise<void> {
  const tx = scope.unscoped(proof);
  const { files } = await tx
    .selectFrom('files')
    .select(rowCount.as('files'))
    .where('report_type_id', '=', id)
    .executeTakeFirstOrThrow();
  if (files > 0) {
    const reached = await scope
      .fileCounts()
      .select(sql<number>`cast(coalesce(sum(file_counts.n), 0) as bigint)`.as('files'))
      .where('file_counts.access_key', '=', id)
      .executeTakeFirstOrThrow();
    throw refuse('report_type_in_use', { files: countWithin(reached.files, files) });
  }
  try {
    await tx.deleteFrom('report_types').where('id', '=', id).execute();
  } catch (error) {
    if (isBrokenReference(error)) throw refuse('report_type_in_use', { files: null });
    throw error;
  }
}
