// Decodes a PNG and writes its pixels into a new one, in a thread: nothing of the old one but its pixels is in it.
import { PNG } from 'pngjs';
import type { DrawnLogo } from './logo.ts';

/** Null where it cannot be decoded. */
export function work(bytes: Uint8Array): DrawnLogo | null {
  let decoded: PNG;
  try {
    decoded = PNG.sync.read(Buffer.from(bytes));
  } catch {
    return null;
  }
  const { width, height } = decoded;
  const drawn = new PNG({ width, height });
  decoded.data.copy(drawn.data);
  return { png: new Uint8Array(PNG.sync.write(drawn)), width, height };
}
