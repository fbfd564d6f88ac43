// What is said of a prepared ZIP.

import type { ArchiveRow } from '#contract/archives.ts';
import { counted } from '#contract/plain-words.ts';
import { formatCount, formatMegabytes } from '#web/lib/format.ts';

const files = (count: number) => counted(count, 'file');

/** What it is called before it has a name. */
export const titleOf = ({ name, filesAsked }: ArchiveRow) => name ?? `ZIP of ${files(filesAsked)}`;

export const readyWords = (row: ArchiveRow) => `Your ZIP of ${files(row.files ?? 0)} is ready: ${row.name ?? ''}`;

export const failedWords = (reason: string) => `Failed to prepare the ZIP: ${reason}`;

export const notSavedWords = (reason: string) => `Failed to download the ZIP: ${reason}`;

export const sizeWords = (row: ArchiveRow) => `${files(row.files ?? 0)}, ${formatMegabytes(row.sizeBytes ?? 0)}`;

/** That files are missing, or null where none is. */
export function missingWords({ files: held, filesAsked }: ArchiveRow): string | null {
  const missing = filesAsked - (held ?? filesAsked);
  if (missing <= 0) return null;
  return `${formatCount(missing)} of ${files(filesAsked)} ${missing === 1 ? 'was' : 'were'} deleted meanwhile, or no longer yours to see, and ${missing === 1 ? 'is' : 'are'} not in it.`;
}
