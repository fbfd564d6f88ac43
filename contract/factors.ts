// Second factors: what proves one, how one is set up, and what a person has (SAFEGUARDS=on).
import { z } from 'zod';
import { Id, Instant, textLine } from './fields.ts';
import { LoginResponse } from './session.ts';

const CODE_MESSAGE = 'Enter the six digits that the app shows';
/** What an authenticator app shows; spaces between the digits are ignored. */
const TotpCode = z
  .string({ error: CODE_MESSAGE })
  .max(20, { error: CODE_MESSAGE, abort: true })
  .transform((text) => text.replace(/\s/g, ''))
  .refine((text) => /^\d{6}$/.test(text), CODE_MESSAGE);

const RECOVERY_MESSAGE = 'Enter one of your recovery codes, such as ABCD-EFGH-JKMN-PQRS';
/** One of the ten codes kept on paper, in any case, with or without its dashes. */
const RecoveryCode = z
  .string({ error: RECOVERY_MESSAGE })
  .max(40, { error: RECOVERY_MESSAGE, abort: true })
  .transform((text) => text.replace(/[\s-]/g, '').toUpperCase())
  .refine((text) => /^[0-9A-Z]{16}$/.test(text), RECOVERY_MESSAGE);

/** Bytes as WebAuthn writes them in JSON. */
const base64Url = (max: number) =>
  z
    .string()
    .min(1)
    .max(max, { abort: true })
    .regex(/^[A-Za-z0-9_-]+$/, 'Must be base64url');

const TRANSPORTS = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'] as const;

const credentialParts = {
  id: base64Url(1_400),
  rawId: base64Url(1_400),
  type: z.literal('public-key'),
};

/** What a browser answers to request options (`AuthenticationResponseJSON`); fields not named here are ignored. */
export const PasskeyAssertion = z.object({
  ...credentialParts,
  response: z.object({
    clientDataJSON: base64Url(8_000),
    authenticatorData: base64Url(8_000),
    signature: base64Url(4_000),
    userHandle: base64Url(200).nullish(),
  }),
});
export type PasskeyAssertion = z.infer<typeof PasskeyAssertion>;

/** What a browser answers to creation options (`RegistrationResponseJSON`). */
export const PasskeyAttestation = z.object({
  ...credentialParts,
  response: z.object({
    clientDataJSON: base64Url(8_000),
    attestationObject: base64Url(100_000),
    // A transport that is not known yet is harmless.
    transports: z
      .array(z.string().max(40))
      .max(20)
      .optional()
      .transform((named) => TRANSPORTS.filter((transport) => named?.includes(transport))),
  }),
});
export type PasskeyAttestation = z.infer<typeof PasskeyAttestation>;

/** A second factor that was proved. */
export const FactorProof = z.discriminatedUnion(
  'method',
  [
    z.strictObject({ method: z.literal('totp'), code: TotpCode }),
    z.strictObject({ method: z.literal('recovery'), code: RecoveryCode }),
    z.strictObject({ method: z.literal('passkey'), response: PasskeyAssertion }),
  ],
  { error: 'Must be a code or a passkey' },
);
export type FactorProof = z.infer<typeof FactorProof>;

const ChallengeToken = z
  .string({ error: 'Must be the token of a sign-in' })
  .max(200, { error: 'Must be the token of a sign-in', abort: true })
  .regex(/^[A-Za-z0-9_-]+$/, 'Must be the token of a sign-in');

export const SecondFactorRequest = z.strictObject({ challenge: ChallengeToken, factor: FactorProof });
export const ChallengeRequest = z.strictObject({ challenge: ChallengeToken });
export const ReauthRequest = z.strictObject({ factor: FactorProof });

const Descriptor = z.object({
  id: z.string(),
  type: z.literal('public-key'),
  transports: z.array(z.enum(TRANSPORTS)).optional(),
});
const VERIFICATIONS = ['required', 'preferred', 'discouraged'] as const;

/** What a browser is asked to sign with a passkey (`PublicKeyCredentialRequestOptionsJSON`). */
export const PasskeyRequestOptions = z.object({
  challenge: z.string(),
  timeout: z.number(),
  rpId: z.string(),
  allowCredentials: z.array(Descriptor),
  userVerification: z.enum(VERIFICATIONS),
});
export type PasskeyRequestOptions = z.infer<typeof PasskeyRequestOptions>;

/** What a browser is asked to make a passkey from (`PublicKeyCredentialCreationOptionsJSON`). */
export const PasskeyCreationOptions = z.object({
  rp: z.object({ name: z.string(), id: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  challenge: z.string(),
  pubKeyCredParams: z.array(z.object({ alg: z.number(), type: z.literal('public-key') })),
  timeout: z.number(),
  excludeCredentials: z.array(Descriptor),
  authenticatorSelection: z.object({
    residentKey: z.enum(VERIFICATIONS),
    requireResidentKey: z.boolean(),
    userVerification: z.enum(VERIFICATIONS),
  }),
  attestation: z.literal('none'),
});
export type PasskeyCreationOptions = z.infer<typeof PasskeyCreationOptions>;

/** The new secret of an authenticator app, in base32 and as the address that a QR code holds. Shown once. */
export const TotpSetup = z.object({ secret: z.string(), url: z.string() });

export const TotpConfirmation = z.strictObject({ code: TotpCode });

export const PasskeyRegistration = z.strictObject({
  name: textLine({ min: 1, max: 60, message: 'Please name the passkey' }),
  response: PasskeyAttestation,
});

export const Enrolled = z.object({
  /** Ten, shown only now, when this was the person's first factor; else null. */
  recoveryCodes: z.array(z.string()).nullable(),
  /** The session that a sign-in was waiting for; null for somebody signed in already. */
  session: LoginResponse.nullable(),
});
export type Enrolled = z.infer<typeof Enrolled>;

export const RecoveryCodes = z.object({ recoveryCodes: z.array(z.string()) });

/** What a person has set up. */
export const Factors = z.object({
  totp: z.boolean(),
  passkeys: z.array(z.object({ id: Id, name: z.string(), createdAt: Instant, lastUsedAt: Instant.nullable() })),
  recoveryCodesLeft: z.number(),
});
export type Factors = z.infer<typeof Factors>;
