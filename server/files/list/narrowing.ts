// What a list of files is narrowed by: the filters of a query as conditions on files and on their counters.
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { instantRange } from '#contract/days.ts';
import { type DocumentType, WITHOUT_TYPE } from '#contract/file-kinds.ts';
import type { FileNeighbourQuery } from '#contract/files.ts';
import { NO_PERIOD, periodRange } from '#contract/period.ts';
import { DOCUMENT, type OnePlace, UNTYPED } from '../../people/access/reach.ts';
import { type Conditions, type Filters, filtersOf } from '../../platform/db/filters.ts';
import { param } from '../../platform/db/statement.ts';
import { type WordMatch, wordMatch } from '../../platform/db/word-match.ts';
import { isHeldFile } from '../trash/holds.ts';

/** The filters of a list; `accessKey` is one report type, or what has none. */
export type FileFilters = FileNeighbourQuery & { readonly accessKey?: number };

/** What a document without a type is shown as, and so found by. */
export const OTHER: DocumentType = 'Other';

/** Conditions on a row of files, or of their counters. */
const conditions = {
  clientId: (row) => sql`${sql.ref(`${row}.client_id`)} = ${param('clientId')}`,
  accessKey: (row) => sql`${sql.ref(`${row}.access_key`)} = ${param('accessKey')}`,
  reports: (row) => sql`${sql.ref(`${row}.access_key`)} >= ${param('reports')}`,
  documentType: (row) => sql`${sql.ref(`${row}.document_type`)} = ${param('documentType')}`,
  // The counters of what has no type have an empty one.
  otherDocument: (row) => sql`coalesce(${sql.ref(`${row}.document_type`)}, '') in ('', ${sql.lit(OTHER)})`,
  from: (row) => sql`${sql.ref(`${row}.uploaded_at`)} >= ${param('from')}`,
  before: (row) => sql`${sql.ref(`${row}.uploaded_at`)} < ${param('before')}`,
  periodFrom: (row) => sql`${sql.ref(`${row}.period_key`)} >= ${param('periodFrom')}`,
  periodBefore: (row) => sql`${sql.ref(`${row}.period_key`)} < ${param('periodBefore')}`,
  // A condition without a value, so that the index of these files can be used.
  withoutPeriod: (row) => sql`${sql.ref(`${row}.period`)} is null`,
  // What is new depends on the viewer: a list of it begins with those files (`plan.ts`).
  isNew: () => sql`1 = 1`,
  // A condition without a value, so that the index of these files can be used.
  unopened: (row) => sql`(${sql.ref(`${row}.opened_by_client_at`)} is null and ${sql.ref(`${row}.access_key`)} >= 0)`,
  onHold: (row) => isHeldFile(row),
  // Which marks somebody sees is asked where the plan begins with them.
  marked: (row) =>
    sql`exists (select 1 from file_marks mark where mark.file_id = ${sql.ref(`${row}.id`)} and mark.state = 'open')`,
} as const satisfies Conditions<string>;

type FilterName = keyof typeof conditions;

/** Words are looked for in the name of a file, of its client, and of its report type. */
export const holdsWords = (match: WordMatch, row: string) =>
  match.on({
    forms: [`${row}.search_name`],
    written: [`${row}.name_key`],
    further: (pattern, as) => ofNamed(row, pattern, as === 'form' ? 'search_name' : 'name'),
  });

/** Files or counters of the clients and report types whose names hold a word. */
export function ofNamed(row: string, pattern: RawBuilder<unknown>, column: 'search_name' | 'name' = 'search_name') {
  const holds = sql`${sql.ref(`named.${column}`)} like ${pattern} escape '\\'`;
  return sql<SqlBool>`${sql.ref(`${row}.client_id`)} in (select named.id from clients named where ${holds})
    or ${sql.ref(`${row}.access_key`)} in (select named.id from report_types named where ${holds})`;
}

const COUNTED: readonly FilterName[] = ['clientId', 'accessKey', 'reports', 'documentType', 'otherDocument'];

export type Narrowing = Filters<FilterName>;

/** Whether a list is narrowed to one client's files, and to those of one access key. */
export const onePlaceOf = ({ names }: Narrowing): OnePlace => ({
  client: names.has('clientId'),
  key: names.has('accessKey'),
});

/** Null where the filters leave nothing. */
export function narrowingOf(filters: FileFilters): Narrowing | null {
  const { fileType, reportTypeId, documentType, accessKey: chosenKey } = filters;
  const isDocument = fileType === 'company_document' || documentType !== undefined;
  const typeKey = reportTypeId === WITHOUT_TYPE ? UNTYPED : reportTypeId;
  const keys = new Set([typeKey, chosenKey, isDocument ? DOCUMENT : undefined]);
  keys.delete(undefined);
  if (keys.size > 1) return null;
  const [accessKey] = keys;
  if (fileType === 'report' && accessKey === DOCUMENT) return null;
  const { from, before } = instantRange(filters);
  const match = wordMatch(filters.q);
  return filtersOf(
    conditions,
    COUNTED,
    {
      clientId: filters.clientId,
      accessKey,
      reports: fileType === 'report' && accessKey === undefined ? 0 : undefined,
      documentType: documentType === OTHER ? undefined : documentType,
      otherDocument: documentType === OTHER ? true : undefined,
      from,
      before,
      ...periodBounds(filters.period),
      unopened: filters.opened === undefined ? undefined : true,
      isNew: filters.isNew === undefined ? undefined : true,
      marked: filters.marked === undefined ? undefined : true,
      onHold: filters.onHold === undefined ? undefined : true,
    },
    match && { match, on: (row) => holdsWords(match, row) },
  );
}

function periodBounds(period: string | undefined) {
  if (period === undefined) return { periodFrom: undefined, periodBefore: undefined, withoutPeriod: undefined };
  if (period === NO_PERIOD) return { periodFrom: undefined, periodBefore: undefined, withoutPeriod: true };
  const { from, before } = periodRange(period);
  return { periodFrom: from, periodBefore: before, withoutPeriod: undefined };
}
