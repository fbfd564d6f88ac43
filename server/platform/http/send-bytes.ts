// Sends bytes: the only way a stored file leaves the server, with the headers that keep it harmless in a browser.
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { refuse } from '#contract/errors.ts';
import { INLINE_CONTENT_TYPES } from '#contract/file-kinds.ts';
import type { BlobStore, StoredBlob } from '../blobs/blob-store.ts';
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
    'content-type': sentType(file.contentType),
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
    return reply.headers(headers).send(Readable.from([]));
  }
  const [reading, recording] = await Promise.allSettled([
    blobs.read(file, span === 'whole' ? undefined : span),
    beforeFirstByte?.({ continues: span !== 'whole' && span.start > 0 }),
  ]);
  // Only now: a refusal must not carry the headers of the file.
  if (reading.status === 'rejected') throw reading.reason;
  const bytes = reading.value;
  if (recording.status === 'rejected') {
    if (bytes instanceof Readable) bytes.destroy();
    throw recording.reason;
  }
  reply.headers(headers);
  if (span !== 'whole') reply.code(206).header('content-range', `bytes ${span.start}-${span.end}/${file.sizeBytes}`);
  return reply.send(bytes);
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

/** A type that a browser could run is not sent, not even when the file is only saved. */
function sentType(contentType: string): string {
  if (!INLINE_CONTENT_TYPES.includes(contentType)) return 'application/octet-stream';
  return contentType === 'text/plain' ? 'text/plain; charset=utf-8' : contentType;
}

function oneOf(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header.join(', ') : header;
}
