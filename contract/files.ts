// Reports and company documents: what is sent, what is listed, and which of them open inside a page.
import { z } from 'zod';
import {
  DayOrInstant,
  Id,
  IdText,
  Instant,
  longPageQuery,
  pageQuery,
  SearchText,
  sortQuery,
  storedTextLine,
  TimeZone,
  Version,
} from './fields.ts';
import {
  ALREADY_THERE_MAX,
  ARCHIVE_FILES_MAX,
  DOCUMENT_TYPES,
  FILE_TYPES,
  KEEP_REASON_MAX,
  REPLACED_AND_CORRECTED,
  TOO_MANY_FILES,
  WITHOUT_TYPE,
} from './file-kinds.ts';
import { FileVersions } from './file-versions.ts';
import { NOT_A_PERIOD } from './period.ts';
import { Period, PeriodFilter } from './period-fields.ts';

const FileTypeField = z.enum(FILE_TYPES, { error: 'File type must be report or company_document' });

const DocumentTypeField = z.enum(DOCUMENT_TYPES, { error: `Must be one of ${DOCUMENT_TYPES.join(', ')}` });

/** An optional id in a multipart form, where an unset field travels as empty text. */
const OptionalIdField = z
  .union([z.literal('').transform(() => undefined), IdText], { error: 'Must be a positive whole number' })
  .optional();

export const NO_REPORT_TYPE = 'A company document has no report type';

export const NO_DOCUMENT_TYPE = 'A report has no document type';

/** Why a file is not what another one corrects (docs/behaviour.md, Files). */
export const NOT_TO_CORRECT = 'Choose a file of the same client';

export const CORRECTS_ITSELF = 'A file does not correct itself';

export const CORRECTS_IN_A_CIRCLE = 'That file is itself a correction of this one';

/** Of a file in reach: which it is, is no secret. */
export const REPLACES_ELSEWHERE = 'Only a file of the same client, kind and type can be replaced';

export const NOT_TO_REPLACE = 'The file to replace is not there any more';

export const REPLACES_ITSELF = 'A file does not replace itself';

/** Why a file took the place of another. */
const ReplacedBecause = storedTextLine({ min: 1, max: KEEP_REASON_MAX, message: 'Please say why it is replaced' });

export const KeepReason = storedTextLine({
  min: 1,
  max: KEEP_REASON_MAX,
  message: 'Please say why it is this client’s',
});

/** The multipart fields that are sent with the file. */
export const UploadFields = z
  .strictObject({
    clientId: z.string({ error: 'Please select a client' }).min(1, 'Please select a client').pipe(IdText),
    fileType: FileTypeField,
    reportTypeId: OptionalIdField,
    documentType: z.union([z.literal('').transform(() => undefined), DocumentTypeField]).optional(),
    period: z.union([z.literal('').transform(() => undefined), Period], { error: NOT_A_PERIOD }).optional(),
    /** A file of the same client, kind and type: this one takes its place, and that one is kept as an earlier version. */
    replaces: OptionalIdField,
    /** Why it does, for the log and for staff who look at the earlier version. */
    replacedBecause: z.union([z.literal('').transform(() => undefined), ReplacedBecause]).optional(),
    /** A file of the same client that this one corrects: it stays, and is marked. */
    corrects: OptionalIdField,
    /** Why it is this client's although it names another one: then it is not asked again, and the log has the reason. */
    keepBecause: z.union([z.literal('').transform(() => undefined), KeepReason]).optional(),
  })
  .refine((fields) => fields.fileType === 'report' || fields.reportTypeId === undefined, {
    path: ['reportTypeId'],
    error: NO_REPORT_TYPE,
  })
  .refine((fields) => fields.fileType === 'company_document' || fields.documentType === undefined, {
    path: ['documentType'],
    error: NO_DOCUMENT_TYPE,
  })
  .refine(({ replaces, corrects }) => corrects === undefined || corrects !== replaces, {
    path: ['corrects'],
    error: REPLACED_AND_CORRECTED,
  });
export type UploadFields = z.infer<typeof UploadFields>;

/** The longest name that an upload keeps, in UTF-16 units. */
const NAME_LENGTH_MAX = 255;

/**
 * Where a file is to be filed from now on, for which period, under which name, and what it corrects. What is left out stays, as far
 * as the kind has it; null removes a type, the period, or what it corrects. With another client it corrects nothing any more, unless
 * a file of that client is named.
 */
