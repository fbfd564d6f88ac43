// What the page of a batch that is being filled says of all its files.
import { counted } from '#contract/plain-words.ts';
import type { BatchUpload } from '#web/data/batch-uploads.ts';
import { batchEmpty, filesDone, unsentWords } from './batch-messages.ts';

export interface Filling {
  /** What was chosen in this tab. */
  readonly items: readonly Pick<BatchUpload, 'state' | 'fileId' | 'opened'>[];
  readonly busy: boolean;
  /** How many are in the batch. */
  readonly files: number;
  /** How many were dropped before a reload, and not again since. */
  readonly missing: number;
}

export function addingWords({ items, busy, files, missing }: Filling): string {
  if (busy) {
    const toSend = items.filter(({ state }) => state !== 'leftOut');
    const stored = toSend.filter(({ fileId, opened }) => fileId !== null || opened !== null).length;
    return filesDone.sent(stored, toSend.length);
  }
  if (items.some(({ state }) => state === 'failed')) {
    // Where one fails for all of them, those behind it are not tried.
    const unsent = items.filter(({ state }) => state === 'failed' || state === 'waiting').length;
    return `${counted(unsent, 'file')} could not be sent. Try again, or read those that are here.`;
  }
  if (missing > 0) return unsentWords.lead(files, files + missing);
  if (files === 0 && items.length === 0) return batchEmpty.files;
  return 'These files are here and have not been read yet. Add what is missing: the same bytes are stored once.';
}
