// Events about an account: the kinds that are recorded, and how one is shown to the person it is about.
import { z } from 'zod';
import { Id, Instant, pageQuery } from './fields.ts';

export const SECURITY_EVENT_KINDS = [
  'signed_in',
  'sign_in_failed',
  'signed_out',
  'session_ended',
  'password_changed',
  'password_reset',
  'invited',
  'invitation_withdrawn',
  'joined',
  'second_factor_added',
  'second_factor_removed',
  'second_factor_reset',
  'second_factor_failed',
  'recovery_code_used',
  'recovery_codes_made',
  'stepped_up',
  'access_changed',
  'looked_at',
  'denied',
] as const;
export type SecurityEventKind = (typeof SECURITY_EVENT_KINDS)[number];

/** What events are about, so that one topic is not hidden among the others. */
/** The detail of a failed sign-in that was a wrong current password where one changes it. */
export const CHANGE_OF_PASSWORD = 'change of password';

export const SECURITY_TOPICS = ['sign-ins', 'changes', 'refusals'] as const;
export type SecurityTopic = (typeof SECURITY_TOPICS)[number];

export const topicOf: Record<SecurityEventKind, SecurityTopic> = {
  signed_in: 'sign-ins',
  signed_out: 'sign-ins',
  session_ended: 'sign-ins',
  recovery_code_used: 'sign-ins',
  stepped_up: 'sign-ins',
  password_changed: 'changes',
  password_reset: 'changes',
  invited: 'changes',
  invitation_withdrawn: 'changes',
  joined: 'changes',
  second_factor_added: 'changes',
  second_factor_removed: 'changes',
  second_factor_reset: 'changes',
  recovery_codes_made: 'changes',
  access_changed: 'changes',
  looked_at: 'changes',
  sign_in_failed: 'refusals',
  second_factor_failed: 'refusals',
  denied: 'refusals',
};

const { limit, offset } = pageQuery;

export const SecurityEventQuery = z.strictObject({
  limit,
  offset,
  about: z.enum(SECURITY_TOPICS, { error: `Must be one of ${SECURITY_TOPICS.join(', ')}` }).optional(),
});
export type SecurityEventQuery = z.infer<typeof SecurityEventQuery>;

export const SecurityEventRow = z.object({
  id: Id,
  at: Instant,
  /** Refusals of one kind, from one address and within an hour, are one entry: how many there were, and when the last one was. */
  times: z.int().min(1),
  lastAt: Instant,
  kind: z.enum(SECURITY_EVENT_KINDS),
  /** Who did it, where it was not oneself. */
  actorName: z.string().nullable(),
  /** Where it was done, and with which browser (its User-Agent); null where somebody else did it. */
  address: z.string().nullable(),
  device: z.string().nullable(),
  /** A few words of what exactly, such as the name of a passkey; of repeated refusals, of the last one. */
  detail: z.string().nullable(),
});
export type SecurityEventRow = z.infer<typeof SecurityEventRow>;
