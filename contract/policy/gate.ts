// How the rights of a noun are written: a line for each action, and a rule where its object decides too.
import type { ErrorCode } from '../errors.ts';
import { type Actor, type Capability, can } from './actor.ts';
import { answersRequests, seesRequests, trashReach } from './reach.ts';

/**
 * Who gets past the route guard of an action: anyone, anyone signed in, holders of any one of these capabilities; `whole-log` is anyone who reads the
 * whole log and reaches every client: background jobs and mails may show anybody's work; `all-files` and `all-clients` are those who restore any
 * file or client, and so may end it for good; `whole-firm` is anyone who manages roles and
 * reaches every client: what is decided for the firm holds for everybody; `sees-requests` and `answers-requests` are who that says.
 */
export type Gate =
  | 'public'
  | 'signed-in'
  | 'whole-log'
  | 'whole-firm'
  | 'all-files'
  | 'all-clients'
  | 'sees-requests'
  | 'answers-requests'
  | readonly [Capability, ...Capability[]];

export function passes(actor: Actor, gate: Gate): boolean {
  if (gate === 'whole-log') return actor.reach === 'all' && can(actor, 'activity.read');
  if (gate === 'all-files') return trashReach(actor).files === 'all';
  if (gate === 'all-clients') return trashReach(actor).clients === 'all';
  if (gate === 'sees-requests') return seesRequests(actor);
  if (gate === 'answers-requests') return answersRequests(actor);
  if (gate === 'whole-firm') return actor.reach === 'all' && can(actor, 'roles.manage');
  return typeof gate === 'string' || gate.some((capability) => can(actor, capability));
}

/**
 * The line of an action: its gate, and whether the second factor is asked for again (SAFEGUARDS=on), which an unattended session must not be
 * enough for. That is every act that gives or takes rights, destroys something, or reads the whole log; a rule decides where it depends
 * on the request.
 */
export interface Right<Asks> {
  readonly gate: Gate;
  readonly stepUp: 'never' | 'always' | Asks;
}

/** The lines of some nouns. `rights.ts` asks that each is judged by the facts of its own action. */
export type Rights<Noun extends string> = {
  readonly [A in `${Noun}.${string}`]: Right<(actor: Actor, subject: never) => boolean>;
};

/** For each action with a subject: why it is refused, or null. */
export type Rules<Subjects> = {
  readonly [A in keyof Subjects]: (actor: Actor, subject: Subjects[A]) => ErrorCode | null;
};
