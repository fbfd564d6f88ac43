// A release that somebody stops: what is not released yet is handed back.
import { releaseStoppedDetails } from '#contract/activity-words.ts';
import type { BatchRow } from '#contract/batches.ts';
import type { Proof } from '#contract/policy.ts';
import { record } from '../audit/record.ts';
import type { WriteScope } from '../people/access/scope.ts';
import { isListedId, listText } from '../platform/db/id-list.ts';
import { isReachedDocument } from './batch-documents.repo.ts';
import { findBatch, holdBatch } from './batches.repo.ts';
import { TO_CHECK } from './document-rows.ts';
import { INCOMPLETE } from './lost-documents.ts';

/**
 * Accepts anew, as whoever accepted it before, what in reach is being released, whoever ordered that. Its job finds nothing left to do;
 * what it has made a file of by then stays. Where nothing is being released, nothing changes.
 */
export async function handBackReleasing(
  scope: WriteScope,
  proof: Proof<'batches.stop'>,
  id: number,
  at: number,
): Promise<BatchRow> {
  const { name } = await holdBatch(scope, id);
  const tx = scope.unscoped(proof);
  const releasing = await tx
    .selectFrom('batch_documents')
    .select('id')
    .where('batch_id', '=', id)
    .where('state', '=', 'releasing')
    .where(isReachedDocument(scope, 'batch_documents'))
    .execute();
  const left = tx
    .updateTable('batch_documents')
    .where(isListedId('batch_documents.id', listText(releasing.map((document) => document.id))))
    // Another transaction may have made a file of one just now.
    .where('state', '=', 'releasing');
  const lost = await left
    .set(({ eb }) => ({ ...TO_CHECK, fault: INCOMPLETE, releasing_by_id: null, version: eb('version', '+', 1) }))
    .where((eb) => eb.or([eb('client_id', 'is', null), eb('report_type_id', 'is', null)]))
    .executeTakeFirst();
  const whole = await left
    .set(({ eb }) => ({ state: 'accepted', fault: null, releasing_by_id: null, version: eb('version', '+', 1) }))
    .executeTakeFirst();
  const count = Number(lost.numUpdatedRows + whole.numUpdatedRows);
  if (count > 0) {
    await record(scope, proof, { action: 'update', details: releaseStoppedDetails(name, count) }, at);
  }
  return findBatch(scope, id);
}
