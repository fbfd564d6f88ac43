// A person's second factor in browser tests: an authenticator app, and a passkey that Chromium stores for the page.
import type { Page } from '@playwright/test';
import { Secret, TOTP } from 'otpauth';
import { apiWith } from './api.ts';

/** What an authenticator app shows for a key, now. */
export function codeOf(key: string): string {
  return new TOTP({ secret: Secret.fromBase32(key.replaceAll(' ', '')) }).generate();
}

/** Six digits that an app with this key shows neither now nor just before or after. */
export function wrongCodeOf(key: string): string {
  const totp = new TOTP({ secret: Secret.fromBase32(key.replaceAll(' ', '')) });
  const near = [-60, -30, 0, 30, 60].map((seconds) => totp.generate({ timestamp: Date.now() + seconds * 1000 }));
  return ['135790', '246801', '975310', '864209', '112358', '314159'].find((code) => !near.includes(code)) ?? '271828';
}

export interface Enrolled {
  readonly token: string;
  /** Of the authenticator app, in base32. */
  readonly key: string;
  readonly recoveryCodes: readonly string[];
}

/** Signs in for the first time and sets up an authenticator app, through the API. */
export async function enrolThroughApi(
  origin: string,
  credentials: { readonly username: string; readonly password: string },
): Promise<Enrolled> {
  const { username, password } = credentials;
  const { challenge } = await apiWith(origin, '').post<{ challenge: { token: string } }>('/api/auth/login', {
    username,
    password,
  });
  const api = apiWith(origin, challenge.token);
  const { secret } = await api.post<{ secret: string }>('/api/auth/factors/totp');
  const { recoveryCodes, session } = await api.post<{ recoveryCodes: string[]; session: { token: string } }>(
    '/api/auth/factors/totp/confirm',
    { code: codeOf(secret) },
  );
  return { token: session.token, key: secret, recoveryCodes };
}

/** Gives the page a virtual authenticator whose owner always agrees. */
export async function addPasskeyDevice(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}
