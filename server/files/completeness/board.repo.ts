// The board in the database: what is expected of clients in reach, what of it is there, and what they owe. Two statements for a page.
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type {
  BoardCell,
  BoardExportQuery,
  BoardQuery,
  BoardRow,
  BoardSummary,
  SummaryQuery,
} from '#contract/completeness.ts';
import { type ExpectedState, type Frequency, lastQuarter, stateOfCell } from '#contract/completeness-words.ts';
import { seesRequests } from '#contract/policy/reach.ts';
import type { ReadScope } from '../../people/access/scope.ts';
import type { Sources } from '../../people/access/sources.ts';
import { DAY_MS } from '../../platform/clock.ts';
import { isListedId, listText } from '../../platform/db/id-list.ts';
import { type Page, pageParams, pageValues, rowCount } from '../../platform/db/list.ts';
import { param } from '../../platform/db/statement.ts';
import { instantOrNull } from '../../platform/instant.ts';
import { keptColumn, withRowsOfFile } from '../versions.ts';
import { dateOf, dayNumber, type Window, windowsWithin } from './windows.ts';

const newestEnded = (now: number) => lastQuarter(dateOf(Math.floor(now / DAY_MS)));

/** Clients on a page without a limit of its own. */
const CLIENTS_ON_PAGE = 50;

/** The windows as one bound value, by their place in the list: `due` reads them. */
const windowsText = (windows: readonly Window[]) => JSON.stringify({ ...windows });

const field = (name: keyof Window) => sql`listed.value ->> ${sql.lit(name)}`;
const numberField = (name: keyof Window) => sql`cast(${field(name)} as bigint)`;

type Filters = Pick<BoardExportQuery, 'clientId' | 'reportTypeId'>;

/** The values that `dueReports` binds. */
const valuesOf = (filters: Filters) =>
  Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined));

/**
 * The tables `periods`, and `due` with a row for each report that is expected in them. `late_from` is the moment from which it is late.
 */
function dueReports(sources: Sources, { clientId, reportTypeId }: Filters): RawBuilder<unknown> {
  const narrowed = [
    ...(clientId === undefined ? [] : [sql`and expected.client_id = ${param('clientId')}`]),
    ...(reportTypeId === undefined ? [] : [sql`and expected.report_type_id = ${param('reportTypeId')}`]),
  ];
  const expected = sources
    .expectations()
    .select(['client_id', 'report_type_id', 'frequency', 'phase', 'due_days', 'starts']);
  return sql`periods as materialized (select cast(listed.key as bigint) as n, ${field('frequency')} as frequency,
      ${numberField('phase')} as phase, ${field('to')} as last_day, ${field('keyFrom')} as key_from,
      ${field('keyBefore')} as key_before, ${numberField('byPayDate')} as by_pay_date, ${numberField('endedAt')} as ended_at
      from json_each(${param('windows')}) as listed),
    due as (select expected.client_id, client.name as client_name, client.search_name as client_key,
      expected.report_type_id, type.name as type_name, type.search_name as type_key, expected.frequency, expected.due_days,
      periods.n, periods.key_from, periods.key_before, periods.by_pay_date,
      periods.ended_at + expected.due_days * ${sql.lit(DAY_MS)} as late_from
      from ${expected} as expected
      join clients client on client.id = expected.client_id
      join report_types type on type.id = expected.report_type_id
      join periods on periods.frequency = expected.frequency and periods.phase = expected.phase
        and periods.last_day >= coalesce(expected.starts, client.start_date)
      where true ${sql.join(narrowed, sql` `)})`;
}

