// What people do to their own second factors.

import { refuse } from '#contract/errors.ts';
import type { PasskeyAttestation, PasskeyCreationOptions } from '#contract/factors.ts';
import type { Origin } from '../../audit/security-events.ts';
import type { FirmFace } from '../access/firm-settings.ts';
import type { Viewer } from '../access/viewer.ts';
import type { Enrolment } from '../auth/own-factors.ts';
import { askForNewPasskey, type Site } from '../auth/passkeys.ts';
import { presentTotp } from '../auth/totp.ts';
import { type OpenedSession, presentSession, type SignInStores, type TryOrigin } from './sign-in.acts.ts';

export interface FactorServices {
  readonly face: FirmFace;
}

/** What setting up a factor gives: codes that are shown once, and the session that the sign-in was waiting for. */
export interface SetUpFactor {
  readonly recoveryCodes: string[] | null;
  readonly session: OpenedSession | null;
}

async function present({ recoveryCodes, session }: Enrolment, { sessions }: SignInStores): Promise<SetUpFactor> {
  return { recoveryCodes, session: session && (await presentSession(session, sessions)) };
}

/** A secret for an authenticator app, which waits for its first code. */
export async function beginTotp(
  viewer: Viewer,
  { face, factors }: FactorServices & SignInStores,
): Promise<ReturnType<typeof presentTotp>> {
  return presentTotp(await factors.newTotp(viewer), (await face.get()).name, viewer.username);
}

/** Sets up the authenticator app that shows `code`. Refuses `wrong_code`. */
export function confirmTotp(
  viewer: Viewer,
  code: string,
  origin: TryOrigin,
  stores: SignInStores,
): Promise<SetUpFactor> {
  const { attempts, factors } = stores;
  return attempts.judged(viewer.username, origin, async (attempt) => {
    const factor = await factors.proveNewTotp(viewer, code);
    if (factor === null) throw refuse('wrong_code');
    return present(await factors.enrol(viewer, factor, origin, attempt), stores);
  });
}

/** What a browser is asked to create. */
export async function beginPasskey(
  viewer: Viewer,
  site: Site,
  { face, factors }: FactorServices & SignInStores,
): Promise<PasskeyCreationOptions> {
  const known = await factors.passkeysOf(viewer.id);
  const { id, username, fullName } = viewer;
  const options = await askForNewPasskey(site, { id, username, fullName }, (await face.get()).name, known);
  await factors.challenges.keep(viewer.id, 'enrol', options.challenge);
  return options;
}

/** Sets up the passkey that a browser has created. Refuses `wrong_code`. */
export async function addPasskey(
  viewer: Viewer,
  { name, response, site }: { readonly name: string; readonly response: PasskeyAttestation; readonly site: Site },
  origin: Origin,
  stores: SignInStores,
): Promise<SetUpFactor> {
  const { factors } = stores;
  const factor = await factors.proveNewPasskey(viewer, name, response, site);
  if (factor === null) throw refuse('wrong_code');
  return present(await factors.enrol(viewer, factor, origin), stores);
}
