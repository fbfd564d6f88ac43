// Files being uploaded: chosen, sent one after the other, kept with their reason where they fail.
import Uppy, { type UppyFile } from '@uppy/core';
import XHRUpload from '@uppy/xhr-upload';
import { useSyncExternalStore } from 'react';
import type { NamedClient } from '#contract/errors.ts';
import type { FileRow, UploadFields } from '#contract/files.ts';
import { ApiFault, apiUrl, authorizationHeader, noticeUnauthenticated, readFault } from '#web/lib/api.ts';
import { askBeforeLeaving } from '#web/lib/leaving.ts';
import { emptyFile, failed, unreachable } from '#web/lib/messages.ts';
import { askForProof } from '#web/lib/step-up.ts';
import { refreshAfterUpload } from './files.ts';

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

/** The choices and `idempotencyKey`, besides what Uppy itself stores there. */
type Meta = Record<string, unknown>;
type Answer = Record<string, unknown>;
type Sent = UppyFile<Meta, Answer>;

/** Not `randomUUID`, which a page served without TLS lacks. */
function freshKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

const silent = { debug: () => undefined, warn: () => undefined, error: () => undefined };

const uppy = new Uppy<Meta, Answer>({
  logger: silent,
  onBeforeFileAdded: (file, files) =>
    // The key stays with the file for as long as it is in the list, so that a retry never stores it twice.
    Object.hasOwn(files, file.id) ? false : { ...file, meta: { ...file.meta, idempotencyKey: freshKey() } },
}).use(XHRUpload, {
  endpoint: apiUrl('files.upload'),
  fieldName: 'file',
  // Fields are appended before the file, in this order; `sendOne` narrows them to what is set.
  allowedMetaFields: [],
  limit: 1,
  // A large file over a slow line may take any time.
  timeout: 0,
  shouldRetry: () => false,
  headers: (file) => ({ ...authorizationHeader(), 'Idempotency-Key': String(file.meta.idempotencyKey) }),
  onAfterResponse: (xhr) => {
    if (xhr.status >= 200 && xhr.status < 300) return;
    throw readFault(xhr.status, xhr.statusText, xhr.responseText, failed.uploadReason);
  },
  getResponseData: (xhr) => {
    try {
      return JSON.parse(xhr.responseText) as FileRow;
    } catch {
      // Something between here and the server answered in its place.
      throw new ApiFault(xhr.status, failed.uploadReason);
    }
  },
});

function reworded(error: Error): ApiFault {
  if (!(error instanceof ApiFault)) return new ApiFault(0, unreachable);
  if (error.message === '') return new ApiFault(error.status, failed.uploadReason, error);
  // The fields of a single file: its row says what is wrong with them.
  const ofFile = error.fields.replaces ?? error.fields.corrects;
  if (ofFile !== undefined) return new ApiFault(error.status, ofFile, error);
  if (error.code !== 'idempotency_mismatch') return error;
  return new ApiFault(error.status, failed.uploadedBefore, { code: error.code });
}

/** By the id of the file, those that were stopped because they name another client. */
const stopped = new Map<string, { readonly named: NamedClient | null }>();

let busy = false;
let underWay: Promise<UploadOutcome> = Promise.resolve({ storedCount: 0, replaced: [], fault: null });
let storedCount = 0;
/** Of the present or latest sequence. */
let replaced: number[] = [];
let repeated: readonly string[] = [];
let snapshot: Uploads = { items: [], busy, storedCount, repeated };
const listeners = new Set<() => void>();

function itemOf(file: Sent): UploadItem {
  const { progress, size } = file;
  const reason = 'error' in file && typeof file.error === 'string' ? file.error : null;
  const sentBytes = progress.bytesUploaded || 0;
  return {
    id: file.id,
    name: file.name,
    sizeBytes: size ?? 0,
    state: reason !== null ? 'failed' : progress.uploadStarted ? 'sending' : 'waiting',
    sentShare: size ? Math.min(1, sentBytes / size) : 0,
    reason,
    anotherClient: reason === null ? null : (stopped.get(file.id) ?? null),
  };
}

function publish(): void {
  snapshot = { items: uppy.getFiles().map(itemOf), busy, storedCount, repeated };
  for (const listener of listeners) listener();
}

uppy.on('state-update', publish);

