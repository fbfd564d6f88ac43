// Turns bytes into a file: judged, made durable, and inserted in one transaction with its log entry.
import { refuse } from '#contract/errors.ts';
import { foldKey } from '#contract/fields.ts';
import type { FileRow, UploadFields } from '#contract/files.ts';
import type { Proof } from '#contract/policy.ts';
import type { Principal } from '../access/principal.ts';
import { accessKeyOf } from '../access/reach.ts';
import type { ReadScope, WriteScope } from '../access/scope.ts';
import { record } from '../audit/record.ts';
import { enterBlob } from '../blobs/blob-rows.ts';
import type { StagedBlob } from '../blobs/blob-store.ts';
import { decideContentType } from '../blobs/content-type.ts';
import { isBrokenReference, isDatabaseAway, isDuplicate } from '../db/violations.ts';
import type { Services } from '../services.ts';
import { toFileRow, withNames } from './file-row.ts';
import { findPlace } from './place.ts';

/** An upload that is staged and durable, and what its sender says of it. */
export interface Upload {
  readonly staged: StagedBlob;
  readonly originalName: string;
  readonly fields: UploadFields;
  /** The sender's key, by which the same upload sent twice becomes one file. */
  readonly idempotencyKey: string | undefined;
}

/** Judges an upload by the place it is filed under. */
async function authorizeUpload(
  scope: ReadScope,
  fields: UploadFields,
): Promise<{ proof: Proof<'files.upload'>; client: { id: number; name: string } }> {
  const { client, reached } = await findPlace(scope, fields);
  const proof = scope.authorize('files.upload', reached);
  // Without the client the policy has refused; this is for the compiler.
  if (client === null) throw refuse('forbidden');
  return { proof, client };
}

/** Whether an earlier upload under the same key is this very one. */
function isSameUpload(earlier: FileRow, fields: UploadFields, sha256: string): boolean {
  return (
    earlier.sha256 === sha256 &&
    earlier.clientId === fields.clientId &&
    earlier.fileType === fields.fileType &&
    earlier.reportTypeId === (fields.reportTypeId ?? null) &&
    earlier.documentType === (fields.documentType ?? null)
  );
}

/**
 * Makes a file of what is staged: judged before it is published, and once more in the transaction that enters it. Whatever
 * fails leaves neither bytes nor row. The same upload under the same key answers the file that it became before.
 */
export async function ingest(
  principal: Principal,
  { staged, originalName, fields, idempotencyKey }: Upload,
  { blobs, now }: Pick<Services, 'blobs' | 'now'>,
): Promise<FileRow> {
  try {
    const read = await principal.read();
    await authorizeUpload(read, fields);
    const earlier = idempotencyKey === undefined ? null : await findEarlierUpload(read, idempotencyKey);
    if (earlier !== null) {
      if (!isSameUpload(earlier, fields, staged.sha256)) throw refuse('idempotency_mismatch');
      await staged.discard();
      return earlier;
    }
  } catch (error) {
    await staged.discard();
    throw error;
  }

  const contentType = await decideContentType(staged.head, staged.sizeBytes, originalName);
  const storageKey = await staged.publish();
  const { sizeBytes, sha256 } = staged;
  try {
    return await principal.change('files.upload', async (scope) => {
      // Judged again inside the transaction: lists may have changed while the bytes came in.
      const { proof, client } = await authorizeUpload(scope, fields);
      const at = now();
      const file = await insertFile(scope, proof, {
        ...fields,
        originalName,
        storageKey,
        sizeBytes,
        sha256,
        contentType,
        uploadedAt: at,
        idempotencyKey,
      });
      const entry = { id: file.id, name: file.originalName };
      await record(
        scope,
        proof,
        { action: 'upload', details: `Uploaded file: ${entry.name}`, file: entry, client },
        at,
      );
      return file;
    });
  } catch (error) {
    // If the database failed during the commit the row may exist: the bytes stay, and the sweep decides.
    if (!isDatabaseAway(error)) await blobs.remove(storageKey);
    if (!(error instanceof UploadedBefore) || idempotencyKey === undefined) throw error;
    return earlierUpload(await principal.read(), idempotencyKey, fields, staged);
  }
}

/** The upload that was faster under the same key. */
async function earlierUpload(
  read: ReadScope,
  idempotencyKey: string,
  fields: UploadFields,
  staged: StagedBlob,
): Promise<FileRow> {
  const earlier = await findEarlierUpload(read, idempotencyKey);
  if (earlier === null || !isSameUpload(earlier, fields, staged.sha256)) throw refuse('idempotency_mismatch');
  return earlier;
}

/** The earlier upload of this viewer under the same Idempotency-Key, if there is one. */
async function findEarlierUpload(scope: ReadScope, idempotencyKey: string): Promise<FileRow | null> {
  const row = await withNames(scope.files())
    .where('files.uploaded_by_id', '=', scope.viewer.id)
    .where('files.idempotency_key', '=', idempotencyKey)
    .executeTakeFirst();
  return row ? toFileRow(row) : null;
}

interface NewFile extends UploadFields {
  readonly originalName: string;
  readonly storageKey: string;
  readonly sizeBytes: number;
  readonly sha256: string;
  readonly contentType: string;
  readonly uploadedAt: number;
  readonly idempotencyKey: string | undefined;
}

/** Thrown when the Idempotency-Key of an upload was used by another one that was faster. */
class UploadedBefore extends Error {
  override readonly name = 'UploadedBefore';
}

/** Adds the row of bytes already published. Throws UploadedBefore, and `gone_meanwhile` when client or type vanished. */
async function insertFile(scope: WriteScope, proof: Proof<'files.upload'>, file: NewFile): Promise<FileRow> {
  const tx = scope.unscoped(proof);
  const { viewer } = scope;
  try {
    await enterBlob(tx, file, { purpose: 'file', at: file.uploadedAt });
    const { id } = await tx
      .insertInto('files')
      .values({
        original_name: file.originalName,
        name_key: foldKey(file.originalName),
        storage_key: file.storageKey,
        size_bytes: file.sizeBytes,
        sha256: file.sha256,
        content_type: file.contentType,
        file_type: file.fileType,
        document_type: file.documentType ?? null,
        client_id: file.clientId,
        report_type_id: file.reportTypeId ?? null,
        access_key: accessKeyOf(file),
        uploaded_by_id: viewer.id,
        uploader_name: viewer.fullName,
        uploaded_at: file.uploadedAt,
        idempotency_key: file.idempotencyKey ?? null,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    const row = await withNames(tx.selectFrom('files')).where('files.id', '=', id).executeTakeFirstOrThrow();
    return toFileRow(row);
  } catch (error) {
    if (isDuplicate(error, 'idempotency')) throw new UploadedBefore();
    if (isBrokenReference(error)) throw refuse('gone_meanwhile');
    throw error;
  }
}
