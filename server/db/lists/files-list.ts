// The list of files: filtered, sorted and paged in SQL, with work that grows with the page and not with the table.
import { type Expression, type SqlBool, sql } from 'kysely';
import { instantRange } from '#contract/days.ts';
import { PAGE_LIMIT_MAX } from '#contract/fields.ts';
import type { FileExportQuery, FileFacts, FileNeighbourQuery, FileQuery, FileRow, FileType } from '#contract/files.ts';
import { type FileRecord, toFileRow, withNames } from '../file-row.ts';
import { containsPattern, orderedBy, orderOf, type Page, pageHoles, pagesOf, pageValues, rowCount } from '../list.ts';
import { NONE } from '../record.ts';
import type { ReadScope, Sources } from '../scope.ts';
import { hole } from '../statement.ts';

const sortColumns = {
  uploadedAt: ['files.uploaded_at', 'files.id'],
  originalName: ['files.name_key', 'files.id'],
  clientName: ['clients.name_key', 'clients.id', 'files.uploaded_at', 'files.id'],
  // The engines disagree on where nulls go; a report without a type comes before all others.
  reportTypeName: ['files.file_type', sql`coalesce(report_types.name_key, '')`, 'files.uploaded_at', 'files.id'],
  size: ['files.size_bytes', 'files.id'],
} as const;

type Filter = (table: string) => Expression<SqlBool>;

const column = (table: string, name: string) => sql.ref(`${table}.${name}`);

/** The names under which queries here read `file_counts`. */
const COUNTERS = ['file_counts', 'passed'];

/** One's own untyped reports are few and found by their uploader: the sign keeps the date from offering an index of its own. */
const moment = (table: string) =>
  table === 'own_untyped' ? sql`+${column(table, 'uploaded_at')}` : column(table, 'uploaded_at');

const filters: Record<string, Filter> = {
  clientId: (table) => sql`${column(table, 'client_id')} = ${hole('clientId')}`,
  reportTypeId: (table) => sql`${column(table, 'report_type_id')} = ${hole('reportTypeId')}`,
  fileType: (table) => sql`${column(table, 'file_type')} = ${hole('fileType')}`,
  documentType: (table) => sql`${column(table, 'document_type')} = ${hole('documentType')}`,
  from: (table) => sql`${moment(table)} >= ${hole('from')}`,
  before: (table) => sql`${moment(table)} < ${hole('before')}`,
  untyped: (table) =>
    COUNTERS.includes(table)
      ? sql`(${column(table, 'report_type_id')} = ${sql.lit(NONE)} and ${column(table, 'file_type')} = 'report')`
      : sql`(${column(table, 'report_type_id')} is null and ${column(table, 'file_type')} = 'report')`,
  q: (table) => sql`${column(table, 'name_key')} like ${hole('q')} escape '\\'`,
};

/** Filters that the counters can answer for. */
const COUNTED = ['clientId', 'reportTypeId', 'fileType', 'untyped'];
/** Filters that the indexes of a client's files can answer for. */
const INDEXED = [...COUNTED, 'from', 'before'];

/** What a list is narrowed by; `untyped` asks for reports without a type, which no address can. */
type FileFilters = FileNeighbourQuery & { readonly untyped?: true };

