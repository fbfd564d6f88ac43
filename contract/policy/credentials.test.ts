// What is done by which credential at most, as one table written by hand: a new action or kind asks for its place in it.
import { describe, expect, it } from 'vitest';
import { refusalOf } from '#server/testing/actors.ts';
import { api } from '../api.ts';
import { type ActingActor, authorize, guardRoute } from '../policy.ts';
import { systemRoles } from './actor.ts';
import { type CredentialKind, mayActBy } from './credentials.ts';
import type { Action } from './rights.ts';

/** `yes`: done by it where the person may; `-`: never, whoever the person is. */
const TABLE = `
                          | session look file-cookie view-ticket sign-in job
session.open              | yes     -    -           -           -       -
session.use               | yes     yes  -           -           -       -
session.devices           | yes     -    -           -           -       -
session.jobs              | yes     -    -           -           -       -
session.password          | yes     -    -           -           -       -
session.preferences       | yes     -    -           -           -       -
factors.read              | yes     -    -           -           -       -
factors.enrol             | yes     -    -           -           yes     -
factors.change            | yes     -    -           -           -       -
api.describe              | yes     yes  -           -           -       -
overview.read             | yes     yes  -           -           -       -
first-steps.read          | yes     -    -           -           -       -
first-steps.dismiss       | yes     -    -           -           -       -
changes.read              | yes     yes  -           -           -       -
clients.read              | yes     yes  -           -           -       -
clients.create            | yes     -    -           -           -       -
clients.update            | yes     -    -           -           -       -
clients.delete            | yes     -    -           -           -       -
clients.restore           | yes     -    -           -           -       -
clients.purge             | yes     -    -           -           -       -
users.read                | yes     yes  -           -           -       -
users.create              | yes     -    -           -           -       -
users.update              | yes     -    -           -           -       -
users.delete              | yes     -    -           -           -       -
users.look                | yes     -    -           -           -       -
users.withdraw-invitation | yes     -    -           -           -       -
users.reset-second-factor | yes     -    -           -           -       -
roles.read                | yes     yes  -           -           -       -
roles.create              | yes     -    -           -           -       -
roles.update              | yes     -    -           -           -       -
roles.delete              | yes     -    -           -           -       -
report-types.read         | yes     yes  -           -           -       -
report-types.create       | yes     -    -           -           -       -
report-types.update       | yes     -    -           -           -       -
report-types.delete       | yes     -    -           -           -       -
files.read                | yes     yes  yes         yes         -       yes
files.upload              | yes     -    -           -           -       yes
files.refile              | yes     -    -           -           -       -
files.delete              | yes     -    -           -           -       yes
files.take-back           | yes     -    -           -           -       -
files.restore             | yes     -    -           -           -       -
files.purge               | yes     -    -           -           -       -
files.read-marks          | yes     yes  -           -           -       -
files.settle-mark         | yes     -    -           -           -       -
files.read-readers        | yes     yes  -           -           -       -
files.read-versions       | yes     yes  -           -           -       -
trash.read                | yes     yes  -           -           -       -
holds.read                | yes     yes  -           -           -       -
holds.manage              | yes     -    -           -           -       -
retention.read            | yes     yes  -           -           -       -
retention.manage          | yes     -    -           -           -       yes
archives.use              | yes     -    yes         -           -       yes
batches.use               | yes     -    yes         -           -       yes
batches.release           | yes     -    -           -           -       yes
batches.stop              | yes     -    -           -           -       -
batches.recall            | yes     -    -           -           -       -
batches.discard           | yes     -    -           -           -       -
suggestions.read          | yes     -    -           -           -       -
suggestions.accept        | yes     -    -           -           -       -
suggestions.remove        | yes     -    -           -           -       -
firm-settings.read        | yes     yes  -           -           -       -
firm-settings.update      | yes     -    -           -           -       -
completeness.read         | yes     yes  -           -           -       -
completeness.manage       | yes     -    -           -           -       -
requests.read             | yes     yes  -           -           -       -
requests.manage           | yes     -    -           -           -       -
requests.answer           | yes     -    -           -           -       -
requests.keep-templates   | yes     -    -           -           -       -
activity.read             | yes     yes  -           -           -       -
activity.export           | yes     yes  -           -           -       -
activity.announce         | yes     -    -           -           -       -
permissions.read          | yes     yes  -           -           -       -
permissions.explain       | yes     yes  -           -           -       -
permissions.update        | yes     -    -           -           -       -
jobs.read                 | yes     yes  -           -           -       -
jobs.manage               | yes     -    -           -           -       -
mail.read                 | yes     yes  -           -           -       -
mail.manage               | yes     -    -           -           -       -
digests.choose            | yes     -    -           -           -       -
files.remind              | yes     -    -           -           -       -
system.read               | yes     yes  -           -           -       -
`;

const [head = '', ...lines] = TABLE.trim().split('\n');
const KINDS = head.split('|')[1]?.trim().split(/ +/) as CredentialKind[];
const rows = lines.map((line) => {
  const [action = '', cells = ''] = line.split('|');
  const said = cells.trim().split(/ +/);
  return { action: action.trim() as Action, may: new Map(KINDS.map((kind, at) => [kind, said[at] === 'yes'])) };
});

/** An Admin, who lacks no right, by a credential of this kind. */
const adminBy = (kind: CredentialKind): ActingActor => ({
  id: 1,
  roleKey: 'admin',
  ...systemRoles.admin,
  allClients: false,
  mustChangePassword: false,
  requiresStepUp: false,
  credential: { kind },
});

describe('credentials', () => {
  it('has a row for every action that an endpoint asks for', () => {
    const named = rows.map(({ action }) => action);
    expect(new Set(named).size).toBe(named.length);
    for (const action of new Set(Object.values(api).map((endpoint) => endpoint.action)))
      expect(named).toContain(action);
  });

  it.each(KINDS)('G124: by %s nothing is done that the table does not name, by whoever it may be', (kind) => {
    for (const { action, may } of rows) {
      const allowed = may.get(kind) === true;
      expect([action, mayActBy(kind, action)]).toEqual([action, allowed]);
      // What an Admin may by a session stands apart: some acts are a Client user's alone.
      const bySession = refusalOf(() => guardRoute(adminBy('session'), action));
      expect([action, refusalOf(() => guardRoute(adminBy(kind), action))]).toEqual([
        action,
        allowed ? bySession : 'forbidden',
      ]);
    }
  });

  it('G124: no proof is made of what a credential never does', () => {
    expect(refusalOf(() => authorize(adminBy('session'), 'session.password'))).toBeNull();
    for (const kind of KINDS.filter((one) => one !== 'session')) {
      expect([kind, refusalOf(() => authorize(adminBy(kind), 'session.password'))]).toEqual([kind, 'forbidden']);
    }
  });
});
