// Reports that nobody of their client's people has opened, and who was reminded of them.
import { z } from 'zod';
import { Id, IdText, Instant, pageQuery } from './fields.ts';

export const UnopenedRow = z.object({
  clientId: Id,
  clientName: z.string(),
  reportTypeId: Id,
  reportTypeName: z.string(),
  /** How many reports nobody has opened. */
  files: z.int(),
  /** When the oldest of them came. */
  since: Instant,
  /** How many Client users see them. */
  people: z.int(),
  /** When people were last reminded of one of them. */
  remindedAt: Instant.nullable(),
});
export type UnopenedRow = z.infer<typeof UnopenedRow>;

export const UnopenedQuery = z.strictObject({
  limit: pageQuery.limit,
  offset: pageQuery.offset,
  t: pageQuery.t,
  _: pageQuery._,
  clientId: IdText.optional(),
  reportTypeId: IdText.optional(),
});
export type UnopenedQuery = z.infer<typeof UnopenedQuery>;

/** Of all within reach, unless a client or a report type is named. */
export const ReminderOrder = z.strictObject({ clientId: Id.optional(), reportTypeId: Id.optional() });
export type ReminderOrder = z.infer<typeof ReminderOrder>;

/** Of how many reports how many people are reminded. `left` are those for another press: so many are taken at once. */
export const Reminded = z.object({ files: z.int(), people: z.int(), left: z.int() });
export type Reminded = z.infer<typeof Reminded>;
