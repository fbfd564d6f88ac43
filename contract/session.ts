// Signing in, who is signed in, and the devices a person is signed in on.
import { z } from 'zod';
import { Id, Instant, textLine } from './fields.ts';
import { CAPABILITIES, REACHES, SYSTEM_ROLES } from './policy.ts';
import { NewPassword, PASSWORD_UNITS_MAX, UserRow } from './users.ts';

/** The password that opens a session: bounded before it costs anything, otherwise taken as it is. */
const PresentedPassword = z
  .string({ error: 'Password is required' })
  .min(1, { error: 'Password is required', abort: true })
  .max(PASSWORD_UNITS_MAX, `Must be at most ${PASSWORD_UNITS_MAX} characters`);

export const LoginRequest = z.strictObject({
  username: textLine({ min: 1, max: 200, message: 'Username is required' }),
  password: PresentedPassword,
});

/** The signed-in person: a user, and what the role lets them do. */
export const SessionUser = UserRow.extend({
  capabilities: z.array(z.enum(CAPABILITIES)),
  reach: z.enum(REACHES),
  roleKey: z.enum(SYSTEM_ROLES).nullable(),
});
export type SessionUser = z.infer<typeof SessionUser>;

export const LoginResponse = z.object({ token: z.string(), user: SessionUser });
export type LoginResponse = z.infer<typeof LoginResponse>;

export const PasswordChange = z.strictObject({
  currentPassword: PresentedPassword,
  newPassword: NewPassword,
});

export const SessionRow = z.object({
  id: Id,
  createdAt: Instant,
  lastSeenAt: Instant,
  userAgent: z.string(),
  address: z.string(),
  current: z.boolean(),
});
export type SessionRow = z.infer<typeof SessionRow>;