/** Of the files of a row of `due`: what is asked of them. One that took the place of another was there when that came. */
function filesOfRow(sources: Sources, row: string) {
  const { from, where } = sources.filesAlong('files_client_period');
  const column = (name: string) => sql.ref(`${row}.${name}`);
  const isFor = (key: RawBuilder<unknown>, period: RawBuilder<unknown>) => sql<SqlBool>`${key} >= ${column('key_from')}
    and ${key} < ${column('key_before')} and (${column('by_pay_date')} = 0 or ${period} = ${key}
      or (${column('frequency')} = 'monthly' and ${period} is not null))`;
  const delivered = sql`from ${from} where ${where} and file.client_id = ${column('client_id')}
    and file.access_key = ${column('report_type_id')} and ${isFor(sql.ref('file.period_key'), sql.ref('file.period'))}`;
  const was = (name: string) => keptColumn<number>(sources.engine, name);
  const cameAt = was('uploaded_at').number;
  const earlier = withRowsOfFile(sources).where(isFor(was('period_key').text, was('period').text));
  const before = (at: RawBuilder<unknown>) => earlier.where(sql<SqlBool>`${cameAt} < ${at}`);
  const inTime = before(column('late_from')).select(sql<number>`1`.as('found'));
  const firstAt = before(sql.ref('file.uploaded_at')).select(sql<number | null>`min(${cameAt})`.as('at'));
  return {
    any: sql<SqlBool>`exists (select 1 ${delivered})`,
    inTime: sql<SqlBool>`exists (select 1 ${delivered}
      and (file.uploaded_at < ${column('late_from')} or exists ${inTime}))`,
    opened: sql<SqlBool>`exists (select 1 ${delivered} and file.opened_by_client_at is not null)`,
    firstAt: sql<number | null>`(select min(coalesce(${firstAt}, file.uploaded_at)) ${delivered})`,
    newestId: sql<number | null>`(select file.id ${delivered} order by file.uploaded_at desc, file.id desc limit 1)`,
    isPast: sql<SqlBool>`${param('now')} >= ${column('late_from')}`,
  };
}

/** Each state as a condition on a row of `due`, asked in the order that costs least. */
function isInState(sources: Sources, state: ExpectedState): RawBuilder<SqlBool> {
  const { any, inTime, opened, isPast } = filesOfRow(sources, 'due');
  const conditions: Record<ExpectedState, RawBuilder<SqlBool>> = {
    missing: sql<SqlBool>`(${isPast} and not ${any})`,
    expected: sql<SqlBool>`(not ${isPast} and not ${any})`,
    late: sql<SqlBool>`(${isPast} and ${any} and not ${inTime})`,
    delivered: sql<SqlBool>`(${inTime} and not ${opened})`,
    opened: sql<SqlBool>`(${inTime} and ${opened})`,
  };
  return conditions[state];
}

interface ReportRecord {
  readonly total: number;
  readonly clientId: number | null;
  readonly clientName: string;
  /** The name as lists order it. */
  readonly clientKey: string;
  /** Null, as all that follows, of a client who is there for what it owes alone. */
  readonly reportTypeId: number | null;
  readonly reportTypeName: string;
  readonly frequency: Frequency;
  readonly dueDays: number;
  readonly n: number;
  readonly lateFrom: number;
  readonly firstAt: number | null;
  readonly fileId: number | null;
  /** 0 and 1 on SQLite. */
  readonly opened: boolean | number;
}

function stateOf({ firstAt, lateFrom, opened }: ReportRecord, now: number): ExpectedState {
  if (firstAt === null) return now >= lateFrom ? 'missing' : 'expected';
  if (firstAt >= lateFrom) return 'late';
  return opened ? 'opened' : 'delivered';
}

function toReport(record: ReportRecord, { period, from, to }: Window, now: number): BoardCell['reports'][number] {
  return {
    period,
    from,
    to,
    dueOn: dateOf(dayNumber(to) + record.dueDays),
    state: stateOf(record, now),
    deliveredAt: instantOrNull(record.firstAt),
    openedByClient: Boolean(record.opened),
    fileId: record.fileId,
  };
}

function toCell(records: readonly ReportRecord[], windows: readonly Window[], now: number): BoardCell[] {
  const [first] = records;
  if (first === undefined) return [];
  const { reportTypeId, reportTypeName, frequency, dueDays } = first;
  if (reportTypeId === null) return [];
  const reports = records.flatMap((record) => {
    const window = windows[record.n];
    return window === undefined ? [] : [toReport(record, window, now)];
  });
  const state = stateOfCell(reports.map((report) => report.state));
  return [{ reportTypeId, reportTypeName, frequency, dueDays, state, reports }];
}

