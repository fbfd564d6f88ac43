// Watches the refusals that leave a test's server: each must be declared in the contract, where the OpenAPI document reads them.
import diagnostics from 'node:diagnostics_channel';
import type { FastifyInstance } from 'fastify';
import { api } from '#contract/api.ts';
import type { ErrorBody } from '#contract/errors.ts';
import { errorCodesOf } from '../api/openapi-answers.ts';

/** Builds an application by `build`; `undeclared` then lists `endpoint: code` of each refusal that its endpoint does not declare. */
export async function watchErrors<App>(
  build: () => Promise<App>,
): Promise<{ app: App; undeclared: ReadonlySet<string> }> {
  const undeclared = new Set<string>();
  const watch = (message: unknown) => {
    const { fastify } = message as { fastify: FastifyInstance };
    fastify.addHook('onSend', async (request, reply, payload) => {
      const { endpoint } = request.routeOptions.config;
      if (endpoint === undefined || reply.statusCode < 400 || typeof payload !== 'string') return;
      const { code } = JSON.parse(payload) as ErrorBody;
      if (!errorCodesOf(api[endpoint]).has(code)) undeclared.add(`${endpoint}: ${code}`);
    });
  };
  diagnostics.subscribe('fastify.initialization', watch);
  try {
    return { app: await build(), undeclared };
  } finally {
    diagnostics.unsubscribe('fastify.initialization', watch);
  }
}
