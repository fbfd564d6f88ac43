// Where a request comes from, as the log of account events and the list of devices store it.
import type { FastifyRequest } from 'fastify';
import type { Origin } from '../audit/security-events.ts';
import type { Caller } from '../platform/admission/caller.ts';

export function originOf(request: FastifyRequest): Origin & { readonly caller: Caller } {
  // The address is undefined once the caller has hung up.
  return { address: request.ip ?? '', userAgent: request.headers['user-agent'] ?? '', caller: request.raw.socket };
}
