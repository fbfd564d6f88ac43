// The list of files: filtered, sorted and paged in SQL, with work that grows with the page and not with the table.
import { type Expression, type SqlBool, sql } from 'kysely';
import { instantRange } from '#contract/days.ts';
import { PAGE_LIMIT_MAX } from '#contract/fields.ts';
import type { FileExportQuery, FileFacts, FileNeighbourQuery, FileQuery, FileRow } from '#contract/files.ts';
import { type FileRecord, toFileRow, withNames } from '../file-row.ts';
import { containsPattern, orderedBy, orderOf, type Page, pageHoles, pagesOf, pageValues, rowCount } from '../list.ts';
import type { ReadScope, Sources } from '../scope.ts';
import { hole } from '../statement.ts';

const sortColumns = {
  uploadedAt: ['files.uploaded_at', 'files.id'],
  originalName: ['files.name_key', 'files.id'],
  // With the client's id the whole order is that of two indexes, one inside the other; without it, every row is sorted.
  clientName: ['clients.name_key', 'clients.id', 'files.uploaded_at', 'files.id'],
  // The engines disagree on where nulls go; a report without a type comes before all others.
  reportTypeName: ['files.file_type', sql`coalesce(report_types.name_key, '')`, 'files.uploaded_at', 'files.id'],
  size: ['files.size_bytes', 'files.id'],
} as const;

type Filter = (table: string) => Expression<SqlBool>;

const column = (table: string, name: string) => sql.ref(`${table}.${name}`);

const filters: Record<string, Filter> = {
  clientId: (table) => sql`${column(table, 'client_id')} = ${hole('clientId')}`,
  reportTypeId: (table) => sql`${column(table, 'report_type_id')} = ${hole('reportTypeId')}`,
  fileType: (table) => sql`${column(table, 'file_type')} = ${hole('fileType')}`,
  documentType: (table) => sql`${column(table, 'document_type')} = ${hole('documentType')}`,
  from: (table) => sql`${column(table, 'uploaded_at')} >= ${hole('from')}`,
  before: (table) => sql`${column(table, 'uploaded_at')} < ${hole('before')}`,
  q: (table) => sql`${column(table, 'name_key')} like ${hole('q')} escape '\\'`,
};

/** Filters that the counters can answer for. */
const COUNTED = ['clientId', 'reportTypeId', 'fileType'];

function filtersOf(query: FileNeighbourQuery) {
  const { from, before } = instantRange(query);
  const given: Record<string, unknown> = {
    clientId: query.clientId,
    reportTypeId: query.reportTypeId,
    fileType: query.fileType,
    documentType: query.documentType,
    from,
    before,
    q: query.q ? containsPattern(query.q) : undefined,
  };
  const values = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  return { values, names: Object.keys(values) };
}

function narrow(names: readonly string[], table: string): Expression<SqlBool> {
  const conditions = names.map((name) => (filters[name] as Filter)(table));
  return conditions.length === 0 ? sql<SqlBool>`1 = 1` : sql<SqlBool>`${sql.join(conditions, sql` and `)}`;
}

/** One page of the files in reach, newest first unless asked otherwise, and how many match. */
export async function listFiles(scope: ReadScope, query: FileQuery): Promise<Page<FileRow>> {
  const { values, names } = filtersOf(query);
  const sort = query.sort ?? '-uploadedAt';
  const { column: sortColumn, direction } = orderOf(sort);
  const page = pageValues(query, PAGE_LIMIT_MAX);
  const all = { ...values, ...page, take: page.limit + page.offset };
  const total = await countFiles(scope, names, all);
  if (total <= page.offset) return { rows: [], total };

  const byClient = sortColumn === 'uploadedAt' && (await favoursEachClient(scope, names, total, all));
  const records = await scope.compiled<FileRecord>(
    `files.list ${sort} ${names} ${byClient}`,
    (sources) => {
      const take = hole<number>('take');
      const narrowed = (table: string) => narrow(names, table);
      const candidates = byClient
        ? sources.filesOfEachClient(narrowed, take, direction === 'asc')
        : sortColumn === 'clientName'
          ? sources.filesInClientOrder(narrowed, take, direction)
          : undefined;
      const files = candidates ? sources.files().where(sql<SqlBool>`files.id in (${candidates})`) : sources.files();
      return withNames(files.where(narrow(names, 'files')))
        .orderBy(orderedBy(direction, ...sortColumns[sortColumn]))
        .limit(pageHoles.limit)
        .offset(pageHoles.offset);
    },
    all,
  );
  return { rows: records.map(toFileRow), total };
}

/** How many rows an export reads at once. */
const EXPORT_PAGE = 1_000;

/**
 * The whole list, page by page: the rows that match when it begins, in its order. What is deleted or taken out of reach
 * meanwhile is left out; what arrives meanwhile is not in it.
 */
