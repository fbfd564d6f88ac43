// Signing in: by a password, by a second factor after it, and by a link that was handed out.
import { Refusal, refuse } from '#contract/errors.ts';
import type { FactorProof, PasskeyRequestOptions } from '#contract/factors.ts';
import { foldKey } from '#contract/fields.ts';
import type { Challenge, InvitationFacts, LoginResponse } from '#contract/session.ts';
import type { Origin } from '../../audit/security-events.ts';
import type { Config } from '../../config.ts';
import type { Outbox } from '../../mail/outbox.ts';
import type { Caller } from '../../platform/admission/caller.ts';
import type { Now } from '../../platform/clock.ts';
import type { Attempt, Attempts } from '../auth/attempts.ts';
import { forgottenTriesOf, type Invitation, type Invitations, invitationTriesOf } from '../auth/invitations.ts';
import type { Owner, SessionSecrets } from '../auth/new-session.ts';
import { askForPasskey, type Site } from '../auth/passkeys.ts';
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
  readonly config: Pick<Config, 'safeguards'>;
  readonly passwords: PasswordHasher;
  readonly outbox: Outbox;
}

/** Both in one, as acts of people who are not signed in take it. */
export type SignInRoom = SignInServices & SignInStores;

/** Where a try at a secret comes from, and who waits for its answer. */
export type TryOrigin = Origin & { readonly caller: Caller };

/** A session as whoever opened it gets it, with the secret that opens files. */
export interface OpenedSession extends LoginResponse {
  readonly cookie: string;
}

