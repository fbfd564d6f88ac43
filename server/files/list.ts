// The list of files: filtered, sorted and paged in SQL, with work that grows with the page and not with the table.
import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely';
import { instantRange } from '#contract/days.ts';
import { PAGE_LIMIT_MAX } from '#contract/fields.ts';
import type {
  FileDetails,
  FileExportQuery,
  FileNeighbourQuery,
  FileQuery,
  FileRow,
  FileType,
} from '#contract/files.ts';
import {
  type FileCounting,
  type FileKinds,
  type FileMeeting,
  holdsUntyped,
  matchingAll,
  ofKinds,
} from '../access/file-counting.ts';
import { columnOf } from '../access/meeting.ts';
import { filesEver, type ReadScope } from '../access/scope.ts';
import { NONE } from '../audit/record.ts';
import { isListedId, listText } from '../db/id-list.ts';
import {
  containsPattern,
  orderedBy,
  orderOf,
  type Page,
  pageParams,
  pagesOf,
  pageValues,
  rowCount,
} from '../db/list.ts';
import { param } from '../db/statement.ts';
import { type FileRecord, toFileRow, withNames } from './file-row.ts';

const sortColumns = {
  uploadedAt: ['files.uploaded_at', 'files.id'],
  originalName: ['files.name_key', 'files.id'],
  clientName: ['clients.name_key', 'clients.id', 'files.uploaded_at', 'files.id'],
  // The engines disagree on where nulls go; a report without a type comes before all others.
  reportTypeName: ['files.file_type', sql`coalesce(report_types.name_key, '')`, 'files.uploaded_at', 'files.id'],
  size: ['files.size_bytes', 'files.id'],
} as const;

/** A condition on a column, which `column` gives as its meeting with the indexes wants it. */
type Filter = (column: (name: string, type: 'text' | 'number') => RawBuilder<unknown>) => Expression<SqlBool>;

const filters = {
  clientId: (column) => sql`${column('client_id', 'number')} = ${param('clientId')}`,
  reportTypeId: (column) => sql`${column('report_type_id', 'number')} = ${param('reportTypeId')}`,
  documentType: (column) => sql`${column('document_type', 'text')} = ${param('documentType')}`,
  from: (column) => sql`${column('uploaded_at', 'number')} >= ${param('from')}`,
  before: (column) => sql`${column('uploaded_at', 'number')} < ${param('before')}`,
  q: (column) => sql`${column('name_key', 'text')} like ${param('q')} escape '\\'`,
} as const satisfies Record<string, Filter>;

type FilterName = keyof typeof filters;
const FILTERS = Object.keys(filters) as FilterName[];

/** Filters that the counters can answer for. */
const COUNTED: readonly FilterName[] = ['clientId', 'reportTypeId'];
/** Filters that indexes of names can answer for: of everybody's files, and of a client's. */
const NAMED: readonly FilterName[] = ['clientId', 'reportTypeId', 'q'];
const NAMED_OF_CLIENT: readonly FilterName[] = ['clientId', 'q'];

/** What a list is narrowed by; `untyped` asks for reports without a type, which no address can. */
type FileFilters = FileNeighbourQuery & { readonly untyped?: true };

interface Narrowing extends FileCounting {
  readonly names: readonly FilterName[];
  readonly values: Readonly<Record<string, unknown>>;
  /** Tells its statements from those of other narrowings. */
  readonly key: string;
}

/** Which kinds may match; null where the filters leave none. */
function kindsOf({ fileType, reportTypeId, documentType, untyped }: FileFilters): FileKinds | null {
  if (documentType !== undefined) {
    return fileType === 'report' || reportTypeId !== undefined || untyped ? null : 'documents';
  }
  if (fileType === 'company_document') return reportTypeId !== undefined || untyped ? null : 'documents';
  if (reportTypeId !== undefined) return untyped ? null : 'typed';
  if (untyped) return 'untyped';
  return fileType === 'report' ? 'reports' : 'all';
}

const keyOf = (kinds: FileKinds, names: readonly FilterName[]) => `${kinds} ${names}`;
/** The key of a list that nothing narrows. */
const EVERYTHING = keyOf('all', []);

/** Null where nothing can match. */
function narrowingOf(query: FileFilters): Narrowing | null {
  const kinds = kindsOf(query);
  if (kinds === null) return null;
  const { from, before } = instantRange(query);
  const given: Record<FilterName, unknown> = {
    clientId: query.clientId,
    reportTypeId: query.reportTypeId,
    documentType: query.documentType,
    from,
    before,
    q: query.q ? containsPattern(query.q) : undefined,
  };
  return narrowedBy(kinds, given, FILTERS);
}

