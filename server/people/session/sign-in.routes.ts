// Signing in over HTTP.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { LoginResponse } from '#contract/session.ts';
import { setFileCookie } from '../../api/file-cookie.ts';
import { originOf } from '../../api/origin.ts';
import type { Handlers } from '../../api/route.ts';
import type { Config } from '../../config.ts';
import { type Site, siteOf } from '../auth/passkeys.ts';
import { rulesOf } from '../auth/session-rules.ts';
import {
  askForSignInPasskey,
  finishSignIn,
  joinByInvitation,
  lookAtInvitation,
  type OpenedSession,
  orderPasswordLink,
  type SignInAnswer,
  type SignInRoom,
  signIn,
} from './sign-in.acts.ts';

/** What the routes of signing in know beside what its acts need. */
export type SignInRoutes = SignInRoom & { readonly config: Config };

/** Gives a session to the browser: the token in the answer, and the cookie that opens files. */
export function handOver(
  { token, user, cookie }: OpenedSession,
  reply: FastifyReply,
  { config }: { readonly config: Config },
): LoginResponse {
  setFileCookie(reply, cookie, rulesOf[config.safeguards ? 'on' : 'off'].ageMaxMs, config);
  return { token, user };
}

/** The site that the passkeys of a request are bound to. */
export const siteAsked =
  ({ config }: { readonly config: Config }, request: FastifyRequest) =>
  (): Site =>
    siteOf(config.publicOrigin, request.headers.host);

/** What opens a session, or leads there. */
export function signInHandlers(
  room: SignInRoutes,
): Pick<
  Handlers<'session'>,
  | 'session.login'
  | 'session.second-factor'
  | 'session.second-factor-passkey'
  | 'session.invitation'
  | 'session.join'
  | 'session.forgotten'
> {
  const answerOf = (answer: SignInAnswer, reply: FastifyReply) =>
    'challenge' in answer ? answer : handOver(answer, reply, room);

  return {
    'session.login': async ({ input, request, reply }) =>
      answerOf(await signIn(input.body, originOf(request), room), reply),

    'session.second-factor': async ({ input, request, reply }) =>
      handOver(
        await finishSignIn({ ...input.body, site: siteAsked(room, request) }, originOf(request), room),
        reply,
        room,
      ),

    'session.second-factor-passkey': ({ input, request }) =>
      askForSignInPasskey(input.body.challenge, siteAsked(room, request), room),

    'session.invitation': ({ input, request }) => lookAtInvitation(input.body.token, originOf(request), room),

    'session.join': async ({ input, request, reply }) =>
      answerOf(await joinByInvitation(input.body, originOf(request), room), reply),

    'session.forgotten': ({ input, request }) => orderPasswordLink(input.body.username, originOf(request), room),
  };
}