function filtersOf(query: FileFilters) {
  const { from, before } = instantRange(query);
  const given: Record<string, unknown> = {
    clientId: query.clientId,
    reportTypeId: query.reportTypeId,
    fileType: query.fileType,
    documentType: query.documentType,
    from,
    before,
    untyped: query.untyped,
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
export async function listFiles(scope: ReadScope, query: FileQuery & FileFilters): Promise<Page<FileRow>> {
  const { values, names } = filtersOf(query);
  const { column: sortColumn } = orderOf(query.sort ?? '-uploadedAt');
  const page = pageValues(query, PAGE_LIMIT_MAX);
  const total = await countFiles(scope, names, values);
  if (total <= page.offset) return { rows: [], total };
  const counted = names.every((name) => COUNTED.includes(name));
  const rows =
    counted && (sortColumn === 'clientName' || sortColumn === 'reportTypeName')
      ? await stretchedPage(scope, query, page, await stretchesBy[sortColumn](scope, names, values))
      : await readFiles(scope, query, page, total);
  return { rows, total };
}

/** One page read from the files themselves. */
async function readFiles(
  scope: ReadScope,
  query: FileQuery & FileFilters,
  page: { limit: number; offset: number },
  total: number,
): Promise<FileRow[]> {
  const { values, names } = filtersOf(query);
  const sort = query.sort ?? '-uploadedAt';
  const { column: sortColumn, direction } = orderOf(sort);
  const all = { ...values, ...page, take: page.limit + page.offset };
  const byClient = sortColumn === 'uploadedAt' && (await favoursEachClient(scope, names, total, all));
  const records = await scope.compiled<FileRecord>(
    `files.list ${sort} ${names} ${byClient}`,
    (sources) => {
      const narrowed = (table: string) => narrow(names, table);
      const files = byClient
        ? sources
            .files()
            .where(
              sql<SqlBool>`files.id in (${sources.filesOfEachClient(narrowed, hole<number>('take'), direction === 'asc')})`,
            )
        : sources.files();
      return withNames(files.where(narrow(names, 'files')))
        .orderBy(orderedBy(direction, ...sortColumns[sortColumn]))
        .limit(pageHoles.limit)
        .offset(pageHoles.offset);
    },
    all,
  );
  return records.map(toFileRow);
}

/** Files that follow each other in an order and stand by date among themselves: those of one client or report type. */
interface Stretch {
  readonly filter: Partial<Pick<FileFilters, 'clientId' | 'fileType' | 'reportTypeId' | 'untyped'>>;
  /** In ascending order by `key`, then `id`. */
  readonly key: string;
  readonly id: number;
  readonly n: number;
}

/**
 * A page of a list whose order is that of names and then of dates: the counters say which stretches the page falls in,
 * and only those are read, so that the work grows with the page and not with the table.
 */
async function stretchedPage(
  scope: ReadScope,
  query: FileQuery & FileFilters,
  { limit, offset }: { limit: number; offset: number },
  stretches: readonly Stretch[],
): Promise<FileRow[]> {
  const { direction } = orderOf(query.sort ?? '-uploadedAt');
  const sort = direction === 'asc' ? 'uploadedAt' : '-uploadedAt';
  const ordered = stretches
    .filter(({ n }) => n > 0)
    .sort((one, other) => (one.key === other.key ? one.id - other.id : compareByCodePoint(one.key, other.key)));
  if (direction === 'desc') ordered.reverse();
  const rows: FileRow[] = [];
  let skip = offset;
  for (const { filter, n } of ordered) {
    if (rows.length >= limit) break;
    if (skip >= n) {
      skip -= n;
      continue;
    }
    const page = { limit: Math.min(limit - rows.length, n - skip), offset: skip };
    rows.push(...(await readFiles(scope, { ...query, ...filter, sort }, page, n)));
    skip = 0;
  }
  return rows;
}

/** As both engines compare text here; JavaScript's own comparison goes by halves of characters. */
function compareByCodePoint(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}

type Stretches = (
  scope: ReadScope,
  names: readonly string[],
  values: Record<string, unknown>,
) => Promise<readonly Stretch[]>;

const counterSum = sql<number>`cast(sum(file_counts.n) as bigint)`;

const stretchesBy: Readonly<Record<'clientName' | 'reportTypeName', Stretches>> = {
  async clientName(scope, names, values) {
    const counted = await scope.compiled<{ key: string; id: number; n: number }>(
      `files.by-client ${names}`,
      (sources) =>
        sources
          .fileCounts()
          .where(narrow(names, 'file_counts'))
          .innerJoin('clients', 'clients.id', 'file_counts.client_id')
          .select(['clients.name_key as key', 'clients.id as id', counterSum.as('n')])
          .groupBy(['clients.name_key', 'clients.id']),
      values,
    );
    const stretches = new Map(counted.map((row) => [row.id, { ...row, filter: { clientId: row.id } }]));
    if (mayHoldOwnUntyped(scope, names, values)) {
      const narrowing = untypedNarrowing(names);
      const untyped = await scope.compiled<{ key: string; id: number; n: number }>(
        `files.untyped-by-client ${narrowing}`,
        (sources) =>
          sources
            .ownUntypedReports()
            .where(narrow(narrowing, 'files'))
            .innerJoin('clients', 'clients.id', 'files.client_id')
            .select(['clients.name_key as key', 'clients.id as id', rowCount.as('n')])
            .groupBy(['clients.name_key', 'clients.id']),
        values,
      );
      for (const row of untyped) {
        const n = row.n + (stretches.get(row.id)?.n ?? 0);
        stretches.set(row.id, { ...row, n, filter: { clientId: row.id } });
      }
    }
    return [...stretches.values()];
  },

  // A report without a type comes before all others; documents come before reports.
  async reportTypeName(scope, names, values) {
    const counted = await scope.compiled<{ fileType: FileType; typeId: number; key: string | null; n: number }>(
      `files.by-type ${names}`,
      (sources) =>
        sources
          .fileCounts()
          .where(narrow(names, 'file_counts'))
          .leftJoin('report_types', 'report_types.id', 'file_counts.report_type_id')
          .select([
            'file_counts.file_type as fileType',
            'file_counts.report_type_id as typeId',
            'report_types.name_key as key',
            counterSum.as('n'),
          ])
          .groupBy(['file_counts.file_type', 'file_counts.report_type_id', 'report_types.name_key']),
      values,
    );
    const stretches: Stretch[] = counted.map(({ fileType, typeId, key, n }) => ({
      key: `${fileType}\n${key ?? ''}`,
      id: typeId,
      n,
      filter:
        fileType === 'company_document'
          ? { fileType }
          : typeId === NONE
            ? untypedReports
            : { fileType, reportTypeId: typeId },
    }));
    if (mayHoldOwnUntyped(scope, names, values)) {
      const n = await countOwnUntyped(scope, names, values);
      stretches.push({ key: 'report\n', id: NONE, n, filter: untypedReports });
    }
    return stretches;
  },
};

const untypedReports = { untyped: true } as const;

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

/** How many files match: from the counters where they can say, else by counting along indexes or the rows themselves. */
async function countFiles(
  scope: ReadScope,
  names: readonly string[],
  values: Record<string, unknown>,
): Promise<number> {
  const counted = names.every((name) => COUNTED.includes(name));
  const byLists = scope.viewer.reach === 'lists';
  const indexed = byLists && names.every((name) => INDEXED.includes(name));
  const named = byLists && names.includes('q') && !names.includes('clientId');
  const [row] = await scope.compiled<{ total: number }>(
    `files.count ${names}`,
    (sources) => {
      if (counted) return countersOf(sources, names);
      if (indexed) return sources.reachedFileCount((table) => narrow(names, table));
      return named ? sources.namedFileCount((table) => narrow(names, table)) : rowsOf(sources, names);
    },
    values,
  );
  const total = row?.total ?? 0;
  const untyped = counted && mayHoldOwnUntyped(scope, names, values) ? await countOwnUntyped(scope, names, values) : 0;
  return total + untyped;
}

/** The counters leave out one's own reports without a type; this says whether the list may hold any. */
function mayHoldOwnUntyped(
  { viewer }: ReadScope,
  names: readonly string[],
  values: Readonly<Record<string, unknown>>,
): boolean {
  return viewer.reach === 'lists' && !names.includes('reportTypeId') && values.fileType !== 'company_document';
}

const untypedNarrowing = (names: readonly string[]) => names.filter((name) => name === 'clientId');

async function countOwnUntyped(
  scope: ReadScope,
  names: readonly string[],
  values: Record<string, unknown>,
): Promise<number> {
  const narrowing = untypedNarrowing(names);
  const [row] = await scope.compiled<{ total: number }>(
    `files.untyped ${narrowing}`,
    (sources) => sources.ownUntypedReports().where(narrow(narrowing, 'files')).select(rowCount.as('total')),
    values,
  );
  return row?.total ?? 0;
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

/** A row merged costs about so many rows walked: it is found client by client, sorted, and looked up again. */
const MERGED_ROW_COST = 4;

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
  // Dates bound the walk as they bound the list: the share in reach, which decides how many it skips, stays that of all.
  const undated = names.filter((name) => name !== 'from' && name !== 'before');
  const bounded = undated.length < names.length && undated.length === counted.length;
  const shared = bounded ? await countFiles(scope, undated, values) : total;
  const walked = (values.take * own.files) / Math.max(shared, 1);
  const merged = Math.min(own.clients * values.take, total);
  return MERGED_ROW_COST * merged < walked;
}
