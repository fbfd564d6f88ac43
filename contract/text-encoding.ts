// How the letters of a text are written in its bytes, judged by those alone: for what a file is, how it is read, shown and sent.

const MARKS = [
  { encoding: 'utf-8', mark: [0xef, 0xbb, 0xbf] },
  { encoding: 'utf-16le', mark: [0xff, 0xfe] },
  { encoding: 'utf-16be', mark: [0xfe, 0xff] },
] as const;

/** What stands where UTF-8 cannot be read. */
const LOST = 0xfffd;

interface Judged {
  /** The last character may be cut in two. */
  readonly cut?: boolean;
}

/**
 * What a mark at the beginning says; without one UTF-8, also where some of it is damaged, and otherwise what older programs write on
 * Western machines.
 */
export function encodingOf(
  bytes: Uint8Array,
  { cut = false }: Judged = {},
): 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252' {
  const marked = MARKS.find(({ mark }) => mark.every((byte, index) => bytes[index] === byte));
  if (marked !== undefined) return marked.encoding;
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: cut });
    return 'utf-8';
  } catch {
    return isMostlyLost(new TextDecoder('utf-8').decode(bytes, { stream: cut })) ? 'windows-1252' : 'utf-8';
  }
}

/** Counted letter by letter: a list of them takes more memory than the text. */
function isMostlyLost(text: string): boolean {
  let lost = 0;
  let kept = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === LOST) lost += 1;
    else if (code > 0x7f) kept += 1;
  }
  return lost > kept;
}

/** The text, without its mark. */
export function decodeText(bytes: Uint8Array, { cut = false }: Judged = {}): string {
  return new TextDecoder(encodingOf(bytes, { cut })).decode(bytes, { stream: cut });
}
