// Released documents are taken back from everybody, and who opened them before.

import { recalledDetails } from '#contract/activity-words.ts';
import type { DocumentAccess, RecallResult } from '#contract/batches.ts';
import { refuse } from '#contract/errors.ts';
import type { Proof } from '#contract/policy.ts';
import type { Config } from '../config.ts';
import { deleteLocked } from '../files/deletion.ts';
import { findFiles } from '../files/find.ts';
import { putBackReplacedBy } from '../files/put-back.ts';
import { lockFiles } from '../files/trash/kept-rows.ts';
import type { ReadScope, WriteScope } from '../people/access/scope.ts';
import type { Now } from '../platform/clock.ts';
import { isListedId, listText } from '../platform/db/id-list.ts';
import { isReachedDocument } from './batch-documents.repo.ts';
import { holdBatch } from './batches.repo.ts';
import { settleBatch } from './document-rows.ts';

/** A document as far as it is the file that it became. */
export interface ReleasedDocument {
  readonly id: number;
  readonly releasedFileId: number;
}

/** Those in reach that became a file and, where they are named, are among `ids`; those that are released now, or recalled ones too. */
async function releasedOf(
  scope: ReadScope,
  batchId: number,
  { ids, now }: { readonly ids?: readonly number[] | undefined; readonly now: boolean },
): Promise<ReleasedDocument[]> {
  let query = scope
    .batches()
    .innerJoin('batch_documents as document', 'document.batch_id', 'batches.id')
    .where('batches.id', '=', batchId)
    .where('document.released_file_id', 'is not', null)
    .where(isReachedDocument(scope, 'document'))
    .select(['document.id as id', 'document.released_file_id as releasedFileId']);
  if (now) query = query.where('document.state', '=', 'released');
  if (ids !== undefined) query = query.where(isListedId('document.id', listText(ids)));
  const rows = await query.execute();
  return rows.flatMap(({ id, releasedFileId }) => (releasedFileId === null ? [] : [{ id, releasedFileId }]));
}

export interface Recall extends Omit<RecallResult, 'accesses'> {
  /** Who opened what of them is read afterwards: nobody opens them any more, and others need not wait for it. */
  readonly documents: readonly ReleasedDocument[];
}

/** Takes released documents from everybody: their files go to the trash, with the reason in the log. */
export async function recall(
  scope: WriteScope,
  proof: Proof<'batches.recall'>,
  batchId: number,
  { ids, reason }: { readonly ids?: readonly number[] | undefined; readonly reason: string },
  { now, config }: Now & { readonly config: Config },
): Promise<Recall> {
  const batch = await holdBatch(scope, batchId);
  const documents = await releasedOf(scope, batchId, { ids, now: true });
  // Recalled by halves, a document would stay with its client unnoticed.
  if (ids === undefined && documents.length < batch.released) throw refuse('forbidden');
  if (documents.length === 0) throw refuse('nothing_released');
  const tx = scope.unscoped(proof);
  const fileIds = documents.map(({ releasedFileId }) => releasedFileId);
  const still = await lockFiles({ db: tx, engine: scope.engine }, fileIds);
  const inReach = await findFiles(scope, fileIds);
  if (still.some((id) => !inReach.has(id))) throw refuse('forbidden');
  const at = now();
  // What they took the place of is the client's again.
  await putBackReplacedBy(scope, proof, inReach, at);
  await deleteLocked(scope, [...inReach.values()], at, config, ({ originalName }) =>
    recalledDetails(originalName, batch.name, reason),
  );
  await tx
    .updateTable('batch_documents')
    .set(({ eb }) => ({
      state: 'recalled',
      releasing_by_id: null,
      recall_reason: reason,
      recalled_by_name: scope.viewer.fullName,
      recalled_at: at,
      version: eb('version', '+', 1),
    }))
    .where(isListedId('batch_documents.id', listText(documents.map(({ id }) => id))))
    .execute();
  await settleBatch(tx, batchId);
  return { recalled: inReach.size, alreadyGone: documents.length - inReach.size, documents };
}

/** Who opened or downloaded released documents, newest first, as far as the viewer reads the log. */
export async function listAccesses(
  scope: ReadScope,
  batchId: number,
  documents?: readonly ReleasedDocument[],
): Promise<DocumentAccess[]> {
  const released = documents ?? (await releasedOf(scope, batchId, { now: false }));
  if (released.length === 0) return [];
  const documentOf = new Map(released.map(({ id, releasedFileId }) => [releasedFileId, id]));
  const rows = await scope
    .activity()
    .select([
      'activity.action as action',
      'activity.file_id as fileId',
      'activity.file_name as fileName',
      'activity.client_id as clientId',
      'activity.client_name as clientName',
      'activity.user_name as userName',
      'activity.served_at as servedAt',
      'activity.at as at',
    ])
    .where('activity.action', 'in', ['view', 'download'])
    .where(isListedId('activity.file_id', listText([...documentOf.keys()])))
    .orderBy('activity.at', 'desc')
    .orderBy('activity.id', 'desc')
    .execute();
  return rows.flatMap(({ action, fileId, fileName, servedAt, at, ...row }) => {
    const documentId = documentOf.get(fileId ?? 0);
    // An announcement alone sent nothing.
    if (documentId === undefined || servedAt === null || (action !== 'view' && action !== 'download')) return [];
    return [{ ...row, documentId, fileName: fileName ?? '', action, at: new Date(at).toISOString() }];
  });
}
