// One's own session: signing in and out, one's own password, one's own devices.
import { refuse, refuseFields } from '#contract/errors.ts';
import { CHANGE_OF_PASSWORD } from '#contract/security-events.ts';
import { clearFileCookie } from '../../api/file-cookie.ts';
import { originOf } from '../../api/origin.ts';
import type { Handlers } from '../../api/route.ts';
import { ownSecurityEvents } from '../../audit/security-events.ts';
import { sessionOf } from '../access/credential.ts';
import { askForPasskey, siteOf } from '../auth/passkeys.ts';
import { keepPreferences } from '../auth/preferences.ts';
import { handOver, refuseFactor, type SignInServices, type SignInStores, signInHandlers } from './sign-in.routes.ts';

export function sessionRoutes(services: SignInServices, stores: SignInStores): Handlers<'session'> {
  const { config, passwords } = services;
  const { sessions, attempts, factors } = stores;

  return {
    ...signInHandlers(services, stores),

    'session.reauth': ({ viewer, input, request }) => {
      const { factor } = input.body;
      const origin = originOf(request);
      return attempts.judged(viewer.username, origin, async (attempt) => {
        const site = () => siteOf(config.publicOrigin, request.headers.host);
        const proven = await factors.prove(viewer, factor, 'step-up', site);
        const stepped = proven !== null && (await factors.stepUp(viewer, proven, attempt, origin));
        if (!stepped) await refuseFactor(factors, viewer, factor, origin);
      });
    },

    'session.reauth-passkey': async ({ viewer, request }) => {
      const site = siteOf(config.publicOrigin, request.headers.host);
      const options = await askForPasskey(site, await factors.passkeysOf(viewer.id));
      await factors.challenges.keep(viewer.id, 'step-up', options.challenge);
      return options;
    },

    'session.logout': async ({ viewer, request, reply }) => {
      await sessions.signOut(viewer, originOf(request));
      // The cookie beside a look is that of the session it was opened from.
      if (viewer.look === null) clearFileCookie(reply, config);
    },

    'session.me': ({ viewer }) => sessions.present(viewer),

    'session.preferences': ({ viewer, input, change }) =>
      change((scope) => keepPreferences(scope.unscoped(scope.authorize('session.preferences')), viewer.id, input.body)),

    'session.password': ({ viewer, input, request, reply }) => {
      const { currentPassword, newPassword } = input.body;
      const origin = originOf(request);
      if (viewer.mustChangePassword && newPassword === currentPassword) {
        throw refuseFields({ newPassword: 'Please choose another password than the current one' });
      }
      return attempts.judged(viewer.username, origin, async (attempt) => {
        const verified = await sessions.passwordHash(viewer.id);
        if (verified === null || !(await passwords.verify(currentPassword, verified))) {
          await sessions.recordFailure(viewer, origin, CHANGE_OF_PASSWORD);
          throw refuse('wrong_password');
        }
        const hashes = { verified, next: await passwords.hash(newPassword) };
        const secrets = await sessions.changePassword(viewer, hashes, origin, attempt);
        if (secrets === 'changed') throw refuse('wrong_password');
        return handOver(secrets, reply, sessions, services);
      });
    },

    'session.devices': async ({ viewer }) => {
      const devices = await sessions.devices(viewer.id);
      const rows = devices.map((device) => ({
        id: device.id,
        createdAt: new Date(device.createdAt).toISOString(),
        lastSeenAt: new Date(device.lastSeenAt).toISOString(),
        userAgent: device.userAgent,
        address: device.address,
        current: device.id === sessionOf(viewer).sessionId,
      }));
      return { rows, total: rows.length };
    },

    'session.end-others': ({ viewer, request }) => sessions.endOthers(viewer, originOf(request)),

    'session.end': async ({ viewer, input, request }) => {
      if (!(await sessions.end(viewer, input.params.id, originOf(request)))) throw refuse('not_found');
    },

    'session.events': ({ read, input }) => ownSecurityEvents(read, input.query),
  };
}
