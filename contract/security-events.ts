// What was done with an account: the kinds of event that are kept, and how one is told to the person it is about.
import { z } from 'zod';
import { Id, Instant } from './fields.ts';

export const SECURITY_EVENT_KINDS = [
  'signed_in',
  'sign_in_failed',
  'signed_out',
  'session_ended',
  'password_changed',
  'password_reset',
  'second_factor_added',
  'second_factor_removed',
  'second_factor_reset',
  'second_factor_failed',
  'recovery_code_used',
  'recovery_codes_made',
  'stepped_up',
  'access_changed',
  'denied',
] as const;
export type SecurityEventKind = (typeof SECURITY_EVENT_KINDS)[number];

export const SecurityEventRow = z.object({
  id: Id,
  at: Instant,
  kind: z.enum(SECURITY_EVENT_KINDS),
  /** Who did it, where it was not oneself. */
  actorName: z.string().nullable(),
  /** Where it was done, and with which browser (its User-Agent); null where somebody else did it. */
  address: z.string().nullable(),
  device: z.string().nullable(),
  /** A few words of what exactly, such as the name of a passkey. */
  detail: z.string().nullable(),
});
export type SecurityEventRow = z.infer<typeof SecurityEventRow>;
