// How the letters of a text are written in its bytes.

/** What stands where UTF-8 cannot be read. */
const LOST = /\uFFFD/g;
const OTHER_THAN_ASCII = /[\u0080-\uFFFC]/g;

const count = (text: string, letters: RegExp) => text.match(letters)?.length ?? 0;

/**
 * UTF-8, also where some of it is damaged, and otherwise what older programs write on Western machines. With `cut` the last character may
 * be cut in two.
 */
export function encodingOf(bytes: Uint8Array, { cut = false } = {}): 'utf-8' | 'windows-1252' {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: cut });
    return 'utf-8';
  } catch {
    const text = new TextDecoder('utf-8').decode(bytes, { stream: cut });
    return count(text, LOST) > count(text, OTHER_THAN_ASCII) ? 'windows-1252' : 'utf-8';
  }
}
