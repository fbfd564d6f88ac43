// The two packings of a TIFF that Node does not know. What ends early, or says more than there is room for, is as long as it came.
import { damaged } from './tiff-file.ts';

/** TIFF 6.0, section 9. */
export function unpackBits(bytes: Uint8Array, length: number): Uint8Array {
  const raw = new Uint8Array(length);
  let to = 0;
  for (let from = 0; from < bytes.length && to < length; ) {
    const count = bytes[from++] ?? 0;
    if (count < 128) {
      const part = bytes.subarray(from, from + count + 1).subarray(0, length - to);
      raw.set(part, to);
      [from, to] = [from + count + 1, to + part.length];
    } else if (count > 128) {
      const end = Math.min(length, to + 257 - count);
      raw.fill(bytes[from++] ?? 0, to, end);
      to = end;
    }
  }
  return raw.subarray(0, to);
}

const LZW = { clear: 256, end: 257, first: 258, most: 4096 };

/** TIFF 6.0, section 13: codes of nine to twelve bits, which grow one code early. */
export function unpackLzw(bytes: Uint8Array, length: number): Uint8Array {
  const raw = new Uint8Array(length);
  /** Of each code from 258 on, where in `raw` stands what it means, and how long that is: what the code before meant, and one byte more. */
  const [starts, lengths] = [new Uint32Array(LZW.most), new Uint32Array(LZW.most)];
  let [next, width] = [LZW.first, 9];
  let [before, written, to] = [0, 0, 0];
  let [bits, held, at] = [0, 0, 0];
  while (to < length) {
    for (; held < width && at < bytes.length; held += 8) bits = ((bits << 8) | (bytes[at++] ?? 0)) & 0xff_ffff;
    if (held < width) break;
    held -= width;
    const code = (bits >> held) & ((1 << width) - 1);
    if (code === LZW.end) break;
    if (code === LZW.clear) {
      [next, width, written] = [LZW.first, 9, 0];
      continue;
    }
    if (written > 0 && next < LZW.most) {
      starts[next] = before;
      lengths[next] = written + 1;
      next += 1;
      if (next + 1 >= 1 << width && width < 12) width += 1;
    }
    before = to;
    if (code < LZW.clear) raw[to++] = code;
    else {
      if (code >= next) throw damaged('A strip has a code that was not defined');
      const from = starts[code] ?? 0;
      const end = Math.min(length, to + (lengths[code] ?? 0));
      // Byte by byte: the newest code reaches into what is written by it.
      for (let nth = from; to < end; nth += 1) raw[to++] = raw[nth] ?? 0;
    }
    written = to - before;
  }
  return raw.subarray(0, to);
}
