// Turns bytes into a file: judged, made durable, and inserted in one transaction with its log entry.
import { type Kysely, type SqlBool, sql } from 'kysely';
import { uploadedDetails } from '#contract/activity-words.ts';
import { refuse } from '#contract/errors.ts';
import type { DocumentType, FileType } from '#contract/file-kinds.ts';
import type { FileRow, UploadFields } from '#contract/files.ts';
import { isClientUser } from '#contract/policy/actor.ts';
import { takesBack } from '#contract/policy/files.ts';
import type { Proof } from '#contract/policy.ts';
import { record } from '../audit/record.ts';
import type { Principal } from '../people/access/principal.ts';
import { accessKeyOf } from '../people/access/reach.ts';
import type { ReadScope, WriteScope } from '../people/access/scope.ts';
import type { Viewer } from '../people/access/viewer.ts';
import { enterBlob, withNewBlob } from '../platform/blobs/blob-rows.ts';
import type { BlobStore, StagedBlob, StoredBlob } from '../platform/blobs/blob-store.ts';
import { decideContentType } from '../platform/blobs/content-type.ts';
import type { Schema } from '../platform/db/schema.ts';
import { param, transactionStatement } from '../platform/db/statement.ts';
import { isBrokenReference, isDatabaseAway, isDuplicate } from '../platform/db/violations.ts';
import { findCorrected, holdCorrected } from './corrections.ts';
import { fileNameColumns, periodColumns, versionOfFile } from './file-columns.ts';
import { filesWithNames, toFileRow } from './file-row.ts';
import { findFile } from './find.ts';
import { type FoundClient, findPlace } from './place.ts';
import { findReplaced, findReplacedUpload, replaceWithin } from './versions.ts';

/** An upload that is staged and durable, and what its sender says of it. */
export interface Upload {
  readonly staged: StagedBlob;
  readonly originalName: string;
  readonly fields: UploadFields;
  /** The sender's key, by which the same upload sent twice becomes one file. */
  readonly idempotencyKey: string | undefined;
  /** The batch that it is released from. */
  readonly batchName?: string;
  /** Claims in the transaction of the file what it is sent for, and takes the file back by throwing. */
  readonly claim?: (scope: WriteScope, file: FileRow) => Promise<void>;
  /** What else belongs in the transaction of the file, for the person who sends it. */
  readonly within?: (
    tx: Kysely<Schema>,
    file: { readonly id: number; readonly contentType: string; readonly sizeBytes: number },
    sender: Viewer,
  ) => Promise<void>;
  /** Looks into the bytes before anybody else can, for the person who sends them, and refuses what is not to be stored. */
  readonly inspect?: (
    read: ReadScope,
    file: { readonly blob: StoredBlob; readonly contentType: string },
  ) => Promise<void>;
}

export interface IngestStores {
  readonly blobs: BlobStore;
  /** The time in ms since the epoch. */
  readonly now: () => number;
}

interface AllowedPlace {
  readonly proof: Proof<'files.upload'>;
  readonly client: FoundClient;
  readonly reportTypeName: string | null;
}

/** Judges an upload by the place it is filed under. */
async function authorizeUpload(scope: ReadScope, fields: UploadFields): Promise<AllowedPlace> {
  const { client, reportTypeName, reached } = await findPlace(scope, fields);
  const proof = scope.authorize('files.upload', reached);
  // Without the client the policy has refused; this is for the compiler.
  if (client === null) throw refuse('forbidden');
  return { proof, client, reportTypeName };
}

/** As much of an upload as has to be the same where it is sent again. */
type Sent = Pick<FileRow, 'sha256' | 'clientId' | 'fileType' | 'reportTypeId' | 'documentType' | 'period'> & {
  readonly corrects: { readonly id: number } | null;
};

/** Whether an earlier upload under the same key is this very one: what it was to replace is no longer there. */
async function isSameUpload(scope: ReadScope, earlier: Sent, fields: UploadFields, sha256: string): Promise<boolean> {
  return (
    (fields.replaces === undefined || (await findFile(scope, fields.replaces)) === null) &&
    (await isSameCorrection(scope, earlier, fields)) &&
    earlier.sha256 === sha256 &&
    earlier.clientId === fields.clientId &&
    earlier.fileType === fields.fileType &&
    earlier.reportTypeId === (fields.reportTypeId ?? null) &&
    earlier.documentType === (fields.documentType ?? null) &&
    earlier.period === (fields.period ?? null)
  );
}

