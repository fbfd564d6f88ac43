// Files being uploaded: chosen, sent one after the other, kept with their reason where they fail.
import { useSyncExternalStore } from 'react';
import type { NamedClient } from '#contract/errors.ts';
import type { UploadFields } from '#contract/files.ts';
import { ApiFault } from '#web/lib/api-fault.ts';
import { callUpload, freshKey } from '#web/lib/api-upload.ts';
import { withoutStrays } from '#web/lib/chosen-files.ts';
import { leavingQuestion } from '#web/lib/leaving.ts';
import { newListeners } from '#web/lib/listeners.ts';
import { emptyFile, failed, nothingToUpload, unreachable } from '#web/lib/messages.ts';
import { getSession } from '#web/lib/session.ts';
import { toast } from '#web/ui/toast.tsx';
import { allClientsQuery } from './clients.ts';
import { refreshAfterUpload } from './files.ts';
import { queryClient } from './query-client.ts';

/** The form fields sent with the file: text, empty where unset. */
export type UploadChoices = Record<keyof UploadFields, string>;

export interface UploadItem {
  readonly id: string;
  readonly name: string;
  readonly sizeBytes: number;
  readonly state: 'waiting' | 'sending' | 'failed';
  /** How much of it has left this browser, from 0 to 1. */
  readonly sentShare: number;
  /** Why it failed; null where it has not. */
  readonly reason: string | null;
  /** Where it failed because it names another client: that client, as far as it may be told. */
  readonly anotherClient: { readonly named: NamedClient | null } | null;
}

export interface Uploads {
  readonly items: readonly UploadItem[];
  readonly busy: boolean;
  /** How many files of the present or latest sequence are stored. */
  readonly storedCount: number;
  /** Names of files that were added a second time, and left out. */
  readonly repeated: readonly string[];
}

export interface UploadOutcome {
  readonly storedCount: number;
  /** The ids of the files that those that are stored took the place of. */
  readonly replaced: readonly number[];
  /** The latest failure; null when none failed. Every file has its own reason in its item. */
  readonly fault: Error | null;
}

/** A file of the list, with what nobody sees of it. */
interface Listed {
  readonly item: UploadItem;
  readonly file: File;
  /** Stays with the file for as long as it is in the list, so that a retry never stores it twice. */
  readonly idempotencyKey: string;
}

function reworded(error: unknown): ApiFault {
  if (!(error instanceof ApiFault)) return new ApiFault(0, unreachable);
  if (error.message === '') return new ApiFault(error.status, failed.uploadReason, error);
  // The fields of a single file: its row says what is wrong with them.
  const ofFile = error.fields.replaces ?? error.fields.corrects;
  if (ofFile !== undefined) return new ApiFault(error.status, ofFile, error);
  if (error.code !== 'idempotency_mismatch') return error;
  return new ApiFault(error.status, failed.uploadedBefore, { code: error.code });
}

/** Clients that went while files waited for them, by id: no list knows their names any more. */
const goneClients = new Map<string, string>();

/** A refusal, with the client's name where that is what is gone: its files may go to another one. */
async function namingGone(fault: ApiFault, clientId: string): Promise<ApiFault> {
  if (fault.code !== 'not_found' && fault.code !== 'forbidden') return fault;
  const all = allClientsQuery();
  const nameNow = () => queryClient.getQueryData(all.queryKey)?.rows.find(({ id }) => String(id) === clientId)?.name;
  const before = nameNow();
  if (before !== undefined) {
    await queryClient.fetchQuery({ ...all, staleTime: 0 }).catch(() => undefined);
    if (nameNow() !== undefined) return fault;
    goneClients.set(clientId, before);
  }
  const name = goneClients.get(clientId);
  if (name === undefined) return fault;
  return new ApiFault(fault.status, `${name} is not there any more. Choose another client with Change.`, fault);
}

let listed: readonly Listed[] = [];
/** Stops the one that is being sent. */
let sending: { readonly id: string; readonly stop: AbortController } | null = null;
let busy = false;
let underWay: Promise<UploadOutcome> = Promise.resolve({ storedCount: 0, replaced: [], fault: null });
let storedCount = 0;
/** Of the present or latest sequence. */
let replaced: number[] = [];
let repeated: readonly string[] = [];
let snapshot: Uploads = { items: [], busy, storedCount, repeated };
const listeners = newListeners();
const askBeforeLeaving = leavingQuestion();

function publish(): void {
  // What failed or waits is lost with the page too, and nobody would know which files they were.
  askBeforeLeaving(busy || listed.length > 0);
  snapshot = { items: listed.map(({ item }) => item), busy, storedCount, repeated };
  listeners.tell();
}

const find = (id: string) => listed.find(({ item }) => item.id === id);

function change(id: string, next: Partial<UploadItem>): void {
  listed = listed.map((one) => (one.item.id === id ? { ...one, item: { ...one.item, ...next } } : one));
  publish();
}

function takeOff(id: string): void {
  listed = listed.filter(({ item }) => item.id !== id);
  publish();
}

/** The same for a file that is chosen again, and for no other: those of a dropped folder may share their name, and names may differ in case alone. */
function idOf({
  name,
  type,
  size,
  lastModified,
  relativePath = '',
}: File & { readonly relativePath?: string }): string {
  const encoded = (text: string) =>
    text.replace(/[^a-z0-9]/g, (character) => `_${character.charCodeAt(0).toString(32)}_`);
  return `upload-${encoded(name)}-${encoded(type)}-${encoded(relativePath)}-${size}-${lastModified}`;
}

