// Words that a reviewer had remembered who keeps neither report types nor clients: they hold for that person's own batches, until
// somebody who keeps them makes them the firm's or declines them.
import { z } from 'zod';
import { REMEMBERED } from './batch-words.ts';
import { Id, Instant, pageQuery } from './fields.ts';

export const SuggestionRow = z.object({
  id: Id,
  /** `type`: a phrase of the report type; `client`: another name of the client. */
  kind: z.enum(REMEMBERED),
  words: z.string(),
  /** Null where it is of a report type. */
  clientId: Id.nullable(),
  clientName: z.string().nullable(),
  /** Null where it is of a client. */
  reportTypeId: Id.nullable(),
  reportTypeName: z.string().nullable(),
  byName: z.string(),
  /** Whether the viewer made it. */
  own: z.boolean(),
  createdAt: Instant,
});
export type SuggestionRow = z.infer<typeof SuggestionRow>;

export const SuggestionQuery = z.strictObject({
  limit: pageQuery.limit,
  offset: pageQuery.offset,
  t: pageQuery.t,
  _: pageQuery._,
});
export type SuggestionQuery = z.infer<typeof SuggestionQuery>;
