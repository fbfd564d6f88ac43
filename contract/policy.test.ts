// The rules of docs/behaviour.md, Rights, as examples: what holds for every act, by whatever it is done.
import { describe, expect, it } from 'vitest';
import {
  actor,
  admin,
  custom,
  ME,
  neededToLook,
  refusalOf,
  roleFacts,
  SOMEBODY,
  system,
} from '#server/testing/actors.ts';
import { api } from './api.ts';
import { CAPABILITIES, type Capability, type Reach, type RoleFacts } from './policy/actor.ts';
import { mayActBy } from './policy/credentials.ts';
import type { Action, SubjectOf } from './policy/rights.ts';
import { type ActingActor, authorize, guardRoute, may, mayAttempt } from './policy.ts';

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
    'batches.stop': 'never',
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
    'users.reset-second-factor': { userId: SOMEBODY, role: plain, listsReached },
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
    const reset = { userId: SOMEBODY, role: plain, listsReached };
    expect(refusalOf(() => authorize(unconfirmed, 'users.reset-second-factor', reset))).toBe('reauth_required');
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
    'files.read-readers',
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
    expect(at(actor(null, { reach: 'all', capabilities: neededToLook }), system('client'))).toBe(true);
    expect(at(actor(null, { reach: 'lists', capabilities: neededToLook }), system('client'))).toBe(false);
    expect(at(actor(null, { reach: 'all', capabilities: neededToLook }), system('cpa'))).toBe(false);
    for (const missing of neededToLook) {
      const capabilities = neededToLook.filter((one) => one !== missing);
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
