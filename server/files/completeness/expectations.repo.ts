// What is expected of clients: read, proposed from their files, and written.
import { type SqlBool, sql } from 'kysely';
import type {
  ClientExpectation,
  ExpectationInput,
  ExpectationRow,
  ExpectationsOfClient,
  Proposal,
  ProposalRequest,
  Proposals,
} from '#contract/completeness.ts';
import { PROPOSED_CLIENTS_MAX } from '#contract/completeness-words.ts';
import { refuse } from '#contract/errors.ts';
import type { Proof } from '#contract/policy.ts';
import { searchForm } from '#contract/search.ts';
import type { ReadScope, WriteScope } from '../../people/access/scope.ts';
import { versionOf } from '../../people/access/versions.ts';
import { DAY_MS } from '../../platform/clock.ts';
import { isListedId, listText } from '../../platform/db/id-list.ts';
import { param } from '../../platform/db/statement.ts';
import { isBrokenReference } from '../../platform/db/violations.ts';
import { keptColumn, withRowsOfFile } from '../versions.ts';
import { type Delivered, proposeFrom } from './propose.ts';
import { dateOf, phaseOf } from './windows.ts';

type Allowed = Proof<'completeness.manage'>;

export interface NamedClient {
  readonly id: number;
  readonly name: string;
}

/** Those of the clients that are in reach; refuses where one of them is not, as if it were not there. */
export async function findClients(scope: ReadScope, ids: readonly number[]): Promise<NamedClient[]> {
  const wanted = [...new Set(ids)];
  const clients = await scope.prepared<NamedClient>(
    'completeness.clients',
    (sources) =>
      sources
        .clients()
        .select(['clients.id as id', 'clients.name as name'])
        .where(isListedId('clients.id', param('ids'))),
    { ids: listText(wanted) },
  );
  if (clients.length < wanted.length) throw refuse('not_found');
  return clients;
}

/** What is expected of one client, by report type. */
export async function listExpectations(scope: ReadScope, clientId: number): Promise<ExpectationsOfClient> {
  await findClients(scope, [clientId]);
  const expectations = await scope.prepared<ExpectationRow>(
    'completeness.list',
    (sources) =>
      sources
        .expectations()
        .innerJoin('report_types', 'report_types.id', 'expectations.report_type_id')
        .where('expectations.client_id', '=', param<number>('clientId'))
        .select([
          'expectations.report_type_id as reportTypeId',
          'report_types.name as reportTypeName',
          'expectations.frequency as frequency',
          'expectations.due_days as dueDays',
          'expectations.starts as starts',
        ])
        .orderBy('report_types.search_name')
        .orderBy('report_types.id'),
    { clientId },
  );
  return { expectations, version: versionOf(null, contentOf(expectations)) };
}

/** By the ids of their types, which stay where a type gets another name. */
const contentOf = (expectations: readonly ExpectationRow[]) =>
  expectations
    .toSorted((one, other) => one.reportTypeId - other.reportTypeId)
    .flatMap(({ reportTypeId, frequency, dueDays, starts }) => [reportTypeId, frequency, dueDays, starts ?? '']);

async function assertTypesReached(scope: ReadScope, expectations: readonly ExpectationInput[]): Promise<void> {
  const wanted = [...new Set(expectations.map(({ reportTypeId }) => reportTypeId))];
  const found = await scope
    .reachedReportTypes()
    .select('report_types.id')
    .where(isListedId('report_types.id', listText(wanted)))
    .execute();
  if (found.length < wanted.length) throw refuse('not_found');
}

const keyOf = ({ clientId, reportTypeId }: ClientExpectation) => `${clientId} ${reportTypeId}`;

const termsOf = ({ frequency, dueDays, starts }: ClientExpectation) => [frequency, dueDays, starts].join(' ');

/** Those of `expectations` that are not expected yet, and those that are, but otherwise. */
export async function besideExpected(
  scope: ReadScope,
  expectations: readonly ClientExpectation[],
): Promise<{ added: ClientExpectation[]; changed: ClientExpectation[] }> {
  const rows = await scope
    .expectations()
    .select([
      'expectations.client_id as clientId',
      'expectations.report_type_id as reportTypeId',
      'expectations.frequency as frequency',
      'expectations.due_days as dueDays',
      'expectations.starts as starts',
    ])
    .where(isListedId('expectations.client_id', listText(expectations.map(({ clientId }) => clientId))))
    .execute();
  const there = new Map(rows.map((row) => [keyOf(row), termsOf(row)]));
  return {
    added: expectations.filter((one) => !there.has(keyOf(one))),
    changed: expectations.filter((one) => (there.get(keyOf(one)) ?? termsOf(one)) !== termsOf(one)),
  };
}

/** As many rows as one statement writes. */
const ROWS_AT_ONCE = 500;

/** Writes expectations over those of the same client and report type. */
export async function writeExpectations(
  scope: WriteScope,
  proof: Allowed,
  expectations: readonly ClientExpectation[],
): Promise<void> {
  await assertTypesReached(scope, expectations);
  const tx = scope.unscoped(proof);
  const values = expectations.map(({ clientId, reportTypeId, frequency, dueDays, starts }) => ({
    client_id: clientId,
    report_type_id: reportTypeId,
    frequency,
    due_days: dueDays,
    starts,
    phase: phaseOf(frequency, starts),
  }));
  try {
    for (let start = 0; start < values.length; start += ROWS_AT_ONCE) {
      await tx
        .insertInto('expectations')
        .values(values.slice(start, start + ROWS_AT_ONCE))
        .onConflict((conflict) =>
          conflict.columns(['client_id', 'report_type_id']).doUpdateSet(({ ref }) => ({
            frequency: ref('excluded.frequency'),
            due_days: ref('excluded.due_days'),
            starts: ref('excluded.starts'),
            phase: ref('excluded.phase'),
          })),
        )
        .execute();
    }
  } catch (error) {
    // Client or report type were deleted meanwhile.
    if (isBrokenReference(error)) throw refuse('gone_meanwhile');
    throw error;
  }
}

