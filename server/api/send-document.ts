// Documents made for one answer, such as CSV and ZIP: sent while they are made, always to be saved.
import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { localDay } from '#contract/days.ts';
import { type Cell, csvChunks } from '../platform/csv.ts';
import { contentDisposition } from '../platform/http/content-disposition.ts';
import { SAVED_POLICY } from '../platform/http/send-bytes.ts';

export interface MadeDocument {
  readonly contentType:
    | 'text/csv; charset=utf-8'
    | 'application/zip'
    | 'application/pdf'
    | 'application/json; charset=utf-8';
  readonly fileName: string;
  /** A fault in it cuts the connection, so that a part never looks complete. */
  readonly content: Readable;
}

export function sendDocument(reply: FastifyReply, { contentType, fileName, content }: MadeDocument): FastifyReply {
  const headersOnly = reply.request.method === 'HEAD';
  if (headersOnly) content.destroy();
  // Reset, not closed: to a reader without chunks (HTTP/1.0, as some proxies speak it) a closed connection is a complete answer.
  content.once('error', () => {
    if (reply.raw.headersSent) reply.raw.socket?.resetAndDestroy();
  });
  return reply
    .headers({
      'content-type': contentType,
      'content-disposition': contentDisposition('attachment', fileName),
      'cache-control': 'private, no-store',
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
      'content-security-policy': SAVED_POLICY,
    })
    .send(headersOnly ? Readable.from([]) : content);
}

/**
 * Sends a list as a spreadsheet while it is read. The first piece is read before the answer begins: if it cannot be read, the answer is
 * still a refusal.
 */
export async function sendList<Row>(
  reply: FastifyReply,
  { header, cells }: { readonly header: readonly string[]; readonly cells: (row: Row) => readonly Cell[] },
  pieces: AsyncGenerator<readonly Row[]>,
  fileName: string,
): Promise<void> {
  const first = await pieces.next();
  const rows = async function* () {
    if (!first.done) yield first.value.map(cells);
    for await (const piece of pieces) yield piece.map(cells);
  };
  sendDocument(reply, {
    contentType: 'text/csv; charset=utf-8',
    fileName,
    content: Readable.from(csvChunks(header, rows())),
  });
}

/** `files-2026-11-21.csv`: the content and the day it was made where its moments are told. */
export const datedName = (what: string, at: number, timeZone = 'UTC') => `${what}-${localDay(at, timeZone)}.csv`;
