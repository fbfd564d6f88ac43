// The files of batches: added, opened, and kept without their password once it is given.
import { type Kysely, type SqlBool, sql } from 'kysely';
import { type AccessAction, batchAccessDetails, unlockedDetails } from '#contract/activity-words.ts';
import { BATCH_FILES_MAX, filePasswordFaults, isOpenDocument, isReviewed } from '#contract/batch-words.ts';
import type { BatchDetails, BatchFileRow, BatchRow, LeftOutFile } from '#contract/batches.ts';
import { refuse, refuseFields } from '#contract/errors.ts';
import type { Proof } from '#contract/policy.ts';
import { record } from '../audit/record.ts';
import type { ReadScope, WriteScope } from '../people/access/scope.ts';
import { enterBlob } from '../platform/blobs/blob-rows.ts';
import type { StoredBlob } from '../platform/blobs/blob-store.ts';
import { isListedKey, listText } from '../platform/db/id-list.ts';
import type { Schema } from '../platform/db/schema.ts';
import { isOwnBatch, isReachedDocument } from './batch-documents.repo.ts';
import { filesInReach, findBatch, holdBatch, type Ordering, orderReading } from './batches.repo.ts';
import { documentName } from './document-name.ts';
import { settleBatch, TO_CHECK } from './document-rows.ts';
import { enterLeftOut, forgetLeftOut, listLeftOut } from './left-out.repo.ts';
import { enterOriginal } from './original-rows.ts';

type Allowed = Proof<'batches.use'>;

const fileColumns = [
  'batch_files.id as id',
  'batch_files.name as name',
  'batch_files.size_bytes as size',
  'batch_files.content_type as contentType',
  'batch_files.sha256 as sha256',
  'batch_files.state as state',
  'batch_files.unreadable as unreadable',
  'batch_files.pages as pages',
] as const;

/** Of the batch's files: one of a colleague's batch, whose pages name whoever is on them, or one that holds a document out of reach. */
const isClosed = (scope: ReadScope) =>
  sql<SqlBool>`(not ${isOwnBatch(scope, 'batches')} or exists (select 1 from batch_documents held
    where held.batch_file_id = batch_files.id and not (${isReachedDocument(scope, 'held')})))`;

/** Whether the viewer is told of the file: of a colleague's batch, of those that hold a document in reach alone. */
const isToldFile = (scope: ReadScope) =>
  sql<SqlBool>`(${isOwnBatch(scope, 'batches')} or exists (select 1 from batch_documents told
    where told.batch_file_id = batch_files.id and ${isReachedDocument(scope, 'told')}))`;

const filesWithReach = (scope: ReadScope) =>
  filesInReach(scope)
    .where(isToldFile(scope))
    .select(fileColumns)
    .select([
      sql<number>`case when ${isClosed(scope)} then 1 else 0 end`.as('closed'),
      sql<number>`cast((select count(*) from batch_originals original where original.batch_file_id = batch_files.id) as bigint)`.as(
        'hasOriginal',
      ),
    ]);

const toFileRow = <Row extends { readonly closed: number; readonly hasOriginal: number }>(row: Row) => ({
  ...row,
  closed: row.closed === 1,
  hasOriginal: row.hasOriginal === 1,
});

export async function findDetails(scope: ReadScope, id: number): Promise<BatchDetails> {
  const batch = await findBatch(scope, id);
  const files = await filesWithReach(scope).where('batches.id', '=', id).orderBy('batch_files.id').execute();
  return { batch, files: files.map(toFileRow), leftOut: batch.shared ? [] : await listLeftOut(scope, id) };
}

/** A file of a batch in reach as it is stored; null as well where it is closed to the viewer. */
export async function findBatchFile(scope: ReadScope, fileId: number) {
  const row = await filesInReach(scope)
    .where('batch_files.id', '=', fileId)
    .where(sql<SqlBool>`not ${isClosed(scope)}`)
    .select([
      'batches.name as batchName',
      'batch_files.name as originalName',
      'batch_files.content_type as contentType',
      'batch_files.storage_key as storageKey',
      'batch_files.size_bytes as sizeBytes',
      'batch_files.sha256 as sha256',
    ])
    .executeTakeFirst();
  return row ?? null;
}

/** A file as it was dropped, where another is in its place since; null where none is, and where the file is closed to the viewer. */
export async function findOriginal(scope: ReadScope, fileId: number) {
  const row = await filesInReach(scope)
    .innerJoin('batch_originals as original', 'original.batch_file_id', 'batch_files.id')
    .where('batch_files.id', '=', fileId)
    .where(sql<SqlBool>`not ${isClosed(scope)}`)
    .select([
      'batches.name as batchName',
      'original.name as originalName',
      'original.content_type as contentType',
      'original.storage_key as storageKey',
      'original.size_bytes as sizeBytes',
      'original.sha256 as sha256',
    ])
    .executeTakeFirst();
  return row ?? null;
}

