// By what somebody acts, and what is done by it at most: lists of what is allowed, so that a new action is done by a session alone.
import type { Action } from './rights.ts';

/**
 * What somebody does who looks as another person: read. Every other act is refused, a new one too; so are those of the account, what
 * leaves something behind (prepared ZIPs), and the workbench of batches.
 */
const actsOfLooks: ReadonlySet<Action> = new Set<Action>([
  'session.use',
  'api.describe',
  'overview.read',
  'changes.read',
  'clients.read',
  'users.read',
  'roles.read',
  'report-types.read',
  'files.read',
  'files.read-marks',
  'files.read-readers',
  'files.read-versions',
  'trash.read',
  'holds.read',
  'retention.read',
  'firm-settings.read',
  'completeness.read',
  'requests.read',
  'activity.read',
  'activity.export',
  'permissions.read',
  'permissions.explain',
  'jobs.read',
  'mail.read',
  'system.read',
]);

/**
 * By what somebody acts (`server/people/access/credential.ts`). The person's rights are the same by each; by all but a session of
 * one's own only what is named here is done.
 */
export type CredentialKind = 'session' | 'look' | 'file-cookie' | 'view-ticket' | 'sign-in' | 'job';

const actsBy: Readonly<Record<Exclude<CredentialKind, 'session'>, ReadonlySet<Action>>> = {
  look: actsOfLooks,
  'file-cookie': new Set<Action>(['files.read', 'archives.use', 'batches.use']),
  'view-ticket': new Set<Action>(['files.read']),
  'sign-in': new Set<Action>(['factors.enrol']),
  // What the kinds of job do, each asked for when it was ordered. Never the account: passwords, factors, sessions.
  job: new Set<Action>([
    'files.read',
    'files.upload',
    // What a released document takes the place of.
    'files.delete',
    'archives.use',
    'batches.use',
    'batches.release',
    'retention.manage',
  ]),
};

/** Whether `action` is ever done by a credential of this kind. */
export function mayActBy(kind: CredentialKind, action: Action): boolean {
  return kind === 'session' || actsBy[kind].has(action);
}

export function isActOfLooks(action: Action): boolean {
  return actsOfLooks.has(action);
}
