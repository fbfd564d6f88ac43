// What a password to be set must be, under either profile (docs/behaviour.md, Fields: what a field may hold).
import { z } from 'zod';
import { isCommonPassword } from './common-passwords.ts';

/** `safeguards` is the stricter rule of SAFEGUARDS=on, where a second factor is always required as well. */
export type PasswordProfile = 'standard' | 'safeguards';

const CHARACTERS_MIN: Record<PasswordProfile, number> = { standard: 6, safeguards: 8 };
const CHARACTERS_MAX = 128;
/** 128 code points take at most this many UTF-16 units; longer text is refused before it is counted. */
export const PASSWORD_UNITS_MAX = CHARACTERS_MAX * 2;

export const tooShort = (profile: PasswordProfile) => `Password must be at least ${CHARACTERS_MIN[profile]} characters`;
const TOO_LONG = `Password must be at most ${CHARACTERS_MAX} characters`;
const TOO_COMMON = 'This password is one of those tried first. Please choose another one';

function fault(password: string, profile: PasswordProfile): string | null {
  const characters = [...password].length;
  if (characters < CHARACTERS_MIN[profile]) return tooShort(profile);
  if (characters > CHARACTERS_MAX) return TOO_LONG;
  return profile === 'safeguards' && isCommonPassword(password) ? TOO_COMMON : null;
}

const passwordText = (profile: PasswordProfile, blankKeeps: boolean) =>
  z
    .string({ error: tooShort(profile) })
    .max(PASSWORD_UNITS_MAX, { error: TOO_LONG, abort: true })
    .superRefine((password, context) => {
      const message = blankKeeps && password === '' ? null : fault(password, profile);
      if (message !== null) context.addIssue({ code: 'custom', message });
    });

/** A password to be set: counted in code points, every character exact, outer space included. */
export function newPassword(profile: PasswordProfile) {
  return passwordText(profile, false);
}

/** The same, where blank or absent keeps the current password. */
export function newPasswordOrBlank(profile: PasswordProfile) {
  return passwordText(profile, true).nullish();
}