/** The file of a document in reach, as it is stored; null as well where the document is of another file. */
export async function findDocumentFile(scope: ReadScope, fileId: number, documentId: number) {
  const row = await filesInReach(scope)
    .innerJoin('batch_documents as document', 'document.batch_file_id', 'batch_files.id')
    .where('batch_files.id', '=', fileId)
    .where('document.id', '=', documentId)
    .where(isReachedDocument(scope, 'document'))
    .select([
      'batches.name as batchName',
      'batch_files.name as originalName',
      'batch_files.content_type as contentType',
      'batch_files.storage_key as storageKey',
      'batch_files.size_bytes as sizeBytes',
      'batch_files.sha256 as sha256',
      'batch_files.pages as filePages',
      'document.from_page as fromPage',
      'document.to_page as toPage',
    ])
    .executeTakeFirst();
  if (row === undefined) return null;
  const unnamed = { fileName: row.originalName, clientName: null, reportTypeName: null, period: null };
  return { ...row, documentName: documentName({ ...row, ...unnamed }) };
}

/** A file is looked at page by page, for as long as its documents are reviewed: that is one entry of the log. */
const ONE_LOOK_MS = 60 * 60_000;

export interface Opening {
  readonly fileId: number;
  /** Where only the pages of one document of it are opened. */
  readonly documentId?: number | undefined;
  /** The file as it was dropped, which may have another name. */
  readonly original: boolean;
  readonly action: AccessAction;
  /** Only a later part of the file is sent. */
  readonly continues: boolean;
}

/** Whether an opening belongs to an entry that is in the log already. A file that is saved again is saved anew. */
export async function isSameLook(
  scope: ReadScope,
  { fileId, action, continues }: Opening,
  at: number,
): Promise<boolean> {
  if (action === 'download' && !continues) return false;
  const last = await filesInReach(scope)
    .innerJoin('batch_file_opens as opening', 'opening.batch_file_id', 'batch_files.id')
    .where('batch_files.id', '=', fileId)
    .where('opening.user_id', '=', scope.viewer.id)
    .where('opening.action', '=', action)
    .where('opening.at', '>', at - ONE_LOOK_MS)
    .select('opening.at')
    .executeTakeFirst();
  return last !== undefined;
}

/** Records that a file of a batch is opened, before its first byte leaves. */
export async function recordOpening(scope: WriteScope, proof: Allowed, opening: Opening, at: number): Promise<void> {
  const { fileId, documentId, original, action } = opening;
  const whole = original ? findOriginal : findBatchFile;
  const file =
    documentId === undefined ? await whole(scope, fileId) : await findDocumentFile(scope, fileId, documentId);
  if (file === null) throw refuse('not_found');
  await scope.serialize(`accesses-of-${scope.viewer.id}`);
  if (await isSameLook(scope, opening, at)) return;
  await scope
    .unscoped(proof)
    .insertInto('batch_file_opens')
    .values({ batch_file_id: fileId, user_id: scope.viewer.id, action, at })
    .onConflict((conflict) => conflict.columns(['batch_file_id', 'user_id', 'action']).doUpdateSet({ at }))
    .execute();
  await record(scope, proof, { action, details: batchAccessDetails(action, file.originalName, file.batchName) }, at);
}

/** Refuses what may not be added now. The file with the same bytes where the batch has one already. */
export async function findRoomFor(scope: ReadScope, batch: BatchRow, sha256: string): Promise<BatchFileRow | null> {
  const there = await filesWithReach(scope)
    .where('batches.id', '=', batch.id)
    .where('batch_files.sha256', '=', sha256)
    .executeTakeFirst();
  if (there !== undefined) return toFileRow(there);
  assertRoom(batch, 1);
  return null;
}

/** Refuses further files where the batch takes none, or not so many. */
export function assertRoom({ state, files }: Pick<BatchRow, 'state' | 'files'>, more: number): void {
  if (state !== 'adding') throw refuse('batch_not_adding');
  if (files + more > BATCH_FILES_MAX) throw refuse('batch_files_max');
}

export interface PublishedFile extends StoredBlob {
  readonly name: string;
  readonly contentType: string;
}

export interface AddedFile {
  readonly file: BatchFileRow;
  /** The batch has the same bytes already: these are not kept. */
  readonly alreadyThere: boolean;
}

/**
 * Adds published bytes to a batch, all of them or none; of each, the file that has the same bytes where there is one: added before
 * by another request, or with these. `leftOut` is what was with them in a ZIP and does not come.
 */
