// The one table of rights, put together of its parts: each action with its line, and what holds for actions of several nouns.

import type { Actor } from './actor.ts';
import { type AuditSubjects, auditRights, auditRules } from './audit.ts';
import { batchRights } from './batches.ts';
import { type FileSubjects, fileRights, fileRules } from './files.ts';
import { type FirmSubjects, firmRights, firmRules } from './firm.ts';
import type { Right, Rules } from './gate.ts';
import { mailRights } from './mail.ts';
import { type PeopleSubjects, peopleRights, peopleRules } from './people.ts';
import { requestRights } from './requests.ts';
import { systemRights } from './system.ts';

const parts = {
  ...peopleRights,
  ...firmRights,
  ...fileRights,
  ...batchRights,
  ...requestRights,
  ...auditRights,
  ...mailRights,
  ...systemRights,
};

export type Action = keyof typeof parts;

/** What an action must know of its object before it can be allowed. Actions not named here need only their gate. */
interface Subjects extends PeopleSubjects, FirmSubjects, FileSubjects, AuditSubjects {}

export type SubjectOf<A extends Action> = A extends keyof Subjects ? [subject: Subjects[A]] : [];

/** Every action has its line here, so that a new one cannot be forgotten. */
export const rights: {
  readonly [A in Action]: Right<A extends keyof Subjects ? (actor: Actor, subject: Subjects[A]) => boolean : never>;
} = parts;

export const rules: Rules<Subjects> = { ...peopleRules, ...firmRules, ...fileRules, ...auditRules };

/** The acts that change what somebody may do or reach, or what may be done with a file or client at all: no other act is judged while one of them runs. */
const changesOfRights: ReadonlySet<Action> = new Set<Action>([
  'users.create',
  'users.update',
  'users.delete',
  'users.withdraw-invitation',
  'users.reset-second-factor',
  'roles.create',
  'roles.update',
  'roles.delete',
  'permissions.update',
  'clients.delete',
  // Its people sign in again, and who reached it reaches it again.
  'clients.restore',
  'report-types.delete',
  // Nothing is deleted, purged or replaced while it is decided that it stays.
  'holds.manage',
]);

export function changesRights(action: Action): boolean {
  return changesOfRights.has(action);
}

/** What a Client user never does, whatever the role may: it is the firm's own view of its clients. */
const actsOfStaff: ReadonlySet<Action> = new Set<Action>([
  'completeness.read',
  'completeness.manage',
  'files.read-marks',
  'files.settle-mark',
  'files.read-readers',
  'files.read-versions',
  'holds.read',
  'holds.manage',
  'requests.manage',
  'files.remind',
  'retention.read',
  'retention.manage',
]);

export function isActOfStaff(action: Action): boolean {
  return actsOfStaff.has(action);
}
