// Signing in: by a password, by a second factor after it, and by a link that was handed out.
import type { FastifyReply } from 'fastify';
import { Refusal, refuse } from '#contract/errors.ts';
import type { FactorProof } from '#contract/factors.ts';
import { foldKey } from '#contract/fields.ts';
import type { LoginResponse } from '#contract/session.ts';
import { setFileCookie } from '../../api/file-cookie.ts';
import { originOf } from '../../api/origin.ts';
import type { Handlers } from '../../api/route.ts';
import type { Origin } from '../../audit/security-events.ts';
import type { Config } from '../../config.ts';
import type { Outbox } from '../../mail/outbox.ts';
import type { Now } from '../../platform/clock.ts';
import type { Attempt, Attempts } from '../auth/attempts.ts';
import { forgottenTriesOf, type Invitation, type Invitations, invitationTriesOf } from '../auth/invitations.ts';
import type { Owner, SessionSecrets } from '../auth/new-session.ts';
import { askForPasskey, siteOf } from '../auth/passkeys.ts';
import type { PasswordHasher } from '../auth/password-hasher.ts';
import type { PasswordLinks } from '../auth/password-links.ts';
import type { Credentials } from '../auth/password-sign-in.ts';
import type { SecondFactors } from '../auth/second-factors.ts';
import type { SessionStore } from '../auth/sessions.ts';
import type { SignIn } from '../auth/waiting-sign-ins.ts';

/** What signing in needs; `context.ts` opens it once per process. */
export interface SignInStores {
  readonly sessions: SessionStore;
  readonly attempts: Attempts;
  readonly factors: SecondFactors;
  readonly invitations: Invitations;
  readonly passwordLinks: PasswordLinks;
}

export interface SignInServices extends Now {
  readonly config: Config;
  readonly passwords: PasswordHasher;
  readonly outbox: Outbox;
}

/** Gives a session to the browser: the token in the answer, and the cookie that opens files. */
export async function handOver(
  secrets: SessionSecrets | null,
  reply: FastifyReply,
  sessions: SessionStore,
  { config }: { readonly config: Config },
): Promise<LoginResponse> {
  const viewer = secrets && (await sessions.bySession(secrets.sessionId));
  // Ended between its opening and now.
  if (secrets === null || viewer === null) throw refuse('unauthenticated');
  setFileCookie(reply, secrets.cookie, config);
  return { token: secrets.token, user: await sessions.present(viewer) };
}

/** Refuses a factor that is not right, or was used before, with its entry in the log. */
export async function refuseFactor(
  factors: SecondFactors,
  person: Owner,
  { method }: FactorProof,
  origin: Origin,
): Promise<never> {
  await factors.recordFailure(person, method, origin);
  throw refuse('wrong_code');
}

/** What several ways to sign in have in common. */
function stepsOf(services: SignInServices, { sessions, attempts, factors, invitations }: SignInStores) {
  const { config, now, passwords } = services;

  /** What the right password opens; null where it has changed meanwhile. */
  async function openBy(verified: Credentials, origin: Origin, attempt: Attempt, reply: FastifyReply) {
    if (!config.safeguards) {
      const secrets = await sessions.open(verified, origin, attempt);
      return secrets && handOver(secrets, reply, sessions, services);
    }
    const begun = await factors.beginSignIn(verified.id, verified.passwordHash, attempt);
    return begun && { challenge: { ...begun, expiresAt: new Date(begun.expiresAt).toISOString() } };
  }

  /** Stores a hash of today's cost, while the password is at hand. A sign-in does not fail over it. */
  async function renewHash(known: Credentials, password: string): Promise<void> {
    if (!passwords.isOutdated(known.passwordHash)) return;
    try {
      await sessions.rehash(known.id, known.passwordHash, await passwords.hash(password, 'at once'));
    } catch (error) {
      // Too busy for it now: the next sign-in is soon enough.
      if (!(error instanceof Refusal)) throw error;
    }
  }

  async function findSignIn(token: string): Promise<SignIn> {
    const signIn = await factors.findSignIn(token);
    if (signIn === null) throw refuse('challenge_over');
    return signIn;
  }

  /** Looks for the link with this secret. A guess counts for its network; who has a secret, though an expired one, guessed nothing. */
  function invited<Result>(
    secret: string,
    origin: ReturnType<typeof originOf>,
    use: (invitation: Invitation, attempt: Attempt) => Promise<Result>,
  ): Promise<Result> {
    return attempts.judged(invitationTriesOf(origin), origin, async (attempt) => {
      const invitation = await invitations.find(secret);
      if (invitation === null) throw refuse('invitation_invalid');
      if (invitation.expiresAt <= now()) {
        await invitations.takeBack(attempt);
        throw refuse(invitation.purpose === 'joining' ? 'invitation_expired' : 'password_link_expired');
      }
      try {
        return await use(invitation, attempt);
      } catch (error) {
        // Too many new passwords wait to be hashed.
        if (error instanceof Refusal && error.code === 'busy') await invitations.takeBack(attempt);
        throw error;
      }
    });
  }

  return { openBy, renewHash, findSignIn, invited };
}

