// The acts that touch both stores: bytes become a file, a file is opened, a file goes.
import type { FastifyRequest } from 'fastify';
import type { AccessAction } from '#contract/activity.ts';
import { refuse } from '#contract/errors.ts';
import { type FileRow, UploadFields } from '#contract/files.ts';
import type { Proof } from '#contract/policy.ts';
import type { ReadScope, WriteScope } from '../../access/scope.ts';
import { record } from '../../audit/record.ts';
import type { StagedBlob } from '../../blobs/blob-store.ts';
import { decideContentType } from '../../blobs/content-type.ts';
import { isDatabaseAway } from '../../db/violations.ts';
import { readFields } from '../../http/read-input.ts';
import { receiveUpload } from '../../http/receive-upload.ts';
import type { ViewerCall } from '../../http/route.ts';
import { sendBytes } from '../../http/send-bytes.ts';
import type { Services } from '../../services.ts';
import {
  findEarlierUpload,
  findFile,
  findStoredFile,
  findUploadTarget,
  insertFile,
  removeFile,
  UploadedBefore,
} from './files.repo.ts';

const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,200}$/;

function idempotencyKeyOf(request: FastifyRequest): string | undefined {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key !== 'string' || !IDEMPOTENCY_KEY.test(key)) throw refuse('invalid');
  return key;
}

/** Judges an upload by what it names; the refusal for a client out of reach is that for one which is not there. */
async function authorizeUpload(
  scope: ReadScope,
  fields: UploadFields,
): Promise<{ proof: Proof<'files.upload'>; client: { id: number; name: string } }> {
  const { client, reportTypeReached } = await findUploadTarget(scope, fields);
  if (scope.viewer.reach === 'all' && (client === null || reportTypeReached === false)) throw refuse('not_found');
  const proof = scope.authorize('files.upload', {
    fileType: fields.fileType,
    clientReached: client !== null,
    reportTypeReached,
  });
  // Without the client the policy has refused; this tells the compiler.
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
 * Stores one upload: staged while it streams in, judged, made durable, and only then entered together with its
 * activity entry. Whatever fails leaves neither bytes nor row.
 */
export async function storeUpload(
  { request, reply, readNow, change }: ViewerCall<'files.upload'>,
  { blobs, config, now }: Services,
): Promise<FileRow> {
  const idempotencyKey = idempotencyKeyOf(request);
  const received = await receiveUpload(request, reply, { blobs, maxBytes: config.maxUploadBytes });
  const { staged, originalName } = received;
  let fields: UploadFields;
  try {
    fields = readFields(UploadFields, received.fields);
    const read = await readNow();
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
    return await change(async (scope) => {
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
    // Where the database went away during the commit the row may be there: the bytes stay, and the sweep decides.
    if (!isDatabaseAway(error)) await blobs.remove(storageKey);
    if (!(error instanceof UploadedBefore) || idempotencyKey === undefined) throw error;
    return earlierUpload(await readNow(), idempotencyKey, fields, staged);
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

/** Sends a file in reach and records the access before the first byte leaves; without the entry nothing is served. */
export async function serveFile(
  call: Pick<ViewerCall<'files.open'>, 'read' | 'request' | 'reply' | 'onlyWhile'> & { readonly id: number },
  action: AccessAction,
  { blobs, accessLog }: Services,
): Promise<void> {
  const { read, request, reply, id } = call;
  const file = await findStoredFile(read, id);
  if (file === null) throw refuse('not_found');
  call.onlyWhile(async (now) => (await findStoredFile(now, id)) !== null);
  await sendBytes(request, reply, {
    blobs,
    file,
    disposition: action === 'view' ? 'inline' : 'attachment',
    beforeFirstByte: ({ continues }) =>
      accessLog.record({
        action,
        actor: { id: read.viewer.id, name: read.viewer.fullName },
        file: { id: file.id, name: file.originalName },
        client: { id: file.clientId, name: file.clientName },
        continues,
      }),
  });
}

/** Deletes a file: the row with its entry first, the bytes after. */
export async function deleteFile(
  { request, change }: ViewerCall<'files.delete'>,
  id: number,
  { blobs, now }: Services,
): Promise<void> {
  const storageKey = await change(async (scope: WriteScope) => {
    const file = await findFile(scope, id);
    if (file === null) throw refuse('not_found');
    const proof = scope.authorize('files.delete', file);
    const key = await removeFile(scope, proof, file);
    if (key === null) throw refuse('not_found');
    await record(
      scope,
      proof,
      {
        action: 'delete',
        details: `Deleted file: ${file.originalName}`,
        file: { id: file.id, name: file.originalName },
        client: { id: file.clientId, name: file.clientName },
      },
      now(),
    );
    return key;
  });
  // Nobody can open the bytes any more; if they cannot be removed now, the sweep removes them.
  await blobs.remove(storageKey).catch((error) => request.log.warn({ err: error }, 'blob left for the sweep'));
}
