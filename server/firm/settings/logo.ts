// A logo as it was sent, drawn anew: of the bytes of others none is kept.
import { createHash } from 'node:crypto';
import { refuseFields } from '#contract/errors.ts';
import { LOGO_MAX } from '#contract/firm-face.ts';
import { Thread } from '../../platform/jobs/thread.ts';

export interface Logo {
  /** Of the content. */
  readonly id: string;
  readonly width: number;
  readonly height: number;
  readonly png: Buffer;
}

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** Signature, length and name of the first chunk, and its thirteen bytes. */
const HEADER_BYTES = 33;

const NOT_A_PNG = 'This is no PNG. Please choose another picture.';
const DAMAGED = 'This picture is damaged. Please choose another one.';
const TOO_LARGE = `The logo must be at most ${LOGO_MAX.width} x ${LOGO_MAX.height} pixels and ${LOGO_MAX.bytes / 1024} KB.`;
const INTERLACED = 'This PNG is interlaced. Please save it without.';

/** What the header says, before anything is decoded: what is decoded has at most so many pixels. */
function headerFault(bytes: Buffer): string | null {
  if (bytes.length > LOGO_MAX.bytes) return TOO_LARGE;
  if (bytes.length < HEADER_BYTES || !bytes.subarray(0, 8).equals(SIGNATURE)) return NOT_A_PNG;
  if (bytes.readUInt32BE(8) !== 13 || bytes.toString('latin1', 12, 16) !== 'IHDR') return DAMAGED;
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
  if (width === 0 || height === 0) return DAMAGED;
  if (width > LOGO_MAX.width || height > LOGO_MAX.height) return TOO_LARGE;
  // The decoder bounds what it inflates for all others.
  return bytes[28] === 0 ? null : INTERLACED;
}

const MEMORY_BYTES = 128 * 1024 * 1024;
const WITHIN_MS = 10_000;

/** Throws a refusal of `logo` with the sentence that says what is wrong with it. */
export async function redrawLogo(base64: string): Promise<Logo> {
  const bytes = Buffer.from(base64, 'base64');
  const fault = headerFault(bytes);
  if (fault !== null) throw refuseFields({ logo: fault });
  await using thread = new Thread<Uint8Array, DrawnLogo | null>(new URL('./logo-thread.ts', import.meta.url), {
    memoryBytes: MEMORY_BYTES,
    isAwaited: true,
  });
  const drawn = await thread.ask(bytes, { withinMs: WITHIN_MS });
  if (drawn === null) throw refuseFields({ logo: DAMAGED });
  const png = Buffer.from(drawn.png);
  const id = createHash('sha256').update(png).digest('hex').slice(0, 32);
  return { id, width: drawn.width, height: drawn.height, png };
}

export interface DrawnLogo {
  readonly png: Uint8Array;
  readonly width: number;
  readonly height: number;
}
