// Holds: what is on hold is neither deleted nor purged nor replaced, by anyone, until the hold is lifted.
import { z } from 'zod';
import { Id, IdText, Instant, pageQuery, storedTextLine } from './fields.ts';
import { HOLD_KINDS, HOLD_REASON_MAX } from './hold-words.ts';

export const HoldInput = z.strictObject({
  kind: z.enum(HOLD_KINDS, { error: `Must be one of ${HOLD_KINDS.join(', ')}` }),
  /** Of the file or client, which may be in the trash. */
  id: Id,
  reason: storedTextLine({ min: 1, max: HOLD_REASON_MAX, message: 'Please say why' }),
});
export type HoldInput = z.infer<typeof HoldInput>;

export const HoldRow = z.object({
  id: Id,
  kind: z.enum(HOLD_KINDS),
  /** Of the file or client. */
  itemId: Id,
  name: z.string(),
  /** A client's own id and name, too. */
  clientId: Id,
  clientName: z.string(),
  reason: z.string(),
  placedByName: z.string(),
  placedAt: Instant,
  /** Null while it is in force. */
  liftedByName: z.string().nullable(),
  liftedAt: Instant.nullable(),
});
export type HoldRow = z.infer<typeof HoldRow>;

export const HoldQuery = z.strictObject({
  limit: pageQuery.limit,
  offset: pageQuery.offset,
  t: pageQuery.t,
  _: pageQuery._,
  /** Those on the file and on its client. */
  fileId: IdText.optional(),
  /** Those on the client alone. */
  clientId: IdText.optional(),
  /** Those in force, or those that were lifted. */
  inForce: z.enum(['true', 'false'], { error: 'Must be true or false' }).optional(),
});
export type HoldQuery = z.infer<typeof HoldQuery>;
