// Which pages make a document: one is split in two, or joined with the one before it.

import type { DocumentJoin, DocumentRow, DocumentSplit } from '#contract/batches.ts';
import { refuse, refuseFields } from '#contract/errors.ts';
import type { WriteScope } from '../people/access/scope.ts';
import { proposalAfterSplit, settleBatch, TAKEN_BACK } from './document-rows.ts';
import { type Allowed, findDocuments, holdDocuments, NOT_ACCEPTED, reviewedBy } from './documents.repo.ts';

const NOT_WITHIN = 'The page must be within the document, after its first page';

/** What a document of other pages is: to be checked, and as yet neither in place of a file nor a correction of one. */
const otherPagesBy = (scope: WriteScope) => ({
  state: 'toCheck' as const,
  replaces_file_id: null,
  corrects_file_id: null,
  fault: null,
  ...reviewedBy(scope),
  ...NOT_ACCEPTED,
});

/** Makes two documents of one: the second keeps what was proposed, and both are to be checked. */
export async function split(
  scope: WriteScope,
  proof: Allowed,
  batchId: number,
  { documentId, page, version }: DocumentSplit,
): Promise<DocumentRow[]> {
  const [document] = await holdDocuments(scope, batchId, [documentId], new Map([[documentId, version]]));
  if (document === undefined) throw refuse('not_found');
  if (page <= document.fromPage || page > document.toPage) throw refuseFields({ page: NOT_WITHIN });
  const tx = scope.unscoped(proof);
  const whole = await tx
    .selectFrom('batch_documents')
    .selectAll()
    .where('id', '=', documentId)
    .executeTakeFirstOrThrow();
  const reviewed = otherPagesBy(scope);
  await tx
    .updateTable('batch_documents')
    .set({ ...reviewed, to_page: page - 1, version: whole.version + 1 })
    .where('id', '=', documentId)
    .execute();
  const { id: _id, ...copied } = whole;
  const { id } = await tx
    .insertInto('batch_documents')
    .values({
      ...copied,
      ...reviewed,
      proposal: proposalAfterSplit(copied.proposal),
      from_page: page,
      // What it was released as before stays with the first: a file is what one document became.
      released_file_id: null,
      version: 1,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await settleBatch(tx, batchId);
  return findDocuments(scope, batchId, [documentId, id]);
}

/** Joins a document with the one before it in the same file, which keeps its proposal and is to be checked. */
export async function join(
  scope: WriteScope,
  proof: Allowed,
  batchId: number,
  { documentId, version, before: looked }: DocumentJoin,
): Promise<DocumentRow[]> {
  const [second] = await holdDocuments(scope, batchId, [documentId], new Map([[documentId, version]]));
  if (second === undefined) throw refuse('not_found');
  const before = await findBefore(scope, proof, second);
  if (before === null) throw refuseFields({ documentId: NOTHING_BEFORE });
  await holdDocuments(scope, batchId, [before], new Map([[before, looked?.version]]));
  if (looked !== undefined && looked.id !== before) throw refuse('gone_meanwhile');
  const tx = scope.unscoped(proof);
  const first = await tx
    .selectFrom('batch_documents')
    .select(TAKEN_BACK)
    .where('id', '=', before)
    .executeTakeFirstOrThrow();
  const gone = await tx
    .deleteFrom('batch_documents')
    .where('id', '=', documentId)
    .returning(TAKEN_BACK)
    .executeTakeFirstOrThrow();
  await tx
    .updateTable('batch_documents')
    .set(({ eb }) => ({
      // That one of them was recalled is not forgotten with the other.
      ...(first.recalled_at === null ? gone : first),
      released_file_id: first.released_file_id ?? gone.released_file_id,
      to_page: second.toPage,
      ...otherPagesBy(scope),
      version: eb('version', '+', 1),
    }))
    .where('id', '=', before)
    .execute();
  await settleBatch(tx, batchId);
  return findDocuments(scope, batchId, [before]);
}

/** The document that ends in the same file before this one begins. */
async function findBefore(
  scope: WriteScope,
  proof: Allowed,
  { id, fileId, fromPage }: Pick<DocumentRow, 'id' | 'fileId' | 'fromPage'>,
): Promise<number | null> {
  const row = await scope
    .unscoped(proof)
    .selectFrom('batch_documents')
    .select('id')
    .where('batch_file_id', '=', fileId)
    .where(({ eb, or, and }) =>
      or([eb('from_page', '<', fromPage), and([eb('from_page', '=', fromPage), eb('id', '<', id)])]),
    )
    .orderBy('from_page', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.id ?? null;
}

const NOTHING_BEFORE = 'There is no document before it in this file';
