// The session: signing in and out, and what the server says of who is signed in.
import type { PasskeyRequestOptions } from '#contract/factors.ts';
import type { Challenge } from '#contract/session.ts';
import { ApiFault, type CallInput, call } from '#web/lib/api.ts';
import { signWithPasskey } from '#web/lib/passkeys.ts';
import { endSession, getSession, startSession, updateSessionUser } from '#web/lib/session.ts';

/** How long a start waits for the server's word on the stored session; it then goes on with what is stored. */
const RESOLVE_WITHIN_MS = 3000;

/** Opens a session, or answers what is still owed for one (SAFEGUARDS=on). Throws ApiFault. */
export async function signIn(credentials: { username: string; password: string }): Promise<Challenge | null> {
  const answer = await call('session.login', { body: credentials });
  if ('challenge' in answer) return answer.challenge;
  startSession(answer);
  return null;
}

export type FactorProof = CallInput<'session.second-factor'>['body']['factor'];

/** What a second factor is asked for, and where its proof goes. Both throw ApiFault. */
export interface FactorQuestion {
  readonly passkeyOptions: () => Promise<PasskeyRequestOptions>;
  readonly prove: (factor: FactorProof) => Promise<void>;
}

/** Opens the session that the second factor was owed for. */
export function signInQuestion(challenge: string): FactorQuestion {
  return {
    passkeyOptions: () => call('session.second-factor-passkey', { body: { challenge } }),
    prove: async (factor) => startSession(await call('session.second-factor', { body: { challenge, factor } })),
  };
}

/** Lets the session do for a while what asks for a fresh proof. */
export const stepUpQuestion: FactorQuestion = {
  passkeyOptions: () => call('session.reauth-passkey'),
  prove: (factor) => call('session.reauth', { body: { factor } }),
};

/** Asks the browser for a passkey and sends what it signs. Throws ApiFault and PasskeyFault. */
export async function proveByPasskey({ passkeyOptions, prove }: FactorQuestion): Promise<void> {
  await prove({ method: 'passkey', response: await signWithPasskey(await passkeyOptions()) });
}

/** Whether the sign-in that waited for a second factor waits no longer: no other code would fix it. */
export function isChallengeOver(error: unknown): error is ApiFault {
  return error instanceof ApiFault && error.status === 401 && error.code !== 'wrong_code';
}

/** Signs out here at once and tells the server in the background. */
export function signOut(): void {
  // A server that is away lets the token lapse in time; the person is signed out here either way.
  call('session.logout').catch(() => undefined);
  endSession();
}

/** Takes over today's rights in the background; a server that is away changes nothing. */
export async function refreshSession(): Promise<void> {
  const before = getSession();
  if (before === null) return;
  try {
    const user = await call('session.me');
    if (getSession()?.token === before.token) updateSessionUser(user);
  } catch {
    // A 401 has ended the session already; anything else leaves it as it was.
  }
}

let resolved: Promise<void> | undefined;

/** Resolves when the server has said whether the session stored at the start still is, or takes too long to. */
export function resolveSession(): Promise<void> {
  resolved ??= Promise.race([
    refreshSession(),
    new Promise<void>((resolve) => {
      setTimeout(resolve, RESOLVE_WITHIN_MS);
    }),
  ]);
  return resolved;
}
