// The rules of docs/behaviour.md, Rights, as examples.
import { describe, expect, it } from 'vitest';
import { api } from './api.ts';
import { Refusal } from './errors.ts';
import {
  type ActingActor,
  type Action,
  activityReach,
  authorize,
  CAPABILITIES,
  type Capability,
  guardRoute,
  hasClientPages,
  hasCommonRouting,
  type ListedActor,
  may,
  mayActBy,
  mayAttempt,
  newRoleRights,
  type Reach,
  type RoleFacts,
  reachesActivity,
  reachesClient,
  reachesEveryReportType,
  reachesEveryRole,
  reachesFile,
  reachesReportType,
  reachesUser,
  type SubjectOf,
  type SystemRole,
  systemRoles,
  TAKE_BACK_MS,
} from './policy.ts';

const ME = 7;
const SOMEBODY = 8;

type Person = ListedActor & ActingActor;

function actor(roleKey: SystemRole | null, more: Partial<Person> = {}): Person {
  const rights = roleKey === null ? newRoleRights : systemRoles[roleKey];
  const session = { credential: { kind: 'session' } as const, requiresStepUp: false, mustChangePassword: false };
  return { id: ME, roleKey, ...rights, clientIds: [1], allClients: false, reportTypeIds: [10], ...session, ...more };
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

describe('the pages of clients', () => {
  it('are for everyone but Client users, and for those of them who manage clients', () => {
    expect([actor('admin'), actor('cpa'), actor(null), actor('client')].map(hasClientPages)).toEqual([
      true,
      true,
      true,
      false,
    ]);
    expect(hasClientPages(actor('client', { capabilities: ['clients.manage'] }))).toBe(true);
  });
});

describe('roles', () => {
  it('are Admin with everything, CPA and Client with lists, and custom ones with nothing', () => {
    expect(systemRoles.admin).toMatchObject({ reach: 'all', capabilities: CAPABILITIES });
    expect(systemRoles.cpa).toMatchObject({
      reach: 'lists',
      capabilities: [
        'reports.upload',
        'documents.upload',
        'files.delete',
        'batches.manage',
        'batches.release',
        'requests.manage',
        'activity.read-clients',
      ],
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

  it('of report types is the list, and all for anyone who manages them, but not their reports', () => {
    const manager = holding('report-types.manage');
    expect(reachesEveryReportType(manager)).toBe(true);
    expect(reachesReportType(manager, 11)).toBe(true);
    expect(reachesFile(manager, { clientId: 1, fileType: 'report', reportTypeId: 11, uploadedById: null })).toBe(false);
    expect(reachesReportType(custom, 11)).toBe(false);
  });

  it('of users is oneself, and all for anyone who manages them', () => {
    for (const viewer of [cpa, client, custom]) {
      expect([reachesUser(viewer, ME), reachesUser(viewer, SOMEBODY)]).toEqual([true, false]);
    }
    for (const viewer of [admin, holding('users.manage')]) expect(reachesUser(viewer, SOMEBODY)).toBe(true);
  });

  it('of roles is one’s own, and all for anyone who manages roles or users', () => {
    expect([cpa, client, custom].map(reachesEveryRole)).toEqual([false, false, false]);
    expect([admin, holding('roles.manage'), holding('users.manage')].map(reachesEveryRole)).toEqual([true, true, true]);
  });

  it('of the log is one’s own acts; with activity.read-clients also those on own clients; with activity.read all', () => {
    const readers = [holding('activity.read-clients'), holding('activity.read')];
    expect([admin, cpa, client, custom, ...readers].map(activityReach)).toEqual([
      'all',
      'own-and-clients',
      'own',
      'own',
      'own-and-clients',
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

  it('a report: the Admin, and anyone who holds files.delete, not its uploader', () => {
    for (const viewer of [admin, cpa, holding('files.delete')])
      expect(may(viewer, 'files.delete', report(null))).toBe(true);
    for (const viewer of [client, custom]) expect(may(viewer, 'files.delete', report(ME))).toBe(false);
  });

  it('a company document: its uploader, and who deletes files and reaches everything, whatever else others hold', () => {
    for (const viewer of all) expect(may(viewer, 'files.delete', document(ME))).toBe(true);
    for (const viewer of [cpa, client, custom, holding(...CAPABILITIES)]) {
      expect(may(viewer, 'files.delete', document(SOMEBODY))).toBe(false);
      expect(may(viewer, 'files.delete', document(null))).toBe(false);
    }
    expect(may(admin, 'files.delete', document(SOMEBODY))).toBe(true);
    const everywhere = actor(null, { reach: 'all', capabilities: ['files.delete'] });
    expect(may(everywhere, 'files.delete', document(SOMEBODY))).toBe(true);
    expect(may({ ...everywhere, capabilities: [] }, 'files.delete', document(SOMEBODY))).toBe(false);
  });
});

describe('taking a report back', () => {
  const report = { fileType: 'report', uploadedById: ME, ageMs: TAKE_BACK_MS - 1, openedByOthers: false } as const;
  const uploader = holding('reports.upload');
  const refusal = (viewer: ActingActor, file: SubjectOf<'files.take-back'>[0]) =>
    refusalOf(() => authorize(viewer, 'files.take-back', file));

  it('is for its uploader, within a day, while nobody else has opened it', () => {
    expect(refusal(uploader, report)).toBeNull();
    expect(refusal(uploader, { ...report, ageMs: TAKE_BACK_MS })).toBe('take_back_over');
    expect(refusal(uploader, { ...report, openedByOthers: true })).toBe('opened_meanwhile');
    expect(refusal(uploader, { ...report, openedByOthers: null })).toBe('opened_meanwhile');
    expect(refusal(uploader, { ...report, uploadedById: SOMEBODY })).toBe('forbidden');
    expect(refusal(uploader, { ...report, uploadedById: null })).toBe('forbidden');
    expect(refusal(uploader, { ...report, fileType: 'company_document' })).toBe('forbidden');
    for (const viewer of [client, custom, holding('files.delete')]) expect(refusal(viewer, report)).toBe('forbidden');
  });

  it('is undone by whoever took it back, and by nobody else of their rights', () => {
    const back = { fileType: 'report', uploadedById: ME, deletedById: ME, losesType: false } as const;
    expect(may(uploader, 'files.restore', back)).toBe(true);
    expect(may(uploader, 'files.restore', { ...back, uploadedById: SOMEBODY })).toBe(false);
    expect(may(uploader, 'files.restore', { ...back, deletedById: SOMEBODY })).toBe(false);
    expect(may(holding('documents.upload'), 'files.restore', back)).toBe(false);
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

describe('re-filing', () => {
  const report = { fileType: 'report', uploadedById: null } as const;
  const toReport = { fileType: 'report', clientReached: true, reportTypeReached: true } as const;
  const toDocument = { fileType: 'company_document', clientReached: true, reportTypeReached: null } as const;

  it('needs the right to delete the file where it is and to upload it where it goes', () => {
    expect(may(cpa, 'files.refile', { from: report, to: toReport })).toBe(true);
    expect(may(cpa, 'files.refile', { from: report, to: toDocument })).toBe(true);
    expect(may(holding('reports.upload'), 'files.refile', { from: report, to: toReport })).toBe(false);
    expect(may(holding('files.delete', 'reports.upload'), 'files.refile', { from: report, to: toReport })).toBe(true);
    expect(may(holding('files.delete', 'reports.upload'), 'files.refile', { from: report, to: toDocument })).toBe(
      false,
    );
    const own = { fileType: 'company_document', uploadedById: ME } as const;
    expect(may(client, 'files.refile', { from: own, to: toDocument })).toBe(true);
    expect(may(client, 'files.refile', { from: own, to: toReport })).toBe(false);
    expect(may(cpa, 'files.refile', { from: { ...own, uploadedById: SOMEBODY }, to: toDocument })).toBe(false);
  });

  it('needs both places within reach, and takes no file out of one’s own sight', () => {
    expect(may(cpa, 'files.refile', { from: report, to: { ...toReport, clientReached: false } })).toBe(false);
    expect(may(cpa, 'files.refile', { from: report, to: { ...toReport, reportTypeReached: false } })).toBe(false);
    const untyped = { ...toReport, reportTypeReached: null };
    expect(may(cpa, 'files.refile', { from: report, to: untyped })).toBe(false);
    expect(may(cpa, 'files.refile', { from: { ...report, uploadedById: ME }, to: untyped })).toBe(true);
    expect(may(admin, 'files.refile', { from: report, to: untyped })).toBe(true);
  });
});

describe('people', () => {
  const manager = holding('users.manage');
  const plain = roleFacts('lists', []);
  const change = { userId: SOMEBODY, formerRole: plain, role: plain, listsReached: true, setsPassword: false };

  it('get from nobody a role that may do or reach more than the giver', () => {
    expect(may(manager, 'users.create', { role: plain, listsReached: true })).toBe(true);
    expect(may(manager, 'users.create', { role: roleFacts('lists', ['users.manage']), listsReached: true })).toBe(true);
    for (const role of [system('admin'), system('cpa'), system('client'), roleFacts('all', [])]) {
      expect(may(manager, 'users.create', { role, listsReached: true })).toBe(false);
      expect(may(manager, 'users.update', { ...change, role })).toBe(false);
      expect(may(manager, 'users.update', { ...change, formerRole: role })).toBe(false);
      expect(may(manager, 'users.delete', { userId: SOMEBODY, role, listsReached: true })).toBe(false);
      expect(may(admin, 'users.create', { role, listsReached: true })).toBe(true);
    }
  });

  it('get from nobody a client or report type the giver does not reach', () => {
    expect(may(manager, 'users.create', { role: plain, listsReached: false })).toBe(false);
    expect(may(manager, 'users.update', change)).toBe(true);
    expect(may(manager, 'users.update', { ...change, listsReached: false })).toBe(false);
    expect(may(manager, 'users.delete', { userId: SOMEBODY, role: plain, listsReached: false })).toBe(false);
    expect(may(manager, 'users.delete', { userId: SOMEBODY, role: plain, listsReached: true })).toBe(true);
  });

  it('G8: set no password of their own without the old one, not even an Admin', () => {
    const own = { ...change, userId: ME, setsPassword: true };
    expect(refusalOf(() => authorize(manager, 'users.update', own))).toBe('own_password');
    expect(refusalOf(() => authorize(admin, 'users.update', { ...own, formerRole: system('admin') }))).toBe(
      'own_password',
    );
    expect(refusalOf(() => authorize(manager, 'users.update', { ...own, setsPassword: false }))).toBe(null);
    expect(refusalOf(() => authorize(manager, 'users.update', { ...own, userId: SOMEBODY }))).toBe(null);
  });

  it('G14: get from nobody the reading of a log that the giver does not read', () => {
    const maker = holding(
      'users.manage',
      'reports.upload',
      'documents.upload',
      'files.delete',
      'batches.manage',
      'batches.release',
      'requests.manage',
    );
    const cpaRole = system('cpa');
    expect(may(maker, 'users.create', { role: cpaRole, listsReached: true })).toBe(false);
    const reader = { ...maker, capabilities: [...maker.capabilities, 'activity.read-clients' as const] };
    expect(may(reader, 'users.create', { role: cpaRole, listsReached: true })).toBe(true);
  });

  it('cannot delete themselves, not even an Admin', () => {
    const self = { userId: ME, role: plain, listsReached: true };
    expect(refusalOf(() => authorize(manager, 'users.delete', self))).toBe('own_account');
    expect(refusalOf(() => authorize(admin, 'users.delete', { ...self, role: system('admin') }))).toBe('own_account');
  });
});

describe('roles and permissions', () => {
  const manager = holding('roles.manage', 'activity.read');

  it('built in are renamed and deleted by nobody', () => {
    for (const systemKey of ['admin', 'cpa', 'client'] as const) {
      expect(refusalOf(() => authorize(admin, 'roles.update', system(systemKey)))).toBe('role_built_in');
      expect(refusalOf(() => authorize(admin, 'roles.delete', system(systemKey)))).toBe('role_built_in');
    }
    expect(may(manager, 'roles.update', roleFacts('lists', []))).toBe(true);
  });

  it('G15: are renamed and deleted only by those who hold all that the role holds', () => {
    for (const action of ['roles.update', 'roles.delete'] as const) {
      expect(may(manager, action, roleFacts('lists', ['activity.read']))).toBe(true);
      expect(may(manager, action, roleFacts('lists', ['clients.manage']))).toBe(false);
      expect(may(manager, action, roleFacts('all', []))).toBe(false);
      expect(may(admin, action, roleFacts('all', [...CAPABILITIES]))).toBe(true);
    }
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

  it('over work in the background and mail belongs to anyone who reads the whole log and reaches every client', () => {
    const holder = (reach: Reach, capabilities: readonly Capability[]) => ({ ...custom, id: 1, reach, capabilities });
    for (const action of ['jobs.read', 'jobs.manage', 'mail.read', 'mail.manage', 'system.read'] as const) {
      expect(mayAttempt(admin, action)).toBe(true);
      expect(mayAttempt(holder('all', ['activity.read']), action)).toBe(true);
      expect(mayAttempt(holder('lists', [...CAPABILITIES]), action)).toBe(false);
      expect(mayAttempt(holder('all', ['activity.read-clients']), action)).toBe(false);
    }
  });

  it('over requests is of two kinds that nobody has together: staff ask and decide, Client users answer', () => {
    const client = (...capabilities: Capability[]) => actor('client', { capabilities });
    const staff = (...capabilities: Capability[]) => actor(null, { capabilities });
    const acts = (who: ActingActor) =>
      (['requests.read', 'requests.manage', 'requests.answer'] as const).filter((action) => mayAttempt(who, action));
    expect(acts(admin)).toEqual(['requests.read', 'requests.manage']);
    expect(acts(staff('requests.manage'))).toEqual(['requests.read', 'requests.manage']);
    expect(acts(staff('documents.upload', 'reports.upload'))).toEqual([]);
    expect(acts(client('documents.upload'))).toEqual(['requests.read', 'requests.answer']);
    expect(acts(client('documents.upload', 'requests.manage'))).toEqual(['requests.read', 'requests.answer']);
    expect(acts(client('requests.manage'))).toEqual([]);
    expect(mayAttempt(staff(...CAPABILITIES), 'requests.keep-templates')).toBe(false);
  });

  it('leaves a proof that names act and actor and cannot be changed', () => {
    const proof = authorize(admin, 'clients.create');
    expect(proof).toEqual({ action: 'clients.create', actorId: ME });
    expect(Object.isFrozen(proof)).toBe(true);
    expect(refusalOf(() => authorize(custom, 'clients.create'))).toBe('forbidden');
  });
});

describe('A27: a session that must confirm its second factor', () => {
  const unconfirmed = actor('admin', { requiresStepUp: true });
  const plain = roleFacts('lists', []);
  const listsReached = true;

  /** What each act asks of a session whose second factor was shown too long ago; every act is listed. */
  const asked: Record<Action, 'never' | 'always' | 'sometimes'> = {
    'session.open': 'never',
    'session.use': 'never',
    'session.devices': 'never',
    'session.jobs': 'never',
    'session.password': 'always',
    'session.preferences': 'never',
    'factors.read': 'never',
    'factors.enrol': 'always',
    'factors.change': 'always',
    'api.describe': 'never',
    'overview.read': 'never',
    'first-steps.read': 'never',
    'first-steps.dismiss': 'never',
    'changes.read': 'never',
    'clients.read': 'never',
    'clients.create': 'never',
    'clients.update': 'never',
    'clients.delete': 'always',
    'clients.restore': 'always',
    'clients.purge': 'always',
    'users.read': 'never',
    'users.create': 'always',
    'users.update': 'always',
    'users.delete': 'always',
    'users.look': 'always',
    'users.withdraw-invitation': 'always',
    'users.reset-second-factor': 'always',
    'roles.read': 'never',
    'roles.create': 'never',
    'roles.update': 'always',
    'roles.delete': 'always',
    'report-types.read': 'never',
    'report-types.create': 'never',
    'report-types.update': 'never',
    'report-types.delete': 'always',
    'files.read': 'never',
    'files.upload': 'never',
    'files.refile': 'always',
    'files.delete': 'always',
    'files.take-back': 'always',
    'files.restore': 'always',
    'files.purge': 'always',
    'files.read-marks': 'never',
    'files.settle-mark': 'never',
    'files.read-readers': 'never',
    'files.read-versions': 'never',
    'trash.read': 'never',
    'holds.read': 'never',
    'holds.manage': 'always',
    'retention.read': 'never',
    'retention.manage': 'always',
    'activity.read': 'sometimes',
    'activity.export': 'always',
    'archives.use': 'never',
    'batches.use': 'never',
    'batches.release': 'always',
    'batches.recall': 'always',
    'batches.discard': 'always',
    'suggestions.read': 'never',
    'suggestions.accept': 'never',
    'suggestions.remove': 'never',
    'firm-settings.read': 'never',
    'firm-settings.update': 'always',
    'completeness.read': 'never',
    'completeness.manage': 'never',
    'requests.read': 'never',
    'requests.manage': 'never',
    'requests.answer': 'never',
    'requests.keep-templates': 'never',
    'activity.announce': 'never',
    'permissions.read': 'never',
    'permissions.explain': 'never',
    'permissions.update': 'always',
    'jobs.read': 'never',
    'jobs.manage': 'never',
    'mail.read': 'never',
    'mail.manage': 'never',
    'digests.choose': 'never',
    'files.remind': 'never',
    'system.read': 'never',
  };
  const facts: { readonly [A in Action]?: unknown } = {
    'users.create': { role: plain, listsReached },
    'users.update': { userId: SOMEBODY, formerRole: plain, role: plain, listsReached, setsPassword: false },
    'users.delete': { userId: SOMEBODY, role: plain, listsReached },
    'users.look': { userId: SOMEBODY, role: plain },
    'users.withdraw-invitation': { role: plain, listsReached },
    'users.reset-second-factor': { role: plain, listsReached },
    'roles.update': plain,
    'roles.delete': plain,
    'permissions.update': { role: plain, change: plain },
    'files.upload': { fileType: 'report', clientReached: true, reportTypeReached: true },
    'files.delete': { fileType: 'report', uploadedById: ME },
    'files.take-back': { fileType: 'report', uploadedById: ME, ageMs: 0, openedByOthers: false },
    'files.restore': { fileType: 'report', uploadedById: ME, deletedById: ME, losesType: false },
    'files.settle-mark': { fileType: 'report', clientReached: true, reportTypeReached: true },
    'clients.restore': { deletedById: ME },
    'files.refile': {
      from: { fileType: 'report', uploadedById: ME },
      to: { fileType: 'report', clientReached: true, reportTypeReached: true },
    },
    'activity.read': { rows: 1 },
  };

  it.each(Object.entries(asked) as [Action, string][])('G5: to %s it is asked %s', (action, when) => {
    const attempt = (who: ActingActor) =>
      refusalOf(() => authorize(who, action as 'users.create', facts[action] as SubjectOf<'users.create'>[0]));
    // Admin does everything but what Client users alone do.
    const key = action === 'requests.answer' ? 'client' : 'admin';
    const [confirmed, unconfirmed] = [actor(key), actor(key, { requiresStepUp: true })];
    expect(attempt(confirmed)).toBe(null);
    expect(attempt(unconfirmed)).toBe(when === 'always' ? 'reauth_required' : null);
    const guard = (who: ActingActor) => refusalOf(() => guardRoute(who, action));
    expect([guard(unconfirmed), guard(confirmed)]).toEqual([when === 'always' ? 'reauth_required' : null, null]);
  });

  it('G5: is asked by rights and not by the key of a role', () => {
    const manager = actor(null, { capabilities: ['users.manage', 'files.delete'], requiresStepUp: true });
    expect(refusalOf(() => authorize(manager, 'users.create', { role: plain, listsReached }))).toBe('reauth_required');
    const report = { fileType: 'report', uploadedById: null } as const;
    expect(refusalOf(() => authorize(manager, 'files.delete', report))).toBe('reauth_required');
  });

  it('G5: reads as much of the log as a screen shows, and all of one’s own', () => {
    const read = (who: ActingActor, rows: number) => refusalOf(() => authorize(who, 'activity.read', { rows }));
    for (const who of [unconfirmed, actor('cpa', { requiresStepUp: true })]) {
      expect([read(who, 200), read(who, 201), read(who, 1_000)]).toEqual([null, 'reauth_required', 'reauth_required']);
    }
    expect([read(admin, 1_000), read(actor('client', { requiresStepUp: true }), 1_000)]).toEqual([null, null]);
  });

  it('gets no proof of what always asks for it, and learns first what it may not do at all', () => {
    const change = { role: plain, change: plain };
    expect(refusalOf(() => authorize(unconfirmed, 'permissions.update', change))).toBe('reauth_required');
    expect(refusalOf(() => authorize(unconfirmed, 'users.reset-second-factor', { role: plain, listsReached }))).toBe(
      'reauth_required',
    );
    const nobody = actor(null, { requiresStepUp: true });
    expect(refusalOf(() => authorize(nobody, 'permissions.update', change))).toBe('forbidden');
    const manager = actor(null, { capabilities: ['users.manage'], requiresStepUp: true });
    expect(refusalOf(() => authorize(manager, 'users.create', { role: system('admin'), listsReached }))).toBe(
      'forbidden',
    );
  });

  it('is offered the same buttons', () => {
    expect(may(unconfirmed, 'permissions.update', { role: plain, change: plain })).toBe(true);
  });
});

describe('a look at the portal as another person has it', () => {
  const look = actor('admin', { look: { as: 'Pat Example' } });
  const reads: readonly Action[] = [
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
  ];
  const acts = Object.values(api).map(({ action }) => action as Action);

  it('G56: passes the route guard of what reads and of nothing else, whatever the person may do', () => {
    const refused = [...new Set(acts)].filter((action) => refusalOf(() => guardRoute(look, action)) !== null);
    expect(refused.sort()).toEqual([...new Set(acts)].filter((action) => !reads.includes(action)).sort());
    for (const action of refused) {
      expect(refusalOf(() => guardRoute(look, action))).toBe('look_reads_only');
      expect(mayAttempt(look, action)).toBe(false);
    }
    expect(refusalOf(() => authorize(look, 'clients.create'))).toBe('look_reads_only');
    expect(may(look, 'files.delete', { fileType: 'report', uploadedById: ME })).toBe(false);
    expect(may(admin, 'files.delete', { fileType: 'report', uploadedById: ME })).toBe(true);
  });

  it('G56: is offered to those alone who see everything and may do all that the person may', () => {
    const at = (who: ActingActor, role: RoleFacts, userId = SOMEBODY) => may(who, 'users.look', { userId, role });
    expect([at(admin, system('client')), at(admin, system('cpa')), at(admin, roleFacts('all', CAPABILITIES))]).toEqual([
      true,
      true,
      true,
    ]);
    expect([at(admin, system('admin')), at(admin, system('client'), ME), at(look, system('client'))]).toEqual([
      false,
      false,
      false,
    ]);
    const needed = ['users.manage', 'activity.read', 'files.delete', 'clients.manage', 'documents.upload'] as const;
    expect(at(actor(null, { reach: 'all', capabilities: needed }), system('client'))).toBe(true);
    expect(at(actor(null, { reach: 'lists', capabilities: needed }), system('client'))).toBe(false);
    expect(at(actor(null, { reach: 'all', capabilities: needed }), system('cpa'))).toBe(false);
    for (const missing of needed) {
      const capabilities = needed.filter((one) => one !== missing);
      expect([missing, at(actor(null, { reach: 'all', capabilities }), system('client'))]).toEqual([missing, false]);
    }
  });
});

it('A24: a sign-in that sets up its first factor passes no other route guard', () => {
  const guarded = [
    'factors.enrol',
    'factors.change',
    'factors.read',
    'session.use',
    'session.password',
    'files.read',
  ] as const;
  expect(guarded.filter((action) => mayActBy('sign-in', action))).toEqual(['factors.enrol']);
});
