// Detects what a file is from its bytes; what the sender claims does not count.
import { fileTypeFromBuffer } from 'file-type';

const UNKNOWN = 'application/octet-stream';

/** Text may hold tab, line feed, form feed and carriage return, and no other control character. */
const CONTROL = /[^\P{Cc}\t\n\f\r]/u;

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
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: head.length < sizeBytes });
    return CONTROL.test(text) ? undefined : text;
  } catch {
    return undefined;
  }
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
