// A file that a client sends for an item: an upload like any other, which answers the item in the transaction of the file.

import { refuse } from '#contract/errors.ts';
import { type RequestItem, RequestUploadFields } from '#contract/requests.ts';
import { idempotencyKeyOf } from '../api/idempotency-key.ts';
import { readFields } from '../api/read-input.ts';
import { receiveUpload } from '../api/receive-upload.ts';
import type { ViewerCall } from '../api/route.ts';
import type { Config } from '../config.ts';
import { ingest } from '../files/ingest.ts';
import { judgeLater } from '../files/other-clients.ts';
import type { BlobStore } from '../platform/blobs/blob-store.ts';
import type { Clock, Now } from '../platform/clock.ts';
import { claimForItem, refuseSettled } from './answers.repo.ts';
import { type FoundItem, findItem } from './request-items.repo.ts';

export async function receiveAnswer(
  { request, reply, principal, input }: ViewerCall<'requests.send-file'>,
  services: Now & { readonly blobs: BlobStore; readonly config: Config; readonly clock: Clock },
): Promise<RequestItem> {
  const { blobs, config, clock, now } = services;
  const { id } = input.params;
  const found = async (): Promise<FoundItem> => {
    const item = await findItem(await principal.read(), id);
    if (item === null) throw refuse('not_found');
    return item;
  };
  // Before the bytes: what is not asked for need not be sent.
  const item = await found();
  refuseSettled(item);
  const { clientId } = item;
  const idempotencyKey = idempotencyKeyOf(request);
  const { originalName, fields, ...received } = await receiveUpload(request, reply, {
    blobs,
    maxBytes: config.maxUploadBytes,
    clock,
  });
  await using staged = received.staged;
  readFields(RequestUploadFields, fields);
  // What ended while the bytes came is refused as it would have been before.
  refuseSettled(await found());
  const file = await ingest(
    principal,
    {
      staged,
      originalName,
      fields: { clientId, fileType: 'company_document', documentType: 'Supporting Document' },
      idempotencyKey,
      // Nobody asks a Client user whether it is the right client's: staff look at it.
      within: (tx, stored, sender) => judgeLater(tx, { ...stored, name: originalName }, sender),
      claim: (scope, stored) => claimForItem(scope, id, stored, now()),
    },
    services,
  );
  const { item: answered } = await found();
  // The same key was used for another item, or for an upload that answered none.
  if (!answered.files.some(({ fileId }) => fileId === file.id)) throw refuse('idempotency_mismatch');
  return answered;
}
