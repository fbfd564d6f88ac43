// Signing in, who is signed in, and the devices a person is signed in on.
import { z } from 'zod';
import { Id, Instant, storedTextLine } from './fields.ts';
import { newPassword, PASSWORD_UNITS_MAX, type PasswordProfile } from './passwords.ts';
import { CAPABILITIES, REACHES, SYSTEM_ROLES } from './policy/actor.ts';
import { Preferences } from './preferences.ts';
import { UserRow } from './users.ts';

/** The password at sign-in: limited in length before it costs anything, otherwise taken as it is. */
const PresentedPassword = z
  .string({ error: 'Password is required' })
  .min(1, { error: 'Password is required', abort: true })
  .max(PASSWORD_UNITS_MAX, `Must be at most ${PASSWORD_UNITS_MAX} characters`);

const PresentedUsername = storedTextLine({ min: 1, max: 200, message: 'Username is required' });

export const LoginRequest = z.strictObject({
  username: PresentedUsername,
  password: PresentedPassword,
});

/** The signed-in person: a user, and what the role lets them do. */
export const SessionUser = UserRow.omit({ version: true, email: true, mailRefusedAt: true, invitation: true }).extend({
  capabilities: z.array(z.enum(CAPABILITIES)),
  reach: z.enum(REACHES),
  roleKey: z.enum(SYSTEM_ROLES).nullable(),
  preferences: Preferences,
  /** Where somebody else looks as this person: nothing can be changed. `as` is the name of this person. */
  look: z.object({ as: z.string() }).nullable(),
  /** How long it lasts without use, and when it ends in any case. Use is recorded at most once a minute (every five without SAFEGUARDS), so idle time may count from that much before the last call. */
  session: z.object({ idleMaxMs: z.number(), endsAt: Instant }),
});
export type SessionUser = z.infer<typeof SessionUser>;

/** An open session. */
export const LoginResponse = z.object({ token: z.string(), user: SessionUser });
export type LoginResponse = z.infer<typeof LoginResponse>;

const FACTOR_METHODS = ['totp', 'passkey', 'recovery'] as const;
export type FactorMethod = (typeof FACTOR_METHODS)[number];

/** A sign-in with the right password whose second factor is still missing (SAFEGUARDS=on). */
export const Challenge = z.object({
  token: z.string(),
  /** What this person can prove; empty where nothing has been set up yet. */
  methods: z.array(z.enum(FACTOR_METHODS)),
  /** The token sets up the first factor, as a bearer at `/api/auth/factors/...`, and nothing else. */
  enrols: z.boolean(),
  expiresAt: Instant,
});
export type Challenge = z.infer<typeof Challenge>;

/** What the right password opens: a session, or with SAFEGUARDS=on the question for the second factor. */
export const LoginAnswer = z.union([LoginResponse, z.object({ challenge: Challenge })]);
export type LoginAnswer = z.infer<typeof LoginAnswer>;

export function passwordChange(profile: PasswordProfile) {
  return z.strictObject({ currentPassword: PresentedPassword, newPassword: newPassword(profile) });
}

export const PasswordChange = passwordChange('standard');

/** Whose password was forgotten. */
export const ForgottenRequest = z.strictObject({ username: PresentedUsername });

/** What a link to choose a password carries behind its #: looked at without using it up. */
const PresentedInvitation = storedTextLine({ min: 1, max: 200, message: 'The secret of the link is required' });

export const InvitationRequest = z.strictObject({ token: PresentedInvitation });

/** What a link is for: the first password of somebody who was invited, or another one for a forgotten one. */
export const LINK_PURPOSES = ['joining', 'new-password'] as const;
export type LinkPurpose = (typeof LINK_PURPOSES)[number];

/** Whose link it is, what for, and until when. */
export const InvitationFacts = z.object({
  username: z.string(),
  fullName: z.string(),
  until: Instant,
  purpose: z.enum(LINK_PURPOSES),
});
export type InvitationFacts = z.infer<typeof InvitationFacts>;

export function joining(profile: PasswordProfile) {
  return z.strictObject({ token: PresentedInvitation, newPassword: newPassword(profile) });
}
export const Joining = joining('standard');

/** How many sessions of a person are open. One more ends the least recently used, of the same device first. */
export const OPEN_SESSIONS_MAX = 20;

export const SessionRow = z.object({
  id: Id,
  createdAt: Instant,
  lastSeenAt: Instant,
  userAgent: z.string(),
  address: z.string(),
  current: z.boolean(),
});
export type SessionRow = z.infer<typeof SessionRow>;
