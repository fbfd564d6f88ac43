// Who may do what: the one judge, whom screens ask before they offer a button and the server before it acts. What it judges by is in
// `contract/policy/`, in parts: who acts, who reaches what, and a table of rights with a file for each room.
import { type ErrorCode, refuse } from './errors.ts';
import { type Actor, isClientUser, type Look } from './policy/actor.ts';
import { type CredentialKind, isActOfLooks, mayActBy } from './policy/credentials.ts';
import { passes } from './policy/gate.ts';
import { type Action, isActOfStaff, rights, rules, type SubjectOf } from './policy/rights.ts';

/** The look of the actor where it stops `action`, else null. */
function stoppingLook({ look = null }: Actor, action: Action): Look | null {
  return isActOfLooks(action) ? null : look;
}

/** All that somebody may do who must change the password first: change it, show the second factor for that, and sign out. */
const beforePasswordChange: ReadonlySet<Action> = new Set<Action>(['session.use', 'session.password', 'factors.read']);

export function waitsForPasswordChange(action: Action): boolean {
  return !isPublic(action) && !beforePasswordChange.has(action);
}

export function isPublic(action: Action): boolean {
  return rights[action].gate === 'public';
}

/** Whether the actor gets past the route guard of `action`, before anything is known of its object. */
export function mayAttempt(actor: Actor, action: Action): boolean {
  if (stoppingLook(actor, action) !== null) return false;
  if (isActOfStaff(action) && isClientUser(actor)) return false;
  return passes(actor, rights[action].gate);
}

function verdict<A extends Action>(actor: Actor, action: A, subject: SubjectOf<A>): ErrorCode | null {
  if (!mayAttempt(actor, action)) return 'forbidden';
  const rule = (rules as Record<string, ((actor: Actor, subject: unknown) => ErrorCode | null) | undefined>)[action];
  return rule ? rule(actor, subject[0]) : null;
}

/** Whether `authorize` would pass: what a screen asks before it offers a button. */
export function may<A extends Action>(actor: Actor, action: A, ...subject: SubjectOf<A>): boolean {
  return verdict(actor, action, subject) === null;
}

/** The person who acts on the server. */
export interface ActingActor extends Actor {
  readonly credential: { readonly kind: CredentialKind };
  /** Nothing else is done before the password is changed. */
  readonly mustChangePassword: boolean;
  /** With SAFEGUARDS=on, true for a session whose second factor was last shown too long ago; without, always false. */
  readonly requiresStepUp: boolean;
}

/** Refuses what is never done by what the actor acts by; whoever looks as another person is told so. */
function refuseBeyondCredential(actor: ActingActor, action: Action): void {
  const look = stoppingLook(actor, action);
  if (look !== null) throw refuse('look_reads_only', look);
  if (!mayActBy(actor.credential.kind, action)) throw refuse('forbidden');
}

/** Refuses anyone whom the route guard of `action` stops: it is never done by what they act by, somebody else looks as the person, the password must be changed first, a right is missing, or the second factor must be shown again. */
export function guardRoute(actor: ActingActor, action: Action): void {
  refuseBeyondCredential(actor, action);
  if (actor.mustChangePassword && waitsForPasswordChange(action)) throw refuse('password_change_required');
  if (!mayAttempt(actor, action)) throw refuse('forbidden');
  if (actor.requiresStepUp && rights[action].stepUp === 'always') throw refuse('reauth_required');
}

function requiresStepUp<A extends Action>(actor: ActingActor, action: A, subject: SubjectOf<A>): boolean {
  const rule = rights[action].stepUp as 'never' | 'always' | ((actor: Actor, subject: unknown) => boolean);
  return actor.requiresStepUp && (typeof rule === 'function' ? rule(actor, subject[0]) : rule === 'always');
}

declare const proven: unique symbol;

/** Evidence that `action` was allowed; only `authorize` makes it, and every write asks for it. */
export interface Proof<A extends Action = Action> {
  readonly action: A;
  readonly actorId: number;
  readonly [proven]: A;
}

/** Proof that `actor` may do `action` to `subject`; throws the Refusal that says why not. */
export function authorize<A extends Action>(actor: ActingActor, action: A, ...subject: SubjectOf<A>): Proof<A> {
  refuseBeyondCredential(actor, action);
  const refusal = verdict(actor, action, subject);
  // Codes that need facts come from the stores, never from a rule: a rule's code always has a fixed sentence.
  if (refusal !== null) throw refuse(refusal as 'forbidden');
  if (requiresStepUp(actor, action, subject)) throw refuse('reauth_required');
  return Object.freeze({ action, actorId: actor.id }) as Proof<A>;
}
