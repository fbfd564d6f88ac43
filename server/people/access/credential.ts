// By what somebody acts: each kind with what it is known by. What each may at most is in `contract/policy/credentials.ts`.
import { refuse } from '#contract/errors.ts';
import type { CredentialKind } from '#contract/policy/credentials.ts';

/** What lasts as long as a session. */
interface WithinSession<Kind extends CredentialKind> {
  readonly kind: Kind;
  readonly sessionId: number;
  /** When it ends whatever happens, in ms since the epoch. */
  readonly endsAt: number;
  /** When it was last used, as far as that is noted; a look does not say. */
  readonly usedAt?: number;
}

interface Named {
  readonly id: number;
  readonly username: string;
  readonly fullName: string;
}

export type Credential =
  /** The token of a session. */
  | WithinSession<'session'>
  /** The cookie beside it, which opens files by GET. */
  | WithinSession<'file-cookie'>
  /** A key that opens one file once. */
  | WithinSession<'view-ticket'>
  /** The token of a session in which somebody sees the portal as another person has it: whom they see, and who they are. */
  | (WithinSession<'look'> & { readonly as: string; readonly by: Named })
  /** The token of a sign-in whose password was right, and which waits for a first second factor. */
  | { readonly kind: 'sign-in'; readonly signInId: number; readonly endsAt: number }
  /** A job that the person ordered. */
  | { readonly kind: 'job' };

/** A session, by whichever of its secrets. */
export type SessionCredential = Extract<Credential, { readonly sessionId: number }>;

/** The session that is acted in. Refuses `unauthenticated` what has none: the sign-in and the job. */
export function sessionOf({ credential }: { readonly credential: Credential }): SessionCredential {
  if ('sessionId' in credential) return credential;
  throw refuse('unauthenticated');
}
