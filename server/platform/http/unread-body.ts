// Bodies that nobody reads: how much of one is read and dropped, and when its connection is closed instead.
import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** No more of the body than this is read. */
const SHORT_REST_BYTES = 512 * 1024;
const SHORT_REST_MS = 15_000;
/** How long the sender of a long body has for reading its answer. */
const LINGER_MS = 2_000;

/** The length of the body; infinite when it is sent in chunks. */
export function announcedBytes(request: FastifyRequest): number {
  if (request.headers['transfer-encoding'] !== undefined) return Number.POSITIVE_INFINITY;
  return Number(request.headers['content-length'] ?? 0);
}

const ended = new WeakSet<IncomingMessage>();

/**
 * For any answer that does not need the body, to be called before that answer is sent; once or twice is the same. A short
 * rest is let pass, so that the connection lives on; a long one is left unread, and the connection closed as soon as the sender
 * had time to read the answer. Without it Node would read an unwanted gigabyte to its end, or hang up before it was answered.
 * `receivedBytes` is what is known to have arrived of this body.
 */
export function endUnreadBody(request: FastifyRequest, reply: FastifyReply, receivedBytes = 0): void {
  const { raw } = request;
  if (raw.readableEnded || raw.destroyed || ended.has(raw)) return;
  ended.add(raw);
  raw.unpipe();
  let leftBytes = SHORT_REST_BYTES;
  raw.on('data', (chunk: Buffer) => {
    leftBytes -= chunk.length;
    if (leftBytes < 0) raw.pause();
  });
  raw.resume();
  const restBytes = announcedBytes(request) - receivedBytes;
  if (raw.complete || restBytes <= 0) return;

  const { socket } = raw;
  const cutAfter = (waitMs: number) => {
    const timer = setTimeout(() => socket.destroy(), waitMs);
    const stay = () => {
      clearTimeout(timer);
      socket.removeListener('close', stay);
    };
    raw.once('end', stay);
    socket.once('close', stay);
  };
  if (restBytes <= SHORT_REST_BYTES) {
    cutAfter(SHORT_REST_MS);
    return;
  }
  reply.header('connection', 'close');
  // Node would close at once, and closing with unread bytes makes the system drop the answer on its way.
  socket.destroySoon = () => {
    socket.end();
    cutAfter(LINGER_MS);
  };
}