/** By those of `names` that have a value. */
function narrowedBy(
  kinds: FileKinds,
  given: Readonly<Record<string, unknown>>,
  among: readonly FilterName[],
): Narrowing {
  const names = among.filter((name) => given[name] !== undefined);
  return {
    kinds,
    names,
    values: Object.fromEntries(names.map((name) => [name, given[name]])),
    key: keyOf(kinds, names),
    byName: names.includes('q'),
    narrow: (table, meeting = 'along') =>
      allOf(
        names.map((name) => {
          const along = meeting === 'along' || (meeting === 'by name' && name === leading(names));
          return filters[name]((column, type) => columnOf(table, column, along ? 'along' : 'aside', type));
        }),
      ),
    inNames: (reach) => (reach === 'all' ? narrowedBy(kinds, given, NAMED) : narrowedBy('all', given, NAMED_OF_CLIENT)),
  };
}

/** What the index of names begins with: the client, else the report type, else the kind. */
const leading = (names: readonly FilterName[]) =>
  (['clientId', 'reportTypeId'] as const).find((name) => names.includes(name)) ?? 'kind';

function allOf(conditions: readonly Expression<SqlBool>[]): Expression<SqlBool> {
  return conditions.length === 0 ? sql<SqlBool>`1 = 1` : sql<SqlBool>`${sql.join(conditions, sql` and `)}`;
}

/** All conditions on the files themselves. */
function matching(narrowing: Narrowing, table = 'files', meeting: FileMeeting = 'along'): Expression<SqlBool> {
  const byKind = meeting === 'by size' ? narrowing.kinds !== 'typed' : leading(narrowing.names) === 'kind';
  const along = meeting === 'along' || (meeting !== 'aside' && byKind);
  const ofKind = ofKinds(narrowing.kinds, table, along ? 'along' : 'aside');
  return sql<SqlBool>`(${ofKind} and ${narrowing.narrow(table, meeting)})`;
}

const areCounted = (names: readonly FilterName[]) => names.every((name) => COUNTED.includes(name));

/** The same for counters, where 0 stands for no report type. */
function matchingCounters({ kinds, narrow }: FileCounting, table = 'file_counts'): Expression<SqlBool> {
  const ofKind =
    kinds === 'untyped'
      ? sql`(${sql.ref(`${table}.report_type_id`)} = ${sql.lit(NONE)} and ${sql.ref(`${table}.file_type`)} = 'report')`
      : ofKinds(kinds, table);
  return sql<SqlBool>`(${ofKind} and ${narrow(table)})`;
}

/** One page of the files in reach, newest first unless asked otherwise, and how many match. */
export async function listFiles(scope: ReadScope, query: FileQuery & FileFilters): Promise<Page<FileRow>> {
  const narrowing = narrowingOf(query);
  if (narrowing === null) return { rows: [], total: 0 };
  const { column } = orderOf(query.sort ?? '-uploadedAt');
  const page = pageValues(query, PAGE_LIMIT_MAX);
  if (column === 'clientName' || column === 'reportTypeName') {
    const stretches = await stretchesBy[column](scope, narrowing);
    const total = stretches.reduce((sum, { n }) => sum + n, 0);
    return { rows: total <= page.offset ? [] : await stretchedPage(scope, query, page, stretches), total };
  }
  const total = await countFiles(scope, narrowing);
  if (total <= page.offset) return { rows: [], total };
  return { rows: await readFiles(scope, query.sort ?? '-uploadedAt', column, narrowing, page, total), total };
}

type FileSort = NonNullable<FileQuery['sort']>;
type ReadColumn = Exclude<keyof typeof sortColumns, 'clientName' | 'reportTypeName'>;

/**
 * How the rows of a page are found: 'walk' goes along the order and passes over what does not match; 'gather' finds all that
 * match and sorts them; 'each client' takes the first of each own client and merges them.
 */
type Way = 'walk' | 'gather' | 'each client';

