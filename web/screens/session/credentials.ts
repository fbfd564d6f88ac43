// What is wrong with a login: before it is sent, and the message of its failure (docs/behaviour.md, Session and account: signing in).
import { ApiFault } from '#web/lib/api-fault.ts';
import { titles } from '#web/lib/messages.ts';
import { sessionFailed, sessionRequired } from './session-messages.ts';

export interface Credentials {
  readonly username: string;
  readonly password: string;
}

export type CredentialFaults = Partial<Record<keyof Credentials, string>>;

/** What is missing; empty where the login may be sent. A password of spaces is a password. */
export function missingCredentials({ username, password }: Credentials): CredentialFaults {
  return {
    ...(username.trim() === '' ? { username: sessionRequired.username } : {}),
    ...(password === '' ? { password: sessionRequired.password } : {}),
  };
}

/** The server's message; without one 'Login failed', and for anything but an Error 'Unknown error occurred'. */
export function loginFault(error: unknown): string {
  if (!(error instanceof Error)) return sessionFailed.loginUnknown;
  const worded = !(error instanceof ApiFault) || error.status === 0 || error.hasServerMessage;
  return worded && error.message !== '' ? error.message : titles.loginFailed;
}
