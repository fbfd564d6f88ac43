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
 * answered and the connection is still open; more than SENT_AHEAD_MAX that wait close it. It is read meanwhile, since nothing else shows that the
 * sender has hung up.
 */
export function answerInOrder(server: Server): void {
  const listeners = server.listeners('request') as ((...exchange: Exchange) => void)[];
  server.removeAllListeners('request');
  const begin = (...exchange: Exchange) => {
    for (const listener of listeners) listener.call(server, ...exchange);
  };
  const lines = new WeakMap<Socket, Line>();

  server.on('request', (request, response) => {
    const { socket } = request;
    const line = lines.get(socket);
    if (line === undefined) {
      lines.set(socket, { current: response, waiting: [] });
      begin(request, response);
      return;
    }
    if (line.waiting.length === 0 && line.current.writableFinished) {
      line.current = response;
      begin(request, response);
      return;
    }
    if (line.waiting.length >= SENT_AHEAD_MAX) {
      socket.destroy();
      return;
    }
    line.waiting.push([request, response]);
    if (line.waiting.length > 1) return;
    const beginNext = () => {
      if (!socket.writable) return;
      const next = line.waiting.shift();
      if (next === undefined) return;
      [, line.current] = next;
      if (line.waiting.length > 0) line.current.once('close', beginNext);
      begin(...next);
    };
    line.current.once('close', beginNext);
  });
}
