// Reports and company documents: what is sent, what is listed, and which of them open inside a page.
import { z } from 'zod';
import { DayOrInstant, Id, IdText, Instant, longPageQuery, sortQuery, TimeZone } from './fields.ts';

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

const FileTypeField = z.enum(FILE_TYPES, { error: 'File type must be report or company_document' });
const DocumentTypeField = z.enum(DOCUMENT_TYPES, { error: `Must be one of ${DOCUMENT_TYPES.join(', ')}` });
/** An optional id in a multipart form, where an unset field travels as empty text. */
const OptionalIdField = z
  .union([z.literal('').transform(() => undefined), IdText], { error: 'Must be a positive whole number' })
  .optional();

export const NO_REPORT_TYPE = 'A company document has no report type';
export const NO_DOCUMENT_TYPE = 'A report has no document type';

/** The multipart fields that are sent with the file. */
export const UploadFields = z
  .strictObject({
    clientId: z.string({ error: 'Please select a client' }).min(1, 'Please select a client').pipe(IdText),
    fileType: FileTypeField,
    reportTypeId: OptionalIdField,
    documentType: z.union([z.literal('').transform(() => undefined), DocumentTypeField]).optional(),
  })
  .refine((fields) => fields.fileType === 'report' || fields.reportTypeId === undefined, {
    path: ['reportTypeId'],
    error: NO_REPORT_TYPE,
  })
  .refine((fields) => fields.fileType === 'company_document' || fields.documentType === undefined, {
    path: ['documentType'],
    error: NO_DOCUMENT_TYPE,
  });
export type UploadFields = z.infer<typeof UploadFields>;

/** Where a file is to be filed from now on. What is left out stays, as far as the kind has it; null removes a type. */
export const RefileInput = z
  .strictObject({
    clientId: Id.optional(),
    fileType: FileTypeField.optional(),
    reportTypeId: Id.nullable().optional(),
    documentType: DocumentTypeField.nullable().optional(),
  })
  .refine((change) => Object.values(change).some((value) => value !== undefined), 'Please say what is to change')
  .refine((change) => change.fileType !== 'company_document' || (change.reportTypeId ?? null) === null, {
    path: ['reportTypeId'],
    error: NO_REPORT_TYPE,
  })
  .refine((change) => change.fileType !== 'report' || (change.documentType ?? null) === null, {
    path: ['documentType'],
    error: NO_DOCUMENT_TYPE,
  });
export type RefileInput = z.infer<typeof RefileInput>;

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
});
export type FileRow = z.infer<typeof FileRow>;

/** Every filter may be left out (docs/behaviour.md, Files: listing). */
export const FileQuery = z.strictObject({
  ...longPageQuery,
  reportTypeId: IdText.optional(),
  clientId: IdText.optional(),
  fileType: FileTypeField.optional(),
  documentType: DocumentTypeField.optional(),
  startDate: DayOrInstant.optional(),
  endDate: DayOrInstant.optional(),
  timeZone: TimeZone.optional(),
  sort: sortQuery(['uploadedAt', 'originalName', 'clientName', 'reportTypeName', 'size']),
});
export type FileQuery = z.infer<typeof FileQuery>;

/** The list that an export holds: all its pages. */
export const FileExportQuery = FileQuery.omit({ limit: true, offset: true });
export type FileExportQuery = z.infer<typeof FileExportQuery>;

/** The list, newest first, in which a file has its neighbours. */
export const FileNeighbourQuery = FileExportQuery.omit({ sort: true });
export type FileNeighbourQuery = z.infer<typeof FileNeighbourQuery>;

const FileNeighbour = z.object({ id: Id, originalName: z.string() });

/** A file with the ones just before and after it in a list that shows the newest first. */
export const FileDetails = z.object({
  file: FileRow,
  newer: FileNeighbour.nullable(),
  older: FileNeighbour.nullable(),
});
export type FileDetails = z.infer<typeof FileDetails>;

/** The most files that one archive holds. */
export const ARCHIVE_FILES_MAX = 1_000;

export const ArchiveRequest = z.strictObject({
  ids: z
    .array(Id, { error: 'Please select at least one file' })
    .min(1, 'Please select at least one file')
    .max(ARCHIVE_FILES_MAX, `Please select at most ${ARCHIVE_FILES_MAX.toLocaleString('en-US')} files`),
});
export type ArchiveRequest = z.infer<typeof ArchiveRequest>;

/** Opening a file by address: `view=true` shows it in place, `token` is a view ticket or a session token. */
export const FileOpenQuery = z.strictObject({
  view: z.enum(['true', 'false']).optional(),
  token: z.string().max(200).optional(),
  t: z.string().max(40).optional(),
  _: z.string().max(40).optional(),
});

/** A key that opens one file for one minute, and the address to open it at. */
export const ViewTicket = z.object({ ticket: z.string(), url: z.string(), expiresAt: Instant });
export type ViewTicket = z.infer<typeof ViewTicket>;
