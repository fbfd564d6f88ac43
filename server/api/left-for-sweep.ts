// The line in the log where bytes that a request has released could not be removed.
import type { FastifyRequest } from 'fastify';

export const leftForSweep =
  ({ log }: FastifyRequest) =>
  (error: unknown): void =>
    log.warn({ err: error }, 'blob left for the sweep');