export const RefileInput = z
  .strictObject({
    clientId: Id.optional(),
    fileType: FileTypeField.optional(),
    reportTypeId: Id.nullable().optional(),
    documentType: DocumentTypeField.nullable().optional(),
    period: Period.nullable().optional(),
    /** The file that it corrects; null for none. */
    corrects: Id.nullable().optional(),
    /** A file of the client, kind and type where this one is then: this one takes its place, and that one is kept as an earlier version. */
    replaces: Id.optional(),
    replacedBecause: ReplacedBecause.optional(),
    originalName: storedTextLine({ min: 1, max: NAME_LENGTH_MAX, message: 'Please enter a name' }).optional(),
    /** Why it is this client's although it names another one: then it is not asked again, and the log has the reason. */
    keepBecause: KeepReason.optional(),
  })
  .refine(
    ({ keepBecause: _why, replacedBecause: _because, ...change }) =>
      Object.values(change).some((value) => value !== undefined),
    'Please say what is to change',
  )
  .refine(({ replaces, corrects }) => replaces === undefined || corrects !== replaces, {
    path: ['corrects'],
    error: REPLACED_AND_CORRECTED,
  })
  .refine((change) => change.fileType !== 'company_document' || (change.reportTypeId ?? null) === null, {
    path: ['reportTypeId'],
    error: NO_REPORT_TYPE,
  })
  .refine((change) => change.fileType !== 'report' || (change.documentType ?? null) === null, {
    path: ['documentType'],
    error: NO_DOCUMENT_TYPE,
  });
export type RefileInput = z.infer<typeof RefileInput>;

/** The files of one client. */
export const FilePeriodsQuery = z.strictObject({ clientId: IdText, fileType: FileTypeField.optional() });
export type FilePeriodsQuery = z.infer<typeof FilePeriodsQuery>;

/** What the upload dialogs say before anything is sent (docs/behaviour.md, Files: uploading). */
export const NO_FILE_CHOSEN = 'Please select at least one file to upload';

export const FileRow = z.object({
  id: Id,
  originalName: z.string(),
  size: z.int(),
  contentType: z.string(),
  sha256: z.string(),
  uploadedAt: Instant,
  createdAt: Instant,
  uploadedById: Id.nullable(),
  uploaderName: z.string(),
  clientId: Id,
  clientName: z.string(),
  reportTypeId: Id.nullable(),
  reportTypeName: z.string().nullable(),
  fileType: z.enum(FILE_TYPES),
  documentType: z.enum(DOCUMENT_TYPES).nullable(),
  /** A pay date, a month, a quarter or a year; null where nobody has said. */
  period: z.string().nullable(),
  /** It came lately and the viewer has not opened it yet: to a Client user any file, to staff a document that a Client user sent. */
  isNew: z.boolean(),
  /** Of a report that the viewer uploaded within a day and might take back: whether anybody else has opened it; null for any other. */
  openedByOthers: z.boolean().nullable(),
  /** The file that it corrects, as far as the viewer reaches that. */
  corrects: z.object({ id: Id, originalName: z.string() }).nullable(),
  /** The newest file within reach that corrects it. */
  correctedBy: z.object({ id: Id, originalName: z.string(), uploadedAt: Instant }).nullable(),
  /** Itself, or with its client: nobody deletes it, replaces it or files it under another client. */
  onHold: z.boolean(),
  /** Of where it is filed: client, kind, type and period. */
  version: Version,
});
export type FileRow = z.infer<typeof FileRow>;

export const NOTHING_SELECTED = 'Please select at least one file';

/** Files that somebody is about to upload, each with the place where it would be filed. */
export const AlreadyThereRequest = z.strictObject({
  files: z
    .array(
      z.strictObject({
        clientId: Id,
        fileType: FileTypeField,
        reportTypeId: Id.nullable().optional(),
        documentType: DocumentTypeField.nullable().optional(),
        name: storedTextLine({ min: 1, max: NAME_LENGTH_MAX, message: 'Please enter a name' }),
        /** In bytes. */
        size: z.int().min(0),
      }),
      { error: NOTHING_SELECTED },
    )
    .min(1, NOTHING_SELECTED)
    .max(ALREADY_THERE_MAX, `Please ask about at most ${ALREADY_THERE_MAX} files`),
});
export type AlreadyThereRequest = z.infer<typeof AlreadyThereRequest>;

/**
 * What is there within reach under the name and at the place of a file asked about: one of the same size before a newer one. `nth` is the
 * place of that file in the request, from 0; files of which nothing is there are left out.
 */
export const AlreadyThere = z.object({ found: z.array(z.object({ nth: z.int(), file: FileRow })) });
export type AlreadyThere = z.infer<typeof AlreadyThere>;

/** Those of Client users that name another client than theirs; a Client user finds none by it. */
const MarkedFilter = z.literal('true', { error: 'Must be true' });

/** Those that are new to the viewer. */
const NewFilter = z.literal('true', { error: 'Must be true' });

/** Reports that nobody of their client has opened; whoever may not know it finds none by it. */
const OpenedFilter = z.literal('false', { error: 'Must be false' });

/** Those on hold. */
const HeldFilter = z.literal('true', { error: 'Must be true' });

const NOT_A_REPORT_TYPE_FILTER = `Must be a positive whole number, or ${WITHOUT_TYPE}`;