/** Records come in the order of their clients, report types and periods. */
function toRows(
  records: readonly ReportRecord[],
  windows: readonly Window[],
  owedBy: ReadonlyMap<number, Owed> | null,
  now: number,
): BoardRow[] {
  const byClient = Map.groupBy(records, ({ clientId }) => clientId);
  return [...byClient].flatMap(([clientId, own]) => {
    // A page beyond the last has one record, with the total alone.
    if (clientId === null) return [];
    const byType = Map.groupBy(own, ({ reportTypeId }) => reportTypeId);
    const cells = [...byType.values()].flatMap((some) => toCell(some, windows, now));
    const { owed = 0, dueOn = null } = owedBy?.get(clientId) ?? {};
    return [{ clientId, clientName: own[0]?.clientName ?? '', cells, owed: owedBy && owed, owedDueOn: dueOn }];
  });
}

/** How many items a client owes the firm, and the earliest day on which one is due. */
interface Owed {
  readonly owed: number;
  readonly dueOn: string | null;
}

/** The open requests of which something is owed; none for who does not see requests. */
const owedRequests = (sources: Sources) =>
  sources.requests().where('requests.state', '=', 'open').where('requests.owed', '>', 0);

/** What the clients owe the firm; null for who does not see requests. */
async function readOwed(scope: ReadScope, clientIds: readonly number[]): Promise<ReadonlyMap<number, Owed> | null> {
  if (!seesRequests(scope.viewer)) return null;
  const rows = await scope.prepared<Owed & { clientId: number }>(
    'completeness.owed',
    (sources) =>
      owedRequests(sources)
        .where(isListedId('requests.client_id', param('ids')))
        .groupBy('requests.client_id')
        .select([
          'requests.client_id as clientId',
          sql<number>`cast(sum(requests.owed) as bigint)`.as('owed'),
          sql<string | null>`min(requests.due_on)`.as('dueOn'),
        ]),
    { ids: listText(clientIds) },
  );
  return new Map(rows.map(({ clientId, ...owed }) => [clientId, owed]));
}

/**
 * To go on with the clients of `matched` by those who owe something. That has no period, so they are there in each; narrowed to a
 * state or report type, the board is about reports alone.
 */
function orOwing(sources: Sources, { clientId, reportTypeId, state }: BoardQuery): RawBuilder<unknown> {
  if (reportTypeId !== undefined || state !== undefined) return sql``;
  const owing = owedRequests(sources).select('requests.client_id').distinct();
  return sql`union select client.id, client.name, client.search_name
    from ${owing} as owing join clients client on client.id = owing.client_id
    where ${clientId === undefined ? sql`true` : sql`client.id = ${param('clientId')}`}`;
}

/** A client in the order of the board. */
interface Place {
  readonly key: string;
  readonly id: number;
}

/** What is shown of a page of clients; with `after`, of those behind that place. */
function readRecords(
  scope: ReadScope,
  query: BoardQuery,
  now: number,
  after: Place | null = null,
): Promise<ReportRecord[]> {
  const { period = newestEnded(now), clientId, reportTypeId, state } = query;
  const filters = { clientId, reportTypeId };
  const given = valuesOf(filters);
  return scope.prepared<ReportRecord>(
    `completeness.board ${Object.keys(given).join()} ${state} ${after !== null}`,
    (sources) => {
      const shown = filesOfRow(sources, 'shown');
      const narrowed = state === undefined ? sql`true` : isInState(sources, state);
      const behind =
        after === null ? sql`` : sql`where (client_key, client_id) > (${param('afterKey')}, ${param('afterId')})`;
      return sources.query(sql<ReportRecord>`with ${dueReports(sources, filters)},
        matched as materialized (select distinct due.client_id, due.client_name, due.client_key from due
          where ${narrowed} ${orOwing(sources, query)}),
        page as materialized (select client_id, client_name, client_key from matched ${behind}
          order by client_key, client_id limit ${pageParams.limit} offset ${pageParams.offset})
        select counted.total as "total", shown.client_id as "clientId", shown.client_name as "clientName",
          shown.client_key as "clientKey",
          shown.report_type_id as "reportTypeId", shown.type_name as "reportTypeName", shown.frequency as "frequency",
          shown.due_days as "dueDays", shown.n as "n", shown.late_from as "lateFrom",
          ${shown.firstAt} as "firstAt", ${shown.newestId} as "fileId", ${shown.opened} as "opened"
        from (select cast(count(*) as bigint) as total from matched) as counted
        left join (select page.client_id, page.client_name, page.client_key, due.report_type_id, due.type_name, due.type_key,
            due.frequency, due.due_days, due.n, due.key_from, due.key_before, due.by_pay_date, due.late_from
          from page left join due on due.client_id = page.client_id) as shown on true
        order by shown.client_key, shown.client_id, shown.type_key, shown.report_type_id, shown.late_from, shown.n`);
    },
    {
      ...given,
      ...pageValues(query, CLIENTS_ON_PAGE),
      ...(after && { afterKey: after.key, afterId: after.id }),
      windows: windowsText(windowsWithin(period)),
      now,
    },
    'long',
  );
}

