// The session: signing in and out, and who the server says is signed in.
import type { PasskeyRequestOptions } from '#contract/factors.ts';
import type { Challenge } from '#contract/session.ts';
import { type CallInput, call } from '#web/lib/api.ts';
import { ApiFault } from '#web/lib/api-fault.ts';
import { signWithPasskey } from '#web/lib/passkeys.ts';
import { endSession, follow, getSession, startSession, updateSessionUser, whenForbidden } from '#web/lib/session.ts';
import { followPreferences } from './newest-preferences.ts';
import { queryClient } from './query-client.ts';

/** How long a start waits for the server to confirm the stored session; it then continues with the stored one. */
const RESOLVE_WITHIN_MS = 3000;

/** Opens a session, or returns which second factor is missing (SAFEGUARDS=on). Throws ApiFault. */
export async function signIn(credentials: { username: string; password: string }): Promise<Challenge | null> {
  const answer = await call('session.login', { body: credentials });
  if ('challenge' in answer) return answer.challenge;
  startSession(answer);
  return null;
}

/** Has a link to choose another password mailed, if there is somebody of this name with an address: that is not told. Throws ApiFault. */
export async function askForPasswordLink(username: string): Promise<void> {
  await call('session.forgotten', { body: { username } });
}

export type FactorProof = CallInput<'session.second-factor'>['body']['factor'];

/** What a second factor is asked for, and where its proof goes. Both throw ApiFault. */
export interface FactorQuestion {
  readonly passkeyOptions: () => Promise<PasskeyRequestOptions>;
  readonly prove: (factor: FactorProof) => Promise<void>;
}

/** Opens the session that the second factor was required for. */
export function signInQuestion(challenge: string): FactorQuestion {
  return {
    passkeyOptions: () => call('session.second-factor-passkey', { body: { challenge } }),
    prove: async (factor) => startSession(await call('session.second-factor', { body: { challenge, factor } })),
  };
}

/** Steps the session up for a while. */
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

/** Signs out here at once and notifies the server in the background. */
export function signOut(): void {
  // What is still being read would be refused once the session is over.
  void queryClient.cancelQueries();
  // If the server cannot be reached, the token expires by itself; the person is signed out here either way.
  call('session.logout').catch(() => undefined);
  endSession();
}

/** Refreshes the person's rights in the background; a failure changes nothing. */
export async function refreshSession(): Promise<void> {
  const before = getSession();
  if (before === null) return;
  try {
    const isNewest = followPreferences();
    const user = await call('session.me');
    const isOlder = !isNewest();
    // What another tab has just chosen is told here a moment later.
    if (isOlder) follow();
    const now = getSession();
    if (now?.token !== before.token) return;
    updateSessionUser(isOlder ? { ...user, preferences: now.user.preferences } : user);
  } catch {
    // A 401 has ended the session already; anything else leaves it as it was.
  }
}

whenForbidden(() => void refreshSession());

let resolved: Promise<void> | undefined;

/** Resolves when the server has said whether the session stored at the start is still valid, or takes too long to. */
export function resolveSession(): Promise<void> {
  resolved ??= Promise.race([
    refreshSession(),
    new Promise<void>((resolve) => {
      setTimeout(resolve, RESOLVE_WITHIN_MS);
    }),
  ]);
  return resolved;
}
