// Batches: files dropped together, separated into documents, matched to clients, reviewed by a person and released.
import { z } from 'zod';
import {
  BATCH_FILE_STATES,
  BATCH_STATES,
  DECIDED_AT_ONCE_MAX,
  DOCUMENT_STATES,
  DOCUMENTS_LISTED_MAX,
  LEFT_OUT_NAMED_MAX,
  LEFT_OUT_REASONS,
  REMEMBERED,
  UNREADABLE_REASONS,
  ZIP_LEFT_OUT,
} from './batch-words.ts';
import { Id, IdText, Instant, pageQuery, storedTextLine, wholeNumberText } from './fields.ts';
import { REPLACED_AND_CORRECTED } from './file-kinds.ts';
import { FileOpenQuery } from './file-opening.ts';
import { Period } from './period-fields.ts';
import { REASON_KINDS, SIGNAL_KINDS } from './recognition-words.ts';

export const BatchRow = z.object({
  id: Id,
  name: z.string(),
  state: z.enum(BATCH_STATES),
  ownerName: z.string(),
  /** A colleague's, whose documents the viewer reaches: its files are opened document by document, and it is not discarded. */
  shared: z.boolean(),
  createdAt: Instant,
  releasedAt: Instant.nullable(),
  files: z.int(),
  /** How many more were dropped and did not come into it. */
  leftOut: z.int(),
  /** Of the files that have been read. */
  pages: z.int(),
  unreadable: z.int(),
  /** Documents by state. */
  documents: z.int(),
  toCheck: z.int(),
  ready: z.int(),
  accepted: z.int(),
  dropped: z.int(),
  releasing: z.int(),
  released: z.int(),
  recalled: z.int(),
  /** Per cent, while it is read or released; null where none is known. */
  progress: z.int().nullable(),
  /** Why reading or releasing ended before it was done; both, where both have. */
  fault: z.string().nullable(),
});
export type BatchRow = z.infer<typeof BatchRow>;

const paging = { limit: pageQuery.limit, offset: pageQuery.offset, t: pageQuery.t, _: pageQuery._ };

export const BatchQuery = z.strictObject({
  ...paging,
  state: z.enum(BATCH_STATES, { error: `Must be one of ${BATCH_STATES.join(', ')}` }).optional(),
});
export type BatchQuery = z.infer<typeof BatchQuery>;

export const DocumentsQuery = z.strictObject({ ...paging, limit: wholeNumberText(1, DOCUMENTS_LISTED_MAX).optional() });
export type DocumentsQuery = z.infer<typeof DocumentsQuery>;

const BATCH_NAME_MAX = 120;

export const BatchInput = z.strictObject({
  name: storedTextLine({ min: 1, max: BATCH_NAME_MAX, message: 'Please enter a name' }),
});
export type BatchInput = z.infer<typeof BatchInput>;

export const BatchFileRow = z.object({
  id: Id,
  name: z.string(),
  size: z.int(),
  contentType: z.string(),
  sha256: z.string(),
  state: z.enum(BATCH_FILE_STATES),
  unreadable: z.enum(UNREADABLE_REASONS).nullable(),
  /** Null until it is read, and for what has no pages. */
  pages: z.int().nullable(),
  /** It holds a document of a client or report type that the viewer does not reach, and is not opened. */
  closed: z.boolean(),
  /** It was opened with its password, or is a PDF of the pages of a TIFF: the file as it was dropped is kept beside it. */
  hasOriginal: z.boolean(),
});
export type BatchFileRow = z.infer<typeof BatchFileRow>;

/** A file that was dropped and did not come into the batch, by the end of its path: 'run.zip/March/notes.zip'. */
export const LeftOutFile = z.object({ name: z.string(), reason: z.enum(LEFT_OUT_REASONS) });
export type LeftOutFile = z.infer<typeof LeftOutFile>;

/** `leftOut`: the first ones, in the order they were told. */
export const BatchDetails = z.object({
  batch: BatchRow,
  files: z.array(BatchFileRow),
  leftOut: z.array(LeftOutFile),
});
export type BatchDetails = z.infer<typeof BatchDetails>;

/** Longer than any path that a browser tells; it is kept as far as a name is. */
const TOLD_NAME_MAX = 1024;
/** All that may be told at once, in letters that take two bytes. */
export const LEFT_OUT_BYTES_MAX = 1024 * 1024;

/** What a browser did not send to the batch. */
export const LeftOutTold = z.strictObject({
  files: z
    .array(z.strictObject({ name: z.string().min(1).max(TOLD_NAME_MAX), reason: z.enum(LEFT_OUT_REASONS) }))
    .min(1, 'Please name at least one file')
    .max(LEFT_OUT_NAMED_MAX, `Please name at most ${LEFT_OUT_NAMED_MAX} files`),
});
export type LeftOutTold = z.infer<typeof LeftOutTold>;

/** The fields that are sent with a file of a batch: none. */
export const BatchUploadFields = z.strictObject({});

