// A call of each endpoint about sessions, people, roles and permissions that succeeds, and its status.
import type { peopleEndpoints } from '#contract/endpoints/people.ts';
import type { signInEndpoints } from '#contract/endpoints/sign-in.ts';
import { newSecret } from '../../platform/secrets.ts';
import { PASSWORD } from '../firm.ts';
import { type AnswersOf, rowOf } from './answers.ts';
import type { ContractFirm } from './contract-firm.ts';

/** People and roles to call about. */
function making({ app, firm }: ContractFirm) {
  const aRole = (name: string) => rowOf(app.admin.post('/api/roles', { name }));
  const person = (username: string, more = {}) => ({
    username,
    fullName: 'A Person',
    roleId: firm.roles.cpa,
    ...more,
  });
  const aUser = (username: string) => rowOf(app.admin.post('/api/users', person(username, { password: PASSWORD })));
  const invited = async (username: string) => {
    const invitation = newSecret();
    await app.admin.post('/api/users', person(username, { password: null, invitation }));
    return invitation;
  };
  const invitedId = async (username: string) => {
    await invited(username);
    return (await app.admin.get<{ id: number }[]>(`/api/users?q=${username}`)).body[0]?.id;
  };

  return { aRole, person, aUser, invited, invitedId };
}

function signInAnswers(met: ContractFirm): AnswersOf<typeof signInEndpoints> {
  const { app } = met;
  const { aUser, invited } = making(met);

  return {
    'session.login': [200, () => app.anonymous.post('/api/auth/login', { username: 'cpa', password: PASSWORD })],
    'session.invitation': [
      200,
      async () => app.anonymous.post('/api/auth/invitation', { token: await invited('asker') }),
    ],
    'session.join': [
      200,
      async () =>
        app.anonymous.post('/api/auth/join', { token: await invited('joiner'), newPassword: 'one of my own' }),
    ],
    'session.forgotten': [204, () => app.anonymous.post('/api/auth/forgotten', { username: 'cpa' })],
    'session.logout': [204, async () => (await app.login('cpa', PASSWORD)).post('/api/auth/logout')],
    'session.me': [200, () => app.admin.get('/api/auth/me')],
    'session.preferences': [200, () => app.admin.put('/api/auth/preferences', { density: 'compact' })],
    'session.password': [
      200,
      async () => {
        await aUser('changer');
        const changer = await app.login('changer', PASSWORD);
        return changer.post('/api/auth/password', { currentPassword: PASSWORD, newPassword: 'another one' });
      },
    ],
    'session.events': [200, () => app.admin.get('/api/auth/events')],
    'session.jobs': [200, () => app.admin.get('/api/session/jobs')],
    'session.devices': [200, () => app.admin.get('/api/auth/sessions')],
    'session.end-others': [204, async () => (await app.login('cpa', PASSWORD)).delete('/api/auth/sessions')],
    'session.end': [
      204,
      async () => {
        const own = await app.login('clientB', PASSWORD);
        const { body } = await own.get<{ id: number; current: boolean }[]>('/api/auth/sessions');
        return own.delete(`/api/auth/sessions/${body.find(({ current }) => current)?.id}`);
      },
    ],
  };
}

export function peopleAnswers(met: ContractFirm): AnswersOf<typeof signInEndpoints & typeof peopleEndpoints> {
  const { app, firm } = met;
  const { aRole, person, aUser, invitedId } = making(met);

  return {
    ...signInAnswers(met),
    'users.list': [200, () => app.admin.get('/api/users')],
    'users.get': [200, () => app.admin.get(`/api/users/${firm.users.cpa}`)],
    'users.create': [201, () => app.admin.post('/api/users', person('newcomer', { password: PASSWORD }))],
    'users.import': [
      200,
      () => {
        const row = { username: 'listed', fullName: 'Listed', role: 'CPA', password: PASSWORD };
        return app.admin.post('/api/users/import', { rows: [row] });
      },
    ],
    'users.update': [
      200,
      async () => app.admin.put(`/api/users/${(await aUser('renamed')).id}`, person('renamed.once', { password: '' })),
    ],
    'users.delete': [204, async () => app.admin.delete(`/api/users/${(await aUser('deleted')).id}`)],
    'users.client-access': [200, () => app.admin.get(`/api/users/${firm.users.cpa}/client-access`)],
    'users.report-access': [200, () => app.admin.get(`/api/users/${firm.users.cpa}/report-access`)],
    'users.look': [201, () => app.admin.post(`/api/users/${firm.users.cpa}/look`)],
    'users.invite-anew': [
      200,
      async () => {
        const invitation = newSecret();
        return app.admin.post(`/api/users/${await invitedId('reinvited')}/invitation`, { invitation });
      },
    ],
    'users.withdraw-invitation': [
      204,
      async () => app.admin.delete(`/api/users/${await invitedId('withdrawn')}/invitation`),
    ],
    'roles.list': [200, () => app.admin.get('/api/roles')],
    'roles.create': [201, () => app.admin.post('/api/roles', { name: 'Auditor' })],
    'roles.update': [
      200,
      async () => app.admin.put(`/api/roles/${(await aRole('Renamed')).id}`, { name: 'Renamed once' }),
    ],
    'roles.delete': [204, async () => app.admin.delete(`/api/roles/${(await aRole('Deleted')).id}`)],
    'permissions.list': [200, () => app.admin.get('/api/permissions')],
    'permissions.update': [
      200,
      async () => {
        const { id: roleId } = await aRole('Granted');
        return app.admin.put('/api/permissions', { roleId, capabilities: ['activity.read'], reach: 'all' });
      },
    ],
    'permissions.user': [200, () => app.admin.get(`/api/permissions/users/${firm.users.cpa}`)],
    'permissions.client': [200, () => app.admin.get(`/api/permissions/clients/${firm.clients[0]}`)],
  };
}
