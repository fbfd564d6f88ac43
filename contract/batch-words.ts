// What becomes of a batch and its documents, in words. Without schemas, so that pages that list them need none.

export const BATCH_STATES = ['adding', 'reading', 'review', 'released', 'recalled', 'dropped', 'discarded'] as const;
export type BatchState = (typeof BATCH_STATES)[number];

export const batchStateNames: Record<BatchState, string> = {
  adding: 'Adding files',
  reading: 'Reading',
  review: 'To review',
  released: 'Released',
  recalled: 'Recalled',
  dropped: 'All dropped',
  discarded: 'Discarded',
};

/** The states in which documents are looked at and changed: what was recalled or dropped may be put right and released. */
const REVIEWED_STATES: readonly BatchState[] = ['review', 'released', 'recalled', 'dropped'];

export const isReviewed = (state: BatchState) => REVIEWED_STATES.includes(state);

export const BATCH_FILE_STATES = ['waiting', 'read', 'unreadable'] as const;
export type BatchFileState = (typeof BATCH_FILE_STATES)[number];

/** Why a file could not be read, or not whole: it is kept, and can be filed by hand. */
export const UNREADABLE_REASONS = [
  'password',
  'damaged',
  'noPages',
  'unsupportedTiff',
  'tooManyPages',
  'tooLong',
  'notWhole',
] as const;
export type UnreadableReason = (typeof UNREADABLE_REASONS)[number];

export const unreadableSentences: Record<UnreadableReason, string> = {
  password: 'It is locked with a password. Enter the password to have it read, or file it as it is.',
  damaged: 'It is damaged, or not what its name says.',
  noPages: 'It has no pages, so there is nothing in it to read or to release. Save it anew and drop it again.',
  unsupportedTiff:
    'This kind of TIFF cannot be read. Scan it again in black and white or in 8-bit color, or drop it as a PDF.',
  tooManyPages: 'It has too many pages. Split it and drop the parts.',
  tooLong: 'It takes too long or too much memory to read.',
  notWhole:
    'Recognizing its scans took too long, so its last pages were not read. Check them, or split it and drop the parts.',
};

/** What is in a ZIP and does not come into the batch, and why. */
export const ZIP_LEFT_OUT = [
  'encrypted',
  'zipInZip',
  'tooLarge',
  'empty',
  'damaged',
  'resourceFork',
  'hidden',
] as const;
export type ZipLeftOut = (typeof ZIP_LEFT_OUT)[number];

/** Why a file that was dropped did not come into a batch: what is in a ZIP, and what a browser did not send. Written out, so that pages that need one word of this load no more. */
export const LEFT_OUT_REASONS = [
  'encrypted',
  'zipInZip',
  'tooLarge',
  'empty',
  'damaged',
  'resourceFork',
  'hidden',
  'zip',
  'tooMany',
  'notSent',
] as const satisfies readonly (ZipLeftOut | 'zip' | 'tooMany' | 'notSent')[];
export type LeftOutReason = (typeof LEFT_OUT_REASONS)[number];

export const leftOutSentences: Record<LeftOutReason, string> = {
  encrypted: 'It is locked with a password. Unpack the ZIP and drop the file.',
  zipInZip: 'It is a ZIP inside a ZIP. Drop it by itself.',
  tooLarge: 'It is larger than this server accepts.',
  empty: 'It is empty.',
  damaged: 'It is damaged, or packed in a way that cannot be opened.',
  resourceFork: 'It is what a Mac keeps beside a file, and no document.',
  hidden: 'It is hidden, or in a hidden folder, and taken for no document. Drop it by itself if it is one.',
  zip: 'It is a ZIP that could not be opened. Drop its files.',
  tooMany: 'The batch takes no more files. Drop it into another one.',
  notSent: 'It could not be sent. Drop it into another batch.',
};

/** The most files that are named of those that did not come into a batch; others are counted. */
export const LEFT_OUT_NAMED_MAX = 500;

/** The most files and folders in a ZIP. */
export const ZIP_ENTRIES_MAX = 2000;

/** Why a ZIP is not taken at all. */
export const zipFaults = {
  damaged: 'This ZIP is damaged. Pack it again, or drop its files.',
  tooManyEntries: `This ZIP holds more than ${ZIP_ENTRIES_MAX} files and folders. Drop it in parts.`,
  tooLarge: 'What is in this ZIP is larger than this server unpacks at once. Drop it in parts.',
  tooTight: 'This ZIP unpacks to far more than it holds, so it is not opened. Drop its files.',
} as const;

/** What is wrong with the password of a file. */
export const filePasswordFaults = {
  wrong: 'This password does not open the file',
  noCopy: 'This password is right, but the file cannot be kept without it. File it as it is.',
  sameFile: 'The batch has the same file without a password already. Drop this one.',
} as const;

/**
 * `toCheck` and `ready` are proposals, `accepted` and `dropped` decisions of a person; a released document is a file of its client, until
 * it is recalled.
 */
export const DOCUMENT_STATES = [
  'toCheck',
  'ready',
  'accepted',
  'dropped',
  'releasing',
  'released',
  'recalled',
] as const;
export type DocumentState = (typeof DOCUMENT_STATES)[number];

export const documentStateNames: Record<DocumentState, string> = {
  toCheck: 'To check',
  ready: 'Ready',
  accepted: 'Accepted',
  dropped: 'Dropped',
  releasing: 'Releasing',
  released: 'Released',
  recalled: 'Recalled',
};

/** The states in which a person may still change a document. */
const OPEN_DOCUMENT_STATES: ReadonlySet<DocumentState> = new Set<DocumentState>([
  'toCheck',
  'ready',
  'accepted',
  'dropped',
  'recalled',
]);

export const isOpenDocument = (state: DocumentState) => OPEN_DOCUMENT_STATES.has(state);

/** What a reviewer's choice can teach: pages headed so are of this report type, a company called so is this client. */
export const REMEMBERED = ['type', 'client'] as const;
export type Remembered = (typeof REMEMBERED)[number];

/** The most suggestions of one person at once. */
export const SUGGESTIONS_MAX = 200;

/** How many documents one decision names, and one split makes. */
export const DECIDED_AT_ONCE_MAX = 2000;
/** The most documents of a batch in one answer: with all that speaks for each, more would keep others waiting. */
export const DOCUMENTS_LISTED_MAX = 250;

/** The most files in a batch. */
export const BATCH_FILES_MAX = 500;
/** The most pages that are read of one batch. */
export const BATCH_PAGES_MAX = 5000;
/** The most pieces of text that are read of one batch: two hundred on each of so many pages. */
export const BATCH_PIECES_MAX = 1_000_000;

/** Why a batch of which every file was read has no documents. */
export const RECOGNISING_TOO_LONG =
  'What stands in these files takes too long or too much memory to tell apart. Discard the batch and drop them in parts.';

/** Of a batch with documents that no release goes on with: they are released again. */
export const RELEASING_ENDED = 'Releasing ended before it was done. Release the batch again.';

/** Whether the fault of a batch says so: alone, or after that of a file whose reading ended. */
export const isReleasingEnded = (fault: string | null) => fault?.endsWith(RELEASING_ENDED) ?? false;

/** What a document still needs before it can be accepted. */
export const NEEDS_CLIENT = 'Please select a client';
export const NEEDS_REPORT_TYPE = 'Please select a report type';
