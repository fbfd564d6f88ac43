// The documents of a batch in reach, to be read: with the file they came in, and client and type as far as these are in reach.
import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { DocumentRecall } from '#contract/batches.ts';
import { batchReach } from '#contract/policy/reach.ts';
import { everything } from '../people/access/reach.ts';
import type { ReadScope } from '../people/access/scope.ts';

/** Whether the batch that is called `alias` is the viewer's to do anything with: not a colleague's that the viewer may review. */
export function isOwnBatch(scope: ReadScope, alias: string): RawBuilder<SqlBool> {
  if (batchReach(scope.viewer) === 'all') return everything;
  return sql<SqlBool>`(${sql.ref(`${alias}.owner_id`)} is not distinct from ${scope.viewer.id})`;
}

/**
 * Whether the document that is called `alias` is of a client and a report type in reach. Until it is of any, it is whoever's the batch
 * is, who may have lost either since; where either was deleted after that, it is as lost as before. One that is not in reach is listed
 * unnamed to them, and is like one that is not there to whatever takes its id.
 */
export function isReachedDocument(scope: ReadScope, alias: string): RawBuilder<SqlBool> {
  if (batchReach(scope.viewer) === 'all') return everything;
  const column = (name: string) => sql.ref(`${alias}.${name}`);
  const own = sql<SqlBool>`exists (select 1 from batches mine where mine.id = ${column('batch_id')} and ${isOwnBatch(scope, 'mine')})`;
  // Never null, since it is asked the other way round too.
  const within = (id: string, lost: string, reached: Expression<unknown>) =>
    sql<SqlBool>`((${column(id)} is null and ${own} and (${column(lost)} is null or ${column(lost)} in (${reached})))
      or (${column(id)} is not null and ${column(id)} in (${reached})))`;
  const clients = scope.clients().select('clients.id');
  const types = scope.reachedReportTypes().select('report_types.id');
  return sql<SqlBool>`(${within('client_id', 'lost_client_id', clients)} and ${within('report_type_id', 'lost_type_id', types)})`;
}

/** Whether the viewer is told of the row `document`: of a colleague's batch, of those in reach alone. */
export const isTold = (scope: ReadScope) =>
  sql<SqlBool>`(${isOwnBatch(scope, 'batches')} or (${isReachedDocument(scope, 'document')}))`;

/**
 * In the order of files and pages, by the columns of the index: sorted, the texts of thousands of documents would be moved for a page of
 * them.
 */
export const toldDocuments = (scope: ReadScope, batchId: number) =>
  scope
    .batches()
    .innerJoin('batch_documents as document', 'document.batch_id', 'batches.id')
    .where('batches.id', '=', batchId)
    .where(isTold(scope))
    .orderBy('document.batch_file_id')
    .orderBy('document.from_page')
    .orderBy('document.id');

/** Of a client or type out of reach nothing is said: `client` and `type` are null then. */
export const batchDocuments = (scope: ReadScope, batchId: number) =>
  toldDocuments(scope, batchId)
    .innerJoin('batch_files as original', 'original.id', 'document.batch_file_id')
    .leftJoin(
      scope.clients().select(['clients.id as id', 'clients.name as name']).as('client'),
      'client.id',
      'document.client_id',
    )
    .leftJoin(
      scope.reachedReportTypes().select(['report_types.id as id', 'report_types.name as name']).as('type'),
      'type.id',
      'document.report_type_id',
    );

/** The last recall of a document as it is kept in its row. */
export function recallOf({
  recallReason,
  recalledByName,
  recalledAt,
}: {
  readonly recallReason: string | null;
  readonly recalledByName: string | null;
  readonly recalledAt: number | null;
}): DocumentRecall | null {
  if (recallReason === null || recalledByName === null || recalledAt === null) return null;
  return { reason: recallReason, at: new Date(recalledAt).toISOString(), byName: recalledByName };
}