export async function addFiles(
  scope: WriteScope,
  proof: Allowed,
  batchId: number,
  { files, leftOut }: { readonly files: readonly PublishedFile[]; readonly leftOut: readonly LeftOutFile[] },
  at: number,
): Promise<AddedFile[]> {
  const batch = await holdBatch(scope, batchId);
  const shas = listText(files.map(({ sha256 }) => sha256));
  const there = await filesWithReach(scope)
    .where('batches.id', '=', batchId)
    .where(isListedKey('batch_files.sha256', shas))
    .execute();
  const known = new Map<string, BatchFileRow>(there.map((row) => [row.sha256, toFileRow(row)]));
  const added: AddedFile[] = [];
  for (const file of files) {
    const same = known.get(file.sha256);
    if (same !== undefined) {
      added.push({ file: same, alreadyThere: true });
      continue;
    }
    assertRoom(batch, 1 + added.filter(({ alreadyThere }) => !alreadyThere).length);
    const row = { ...(await insertFile(scope.unscoped(proof), batchId, file, at)), closed: false, hasOriginal: false };
    known.set(file.sha256, row);
    added.push({ file: row, alreadyThere: false });
  }
  if (batch.leftOut > 0) {
    await forgetLeftOut(
      scope,
      proof,
      batchId,
      files.map(({ name }) => name),
    );
  }
  await enterLeftOut(scope, proof, batchId, leftOut);
  return added;
}

async function insertFile(tx: Kysely<Schema>, batchId: number, file: PublishedFile, at: number) {
  await enterBlob(tx, file, { purpose: 'batch', at });
  return await tx
    .insertInto('batch_files')
    .values({
      batch_id: batchId,
      name: file.name,
      content_type: file.contentType,
      size_bytes: file.sizeBytes,
      sha256: file.sha256,
      storage_key: file.storageKey,
      state: 'waiting',
      created_at: at,
    })
    .returning(fileColumns)
    .executeTakeFirstOrThrow();
}

/** A file of a batch in review that its password may open now. Refuses any other, and says why. */
export async function findLockedFile(scope: ReadScope, batchId: number, fileId: number) {
  const { state } = await findBatch(scope, batchId);
  const file = await findBatchFile(scope, fileId);
  const row = await filesInReach(scope)
    .where('batches.id', '=', batchId)
    .where('batch_files.id', '=', fileId)
    .select('batch_files.unreadable as unreadable')
    .executeTakeFirst();
  if (file === null || row === undefined) throw refuse('not_found');
  if (!isReviewed(state)) throw refuse('batch_not_in_review');
  if (row.unreadable !== 'password') throw refuse('gone_meanwhile');
  const documents = await filesInReach(scope)
    .innerJoin('batch_documents as document', 'document.batch_file_id', 'batch_files.id')
    .where('batch_files.id', '=', fileId)
    .select('document.state as state')
    .execute();
  if (documents.some((document) => !isOpenDocument(document.state))) throw refuse('document_not_open');
  return file;
}

/**
 * Keeps a copy of a locked file that needs no password in its place and the locked one beside it, and has the copy read.
 */
export async function replaceLocked(
  scope: WriteScope,
  proof: Allowed,
  { batchId, fileId }: { readonly batchId: number; readonly fileId: number },
  copy: StoredBlob,
  { now, ...ordering }: Ordering,
): Promise<BatchFileRow> {
  await scope.serialize(`batch-${batchId}`);
  const locked = await findLockedFile(scope, batchId, fileId);
  const same = await filesInReach(scope)
    .where('batches.id', '=', batchId)
    .where('batch_files.sha256', '=', copy.sha256)
    .select('batch_files.id')
    .executeTakeFirst();
  if (same !== undefined) throw refuseFields({ password: filePasswordFaults.sameFile });
  const tx = scope.unscoped(proof);
  await enterBlob(tx, copy, { purpose: 'batch', at: now() });
  const { storageKey: storage_key, sizeBytes: size_bytes, sha256 } = copy;
  await tx
    .updateTable('batch_files')
    .set({ storage_key, size_bytes, sha256, state: 'waiting', unreadable: null })
    .where('id', '=', fileId)
    .execute();
  // Decided about the locked file, it would go out, or stay away, unread.
  await tx
    .updateTable('batch_documents')
    .set(({ eb }) => ({ ...TO_CHECK, version: eb('version', '+', 1) }))
    .where('batch_file_id', '=', fileId)
    .where('state', 'in', ['accepted', 'dropped'])
    .execute();
  await settleBatch(tx, batchId);
  await enterOriginal(tx, fileId, { ...locked, name: locked.originalName });
  await orderReading(scope, proof, { batchId, fileId }, { now, ...ordering });
  const details = unlockedDetails(locked.originalName, locked.batchName);
  await record(scope, proof, { action: 'update', details }, now());
  const file = await filesWithReach(scope).where('batch_files.id', '=', fileId).executeTakeFirstOrThrow();
  return toFileRow(file);
}
