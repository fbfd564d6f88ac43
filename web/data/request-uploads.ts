// Files on their way to the items of requests: sent one after the other, kept with their reason where they fail.
import { useSyncExternalStore } from 'react';
import { ApiFault, reasonOf } from '#web/lib/api-fault.ts';
import { callUpload, freshKey } from '#web/lib/api-upload.ts';
import { leavingQuestion } from '#web/lib/leaving.ts';
import { newListeners } from '#web/lib/listeners.ts';
import { emptyFile } from '#web/lib/messages.ts';
import { expiredUser, getSession, onSessionChange } from '#web/lib/session.ts';
import { queryClient } from './query-client.ts';
import { answerFault, isItemGone } from './request-faults.ts';
import { refreshRequests } from './requests.ts';

export interface AnswerUpload {
  readonly id: number;
  readonly itemId: number;
  readonly name: string;
  readonly state: 'waiting' | 'sending' | 'failed';
  /** How much of it has left this browser, from 0 to 1. */
  readonly sentShare: number;
  /** Why it failed; null where it has not. */
  readonly reason: string | null;
}

interface Chosen {
  readonly file: File;
  /** Stays with the file, so that a retry never stores it twice. */
  readonly key: string;
  /** Ends its sending. */
  readonly stop: AbortController;
}

let uploads: readonly AnswerUpload[] = [];
let busy = false;
let latestId = 0;
const chosen = new Map<number, Chosen>();
const listeners = newListeners();
const askBeforeLeaving = leavingQuestion();

function set(next: readonly AnswerUpload[]): void {
  uploads = next;
  // What failed is lost with the page too, and nobody would know which files they were.
  askBeforeLeaving(uploads.length > 0);
  listeners.tell();
}

const change = (id: number, next: Partial<AnswerUpload>) =>
  set(uploads.map((upload) => (upload.id === id ? { ...upload, ...next } : upload)));

/** Whose files these are; whoever signs in next neither sends nor sees them. */
let ownerId: number | undefined;
const personHere = () => (getSession()?.user ?? expiredUser())?.id;
onSessionChange(() => {
  if (uploads.length === 0 || personHere() === ownerId) return;
  for (const { stop } of chosen.values()) stop.abort();
  chosen.clear();
  set([]);
});

/** All that is under way or has failed, whatever the item. */
export const useAnswerUploads = () => useSyncExternalStore(listeners.add, () => uploads);

/** Told what became of each file: whoever sends may be on another page by then, or the item be gone. */
export interface AnswerOutcome {
  readonly sent: (name: string) => void;
  /** Told once of all that failed together, with the latest fault. */
  readonly failed: (files: readonly AnswerUpload[], error: unknown) => void;
}

/** Begins to send files for an item; what fails stays in the list. */
export function sendAnswers(itemId: number, files: readonly File[], outcome: AnswerOutcome): void {
  ownerId = personHere();
  const added = files.map((file): AnswerUpload => {
    latestId += 1;
    chosen.set(latestId, { file, key: freshKey(), stop: new AbortController() });
    const isEmpty = file.size === 0;
    return {
      id: latestId,
      itemId,
      name: file.name,
      state: isEmpty ? 'failed' : 'waiting',
      sentShare: 0,
      reason: isEmpty ? emptyFile : null,
    };
  });
  set([...uploads, ...added]);
  void sendAll(outcome);
}

export function retryAnswers(ids: readonly number[], outcome: AnswerOutcome): void {
  for (const id of ids) change(id, { state: 'waiting', reason: null, sentShare: 0 });
  void sendAll(outcome);
}

function takeOff(id: number): void {
  chosen.delete(id);
  set(uploads.filter((upload) => upload.id !== id));
}

/** Takes a file off the list; one that is being sent is stopped. */
export function removeAnswer(id: number): void {
  chosen.get(id)?.stop.abort();
  takeOff(id);
}

/** Why files failed, by their ids. */
type Faults = Map<number, unknown>;

async function sendAll(outcome: AnswerOutcome): Promise<void> {
  if (busy) return;
  busy = true;
  const faults: Faults = new Map();
  try {
    for (;;) {
      // Files may be added while others are sent.
      const next = uploads.find(({ state }) => state === 'waiting');
      if (next === undefined) break;
      await sendOne(next, outcome, faults);
    }
  } finally {
    busy = false;
  }
  // What was removed or sent again meanwhile has not failed.
  const failed = uploads.filter(({ id, state }) => state === 'failed' && faults.has(id));
  const latest = failed.at(-1);
  if (latest !== undefined) outcome.failed(failed, faults.get(latest.id));
}

async function sendOne(upload: AnswerUpload, outcome: AnswerOutcome, faults: Faults): Promise<void> {
  const { id, itemId, name } = upload;
  const one = chosen.get(id);
  if (one === undefined) return takeOff(id);
  change(id, { state: 'sending' });
  try {
    await callUpload('requests.send-file', { id: itemId }, one.file, {
      idempotencyKey: one.key,
      signal: one.stop.signal,
      onSent: (sentShare) => change(id, { sentShare }),
    });
    const isTheirs = chosen.has(id);
    takeOff(id);
    if (isTheirs) outcome.sent(name);
    void queryClient.invalidateQueries({ queryKey: ['files'] });
    await refreshRequests();
  } catch (thrown) {
    // It was stopped, or is somebody else's than of who is here by now.
    if (!chosen.has(id)) {
      // What was stopped may have arrived all the same.
      if (personHere() === ownerId) void refreshRequests();
      return;
    }
    const error = answerFault(thrown);
    const reason = reasonOf(error);
    if (isItemGone(error)) {
      // It is shown nowhere then, and could neither be sent nor removed.
      takeOff(id);
      outcome.failed([upload], error);
    } else {
      change(id, { state: 'failed', reason });
      faults.set(id, error);
    }
    // Without a session the others would fail in the same way: their owner sends them again.
    if (error instanceof ApiFault && error.status === 401) {
      set(uploads.map((other) => (other.state === 'waiting' ? { ...other, state: 'failed', reason } : other)));
    }
    // It was accepted, closed or taken away meanwhile: the page says so.
    if (error instanceof ApiFault && [404, 409].includes(error.status)) await refreshRequests();
  }
}
