// A file that a client sends for an item, over HTTP.

import { type RequestItem, RequestUploadFields } from '#contract/requests.ts';
import { idempotencyKeyOf } from '../api/idempotency-key.ts';
import { readFields } from '../api/read-input.ts';
import { receiveUpload } from '../api/receive-upload.ts';
import type { ViewerCall } from '../api/route.ts';
import type { Config } from '../config.ts';
import type { BlobStore } from '../platform/blobs/blob-store.ts';
import type { Clock, Now } from '../platform/clock.ts';
import { answerWithFile, findItemToAnswer } from './requests.acts.ts';

export async function receiveAnswer(
  { request, reply, principal, input }: ViewerCall<'requests.send-file'>,
  services: Now & { readonly blobs: BlobStore; readonly config: Config; readonly clock: Clock },
): Promise<RequestItem> {
  const { blobs, config, clock } = services;
  const { id } = input.params;
  const idempotencyKey = idempotencyKeyOf(request);
  // Before the bytes: what is not asked for need not be sent.
  const { clientId } = await findItemToAnswer(principal, id, idempotencyKey);
  const { originalName, fields, ...received } = await receiveUpload(request, reply, {
    blobs,
    maxBytes: config.maxUploadBytes,
    clock,
  });
  await using staged = received.staged;
  readFields(RequestUploadFields, fields);
  return await answerWithFile(principal, { id, clientId, staged, originalName, idempotencyKey }, services);
}
