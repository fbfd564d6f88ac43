// What people do to their own session and account: passwords, factors shown again, devices, preferences.
import { refuse, refuseFields } from '#contract/errors.ts';
import type { FactorProof, PasskeyRequestOptions } from '#contract/factors.ts';
import { CHANGE_OF_PASSWORD } from '#contract/security-events.ts';
import type { SessionRow } from '#contract/session.ts';
import type { Origin } from '../../audit/security-events.ts';
import { sessionOf } from '../access/credential.ts';
import type { Principal } from '../access/principal.ts';
import type { Viewer } from '../access/viewer.ts';
import { askForPasskey, type Site } from '../auth/passkeys.ts';
import { keepPreferences } from '../auth/preferences.ts';
import type { SessionStore } from '../auth/sessions.ts';
import {
  type OpenedSession,
  presentSession,
  refuseFactor,
  type SignInRoom,
  type SignInStores,
  type TryOrigin,
} from './sign-in.acts.ts';

/** Has the viewer show a second factor again. Refuses `wrong_code`. */
export function stepUp(
  viewer: Viewer,
  { factor, site }: { readonly factor: FactorProof; readonly site: () => Site },
  origin: TryOrigin,
  { attempts, factors }: SignInStores,
): Promise<void> {
  return attempts.judged(viewer.username, origin, async (attempt) => {
    const proven = await factors.prove(viewer, factor, 'step-up', site);
    const stepped = proven !== null && (await factors.stepUp(viewer, proven, attempt, origin));
    if (!stepped) await refuseFactor(factors, viewer, factor, origin);
  });
}

/** What a browser is asked to sign for that. */
export async function askForStepUpPasskey(
  viewer: Viewer,
  site: Site,
  { factors }: SignInStores,
): Promise<PasskeyRequestOptions> {
  const options = await askForPasskey(site, await factors.passkeysOf(viewer.id));
  await factors.challenges.keep(viewer.id, 'step-up', options.challenge);
  return options;
}

type Preferences = Parameters<typeof keepPreferences>[2];

export function changePreferences(principal: Principal, input: Preferences): ReturnType<typeof keepPreferences> {
  return principal.change('session.preferences', (scope) =>
    keepPreferences(scope.unscoped(scope.authorize('session.preferences')), scope.viewer.id, input),
  );
}

/** Gives the viewer another password and a new session; all others end. Refuses `wrong_password`. */
export async function changePassword(
  viewer: Viewer,
  { currentPassword, newPassword }: { readonly currentPassword: string; readonly newPassword: string },
  origin: TryOrigin,
  { attempts, passwords, sessions }: SignInRoom,
): Promise<OpenedSession> {
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
    return presentSession(secrets, sessions);
  });
}

/** The viewer's open sessions, the one last used first. */
export async function listDevices(viewer: Viewer, sessions: SessionStore): Promise<SessionRow[]> {
  const devices = await sessions.devices(viewer.id);
  return devices.map((device) => ({
    id: device.id,
    createdAt: new Date(device.createdAt).toISOString(),
    lastSeenAt: new Date(device.lastSeenAt).toISOString(),
    userAgent: device.userAgent,
    address: device.address,
    current: device.id === sessionOf(viewer).sessionId,
  }));
}

/** Ends one of the viewer's sessions. Refuses `not_found` where it is none of theirs. */
export async function endSession(
  viewer: Viewer,
  id: number,
  origin: Origin,
  { sessions }: Pick<SignInStores, 'sessions'>,
): Promise<void> {
  if (!(await sessions.end(viewer, id, origin))) throw refuse('not_found');
}
