// Files over HTTP where it is more than reading and answering: forms come in, bytes are sent out.

import type { FastifyRequest } from 'fastify';
import type { AccessAction } from '#contract/activity-words.ts';
import { refuse } from '#contract/errors.ts';
import { type FileRow, UploadFields } from '#contract/files.ts';
import { idempotencyKeyOf } from '../api/idempotency-key.ts';
import { readFields } from '../api/read-input.ts';
import { receiveUpload } from '../api/receive-upload.ts';
import type { ViewerCall } from '../api/route.ts';
import type { AccessLog } from '../audit/access-log.ts';
import { accessBy } from '../audit/access-log.ts';
import type { Config } from '../config.ts';
import type { BlobStore } from '../platform/blobs/blob-store.ts';
import type { Clock, Now } from '../platform/clock.ts';
import { sendBytes } from '../platform/http/send-bytes.ts';
import { uploadFile } from './files.acts.ts';
import type { OtherClientGuard } from './other-clients.ts';
import { findServed } from './served.ts';

/** The line in the log where it was not judged which client an upload names. */
export const unjudged =
  ({ log }: FastifyRequest) =>
  (error: unknown): void =>
    log.warn({ err: error }, 'the client of an upload was not judged');

/** Stages the form's file while it streams in, and hands it on with the fields that came around it. */
export async function receiveFile(
  { request, reply, principal }: ViewerCall<'files.upload'>,
  services: Now & {
    readonly blobs: BlobStore;
    readonly config: Config;
    readonly clock: Clock;
    readonly wrongClient: OtherClientGuard;
  },
): Promise<FileRow> {
  const { blobs, config, clock } = services;
  const idempotencyKey = idempotencyKeyOf(request);
  const { originalName, ...received } = await receiveUpload(request, reply, {
    blobs,
    maxBytes: config.maxUploadBytes,
    clock,
  });
  await using staged = received.staged;
  const fields = readFields(UploadFields, received.fields);
  const onUnjudged = unjudged(request);
  return await uploadFile(principal, { staged, originalName, fields, idempotencyKey }, { ...services, onUnjudged });
}

/** Sends a file in reach and records the access before the first byte leaves; without the entry nothing is served. */
export async function serveFile(
  call: Pick<ViewerCall<'files.open'>, 'read' | 'request' | 'reply' | 'onlyWhile'> & { readonly id: number },
  action: AccessAction,
  { blobs, accessLog }: { readonly blobs: BlobStore; readonly accessLog: AccessLog },
): Promise<void> {
  const { read, request, reply, id } = call;
  const file = await findServed(read, id);
  if (file === null) throw refuse('not_found');
  call.onlyWhile(async (now) => (await findServed(now, id)) !== null);
  const by = accessBy(read.viewer);
  await sendBytes(request, reply, {
    blobs,
    file,
    disposition: action === 'view' ? 'inline' : 'attachment',
    beforeFirstByte: ({ continues }) =>
      accessLog.record({
        action,
        ...by,
        // What was replaced is opened by nobody any more: the log alone says who looked.
        ...(file.newestId === undefined ? {} : { newestId: file.newestId, opener: null }),
        file: { id: file.id, name: file.originalName },
        client: { id: file.clientId, name: file.clientName },
        continues,
      }),
  });
}