/** What opens a session, or leads there. */
export function signInHandlers(
  services: SignInServices,
  stores: SignInStores,
): Pick<
  Handlers<'session'>,
  | 'session.login'
  | 'session.second-factor'
  | 'session.second-factor-passkey'
  | 'session.invitation'
  | 'session.join'
  | 'session.forgotten'
> {
  const { config, passwords, outbox } = services;
  const { sessions, attempts, factors, invitations, passwordLinks } = stores;
  const { openBy, renewHash, findSignIn, invited } = stepsOf(services, stores);

  return {
    'session.login': ({ input, request, reply }) => {
      const { username, password } = input.body;
      const origin = originOf(request);
      return attempts.judged(username, origin, async (attempt) => {
        const isRight = (of: Credentials | null) =>
          attempt.inTurn(() => passwords.verify(password, of?.passwordHash ?? null));
        let known = await sessions.credentials(foldKey(username));
        // Verified before the outcome is looked at: an unknown name costs the same as a wrong password.
        let right = await isRight(known);
        let answer = known !== null && right ? await openBy(known, origin, attempt, reply) : null;
        if (known !== null && right && answer === null) {
          // The password was changed, or only hashed again, since it was looked up.
          known = await sessions.credentials(foldKey(username));
          right = await isRight(known);
          answer = known !== null && right ? await openBy(known, origin, attempt, reply) : null;
        }
        if (known === null || answer === null) {
          await sessions.recordFailure(known, origin);
          throw refuse('bad_credentials');
        }
        await renewHash(known, password);
        return answer;
      });
    },

    'session.second-factor': async ({ input, request, reply }) => {
      const { challenge, factor } = input.body;
      const origin = originOf(request);
      const signIn = await findSignIn(challenge);
      return attempts.judged(signIn.person.username, origin, async (attempt) => {
        if (!(await factors.countTry(signIn))) throw refuse('challenge_over');
        const site = () => siteOf(config.publicOrigin, request.headers.host);
        const proven = await factors.prove(signIn.person, factor, 'sign-in', site);
        const secrets = proven && (await factors.finishSignIn(signIn, proven, attempt, origin));
        if (secrets === null) return refuseFactor(factors, signIn.person, factor, origin);
        return handOver(secrets, reply, sessions, services);
      });
    },

    'session.second-factor-passkey': async ({ input, request }) => {
      const { person } = await findSignIn(input.body.challenge);
      const site = siteOf(config.publicOrigin, request.headers.host);
      const options = await askForPasskey(site, await factors.passkeysOf(person.id));
      await factors.challenges.keep(person.id, 'sign-in', options.challenge);
      return options;
    },

    'session.invitation': ({ input, request }) =>
      invited(input.body.token, originOf(request), async ({ user, expiresAt, purpose }, attempt) => {
        await invitations.takeBack(attempt);
        const { username, fullName } = user;
        return { username, fullName, until: new Date(expiresAt).toISOString(), purpose };
      }),

    'session.join': ({ input, request, reply }) => {
      const { token, newPassword } = input.body;
      const origin = originOf(request);
      return invited(token, origin, async ({ user }, attempt) => {
        const passwordHash = await passwords.hash(newPassword);
        if (!(await invitations.join(token, passwordHash, origin))) throw refuse('invitation_invalid');
        // From here on it is a sign-in with the right password.
        const answer = await openBy({ ...user, passwordHash }, origin, attempt, reply);
        if (answer === null) throw refuse('gone_meanwhile');
        return answer;
      });
    },

    'session.forgotten': ({ input, request }) => {
      if (!outbox.isOn) throw refuse('not_found');
      const origin = originOf(request);
      // Never taken back: there is nothing that could be right.
      return attempts.judged(forgottenTriesOf(origin), origin, () => passwordLinks.order(input.body.username));
    },
  };
}
