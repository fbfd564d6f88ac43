// Mounts the contract: every endpoint once, behind the same door, read and answered the same way.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { api, type Endpoint, type EndpointName } from '#contract/api.ts';
import { refuse } from '#contract/errors.ts';
import { isPublic, mayAttempt } from '#contract/policy.ts';
import type { Page } from '../db/list.ts';
import type { Scopes, Viewer } from '../db/scope.ts';
import { authenticate, type SessionLookup } from './authenticate.ts';
import { serializerSchema } from './json-schema.ts';
import { readInput } from './read-input.ts';
import type { Handler } from './route.ts';

export type AllHandlers = { readonly [Name in EndpointName]: Handler<Name> };

/** A handler as the mount calls it: the types hold it to its endpoint where it is written. */
type AnyHandler = (call: {
  input: unknown;
  request: FastifyRequest;
  reply: FastifyReply;
  viewer?: Viewer;
  read?: unknown;
  change?: unknown;
}) => Promise<unknown>;

declare module 'fastify' {
  interface FastifyRequest {
    viewer: Viewer | null;
  }
}

async function answer(endpoint: Endpoint, result: unknown, reply: FastifyReply): Promise<unknown> {
  switch (endpoint.answer) {
    case 'list': {
      const page = result as Page<unknown>;
      reply.header('x-total-count', page.total);
      return page.rows;
    }
    case 'nothing':
      return reply.status(204).send();
    case 'html':
      return reply.type('text/html; charset=utf-8').send(result);
    case 'bytes':
    case 'document':
      // The handler has sent them.
      return reply;
    case 'value':
      reply.status(endpoint.status);
      return result;
  }
}

export function mount(
  app: FastifyInstance,
  door: { readonly handlers: AllHandlers; readonly sessions: SessionLookup; readonly scopes: Scopes },
): void {
  app.decorateRequest('viewer', null);
  for (const name of Object.keys(api) as EndpointName[]) {
    const endpoint: Endpoint = api[name];
    const handler = door.handlers[name] as AnyHandler;
    const open = isPublic(endpoint.action);
    app.route({
      method: endpoint.answer === 'bytes' ? [endpoint.method, 'HEAD'] : endpoint.method,
      url: endpoint.path.replace('{id}', ':id'),
      exposeHeadRoute: endpoint.answer !== 'bytes',
      config: { endpoint: name },
      ...(endpoint.output ? { schema: { response: { [endpoint.status]: serializerSchema(endpoint.output) } } } : {}),
      // Before the body is read: whoever may not call costs nothing more.
      onRequest: async (request, reply) => {
        reply.header('cache-control', 'no-store');
        if (open) return;
        const viewer = await authenticate(request, name, door.sessions);
        if (!mayAttempt(viewer, endpoint.action)) throw refuse('forbidden');
        request.viewer = viewer;
      },
      handler: async (request, reply) => {
        const input = readInput(endpoint, request);
        const { viewer } = request;
        const result = await handler(
          viewer === null
            ? { input, request, reply }
            : {
                input,
                request,
                reply,
                viewer,
                read: door.scopes.read(viewer),
                change: (work: Parameters<Scopes['change']>[1]) => door.scopes.change(viewer, work),
              },
        );
        return answer(endpoint, result, reply);
      },
    });
  }
}