/** What became of a ZIP, which is not kept itself. */
export const OpenedZip = z.object({
  taken: z.array(BatchFileRow),
  /** Paths in the ZIP of bytes that the batch has already, or that came before in it, and under which name. */
  alreadyThere: z.array(z.object({ path: z.string(), name: z.string() })),
  /** Paths in the ZIP of what was left out. */
  leftOut: z.array(z.object({ path: z.string(), reason: z.enum(ZIP_LEFT_OUT) })),
});
export type OpenedZip = z.infer<typeof OpenedZip>;

export const BatchFileAdded = z.object({
  /** Null for a ZIP, of which the files were taken. */
  file: BatchFileRow.nullable(),
  /** The batch has the same bytes already, under the name of `file`: they were not stored again. */
  alreadyThere: z.boolean(),
  /** Null for any other file. */
  opened: OpenedZip.nullable(),
});
export type BatchFileAdded = z.infer<typeof BatchFileAdded>;

const FILE_PASSWORD_MAX = 500;

/** The password of a file of the batch: tried, and not kept. */
export const FilePassword = z.strictObject({
  fileId: Id,
  password: z
    .string()
    .min(1, 'Please enter the password')
    .max(FILE_PASSWORD_MAX, `Must have at most ${FILE_PASSWORD_MAX} characters`),
});
export type FilePassword = z.infer<typeof FilePassword>;

/** Words on a page that decided, in points from its top left corner; an image is as long as `IMAGE_POINTS`. */
export const Mark = z.object({
  page: z.int(),
  x: z.number(),
  y: z.number(),
  width: z.number(),
  height: z.number(),
});
export type Mark = z.infer<typeof Mark>;

export const Signal = z.object({
  kind: z.enum(SIGNAL_KINDS),
  /** The words that were found. */
  text: z.string(),
  marks: z.array(Mark),
});
export type Signal = z.infer<typeof Signal>;

export const ClientCandidate = z.object({ clientId: Id, clientName: z.string(), signals: z.array(Signal) });
export type ClientCandidate = z.infer<typeof ClientCandidate>;

/** Why, when and by whom a document was recalled. */
export const DocumentRecall = z.object({ reason: z.string(), at: Instant, byName: z.string() });
export type DocumentRecall = z.infer<typeof DocumentRecall>;

export const DocumentRow = z.object({
  id: Id,
  fileId: Id,
  fileName: z.string(),
  /** From 1; both 0 for a file without pages. */
  fromPage: z.int(),
  toPage: z.int(),
  state: z.enum(DOCUMENT_STATES),
  /** Null where nobody has said, and where the client is out of reach. */
  clientId: Id.nullable(),
  clientName: z.string().nullable(),
  reportTypeId: Id.nullable(),
  reportTypeName: z.string().nullable(),
  period: z.string().nullable(),
  /** The form that was recognised: '941-X'. */
  form: z.string().nullable(),
  correction: z.boolean(),
  /** Best first. */
  clients: z.array(ClientCandidate),
  typeSignals: z.array(Signal),
  periodSignals: z.array(Signal),
  /** Why it is not ready. */
  reasons: z.array(z.enum(REASON_KINDS)),
  /** What could be remembered of it for the next batch: the heading of its pages for its type, the name on it for its client. */
  rememberable: z.object({ type: z.string().nullable(), client: z.string().nullable() }),
  /** What it is called as a file. */
  name: z.string(),
  /** The newest file of the same client, type and period that is there already; `only` where there is no other, `onHold` where it is not replaced. */
  alreadyThere: z.object({ fileId: Id, name: z.string(), only: z.boolean(), onHold: z.boolean() }).nullable(),
  /** A file that has its bytes already: `of` the whole file, or of these `pages` of it, which were released before. Null where none is in reach, and for pages that never were released. */
  sameBytes: z
    .object({ fileId: Id, name: z.string(), clientName: z.string().nullable(), of: z.enum(['file', 'pages']) })
    .nullable(),
  /** The file that it takes the place of once it is released; null where it is added beside what is there. */
  replacesFileId: Id.nullable(),
  /** The file that it corrects once it is released: that one stays, and is marked. */
  correctsFileId: Id.nullable(),
  /** The file that it became. */
  releasedFileId: Id.nullable(),
  /** That file is on hold, itself or with its client: it is not recalled. */
  onHold: z.boolean(),
  /** Of a client or report type that the viewer does not reach: nothing is decided about it, and nothing told of its pages, its period or other files. */
  closed: z.boolean(),
  /** Why it was not released. */
  fault: z.string().nullable(),
  reviewedByName: z.string().nullable(),
  /** Its last recall, until it is released again. */
  recall: DocumentRecall.nullable(),
  /** Its file was restored from the trash since that recall: it is in the lists again. */
  restored: z.boolean(),
  /** Whether the viewer accepted it: with four eyes, somebody else releases it. */
  acceptedByMe: z.boolean(),
  /** Grows with each change. */
  version: z.int(),
});
export type DocumentRow = z.infer<typeof DocumentRow>;

