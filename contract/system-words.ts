// What is said of the portal itself: the same on System and for the operator.
import { inFigures, sizeWords } from './plain-words.ts';

/** What stored bytes are of: a file of a client, something that is kept of one, a file of a batch as it is read and as it was dropped, a ZIP. */
export const STORED_KINDS = ['file', 'version', 'trash', 'batch', 'original', 'archive'] as const;
export type StoredKind = (typeof STORED_KINDS)[number];

/** Where it is: 'Harbor & Pine Bakery LLC, in the trash', 'Batch Pay run'. `of` is the client or the batch. */
export function storedAt({ kind, of }: { readonly kind: StoredKind; readonly of: string | null }): string {
  switch (kind) {
    case 'file':
      return of ?? '';
    case 'version':
      return `${of}, an earlier version`;
    case 'trash':
      return `${of}, in the trash`;
    case 'batch':
      return `Batch ${of}`;
    case 'original':
      return `Batch ${of}, as it was dropped`;
    case 'archive':
      return 'A prepared ZIP';
  }
}

/** Behind a size: ', 12 GB free'. */
export const freeWords = (bytes: number | null): string =>
  bytes === null ? ', free space is not known here' : `, ${sizeWords(bytes)} free`;

/** In how many days each stored file is read again. */
export function rereadWords(days: number | null): string {
  if (days === null) return 'Files are not read again to find damage. Set SCRUB_DAYS to have that done.';
  return `Each file is read again every ${days === 1 ? 'day' : `${days} days`} to find damage.`;
}

/** As many damaged files are listed. */
export const DAMAGED_SHOWN = 20;

/** Below those that are listed: 'and 3 more', 'and 2 that belong to nothing that is kept'; null where there are no others. */
export function unlistedWords(damaged: number, listed: number): string | null {
  const others = damaged - listed;
  if (others <= 0) return null;
  // Where more could be listed, the others are of nothing.
  const words =
    listed >= DAMAGED_SHOWN
      ? `${inFigures(others)} more`
      : `${inFigures(others)} that ${others === 1 ? 'belongs' : 'belong'} to nothing that is kept`;
  return listed === 0 ? words : `and ${words}`;
}
