// Files on their way into a batch: sent one after the other, kept with their reason where they fail. It goes on while other pages are open.
import { useSyncExternalStore } from 'react';
import { LEFT_OUT_NAMED_MAX, type LeftOutReason, zipFaults } from '#contract/batch-words.ts';
import type { LeftOutFile, OpenedZip } from '#contract/batches.ts';
import { call } from '#web/lib/api.ts';
import { ApiFault } from '#web/lib/api-fault.ts';
import { callUpload } from '#web/lib/api-upload.ts';
import { pathOf, whyNotSent } from '#web/lib/chosen-files.ts';
import { leavingQuestion } from '#web/lib/leaving.ts';
import { newListeners } from '#web/lib/listeners.ts';
import { unreachable } from '#web/lib/messages.ts';
import { batchQuery } from './batches.ts';
import { queryClient } from './query-client.ts';
import { forgetUnsent, readUnsent, rememberUnsent } from './unsent-files.ts';

export interface BatchUpload {
  readonly id: number;
  /** With the folder that it came in: several may have files of one name. */
  readonly name: string;
  readonly sizeBytes: number;
  /** Left out: it is empty or no document, and holds no other back. */
  readonly state: 'waiting' | 'sending' | 'failed' | 'stored' | 'alreadyThere' | 'leftOut' | 'opened';
  /** How much of it has left this browser, from 0 to 1. */
  readonly sentShare: number;
  readonly reason: string | null;
  /** Why it is left out, if it stays out: of what is not sent or has failed. */
  readonly leftOut: LeftOutReason | null;
  /** The file of the batch that has its bytes, once they are stored. */
  readonly fileId: number | null;
  /** What became of a ZIP, once its files are stored. */
  readonly opened: OpenedZip | null;
}

export interface BatchUploads {
  readonly items: readonly BatchUpload[];
  readonly busy: boolean;
}

interface Queue extends BatchUploads {
  readonly files: ReadonlyMap<number, File>;
  /** What was dropped before a reload, and not again since. */
  readonly missing: readonly string[];
}

const NOTHING: Queue = { items: [], busy: false, files: new Map(), missing: [] };
const queues = new Map<number, Queue>();
const listeners = newListeners();
const askBeforeLeaving = leavingQuestion();
let latestId = 0;

const queueOf = (batchId: number) => queues.get(batchId) ?? NOTHING;

function set(batchId: number, next: Partial<Queue>): void {
  queues.set(batchId, { ...queueOf(batchId), ...next });
  listeners.tell();
}

function setItem(batchId: number, id: number, next: Partial<BatchUpload>): void {
  set(batchId, { items: queueOf(batchId).items.map((item) => (item.id === id ? { ...item, ...next } : item)) });
  // Not at each step of its progress.
  if (next.state !== undefined && next.state !== 'sending') remember(batchId);
}

const UNSENT: ReadonlySet<BatchUpload['state']> = new Set(['waiting', 'sending', 'failed']);

/** What a reload would lose. */
function remember(batchId: number): void {
  const { items, missing } = queueOf(batchId);
  const unsent = items.filter(({ state }) => UNSENT.has(state)).map(({ name }) => name);
  rememberUnsent(batchId, [...unsent, ...missing]);
}

/** The names of what was dropped before a reload, is not in the batch, and was not dropped again. */
export const missingFiles = (batchId: number): readonly string[] => queues.get(batchId)?.missing ?? readUnsent(batchId);

export function useBatchUploads(batchId: number): BatchUploads {
  return useSyncExternalStore(listeners.add, () => queueOf(batchId));
}

/** True where the file is in the batch. */
async function sendItem(batchId: number, { id }: BatchUpload): Promise<ApiFault | null> {
  const file = queueOf(batchId).files.get(id);
  if (file === undefined) return null;
  setItem(batchId, id, { state: 'sending', reason: null, sentShare: 0 });
  try {
    const {
      file: stored,
      alreadyThere,
      opened,
    } = await callUpload('batches.add-file', { id: batchId }, file, {
      onSent: (sentShare) => setItem(batchId, id, { sentShare }),
    });
    if (opened !== null) setItem(batchId, id, { state: 'opened', opened });
    else setItem(batchId, id, { state: alreadyThere ? 'alreadyThere' : 'stored', fileId: stored?.id ?? null });
    return null;
  } catch (error) {
    const fault = error instanceof ApiFault ? error : new ApiFault(0, unreachable);
    setItem(batchId, id, { state: 'failed', reason: fault.message, leftOut: reasonOf(fault) });
    return fault;
  }
}

const ZIP_FAULTS: readonly (string | undefined)[] = Object.values(zipFaults);

function reasonOf({ code, fields }: ApiFault): LeftOutReason {
  if (code === 'file_too_large') return 'tooLarge';
  if (code === 'batch_files_max') return 'tooMany';
  return ZIP_FAULTS.includes(fields?.['file']) ? 'zip' : 'notSent';
}

/** Without a session, or in a batch that takes no more, the others would fail in the same way. */
const endsAll = ({ status, code }: ApiFault) =>
  status === 401 || status === 404 || code === 'batch_files_max' || code === 'batch_not_adding';

