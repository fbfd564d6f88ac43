// Tokens, cookies and tickets: 256 random bits that are sent out once, and the fingerprint that is stored of them.
import { hash, randomBytes, randomInt } from 'node:crypto';

/** 43 characters of base64url. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

// Without the letters and digits that are easily confused.
const PASSWORD_ALPHABET = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const PASSWORD_LENGTH = 16;

/** A password to be read off a screen once: some 93 bits. */
export function newPassword(): string {
  return Array.from({ length: PASSWORD_LENGTH }, () => PASSWORD_ALPHABET[randomInt(PASSWORD_ALPHABET.length)]).join('');
}

/** SHA-256 in hexadecimal: enough for a secret with 256 bits of its own. */
export function fingerprint(secret: string): string {
  return hash('sha256', secret);
}

/** A ticket is used within this time, once. */
export const TICKET_FIRST_USE_MS = 60_000;
