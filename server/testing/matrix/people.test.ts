// Who may call what about sessions, people, roles and permissions: the calls of `rows/people.ts`.
import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { CAPABILITIES } from '#contract/policy/actor.ts';
import { putInvitation } from '../../people/auth/invitations.ts';
import { userNameColumns } from '../../platform/names/name-forms.ts';
import { addRole, addUser, PASSWORD } from '../firm.ts';
import type { Caller } from '../test-app.ts';
import { DATABASE_KINDS } from '../test-database.ts';
import { insertTestJob } from '../test-job.ts';
import { type Attempt, type Attempts, get, NONE_THERE, noneThere, remove } from './calls.ts';
import { currentSession, idOf, type RightsFirm } from './rights-firm.ts';
import { tryRights } from './try-rights.ts';
import type { ViewerName } from './viewers.ts';

function peopleAttempts({ app, bystander, clients, fresh, roleIds, sessions, types, userIds }: RightsFirm): Attempts {
  /** Adds a user who cannot sign in, past the API: hashing a password for each would take most of the time. */
  function seedUser(roleId: number, clientId = clients.near): Promise<number> {
    const username = fresh('user');
    return app.database.transaction(async (tx) => {
      const { id } = await tx
        .insertInto('users')
        .values({
          ...userNameColumns({ username, fullName: 'Somebody' }),
          password_hash: '$argon2id$nobody',
          role_id: roleId,
          created_at: Date.now(),
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      await tx.insertInto('user_clients').values({ user_id: id, client_id: clientId }).execute();
      await tx.insertInto('user_report_types').values({ user_id: id, report_type_id: types.known }).execute();
      return id;
    });
  }

  const secretOf = (userId: number) => `the link of ${userId}`;
  async function seedInvited(roleId: number): Promise<number> {
    const id = await seedUser(roleId);
    await app.database.transaction((tx) => putInvitation(tx, id, secretOf(id), Date.now()));
    return id;
  }

  const inviteAnew: Attempt['call'] = (by, id) =>
    by.post(`/api/users/${id}/invitation`, { invitation: randomBytes(32).toString('base64url') });

  const user = (more: Record<string, unknown> = {}) => ({
    username: fresh('user'),
    fullName: 'Somebody',
    roleId: roleIds.custom,
    clientIds: [clients.near],
    reportTypeIds: [types.known],
    ...more,
  });

  const aRole = () => idOf(app.admin.post('/api/roles', { name: fresh('role') }));
  /** A second sign-in of the viewer, to be ended without ending the first. */
  const again = (by: Caller, viewer: ViewerName) =>
    viewer === 'nobody' ? by : app.login(`viewer ${viewer}`, PASSWORD);
  const jobOf = (owner: 'own' | 'another') => ({
    target: async (viewer: ViewerName) => {
      const actingUserId = owner === 'own' ? userIds[viewer] : bystander.id;
      const job = { kind: 'batches.read', state: 'done', payload: { batchId: NONE_THERE }, actingUserId } as const;
      return (await insertTestJob(app.database, job)).id;
    },
  });
  const own = (viewer: ViewerName) => userIds[viewer];
  const ownRole = (viewer: ViewerName) => roleIds[viewer];
  const another = () => bystander.id;
  const near = () => clients.near;
  const known = () => types.known;

  const createUser = (more: () => Record<string, unknown> = () => ({})): Attempt => ({
    call: (by) => by.post('/api/users', { ...user(more()), password: PASSWORD }),
  });

  /** A list of one user, whose client and report type are named. */
  const importUser = (client: () => number, type: () => number, role: ViewerName = 'custom'): Attempt => ({
    call: async (by) => {
      const nameOf = async (list: string, id: number) =>
        (await app.admin.get<{ id: number; name: string }[]>(`/api/${list}`)).body.find((row) => row.id === id)?.name;
      const username = fresh('listed');
      const row = {
        username,
        fullName: username,
        password: PASSWORD,
        role: await nameOf('roles', roleIds[role]),
        clients: await nameOf('clients', client()),
        reportTypes: await nameOf('report-types', type()),
      };
      return by.post('/api/users/import', { rows: [row] });
    },
  });

  const updateUser = (more: () => Record<string, unknown> = () => ({}), roleId = () => roleIds.custom): Attempt => ({
    target: () => seedUser(roleId()),
    call: (by, id) => by.put(`/api/users/${id}`, user({ roleId: roleId(), password: '', ...more() })),
  });

  const grant = (change: (roleId: number) => Record<string, unknown>, target: Attempt['target'] = aRole): Attempt => ({
    target,
    call: (by, roleId) => by.put('/api/permissions', { roleId, ...change(roleId) }),
  });
  const clientRole = () => roleIds.Client;
  const farRole = async () => {
    const id = await aRole();
    await app.admin.put('/api/permissions', { roleId: id, capabilities: [], reach: 'all' });
    return id;
  };

  return {
    'session.login': {
      call: (by) => by.post('/api/auth/login', { username: 'bystander', password: PASSWORD }),
    },
    'session.invitation': {
      target: () => seedInvited(roleIds.custom),
      call: (by, id) => by.post('/api/auth/invitation', { token: secretOf(id) }),
    },
    'session.join': {
      target: () => seedInvited(roleIds.custom),
      call: (by, id) => by.post('/api/auth/join', { token: secretOf(id), newPassword: PASSWORD }),
    },
    'session.forgotten where mail is not set up': {
      call: (by) => by.post('/api/auth/forgotten', { username: 'bystander' }),
    },
    'session.logout': { call: async (by, _id, viewer) => (await again(by, viewer)).post('/api/auth/logout') },
    'session.me': { call: get('/api/auth/me') },
    'session.preferences': { call: (by) => by.put('/api/auth/preferences', { density: 'compact' }) },
    'session.password': {
      call: async (by, _id, viewer) => {
        const change = { currentPassword: PASSWORD, newPassword: 'another password' };
        if (viewer === 'nobody') return by.post('/api/auth/password', change);
        const { caller } = await addUser(app, fresh('changer'), roleIds[viewer]);
        return caller.post('/api/auth/password', change);
      },
    },
    "session.devices shows one's own": { target: (viewer) => sessions[viewer], call: get('/api/auth/sessions') },
    "session.devices shows another's": {
      target: () => bystander.sessionId,
      call: get('/api/auth/sessions'),
    },
    "session.jobs shows one's own": { ...jobOf('own'), call: get('/api/session/jobs') },
    "session.jobs shows another's": { ...jobOf('another'), call: get('/api/session/jobs') },
    'session.end-others': { call: remove('/api/auth/sessions') },
    "session.end one's own": {
      target: async (viewer) => (viewer === 'nobody' ? 1 : currentSession(await again(app.anonymous, viewer))),
      call: remove('/api/auth/sessions/{id}'),
    },
    "session.end another's": {
      target: () => bystander.sessionId,
      call: remove('/api/auth/sessions/{id}'),
    },
    // With SAFEGUARDS=off, as here, these do not exist.
    'session.second-factor': {
      call: (by) =>
        by.post('/api/auth/second-factor', { challenge: 'none', factor: { method: 'totp', code: '123456' } }),
    },
    'session.second-factor-passkey': {
      call: (by) => by.post('/api/auth/second-factor/passkey', { challenge: 'none' }),
    },
    'session.reauth': {
      call: (by) => by.post('/api/auth/reauth', { factor: { method: 'totp', code: '123456' } }),
    },
    'session.reauth-passkey': { call: (by) => by.post('/api/auth/reauth/passkey') },
    'session.events': { call: get('/api/auth/events') },
    'factors.list': { call: get('/api/auth/factors') },
    'factors.new-totp': { call: (by) => by.post('/api/auth/factors/totp') },
    'factors.confirm-totp': { call: (by) => by.post('/api/auth/factors/totp/confirm', { code: '123456' }) },
    'factors.remove-totp': { call: remove('/api/auth/factors/totp') },
    'factors.passkey-options': { call: (by) => by.post('/api/auth/factors/passkeys/options') },
    'factors.add-passkey': {
      call: (by) =>
        by.post('/api/auth/factors/passkeys', {
          name: 'Key',
          response: {
            id: 'AAAA',
            rawId: 'AAAA',
            type: 'public-key',
            response: { clientDataJSON: 'AAAA', attestationObject: 'AAAA' },
          },
        }),
    },
    'factors.remove-passkey': { target: () => 1, call: remove('/api/auth/factors/passkeys/{id}') },
    'factors.recovery-codes': { call: (by) => by.post('/api/auth/factors/recovery-codes') },

    'users.look at one who may do less': { target: another, call: (by, id) => by.post(`/api/users/${id}/look`) },
    'users.look at an Admin': {
      target: () => seedUser(roleIds.Admin),
      call: (by, id) => by.post(`/api/users/${id}/look`),
    },
    'users.look at oneself': { target: own, call: (by, id) => by.post(`/api/users/${id}/look`) },
    'users.look at nobody there': { target: noneThere, call: (by, id) => by.post(`/api/users/${id}/look`) },
    'users.invite-anew': { target: () => seedInvited(roleIds.custom), call: inviteAnew },
    'users.invite-anew of one who may do more': { target: () => seedInvited(roleIds.Admin), call: inviteAnew },
    'users.invite-anew of one who has joined': { target: () => seedUser(roleIds.custom), call: inviteAnew },
    'users.invite-anew of nobody there': { target: noneThere, call: inviteAnew },
    'users.withdraw-invitation': {
      target: () => seedInvited(roleIds.custom),
      call: remove('/api/users/{id}/invitation'),
    },
    'users.withdraw-invitation of one who may do more': {
      target: () => seedInvited(roleIds.Admin),
      call: remove('/api/users/{id}/invitation'),
    },
    'users.withdraw-invitation of nobody there': { target: noneThere, call: remove('/api/users/{id}/invitation') },
    'users.reset-second-factor': {
      target: () => seedUser(roleIds.custom),
      call: remove('/api/users/{id}/second-factor'),
    },
    'users.list shows oneself': { target: own, call: get('/api/users') },
    'users.list shows another': { target: another, call: get('/api/users') },
    'users.get oneself': { target: own, call: get('/api/users/{id}') },
    'users.get another': { target: another, call: get('/api/users/{id}') },
    'users.create with lists in reach': createUser(),
    'users.create with a client out of reach': createUser(() => ({ clientIds: [clients.near, clients.far] })),
    'users.create with all clients, also later ones': createUser(() => ({ allClients: true })),
    'users.create with a report type out of reach': createUser(() => ({ reportTypeIds: [types.known, types.other] })),
    'users.create with a role that may do more': createUser(() => ({ roleId: roleIds.Admin })),
    'users.import with lists in reach': importUser(near, known),
    'users.import with a client out of reach': importUser(() => clients.far, known),
    'users.import with a report type out of reach': importUser(near, () => types.other),
    'users.import with a role that may do more': importUser(near, known, 'Admin'),
    'users.update keeping lists': updateUser(),
    'users.update adding a client out of reach': updateUser(() => ({ clientIds: [clients.near, clients.far] })),
    'users.update giving all clients, also later ones': updateUser(() => ({ allClients: true })),
    'users.update of one who has all clients': {
      target: async () => {
        const id = await seedUser(roleIds.custom);
        await app.database.transaction((tx) =>
          tx.updateTable('users').set({ all_clients: 1 }).where('id', '=', id).execute(),
        );
        return id;
      },
      call: (by, id) => by.put(`/api/users/${id}`, user({ roleId: roleIds.custom, password: '' })),
    },
    'users.update adding a report type out of reach': updateUser(() => ({ reportTypeIds: [types.known, types.other] })),
    'users.update giving a role that may do more': updateUser(() => ({ roleId: roleIds.Client })),
    'users.update making oneself an Admin': {
      target: own,
      call: (by, id, viewer) =>
        by.put(`/api/users/${id}`, user({ username: `viewer ${viewer}`, roleId: roleIds.Admin, password: '' })),
    },
    "users.update of one's own password": {
      target: own,
      call: (by, id, viewer) =>
        by.put(
          `/api/users/${id}`,
          user({ username: `viewer ${viewer}`, roleId: roleIds[viewer], password: 'mine from now on' }),
        ),
    },
    'users.update of one who may do more': updateUser(undefined, () => roleIds.CPA),
    'users.update of one who reaches further': {
      target: () => seedUser(roleIds.custom, clients.far),
      call: (by, id) => by.put(`/api/users/${id}`, user({ roleId: roleIds.custom, password: 'mine from now on' })),
    },
    'users.update of nobody there': {
      target: noneThere,
      call: (by, id) => by.put(`/api/users/${id}`, user({ password: '' })),
    },
    'users.delete': { target: () => seedUser(roleIds.custom), call: remove('/api/users/{id}') },
    'users.delete of one who reaches further': {
      target: () => seedUser(roleIds.custom, clients.far),
      call: remove('/api/users/{id}'),
    },
    'users.delete of one who may do more': { target: () => seedUser(roleIds.Admin), call: remove('/api/users/{id}') },
    'users.delete of oneself': { target: own, call: remove('/api/users/{id}') },
    'users.delete of nobody there': { target: noneThere, call: remove('/api/users/{id}') },
    'users.client-access of oneself': { target: own, call: get('/api/users/{id}/client-access') },
    'users.client-access of another': { target: another, call: get('/api/users/{id}/client-access') },
    'users.report-access of oneself': { target: own, call: get('/api/users/{id}/report-access') },
    'users.report-access of another': { target: another, call: get('/api/users/{id}/report-access') },

    "roles.list shows one's own": { target: ownRole, call: get('/api/roles') },
    'roles.list shows another': { target: aRole, call: get('/api/roles') },
    'roles.create': { call: (by) => by.post('/api/roles', { name: fresh('role') }) },
    'roles.update': { target: aRole, call: (by, id) => by.put(`/api/roles/${id}`, { name: fresh('renamed') }) },
    'roles.update of a role that may do more': {
      target: () => addRole(app, fresh('role'), ['clients.manage']),
      call: (by, id) => by.put(`/api/roles/${id}`, { name: fresh('renamed') }),
    },
    'roles.update of a role that reaches further': {
      target: farRole,
      call: (by, id) => by.put(`/api/roles/${id}`, { name: fresh('renamed') }),
    },
    'roles.update of a built-in role': {
      target: clientRole,
      call: (by, id) => by.put(`/api/roles/${id}`, { name: fresh('renamed') }),
    },
    'roles.update of none there': {
      target: noneThere,
      call: (by, id) => by.put(`/api/roles/${id}`, { name: fresh('renamed') }),
    },
    'roles.delete': { target: aRole, call: remove('/api/roles/{id}') },
    'roles.delete of a role that may do more': {
      target: () => addRole(app, fresh('role'), ['clients.manage']),
      call: remove('/api/roles/{id}'),
    },
    'roles.delete of a role that reaches further': { target: farRole, call: remove('/api/roles/{id}') },
    'roles.delete of a built-in role': { target: clientRole, call: remove('/api/roles/{id}') },
    'roles.delete of a role somebody holds': { target: () => roleIds.custom, call: remove('/api/roles/{id}') },
    'roles.delete of none there': { target: noneThere, call: remove('/api/roles/{id}') },

    "permissions.list shows one's own role": { target: ownRole, call: get('/api/permissions') },
    'permissions.list shows another role': { target: aRole, call: get('/api/permissions') },
    'permissions.update granting roles.manage': grant(() => ({ capabilities: ['roles.manage'] })),
    'permissions.update granting activity.read': grant(() => ({ capabilities: ['activity.read'] })),
    'permissions.update granting reach over all': grant(() => ({ capabilities: [], reach: 'all' })),
    'permissions.update taking from a role that may more': grant(
      () => ({ capabilities: [] }),
      () => addRole(app, fresh('role'), ['clients.manage']),
    ),
    'permissions.update of the Client role': grant(() => ({ capabilities: ['documents.upload'] }), clientRole),
    "permissions.update of the Client role's reach": grant(
      () => ({ capabilities: ['documents.upload'], reach: 'all' }),
      clientRole,
    ),
    'permissions.update of the Admin role': grant(
      () => ({ capabilities: [...CAPABILITIES] }),
      () => roleIds.Admin,
    ),
    'permissions.update of none there': grant(() => ({ capabilities: [] }), noneThere),
    'permissions.user of oneself': { target: own, call: get('/api/permissions/users/{id}') },
    'permissions.user of another': { target: another, call: get('/api/permissions/users/{id}') },
    'permissions.client in reach': { target: () => clients.near, call: get('/api/permissions/clients/{id}') },
    'permissions.client out of reach': { target: () => clients.far, call: get('/api/permissions/clients/{id}') },
  };
}

describe.each(DATABASE_KINDS)('who may call what on %s', (kind) => {
  const { expectRecorded } = tryRights(kind, 'people', peopleAttempts);

  it('G19: whatever is refused as forbidden or not found is recorded against anyone who asked', async () => {
    expect(await expectRecorded()).toContain('change the permissions of a role');
  });
});