/**
 * Sends what waits or has failed. Resolves with true where every file that is not left out is in the batch then, of before a reload
 * too, and what was in ZIPs; never rejects. `onLate` is told how many are not, where it was read meanwhile: its page names them no more.
 */
export async function sendBatchUploads(
  batchId: number,
  onLate: (fault: ApiFault, count: number) => void,
): Promise<boolean> {
  if (queueOf(batchId).busy) return false;
  set(batchId, { busy: true });
  askBeforeLeaving(true);
  const isOpen = ({ state }: BatchUpload) => state === 'waiting' || state === 'failed';
  const tried = new Set<number>();
  let last: ApiFault | null = null;
  try {
    for (;;) {
      // Files may be added while others are sent.
      const next = queueOf(batchId).items.find((item) => isOpen(item) && !tried.has(item.id));
      if (next === undefined) break;
      tried.add(next.id);
      last = await sendItem(batchId, next);
      if (last !== null && endsAll(last)) break;
    }
  } finally {
    set(batchId, { busy: false });
    askBeforeLeaving([...queues.values()].some(({ busy }) => busy));
  }
  await queryClient.invalidateQueries({ queryKey: batchQuery(batchId).queryKey });
  const { items, missing } = queueOf(batchId);
  const unsent = items.filter(isOpen).length;
  if (last?.code === 'batch_not_adding' && unsent > 0) onLate(last, unsent);
  // Where the batch was discarded meanwhile, nothing is to be read.
  return items.length > 0 && unsent === 0 && missing.length === 0 && !items.some(isPartlyTaken);
}

/** A ZIP of which something was left out: somebody looks at what, before the batch is read. */
const isPartlyTaken = ({ opened }: BatchUpload) => opened !== null && opened.leftOut.length > 0;

/** Adds files to those that are sent; false where none of them is. */
export function addBatchUploads(batchId: number, files: readonly File[]): boolean {
  const { items, files: known } = queueOf(batchId);
  const all = new Map(known);
  const missing = [...missingFiles(batchId)];
  const added = files.map((file): BatchUpload => {
    latestId += 1;
    all.set(latestId, file);
    const name = pathOf(file);
    const same = missing.indexOf(name);
    // Dropped again it may come without its folder.
    const at = same >= 0 ? same : missing.findIndex((path) => path.endsWith(`/${file.name}`));
    if (at >= 0) missing.splice(at, 1);
    const leftOut = whyNotSent(file);
    return {
      id: latestId,
      name,
      sizeBytes: file.size,
      state: leftOut === null ? 'waiting' : 'leftOut',
      sentShare: 0,
      reason: null,
      leftOut,
      fileId: null,
      opened: null,
    };
  });
  set(batchId, { items: [...items, ...added], files: all, missing });
  remember(batchId);
  return added.some(({ state }) => state === 'waiting');
}

/** Takes a file that is not in the batch off the list. */
export function removeBatchUpload(batchId: number, id: number): void {
  set(batchId, { items: queueOf(batchId).items.filter((item) => item.id !== id) });
  remember(batchId);
}

/** Names to the server what does not come into the batch. The same is named once, however often it is told. Throws ApiFault. */
async function tell(batchId: number, files: readonly LeftOutFile[]): Promise<void> {
  for (let from = 0; from < files.length; from += LEFT_OUT_NAMED_MAX) {
    const some = files.slice(from, from + LEFT_OUT_NAMED_MAX);
    await call('batches.leave-out', { params: { id: batchId }, body: { files: some } });
  }
  if (files.length > 0) await queryClient.invalidateQueries({ queryKey: batchQuery(batchId).queryKey });
}

/** Names the files that are not sent, which leave the list of those that are: the page has them from the server. Throws ApiFault. */
export async function tellNotSent(batchId: number): Promise<void> {
  const notSent = queueOf(batchId).items.filter(({ state }) => state === 'leftOut');
  await tell(
    batchId,
    notSent.map(({ name, leftOut }) => ({ name, reason: leftOut ?? 'empty' })),
  );
  const told = new Set(notSent);
  set(batchId, { items: queueOf(batchId).items.filter((item) => !told.has(item)) });
}

/** Names everything that was dropped and is not in the batch, which is read without it. Throws ApiFault. */
export async function tellLeftOut(batchId: number): Promise<void> {
  const { items } = queueOf(batchId);
  const isFull = items.some(({ leftOut }) => leftOut === 'tooMany');
  await tell(batchId, [
    ...items.flatMap(({ name, state, leftOut }): LeftOutFile[] => {
      if (state !== 'leftOut' && !UNSENT.has(state)) return [];
      return [{ name, reason: leftOut ?? (isFull ? 'tooMany' : 'notSent') }];
    }),
    ...missingFiles(batchId).map((name): LeftOutFile => ({ name, reason: 'notSent' })),
  ]);
}

/** Forgets what was sent. */
export function forgetBatchUploads(batchId: number): void {
  queues.delete(batchId);
  forgetUnsent(batchId);
  listeners.tell();
}