/** One page read from the files themselves. */
async function readFiles(
  scope: ReadScope,
  sort: FileSort,
  column: ReadColumn,
  narrowing: Narrowing,
  page: { limit: number; offset: number },
  total: number,
): Promise<FileRow[]> {
  const { direction } = orderOf(sort);
  const values = { ...narrowing.values, ...page, take: page.limit + page.offset };
  const way = await wayOf(scope, column, narrowing, values.take, total);
  const order = orderedBy(direction, ...sortColumns[column]);
  const records = await scope.prepared<FileRecord>(
    `files.list ${sort} ${narrowing.key} ${way}`,
    (sources) => {
      if (way === 'walk') {
        const files = sources.files().where(matching(narrowing, 'files', walks[column]));
        return withNames(files).orderBy(order).limit(pageParams.limit).offset(pageParams.offset);
      }
      const ids =
        way === 'gather'
          ? sources.gatheredFiles(narrowing)
          : sources.filesOfEachClient(
              (table) => matching(narrowing, table, column === 'uploadedAt' ? 'along' : 'aside'),
              param<number>('take'),
              { by: column === 'uploadedAt' ? 'uploaded_at' : 'name_key', ascending: direction === 'asc' },
            );
      const found = sources
        .files()
        .where(sql<SqlBool>`files.id in (${ids})`)
        .where(matching(narrowing, 'files', 'aside'));
      if (way === 'each client') {
        return withNames(found).orderBy(order).limit(pageParams.limit).offset(pageParams.offset);
      }
      // Many are sorted, few of them shown: only these are given their names.
      const shown = found.select('files.id').orderBy(order).limit(pageParams.limit).offset(pageParams.offset);
      return withNames(sources.files().where('files.id', 'in', shown)).orderBy(order);
    },
    values,
  );
  return records.map(toFileRow);
}

/** By date there is an index for every kind, type and client; by name and size for every kind. */
const walks: Readonly<Record<ReadColumn, FileMeeting>> = {
  uploadedAt: 'along',
  originalName: 'by name',
  size: 'by size',
};

/** A file gathered costs about so many passed over in a walk. */
const GATHERED_COST = 2;
/** The same of a row merged: it is found client by client, sorted, and looked up again. */
const MERGED_COST = 4;
/** And of a name looked at in its index. */
const NAME_COST = 0.06;

/** The way that passes the fewest files, as far as the counters tell. */
async function wayOf(
  scope: ReadScope,
  column: ReadColumn,
  narrowing: Narrowing,
  take: number,
  total: number,
): Promise<Way> {
  const { names, byName } = narrowing;
  // An index leads through the files of one client, by date or by name; by size they are few enough to be sorted.
  if (names.includes('clientId')) return column === 'size' ? 'gather' : 'walk';
  if (scope.viewer.reach === 'all' && column === 'uploadedAt' && !byName) return 'walk';
  const { clients, passed } = await sizesOf(scope, walkedPart(narrowing, column));
  const walked = (take * passed) / (await shareOf(scope, column, narrowing, total));
  // Of each client the first are found along an index by date or by name, which knows neither sizes nor parts of names, and
  // the latter no days.
  const merges =
    scope.viewer.reach === 'lists' &&
    !byName &&
    (column === 'uploadedAt' || (column === 'originalName' && areCounted(names)));
  if (merges) return MERGED_COST * Math.min(clients * take, total) < walked ? 'each client' : 'walk';
  return GATHERED_COST * total + (byName ? NAME_COST * passed : 0) < walked ? 'gather' : 'walk';
}

/** Of the files a walk passes, as many as it shows. Dates bound a walk by date as they bound its list: the share stays that of all. */
async function shareOf(scope: ReadScope, column: ReadColumn, narrowing: Narrowing, total: number): Promise<number> {
  const counted = countedPart(narrowing);
  const undated = narrowing.names.filter((name) => name !== 'from' && name !== 'before');
  const bounded = undated.length < narrowing.names.length && undated.length === counted.names.length;
  return Math.max(column === 'uploadedAt' && bounded ? await countFiles(scope, counted) : total, 1);
}

/** As much of a narrowing as the counters know. */
const countedPart = ({ kinds, values }: Narrowing) => narrowedBy(kinds, values, COUNTED);

/** As much as the index knows that is walked along. */
function walkedPart(narrowing: Narrowing, column: ReadColumn): Narrowing {
  if (column !== 'size') return countedPart(narrowing);
  return narrowedBy(narrowing.kinds === 'typed' ? 'all' : narrowing.kinds, {}, []);
}

