// How the server leaves: readers are sent to the other processes first, what was begun ends whole, and no connection is kept.
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Clock } from '../clock.ts';
import { isRead } from './reads.ts';

/** A connection on which nothing has come in this time is not about to ask something. */
const SILENT_MS = 1_000;

/** Node's own note of the answer that a connection is busy with. */
type Connection = Socket & { readonly _httpMessage?: ServerResponse | null };

/**
 * What `app.close()` does to connections. For `drainMs` it still listens: reads are turned away without an answer, by which a proxy
 * learns to ask the other processes; whatever changes something is served, because nobody may repeat it. Only then, when the proxy
 * sends nothing any more, no new connection is taken.
 */
export function leaveInOrder(app: FastifyInstance, drainMs: number, clock: Clock): void {
  const { server } = app;
  const connections = new Set<Connection>();
  const closeIdle = server.closeIdleConnections.bind(server);
  let state: 'serving' | 'draining' | 'ending' = 'serving';

  /** Node takes an answer that was written, but not sent yet, for sent: it would be cut here. */
  function closeIdleConnections(): void {
    for (const { _httpMessage: answer } of connections) {
      if (answer?.writableEnded && !answer.writableFinished) return void answer.once('close', closeIdleConnections);
    }
    closeIdle();
  }
  server.closeIdleConnections = closeIdleConnections;

  server.on('connection', (socket: Connection) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  });

  app.addHook('onRequest', (request, reply, done) => {
    if (state !== 'draining' || !isRead(request)) return done();
    reply.hijack();
    request.raw.socket.destroy();
  });

  // Node closes idle connections once; those that had an answer to come would be kept for their next request.
  app.addHook('onResponse', (_request, _reply, done) => {
    if (state === 'ending') setImmediate(closeIdleConnections);
    done();
  });

  app.addHook('preClose', async () => {
    if (drainMs > 0) {
      state = 'draining';
      // Idle connections stay: the proxy may be about to write on one. It is told to close each with its next answer.
      await new Promise<void>((resolve) => clock.after(drainMs, resolve, { ref: true }));
    }
    state = 'ending';
    const silent = [...connections].filter((socket) => socket.bytesRead === 0);
    clock.after(SILENT_MS, () => {
      for (const socket of silent) if (socket.bytesRead === 0) socket.destroy();
    });
  });
}
