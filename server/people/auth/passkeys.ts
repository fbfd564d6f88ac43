// Passkeys (WebAuthn): what a browser is asked to create or sign, and whether its answer is right.
import { refuse } from '#contract/errors.ts';
import type {
  PasskeyAssertion,
  PasskeyAttestation,
  PasskeyCreationOptions,
  PasskeyRequestOptions,
} from '#contract/factors.ts';

/** Loaded with the first passkey: it would be a fifth of the memory of a server that has none. */
const library = () => import('@simplewebauthn/server');

/** How long a person may take over the browser's question. */
export const PASSKEY_TIMEOUT_MS = 5 * 60_000;
/** EdDSA, ES256 and RS256: what authenticators have. */
const ALGORITHMS = [-8, -7, -257];

/** The site that passkeys are bound to: its name, and the address that pages come from. */
export interface Site {
  readonly rpId: string;
  readonly origin: string;
}

/**
 * PUBLIC_ORIGIN where set. Otherwise this machine by its name, at the port the browser asked for. Throws
 * `passkey_address` for an address in numbers, which passkeys do not know.
 */
export function siteOf(publicOrigin: string | undefined, host: string | undefined): Site {
  const origin = publicOrigin ?? `http://${host ?? ''}`;
  const rpId = URL.canParse(origin) ? new URL(origin).hostname : '';
  if (publicOrigin === undefined && rpId !== 'localhost') throw refuse('passkey_address');
  return { rpId, origin };
}

/** A passkey as it is stored. */
export interface Passkey {
  readonly credentialId: string;
  /** COSE, in base64url. */
  readonly publicKey: string;
  readonly counter: number;
  readonly transports: readonly string[];
}

const describe = ({ credentialId, transports }: Pick<Passkey, 'credentialId' | 'transports'>) => ({
  id: credentialId,
  transports: [...transports],
});

export async function askForPasskey(
  site: Site,
  known: readonly Pick<Passkey, 'credentialId' | 'transports'>[],
): Promise<PasskeyRequestOptions> {
  const { generateAuthenticationOptions } = await library();
  const options = await generateAuthenticationOptions({
    rpID: site.rpId,
    allowCredentials: known.map(describe),
    timeout: PASSKEY_TIMEOUT_MS,
    userVerification: 'preferred',
  });
  return { ...options, timeout: PASSKEY_TIMEOUT_MS } as PasskeyRequestOptions;
}

export async function askForNewPasskey(
  site: Site,
  person: { readonly id: number; readonly username: string; readonly fullName: string },
  productName: string,
  known: readonly Pick<Passkey, 'credentialId' | 'transports'>[],
): Promise<PasskeyCreationOptions> {
  const { generateRegistrationOptions } = await library();
  const options = await generateRegistrationOptions({
    rpName: productName,
    rpID: site.rpId,
    userID: new TextEncoder().encode(String(person.id)),
    userName: person.username,
    userDisplayName: person.fullName,
    timeout: PASSKEY_TIMEOUT_MS,
    attestationType: 'none',
    excludeCredentials: known.map(describe),
    authenticatorSelection: { residentKey: 'preferred', requireResidentKey: false, userVerification: 'preferred' },
    supportedAlgorithmIDs: ALGORITHMS,
  });
  return options as PasskeyCreationOptions;
}

/** Returns true once for a challenge that was given out for this use. */
export type TakeChallenge = (challenge: string) => Promise<boolean>;

/** The challenge that an answer claims. The store decides whether that was given out, and the signature the rest. */
function challengeIn(clientDataJson: string): string | null {
  try {
    const { challenge } = JSON.parse(Buffer.from(clientDataJson, 'base64url').toString()) as { challenge?: unknown };
    return typeof challenge === 'string' ? challenge : null;
  } catch {
    return null;
  }
}

/** The counter of `passkey` after this answer, or null where the answer is not from it, for this site, to our challenge. */
export async function checkAssertion(
  site: Site,
  passkey: Passkey,
  answer: PasskeyAssertion,
  take: TakeChallenge,
): Promise<number | null> {
  const { userHandle: _unused, ...response } = answer.response;
  const challenge = challengeIn(response.clientDataJSON);
  if (challenge === null || !(await take(challenge))) return null;
  const { verifyAuthenticationResponse } = await library();
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { ...answer, response, clientExtensionResults: {} },
      expectedChallenge: challenge,
      expectedOrigin: site.origin,
      expectedRPID: site.rpId,
      credential: {
        id: passkey.credentialId,
        publicKey: new Uint8Array(Buffer.from(passkey.publicKey, 'base64url')),
        counter: passkey.counter,
        transports: [...passkey.transports],
      },
      requireUserVerification: false,
    });
    return verified ? authenticationInfo.newCounter : null;
  } catch {
    // The library throws for anything wrong with an answer; nothing else can throw in there.
    return null;
  }
}

/** The new passkey, or null where the answer is not for this site or not to our question. */
export async function checkAttestation(
  site: Site,
  answer: PasskeyAttestation,
  take: TakeChallenge,
): Promise<Passkey | null> {
  const challenge = challengeIn(answer.response.clientDataJSON);
  if (challenge === null || !(await take(challenge))) return null;
  const { verifyRegistrationResponse } = await library();
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: { ...answer, clientExtensionResults: {} },
      expectedChallenge: challenge,
      expectedOrigin: site.origin,
      expectedRPID: site.rpId,
      requireUserVerification: false,
      supportedAlgorithmIDs: ALGORITHMS,
    });
    if (!verified) return null;
    const { credential } = registrationInfo;
    return {
      credentialId: credential.id,
      publicKey: Buffer.from(credential.publicKey).toString('base64url'),
      counter: credential.counter,
      transports: answer.response.transports,
    };
  } catch {
    // The library throws for anything wrong with an answer; nothing else can throw in there.
    return null;
  }
}
