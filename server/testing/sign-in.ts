// Signing in to a server that runs in a process of its own, with a second factor where it asks for one.
import type { Enrolled } from '#contract/factors.ts';
import type { Challenge, LoginResponse } from '#contract/session.ts';
import { CodeApp } from './authenticator.ts';
import { Caller } from './test-app.ts';

/** Of the Admin, where the environment chooses it. */
export const CHOSEN_PASSWORD = 'chosen password';

/** By the password alone; where the answer is another one, the caller is nobody. */
export async function signIn(
  origin: string,
  username: string,
  password: string,
): Promise<{ status: number; caller: Caller }> {
  const { status, body } = await new Caller(origin, null).post<LoginResponse>('/api/auth/login', {
    username,
    password,
  });
  return { status, caller: new Caller(origin, status === 200 ? body.token : null) };
}

/** The Admin's sign-in on a server with SAFEGUARDS=on, up to the second factor. */
export async function beginSignIn(origin: string): Promise<{ challenge: Challenge; onTheWay: Caller }> {
  const login = { username: 'admin', password: CHOSEN_PASSWORD };
  const { body } = await new Caller(origin, null).post<{ challenge: Challenge }>('/api/auth/login', login);
  return { challenge: body.challenge, onTheWay: new Caller(origin, body.challenge.token) };
}

/** Sets up the Admin's authenticator app; answers the Admin signed in by it. */
export async function setUpApp(origin: string): Promise<{ caller: Caller; codeApp: CodeApp }> {
  const { onTheWay } = await beginSignIn(origin);
  const { body: setup } = await onTheWay.post<{ secret: string }>('/api/auth/factors/totp');
  const codeApp = new CodeApp(setup.secret, Date.now);
  const { body } = await onTheWay.post<Enrolled>('/api/auth/factors/totp/confirm', { code: codeApp.freshCode() });
  return { caller: new Caller(origin, body.session?.token ?? ''), codeApp };
}