/** Adds files to the list, unless it is being sent; those that are in it already are only named. */
export function addUploads(files: readonly File[]): void {
  if (busy) return;
  const again: string[] = [];
  for (const file of files) {
    // Files of a dropped folder may share their name; their path distinguishes them.
    const { relativePath } = file as File & { relativePath?: string };
    try {
      uppy.addFile({
        name: file.name,
        type: file.type,
        data: file,
        meta: relativePath === undefined ? {} : { relativePath },
      } as Parameters<typeof uppy.addFile>[0]);
    } catch {
      again.push(file.name);
    }
  }
  repeated = again;
  publish();
}

/** Removes a file from the list; one that is being sent is stopped. */
export function removeUpload(id: string): void {
  repeated = [];
  uppy.removeFile(id);
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
  const bytes = uppy.getState().files[id]?.data;
  if (!(bytes instanceof Blob) || bytes.size > HASHED_AT_MOST_BYTES || crypto.subtle === undefined) return null;
  const hash = hashes.get(bytes) ?? hashOf(bytes);
  hashes.set(bytes, hash);
  return hash;
}

/** Whether files are left in the list. */
export function hasUploads(): boolean {
  return uppy.getFiles().length > 0;
}

/** Whether files are being sent at this moment. */
export function uploadsBusy(): boolean {
  return busy;
}

/** Stops what is being sent and empties the list. */
export function clearUploads(): void {
  uppy.cancelAll();
  storedCount = 0;
  repeated = [];
  publish();
}

/** Sends one file; returns what went wrong, or null when it is stored or was removed from the list meanwhile. */
async function sendOne(id: string, choices: UploadChoices): Promise<ApiFault | null> {
  const set = Object.entries(choices).filter(([, value]) => value !== '');
  uppy.getPlugin<XHRUpload<Meta, Answer>>('XHRUpload')?.setOptions({ allowedMetaFields: set.map(([name]) => name) });
  uppy.setFileMeta(id, Object.fromEntries(set));
  const authorization = authorizationHeader().Authorization;

  let fault: ApiFault | null = null;
  const onError = (file: Sent | undefined, error: Error) => {
    if (file?.id === id) fault = reworded(error);
  };
  const onSuccess = (file: Sent | undefined) => {
    if (file?.id !== id) return;
    storedCount += 1;
    if (choices.replaces !== '') replaced.push(Number(choices.replaces));
  };
  uppy.on('upload-error', onError);
  uppy.on('upload-success', onSuccess);
  try {
    // Uppy's own `upload` would start the whole list; this sequence starts one at a time, and only the files it is given.
    await uppy.retryUpload(id);
  } finally {
    uppy.off('upload-error', onError);
    uppy.off('upload-success', onSuccess);
  }

  const left = uppy.getState().files[id];
  if (left === undefined) return null;
  if (fault === null) {
    uppy.removeFile(id);
    return null;
  }
  const { message, status, code, namedClient } = fault as ApiFault;
  if (code === 'names_another_client') stopped.set(id, { named: namedClient ?? null });
  else stopped.delete(id);
  // To replace a file is to delete one, which may ask for the second factor.
  if (code === 'reauth_required' && (await askForProof())) return sendOne(id, choices);
  uppy.setFileState(id, { error: message, progress: { ...left.progress, uploadStarted: null, bytesUploaded: false } });
  noticeUnauthenticated(status, authorization);
  return fault;
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
  const queue = uppy.getFiles().filter((file) => ids === undefined || ids.includes(file.id));
  busy = true;
  window.addEventListener('beforeunload', askBeforeLeaving);
  storedCount = 0;
  replaced = [];
  repeated = [];
  for (const { id } of queue) uppy.setFileState(id, { error: null });
  publish();
  let fault: ApiFault | null = null;
  try {
    for (const { id } of queue) {
      // Taken off the list before its turn came.
      const file = uppy.getState().files[id];
      if (file === undefined) continue;
      if (!file.size) {
        fault = new ApiFault(0, emptyFile);
        uppy.setFileState(id, { error: emptyFile });
        continue;
      }
      fault = (await sendOne(id, choicesOf(id))) ?? fault;
      // Without a session nothing is sent: the rest waits until its owner has signed in again.
      if (fault?.status === 401) break;
    }
  } finally {
    busy = false;
    window.removeEventListener('beforeunload', askBeforeLeaving);
    publish();
  }
  // Not awaited: the dialog need not wait for lists. A failure asks too, because bytes may be stored whose answer was lost.
  if (fault?.status !== 401) void refreshAfterUpload();
  return { storedCount, replaced, fault };
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useUploads(): Uploads {
  return useSyncExternalStore(subscribe, () => snapshot);
}
