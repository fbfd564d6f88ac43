// What is due, and what was ordered to be disposed of.

import { type SqlBool, sql } from 'kysely';
import { disposalDetails, disposalRestDetails } from '#contract/activity-words.ts';
import { refuse, refuseFields } from '#contract/errors.ts';
import { atMost, WITHOUT_TYPE } from '#contract/file-kinds.ts';
import type { Proof } from '#contract/policy.ts';
import type {
  DisposalCertificate,
  DisposalOrder,
  DisposalQuery,
  DisposalRest,
  DisposalRow,
  DueFile,
  RetentionQuery,
} from '#contract/retention.ts';
import { DISPOSAL_FILES_MAX, type DisposalStop, ruleWords } from '#contract/retention-words.ts';
import { record } from '../../audit/record.ts';
import type { ReadScope, WriteScope } from '../../people/access/scope.ts';
import type { Sources } from '../../people/access/sources.ts';
import type { Now } from '../../platform/clock.ts';
import { type Conditions, filtersOf } from '../../platform/db/filters.ts';
import { isListedId, listText } from '../../platform/db/id-list.ts';
import { orderedBy, orderOf, type Page, pageParams, pageValues, rowCount, slicesOf } from '../../platform/db/list.ts';
import { param } from '../../platform/db/statement.ts';
import { dayOf, instant, instantOrNull } from '../../platform/instant.ts';
import type { JobOrders } from '../../platform/jobs/kinds.ts';
import type { FileJobs } from '../jobs.ts';
import { heldFileIds } from '../trash/holds.ts';
import { endDisposal, leaveRest } from './dispose-job.ts';
import { aboveDueKeys, dueFiles, orderedFileIds } from './retention.ts';

type Managing = Proof<'retention.manage'>;

const conditions = {
  clientId: () => sql`files.client_id = ${param('clientId')}`,
  // Not by the index of types: of one that many files have, few are due.
  reportTypeId: () => sql`(files.report_type_id + 0) = ${param('reportTypeId')}`,
  untyped: () => sql`(files.report_type_id + 0) is null`,
  // By the few ids that are held: asked of each file by itself, PostgreSQL took ten seconds for a million.
  held: () => sql`files.id in (${heldFileIds})`,
  free: () => sql`files.id not in (${heldFileIds})`,
  ordered: () => sql`files.id in (${orderedFileIds})`,
  unordered: () => sql`files.id not in (${orderedFileIds})`,
  ids: () => isListedId('files.id', param('ids')),
  aboveKeys: () => sql`files.period_key < ${param('aboveKeys')}`,
} as const satisfies Conditions<string>;

interface Narrowed {
  readonly clientId?: number | undefined;
  readonly reportTypeId?: number | typeof WITHOUT_TYPE | undefined;
  readonly onHold?: 'true' | 'false' | undefined;
  readonly ordered?: 'true' | 'false' | undefined;
  readonly ids?: readonly number[] | undefined;
  /** What `aboveDueKeys` answers. */
  readonly aboveKeys?: string | undefined;
}

function narrowing({ clientId, reportTypeId, onHold, ordered, ids, aboveKeys }: Narrowed) {
  return filtersOf(conditions, [], {
    clientId,
    reportTypeId: reportTypeId === WITHOUT_TYPE ? undefined : reportTypeId,
    untyped: reportTypeId === WITHOUT_TYPE ? true : undefined,
    held: onHold === 'true' ? true : undefined,
    free: onHold === 'false' ? true : undefined,
    ordered: ordered === 'true' ? true : undefined,
    unordered: ordered === 'false' ? true : undefined,
    ids: ids === undefined ? undefined : listText([...ids]),
    aboveKeys,
  });
}

type DueRecord = Omit<DueFile, 'uploadedAt' | 'onHold' | 'ordered'> & {
  readonly sha256: string;
  readonly uploadedAtMs: number;
  /** As the engine writes yes and no. */
  readonly onHold: number | boolean;
  readonly ordered: number | boolean;
};

const sortColumns = {
  due: 'dueOn',
  // Not along the index of names: what is due is few among many.
  name: sql`files.name_key || ''`,
  client: 'clients.search_name',
  type: sql`coalesce(report_types.search_name, lower(files.document_type), '')`,
} as const;

