// Passkeys in the browser: its own dialogs, our error messages. The library loads when it is first used.
import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/browser';
import type { PasskeyRequestOptions } from '#contract/factors.ts';
import { failed } from './messages.ts';

/** No passkey was used or created; the message says why. */
export class PasskeyFault extends Error {
  override readonly name = 'PasskeyFault';
}

/** Whether this browser knows passkeys at all; it does on secure pages only. */
export function knowsPasskeys(): boolean {
  return window.PublicKeyCredential !== undefined;
}

const UNSUPPORTED = new Set(['SecurityError', 'NotSupportedError', 'ConstraintError', 'TypeError']);

/** What went wrong between the browser and the authenticator, as a fault that can be shown. */
export function passkeyFault(error: unknown): PasskeyFault {
  const name = error instanceof Error ? error.name : '';
  if (UNSUPPORTED.has(name)) return new PasskeyFault(failed.passkeyUnsupported, { cause: error });
  // Dismissed, timed out, or no such passkey here: browsers do not distinguish these.
  return new PasskeyFault(failed.passkeyDismissed, { cause: error });
}

/** The library; refuses where the browser has no passkeys. */
export async function loadPasskeys() {
  if (!knowsPasskeys()) throw new PasskeyFault(failed.passkeyUnsupported);
  try {
    return await import('@simplewebauthn/browser');
  } catch (error) {
    throw new PasskeyFault(failed.loadPart, { cause: error });
  }
}

/** Lets the person sign with one of their passkeys. Throws PasskeyFault. */
export async function signWithPasskey(options: PasskeyRequestOptions) {
  const { startAuthentication } = await loadPasskeys();
  try {
    return await startAuthentication({ optionsJSON: options as PublicKeyCredentialRequestOptionsJSON });
  } catch (error) {
    throw passkeyFault(error);
  }
}