export async function wholeFileList(
  scope: ReadScope,
  query: FileExportQuery,
): Promise<AsyncGenerator<readonly FileRow[]>> {
  const { values, names } = filtersOf(query);
  const sort = query.sort ?? '-uploadedAt';
  const { column: sortColumn, direction } = orderOf(sort);
  const matching = await scope.compiled<{ id: number }>(
    `files.ids ${sort} ${names}`,
    (sources) =>
      withNames(sources.files().where(narrow(names, 'files')))
        .clearSelect()
        .select('files.id as id')
        .orderBy(orderedBy(direction, ...sortColumns[sortColumn])),
    values,
  );
  return pagesOf(
    matching.map(({ id }) => id),
    EXPORT_PAGE,
    async (ids) => {
      const rows = await withNames(scope.files()).where('files.id', 'in', ids).execute();
      return rows.map(toFileRow);
    },
  );
}

/** The ids of what stands next to a file in the list, newest first, that `within` narrows. */
export async function fileNeighbours(
  scope: ReadScope,
  file: FileRow,
  within: FileNeighbourQuery,
): Promise<Pick<FileFacts, 'newer' | 'older'>> {
  const { values, names } = filtersOf(within);
  const all = { ...values, at: Date.parse(file.uploadedAt), id: file.id };
  const next = async (direction: 'asc' | 'desc') => {
    const past = direction === 'asc' ? sql`>` : sql`<`;
    const [row] = await scope.compiled<{ id: number; originalName: string }>(
      `files.neighbour ${direction} ${names}`,
      (sources) =>
        sources
          .files()
          .where(narrow(names, 'files'))
          .where(sql<SqlBool>`(files.uploaded_at, files.id) ${past} (${hole('at')}, ${hole('id')})`)
          .select(['files.id as id', 'files.original_name as originalName'])
          .orderBy(orderedBy(direction, 'files.uploaded_at', 'files.id'))
          .limit(1),
      all,
    );
    return row ?? null;
  };
  return { newer: await next('asc'), older: await next('desc') };
}

/** How many files match: from the counters where they can say, else by counting the rows. */
async function countFiles(
  scope: ReadScope,
  names: readonly string[],
  values: Record<string, unknown>,
): Promise<number> {
  const counted = names.every((name) => COUNTED.includes(name));
  const [row] = await scope.compiled<{ total: number }>(
    `files.count ${names}`,
    (sources) => (counted ? countersOf(sources, names) : rowsOf(sources, names)),
    values,
  );
  let total = row?.total ?? 0;
  const mayBeUntyped = !names.includes('reportTypeId') && values.fileType !== 'company_document';
  if (counted && mayBeUntyped && scope.viewer.reach === 'lists') {
    const narrowing = names.filter((name) => name === 'clientId');
    const [untyped] = await scope.compiled<{ total: number }>(
      `files.untyped ${narrowing}`,
      (sources) => sources.ownUntypedReports().where(narrow(narrowing, 'files')).select(rowCount.as('total')),
      values,
    );
    total += untyped?.total ?? 0;
  }
  return total;
}

function countersOf(sources: Sources, names: readonly string[]) {
  return sources
    .fileCounts()
    .where(narrow(names, 'file_counts'))
    .select(sql<number>`cast(coalesce(sum(file_counts.n), 0) as bigint)`.as('total'));
}

function rowsOf(sources: Sources, names: readonly string[]) {
  return sources.files().where(narrow(names, 'files')).select(rowCount.as('total'));
}

/**
 * A viewer with lists and no chosen client can be served in two ways: walk all files by date and skip those out of
 * reach, or take the newest of each own client and merge. The counters tell which walks fewer rows.
 */
async function favoursEachClient(
  scope: ReadScope,
  names: readonly string[],
  total: number,
  values: Record<string, unknown> & { take: number },
): Promise<boolean> {
  if (scope.viewer.reach === 'all' || names.includes('clientId')) return false;
  // The walk goes along an index of the type or kind where one is asked for, and then passes only those rows.
  const counted = names.filter((name) => COUNTED.includes(name));
  const filesWalked =
    counted.length === 0
      ? sql<number>`cast((select coalesce(max(last.id), 0) from files last) as bigint)`
      : sql<number>`cast((select coalesce(sum(passed.n), 0) from file_counts passed where ${narrow(counted, 'passed')}) as bigint)`;
  const [own] = await scope.compiled<{ clients: number; files: number }>(
    `files.reach-size ${counted}`,
    (sources) =>
      sources.ownClientIds().select([sql<number>`cast(count(*) as bigint)`.as('clients'), filesWalked.as('files')]),
    values,
  );
  if (own === undefined) return false;
  const walked = (values.take * own.files) / Math.max(total, 1);
  const merged = Math.min(own.clients * values.take, total);
  return merged < walked;
}
