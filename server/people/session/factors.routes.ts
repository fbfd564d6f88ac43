// Setting up, listing and removing one's own second factors, over HTTP.

import type { FastifyReply } from 'fastify';
import { originOf } from '../../api/origin.ts';
import type { Handlers } from '../../api/route.ts';
import type { Config } from '../../config.ts';
import {
  addPasskey,
  beginPasskey,
  beginTotp,
  confirmTotp,
  type FactorServices,
  type SetUpFactor,
} from './factors.acts.ts';
import type { SignInStores } from './sign-in.acts.ts';
import { handOver, siteAsked } from './sign-in.routes.ts';

export function factorRoutes(
  services: FactorServices & { readonly config: Config },
  stores: SignInStores,
): Handlers<'factors'> {
  const { factors } = stores;
  const room = { ...services, ...stores };
  const answerOf = ({ recoveryCodes, session }: SetUpFactor, reply: FastifyReply) => ({
    recoveryCodes,
    session: session && handOver(session, reply, services),
  });

  return {
    'factors.list': ({ viewer }) => factors.factorsOf(viewer.id),

    'factors.new-totp': ({ viewer }) => beginTotp(viewer, room),

    'factors.confirm-totp': async ({ viewer, input, request, reply }) =>
      answerOf(await confirmTotp(viewer, input.body.code, originOf(request), stores), reply),

    'factors.remove-totp': ({ viewer, request }) => factors.remove(viewer, { totp: true }, originOf(request)),

    'factors.passkey-options': async ({ viewer, request }) => beginPasskey(viewer, siteAsked(room, request)(), room),

    'factors.add-passkey': async ({ viewer, input, request, reply }) => {
      const passkey = { ...input.body, site: siteAsked(room, request)() };
      return answerOf(await addPasskey(viewer, passkey, originOf(request), stores), reply);
    },

    'factors.remove-passkey': ({ viewer, input, request }) =>
      factors.remove(viewer, { passkeyId: input.params.id }, originOf(request)),

    'factors.recovery-codes': async ({ viewer, request }) => ({
      recoveryCodes: await factors.renewRecoveryCodes(viewer, originOf(request)),
    }),
  };
}
