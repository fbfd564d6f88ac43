// Detects what a file is from its bytes; what the sender claims does not count.
import { fileTypeFromBuffer } from 'file-type';
import { encodingOf } from '#contract/text-encoding.ts';

const UNKNOWN = 'application/octet-stream';

/** Text may hold tab, line feed, form feed and carriage return, and no other control character. */
const CONTROL = /[^\P{Cc}\t\n\f\r]/u;
const BEYOND_ASCII = /\P{ASCII}/gu;
/** Letters and digits, and what sets words and cells apart. */
const PLAIN = /[\w\t\n\f\r .,;:|"'=-]/g;
/** Letters and signs beyond ASCII stand among others; in bytes that are no text they stand in a row. */
const IN_A_ROW = /[^\p{ASCII}\p{P}\p{Z}]{3}/u;

/**
 * The content type of a blob of `sizeBytes` that begins with `head` (at most its first 4,100 bytes). The original name
 * decides one thing only: whether plain text is a CSV.
 */
export async function decideContentType(head: Uint8Array, sizeBytes: number, originalName: string): Promise<string> {
  const ascii = Buffer.from(head.subarray(0, 16)).toString('latin1');
  if (ascii.startsWith('%PDF-')) return 'application/pdf';
  const text = textOf(head, sizeBytes);
  return text === undefined ? binaryType(head) : textType(text, originalName);
}

/** The head as text, or undefined when it is not text. Its last character may be cut when the blob goes on. */
function textOf(head: Uint8Array, sizeBytes: number): string | undefined {
  const cut = head.length < sizeBytes;
  const encoding = encodingOf(head, { cut });
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(head, { stream: cut });
    // Windows-1252 has a control character for each byte that it leaves undefined.
    if (CONTROL.test(text)) return undefined;
    if (encoding === 'windows-1252' && IN_A_ROW.test(text)) return undefined;
    return encoding === 'utf-8' || isMostlyPlain(text) ? text : undefined;
  } catch {
    return undefined;
  }
}

/** Almost any bytes could be Windows-1252 or UTF-16: a text in those has few letters beyond ASCII. */
function isMostlyPlain(text: string): boolean {
  const count = (letters: RegExp) => text.match(letters)?.length ?? 0;
  return count(BEYOND_ASCII) * 4 <= text.length && count(PLAIN) * 2 >= text.length;
}

/** Anything that begins like markup is named as markup, so that it is never shown in place. */
function textType(text: string, originalName: string): string {
  const start = text.trimStart().toLowerCase();
  if (start.startsWith('<')) return markupType(start);
  if (start.startsWith('{\\rtf')) return 'application/rtf';
  if (start.startsWith('%!ps')) return 'application/postscript';
  return /\.csv$/i.test(originalName) ? 'text/csv' : 'text/plain';
}

function markupType(start: string): string {
  const afterProlog = start.replace(/^(?:<\?[^>]*>|<!--[\s\S]*?-->|<!doctype svg[^>]*>|\s)+/, '');
  if (/^<svg[\s>/]/.test(afterProlog)) return 'image/svg+xml';
  return start.startsWith('<?xml') ? 'application/xml' : 'text/html';
}

async function binaryType(head: Uint8Array): Promise<string> {
  try {
    const found = await fileTypeFromBuffer(head);
    // To a reader that cannot animate it, an animated PNG is a PNG.
    return found?.mime === 'image/apng' ? 'image/png' : (found?.mime ?? unknownType(head));
  } catch {
    // A head that misleads the detector says nothing.
    return unknownType(head);
  }
}

/** What programs write of a TIFF first is its picture: what it is lies beyond the head. */
const unknownType = (head: Uint8Array) =>
  /^(?:II\*\0|MM\0\*)/.test(Buffer.from(head.subarray(0, 4)).toString('latin1')) ? 'image/tiff' : UNKNOWN;
