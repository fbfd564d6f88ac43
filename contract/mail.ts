// The portal's own mail, as an Admin sees it.
import { z } from 'zod';
import { Email, Id, IdText, Instant, pageQuery } from './fields.ts';
import { MAIL_STATES } from './mail-states.ts';

export const MailRow = z.object({
  id: Id,
  /** What it is about, in a few words. */
  title: z.string(),
  toName: z.string(),
  toAddress: z.string(),
  state: z.enum(MAIL_STATES),
  /** How often it was tried. */
  attempts: z.int(),
  /** Why the last try failed, or why it is not sent. */
  error: z.string().nullable(),
  createdAt: Instant,
  /** When the next try is due, or was. */
  dueAt: Instant,
  endedAt: Instant.nullable(),
});
export type MailRow = z.infer<typeof MailRow>;

export const MailQuery = z.strictObject({
  limit: pageQuery.limit,
  offset: pageQuery.offset,
  t: pageQuery.t,
  _: pageQuery._,
  state: z.enum(MAIL_STATES).optional(),
  /** Those alone that `failing` of the facts counts. */
  failing: z.literal('true', { error: 'Must be true' }).optional(),
  /** This one alone, however many are newer. */
  id: IdText.optional(),
});
export type MailQuery = z.infer<typeof MailQuery>;

/** How mail is set up, and how it fares. */
export const MailFacts = z.object({
  /** Null where mail is not set up. */
  setUp: z
    .object({
      /** The mail server: `mail.example.com:465`. */
      server: z.string(),
      from: z.string(),
    })
    .nullable(),
  /** Mails that failed within the last three days, and those that wait for another try. */
  failing: z.int(),
});
export type MailFacts = z.infer<typeof MailFacts>;

/** How many mails are tried again. */
export const MailsRetried = z.object({ mails: z.int() });
export type MailsRetried = z.infer<typeof MailsRetried>;

export const MailTest = z.strictObject({ to: Email });
