// What is said of the portal itself: the same on System and for the operator.

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