/** What it corrects may be gone since. */
async function isSameCorrection(scope: ReadScope, earlier: Sent, { corrects }: UploadFields): Promise<boolean> {
  const said = earlier.corrects?.id;
  return (
    said === corrects || (said === undefined && corrects !== undefined && (await findFile(scope, corrects)) === null)
  );
}

/**
 * Makes a file of what its caller has staged and owns: judged before it is published, and once more in the transaction that enters it. Whatever
 * fails leaves neither bytes nor row, and the file that was to be replaced as it was. The same upload under the same key answers
 * the file that it became before, or the one that has taken its place since.
 */
export async function ingest(
  principal: Principal,
  { staged, originalName, fields, idempotencyKey, batchName, claim, within, inspect }: Upload,
  { blobs, now }: IngestStores,
): Promise<FileRow> {
  const read = await principal.read();
  await authorizeUpload(read, fields);
  const earlier = idempotencyKey === undefined ? null : await findEarlierUpload(read, idempotencyKey, fields, staged);
  if (earlier !== null) return earlier;
  if (fields.replaces !== undefined) await findReplaced(read, fields.replaces, fields);
  if (fields.corrects !== undefined) await findCorrected(read, fields.corrects, fields.clientId);

  const contentType = await decideContentType(staged.head, staged.sizeBytes, originalName);
  const storageKey = await staged.publish();
  const { sizeBytes, sha256 } = staged;
  try {
    await inspect?.(read, { blob: { storageKey, sizeBytes, sha256 }, contentType });
    return await principal.change('files.upload', async (scope) => {
      // Judged again inside the transaction: lists may have changed while the bytes came in.
      const place = await authorizeUpload(scope, fields);
      const { proof, client } = place;
      const at = now();
      const corrected =
        fields.corrects === undefined ? null : await holdCorrected(scope, proof, fields.corrects, client.id);
      const replaced = fields.replaces === undefined ? null : await findReplaced(scope, fields.replaces, fields);
      const file = await insertFile(scope, place, {
        ...fields,
        corrected,
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
        {
          action: 'upload',
          details: uploadedDetails(entry.name, {
            corrects: corrected?.originalName,
            replaces: replaced?.originalName,
            batchName,
            keepBecause: fields.keepBecause,
          }),
          file: entry,
          client,
        },
        at,
      );
      await within?.(scope.unscoped(proof), { id: file.id, contentType, sizeBytes }, scope.viewer);
      await claim?.(scope, file);
      if (replaced !== null) {
        // Refused, the new file goes too.
        await replaceWithin(scope, proof, { earlier: replaced, newer: file, because: fields.replacedBecause }, at);
      }
      return file;
    });
  } catch (error) {
    // If the database failed during the commit the row may exist: the bytes stay, and the sweep decides.
    if (!isDatabaseAway(error)) await blobs.remove(storageKey);
    if (!(error instanceof UploadedBefore) || idempotencyKey === undefined) throw error;
    // The upload that was faster under the same key.
    const faster = await findEarlierUpload(await principal.read(), idempotencyKey, fields, staged);
    if (faster === null) throw refuse('idempotency_mismatch');
    return faster;
  }
}

/** What an earlier upload of this viewer under the same key is by now; null where there is none. Refuses `idempotency_mismatch`. */
async function findEarlierUpload(
  scope: ReadScope,
  idempotencyKey: string,
  fields: UploadFields,
  { sha256 }: StagedBlob,
): Promise<FileRow | null> {
  const row = await filesWithNames(scope)
    .where('files.uploaded_by_id', '=', scope.viewer.id)
    .where('files.idempotency_key', '=', idempotencyKey)
    .executeTakeFirst();
  const replaced =
    row === undefined
      ? await findReplacedUpload(scope, idempotencyKey, sql<SqlBool>`version.client_id = ${fields.clientId}`)
      : null;
  const file = row ? toFileRow(row) : replaced && (await findFile(scope, replaced.newestId));
  if (file === null) return null;
  if (!(await isSameUpload(scope, { ...file, ...replaced }, fields, sha256))) throw refuse('idempotency_mismatch');
  return file;
}

interface NewFile extends UploadFields {
  readonly originalName: string;
  readonly storageKey: string;
  readonly sizeBytes: number;
  readonly sha256: string;
  readonly contentType: string;
  readonly uploadedAt: number;
  readonly idempotencyKey: string | undefined;
  readonly corrected: Pick<FileRow, 'id' | 'originalName'> | null;
}

/** Thrown when the Idempotency-Key of an upload was used by another one that was faster. */
class UploadedBefore extends Error {
  override readonly name = 'UploadedBefore';
}

/** On PostgreSQL with the row of the bytes, which saves a round trip; SQLite changes one table in a statement. */
const insertRow = transactionStatement<{ id: number }>((db, engine) => {
  const file = db
    .insertInto('files')
    .values({
      original_name: param<string>('original_name'),
      name_key: param<string>('name_key'),
      search_name: param<string>('search_name'),
      period: param<string | null>('period'),
      period_key: param<string>('period_key'),
      storage_key: param<string>('storageKey'),
      size_bytes: param<number>('sizeBytes'),
      sha256: param<string>('sha256'),
      content_type: param<string>('contentType'),
      file_type: param<FileType>('fileType'),
      document_type: param<DocumentType | null>('documentType'),
      client_id: param<number>('clientId'),
      report_type_id: param<number | null>('reportTypeId'),
      access_key: param<number>('accessKey'),
      uploaded_by_id: param<number>('uploadedById'),
      uploader_name: param<string>('uploaderName'),
      uploaded_at: param<number>('uploadedAt'),
      idempotency_key: param<string | null>('idempotencyKey'),
      corrects_id: param<number | null>('correctsId'),
      sent_by_client: param<0 | 1>('sentByClient'),
    })
    .returning('id');
  return engine === 'postgres' ? withNewBlob(db, file) : file;
});

/**
 * Adds the row of bytes already published. Throws UploadedBefore, and `gone_meanwhile` when client or type vanished. From here on
 * others who send files of the same client and type wait for the commit, so that nothing is read that is known already.
 */
async function insertFile(
  scope: WriteScope,
  { proof, client, reportTypeName }: AllowedPlace,
  file: NewFile,
): Promise<FileRow> {
  const tx = scope.unscoped(proof);
  const { viewer } = scope;
  const [documentType, reportTypeId] = [file.documentType ?? null, file.reportTypeId ?? null];
  const period = file.period ?? null;
  const accessKey = accessKeyOf(file);
  const uploadedAt = new Date(file.uploadedAt).toISOString();
  const entered = { purpose: 'file', at: file.uploadedAt } as const;
  try {
    if (scope.engine === 'sqlite') await enterBlob(tx, file, entered);
    const [inserted] = await insertRow(tx, {
      ...file,
      ...entered,
      documentType,
      reportTypeId,
      ...fileNameColumns(file.originalName),
      ...periodColumns(period, file.uploadedAt),
      accessKey,
      uploadedById: viewer.id,
      uploaderName: viewer.fullName,
      idempotencyKey: file.idempotencyKey ?? null,
      correctsId: file.corrected?.id ?? null,
      sentByClient: isClientUser(viewer) ? 1 : 0,
    });
    if (inserted === undefined) throw new Error('A row was inserted without an id');
    return {
      id: inserted.id,
      originalName: file.originalName,
      size: file.sizeBytes,
      contentType: file.contentType,
      sha256: file.sha256,
      uploadedAt,
      createdAt: uploadedAt,
      uploadedById: viewer.id,
      uploaderName: viewer.fullName,
      clientId: client.id,
      clientName: client.name,
      reportTypeId,
      reportTypeName,
      fileType: file.fileType,
      documentType,
      period,
      isNew: false,
      openedByOthers: takesBack(viewer) && file.fileType === 'report' ? false : null,
      corrects: file.corrected && { id: file.corrected.id, originalName: file.corrected.originalName },
      correctedBy: null,
      onHold: client.onHold,
      version: versionOfFile({ clientId: client.id, accessKey, documentType, period }),
    };
  } catch (error) {
    if (isDuplicate(error, 'idempotency')) throw new UploadedBefore();
    if (isBrokenReference(error)) throw refuse('gone_meanwhile');
    throw error;
  }
}
