// The rules of docs/behaviour.md, Rights, as examples: who gives what to whom.
import { describe, expect, it } from 'vitest';
import { admin, holding, ME, refusalOf, roleFacts, SOMEBODY, system } from '#server/testing/actors.ts';
import { authorize, may } from '../policy.ts';
import { CAPABILITIES, type Capability, type Reach, type RoleFacts, systemRoles } from './actor.ts';

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
    const cpaRole = system('cpa');
    const reader = holding('users.manage', ...cpaRole.capabilities);
    const maker = holding(...reader.capabilities.filter((capability) => capability !== 'activity.read-clients'));
    expect(may(maker, 'users.create', { role: cpaRole, listsReached: true })).toBe(false);
    expect(may(reader, 'users.create', { role: cpaRole, listsReached: true })).toBe(true);
  });

  it('reset no second factor of their own, of which the last one stays, not even an Admin', () => {
    const somebody = { userId: SOMEBODY, role: system('admin'), listsReached: true };
    expect(may(admin, 'users.reset-second-factor', somebody)).toBe(true);
    expect(may(admin, 'users.reset-second-factor', { ...somebody, userId: ME })).toBe(false);
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
