// Asking clients for something: requests are made, changed, withdrawn and opened again.

import { isDeepStrictEqual } from 'node:util';
import {
  requestChangedDetails,
  requestClosedDetails,
  requestedDetails,
  requestReopenedDetails,
} from '#contract/activity-words.ts';
import { FAULTS_MAX, refuse, refuseFields, refuseUnless } from '#contract/errors.ts';
import type { Proof } from '#contract/policy.ts';
import type { RequestChange, RequestDetails, RequestInput, RequestItemInput } from '#contract/requests.ts';
import { record, recordEach } from '../audit/record.ts';
import { lockRow } from '../files/trash/kept-rows.ts';
import { redatedNow } from '../mail/digests/redated.ts';
import type { ReadScope, WriteScope } from '../people/access/scope.ts';
import { changedNow, type ExpectedVersions, requireVersion } from '../people/access/versions.ts';
import { isListedId, listText } from '../platform/db/id-list.ts';
import { isBrokenReference, isDuplicate } from '../platform/db/violations.ts';
import { clientOf, countAnew } from './request-items.repo.ts';
import { findRequest } from './requests.repo.ts';

type Managing = Proof<'requests.manage'>;

const newItem = ({ name, note }: RequestItemInput, requestId: number, position: number) => ({
  request_id: requestId,
  position,
  name,
  note,
  state: 'open' as const,
  said_not: 0 as const,
  answer: '',
  reason: '',
});

/** Thrown where the same was asked under the same key by a call that was faster. */
export class AskedBefore extends Error {
  override readonly name = 'AskedBefore';
}

/** What the viewer has asked under this key: the ids in the order of their clients. */
export async function findAsked(scope: ReadScope, idempotencyKey: string): Promise<number[]> {
  const rows = await scope
    .requests()
    .select('requests.id as id')
    .where('requests.asked_by_id', '=', scope.viewer.id)
    .where('requests.idempotency_key', '=', idempotencyKey)
    .orderBy('requests.client_id')
    .execute();
  return rows.map(({ id }) => id);
}

/** Says at which places clients are that are not there: the others may be asked without them. */
function refuseGoneClients(clientIds: readonly number[], there: ReadonlySet<number>): void {
  const places = clientIds.flatMap((id, nth) => (there.has(id) ? [] : [nth])).slice(0, FAULTS_MAX);
  if (places.length === 0) return;
  const faults = places.map((nth) => [`clientIds.${nth}`, 'This client is not there any more'] as const);
  throw refuseUnless('not_found', Object.fromEntries(faults));
}

