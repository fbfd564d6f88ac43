// What was answered to an item, and what the firm decides about it.

import { itemAcceptedDetails, saidNotDetails, sentBackDetails, sentDetails } from '#contract/activity-words.ts';
import { refuse } from '#contract/errors.ts';
import type { FileRow } from '#contract/files.ts';
import type { Proof } from '#contract/policy.ts';
import { ITEM_FILES_MAX, type ItemState } from '#contract/request-words.ts';
import type { ItemDecision, RequestItem } from '#contract/requests.ts';
import { record } from '../audit/record.ts';
import { lockRow } from '../files/trash/kept-rows.ts';
import { findReplacedUpload } from '../files/versions.ts';
import type { ReadScope, WriteScope } from '../people/access/scope.ts';
import { changedNow, type ExpectedVersions, requireVersion } from '../people/access/versions.ts';
import { isListedId, listText } from '../platform/db/id-list.ts';
import { clientOf, countAnew, type FoundItem, findItem } from './request-items.repo.ts';

/** The item, whose request nobody else changes until the transaction ends. */
async function holdItem<A extends 'requests.manage' | 'requests.answer'>(
  scope: WriteScope,
  action: A,
  id: number,
): Promise<FoundItem & { readonly proof: Proof<A> }> {
  const found = await findItem(scope, id);
  if (found === null) throw refuse('not_found');
  const proof = (
    action === 'requests.manage' ? scope.authorize('requests.manage') : scope.authorize('requests.answer')
  ) as Proof<A>;
  await lockRow({ db: scope.unscoped(proof), engine: scope.engine }, 'requests', found.requestId);
  const held = await findItem(scope, id);
  if (held === null) throw refuse('not_found');
  if (held.requestState === 'closed') throw refuse('request_closed');
  return { ...held, proof };
}

async function setItem(
  scope: WriteScope,
  { proof, requestId, item }: FoundItem & { readonly proof: Proof },
  to: {
    readonly state: ItemState;
    readonly reason: string;
    readonly said_not?: 0 | 1;
    readonly answer?: string;
  },
  at: number,
): Promise<RequestItem> {
  await scope
    .unscoped(proof)
    .updateTable('request_items')
    .set({ ...to, ...changedNow(scope, at), state_at: at, state_by_id: scope.viewer.id })
    .where('id', '=', item.id)
    .execute();
  await countAnew(scope, proof, requestId, at);
  const after = await findItem(scope, item.id);
  if (after === null) throw refuse('gone_meanwhile');
  return after.item;
}

/** Refuses an answer to what needs none: `request_closed`, `request_item_accepted`. */
function refuseSettled({ requestState, item }: FoundItem): void {
  if (requestState === 'closed') throw refuse('request_closed');
  if (item.state === 'accepted') throw refuse('request_item_accepted');
}

/** Refuses a file for what needs no answer, and for what has as many files as may be: `request_item_files_max`. */
export function refuseFile(found: FoundItem): void {
  refuseSettled(found);
  if (found.item.files.length >= ITEM_FILES_MAX) throw refuse('request_item_files_max');
}

/**
 * The SHA-256 of what the viewer has sent for the item under this key, whose answer may have been lost, also where another file has
 * taken its place since; null where nothing.
 */
export async function findSent(scope: ReadScope, { item }: FoundItem, idempotencyKey: string): Promise<string | null> {
  const ids = item.files.map(({ fileId }) => fileId);
  const file = await scope
    .files()
    .select('files.sha256')
    .where('files.uploaded_by_id', '=', scope.viewer.id)
    .where('files.idempotency_key', '=', idempotencyKey)
    .where(isListedId('files.id', listText(ids)))
    .executeTakeFirst();
  const sent = file ?? (await findReplacedUpload(scope, idempotencyKey, isListedId('version.item_id', listText(ids))));
  return sent?.sha256 ?? null;
}

/** Makes a file that is just being stored the answer to an item. */
export async function claimForItem(scope: WriteScope, itemId: number, file: FileRow, at: number): Promise<void> {
  const held = await holdItem(scope, 'requests.answer', itemId);
  refuseFile(held);
  // Its client was another one when the file was judged: it would be filed where nobody asked for it.
  if (held.clientId !== file.clientId) throw refuse('gone_meanwhile');
  await scope
    .unscoped(held.proof)
    .insertInto('request_item_files')
    .values({
      item_id: itemId,
      file_id: file.id,
      name: file.originalName,
      sent_at: at,
      sent_by_name: scope.viewer.fullName,
    })
    .execute();
  await setItem(scope, held, { state: 'sent', reason: '', said_not: 0, answer: '' }, at);
  const details = sentDetails(held.title, held.item.name, file.originalName);
  await record(scope, held.proof, { action: 'update', details, client: clientOf(held) }, at);
}

interface Moment {
  readonly expected: ExpectedVersions;
  readonly at: number;
}

/** Refuses `changed_meanwhile` where the item is not as it was read: a colleague has answered it since, or the firm has decided. */
async function requireItem(
  scope: WriteScope,
  { proof, item }: FoundItem & { readonly proof: Proof },
  { expected, at }: Moment,
): Promise<void> {
  const lastChange = () =>
    scope
      .unscoped(proof)
      .selectFrom('request_items')
      .select(['changed_at', 'changed_by_id'])
      .where('id', '=', item.id)
      .executeTakeFirst();
  await requireVersion(scope, expected, item, lastChange, at);
}

export async function sayNot(scope: WriteScope, itemId: number, note: string, moment: Moment): Promise<RequestItem> {
  const { at } = moment;
  const held = await holdItem(scope, 'requests.answer', itemId);
  const { saidNot, answer, state } = held.item;
  // Sent again because its answer was lost: it is said once, in the log and to the firm.
  if (saidNot && answer === note && state !== 'sentBack') return held.item;
  refuseSettled(held);
  await requireItem(scope, held, moment);
  const after = await setItem(scope, held, { state: 'doesNotApply', reason: '', said_not: 1, answer: note }, at);
  const details = saidNotDetails(held.title, held.item.name, note);
  await record(scope, held.proof, { action: 'update', details, client: clientOf(held) }, at);
  return after;
}

/** Accepts what waits for it, or sends back what was answered, also where it was accepted before. */
export async function settleItem(
  scope: WriteScope,
  itemId: number,
  decision: ItemDecision,
  moment: Moment,
): Promise<RequestItem> {
  const held = await holdItem(scope, 'requests.manage', itemId);
  const { item, title, proof } = held;
  const { at } = moment;
  await requireItem(scope, held, moment);
  const accepts = decision.decision === 'accept';
  const answered: readonly ItemState[] = ['sent', 'doesNotApply', ...(accepts ? [] : (['accepted'] as const))];
  if (!answered.includes(item.state)) throw refuse('request_item_unanswered');
  const reason = decision.reason ?? '';
  const after = await setItem(scope, held, { state: accepts ? 'accepted' : 'sentBack', reason }, at);
  const details = accepts ? itemAcceptedDetails(title, item.name) : sentBackDetails(title, item.name, reason);
  await record(scope, proof, { action: 'update', details, client: clientOf(held) }, at);
  return after;
}
