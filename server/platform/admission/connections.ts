// What one connection may have in flight: its requests are answered one after the other, and none begins once it is closed.
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** As many requests may be sent ahead. More can arrive in one piece, and each takes memory before anybody has looked at it. */
export const SENT_AHEAD_MAX = 100;

type Exchange = readonly [request: IncomingMessage, response: ServerResponse];

interface Line {
  current: ServerResponse;
  readonly waiting: Exchange[];
}

/**
 * To be called once the server's requests have their listener. A sender may write requests without waiting for the answers (RFC 9112,
 * 9.3.2): Node would begin all of them at once, and finish them after the sender has hung up. Here the next begins when the one before is
 * answered and the connection is still open, and not in the same turn of the event loop: however fast the answers are, what came in one
 * piece keeps nobody else waiting. More than SENT_AHEAD_MAX that wait close the connection. It is read meanwhile, since nothing else shows
 * that the sender has hung up.
 */
export function answerInOrder(server: Server): void {
  const listeners = server.listeners('request') as ((...exchange: Exchange) => void)[];
  server.removeAllListeners('request');
  const lines = new WeakMap<Socket, Line>();
  /** The lines of which something began in this turn of the event loop. */
  const begunNow = new Set<Line>();
  const begin = (line: Line, ...exchange: Exchange) => {
    [, line.current] = exchange;
    if (begunNow.size === 0) setImmediate(() => begunNow.clear());
    begunNow.add(line);
    for (const listener of listeners) listener.call(server, ...exchange);
  };
  /** Begins what waits, one after the other, from when the current answer has ended. */
  const beginNext = (line: Line, socket: Socket) =>
    whenAnswered(line.current, () => {
      const next = line.waiting.shift();
      if (next === undefined || !socket.writable) return;
      begin(line, ...next);
      if (line.waiting.length > 0) beginNext(line, socket);
    });

  server.on('request', (request, response) => {
    const { socket } = request;
    const line = lines.get(socket);
    if (line === undefined) {
      const first: Line = { current: response, waiting: [] };
      lines.set(socket, first);
      begin(first, request, response);
      return;
    }
    if (line.waiting.length === 0 && line.current.writableFinished && !begunNow.has(line)) {
      begin(line, request, response);
      return;
    }
    if (line.waiting.length >= SENT_AHEAD_MAX) {
      socket.destroy();
      return;
    }
    line.waiting.push([request, response]);
    if (line.waiting.length === 1) beginNext(line, socket);
  });
}

/** Calls `next` in a later turn of the event loop than the one in which `response` ends. */
function whenAnswered(response: ServerResponse, next: () => void): void {
  if (response.writableFinished) setImmediate(next);
  else response.once('close', () => setImmediate(next));
}
