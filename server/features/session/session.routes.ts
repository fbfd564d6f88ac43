// Signing in and out, one's own password, one's own devices.
import type { FastifyReply } from 'fastify';
import { refuse } from '#contract/errors.ts';
import { foldKey } from '#contract/fields.ts';
import { hasCommonRouting } from '#contract/policy.ts';
import type { SessionUser } from '#contract/session.ts';
import type { Viewer } from '../../db/scope.ts';
import { FILE_COOKIE } from '../../http/authenticate.ts';
import type { Handlers } from '../../http/route.ts';
import type { Services } from '../../services.ts';
import type { Attempts } from './attempts.repo.ts';
import type { SessionStore } from './session.repo.ts';

export function sessionRoutes(
  { config, passwords }: Services,
  sessions: SessionStore,
  attempts: Attempts,
): Handlers<'session'> {
  const cookieOptions = {
    path: '/api/files',
    httpOnly: true,
    sameSite: 'strict',
    secure: config.publicOrigin?.startsWith('https:') ?? false,
  } as const;

  function setFileCookie(reply: FastifyReply, cookie: string): void {
    reply.setCookie(FILE_COOKIE, cookie, cookieOptions);
  }

  async function present(viewer: Viewer): Promise<SessionUser> {
    const lists = await sessions.accessLists(viewer.id);
    return {
      id: viewer.id,
      username: viewer.username,
      fullName: viewer.fullName,
      roleId: viewer.roleId,
      roleName: viewer.roleName,
      role: { id: viewer.roleId, name: viewer.roleName },
      roleKey: viewer.roleKey,
      reach: viewer.reach,
      capabilities: [...viewer.capabilities],
      commonRouting: hasCommonRouting(viewer.roleKey),
      ...lists,
    };
  }

  return {
    'session.login': async ({ input, request, reply }) => {
      const { username, password } = input.body;
      // Undefined once the caller has hung up.
      const address = request.ip ?? '';
      const attempt = await attempts.begin(username, address);
      const known = await sessions.credentials(foldKey(username));
      // Verified before the outcome is looked at: an unknown name costs what a wrong password costs.
      const right = await passwords.verify(password, known?.passwordHash ?? null);
      if (known === null || !right) throw refuse('bad_credentials');
      const device = { userAgent: request.headers['user-agent'] ?? '', address };
      const opened = await sessions.open(known.id, device, attempt);
      if (opened === null) throw refuse('bad_credentials');
      setFileCookie(reply, opened.cookie);
      return { token: opened.token, user: await present(opened.viewer) };
    },

    'session.logout': async ({ viewer, reply }) => {
      await sessions.end(viewer.sessionId, viewer.id);
      reply.clearCookie(FILE_COOKIE, cookieOptions);
    },

    'session.me': ({ viewer }) => present(viewer),

    'session.password': async ({ viewer, input, request, reply }) => {
      const { currentPassword, newPassword } = input.body;
      const attempt = await attempts.begin(viewer.username, request.ip ?? '');
      if (!(await passwords.verify(currentPassword, await sessions.passwordHash(viewer.id)))) {
        throw refuse('wrong_password');
      }
      const renewed = await sessions.changePassword(viewer, await passwords.hash(newPassword), attempt);
      if (renewed === null) throw refuse('unauthenticated');
      setFileCookie(reply, renewed.cookie);
      return { token: renewed.token, user: await present(viewer) };
    },

    'session.devices': async ({ viewer }) => {
      const devices = await sessions.devices(viewer.id);
      const rows = devices.map((device) => ({
        id: device.id,
        createdAt: new Date(device.createdAt).toISOString(),
        lastSeenAt: new Date(device.lastSeenAt).toISOString(),
        userAgent: device.userAgent,
        address: device.address,
        current: device.id === viewer.sessionId,
      }));
      return { rows, total: rows.length };
    },

    'session.end-others': ({ viewer }) => sessions.endOthers(viewer.id, viewer.sessionId),

    'session.end': async ({ viewer, input }) => {
      if (!(await sessions.end(input.params.id, viewer.id))) throw refuse('not_found');
    },
  };
}
