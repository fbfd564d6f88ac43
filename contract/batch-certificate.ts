// The certificate of a batch's release: what went to whom, from which pages of which file, and what was taken back.
import { z } from 'zod';
import { DocumentRecall } from './batches.ts';
import { Id, Instant } from './fields.ts';

export const CertificateQuery = z.strictObject({
  /** A document to be kept, unless it is asked for as data. */
  format: z.enum(['pdf', 'json']).optional(),
});
export type CertificateQuery = z.infer<typeof CertificateQuery>;

/** A file that was dropped into the batch, as it is kept. */
const CertifiedOriginal = z.object({
  id: Id,
  name: z.string(),
  size: z.int(),
  sha256: z.string(),
  /** Null for what has no pages. */
  pages: z.int().nullable(),
});

export const CertifiedDocument = z.object({
  id: Id,
  state: z.enum(['released', 'recalled']),
  /** The file that it became. */
  fileId: Id,
  fileName: z.string(),
  clientName: z.string(),
  reportTypeName: z.string().nullable(),
  period: z.string().nullable(),
  originalId: Id,
  originalName: z.string(),
  /** Of the original, from 1; both 0 where it has no pages. */
  fromPage: z.int(),
  toPage: z.int(),
  /** Null where the file is gone from the trash as well. */
  size: z.int().nullable(),
  sha256: z.string().nullable(),
  releasedAt: Instant.nullable(),
  releasedByName: z.string().nullable(),
  reviewedByName: z.string().nullable(),
  /** Null while it is released. */
  recall: DocumentRecall.nullable(),
  /** Its file was restored from the trash since that recall: it is in the lists again. */
  restored: z.boolean(),
});
export type CertifiedDocument = z.infer<typeof CertifiedDocument>;

const CertifiedRecall = z.object({
  fileId: Id,
  fileName: z.string(),
  clientName: z.string(),
  at: Instant,
  byName: z.string(),
  reason: z.string(),
});

export const BatchCertificate = z.object({
  batchId: Id,
  batchName: z.string(),
  /** Whose portal it is. */
  firmName: z.string(),
  ownerName: z.string(),
  madeAt: Instant,
  /** As far as this person sees clients and report types. */
  madeForName: z.string(),
  /** Documents of clients or report types out of that reach: counted, and nothing else is said of them. */
  leftOut: z.int(),
  released: z.int(),
  recalled: z.int(),
  /** What is released now, by client and type. */
  counts: z.array(z.object({ clientName: z.string(), reportTypeName: z.string().nullable(), documents: z.int() })),
  documents: z.array(CertifiedDocument),
  /** The files that these documents were taken from. */
  originals: z.array(CertifiedOriginal),
  /** Newest first. */
  recalls: z.array(CertifiedRecall),
});
export type BatchCertificate = z.infer<typeof BatchCertificate>;
