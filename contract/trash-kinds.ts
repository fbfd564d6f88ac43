// What the trash keeps, in words. Without schemas, so that a page that lists it needs none.

export const TRASH_KINDS = ['file', 'client'] as const;
export type TrashKind = (typeof TRASH_KINDS)[number];

/** What the list is narrowed to. */
export const TRASH_NOUNS = ['report', 'company_document', 'client'] as const;
export type TrashNoun = (typeof TRASH_NOUNS)[number];
