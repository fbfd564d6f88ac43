// What a list of files is narrowed by: the filters of a query as conditions on files and on their counters.
import { sql } from 'kysely';
import { instantRange } from '#contract/days.ts';
import type { FileNeighbourQuery } from '#contract/files.ts';
import { DOCUMENT, type OnePlace } from '../access/reach.ts';
import { type Conditions, type Filters, filtersOf } from '../db/filters.ts';
import { contains, containsPattern } from '../db/list.ts';
import { param } from '../db/statement.ts';

/** The filters of a list; `accessKey` is one report type, or what has none. */
export type FileFilters = FileNeighbourQuery & { readonly accessKey?: number };

/** Conditions on a row of files, or of their counters. */
const conditions = {
  clientId: (row) => sql`${sql.ref(`${row}.client_id`)} = ${param('clientId')}`,
  accessKey: (row) => sql`${sql.ref(`${row}.access_key`)} = ${param('accessKey')}`,
  reports: (row) => sql`${sql.ref(`${row}.access_key`)} >= ${param('reports')}`,
  documentType: (row) => sql`${sql.ref(`${row}.document_type`)} = ${param('documentType')}`,
  from: (row) => sql`${sql.ref(`${row}.uploaded_at`)} >= ${param('from')}`,
  before: (row) => sql`${sql.ref(`${row}.uploaded_at`)} < ${param('before')}`,
  q: (row) => contains(`${row}.name_key`),
} as const satisfies Conditions<string>;

type FilterName = keyof typeof conditions;

const COUNTED: readonly FilterName[] = ['clientId', 'accessKey', 'reports', 'documentType'];

export interface Narrowing extends Filters<FilterName> {
  /** Whether it is one client's files, and those of one access key. */
  readonly one: OnePlace;
  /** What no counter knows has to be looked for. */
  readonly lasting: 'short' | 'long';
  /** The part of a name that is searched for. */
  readonly word: string | null;
  /** As much of it as the counters know. */
  readonly countedPart: Narrowing;
}

/** Null where the filters leave nothing. */
export function narrowingOf(filters: FileFilters): Narrowing | null {
  const { fileType, reportTypeId, documentType, accessKey: chosenKey } = filters;
  const isDocument = fileType === 'company_document' || documentType !== undefined;
  const keys = new Set([reportTypeId, chosenKey, isDocument ? DOCUMENT : undefined]);
  keys.delete(undefined);
  if (keys.size > 1) return null;
  const [accessKey] = keys;
  if (fileType === 'report' && accessKey === DOCUMENT) return null;
  const { from, before } = instantRange(filters);
  return toNarrowing(
    {
      clientId: filters.clientId,
      accessKey,
      reports: fileType === 'report' && accessKey === undefined ? 0 : undefined,
      documentType,
      from,
      before,
      q: filters.q ? containsPattern(filters.q) : undefined,
    },
    filters.q || null,
  );
}

function toNarrowing(given: Readonly<Record<FilterName, unknown>>, word: string | null): Narrowing {
  const filters = filtersOf(conditions, COUNTED, given);
  return {
    ...filters,
    word,
    get countedPart() {
      return toNarrowing({ ...given, from: undefined, before: undefined, q: undefined }, null);
    },
    one: { client: filters.names.has('clientId'), key: filters.names.has('accessKey') },
    lasting: filters.counted ? 'short' : 'long',
  };
}
