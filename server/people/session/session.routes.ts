// One's own session over HTTP: signing in and out, one's own password, one's own devices.
import { clearFileCookie } from '../../api/file-cookie.ts';
import { originOf } from '../../api/origin.ts';
import type { Handlers } from '../../api/route.ts';
import { ownSecurityEvents } from '../../audit/security-events.ts';
import type { Config } from '../../config.ts';
import { listOwnJobs } from './own-jobs.repo.ts';
import {
  askForStepUpPasskey,
  changePassword,
  changePreferences,
  endSession,
  listDevices,
  stepUp,
} from './session.acts.ts';
import type { SignInServices, SignInStores } from './sign-in.acts.ts';
import { handOver, signInHandlers, siteAsked } from './sign-in.routes.ts';

export function sessionRoutes(
  services: SignInServices & { readonly config: Config },
  stores: SignInStores,
): Handlers<'session'> {
  const { sessions } = stores;
  const room = { ...services, ...stores };

  return {
    ...signInHandlers(room),

    'session.reauth': ({ viewer, input, request }) =>
      stepUp(viewer, { factor: input.body.factor, site: siteAsked(room, request) }, originOf(request), stores),

    'session.reauth-passkey': async ({ viewer, request }) =>
      askForStepUpPasskey(viewer, siteAsked(room, request)(), stores),

    'session.logout': async ({ viewer, request, reply }) => {
      await sessions.signOut(viewer, originOf(request));
      // The cookie beside a look is that of the session it was opened from.
      if (viewer.look === null) clearFileCookie(reply, room.config);
    },

    'session.me': ({ viewer }) => sessions.present(viewer),

    'session.preferences': ({ principal, input }) => changePreferences(principal, input.body),

    'session.password': async ({ viewer, input, request, reply }) =>
      handOver(await changePassword(viewer, input.body, originOf(request), room), reply, room),

    'session.devices': async ({ viewer }) => {
      const rows = await listDevices(viewer, sessions);
      return { rows, total: rows.length };
    },

    'session.end-others': ({ viewer, request }) => sessions.endOthers(viewer, originOf(request)),

    'session.end': ({ viewer, input, request }) => endSession(viewer, input.params.id, originOf(request), stores),

    'session.jobs': async ({ read }) => {
      read.authorize('session.jobs');
      const rows = await listOwnJobs(read, room.now());
      return { rows, total: rows.length };
    },

    'session.events': ({ read, input }) => ownSecurityEvents(read, input.query),
  };
}