/** One page of what is due in reach, the longest due first, with what is on hold. */
export async function listDue(scope: ReadScope, query: RetentionQuery, at: number): Promise<Page<DueFile>> {
  const today = dayOf(at);
  const filters = narrowing({ ...query, aboveKeys: await aboveDueKeys(scope, today) });
  const values = { ...filters.values, today };
  const { column, direction } = orderOf(query.sort ?? 'due');
  const due = (sources: Sources) => dueFiles(sources).where(filters.on('files'));
  const rows = await scope.prepared<DueRecord>(
    `retention.list ${column} ${direction} ${filters.key}`,
    (sources) =>
      due(sources)
        .orderBy(orderedBy(direction, sortColumns[column], 'files.id'))
        .limit(pageParams.limit)
        .offset(pageParams.offset),
    { ...values, ...pageValues(query) },
    'long',
  );
  const [count] = await scope.prepared<{ total: number }>(
    `retention.count ${filters.key}`,
    (sources) => due(sources).clearSelect().select(rowCount.as('total')),
    values,
    'long',
  );
  return { rows: rows.map(present), total: count?.total ?? 0 };
}

function present({ uploadedAtMs, onHold, ordered, sha256: _, ...row }: DueRecord): DueFile {
  return { ...row, uploadedAt: instant(uploadedAtMs), onHold: Boolean(onHold), ordered: Boolean(ordered) };
}

/** The due files among `asked` that wait in no disposal, as many as one order names and one more. */
async function readDue(scope: ReadScope, asked: Narrowed, at: number): Promise<DueRecord[]> {
  const today = dayOf(at);
  // What is named by its id is found by that.
  const aboveKeys = asked.ids === undefined ? await aboveDueKeys(scope, today) : undefined;
  const filters = narrowing({ ...asked, ordered: 'false', aboveKeys });
  return scope.prepared<DueRecord>(
    `retention.asked ${filters.key}`,
    (sources) =>
      dueFiles(sources)
        .where(filters.on('files'))
        .orderBy('files.id')
        .limit(DISPOSAL_FILES_MAX + 1),
    { ...filters.values, today },
    'long',
  );
}

/** What an order names, read before its transaction, in which nobody waits for so long: those of `ids`, or all that match and are not on hold. */
export async function findOrdered(
  scope: ReadScope,
  { ids, matching }: DisposalOrder,
  at: number,
): Promise<readonly number[]> {
  if (ids !== undefined) return [...new Set(ids)];
  const due = await readDue(scope, { ...matching, onHold: 'false' }, at);
  if (due.length > DISPOSAL_FILES_MAX) throw refuseFields({ matching: atMost(DISPOSAL_FILES_MAX) });
  return due.map(({ id }) => id);
}

/**
 * Writes down what is to be disposed of, as it is now, and orders the job. Refuses `gone_meanwhile` where other than `expected` files are
 * due and wait in no disposal, so that nobody disposes of more or less than they were told. The log has the order here, and each file that goes when it goes.
 */
export async function orderDisposal(
  scope: WriteScope,
  proof: Managing,
  { ids, expected }: { readonly ids: readonly number[]; readonly expected: number },
  { jobs, now }: Now & { readonly jobs: JobOrders<FileJobs> },
): Promise<DisposalRow> {
  const at = now();
  // Of two orders at once the second finds what the first has named.
  await scope.serialize('disposals');
  const files = await readDue(scope, { ids }, at);
  if (files.length !== expected) throw refuse('gone_meanwhile');
  const tx = scope.unscoped(proof);
  const { viewer } = scope;
  const { id } = await tx
    .insertInto('disposals')
    .values({ ordered_by_id: viewer.id, ordered_by_name: viewer.fullName, ordered_at: at })
    .returning('id')
    .executeTakeFirstOrThrow();
  for (const some of slicesOf(files)) {
    const rows = some.map((file) => ({
      disposal_id: id,
      file_id: file.id,
      name: file.originalName,
      client_id: file.clientId,
      client_name: file.clientName,
      report_type_id: file.reportTypeId,
      type_name: file.typeName,
      period: file.period,
      size_bytes: file.size,
      sha256: file.sha256,
      uploaded_at: file.uploadedAtMs,
      due_on: file.dueOn,
      rule: ruleWords(present(file)),
      outcome: 'waiting' as const,
    }));
    await tx.insertInto('disposal_files').values(rows).execute();
  }
  await jobs.enqueue(tx, {
    kind: 'retention.dispose',
    payload: { disposalId: id },
    actingFor: { id: viewer.id, fullName: viewer.fullName },
  });
  await record(scope, proof, { action: 'update', details: disposalDetails(id, files.length) }, at);
  return readDisposal(scope, id);
}

/** What is known of the job of a disposal that has not ended: of one that is to run, else of the latest. */
const ofItsJob = (column: 'state' | 'error') => sql<string | null>`case when disposals.ended_at is null then (
  select job.${sql.ref(column)} from jobs job where job.kind = 'retention.dispose'
    and job.payload = cast('{"disposalId":' as text) || cast(disposals.id as text) || '}'
  order by case when job.state in ('waiting', 'running') then 0 else 1 end, job.id desc limit 1) end`;

