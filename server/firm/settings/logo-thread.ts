// Decodes a PNG and writes its pixels into a new one, in a thread: nothing of the old one but its pixels is in it.
import { inflateSync } from 'node:zlib';
import { PNG } from 'pngjs';
import type { DrawnLogo } from './logo.ts';

/** Null where it cannot be decoded. */
export function work(sent: Uint8Array): DrawnLogo | null {
  const bytes = Buffer.from(sent);
  let decoded: PNG;
  try {
    if (!hasAllPixels(bytes)) return null;
    decoded = PNG.sync.read(bytes);
  } catch {
    return null;
  }
  const { width, height } = decoded;
  const drawn = new PNG({ width, height });
  decoded.data.copy(drawn.data);
  return { png: new Uint8Array(PNG.sync.write(drawn)), width, height };
}

const SIGNATURE_BYTES = 8;
/** Of a chunk without its content: length, name and checksum. */
const CHUNK_BYTES = 12;
/** Samples of a pixel, by the colour type of the header. */
const SAMPLES: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

/**
 * Whether the pixels that the header speaks of are all there, no fewer and no more. In place of those that are missing the decoder
 * (pngjs 7.0.0) gives what lies in the memory of the process. Throws where they cannot be unpacked.
 */
function hasAllPixels(bytes: Buffer): boolean {
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
  const bits = (bytes[24] ?? 0) * (SAMPLES[bytes[25] ?? -1] ?? 0);
  // A row begins with the way it is filtered.
  const size = (1 + Math.ceil((width * bits) / 8)) * height;
  const packed: Buffer[] = [];
  for (let at = SIGNATURE_BYTES; at + CHUNK_BYTES <= bytes.length; at += CHUNK_BYTES + bytes.readUInt32BE(at)) {
    const from = at + 8;
    if (bytes.toString('latin1', at + 4, from) === 'IDAT')
      packed.push(bytes.subarray(from, from + bytes.readUInt32BE(at)));
  }
  return inflateSync(Buffer.concat(packed), { maxOutputLength: size }).length === size;
}
