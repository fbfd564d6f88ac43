// Retention: how many years files are kept, which are due, and the certificates of what was disposed of.
import { z } from 'zod';
import { Id, IdText, Instant, pageQuery, sortQuery, Version } from './fields.ts';
import { atMost, FILE_TYPES, WITHOUT_TYPE } from './file-kinds.ts';
import { DISPOSAL_FILES_MAX, DISPOSAL_STOPS, OUTCOMES, RETENTION_YEARS_MAX } from './retention-words.ts';

const NOT_YEARS = `Must be a whole number from 1 to ${RETENTION_YEARS_MAX}, or nothing for ever`;

/** Null keeps for ever. */
const Years = z.int({ error: NOT_YEARS }).min(1, NOT_YEARS).max(RETENTION_YEARS_MAX, NOT_YEARS).nullable();

export const RetentionRules = z.object({
  /** Of company documents, and of reports without a type. */
  untypedYears: z.int().nullable(),
  untypedVersion: Version,
  /** Every report type, by name. The version is that of its years. */
  types: z.array(z.object({ id: Id, name: z.string(), years: z.int().nullable(), version: Version })),
});
export type RetentionRules = z.infer<typeof RetentionRules>;

export const RetentionRuleInput = z.strictObject({
  /** Null for what has no type. */
  reportTypeId: Id.nullable(),
  years: Years,
});
export type RetentionRuleInput = z.infer<typeof RetentionRuleInput>;

const narrowedBy = {
  clientId: IdText.optional(),
  /** `none` is what has no type. */
  reportTypeId: z.union([z.literal(WITHOUT_TYPE), IdText]).optional(),
};

export const RetentionQuery = z.strictObject({
  limit: pageQuery.limit,
  offset: pageQuery.offset,
  t: pageQuery.t,
  _: pageQuery._,
  ...narrowedBy,
  /** Those on hold, or those that are not. */
  onHold: z.enum(['true', 'false'], { error: 'Must be true or false' }).optional(),
  /** Those that wait in a disposal, or those that do not. */
  ordered: z.enum(['true', 'false'], { error: 'Must be true or false' }).optional(),
  sort: sortQuery(['due', 'name', 'client', 'type']),
});
export type RetentionQuery = z.infer<typeof RetentionQuery>;

/** A file whose years are over. */
export const DueFile = z.object({
  id: Id,
  originalName: z.string(),
  size: z.int(),
  fileType: z.enum(FILE_TYPES),
  clientId: Id,
  clientName: z.string(),
  reportTypeId: Id.nullable(),
  /** The report type, or the document type; empty where there is neither. */
  typeName: z.string(),
  period: z.string().nullable(),
  uploadedAt: Instant,
  /** How long such files are kept. */
  years: z.int(),
  /** YYYY-MM-DD. */
  dueOn: z.string(),
  /** It is not disposed of. */
  onHold: z.boolean(),
  /** It waits in a disposal: no other takes it. */
  ordered: z.boolean(),
});
export type DueFile = z.infer<typeof DueFile>;

const NOTHING = 'Please select at least one file';

/** Which due files are disposed of: those of the ids, or all that match and are not on hold. None that waits in a disposal already. */
export const DisposalOrder = z
  .strictObject({
    ids: z.array(Id, { error: NOTHING }).min(1, NOTHING).max(DISPOSAL_FILES_MAX, atMost(DISPOSAL_FILES_MAX)).optional(),
    matching: z
      .strictObject({
        clientId: Id.optional(),
        reportTypeId: z.union([z.literal(WITHOUT_TYPE), Id]).optional(),
      })
      .optional(),
    /** How many the person was told of: with any other number of due files nothing is ordered. */
    expected: z.int().min(1, NOTHING),
  })
  .refine(({ ids, matching }) => (ids === undefined) !== (matching === undefined), { path: ['ids'], error: NOTHING });
export type DisposalOrder = z.infer<typeof DisposalOrder>;

export const DisposalRow = z.object({
  id: Id,
  orderedByName: z.string(),
  orderedAt: Instant,
  /** Null while files wait. */
  endedAt: Instant.nullable(),
  purged: z.int(),
  left: z.int(),
  waiting: z.int(),
  /** Why it goes on no more, though files wait; null where it goes on, or has ended. */
  stopped: z.enum(DISPOSAL_STOPS).nullable(),
  /** Of one that failed: with what. */
  fault: z.string().nullable(),
});
export type DisposalRow = z.infer<typeof DisposalRow>;

/** Of the files that wait in a disposal that stopped: it goes on with them, or they stay where they are. */
export const DisposalRest = z.strictObject({
  decision: z.enum(['goOn', 'leave'], { error: 'Must be goOn or leave' }),
});
export type DisposalRest = z.infer<typeof DisposalRest>;

export const DisposalQuery = z.strictObject({
  limit: pageQuery.limit,
  offset: pageQuery.offset,
  t: pageQuery.t,
  _: pageQuery._,
});
export type DisposalQuery = z.infer<typeof DisposalQuery>;

export const DisposedFile = z.object({
  fileId: Id,
  name: z.string(),
  clientName: z.string(),
  typeName: z.string(),
  period: z.string().nullable(),
  size: z.int(),
  sha256: z.string(),
  uploadedAt: Instant,
  dueOn: z.string(),
  rule: z.string(),
  outcome: z.enum(OUTCOMES),
  /** Why it was left. */
  reason: z.string().nullable(),
  /** When it was purged or left. */
  decidedAt: Instant.nullable(),
});
export type DisposedFile = z.infer<typeof DisposedFile>;

export const DisposalCertificate = z.object({
  ...DisposalRow.shape,
  /** Whose portal it is. */
  firmName: z.string(),
  madeAt: Instant,
  madeForName: z.string(),
  files: z.array(DisposedFile),
});
export type DisposalCertificate = z.infer<typeof DisposalCertificate>;
