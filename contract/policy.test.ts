// The rules of design.md 5, said aloud.
import { describe, expect, it } from 'vitest';
import { Refusal } from './errors.ts';
import {
  type ActingActor,
  activityReach,
  authorize,
  CAPABILITIES,
  type Capability,
  hasCommonRouting,
  isForEnrolling,
  type ListedActor,
  may,
  mayAttempt,
  newRoleRights,
  owesStepUpAtDoor,
  type Reach,
  type RoleFacts,
  reachesActivity,
  reachesClient,
  reachesEveryReportType,
  reachesEveryRole,
  reachesFile,
  reachesReportType,
  reachesUser,
  type SystemRole,
  systemRoles,
} from './policy.ts';

const ME = 7;
const SOMEBODY = 8;

type Person = ListedActor & ActingActor;

function actor(roleKey: SystemRole | null, more: Partial<Person> = {}): Person {
  const rights = roleKey === null ? newRoleRights : systemRoles[roleKey];
  return { id: ME, roleKey, ...rights, clientIds: [1], reportTypeIds: [10], owesStepUp: false, ...more };
}

const admin = actor('admin', { clientIds: [], reportTypeIds: [] });
const cpa = actor('cpa');
const client = actor('client');
const custom = actor(null);
const holding = (...capabilities: Capability[]) => actor(null, { capabilities });
const all: readonly ListedActor[] = [admin, cpa, client, custom];

const roleFacts = (
  reach: Reach,
  capabilities: readonly Capability[],
  systemKey: SystemRole | null = null,
): RoleFacts => ({
  systemKey,
  reach,
  capabilities,
});
const system = (key: SystemRole): RoleFacts => ({ systemKey: key, ...systemRoles[key] });

/** The code `authorize` refuses with, or null. */
function refusalOf(act: () => unknown): string | null {
  try {
    act();
    return null;
  } catch (error) {
    if (error instanceof Refusal) return error.code;
    throw error;
  }
}

describe('roles', () => {
  it('are Admin with everything, CPA and Client with lists, and custom ones with nothing', () => {
    expect(systemRoles.admin).toMatchObject({ reach: 'all', capabilities: CAPABILITIES });
    expect(systemRoles.cpa).toMatchObject({
      reach: 'lists',
      capabilities: ['reports.upload', 'documents.upload', 'files.delete'],
    });
    expect(systemRoles.client).toMatchObject({ reach: 'lists', capabilities: ['documents.upload'] });
    expect(newRoleRights).toEqual({ reach: 'lists', capabilities: [] });
  });

  it('send CPA and Client to the dashboard and everyone else to the overview', () => {
    expect([hasCommonRouting('cpa'), hasCommonRouting('client')]).toEqual([true, true]);
    expect([hasCommonRouting('admin'), hasCommonRouting(null)]).toEqual([false, false]);
  });
});