/** Every filter may be left out (docs/behaviour.md, Files: listing). */
export const FileQuery = z.strictObject({
  ...longPageQuery,
  /** `none` are the reports without a type. */
  reportTypeId: z.union([z.literal(WITHOUT_TYPE), IdText], { error: NOT_A_REPORT_TYPE_FILTER }).optional(),
  clientId: IdText.optional(),
  fileType: FileTypeField.optional(),
  documentType: DocumentTypeField.optional(),
  /** What lies within the period; files without one count for the day of their upload. */
  period: PeriodFilter.optional(),
  startDate: DayOrInstant.optional(),
  endDate: DayOrInstant.optional(),
  timeZone: TimeZone.optional(),
  isNew: NewFilter.optional(),
  opened: OpenedFilter.optional(),
  marked: MarkedFilter.optional(),
  onHold: HeldFilter.optional(),
  sort: sortQuery(['uploadedAt', 'originalName', 'clientName', 'reportTypeName', 'size', 'period']),
});
export type FileQuery = z.infer<typeof FileQuery>;

/** The list that an export holds: all its pages. */
export const FileExportQuery = FileQuery.omit({ limit: true, offset: true });
export type FileExportQuery = z.infer<typeof FileExportQuery>;

/** '12,7,31': ids in an address. */
const IdsText = z
  .string()
  .regex(/^[1-9]\d{0,14}(,[1-9]\d{0,14})*$/, 'Must be ids separated by commas')
  .transform((text) => [...new Set(text.split(',').map(Number))])
  .refine((ids) => ids.length <= ARCHIVE_FILES_MAX, TOO_MANY_FILES);

/** A list, or the files of these ids that are within reach, in this order. */
export const FileExportRequest = FileExportQuery.extend({ ids: IdsText.optional() }).refine(
  ({ ids, timeZone: _timeZone, ...list }) => ids === undefined || Object.keys(list).length === 0,
  { path: ['ids'], error: 'Must be without filters, search and order' },
);
export type FileExportRequest = z.infer<typeof FileExportRequest>;

/** The list, newest first, in which a file has its neighbours. */
export const FileNeighbourQuery = FileExportQuery.omit({ sort: true });
export type FileNeighbourQuery = z.infer<typeof FileNeighbourQuery>;

const FileNeighbour = z.object({ id: Id, originalName: z.string() });

/** A file with the ones just before and after it in a list that shows the newest first, and where it stands there. */
export const FileDetails = z.object({
  /** Where the id asked for is that of an earlier version, the newest file: `ledHere` says so. */
  file: FileRow,
  ledHere: z.boolean(),
  /** Null to a Client user. */
  versions: FileVersions.nullable(),
  /** `nth` is from 1, null where more are before it than a list counts; `more` as in lists. Null where the list does not hold the file. */
  place: z.object({ nth: z.number().nullable(), total: z.number(), more: z.boolean() }).nullable(),
  newer: FileNeighbour.nullable(),
  older: FileNeighbour.nullable(),
});
export type FileDetails = z.infer<typeof FileDetails>;

/** What a list of files is narrowed by, as it is sent in a body: without page and order. */
export const FileMatching = z.strictObject({
  reportTypeId: z.union([z.literal(WITHOUT_TYPE), Id], { error: NOT_A_REPORT_TYPE_FILTER }).optional(),
  clientId: Id.optional(),
  fileType: FileTypeField.optional(),
  documentType: DocumentTypeField.optional(),
  period: PeriodFilter.optional(),
  startDate: DayOrInstant.optional(),
  endDate: DayOrInstant.optional(),
  timeZone: TimeZone.optional(),
  isNew: NewFilter.optional(),
  opened: OpenedFilter.optional(),
  marked: MarkedFilter.optional(),
  onHold: HeldFilter.optional(),
  q: SearchText.optional(),
});
export type FileMatching = z.infer<typeof FileMatching>;

/** Files that name another client than theirs: all of them, newest first, or those of the ids. */
export const MarkedQuery = z.strictObject(pageQuery).omit({ q: true }).extend({ ids: IdsText.optional() });
export type MarkedQuery = z.infer<typeof MarkedQuery>;

/** The files of these ids. */
export const ReadersQuery = z.strictObject({ ids: IdsText });

/** Who of its client's people sees a file: Client users whose lists hold its client and, of a report, its type too. */
export const FileReaders = z.object({
  fileId: Id,
  people: z.int(),
  /** When one of the client's people last viewed or downloaded it, its uploader aside; null where nobody has. */
  openedAt: Instant.nullable(),
});
export type FileReaders = z.infer<typeof FileReaders>;

/** By their ids; what is out of reach is left out, and so are company documents that a Client user sent. */
export const FilesReaders = z.object({ readers: z.array(FileReaders) });

/** A file that a Client user sent and that names another client than its own. */
export const MarkedFile = z.object({
  file: FileRow,
  /** Null where it names several, and where the viewer does not reach the one it names. */
  namedClient: z.object({ id: Id, name: z.string() }).nullable(),
  markedAt: Instant,
});
export type MarkedFile = z.infer<typeof MarkedFile>;