/** How many clients a viewer with lists has, and how many files, in anybody's reach, a walk along the index for `counted` passes. */
async function sizesOf(scope: ReadScope, counted: Narrowing): Promise<{ clients: number; passed: number }> {
  const passed =
    counted.key === EVERYTHING
      ? filesEver
      : sql<number>`cast((select coalesce(sum(passed.n), 0) from file_counts passed where ${matchingCounters(counted, 'passed')}) as bigint)`;
  const [sizes] = await scope.prepared<{ clients: number; passed: number }>(
    `files.sizes ${counted.key}`,
    (sources) => sources.ownClientIds().select([rowCount.as('clients'), passed.as('passed')]),
    counted.values,
  );
  return sizes ?? { clients: 0, passed: 0 };
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
 * A page of a list whose order is that of names and then of dates: counting says which stretches the page falls in, and
 * only those are read, so that the work grows with the page and not with the table.
 */
async function stretchedPage(
  scope: ReadScope,
  query: FileQuery & FileFilters,
  { limit, offset }: { limit: number; offset: number },
  stretches: readonly Stretch[],
): Promise<FileRow[]> {
  const { direction } = orderOf(query.sort ?? '-uploadedAt');
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
    const narrowing = narrowingOf({ ...query, ...filter });
    if (narrowing === null) throw new Error('A stretch holds what its list does not');
    const page = { limit: Math.min(limit - rows.length, n - skip), offset: skip };
    const sort = direction === 'asc' ? 'uploadedAt' : '-uploadedAt';
    rows.push(...(await readFiles(scope, sort, 'uploadedAt', narrowing, page, n)));
    skip = 0;
  }
  return rows;
}

/** As both engines compare text here; JavaScript's own comparison goes by halves of characters. */
function compareByCodePoint(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}

type Stretches = (scope: ReadScope, narrowing: Narrowing) => Promise<readonly Stretch[]>;

const counterSum = sql<number>`cast(sum(file_counts.n) as bigint)`;

interface ClientCount {
  key: string;
  id: number;
  n: number;
}

interface TypeCount {
  fileType: FileType;
  typeId: number;
  key: string | null;
  n: number;
}

const stretchesBy: Readonly<Record<'clientName' | 'reportTypeName', Stretches>> = {
  async clientName(scope, narrowing) {
    const counted = areCounted(narrowing.names);
    const counts = await scope.prepared<ClientCount>(
      `files.by-client ${narrowing.key}`,
      (sources) =>
        counted
          ? sources
              .fileCounts()
              .where(matchingCounters(narrowing))
              .innerJoin('clients', 'clients.id', 'file_counts.client_id')
              .select(['clients.name_key as key', 'clients.id as id', counterSum.as('n')])
              .groupBy(['clients.name_key', 'clients.id'])
          : sources
              .filesByClient(narrowing)
              .innerJoin('clients', 'clients.id', 'per.clientId')
              .select(['clients.name_key as key', 'clients.id as id', 'per.n as n']),
      narrowing.values,
    );
    const stretches = new Map(counts.map((row) => [row.id, { ...row, filter: { clientId: row.id } }]));
    if (counted && mayHoldOwnUntyped(scope, narrowing)) {
      const untyped = await scope.prepared<ClientCount>(
        `files.untyped-by-client ${narrowing.key}`,
        (sources) =>
          sources
            .ownUntypedReports()
            .where(narrowing.narrow('files'))
            .innerJoin('clients', 'clients.id', 'files.client_id')
            .select(['clients.name_key as key', 'clients.id as id', rowCount.as('n')])
            .groupBy(['clients.name_key', 'clients.id']),
        narrowing.values,
      );
      for (const row of untyped) {
        const n = row.n + (stretches.get(row.id)?.n ?? 0);
        stretches.set(row.id, { ...row, n, filter: { clientId: row.id } });
      }
    }
    return [...stretches.values()];
  },

  // A report without a type comes before all others; documents come before reports.
  async reportTypeName(scope, narrowing) {
    const counted = areCounted(narrowing.names);
    const counts = await scope.prepared<TypeCount>(
      `files.by-type ${narrowing.key}`,
      (sources) =>
        counted
          ? sources
              .fileCounts()
              .where(matchingCounters(narrowing))
              .leftJoin('report_types', 'report_types.id', 'file_counts.report_type_id')
              .select([
                'file_counts.file_type as fileType',
                'file_counts.report_type_id as typeId',
                'report_types.name_key as key',
                counterSum.as('n'),
              ])
              .groupBy(['file_counts.file_type', 'file_counts.report_type_id', 'report_types.name_key'])
          : sources
              .filesByType(narrowing)
              .leftJoin('report_types', 'report_types.id', 'per.typeId')
              .select([
                'per.fileType as fileType',
                'per.typeId as typeId',
                'report_types.name_key as key',
                'per.n as n',
              ]),
      narrowing.values,
    );
    if (counted && mayHoldOwnUntyped(scope, narrowing)) {
      counts.push({ fileType: 'report', typeId: NONE, key: null, n: await countOwnUntyped(scope, narrowing) });
    }
    return counts.map(({ fileType, typeId, key, n }) => ({
      key: `${fileType}\n${key ?? ''}`,
      id: typeId,
      n,
      filter:
        fileType === 'company_document'
          ? { fileType }
          : typeId === NONE
            ? { untyped: true }
            : { fileType, reportTypeId: typeId },
    }));
  },
};

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
  const narrowing = narrowingOf(query);
  const sort = query.sort ?? '-uploadedAt';
  const { column: sortColumn, direction } = orderOf(sort);
  const found =
    narrowing === null
      ? []
      : await scope.prepared<{ id: number }>(
          `files.ids ${sort} ${narrowing.key}`,
          (sources) =>
            withNames(sources.files().where(matching(narrowing)))
              .clearSelect()
              .select('files.id as id')
              .orderBy(orderedBy(direction, ...sortColumns[sortColumn])),
          narrowing.values,
        );
  return pagesOf(
    found.map(({ id }) => id),
    EXPORT_PAGE,
    async (ids) => {
      const rows = await scope.prepared<FileRecord>(
        'files.page',
        (sources) => withNames(sources.files()).where(isListedId('files.id', param('ids'))),
        { ids: listText(ids) },
      );
      return rows.map(toFileRow);
    },
  );
}

