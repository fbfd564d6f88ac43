// Report types in the database.

import { sql } from 'kysely';
import { errorCatalogue, refuse } from '#contract/errors.ts';
import { foldKey } from '#contract/fields.ts';
import { importFaults } from '#contract/imports.ts';
import { seesPhrases } from '#contract/policy/reach.ts';
import type { Proof } from '#contract/policy.ts';
import type { ReportTypeInput, ReportTypeQuery, ReportTypeRow } from '#contract/report-types.ts';
import { noteLostDocuments } from '../../batches/lost-documents.ts';
import { readPhrases } from '../../batches/report-type-phrases.ts';
import type { RowFindings } from '../../people/access/import-rows.ts';
import { countWithin } from '../../people/access/reach.ts';
import { readPage } from '../../people/access/read-page.ts';
import type { ReadScope, WriteScope } from '../../people/access/scope.ts';
import { changedNow, type LastChange, versionOf } from '../../people/access/versions.ts';
import { type Page, rowCount } from '../../platform/db/list.ts';
import { isBrokenReference, isDuplicate } from '../../platform/db/violations.ts';
import { NewNames, nameColumns } from '../../platform/names/name-forms.ts';
import { type GivenName, lookAlikeRefusal, refuseLookAlike } from '../names/look-alike.ts';

interface ReportTypeRecord extends Pick<ReportTypeRow, 'id' | 'name'> {
  readonly changedAt: number | null;
}

const toRow = ({ changedAt, ...type }: ReportTypeRecord, phrases: readonly string[]): ReportTypeRow => ({
  ...type,
  phrases: [...phrases],
  version: versionOf(changedAt, [type.name, ...phrases]),
});

/** With their phrases, for those who are shown them. */
async function withPhrases(scope: ReadScope, rows: readonly ReportTypeRecord[]): Promise<ReportTypeRow[]> {
  if (!seesPhrases(scope.viewer)) return rows.map((row) => toRow(row, []));
  const phrases = await readPhrases(
    scope,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => toRow(row, phrases.get(row.id) ?? []));
}

const columns = ['report_types.id as id', 'report_types.name as name', 'report_types.changed_at as changedAt'] as const;

export async function listReportTypes(scope: ReadScope, query: ReportTypeQuery): Promise<Page<ReportTypeRow>> {
  const { rows, total } = await readPage<ReportTypeRecord, 'name'>(scope, query, {
    name: 'report-types',
    sortColumns: { name: 'report_types.search_name' },
    sort: query.sort ?? 'name',
    idColumn: 'report_types.id',
    searched: { forms: ['report_types.search_name'], written: ['report_types.name'] },
    rows: (sources, found) => sources.reportTypes().where(found).select(columns),
    count: (sources, found) => sources.reportTypes().where(found).select(rowCount.as('total')),
  });
  return { rows: await withPhrases(scope, rows), total };
}

export async function findReportType(scope: ReadScope, id: number): Promise<ReportTypeRow | null> {
  const row = await scope.reportTypes().select(columns).where('report_types.id', '=', id).executeTakeFirst();
  if (row === undefined) return null;
  const [type] = await withPhrases(scope, [row]);
  return type ?? null;
}

export function lastChangeOfReportType(scope: ReadScope, id: number): Promise<LastChange | undefined> {
  return scope
    .reportTypes()
    .select(['report_types.changed_at', 'report_types.changed_by_id'])
    .where('report_types.id', '=', id)
    .executeTakeFirst();
}

/** A name for the report type of `ownId`, or for a new one. */
function naming(name: string, scope: ReadScope, ownId: number | null): GivenName {
  return {
    column: 'report_types.name',
    field: 'name',
    name,
    ownId,
    isReached: async (id) => (await findReportType(scope, id)) !== null,
  };
}

/** Judges report types of a list one after another: by the rule of a new one, and by the rows before. */
export function reportTypeJudge(scope: WriteScope, proof: Proof<'report-types.create'>) {
  const before = new NewNames();
  const seen = new Set<string>();
  return async ({ name }: ReportTypeInput, findings: RowFindings): Promise<void> => {
    const key = foldKey(name);
    const taken = await scope
      .unscoped(proof)
      .selectFrom('report_types')
      .select('id')
      .where('name_key', '=', key)
      .executeTakeFirst();
    if (taken !== undefined) {
      return findings.exists('name', errorCatalogue.report_type_name_taken.sentence);
    }
    if (seen.has(key)) return findings.fault('name', importFaults.nameTwice);
    seen.add(key);
    const other = before.add(name);
    if (other !== null) return findings.fault('name', importFaults.looksLikeRow(other));
    const refusal = await lookAlikeRefusal(scope, proof, naming(name, scope, null));
    if (refusal !== null) findings.fault('name', refusal.message);
  };
}

export async function insertReportType(
  scope: WriteScope,
  proof: Proof<'report-types.create'>,
  input: ReportTypeInput,
  at: number,
): Promise<ReportTypeRow> {
  await refuseLookAlike(scope, proof, naming(input.name, scope, null));
  return unlessTaken(async () => {
    const row = await scope
      .unscoped(proof)
      .insertInto('report_types')
      .values({ ...nameColumns(input.name), created_at: at })
      .returning(columns)
      .executeTakeFirstOrThrow();
    return toRow(row, []);
  });
}

async function unlessTaken<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (isDuplicate(error, 'name_key')) throw refuse('report_type_name_taken');
    throw error;
  }
}

export async function renameReportType(
  scope: WriteScope,
  proof: Proof<'report-types.update'>,
  id: number,
  { name }: ReportTypeInput,
  at: number,
): Promise<ReportTypeRow> {
  await refuseLookAlike(scope, proof, naming(name, scope, id));
  await unlessTaken(() =>
    scope
      .unscoped(proof)
      .updateTable('report_types')
      .set({ ...nameColumns(name), ...changedNow(scope, at) })
      .where('id', '=', id)
      .execute(),
  );
  const type = await findReportType(scope, id);
  if (type === null) throw refuse('gone_meanwhile');
  return type;
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
  await noteLostDocuments(tx, 'type', id);
  try {
    await tx.deleteFrom('report_types').where('id', '=', id).execute();
  } catch (error) {
    if (isBrokenReference(error)) throw refuse('report_type_in_use', { files: null });
    throw error;
  }
}
