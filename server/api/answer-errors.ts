// Turns anything thrown into the one form of error answer, and logs server faults.
import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { type ErrorBody, type ErrorCode, Refusal, refuse } from '#contract/errors.ts';
import { isDatabaseAway, isDatabaseFull } from '../platform/db/violations.ts';
import { endUnreadBody } from '../platform/http/unread-body.ts';

/** What Fastify and its plugins refuse by themselves, as our error codes. */
const byStatus: Record<
  number,
  Exclude<ErrorCode, 'role_in_use' | 'report_type_in_use' | 'file_too_large' | 'locked_out'>
> = {
  400: 'invalid',
  401: 'unauthenticated',
  403: 'forbidden',
  404: 'not_found',
  406: 'invalid',
  408: 'too_slow',
  413: 'too_large',
  414: 'too_large',
  415: 'unsupported_type',
  416: 'range_not_satisfiable',
  429: 'too_many',
  431: 'headers_too_large',
  503: 'busy',
};

const BROKEN_JSON = ['FST_ERR_CTP_INVALID_JSON_BODY', 'FST_ERR_CTP_EMPTY_JSON_BODY'];

/** Nothing may be served that is not in the log, so that this is met by who only opens a file, too. */
const DATABASE_FULL = 'The server has no space left, so this could not be done. Please contact support.';

function toRefusal(error: FastifyError | Error, { raw }: FastifyRequest): Refusal {
  if (error instanceof Refusal) return error;
  // The body broke off. Its code, ECONNRESET, is that of a lost database as well.
  if (error === raw.errored) return refuse('invalid');
  if (isDatabaseAway(error)) return refuse('unavailable');
  if (isDatabaseFull(error)) return new Refusal('storage_full', DATABASE_FULL);
  if ('code' in error && BROKEN_JSON.includes(error.code)) {
    return new Refusal('invalid', 'The body is not valid JSON.');
  }
  const status = 'statusCode' in error ? error.statusCode : undefined;
  const code = status === undefined ? undefined : byStatus[status];
  return refuse(code ?? 'internal');
}

/** Sends `{message, code, requestId, fields?, namedClient?}` for anything a handler, a hook or the framework threw. */
export function answerError(error: FastifyError | Error, request: FastifyRequest, reply: FastifyReply): void {
  endUnreadBody(request, reply);
  const refusal = toRefusal(error, request);
  request.refusedAs = refusal.code;
  if (refusal.status >= 500 && !(error instanceof Refusal && refusal.code === 'busy')) {
    request.log.error({ err: error, code: refusal.code }, 'request failed');
  }
  if (refusal.retryAfterSeconds !== undefined) reply.header('retry-after', refusal.retryAfterSeconds);
  const body: ErrorBody = { message: refusal.message, code: refusal.code, requestId: request.id };
  if (refusal.fields) body.fields = refusal.fields;
  if (refusal.namedClient) body.namedClient = refusal.namedClient;
  reply.status(refusal.status).header('cache-control', 'no-store').send(body);
}

/** What Node could not parse as HTTP, by its code. */
const unreadableCodes: Record<string, 'headers_too_large' | 'too_slow'> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'too_slow',
};

/** For `clientErrorHandler`: a malformed request gets the same answer as any other, with the same headers. */
export function answerUnreadable(headers: Readonly<Record<string, string>>) {
  return (error: Error & { code?: string }, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || socket.destroyed) return;
    const { status, code, message } = refuse(unreadableCodes[error.code ?? ''] ?? 'invalid');
    const body = JSON.stringify({ message, code, requestId: randomUUID() } satisfies ErrorBody);
    const lines = Object.entries({
      ...headers,
      'cache-control': 'no-store',
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
      connection: 'close',
    }).map(([name, value]) => `${name}: ${value}`);
    if (socket.writable) {
      socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('\r\n')}\r\n\r\n${body}`);
    }
    socket.destroy(error);
  };
}