/** Refuses `unauthenticated` where it ended between its opening and now. */
export async function presentSession(secrets: SessionSecrets | null, sessions: SessionStore): Promise<OpenedSession> {
  const viewer = secrets && (await sessions.bySession(secrets.sessionId));
  if (secrets === null || viewer === null) throw refuse('unauthenticated');
  return { token: secrets.token, cookie: secrets.cookie, user: await sessions.present(viewer) };
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

/** A session, or the question for the second factor. */
export type SignInAnswer = OpenedSession | { readonly challenge: Challenge };

/** What the right password opens; null where it has changed meanwhile. */
async function openBy(
  verified: Credentials,
  origin: Origin,
  attempt: Attempt,
  { config, sessions, factors }: SignInRoom,
): Promise<SignInAnswer | null> {
  if (!config.safeguards) {
    const secrets = await sessions.open(verified, origin, attempt);
    return secrets && presentSession(secrets, sessions);
  }
  const begun = await factors.beginSignIn(verified.id, verified.passwordHash, attempt);
  return begun && { challenge: { ...begun, expiresAt: new Date(begun.expiresAt).toISOString() } };
}

/** Stores a hash of today's cost, while the password is at hand. A sign-in does not fail over it. */
async function renewHash(known: Credentials, password: string, { passwords, sessions }: SignInRoom): Promise<void> {
  if (!passwords.isOutdated(known.passwordHash)) return;
  try {
    await sessions.rehash(known.id, known.passwordHash, await passwords.hash(password, 'at once'));
  } catch (error) {
    // Too busy for it now: the next sign-in is soon enough.
    if (!(error instanceof Refusal)) throw error;
  }
}

/** Refuses `bad_credentials`, with its entry in the log; what it tells of whether there is such a user is nothing. */
export function signIn(
  { username, password }: { readonly username: string; readonly password: string },
  origin: TryOrigin,
  room: SignInRoom,
): Promise<SignInAnswer> {
  const { attempts, passwords, sessions } = room;
  return attempts.judged(username, origin, async (attempt) => {
    const isRight = (of: Credentials | null) =>
      attempt.inTurn(() => passwords.verify(password, of?.passwordHash ?? null));
    let known = await sessions.credentials(foldKey(username));
    // Verified before the outcome is looked at: an unknown name costs the same as a wrong password.
    let right = await isRight(known);
    let answer = known !== null && right ? await openBy(known, origin, attempt, room) : null;
    if (known !== null && right && answer === null) {
      // The password was changed, or only hashed again, since it was looked up.
      known = await sessions.credentials(foldKey(username));
      right = await isRight(known);
      answer = known !== null && right ? await openBy(known, origin, attempt, room) : null;
    }
    if (known === null || answer === null) {
      await sessions.recordFailure(known, origin);
      throw refuse('bad_credentials');
    }
    await renewHash(known, password, room);
    return answer;
  });
}

async function findSignIn(token: string, { factors }: SignInRoom): Promise<SignIn> {
  const found = await factors.findSignIn(token);
  if (found === null) throw refuse('challenge_over');
  return found;
}

/** Opens the session that waits for a second factor. Refuses `challenge_over`, `wrong_code`. */
export async function finishSignIn(
  { challenge, factor, site }: { readonly challenge: string; readonly factor: FactorProof; readonly site: () => Site },
  origin: TryOrigin,
  room: SignInRoom,
): Promise<OpenedSession> {
  const { attempts, factors, sessions } = room;
  const waiting = await findSignIn(challenge, room);
  return attempts.judged(waiting.person.username, origin, async (attempt) => {
    if (!(await factors.countTry(waiting))) throw refuse('challenge_over');
    const proven = await factors.prove(waiting.person, factor, 'sign-in', site);
    const secrets = proven && (await factors.finishSignIn(waiting, proven, attempt, origin));
    if (secrets === null) return refuseFactor(factors, waiting.person, factor, origin);
    return presentSession(secrets, sessions);
  });
}

/** What a browser is asked to sign for the sign-in that waits. */
export async function askForSignInPasskey(
  challenge: string,
  site: () => Site,
  room: SignInRoom,
): Promise<PasskeyRequestOptions> {
  const { factors } = room;
  const { person } = await findSignIn(challenge, room);
  const options = await askForPasskey(site(), await factors.passkeysOf(person.id));
  await factors.challenges.keep(person.id, 'sign-in', options.challenge);
  return options;
}

/** Looks for the link with this secret. A guess counts for its network; who has a secret, though an expired one, guessed nothing. */
function invited<Result>(
  secret: string,
  origin: TryOrigin,
  { attempts, invitations, now }: SignInRoom,
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

/** Whose link it is, without using it up. */
export function lookAtInvitation(secret: string, origin: TryOrigin, room: SignInRoom): Promise<InvitationFacts> {
  return invited(secret, origin, room, async ({ user, expiresAt, purpose }, attempt) => {
    await room.invitations.takeBack(attempt);
    const { username, fullName } = user;
    return { username, fullName, until: new Date(expiresAt).toISOString(), purpose };
  });
}

/** Gives whom the link is for the password that they chose, and signs them in. */
export function joinByInvitation(
  { token, newPassword }: { readonly token: string; readonly newPassword: string },
  origin: TryOrigin,
  room: SignInRoom,
): Promise<SignInAnswer> {
  return invited(token, origin, room, async ({ user }, attempt) => {
    const passwordHash = await room.passwords.hash(newPassword);
    if (!(await room.invitations.join(token, passwordHash, origin))) throw refuse('invitation_invalid');
    // From here on it is a sign-in with the right password.
    const answer = await openBy({ ...user, passwordHash }, origin, attempt, room);
    if (answer === null) throw refuse('gone_meanwhile');
    return answer;
  });
}

/** Has a link for a new password mailed to whoever has this name, where somebody has it. */
export async function orderPasswordLink(
  username: string,
  origin: TryOrigin,
  { outbox, attempts, passwordLinks }: SignInRoom,
): Promise<void> {
  if (!outbox.isOn) throw refuse('not_found');
  // Never taken back: there is nothing that could be right.
  return attempts.judged(forgottenTriesOf(origin), origin, () => passwordLinks.order(username));
}