describe('what is seen', () => {
  it('with empty lists is nothing; only reach over all ignores lists', () => {
    const listless = actor('cpa', { clientIds: [], reportTypeIds: [] });
    expect(reachesClient(listless, 1)).toBe(false);
    expect(reachesReportType(listless, 10)).toBe(false);
    expect(reachesClient(admin, 1)).toBe(true);
    expect(reachesReportType(admin, 10)).toBe(true);
  });

  it.each<[what: string, file: Parameters<typeof reachesFile>[1], seen: boolean]>([
    ['a report of both lists', { clientId: 1, fileType: 'report', reportTypeId: 10, uploadedById: SOMEBODY }, true],
    [
      'a report of the client list only',
      { clientId: 1, fileType: 'report', reportTypeId: 11, uploadedById: ME },
      false,
    ],
    ['a report of the type list only', { clientId: 2, fileType: 'report', reportTypeId: 10, uploadedById: ME }, false],
    [
      'a document of the client list',
      { clientId: 1, fileType: 'company_document', reportTypeId: null, uploadedById: null },
      true,
    ],
    [
      'a document of another client',
      { clientId: 2, fileType: 'company_document', reportTypeId: null, uploadedById: ME },
      false,
    ],
    [
      'another’s report without type',
      { clientId: 1, fileType: 'report', reportTypeId: null, uploadedById: SOMEBODY },
      false,
    ],
    [
      'a report without type whose uploader is gone',
      { clientId: 1, fileType: 'report', reportTypeId: null, uploadedById: null },
      false,
    ],
    ['one’s own report without type', { clientId: 1, fileType: 'report', reportTypeId: null, uploadedById: ME }, true],
    ['one’s own of another client', { clientId: 2, fileType: 'report', reportTypeId: null, uploadedById: ME }, false],
  ])('%s', (_what, file, seen) => {
    for (const viewer of [cpa, client, custom]) expect(reachesFile(viewer, file)).toBe(seen);
    expect(reachesFile(admin, file)).toBe(true);
  });

  it('of report types is the list, and all for whoever manages them, yet not their reports', () => {
    const manager = holding('report-types.manage');
    expect(reachesEveryReportType(manager)).toBe(true);
    expect(reachesReportType(manager, 11)).toBe(true);
    expect(reachesFile(manager, { clientId: 1, fileType: 'report', reportTypeId: 11, uploadedById: null })).toBe(false);
    expect(reachesReportType(custom, 11)).toBe(false);
  });

  it('of users is oneself, and all for whoever manages them', () => {
    for (const viewer of [cpa, client, custom]) {
      expect([reachesUser(viewer, ME), reachesUser(viewer, SOMEBODY)]).toEqual([true, false]);
    }
    for (const viewer of [admin, holding('users.manage')]) expect(reachesUser(viewer, SOMEBODY)).toBe(true);
  });

  it('of roles is one’s own, and all for whoever manages roles or users', () => {
    expect([cpa, client, custom].map(reachesEveryRole)).toEqual([false, false, false]);
    expect([admin, holding('roles.manage'), holding('users.manage')].map(reachesEveryRole)).toEqual([true, true, true]);
  });

  it('of the log is one’s own acts; for a CPA also those on own clients; with activity.read all', () => {
    expect([admin, cpa, client, custom, holding('activity.read')].map(activityReach)).toEqual([
      'all',
      'own-and-clients',
      'own',
      'own',
      'all',
    ]);
    const onMine = { userId: SOMEBODY, clientId: 1 };
    const onOther = { userId: SOMEBODY, clientId: 2 };
    const onNone = { userId: SOMEBODY, clientId: null };
    expect([onMine, onOther, onNone].map((entry) => reachesActivity(cpa, entry))).toEqual([true, false, false]);
    expect([onMine, onOther, onNone].map((entry) => reachesActivity(client, entry))).toEqual([false, false, false]);
    for (const viewer of all) expect(reachesActivity(viewer, { userId: ME, clientId: 2 })).toBe(true);
  });
});

describe('deleting a file', () => {
  const report = (uploadedById: number | null) => ({ fileType: 'report' as const, uploadedById });
  const document = (uploadedById: number | null) => ({ fileType: 'company_document' as const, uploadedById });

  it('a report: the Admin, and whoever holds files.delete, not its uploader', () => {
    for (const viewer of [admin, cpa, holding('files.delete')])
      expect(may(viewer, 'files.delete', report(null))).toBe(true);
    for (const viewer of [client, custom]) expect(may(viewer, 'files.delete', report(ME))).toBe(false);
  });

  it('a company document: the Admin and its uploader, nobody else, whatever they hold', () => {
    for (const viewer of all) expect(may(viewer, 'files.delete', document(ME))).toBe(true);
    for (const viewer of [cpa, client, custom, holding(...CAPABILITIES)]) {
      expect(may(viewer, 'files.delete', document(SOMEBODY))).toBe(false);
      expect(may(viewer, 'files.delete', document(null))).toBe(false);
    }
    expect(may(admin, 'files.delete', document(SOMEBODY))).toBe(true);
  });
});

