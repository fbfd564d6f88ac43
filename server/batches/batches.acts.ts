// What is done to batches: filled, read, reviewed, released, stopped, recalled, discarded.

import type {
  BatchRow,
  DocumentDecision,
  DocumentJoin,
  DocumentSplit,
  LeftOutTold,
  RecallRequest,
  RecallResult,
} from '#contract/batches.ts';
import type { Config } from '../config.ts';
import type { Principal } from '../people/access/principal.ts';
import type { ReadScope } from '../people/access/scope.ts';
import type { BlobStore } from '../platform/blobs/blob-store.ts';
import { removeReleased } from '../platform/blobs/remove-released.ts';
import type { Now } from '../platform/clock.ts';
import type { JobOrders } from '../platform/jobs/kinds.ts';
import { isSameLook, type Opening, recordOpening } from './batch-files.repo.ts';
import { emptyBatch, insertBatch, orderBatchReading, orderRelease } from './batches.repo.ts';
import { recordCertificate } from './certificate/certificate.repo.ts';
import { decide } from './document-decisions.repo.ts';
import { join, split } from './document-pages.repo.ts';
import type { BatchJobs } from './jobs.ts';
import { tellLeftOut } from './left-out.repo.ts';
import { listAccesses, recall } from './recall.repo.ts';
import { handBackReleasing } from './stop-release.repo.ts';

type Ordering = Now & { readonly jobs: JobOrders<BatchJobs>; readonly config: Config };

export function createBatch(principal: Principal, name: string, { now }: Now): Promise<BatchRow> {
  return principal.change('batches.use', (scope) => insertBatch(scope, scope.authorize('batches.use'), name, now()));
}

/** Enters what its sender left out of what was dropped. */
export function leaveOut(principal: Principal, id: number, told: LeftOutTold): Promise<BatchRow> {
  return principal.change('batches.use', (scope) => tellLeftOut(scope, scope.authorize('batches.use'), id, told));
}

/** Has a batch read; what was not read to its end, once more. */
export function readBatch(principal: Principal, id: number, ordering: Ordering): Promise<BatchRow> {
  return principal.change('batches.use', (scope) =>
    orderBatchReading(scope, scope.authorize('batches.use'), id, ordering),
  );
}

export function decideDocuments(
  principal: Principal,
  id: number,
  decision: DocumentDecision,
  { now }: Now,
): ReturnType<typeof decide> {
  return principal.change('batches.use', (scope) => decide(scope, scope.authorize('batches.use'), id, decision, now()));
}

/** Makes two documents of one. */
export function splitDocument(principal: Principal, id: number, at: DocumentSplit): ReturnType<typeof split> {
  return principal.change('batches.use', (scope) => split(scope, scope.authorize('batches.use'), id, at));
}

/** Makes one document of this one and the one before it. */
export function joinDocument(principal: Principal, id: number, at: DocumentJoin): ReturnType<typeof join> {
  return principal.change('batches.use', (scope) => join(scope, scope.authorize('batches.use'), id, at));
}

/** Has accepted documents released, those of `ids` or all. */
export function releaseBatch(
  principal: Principal,
  id: number,
  ids: readonly number[] | undefined,
  ordering: Ordering,
): Promise<BatchRow> {
  return principal.change('batches.release', (scope) =>
    orderRelease(scope, scope.authorize('batches.release'), id, ids, ordering),
  );
}

/** Stops what is being released: what is no file yet is accepted as before. */
export function stopRelease(principal: Principal, id: number, { now }: Now): Promise<BatchRow> {
  return principal.change('batches.stop', (scope) =>
    handBackReleasing(scope, scope.authorize('batches.stop'), id, now()),
  );
}

/** Takes released documents back, and tells who has opened them. */
export async function recallDocuments(
  principal: Principal,
  id: number,
  request: RecallRequest,
  services: Now & { readonly config: Config },
): Promise<RecallResult> {
  const read = await principal.read();
  const { documents, ...done } = await principal.change('batches.recall', (scope) =>
    recall(scope, scope.authorize('batches.recall'), id, request, services),
  );
  return { ...done, accesses: await listAccesses(read, id, documents) };
}

/** Discards a batch of which nothing is released. `onLeft` hears of bytes that could not be removed at once. */
export async function discardBatch(
  principal: Principal,
  id: number,
  {
    blobs,
    now,
    onLeft,
  }: Now & { readonly blobs: Pick<BlobStore, 'remove'>; readonly onLeft: (error: unknown) => void },
): Promise<void> {
  const keys = await principal.change('batches.discard', (scope) =>
    emptyBatch(scope, scope.authorize('batches.discard'), id, now()),
  );
  await removeReleased(blobs, keys, onLeft);
}

/** Enters that the certificate of a batch, as of `at`, is taken along: before its first byte leaves. */
export function noteCertificateTaken(
  principal: Principal,
  { batchName, at }: { readonly batchName: string; readonly at: number },
): Promise<void> {
  return principal.change('batches.use', (scope) =>
    recordCertificate(scope, scope.authorize('batches.use'), batchName, at),
  );
}

/** Enters that a file of a batch is opened, before its first byte leaves; what continues an opening is none. */
export async function enterOpening(
  { read, principal }: { readonly read: ReadScope; readonly principal: Principal },
  opening: Opening,
  { now }: Now,
): Promise<void> {
  if (await isSameLook(read, opening, now())) return;
  await principal.change('batches.use', (scope) =>
    recordOpening(scope, scope.authorize('batches.use'), opening, now()),
  );
}