/** Makes these the only ones of a client, as far as report types are in reach. */
export async function replaceExpectations(
  scope: WriteScope,
  proof: Allowed,
  clientId: number,
  expectations: readonly ExpectationInput[],
): Promise<void> {
  const reached = scope.reachedReportTypes().select('report_types.id');
  await scope
    .unscoped(proof)
    .deleteFrom('expectations')
    .where('client_id', '=', clientId)
    .where('report_type_id', 'in', reached)
    .execute();
  if (expectations.length === 0) return;
  await writeExpectations(
    scope,
    proof,
    expectations.map((one) => ({ ...one, clientId })),
  );
}

/** How far back quarters and years are looked at, and pay dates. */
const PERIODS_DAYS = 760;
const PAY_DATES_DAYS = 220;

interface History extends NamedClient {
  readonly typeId: number | null;
  readonly typeName: string;
  /** `key@ms`, separated by commas, in no order. */
  readonly delivered: string;
}

/** What was delivered under each report type of the clients, with one client more than are asked for. */
function readHistory(scope: ReadScope, { clientIds, after }: ProposalRequest, today: number): Promise<History[]> {
  const values = {
    periodsSince: dateOf(today - PERIODS_DAYS),
    payDatesSince: dateOf(today - PAY_DATES_DAYS),
    ...(after !== undefined && { after: after.id, afterName: searchForm(after.name) }),
  };
  return scope.prepared<History>(
    `completeness.history ${clientIds === undefined ? 'new' : 'some'} ${after === undefined ? 'all' : 'after'}`,
    (sources) => {
      const { from, where } = sources.filesAlong('files_client_period');
      const clients = sources.clients().select(['clients.id', 'clients.name', 'clients.search_name']);
      const meant =
        clientIds === undefined
          ? clients.where('clients.id', 'not in', sources.expectations().select('expectations.client_id'))
          : clients.where(isListedId('clients.id', param('ids')));
      const looked =
        after === undefined
          ? meant
          : meant.where(sql<SqlBool>`(clients.search_name, clients.id) > (${param('afterName')}, ${param('after')})`);
      const types = sources
        .reachedReportTypes()
        .select(['report_types.id', 'report_types.name', 'report_types.search_name']);
      // One that took the place of another for its period came when that came.
      const was = (name: string) => keptColumn<number>(sources.engine, name);
      const cameAt = was('uploaded_at').number;
      const firstAt = withRowsOfFile(sources)
        .where(sql<SqlBool>`${was('period').text} = file.period and ${cameAt} < file.uploaded_at`)
        .select(sql<number | null>`min(${cameAt})`.as('at'));
      const one = sql`first.key || '@' || cast(first.at as text)`;
      const joined = sources.engine === 'postgres' ? sql`string_agg(${one}, ',')` : sql`group_concat(${one}, ',')`;
      return sources.query(sql<History>`with
        looked as materialized ${looked
          .orderBy('clients.search_name')
          .orderBy('clients.id')
          .limit(sql.lit(PROPOSED_CLIENTS_MAX + 1))},
        first as (select file.client_id, file.access_key, file.period_key as key,
            min(coalesce(${firstAt}, file.uploaded_at)) as at
          from looked cross join ${from} where ${where} and file.client_id = looked.id
            and file.period_key >= ${param('periodsSince')} and file.access_key > 0 and file.period is not null
            and (file.period_key like '%-99' or file.period_key >= ${param('payDatesSince')})
          group by file.client_id, file.access_key, file.period_key)
        select looked.id as "id", looked.name as "name", type.id as "typeId", type.name as "typeName", ${joined} as "delivered"
        from looked left join first on first.client_id = looked.id
          left join ${types} as type on type.id = first.access_key
        group by looked.id, looked.name, looked.search_name, type.id, type.name, type.search_name
        order by looked.search_name, looked.id, type.search_name, type.id`);
    },
    { ...values, ...(clientIds !== undefined && { ids: listText(clientIds) }) },
    'long',
  );
}

function toHistory(delivered: string): Delivered[] {
  return delivered.split(',').map((one) => {
    const [key, at] = one.split('@') as [string, string];
    return { key, at: Number(at) };
  });
}

/** What the files of clients speak for. */
export async function proposeExpectations(scope: ReadScope, request: ProposalRequest, now: number): Promise<Proposals> {
  if (request.clientIds !== undefined) await findClients(scope, request.clientIds);
  const today = Math.floor(now / DAY_MS);
  const histories = await readHistory(scope, request, today);
  const found = [...new Map(histories.map(({ id, name }) => [id, { id, name }])).values()];
  const looked = found.slice(0, PROPOSED_CLIENTS_MAX);
  const shown = new Set(looked.map(({ id }) => id));
  const proposals = histories.flatMap(({ id, name, typeId, typeName, delivered }): Proposal[] => {
    if (typeId === null || !shown.has(id)) return [];
    const proposed = proposeFrom(toHistory(delivered), dateOf(today));
    return proposed === null
      ? []
      : [{ clientId: id, clientName: name, reportTypeId: typeId, reportTypeName: typeName, ...proposed }];
  });
  return { proposals, clients: shown.size, more: found.length > shown.size, last: looked.at(-1) ?? null };
}