describe('uploading', () => {
  const report = { fileType: 'report', clientReached: true, reportTypeReached: true } as const;
  const document = { fileType: 'company_document', clientReached: true, reportTypeReached: null } as const;

  it('needs the capability for the kind of file', () => {
    expect([cpa, client, custom].map((viewer) => may(viewer, 'files.upload', report))).toEqual([true, false, false]);
    expect([cpa, client, custom].map((viewer) => may(viewer, 'files.upload', document))).toEqual([true, true, false]);
    expect(may(holding('reports.upload'), 'files.upload', document)).toBe(false);
    expect(may(holding('documents.upload'), 'files.upload', report)).toBe(false);
  });

  it('needs the client and the report type within reach, each by itself', () => {
    expect(may(cpa, 'files.upload', { ...report, clientReached: false })).toBe(false);
    expect(may(cpa, 'files.upload', { ...report, reportTypeReached: false })).toBe(false);
    expect(may(cpa, 'files.upload', { ...report, reportTypeReached: null })).toBe(true);
    expect(may(cpa, 'files.upload', { ...document, clientReached: false })).toBe(false);
  });
});

describe('people', () => {
  const manager = holding('users.manage');
  const plain = roleFacts('lists', []);

  it('get from nobody a role that may do or reach more than the giver', () => {
    expect(may(manager, 'users.create', { role: plain, listsReached: true })).toBe(true);
    expect(may(manager, 'users.create', { role: roleFacts('lists', ['users.manage']), listsReached: true })).toBe(true);
    for (const role of [system('admin'), system('cpa'), system('client'), roleFacts('all', [])]) {
      expect(may(manager, 'users.create', { role, listsReached: true })).toBe(false);
      expect(may(manager, 'users.update', { formerRole: plain, role, listsReached: true, setsPassword: false })).toBe(
        false,
      );
      expect(
        may(manager, 'users.update', { formerRole: role, role: plain, listsReached: true, setsPassword: false }),
      ).toBe(false);
      expect(may(manager, 'users.delete', { userId: SOMEBODY, role, listsReached: true })).toBe(false);
      expect(may(admin, 'users.create', { role, listsReached: true })).toBe(true);
    }
  });

  it('get from nobody a client or report type the giver does not reach', () => {
    expect(may(manager, 'users.create', { role: plain, listsReached: false })).toBe(false);
    expect(
      may(manager, 'users.update', { formerRole: plain, role: plain, listsReached: false, setsPassword: false }),
    ).toBe(false);
    expect(may(manager, 'users.delete', { userId: SOMEBODY, role: plain, listsReached: false })).toBe(false);
    expect(may(manager, 'users.delete', { userId: SOMEBODY, role: plain, listsReached: true })).toBe(true);
  });

  it('do not delete themselves, not even an Admin', () => {
    const self = { userId: ME, role: plain, listsReached: true };
    expect(refusalOf(() => authorize(manager, 'users.delete', self))).toBe('own_account');
    expect(refusalOf(() => authorize(admin, 'users.delete', { ...self, role: system('admin') }))).toBe('own_account');
  });
});

describe('roles and permissions', () => {
  const manager = holding('roles.manage', 'activity.read');

  it('built in are renamed and deleted by nobody', () => {
    for (const systemKey of ['admin', 'cpa', 'client'] as const) {
      expect(refusalOf(() => authorize(admin, 'roles.update', { systemKey }))).toBe('role_built_in');
      expect(refusalOf(() => authorize(admin, 'roles.delete', { systemKey }))).toBe('role_built_in');
    }
    expect(may(manager, 'roles.update', { systemKey: null })).toBe(true);
  });

  it('of the Admin are fixed, and the reach of every built-in role', () => {
    const attempt = (role: RoleFacts, change: { reach: Reach; capabilities: readonly Capability[] }) =>
      refusalOf(() => authorize(admin, 'permissions.update', { role, change }));
    expect(attempt(system('admin'), systemRoles.admin)).toBe('role_built_in');
    expect(attempt(system('cpa'), { reach: 'all', capabilities: [] })).toBe('role_built_in');
    expect(attempt(system('client'), { reach: 'all', capabilities: [] })).toBe('role_built_in');
    expect(attempt(system('cpa'), { reach: 'lists', capabilities: ['activity.read'] })).toBe(null);
    expect(attempt(roleFacts('lists', []), { reach: 'all', capabilities: [...CAPABILITIES] })).toBe(null);
  });

  it('are granted and taken by nobody beyond what they hold themselves', () => {
    const attempt = (role: RoleFacts, change: { reach: Reach; capabilities: readonly Capability[] }) =>
      may(manager, 'permissions.update', { role, change });
    const plain = roleFacts('lists', []);
    expect(attempt(plain, { reach: 'lists', capabilities: ['activity.read'] })).toBe(true);
    expect(attempt(plain, { reach: 'lists', capabilities: ['clients.manage'] })).toBe(false);
    expect(attempt(plain, { reach: 'all', capabilities: [] })).toBe(false);
    expect(attempt(roleFacts('lists', ['clients.manage']), { reach: 'lists', capabilities: [] })).toBe(false);
    expect(attempt(roleFacts('all', []), { reach: 'lists', capabilities: [] })).toBe(false);
  });
});