/** The ids of what stands next to a file in the list, newest first, that `within` narrows. */
export async function fileNeighbours(
  scope: ReadScope,
  file: FileRow,
  within: FileNeighbourQuery,
): Promise<Pick<FileDetails, 'newer' | 'older'>> {
  const narrowing = narrowingOf(within);
  if (narrowing === null) return { newer: null, older: null };
  const all = { ...narrowing.values, at: Date.parse(file.uploadedAt), id: file.id };
  const byClient = scope.viewer.reach === 'lists' && !narrowing.names.includes('clientId');
  const next = async (direction: 'asc' | 'desc') => {
    const past = (table: string) => {
      const moment = sql`(${sql.ref(`${table}.uploaded_at`)}, ${sql.ref(`${table}.id`)})`;
      const beyond = direction === 'asc' ? sql`>` : sql`<`;
      return sql<SqlBool>`(${moment} ${beyond} (${param('at')}, ${param('id')}) and ${matching(narrowing, table)})`;
    };
    const [row] = await scope.prepared<{ id: number; originalName: string }>(
      `files.neighbour ${direction} ${narrowing.key}`,
      (sources) => {
        // Of each own client the next: a walk by date would pass what everybody else has since sent.
        const files = byClient
          ? sources
              .files()
              .where(
                sql<SqlBool>`files.id in (${sources.filesOfEachClient(past, sql.lit(1), { by: 'uploaded_at', ascending: direction === 'asc' })})`,
              )
          : sources.files().where(past('files'));
        return files
          .select(['files.id as id', 'files.original_name as originalName'])
          .orderBy(orderedBy(direction, 'files.uploaded_at', 'files.id'))
          .limit(1);
      },
      all,
    );
    return row ?? null;
  };
  return { newer: await next('asc'), older: await next('desc') };
}

/** How many files match: from the counters where they can say, else by counting along indexes. */
async function countFiles(scope: ReadScope, narrowing: Narrowing): Promise<number> {
  const counted = areCounted(narrowing.names);
  const [row] = await scope.prepared<{ total: number }>(
    `files.count ${narrowing.key}`,
    (sources) => {
      if (counted) {
        const counters = sources.fileCounts().where(matchingCounters(narrowing));
        return counters.select(sql<number>`cast(coalesce(sum(file_counts.n), 0) as bigint)`.as('total'));
      }
      return scope.viewer.reach === 'all'
        ? sources.files().where(matchingAll(narrowing, 'files')).select(rowCount.as('total'))
        : sources.filesByClient(narrowing).select(sql<number>`cast(coalesce(sum(per.n), 0) as bigint)`.as('total'));
    },
    narrowing.values,
  );
  const total = row?.total ?? 0;
  return counted && mayHoldOwnUntyped(scope, narrowing) ? total + (await countOwnUntyped(scope, narrowing)) : total;
}

/** The counters leave out one's own reports without a type; this says whether the list may hold any. */
function mayHoldOwnUntyped({ viewer }: ReadScope, { kinds }: Narrowing): boolean {
  return viewer.reach === 'lists' && holdsUntyped(kinds);
}

async function countOwnUntyped(scope: ReadScope, narrowing: Narrowing): Promise<number> {
  const [row] = await scope.prepared<{ total: number }>(
    `files.untyped ${narrowing.key}`,
    (sources) => sources.ownUntypedReports().where(narrowing.narrow('files')).select(rowCount.as('total')),
    narrowing.values,
  );
  return row?.total ?? 0;
}
