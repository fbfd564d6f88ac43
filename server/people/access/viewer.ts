// The signed-in person of a request, and who in truth makes their calls.

import type { Look } from '#contract/policy/actor.ts';
import type { ActingActor } from '#contract/policy.ts';
import type { Credential } from './credential.ts';

/** The signed-in person of one request, with the rights of that moment. */
export interface Viewer extends ActingActor {
  readonly credential: Credential;
  readonly username: string;
  readonly fullName: string;
  readonly roleId: number;
  readonly roleName: string;
  /** Where somebody else looks as this person: who. Whatever is counted or noted is theirs. */
  readonly look: (Look & { readonly by: Pick<Viewer, 'id' | 'username' | 'fullName'> }) | null;
}

/** The person who in truth makes the calls of a viewer. */
export const callerOf = (viewer: Viewer): Pick<Viewer, 'id' | 'username' | 'fullName'> => viewer.look?.by ?? viewer;
