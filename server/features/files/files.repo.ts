// Reports and company documents in the database: one at a time.
import { refuse } from '#contract/errors.ts';
import { foldKey } from '#contract/fields.ts';
import type { FileRow, UploadFields } from '#contract/files.ts';
import type { Proof } from '#contract/policy.ts';
import type { ReadScope, WriteScope } from '../../access/scope.ts';
import { countFiles } from '../../audit/record.ts';
import { TICKET_FIRST_USE_MS } from '../../auth/secrets.ts';
import type { StoredBlob } from '../../blobs/blob-store.ts';
import { isListedId, listText } from '../../db/id-list.ts';
import { param } from '../../db/statement.ts';
import { isBrokenReference, isDuplicate } from '../../db/violations.ts';
import { type FileRecord, toFileRow, withNames } from '../../files/file-row.ts';

/** What serving a file needs to know of it. */
export interface StoredFile {
  readonly id: number;
  readonly originalName: string;
  readonly storageKey: string;
  readonly sizeBytes: number;
  readonly sha256: string;
  readonly contentType: string;
  readonly clientId: number;
  readonly clientName: string;
}

/** The file, or null when it is missing or out of reach: access is decided by the query that finds it. */
export async function findStoredFile(scope: ReadScope, id: number): Promise<StoredFile | null> {
  const [row] = await scope.prepared<StoredFile>(
    'files.stored',
    (sources) =>
      sources
        .files()
        .innerJoin('clients', 'clients.id', 'files.client_id')
        .select([
          'files.id as id',
          'files.original_name as originalName',
          'files.storage_key as storageKey',
          'files.size_bytes as sizeBytes',
          'files.sha256 as sha256',
          'files.content_type as contentType',
          'clients.id as clientId',
          'clients.name as clientName',
        ])
        .where('files.id', '=', param<number>('id')),
    { id },
  );
  return row ?? null;
}

export async function findFile(scope: ReadScope, id: number): Promise<FileRow | null> {
  const [row] = await scope.prepared<FileRecord>(
    'files.get',
    (sources) => withNames(sources.files()).where('files.id', '=', param<number>('id')),
    { id },
  );
  return row ? toFileRow(row) : null;
}

export interface ServedFile {
  readonly row: FileRow;
  readonly blob: StoredBlob;
}

/** Those of `ids` that are in reach, in the order of `ids`; what is missing or out of reach is left out. */
export async function findFilesToServe(scope: ReadScope, ids: readonly number[]): Promise<ServedFile[]> {
  const records = await scope.prepared<FileRecord & { storageKey: string }>(
    'files.to-serve',
    (sources) =>
      withNames(sources.files())
        .select('files.storage_key as storageKey')
        .where(isListedId('files.id', param('ids'))),
    { ids: listText(ids) },
  );
  const found = new Map(
    records.map(({ storageKey, ...record }) => {
      const row = toFileRow(record);
      return [row.id, { row, blob: { storageKey, sizeBytes: row.size, sha256: row.sha256 } }];
    }),
  );
  return ids.flatMap((id) => found.get(id) ?? []);
}

/** The client and report type an upload names, as far as the viewer reaches them. */
export async function findUploadTarget(
  scope: ReadScope,
  fields: Pick<UploadFields, 'clientId' | 'reportTypeId'>,
): Promise<{ client: { id: number; name: string } | null; reportTypeReached: boolean | null }> {
  const client = await scope
    .clients()
    .select(['clients.id as id', 'clients.name as name'])
    .where('clients.id', '=', fields.clientId)
    .executeTakeFirst();
  if (fields.reportTypeId === undefined) return { client: client ?? null, reportTypeReached: null };
  const reportType = await scope
    .reachedReportTypes()
    .select('report_types.id')
    .where('report_types.id', '=', fields.reportTypeId)
    .executeTakeFirst();
  return { client: client ?? null, reportTypeReached: reportType !== undefined };
}

/** The earlier upload of this viewer under the same Idempotency-Key, if there is one. */
export async function findEarlierUpload(scope: ReadScope, idempotencyKey: string): Promise<FileRow | null> {
  const row = await withNames(scope.files())
    .where('files.uploaded_by_id', '=', scope.viewer.id)
    .where('files.idempotency_key', '=', idempotencyKey)
    .executeTakeFirst();
  return row ? toFileRow(row) : null;
}

export interface NewFile extends UploadFields {
  readonly originalName: string;
  readonly storageKey: string;
  readonly sizeBytes: number;
  readonly sha256: string;
  readonly contentType: string;
  readonly uploadedAt: number;
  readonly idempotencyKey: string | undefined;
}

/** Thrown when the Idempotency-Key of an upload was used by another one that was faster. */
export class UploadedBefore extends Error {
  override readonly name = 'UploadedBefore';
}

/** Adds the row of bytes already published. Throws UploadedBefore, and `gone_meanwhile` when client or type vanished. */
export async function insertFile(scope: WriteScope, proof: Proof<'files.upload'>, file: NewFile): Promise<FileRow> {
  const tx = scope.unscoped(proof);
  const { viewer } = scope;
  try {
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
        uploaded_by_id: viewer.id,
        uploader_name: viewer.fullName,
        uploaded_at: file.uploadedAt,
        idempotency_key: file.idempotencyKey ?? null,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await countFiles(
      tx,
      { clientId: file.clientId, reportTypeId: file.reportTypeId ?? null, fileType: file.fileType },
      1,
    );
    const row = await withNames(tx.selectFrom('files')).where('files.id', '=', id).executeTakeFirstOrThrow();
    return toFileRow(row);
  } catch (error) {
    if (isDuplicate(error, 'idempotency')) throw new UploadedBefore();
    if (isBrokenReference(error)) throw refuse('gone_meanwhile');
    throw error;
  }
}

/** Deletes the row and answers the storage key whose bytes go afterwards; null when another was faster. */
export async function removeFile(
  scope: WriteScope,
  proof: Proof<'files.delete'>,
  file: FileRow,
): Promise<string | null> {
  const tx = scope.unscoped(proof);
  const row = await tx
    .deleteFrom('files')
    .where('id', '=', file.id)
    .returning('storage_key as storageKey')
    .executeTakeFirst();
  if (row === undefined) return null;
  await countFiles(tx, file, -1);
  return row.storageKey;
}

/** Lays down a view ticket for a file the viewer reaches; nothing but its fingerprint is kept. */
export async function insertViewTicket(
  scope: WriteScope,
  proof: Proof<'files.read'>,
  ticket: { ticketHash: string; fileId: number; at: number },
): Promise<void> {
  const tx = scope.unscoped(proof);
  // Over or used up: what one session asks for again and again does not fill the table.
  await tx
    .deleteFrom('view_tickets')
    .where('session_id', '=', scope.viewer.sessionId)
    .where('created_at', '<=', ticket.at - TICKET_FIRST_USE_MS)
    .execute();
  await tx
    .insertInto('view_tickets')
    .values({
      ticket_hash: ticket.ticketHash,
      session_id: scope.viewer.sessionId,
      file_id: ticket.fileId,
      created_at: ticket.at,
      opened_at: null,
    })
    .execute();
}
