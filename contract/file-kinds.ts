// Reports and company documents: their kinds and types in words, which open inside a page, and how many leave at once. Without
// schemas, so that a page that lists files needs none.
export const FILE_TYPES = ['report', 'company_document'] as const;
export type FileType = (typeof FILE_TYPES)[number];

/** What a file type is called on screens and in exports. */
export const fileTypeNames: Record<FileType, string> = { report: 'Report', company_document: 'Company Document' };

export const DOCUMENT_TYPES = [
  'Tax Return',
  'Financial Statement',
  'Supporting Document',
  'Correspondence',
  'Other',
] as const;
export type DocumentType = (typeof DOCUMENT_TYPES)[number];

/** Content types that a browser may open in place; everything else is always a download. */
export const INLINE_CONTENT_TYPES: readonly string[] = [
  'application/pdf',
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'text/plain',
];

/** In characters: why a file is kept under a client although it names another one. */
export const KEEP_REASON_MAX = 200;

/** The most files that one archive holds, or one export of chosen files. */
export const ARCHIVE_FILES_MAX = 1_000;

/** The most files that are given one period by one call: nobody waits long for its transaction. */
export const PERIODS_AT_ONCE_MAX = 100;

/** The most files of a ZIP that is prepared in the background. */
export const PREPARED_FILES_MAX = 20_000;

/** The most files that are asked about at once. */
export const ALREADY_THERE_MAX = 500;
/** That many with names of 255 letters, in bytes of JSON. */
export const ALREADY_THERE_BYTES_MAX = 1024 * 1024;

/** As many new files of a report type, or documents, as are counted. */
export const NEW_FILES_COUNTED_MAX = 100;

/** The refusal of more. */
export const atMost = (most: number) => `Please select at most ${most.toLocaleString('en-US')} files`;

export const TOO_MANY_FILES = atMost(ARCHIVE_FILES_MAX);

export const TOO_MANY_TO_PREPARE = `${atMost(PREPARED_FILES_MAX)}: narrow the list`;

export const REPLACED_AND_CORRECTED = 'A file that is replaced is gone: choose to replace it or to correct it';

/** In place of a report type's id, a filter that leaves the reports without one: only staff see those. */
export const WITHOUT_TYPE = 'none';
