// Signing in to a server that may run in a process of its own, from any address, with a second factor where it asks for one.
import { request as httpRequest } from 'node:http';
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

export interface LoginOutcome {
  readonly status: number;
  readonly retryAfter: number;
  readonly body: string;
}

/** A sign-in from one of this machine's loopback addresses, on a connection of its own. */
export function signInFrom(
  origin: string,
  username: string,
  password: string,
  { from = '127.0.0.1', headers = {} }: { from?: string; headers?: Record<string, string> } = {},
): Promise<LoginOutcome> {
  const body = JSON.stringify({ username, password });
  return new Promise((resolve, reject) => {
    const asked = httpRequest(
      `${origin}/api/auth/login`,
      {
        method: 'POST',
        localAddress: from,
        agent: false,
        headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body), ...headers },
      },
      async (answer) => {
        const text = Buffer.concat(await answer.toArray()).toString();
        resolve({ status: answer.statusCode ?? 0, retryAfter: Number(answer.headers['retry-after']), body: text });
      },
    );
    asked.on('error', reject);
    asked.end(body);
  });
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