const described = (scope: ReadScope) => {
  const count = (outcome: string) =>
    sql<number>`(select count(*) from disposal_files counted where counted.disposal_id = disposals.id and counted.outcome = ${sql.lit(outcome)})`;
  return scope
    .disposals()
    .select([
      'disposals.id as id',
      'disposals.ordered_by_name as orderedByName',
      'disposals.ordered_at as orderedAt',
      'disposals.ended_at as endedAt',
      count('purged').as('purged'),
      count('left').as('left'),
      count('waiting').as('waiting'),
      ofItsJob('state').as('jobState'),
      ofItsJob('error').as('fault'),
    ]);
};

type Described = Awaited<ReturnType<ReturnType<typeof described>['execute']>>[number];

function stopOf({ endedAt, jobState }: Pick<Described, 'endedAt' | 'jobState'>): DisposalStop | null {
  if (endedAt !== null || jobState === 'waiting' || jobState === 'running') return null;
  return jobState === 'cancelled' || jobState === 'failed' ? jobState : 'lost';
}

const shown = ({ orderedAt, endedAt, jobState, fault, ...row }: Described): DisposalRow => ({
  ...row,
  stopped: stopOf({ endedAt, jobState }),
  fault: jobState === 'failed' ? fault : null,
  orderedAt: instant(orderedAt),
  endedAt: instantOrNull(endedAt),
});

/** What has not ended, so that nothing that waits for a word is behind others; then the newest. */
const openFirst = sql`case when disposals.ended_at is null then 0 else 1 end, disposals.id desc`;

export async function listDisposals(scope: ReadScope, query: DisposalQuery): Promise<Page<DisposalRow>> {
  const { limit, offset } = pageValues(query);
  // What became of their files is counted for those of the page alone.
  const page = scope.disposals().select('disposals.id').orderBy(openFirst).limit(limit).offset(offset);
  const rows = await described(scope).where('disposals.id', 'in', page).orderBy(openFirst).execute();
  const { total } = await scope.disposals().select(rowCount.as('total')).executeTakeFirstOrThrow();
  return { rows: rows.map(shown), total };
}

async function readDisposal(scope: ReadScope, id: number): Promise<DisposalRow> {
  const row = await described(scope).where('disposals.id', '=', id).executeTakeFirst();
  if (row === undefined) throw refuse('not_found');
  return shown(row);
}

/**
 * Of a disposal that stopped: goes on with what waits, in the name of whoever says so, or leaves it where it is. Refuses `not_found`, and
 * `gone_meanwhile` where it goes on already or has ended.
 */
export async function decideRest(
  scope: WriteScope,
  proof: Managing,
  { id, decision }: { readonly id: number } & DisposalRest,
  { jobs, now }: Now & { readonly jobs: JobOrders<FileJobs> },
): Promise<DisposalRow> {
  await scope.serialize('disposals');
  const { stopped } = await readDisposal(scope, id);
  if (stopped === null) throw refuse('gone_meanwhile');
  const tx = scope.unscoped(proof);
  const { id: userId, fullName } = scope.viewer;
  if (decision === 'leave') {
    await leaveRest(tx, id, `${fullName} ended the disposal before its turn came`, now());
    await endDisposal(tx, id, now());
  } else {
    const payload = { disposalId: id };
    await jobs.enqueue(tx, { kind: 'retention.dispose', payload, actingFor: { id: userId, fullName } });
  }
  await record(scope, proof, { action: 'update', details: disposalRestDetails(id, decision) }, now());
  return readDisposal(scope, id);
}

/** A disposal with all of its files, as they were then. Refuses `not_found`. */
export async function readCertificate(
  scope: ReadScope,
  id: number,
  { firmName, at }: { readonly firmName: string; readonly at: number },
): Promise<DisposalCertificate> {
  const disposal = await readDisposal(scope, id);
  const files = await scope
    .disposals()
    .innerJoin('disposal_files as file', 'file.disposal_id', 'disposals.id')
    .where('disposals.id', '=', id)
    .select([
      'file.file_id as fileId',
      'file.name as name',
      'file.client_name as clientName',
      'file.type_name as typeName',
      'file.period as period',
      'file.size_bytes as size',
      'file.sha256 as sha256',
      'file.uploaded_at as uploadedAt',
      'file.due_on as dueOn',
      'file.rule as rule',
      'file.outcome as outcome',
      'file.reason as reason',
      'file.decided_at as decidedAt',
    ])
    .orderBy(sql<SqlBool>`file.client_name`)
    .orderBy('file.type_name')
    .orderBy('file.file_id')
    .execute();
  return {
    ...disposal,
    firmName,
    madeAt: instant(at),
    madeForName: scope.viewer.fullName,
    files: files.map(({ uploadedAt, decidedAt, ...file }) => ({
      ...file,
      uploadedAt: instant(uploadedAt),
      decidedAt: instantOrNull(decidedAt),
    })),
  };
}
