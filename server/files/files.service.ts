// Files over HTTP where it is more than reading and answering: forms come in, bytes are sent out.

import type { AccessAction } from '#contract/activity-words.ts';
import { refuse } from '#contract/errors.ts';
import { type FileRow, UploadFields } from '#contract/files.ts';
import { isClientUser } from '#contract/policy.ts';
import { idempotencyKeyOf } from '../api/idempotency-key.ts';
import { readFields } from '../api/read-input.ts';
import { receiveUpload } from '../api/receive-upload.ts';
import type { ViewerCall } from '../api/route.ts';
import type { AccessLog } from '../audit/access-log.ts';
import { accessBy } from '../audit/access-log.ts';
import type { Config } from '../config.ts';
import type { ReadScope } from '../people/access/scope.ts';
import type { BlobStore } from '../platform/blobs/blob-store.ts';
import type { Clock, Now } from '../platform/clock.ts';
import { sendBytes } from '../platform/http/send-bytes.ts';
import { findFile, findStoredFile, type StoredFile } from './find.ts';
import { ingest, type Upload } from './ingest.ts';
import type { OtherClientGuard } from './other-clients.ts';
import { judgeLater } from './other-clients.ts';
import { refileFile } from './refiling.ts';
import { findNewestOf, findStoredVersion } from './versions.ts';

const NOT_JUDGED = 'the client of an upload was not judged';

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
  const { blobs, config, clock, wrongClient } = services;
  const idempotencyKey = idempotencyKeyOf(request);
  const { originalName, ...received } = await receiveUpload(request, reply, {
    blobs,
    maxBytes: config.maxUploadBytes,
    clock,
  });
  await using staged = received.staged;
  const fields = readFields(UploadFields, received.fields);
  const { clientId, keepBecause } = fields;
  let isUnread = false;
  const inspect: Upload['inspect'] = async (file) => {
    const read = await principal.read();
    if (keepBecause === undefined && !isClientUser(read.viewer)) {
      const onFault = (error: unknown) => request.log.warn({ err: error }, NOT_JUDGED);
      isUnread = await wrongClient.check(read, { ...file, name: originalName, clientId, onFault });
    }
  };
  // Nobody asks a Client user: what the file names is read later, and staff look at it. So is what could not be read in time, and what are pictures.
  const within: Upload['within'] = async (tx, file, sender) => {
    if (isUnread || isClientUser(sender)) await judgeLater(tx, { ...file, name: originalName }, sender);
  };
  return await ingest(principal, { staged, originalName, fields, idempotencyKey, within, inspect }, services);
}

/** Files a file elsewhere; staff are asked as at an upload where it would be filed under a client that it does not name. */
export async function moveFile(
  { request, principal, input }: ViewerCall<'files.refile'>,
  { now, wrongClient }: Now & { readonly wrongClient: OtherClientGuard },
): Promise<FileRow> {
  const onFault = (error: unknown) => request.log.warn({ err: error }, NOT_JUDGED);
  return refileFile(principal, input.params.id, input.body, {
    now,
    checkPlace: (read, file) => wrongClient.check(read, { ...file, onFault }),
    checkName: (read, file) => wrongClient.checkName(read, { ...file, onFault }),
  });
}

/** A file in reach, or the newest one where `id` is that of an earlier version of it. Refuses `not_found`. */
export async function findNewest(read: ReadScope, id: number): Promise<{ file: FileRow; ledHere: boolean }> {
  const there = await findFile(read, id);
  if (there !== null) return { file: there, ledHere: false };
  const newestId = await findNewestOf(read, id);
  const newest = newestId === null ? null : await findFile(read, newestId);
  if (newest === null) throw refuse('not_found');
  return { file: newest, ledHere: true };
}

/** What is served under an id: the file in reach, or to staff the earlier version of one. */
export async function findServed(
  read: ReadScope,
  id: number,
): Promise<(StoredFile & { readonly newestId?: number }) | null> {
  return (await findStoredFile(read, id)) ?? findStoredVersion(read, id);
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
