// Liveness and readiness, for a supervisor. Neither reveals anything else.
import type { FastifyInstance } from 'fastify';
import { refuse } from '#contract/errors.ts';

/** However often it is called, the stores are checked once in this time. */
const REMEMBER_MS = 1_000;

/** `hasStarted`: whether the start is whole; before that nobody is to be sent here. `check` rejects where a store does not answer. */
export function serveHealth(app: FastifyInstance, check: () => Promise<void>, hasStarted: () => boolean): void {
  let asked: { at: number; answer: Promise<boolean> } | undefined;

  function isReady(): Promise<boolean> {
    const at = performance.now();
    if (asked === undefined || at - asked.at > REMEMBER_MS) {
      const answer = check().then(
        () => true,
        (error) => {
          app.log.error({ err: error }, 'not ready');
          return false;
        },
      );
      asked = { at, answer };
    }
    return asked.answer;
  }

  app.get('/healthz', async (_request, reply) => reply.header('cache-control', 'no-store').send({ status: 'ok' }));
  app.get('/readyz', async (_request, reply) => {
    if (!hasStarted() || !(await isReady())) throw refuse('unavailable');
    return reply.header('cache-control', 'no-store').send({ status: 'ok' });
  });
}
