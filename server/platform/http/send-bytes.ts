// Sends bytes: the only way a stored file leaves the server, with the headers that keep it harmless in a browser.
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { refuse } from '#contract/errors.ts';
import { INLINE_CONTENT_TYPES } from '#contract/file-kinds.ts';
import { encodingOf } from '#contract/text-encoding.ts';
import { type BlobStore, type StoredBlob, WHOLE_READ_BYTES } from '../blobs/blob-store.ts';
import { chooseSpan } from './byte-range.ts';
import { contentDisposition, type Disposition } from './content-disposition.ts';

export interface StoredFile extends StoredBlob {
  readonly contentType: string;
  readonly originalName: string;
}

export interface SendBytesOptions {
  readonly blobs: BlobStore;
  /** A file this viewer may read: the query that found the row decided that. */
  readonly file: StoredFile;
  readonly disposition: Disposition;
  /**
   * Runs while the file is read; nothing is sent before it resolves or when it rejects. Concurrently, because accesses that begin
   * together are then recorded together: the log may hold an access whose bytes proved damaged, never the other way round.
   * `continues`: what is sent begins later in the file, and may continue an access that is already in the log.
   */
  readonly beforeFirstByte?: (sent: { readonly continues: boolean }) => Promise<void>;
}

/**
 * Answers GET with the file or one range of it, and HEAD with its headers. Refuses `integrity` before the first byte when the
 * blob is missing or not what was stored, and `range_not_satisfiable`. A fault found later cuts the connection, so that a
 * part never looks complete.
 */
export async function sendBytes(
  request: FastifyRequest,
  reply: FastifyReply,
  { blobs, file, disposition, beforeFirstByte }: SendBytesOptions,
): Promise<FastifyReply> {
  const etag = `"${file.sha256}"`;
  const ranged = request.method === 'GET' && [undefined, etag].includes(oneOf(request.headers['if-range']));
  const span = ranged ? chooseSpan(request.headers.range, file.sizeBytes) : 'whole';
  if (span === 'outside') {
    reply.header('content-range', `bytes */${file.sizeBytes}`);
    throw refuse('range_not_satisfiable');
  }

  const shown = disposition === 'inline' && INLINE_CONTENT_TYPES.includes(file.contentType);
  const headers = {
    'content-disposition': contentDisposition(shown ? 'inline' : 'attachment', file.originalName),
    'content-length': span === 'whole' ? file.sizeBytes : span.end - span.start + 1,
    'accept-ranges': 'bytes',
    etag,
    'cache-control': 'private, no-store',
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'same-origin',
    'content-security-policy': shown ? shownPolicy(file.contentType) : SAVED_POLICY,
  };

  if (request.method === 'HEAD') {
    await blobs.verify(file);
    // An empty stream, because Fastify counts the length of any other payload over ours.
    return reply.headers({ ...headers, 'content-type': await sentType(blobs, file) }).send(Readable.from([]));
  }
  const opened = blobs.read(file, span === 'whole' ? undefined : span);
  const [reading, recording, typing] = await Promise.allSettled([
    opened,
    beforeFirstByte?.({ continues: span !== 'whole' && span.start > 0 }),
    opened.then((bytes) => sentType(blobs, file, span === 'whole' ? bytes : undefined)),
  ]);
  // Only now: a refusal must not carry the headers of the file.
  if (reading.status === 'rejected') throw reading.reason;
  const bytes = reading.value;
  if (recording.status === 'rejected') throw left(bytes, recording.reason);
  if (typing.status === 'rejected') throw left(bytes, typing.reason);
  reply.headers({ ...headers, 'content-type': typing.value });
  if (span !== 'whole') reply.code(206).header('content-range', `bytes ${span.start}-${span.end}/${file.sizeBytes}`);
  return reply.send(bytes);
}

/** Closes what is not sent, and answers why. */
function left(bytes: Buffer | Readable, reason: unknown): unknown {
  if (bytes instanceof Readable) bytes.destroy();
  return reason;
}

/** For what is only ever saved. */
export const SAVED_POLICY = "default-src 'none'; sandbox";
/** Browsers lay an image out with inline styles of their own. */
const SHOWN_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'; sandbox";
/** No sandbox: several browsers refuse their PDF viewer, itself a plug-in, to a sandboxed page. */
const SHOWN_PDF_POLICY = "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'self'";

function shownPolicy(contentType: string): string {
  return contentType === 'application/pdf' ? SHOWN_PDF_POLICY : SHOWN_POLICY;
}

/** A type that a browser could run is not sent, not even when the file is only saved. `whole`: the file, where it is open already. */
async function sentType(blobs: BlobStore, file: StoredFile, whole?: Buffer | Readable): Promise<string> {
  const { contentType, sizeBytes } = file;
  if (!INLINE_CONTENT_TYPES.includes(contentType)) return 'application/octet-stream';
  if (contentType !== 'text/plain') return contentType;
  const beginning = Buffer.isBuffer(whole) ? whole : await beginningOf(blobs, file);
  return `text/plain; charset=${encodingOf(beginning, { cut: beginning.length < sizeBytes })}`;
}

/** As much of a file as is read at once. */
async function beginningOf(blobs: BlobStore, file: StoredFile): Promise<Buffer> {
  if (file.sizeBytes === 0) return Buffer.alloc(0);
  const bytes = await blobs.read(file, { start: 0, end: Math.min(file.sizeBytes, WHOLE_READ_BYTES) - 1 });
  return bytes as Buffer;
}

function oneOf(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header.join(', ') : header;
}
