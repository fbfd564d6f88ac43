// The session: signing in and out, and what the server says of who is signed in.
import { call } from '#web/lib/api.ts';
import { endSession, getSession, startSession, updateSessionUser } from '#web/lib/session.ts';

/** How long a start waits for the server's word on the stored session; it then goes on with what is stored. */
const RESOLVE_WITHIN_MS = 3000;

/** Throws ApiFault. */
export async function signIn(credentials: { username: string; password: string }): Promise<void> {
  startSession(await call('session.login', { body: credentials }));
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

/** Resolves when the server has said whether the session stored at the start still stands, or takes too long to. */
export function resolveSession(): Promise<void> {
  resolved ??= Promise.race([
    refreshSession(),
    new Promise<void>((resolve) => {
      setTimeout(resolve, RESOLVE_WITHIN_MS);
    }),
  ]);
  return resolved;
}
