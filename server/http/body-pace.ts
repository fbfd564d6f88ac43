// How slowly a body may arrive: whoever trickles one must not hold a connection, a staging file or a handler for hours.
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { refuse } from '#contract/errors.ts';

/** At least `minBytes` in every stretch of `windowMs`. */
export interface BodyPace {
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
 * Calls `onTooSlow` once when the body of `raw` arrives more slowly than `pace`, and answers what ends the watch. Time in
 * which the server itself does not read, because its disk is slower than the line, does not count.
 */
export function watchPace(raw: IncomingMessage, pace: BodyPace, onTooSlow: () => void): () => void {
  const { socket } = raw;
  /** What had arrived at the beginning of each step of the present window. */
  let marks = [socket.bytesRead];
  const timer = setInterval(() => {
    if (isNotAwaited(raw)) {
      marks = [socket.bytesRead];
      return;
    }
    const arrivedBytes = socket.bytesRead - (marks[0] ?? 0);
    if (marks.length < STEPS) {
      marks.push(socket.bytesRead);
    } else if (arrivedBytes < pace.minBytes) {
      clearInterval(timer);
      onTooSlow();
    } else {
      marks = [...marks.slice(1), socket.bytesRead];
    }
  }, pace.windowMs / STEPS);
  timer.unref();
  return () => clearInterval(timer);
}

/** Whether a body comes with the request, however long it takes. */
export function hasBody({ headers }: FastifyRequest): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** By its header, because `isMultipart()` knows only once the body's parser has been chosen. */
function isForm({ headers }: FastifyRequest): boolean {
  return /^multipart\//i.test(headers['content-type'] ?? '');
}

/** For `addHook('preParsing', …)`: refuses `too_slow` for every body that is no form; uploads keep their pace themselves. */
export function paceBodies(pace: BodyPace = SLOWEST_BODY) {
  return (
    request: FastifyRequest,
    reply: FastifyReply,
    payload: Readable,
    done: (error: null, payload: Readable) => void,
  ): void => {
    if (hasBody(request) && !isForm(request)) {
      const { raw } = request;
      const end = watchPace(raw, pace, () => {
        // Whoever reads the body takes the fault for its end; destroying it would take the connection with the answer.
        if (reply.sent) raw.socket.destroy();
        else payload.emit('error', refuse('too_slow'));
      });
      // A body that nobody reads may be slow as well.
      payload.on('error', end);
      payload.once('end', end);
      payload.once('close', end);
    }
    done(null, payload);
  };
}