/** A request to each of the clients; refuses where one of them is out of reach, as if it were not there. Throws AskedBefore. */
export async function insertRequests(
  scope: WriteScope,
  input: RequestInput,
  { idempotencyKey, at }: { readonly idempotencyKey: string | null; readonly at: number },
): Promise<number[]> {
  const proof = scope.authorize('requests.manage');
  const { clientIds, title, message, dueOn, items } = input;
  const clients = await scope
    .clients()
    .select(['clients.id', 'clients.name'])
    .where(isListedId('clients.id', listText(clientIds)))
    .orderBy('clients.id')
    .execute();
  refuseGoneClients(clientIds, new Set(clients.map(({ id }) => id)));
  const tx = scope.unscoped(proof);
  const ids: number[] = [];
  try {
    for (const client of clients) {
      const { id } = await tx
        .insertInto('requests')
        .values({
          client_id: client.id,
          title,
          message,
          due_on: dueOn,
          state: 'open',
          items: items.length,
          owed: items.length,
          to_review: 0,
          asked_by_id: scope.viewer.id,
          asked_by_name: scope.viewer.fullName,
          created_at: at,
          changed_at: at,
          idempotency_key: idempotencyKey,
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      await tx
        .insertInto('request_items')
        .values(items.map((item, nth) => newItem(item, id, nth)))
        .execute();
      ids.push(id);
    }
  } catch (error) {
    if (isDuplicate(error, 'idempotency')) throw new AskedBefore();
    if (isBrokenReference(error)) throw refuse('gone_meanwhile');
    throw error;
  }
  const details = requestedDetails(title, items.length);
  await recordEach(
    scope,
    proof,
    clients.map((client) => ({ action: 'update', details, client })),
    at,
  );
  return ids;
}

/** The request, which nobody else changes until the transaction ends. */
async function holdRequest(scope: WriteScope, id: number): Promise<{ proof: Managing; details: RequestDetails }> {
  await findRequest(scope, id);
  const proof = scope.authorize('requests.manage');
  await lockRow({ db: scope.unscoped(proof), engine: scope.engine }, 'requests', id);
  return { proof, details: await findRequest(scope, id) };
}

/** What a change of a request says. */
const askedIn = ({ title, message, dueOn }: Omit<RequestChange, 'items'>, items: RequestChange['items']) => [
  title,
  message,
  dueOn,
  ...items.map(({ id, name, note }) => [id, name, note]),
];

/** Makes the request what `change` says. Refuses `request_closed`, and to take away an item that was answered. */
export async function updateRequest(
  scope: WriteScope,
  id: number,
  change: RequestChange,
  { expected, at }: { readonly expected: ExpectedVersions; readonly at: number },
): Promise<RequestDetails> {
  const { proof, details } = await holdRequest(scope, id);
  if (details.request.state === 'closed') throw refuse('request_closed');
  await requireVersion(scope, expected, details, async () => undefined, at);
  if (isDeepStrictEqual(askedIn(change, change.items), askedIn(details.request, details.items))) return details;
  await refuseUnknownItems(scope, details, change, expected);
  const tx = scope.unscoped(proof);
  const kept = new Set(change.items.flatMap((item) => (item.id === undefined ? [] : [item.id])));
  const gone = details.items.filter((item) => !kept.has(item.id)).map((item) => item.id);
  await tx
    .deleteFrom('request_items')
    .where(isListedId('request_items.id', listText(gone)))
    .execute();
  const before = new Map(details.items.map((item) => [item.id, item]));
  for (const [position, item] of change.items.entries()) {
    const former = item.id === undefined ? undefined : before.get(item.id);
    if (former === undefined) {
      await tx
        .insertInto('request_items')
        // The client knows the request: of what is added to it the mails tell by this.
        .values({ ...newItem(item, id, position), state_at: at, state_by_id: scope.viewer.id })
        .execute();
    } else {
      const words = { name: item.name, note: item.note };
      const differs = words.name !== former.name || words.note !== former.note;
      await tx
        .updateTable('request_items')
        .set({ ...words, position, ...(differs ? changedNow(scope, at) : {}) })
        .where('id', '=', former.id)
        .execute();
    }
  }
  const { title, message, dueOn } = change;
  const redated = dueOn === details.request.dueOn ? {} : redatedNow(scope, at);
  await tx
    .updateTable('requests')
    .set({ title, message, due_on: dueOn, ...redated })
    .where('id', '=', id)
    .execute();
  await countAnew(scope, proof, id, at);
  await record(
    scope,
    proof,
    { action: 'update', details: requestChangedDetails(title), client: clientOf(details.request) },
    at,
  );
  return findRequest(scope, id);
}

/** Those of these ids that are of items in reach. */
async function itemsAmong(scope: ReadScope, ids: readonly number[]): Promise<ReadonlySet<number>> {
  if (ids.length === 0) return new Set();
  const rows = await scope
    .requests()
    .innerJoin('request_items', 'request_items.request_id', 'requests.id')
    .select('request_items.id as id')
    .where(isListedId('request_items.id', listText(ids)))
    .execute();
  return new Set(rows.map(({ id }) => id));
}

async function refuseUnknownItems(
  scope: ReadScope,
  { items }: RequestDetails,
  change: RequestChange,
  expected: ExpectedVersions,
): Promise<void> {
  const known = new Set(items.map((item) => item.id));
  const named = change.items.flatMap((item) => (item.id === undefined ? [] : [item.id]));
  const missing = named.filter((id) => !known.has(id));
  // Who knows what is there now, and names what is gone, asks for it anew: nothing tells any more whose it was.
  const refused = expected === null ? new Set(missing) : await itemsAmong(scope, missing);
  const unknown = named.findIndex((id, nth) => refused.has(id) || named.indexOf(id) !== nth);
  if (unknown !== -1) throw refuseFields({ items: 'An item is not there any more. Reload and try again.' });
  const answered = items.find((item) => !named.includes(item.id) && (item.state !== 'open' || item.files.length > 0));
  if (answered !== undefined) {
    throw refuseFields({ items: `"${answered.name}" was answered already, so it stays.` });
  }
}

/** Withdraws an open request, or opens a closed one again; any other stays as it is. */
export async function setClosed(scope: WriteScope, id: number, closed: boolean, at: number): Promise<RequestDetails> {
  const { proof, details } = await holdRequest(scope, id);
  const { state, title } = details.request;
  if (closed ? state !== 'open' : state !== 'closed') return details;
  await scope
    .unscoped(proof)
    .updateTable('requests')
    // What is reopened is told to the client's people anew.
    .set(closed ? { state: 'closed' } : { state: 'open', reopened_at: at })
    .where('id', '=', id)
    .execute();
  await countAnew(scope, proof, id, at);
  const words = closed ? requestClosedDetails(title) : requestReopenedDetails(title);
  await record(scope, proof, { action: 'update', details: words, client: clientOf(details.request) }, at);
  return findRequest(scope, id);
}
