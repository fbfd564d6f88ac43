// How slowly a body may arrive: a slow sender must not hold a connection, a staging file or a handler for hours.
import { EventEmitter } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { refuse } from '#contract/errors.ts';
import type { Clock } from '../clock.ts';
import { announcedBytes, endUnreadBody } from './unread-body.ts';

/** At least `minBytes` in every stretch of `windowMs`. */
interface BodyPace {
  readonly windowMs: number;
  readonly minBytes: number;
}

/** 8 KiB a second, over half a minute. */
export const SLOWEST_BODY: BodyPace = { windowMs: 30_000, minBytes: 30 * 8 * 1024 };

/** In how many steps the window moves on. */
const STEPS = 6;

/** Bytes of it wait to be read, so that it is we who are slow, or it is all here. */
function isNotAwaited(raw: IncomingMessage): boolean {
  return raw.isPaused() || raw.readableLength > 0 || raw.complete || raw.destroyed;
}

/**
 * Counts what comes out of the HTTP parser: the socket's own count would include the extensions of empty chunks, which can go
 * on for ever, for a body.
 */
function countPayload(raw: IncomingMessage): { bytes(): number; end(): void } {
  let bytes = 0;
  const count = (chunk: Buffer) => {
    bytes += chunk.length;
  };
  // Not `raw.on`, which would start the body flowing before its reader is there.
  EventEmitter.prototype.on.call(raw, 'data', count);
  return { bytes: () => bytes, end: () => raw.removeListener('data', count) };
}

/**
 * Calls `onTooSlow` once when the body of `raw` arrives more slowly than `pace`, and returns what ends the watch. Time in
 * which the server itself does not read, because its disk is slower than the line, does not count.
 */
export function watchPace(raw: IncomingMessage, pace: BodyPace, clock: Clock, onTooSlow: () => void): () => void {
  const payload = countPayload(raw);
  /** What had arrived at the start of each step of the current window. */
  let marks = [0];
  const end = () => {
    stop();
    payload.end();
  };
  const stop = clock.every(pace.windowMs / STEPS, () => {
    const arrived = payload.bytes();
    if (isNotAwaited(raw)) {
      marks = [arrived];
    } else if (marks.length < STEPS) {
      marks.push(arrived);
    } else if (arrived - (marks[0] ?? 0) < pace.minBytes) {
      end();
      onTooSlow();
    } else {
      marks = [...marks.slice(1), arrived];
    }
  });
  return end;
}

/** Whether a body comes with the request, however long it takes. */
export const hasBody = (request: FastifyRequest): boolean => announcedBytes(request) > 0;

/** Fastify reads no body of these; Node would read it to its end once the answer is sent. */
const READS_NONE: ReadonlySet<string> = new Set(['GET', 'HEAD', 'TRACE']);

/** A form where forms are accepted, by its header, because `isMultipart()` knows only once the body's parser has been chosen. */
function isAwaitedForm({ headers, server }: FastifyRequest): boolean {
  return /^multipart\//i.test(headers['content-type'] ?? '') && server.hasContentTypeParser('multipart/form-data');
}

/**
 * For `addHook('preParsing', …)`: refuses `too_slow` for every body that is no upload and has not arrived whole `wholeMs`
 * after its headers, whatever its pace: rights were checked before it. Uploads check their pace themselves. Refuses `busy` where the
 * sender has hung up meanwhile.
 */
export function limitBodies(wholeMs: number, clock: Clock) {
  return (
    request: FastifyRequest,
    reply: FastifyReply,
    payload: Readable,
    done: (error: Error | null, payload?: Readable) => void,
  ): void => {
    const { raw } = request;
    const { socket } = raw;
    if (hasBody(request) && socket.destroyed) {
      // Nothing more would come of the body, and nobody would say so.
      done(refuse('busy'));
      return;
    }
    if (hasBody(request) && !isAwaitedForm(request)) {
      const isUnread = READS_NONE.has(request.method);
      if (isUnread) endUnreadBody(request, reply);
      const stop = clock.after(wholeMs, () => {
        // The reader treats the fault as the body's end; destroying it would take the connection with the answer.
        if (isUnread || reply.sent) socket.destroy();
        else payload.emit('error', refuse('too_slow'));
      });
      const end = () => {
        stop();
        socket.removeListener('close', end);
      };
      payload.on('error', end);
      payload.once('end', end);
      payload.once('close', end);
      // Node tells the rest of a request that is answered already nothing of its connection's end.
      socket.once('close', end);
    }
    done(null, payload);
  };
}
