// Setting up, listing and removing one's own second factors.

import { refuse } from '#contract/errors.ts';
import { originOf } from '../../api/origin.ts';
import type { Handlers } from '../../api/route.ts';
import type { Config } from '../../config.ts';
import type { FirmFace } from '../access/firm-settings.ts';
import type { Viewer } from '../access/viewer.ts';
import type { Enrolment } from '../auth/own-factors.ts';
import { askForNewPasskey, siteOf } from '../auth/passkeys.ts';
import { presentTotp } from '../auth/totp.ts';
import { handOver, type SignInStores } from './sign-in.routes.ts';

export function factorRoutes(
  services: { readonly config: Config; readonly face: FirmFace },
  stores: SignInStores,
): Handlers<'factors'> {
  const { config, face } = services;
  const { sessions, attempts, factors } = stores;

  async function present({ recoveryCodes, session }: Enrolment, reply: Parameters<typeof handOver>[1]) {
    return { recoveryCodes, session: session && (await handOver(session, reply, sessions, services)) };
  }

  const asPerson = ({ id, username, fullName }: Viewer) => ({ id, username, fullName });

  return {
    'factors.list': ({ viewer }) => factors.factorsOf(viewer.id),

    'factors.new-totp': async ({ viewer }) =>
      presentTotp(await factors.newTotp(viewer), (await face.get()).name, viewer.username),

    'factors.confirm-totp': ({ viewer, input, request, reply }) => {
      const origin = originOf(request);
      return attempts.judged(viewer.username, origin, async (attempt) => {
        const factor = await factors.proveNewTotp(viewer, input.body.code);
        if (factor === null) throw refuse('wrong_code');
        return present(await factors.enrol(viewer, factor, origin, attempt), reply);
      });
    },

    'factors.remove-totp': ({ viewer, request }) => factors.remove(viewer, { totp: true }, originOf(request)),

    'factors.passkey-options': async ({ viewer, request }) => {
      const site = siteOf(config.publicOrigin, request.headers.host);
      const known = await factors.passkeysOf(viewer.id);
      const options = await askForNewPasskey(site, asPerson(viewer), (await face.get()).name, known);
      await factors.challenges.keep(viewer.id, 'enrol', options.challenge);
      return options;
    },

    'factors.add-passkey': async ({ viewer, input, request, reply }) => {
      const site = siteOf(config.publicOrigin, request.headers.host);
      const { name, response } = input.body;
      const factor = await factors.proveNewPasskey(viewer, name, response, site);
      if (factor === null) throw refuse('wrong_code');
      return present(await factors.enrol(viewer, factor, originOf(request)), reply);
    },

    'factors.remove-passkey': ({ viewer, input, request }) =>
      factors.remove(viewer, { passkeyId: input.params.id }, originOf(request)),

    'factors.recovery-codes': async ({ viewer, request }) => ({
      recoveryCodes: await factors.renewRecoveryCodes(viewer, originOf(request)),
    }),
  };
}