const DocumentIds = z
  .array(Id)
  .min(1, 'Please select at least one document')
  .max(DECIDED_AT_ONCE_MAX, `Please select at most ${DECIDED_AT_ONCE_MAX} documents`);

/** What a person says of documents. What is left out stays; a document that is accepted needs a client and a report type. */
export const DocumentDecision = z
  .strictObject({
    ids: DocumentIds,
    clientId: Id.nullable().optional(),
    reportTypeId: Id.nullable().optional(),
    period: Period.nullable().optional(),
    /** The file there already that a single document is to take the place of. Another place makes it nobody's again. */
    replacesFileId: Id.nullable().optional(),
    /** The file there already that a single document is to correct. Another place makes it nobody's again, and so does the one above. */
    correctsFileId: Id.nullable().optional(),
    decision: z.enum(['accepted', 'dropped', 'open']).optional(),
    /** What is remembered of a single document for the next batch: its own words (`rememberable`) for the type or client it has then. */
    remember: z.array(z.enum(REMEMBERED)).min(1, 'Please say what to remember').max(REMEMBERED.length).optional(),
    /** The version of a single document that was looked at: another one is refused. */
    version: z.int().min(1).optional(),
    /** The versions of several that were looked at, in the order of `ids`: where one is another by now, nothing is changed. */
    versions: z.array(z.int().min(1)).max(DECIDED_AT_ONCE_MAX).optional(),
  })
  .refine(
    ({ ids: _ids, version: _version, versions: _versions, ...said }) =>
      Object.values(said).some((value) => value !== undefined),
    'Please say what is to change',
  )
  .refine(({ ids, version }) => version === undefined || ids.length === 1, {
    path: ['version'],
    error: 'A version is that of a single document',
  })
  .refine(({ ids, versions }) => versions === undefined || versions.length === ids.length, {
    path: ['versions'],
    error: 'There must be as many versions as documents',
  })
  .refine(({ ids, replacesFileId }) => typeof replacesFileId !== 'number' || ids.length === 1, {
    path: ['replacesFileId'],
    error: 'A file is replaced by a single document',
  })
  .refine(({ ids, remember }) => remember === undefined || ids.length === 1, {
    path: ['remember'],
    error: 'What is remembered is of a single document',
  })
  .refine(({ ids, correctsFileId }) => typeof correctsFileId !== 'number' || ids.length === 1, {
    path: ['correctsFileId'],
    error: 'A file is corrected by a single document',
  })
  .refine((said) => typeof said.correctsFileId !== 'number' || typeof said.replacesFileId !== 'number', {
    path: ['correctsFileId'],
    error: REPLACED_AND_CORRECTED,
  });
export type DocumentDecision = z.infer<typeof DocumentDecision>;

/** How a file of a batch is opened: shown or saved, whole or the pages of one of its documents. */
export const BatchFileOpenQuery = FileOpenQuery.extend({
  document: IdText.optional(),
  /** The file as it was dropped, where another is in its place (`hasOriginal`). */
  original: z.enum(['true', 'false']).optional(),
});
export type BatchFileOpenQuery = z.infer<typeof BatchFileOpenQuery>;

export const DocumentSplit = z.strictObject({
  documentId: Id,
  /** The page of the file that begins the second document. */
  page: z.int().min(2),
  /** The version that was looked at: another one is refused. */
  version: z.int().min(1).optional(),
});
export type DocumentSplit = z.infer<typeof DocumentSplit>;

export const DocumentJoin = z.strictObject({
  documentId: Id,
  /** The version that was looked at: another one is refused. */
  version: z.int().min(1).optional(),
  /** The document before it that was looked at: another one, or another version of it, is refused. */
  before: z.strictObject({ id: Id, version: z.int().min(1) }).optional(),
});
export type DocumentJoin = z.infer<typeof DocumentJoin>;

/** Which accepted documents are released; all of them unless ids are given. */
export const ReleaseRequest = z.strictObject({ ids: DocumentIds.optional() });
export type ReleaseRequest = z.infer<typeof ReleaseRequest>;

const RECALL_REASON_MAX = 500;

/** Which released documents are recalled; all of them unless ids are given. */
export const RecallRequest = z.strictObject({
  ids: DocumentIds.optional(),
  reason: storedTextLine({ min: 1, max: RECALL_REASON_MAX, message: 'Please say why it is recalled' }),
});
export type RecallRequest = z.infer<typeof RecallRequest>;

/** Who opened or downloaded a released document, newest first. */
export const DocumentAccess = z.object({
  documentId: Id,
  fileName: z.string(),
  clientId: Id.nullable(),
  clientName: z.string().nullable(),
  action: z.enum(['view', 'download']),
  userName: z.string(),
  at: Instant,
});
export type DocumentAccess = z.infer<typeof DocumentAccess>;

/** What a recall did. */
export const RecallResult = z.object({
  recalled: z.int(),
  /** Documents whose file was deleted or replaced before: it is in no list already. */
  alreadyGone: z.int(),
  accesses: z.array(DocumentAccess),
});
export type RecallResult = z.infer<typeof RecallResult>;
