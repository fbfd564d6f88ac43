// Making a passkey, which the sign-in page itself does not.
import type { PublicKeyCredentialCreationOptionsJSON } from '@simplewebauthn/browser';
import type { PasskeyCreationOptions } from '#contract/factors.ts';
import { loadPasskeys, PasskeyFault, passkeyFault } from './passkeys.ts';

const KNOWN = 'This device or key is already among your passkeys.';

/** Lets the person make a passkey. Throws PasskeyFault. */
export async function makePasskey(options: PasskeyCreationOptions) {
  const { startRegistration } = await loadPasskeys();
  try {
    return await startRegistration({ optionsJSON: options as PublicKeyCredentialCreationOptionsJSON });
  } catch (error) {
    const isKnown = error instanceof Error && error.name === 'InvalidStateError';
    throw isKnown ? new PasskeyFault(KNOWN, { cause: error }) : passkeyFault(error);
  }
}
