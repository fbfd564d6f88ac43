// Second factors in software, for tests: an authenticator app, and a passkey that signs as a browser would send it.
import { createHash, createSign, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';
import { TOTP } from 'otpauth';
import type { PasskeyAssertion, PasskeyAttestation } from '#contract/factors.ts';

export const STEP_MS = 30_000;

/** An app that shows codes: each step's code once, because the server accepts it once. */
export class CodeApp {
  readonly #secret: string;
  readonly #now: () => number;
  #lastStep = 0;

  constructor(secret: string, now: () => number) {
    this.#secret = secret;
    this.#now = now;
  }

  /** The code that is shown `offsetMs` from now. */
  code(offsetMs = 0): string {
    const totp = new TOTP({ secret: this.#secret, algorithm: 'SHA1', digits: 6, period: STEP_MS / 1_000 });
    return totp.generate({ timestamp: this.#now() + offsetMs });
  }

  /** A code that was not used yet; null where the server must reach the next step first. */
  freshCode(): string | null {
    const step = Math.floor(this.#now() / STEP_MS);
    // Not the step before: it would be too old if the next one begins on the way.
    for (const candidate of [step, step + 1]) {
      if (candidate <= this.#lastStep) continue;
      this.#lastStep = candidate;
      return this.code(candidate * STEP_MS - step * STEP_MS);
    }
    return null;
  }
}

const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest();
const base64Url = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url');

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

/** The little of CBOR that an attestation without a statement needs. */
function cbor(value: unknown): Buffer {
  const head = (major: number, length: number) => {
    if (length < 24) return Buffer.from([(major << 5) | length]);
    if (length < 256) return Buffer.from([(major << 5) | 24, length]);
    return Buffer.from([(major << 5) | 25, length >> 8, length & 255]);
  };
  if (typeof value === 'number') return value >= 0 ? head(0, value) : head(1, -1 - value);
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (value instanceof Uint8Array) return Buffer.concat([head(2, value.length), value]);
  const entries = [...(value as Map<unknown, unknown>)];
  return Buffer.concat([head(5, entries.length), ...entries.flatMap(([key, entry]) => [cbor(key), cbor(entry)])]);
}

const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const HOLDS_CREDENTIAL = 0x40;

/** What a test may change to see it refused. */
interface Overrides {
  readonly origin?: string;
  readonly rpId?: string;
  readonly counter?: number;
  /** False for an authenticator that nobody touched. */
  readonly present?: boolean;
}

/** One passkey: an ES256 key with its counter, bound to a site. */
export class SoftPasskey {
  readonly id = randomBytes(32);
  readonly #origin: string;
  readonly #rpId: string;
  readonly #privateKey: KeyObject;
  readonly #publicKey: KeyObject;
  counter = 0;

  constructor(origin: string) {
    this.#origin = origin;
    this.#rpId = new URL(origin).hostname;
    const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    this.#privateKey = pair.privateKey;
    this.#publicKey = pair.publicKey;
  }

  #clientData(type: string, challenge: string, origin: string): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  }

  /** What a browser answers to creation options with `challenge`. */
  attest(challenge: string, { origin = this.#origin, rpId = this.#rpId }: Overrides = {}): PasskeyAttestation {
    const { x = '', y = '' } = this.#publicKey.export({ format: 'jwk' });
    const cose = new Map<number, unknown>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, Buffer.from(x, 'base64url')],
      [-3, Buffer.from(y, 'base64url')],
    ]);
    const authData = Buffer.concat([
      sha256(rpId),
      Buffer.from([USER_PRESENT | USER_VERIFIED | HOLDS_CREDENTIAL]),
      uint32(this.counter),
      Buffer.alloc(16),
      Buffer.from([0, this.id.length]),
      this.id,
      cbor(cose),
    ]);
    const object = new Map<string, unknown>([
      ['fmt', 'none'],
      ['attStmt', new Map()],
      ['authData', authData],
    ]);
    return {
      id: base64Url(this.id),
      rawId: base64Url(this.id),
      type: 'public-key',
      response: {
        clientDataJSON: base64Url(this.#clientData('webauthn.create', challenge, origin)),
        attestationObject: base64Url(cbor(object)),
        transports: ['internal'],
      },
    };
  }

  /** What a browser answers to request options with `challenge`; the counter goes up by one. */
  assert(challenge: string, overrides: Overrides = {}): PasskeyAssertion {
    const { origin = this.#origin, rpId = this.#rpId, counter = this.counter + 1, present = true } = overrides;
    if (overrides.counter === undefined) this.counter = counter;
    const clientData = this.#clientData('webauthn.get', challenge, origin);
    const authData = Buffer.concat([
      sha256(rpId),
      Buffer.from([present ? USER_PRESENT | USER_VERIFIED : 0]),
      uint32(counter),
    ]);
    const signature = createSign('sha256')
      .update(Buffer.concat([authData, sha256(clientData)]))
      .sign(this.#privateKey);
    return {
      id: base64Url(this.id),
      rawId: base64Url(this.id),
      type: 'public-key',
      response: {
        clientDataJSON: base64Url(clientData),
        authenticatorData: base64Url(authData),
        signature: base64Url(signature),
      },
    };
  }
}