describe('authority', () => {
  it('is in the capabilities, not in the name of a role or a user', () => {
    for (const action of ['clients.create', 'users.create', 'roles.create', 'permissions.update'] as const) {
      expect(mayAttempt({ ...custom, id: 1 }, action)).toBe(false);
      expect(mayAttempt(admin, action)).toBe(true);
    }
    expect(may({ ...custom, id: 1 }, 'files.delete', { fileType: 'report', uploadedById: null })).toBe(false);
  });

  it('leaves a proof that names act and actor and cannot be changed', () => {
    const proof = authorize(admin, 'clients.create');
    expect(proof).toEqual({ action: 'clients.create', actorId: ME });
    expect(Object.isFrozen(proof)).toBe(true);
    expect(refusalOf(() => authorize(custom, 'clients.create'))).toBe('forbidden');
  });
});

describe('A27: a session that owes its second factor', () => {
  const owing = actor('admin', { owesStepUp: true });
  const plain = roleFacts('lists', []);
  const listsReached = true;

  it('is stopped at the door of what always asks for it, and nowhere else', () => {
    const always = [
      'session.password',
      'factors.enrol',
      'factors.change',
      'permissions.update',
      'users.reset-second-factor',
      'activity.export',
    ] as const;
    for (const action of always) {
      expect([action, owesStepUpAtDoor(owing, action)]).toEqual([action, true]);
      expect([action, owesStepUpAtDoor(admin, action)]).toEqual([action, false]);
    }
    for (const action of ['session.use', 'factors.read', 'users.update', 'clients.delete', 'activity.read'] as const) {
      expect([action, owesStepUpAtDoor(owing, action)]).toEqual([action, false]);
    }
  });

  it('makes and changes no Admin and sets nobody’s password', () => {
    const create = (role: RoleFacts) => refusalOf(() => authorize(owing, 'users.create', { role, listsReached }));
    expect([create(system('admin')), create(system('cpa')), create(plain)]).toEqual(['reauth_required', null, null]);
    const update = (formerRole: RoleFacts, role: RoleFacts, setsPassword = false) =>
      refusalOf(() => authorize(owing, 'users.update', { formerRole, role, listsReached, setsPassword }));
    expect(update(plain, plain)).toBe(null);
    expect(update(plain, system('admin'))).toBe('reauth_required');
    expect(update(system('admin'), plain)).toBe('reauth_required');
    expect(update(plain, plain, true)).toBe('reauth_required');
  });

  it('gets no proof of what always asks for it, and is told first what it may not do at all', () => {
    const change = { role: plain, change: plain };
    expect(refusalOf(() => authorize(owing, 'permissions.update', change))).toBe('reauth_required');
    expect(refusalOf(() => authorize(owing, 'users.reset-second-factor', { role: plain, listsReached }))).toBe(
      'reauth_required',
    );
    const nobody = actor(null, { owesStepUp: true });
    expect(refusalOf(() => authorize(nobody, 'permissions.update', change))).toBe('forbidden');
    const manager = actor(null, { capabilities: ['users.manage'], owesStepUp: true });
    expect(refusalOf(() => authorize(manager, 'users.create', { role: system('admin'), listsReached }))).toBe(
      'forbidden',
    );
  });

  it('is offered the same buttons', () => {
    expect(may(owing, 'permissions.update', { role: plain, change: plain })).toBe(true);
  });
});

it('A24: a sign-in that sets up its first factor passes no other door', () => {
  const doors = [
    'factors.enrol',
    'factors.change',
    'factors.read',
    'session.use',
    'session.password',
    'files.read',
  ] as const;
  expect(doors.filter(isForEnrolling)).toEqual(['factors.enrol']);
});
