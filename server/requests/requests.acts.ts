// What is done about what the firm asks its clients for: asked by staff, answered by clients, accepted or sent back.

import { refuse } from '#contract/errors.ts';
import type {
  ItemDecision,
  NotApplying,
  RequestChange,
  RequestDetails,
  RequestInput,
  RequestItem,
  TemplateInput,
  TemplateRow,
} from '#contract/requests.ts';
import { type IngestStores, ingest } from '../files/ingest.ts';
import { judgeLater } from '../files/other-clients.ts';
import type { Principal } from '../people/access/principal.ts';
import type { ExpectedVersions } from '../people/access/versions.ts';
import type { StagedBlob } from '../platform/blobs/blob-store.ts';
import type { Now } from '../platform/clock.ts';
import { fingerprint } from '../platform/secrets.ts';
import { claimForItem, findSent, refuseFile, sayNot, settleItem } from './answers.repo.ts';
import { AskedBefore, findAsked, insertRequests, setClosed, updateRequest } from './asking.repo.ts';
import { type FoundItem, findItem } from './request-items.repo.ts';
import { insertTemplate, removeTemplate, updateTemplate } from './templates.repo.ts';

interface Change<Input> {
  readonly id: number;
  readonly input: Input;
  readonly expected: ExpectedVersions;
}

interface Asking {
  readonly input: RequestInput;
  /** The same input sent again under the same key makes nothing new. */
  readonly key: string | undefined;
}

/** Asks each of the clients; answers the ids of what was made, now or by the same call before. */
export async function createRequests(principal: Principal, { input, key }: Asking, { now }: Now): Promise<number[]> {
  const idempotencyKey = key === undefined ? null : fingerprint(`${key} ${JSON.stringify(input)}`);
  const askedBefore = async () =>
    idempotencyKey === null ? [] : await findAsked(await principal.read(), idempotencyKey);
  const earlier = await askedBefore();
  if (earlier.length > 0) return earlier;
  try {
    return await principal.change('requests.manage', (scope) =>
      insertRequests(scope, input, { idempotencyKey, at: now() }),
    );
  } catch (error) {
    if (error instanceof AskedBefore) return askedBefore();
    throw error;
  }
}

/** Refuses `changed_meanwhile`. */
export function changeRequest(
  principal: Principal,
  { id, input, expected }: Change<RequestChange>,
  { now }: Now,
): Promise<RequestDetails> {
  return principal.change('requests.manage', (scope) => updateRequest(scope, id, input, { expected, at: now() }));
}

/** Withdraws a request. */
export function closeRequest(principal: Principal, id: number, { now }: Now): Promise<RequestDetails> {
  return principal.change('requests.manage', (scope) => setClosed(scope, id, true, now()));
}

export function reopenRequest(principal: Principal, id: number, { now }: Now): Promise<RequestDetails> {
  return principal.change('requests.manage', (scope) => setClosed(scope, id, false, now()));
}

/**
 * The item in reach, for an answer, with the SHA-256 of what was sent for it under the key before, which is answered again, whatever became
 * of it since. Refuses `not_found`, `request_closed`, `request_item_accepted`, `request_item_files_max`.
 */
export async function findItemToAnswer(
  principal: Principal,
  id: number,
  idempotencyKey: string | undefined,
): Promise<FoundItem & { readonly sentBefore: string | null }> {
  const read = await principal.read();
  const found = await findItem(read, id);
  if (found === null) throw refuse('not_found');
  const sentBefore = idempotencyKey === undefined ? null : await findSent(read, found, idempotencyKey);
  if (sentBefore === null) refuseFile(found);
  return { ...found, sentBefore };
}

interface Answer {
  readonly id: number;
  /** Of the item when the sending began. */
  readonly clientId: number;
  readonly staged: StagedBlob;
  readonly originalName: string;
  readonly idempotencyKey: string | undefined;
}

/** Answers an item with a file: an upload like any other, which answers the item in the transaction of the file. */
export async function answerWithFile(
  principal: Principal,
  { id, clientId, staged, originalName, idempotencyKey }: Answer,
  stores: IngestStores,
): Promise<RequestItem> {
  // What ended while the bytes came is refused as it would have been before.
  const { item, sentBefore } = await findItemToAnswer(principal, id, idempotencyKey);
  // The firm may have filed it otherwise since: it is the same answer.
  if (sentBefore === staged.sha256) return item;
  const file = await ingest(
    principal,
    {
      staged,
      originalName,
      fields: { clientId, fileType: 'company_document', documentType: 'Supporting Document' },
      idempotencyKey,
      // Nobody asks a Client user whether it is the right client's: staff look at it.
      within: (tx, stored, sender) => judgeLater(tx, { ...stored, name: originalName }, sender),
      claim: (scope, stored) => claimForItem(scope, id, stored, stores.now()),
    },
    stores,
  );
  const answered = await findItem(await principal.read(), id);
  if (answered === null) throw refuse('not_found');
  // The same key was used for another item, or for an upload that answered none.
  if (!answered.item.files.some(({ fileId }) => fileId === file.id)) throw refuse('idempotency_mismatch');
  return answered.item;
}

/** Answers an item in words: that it does not apply. Refuses `changed_meanwhile`. */
export function answerWithNot(
  principal: Principal,
  { id, input, expected }: Change<NotApplying>,
  { now }: Now,
): Promise<RequestItem> {
  return principal.change('requests.answer', (scope) => sayNot(scope, id, input.note, { expected, at: now() }));
}

/** Accepts an answer, or sends it back. Refuses `changed_meanwhile`. */
export function decideItem(
  principal: Principal,
  { id, input, expected }: Change<ItemDecision>,
  { now }: Now,
): Promise<RequestItem> {
  return principal.change('requests.manage', (scope) => settleItem(scope, id, input, { expected, at: now() }));
}

export function createTemplate(principal: Principal, input: TemplateInput, { now }: Now): Promise<TemplateRow> {
  return principal.change('requests.keep-templates', (scope) => insertTemplate(scope, input, now()));
}

/** Refuses `changed_meanwhile`. */
export function changeTemplate(
  principal: Principal,
  { id, input, expected }: Change<TemplateInput>,
  { now }: Now,
): Promise<TemplateRow> {
  return principal.change('requests.keep-templates', (scope) =>
    updateTemplate(scope, id, input, { expected, at: now() }),
  );
}

export function deleteTemplate(principal: Principal, id: number, { now }: Now): Promise<void> {
  return principal.change('requests.keep-templates', (scope) => removeTemplate(scope, id, now()));
}
