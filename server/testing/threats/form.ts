// Multipart bodies written by hand, so that a test controls every byte of them.

const BOUNDARY = 'written-by-hand';

export const FORM_TYPE = `multipart/form-data; boundary=${BOUNDARY}`;

export interface FormPart {
  readonly name: string;
  /** A part with one is a file. It is on the wire exactly as here. */
  readonly fileName?: string;
  readonly type?: string;
  readonly content: string | number | Uint8Array;
}

/** The parts in their order, closed unless set. */
export function formBody(parts: readonly FormPart[], { closed = true } = {}): Buffer {
  const pieces = parts.flatMap(({ name, fileName, type, content }) => [
    `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"`,
    fileName === undefined ? '' : `; filename="${fileName}"`,
    `${type === undefined ? '' : `\r\nContent-Type: ${type}`}\r\n\r\n`,
    typeof content === 'number' ? String(content) : content,
    '\r\n',
  ]);
  if (closed) pieces.push(`--${BOUNDARY}--\r\n`);
  return Buffer.concat(pieces.map((piece) => Buffer.from(piece as string)));
}

/** The text fields of an upload as parts. */
export function fieldParts(fields: Readonly<Record<string, string | number>>): FormPart[] {
  return Object.entries(fields).map(([name, content]) => ({ name, content }));
}