/** Adds files to the list, without what systems put into folders; those that are in it already are only named. What is added while others are sent waits for a sequence of its own. */
export function addUploads(files: readonly File[]): void {
  const again: string[] = [];
  const meant = withoutStrays(files);
  if (files.length > 0 && meant.length === 0) toast.error(nothingToUpload);
  for (const file of meant) {
    const id = idOf(file);
    const { name, size: sizeBytes } = file;
    if (find(id) !== undefined) {
      again.push(name);
      continue;
    }
    const item: UploadItem = { id, name, sizeBytes, state: 'waiting', sentShare: 0, reason: null, anotherClient: null };
    listed = [...listed, { item, file, idempotencyKey: freshKey() }];
  }
  repeated = again;
  publish();
}

/** Removes a file from the list; one that is being sent is stopped. */
export function removeUpload(id: string): void {
  repeated = [];
  takeOff(id);
  if (sending?.id === id) sending.stop.abort();
}

/** A file that was stopped waits in the list again, to be looked at once more and sent with the others. */
export function letWait(id: string): void {
  change(id, { state: 'waiting', reason: null, anotherClient: null });
}

/** Larger files are not read twice: what they hold stays unknown. */
const HASHED_AT_MOST_BYTES = 64 * 1024 * 1024;
const hashes = new WeakMap<Blob, Promise<string | null>>();

async function hashOf(bytes: Blob): Promise<string | null> {
  try {
    const digest = await crypto.subtle.digest('SHA-256', await bytes.arrayBuffer());
    return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  } catch {
    // The file cannot be read any more: sending it says so.
    return null;
  }
}

/** The SHA-256 of a file of the list; null where it is large, or where the browser makes none (a page served without TLS). */
export async function hashOfUpload(id: string): Promise<string | null> {
  const bytes = find(id)?.file;
  if (bytes === undefined || bytes.size > HASHED_AT_MOST_BYTES || crypto.subtle === undefined) return null;
  const hash = hashes.get(bytes) ?? hashOf(bytes);
  hashes.set(bytes, hash);
  return hash;
}

/** Whether files are left in the list. */
export function hasUploads(): boolean {
  return listed.length > 0;
}

/** Whether files are being sent at this moment. */
export function uploadsBusy(): boolean {
  return busy;
}

/** Stops what is being sent and empties the list. */
export function clearUploads(): void {
  listed = [];
  storedCount = 0;
  repeated = [];
  publish();
  sending?.stop.abort();
}

/** Sends one file; returns what went wrong, or null when it is stored or was removed from the list meanwhile. */
async function sendOne(id: string, choices: UploadChoices): Promise<ApiFault | null> {
  const one = find(id);
  if (one === undefined) return null;
  const stop = new AbortController();
  sending = { id, stop };
  change(id, { state: 'sending', sentShare: 0 });
  try {
    await callUpload('files.upload', {}, one.file, {
      fields: Object.fromEntries(Object.entries(choices).filter(([, value]) => value !== '')),
      idempotencyKey: one.idempotencyKey,
      signal: stop.signal,
      onSent: (sentShare) => change(id, { sentShare }),
    });
  } catch (error) {
    const fault = await namingGone(reworded(error), choices.clientId);
    if (find(id) === undefined) return null;
    const anotherClient = fault.code === 'names_another_client' ? { named: fault.namedClient ?? null } : null;
    change(id, { state: 'failed', sentShare: 0, reason: fault.message, anotherClient });
    return fault;
  } finally {
    sending = null;
  }
  storedCount += 1;
  if (choices.replaces !== '') replaced.push(Number(choices.replaces));
  takeOff(id);
  return null;
}

/**
 * Sends the files of the list, or those named, each with its own choices, in their order and one at a time; a failure does not stop the others, but
 * the end of the session does. An empty file is not sent, and fails. What is stored leaves the list, what failed or was not sent stays. Never rejects.
 */
export function sendUploads(choicesOf: (id: string) => UploadChoices, ids?: readonly string[]): Promise<UploadOutcome> {
  if (busy) return underWay;
  underWay = send(choicesOf, ids);
  return underWay;
}

/** What becomes of the present or latest sequence. */
export function outcomeOfUploads(): Promise<UploadOutcome> {
  return underWay;
}

async function send(choicesOf: (id: string) => UploadChoices, ids?: readonly string[]): Promise<UploadOutcome> {
  const queue = listed.map(({ item }) => item.id).filter((id) => ids === undefined || ids.includes(id));
  busy = true;
  storedCount = 0;
  replaced = [];
  repeated = [];
  publish();
  for (const id of queue) change(id, { state: 'waiting', reason: null, anotherClient: null });
  let fault: ApiFault | null = null;
  try {
    for (const id of queue) {
      // Taken off the list before its turn came.
      const one = find(id);
      if (one === undefined) continue;
      if (one.file.size === 0) {
        fault = new ApiFault(0, emptyFile);
        change(id, { state: 'failed', reason: emptyFile });
        continue;
      }
      fault = (await sendOne(id, choicesOf(id))) ?? fault;
      // Without a session nothing is sent: the rest waits until its owner has signed in again.
      if (fault?.status === 401) break;
    }
  } finally {
    busy = false;
    publish();
  }
  // Not awaited: the dialog need not wait for lists. A failure asks too, because bytes may be stored whose answer was lost.
  // Nothing is loaded for whoever has signed out, which stops what is being sent.
  if (fault?.status !== 401 && getSession() !== null) void refreshAfterUpload();
  return { storedCount, replaced, fault };
}

export function useUploads(): Uploads {
  return useSyncExternalStore(listeners.add, () => snapshot);
}