async function rowsOf(
  scope: ReadScope,
  records: readonly ReportRecord[],
  now: number,
  { period = newestEnded(now) }: BoardQuery,
): Promise<BoardRow[]> {
  const clientIds = new Set(records.flatMap((record) => record.clientId ?? []));
  const owedBy = await readOwed(scope, [...clientIds]);
  return toRows(records, windowsWithin(period), owedBy, now);
}

/** One page of the clients of whom something is expected in a period or who owe something, and how many there are. */
export async function readBoard(scope: ReadScope, query: BoardQuery, now: number): Promise<Page<BoardRow>> {
  const records = await readRecords(scope, query, now);
  return { rows: await rowsOf(scope, records, now, query), total: records[0]?.total ?? 0 };
}

/** Clients that are read at once for an export. Tests take fewer. */
export const BOARD_PIECE = { clients: 100 };

/** The whole board, each piece from the last client of the one before on: one that leaves it meanwhile keeps no other out of it. */
export async function* wholeBoard(
  scope: ReadScope,
  query: BoardExportQuery,
  now: number,
): AsyncGenerator<readonly BoardRow[]> {
  const limit = BOARD_PIECE.clients;
  let last: Place | null = null;
  do {
    const records: readonly ReportRecord[] = await readRecords(scope, { ...query, limit }, now, last);
    const rows = await rowsOf(scope, records, now, query);
    if (rows.length > 0) yield rows;
    const end = records.at(-1);
    last = rows.length === limit && end && end.clientId !== null ? { key: end.clientKey, id: end.clientId } : null;
  } while (last !== null);
}

/** How many reports of a period are there, late or missing, as far as the board is narrowed. Whether somebody opened them is not looked at. */
export async function summarise(scope: ReadScope, query: SummaryQuery, now: number): Promise<BoardSummary> {
  const { period = newestEnded(now), ...filters } = query;
  const given = valuesOf(filters);
  const counts = await scope.prepared<{ state: Exclude<ExpectedState, 'opened'>; n: number }>(
    `completeness.summary ${Object.keys(given).join()}`,
    (sources) => {
      const { any, inTime, isPast } = filesOfRow(sources, 'due');
      return sources.query(sql`with ${dueReports(sources, filters)}
        select judged.state as "state", cast(count(*) as bigint) as "n" from (select case
          when ${inTime} then 'delivered' when not ${isPast} then 'expected' when ${any} then 'late' else 'missing'
          end as state from due) as judged group by judged.state`);
    },
    { ...given, windows: windowsText(windowsWithin(period)), now },
    'long',
  );
  const [all] = await scope.prepared<{ n: number }>('completeness.all', (sources) =>
    sources.expectations().select(rowCount.as('n')),
  );
  const of = (state: ExpectedState) => counts.find((one) => one.state === state)?.n ?? 0;
  return {
    period,
    expectations: all?.n ?? 0,
    expected: of('expected'),
    delivered: of('delivered'),
    late: of('late'),
    missing: of('missing'),
  };
}
