// What an image file says of itself before its picture: how large it is and how the camera was held.

export interface ImageHead {
  readonly width: number;
  readonly height: number;
  /** As cameras write it: 1 is upright, from 5 on the picture lies on its side. */
  readonly orientation: number;
}

/** Of a PNG or JPEG, the size as it is looked at; undefined for anything else. */
export function imageHead(image: Uint8Array): ImageHead | undefined {
  const bytes = Buffer.from(image.buffer, image.byteOffset, image.length);
  if (bytes.length >= 24 && bytes.readUInt32BE(0) === 0x89504e47) {
    return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20), orientation: 1 };
  }
  return bytes.length >= 4 && bytes.readUInt16BE(0) === 0xffd8 ? jpegHead(bytes) : undefined;
}

/** The marks of a JPEG that begin a picture, by how it is packed. */
const isFrame = (mark: number) => mark >= 0xc0 && mark <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(mark);
const EXIF = 0xe1;

function jpegHead(bytes: Buffer): ImageHead | undefined {
  let orientation = 1;
  for (let at = 2; at + 9 < bytes.length && bytes[at] === 0xff; at += 2 + bytes.readUInt16BE(at + 2)) {
    const mark = bytes[at + 1] ?? 0;
    if (mark === EXIF) orientation = orientationIn(bytes.subarray(at, at + 2 + bytes.readUInt16BE(at + 2)));
    if (!isFrame(mark)) continue;
    const [height, width] = [bytes.readUInt16BE(at + 5), bytes.readUInt16BE(at + 7)];
    return orientation < 5 ? { width, height, orientation } : { width: height, height: width, orientation };
  }
  return undefined;
}

/** The entry of the camera's notes that says so, in either order of bytes, without what it says. */
const ENTRIES = [Buffer.from('011200030000000100', 'hex'), Buffer.from('1201030001000000', 'hex')];

function orientationIn(notes: Buffer): number {
  for (const entry of ENTRIES) {
    const at = notes.indexOf(entry);
    const value = at === -1 ? 0 : notes[at + entry.length];
    if (value !== undefined && value >= 1 && value <= 8) return value;
  }
  return 1;
}
