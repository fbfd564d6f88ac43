// Time-based codes of an authenticator app: SHA-1, six digits, thirty seconds, as every app knows them (RFC 6238).
import { Secret, TOTP } from 'otpauth';

const PERIOD_S = 30;
const SECRET_BYTES = 20;
/** A clock may be this many steps early or late. */
const WINDOW = 1;

const shape = { algorithm: 'SHA1', digits: 6, period: PERIOD_S } as const;

export function newTotpSecret(): Uint8Array {
  return new Secret({ size: SECRET_BYTES }).bytes;
}

const asSecret = (secret: Uint8Array) => new Secret({ buffer: new Uint8Array(secret).buffer });

/** The step (30 seconds since the epoch) whose code is `code`, at most one away from `at` (ms); null where it is none. */
export function totpStep(secret: Uint8Array, code: string, at: number): number | null {
  const delta = TOTP.validate({ ...shape, token: code, secret: asSecret(secret), timestamp: at, window: WINDOW });
  return delta === null ? null : TOTP.counter({ period: PERIOD_S, timestamp: at }) + delta;
}

/** The secret as a person types it, and as the address that a QR code holds. */
export function presentTotp(secret: Uint8Array, issuer: string, username: string): { secret: string; url: string } {
  const totp = new TOTP({ ...shape, issuer, label: username, secret: asSecret(secret) });
  return { secret: totp.secret.base32, url: totp.toString() };
}

/** What the secret is sealed for: under another user it does not open. */
export const totpPurpose = (userId: number) => `totp of user ${userId}`;
