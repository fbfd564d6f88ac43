// A file that is dropped into a batch, over HTTP: staged while it streams in.

import { type BatchFileAdded, BatchUploadFields } from '#contract/batches.ts';
import { readFields } from '../api/read-input.ts';
import { receiveUpload } from '../api/receive-upload.ts';
import type { ViewerCall } from '../api/route.ts';
import type { Config } from '../config.ts';
import type { BlobStore } from '../platform/blobs/blob-store.ts';
import type { Clock, Now } from '../platform/clock.ts';
import { addBatchFile } from './add-file.ts';
import { findBatch } from './batches.repo.ts';

export async function receiveBatchFile(
  { request, reply, principal, input }: ViewerCall<'batches.add-file'>,
  { blobs, config, now, clock }: Now & { readonly blobs: BlobStore; readonly config: Config; readonly clock: Clock },
): Promise<BatchFileAdded> {
  const { id } = input.params;
  const { maxUploadBytes } = config;
  // Before the bytes: what cannot be added need not be sent.
  await findBatch(await principal.read(), id);
  const { originalName, fields, ...received } = await receiveUpload(request, reply, {
    blobs,
    maxBytes: maxUploadBytes,
    clock,
  });
  await using staged = received.staged;
  readFields(BatchUploadFields, fields);
  return await addBatchFile(principal, { id, staged, originalName }, { blobs, maxUploadBytes, now });
}
