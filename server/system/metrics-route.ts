// `GET /metrics`, for a monitor on this machine or with a token; for everybody else it is not there.
import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { refuse } from '#contract/errors.ts';
import type { Config } from '../config.ts';
import { isLoopback } from '../platform/loopback.ts';
import type { Metrics } from './metrics.ts';

/** By any of these a proxy says that it passes on what somebody else asked, whether it is trusted or not. */
const FORWARDED = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip'];

/** Whether this machine asks for itself: by the connection's own address, and not as a proxy for somebody. */
function isOfThisMachine({ raw: { socket }, headers }: FastifyRequest): boolean {
  const { remoteAddress: address } = socket;
  if (address === undefined || FORWARDED.some((name) => headers[name] !== undefined)) return false;
  return isLoopback(address);
}

const digest = (text: string) => createHash('sha256').update(text).digest();

export function serveMetrics(
  app: FastifyInstance,
  { metricsToken }: Pick<Config, 'metricsToken'>,
  metrics: Metrics,
): void {
  const wanted = metricsToken === undefined ? null : digest(`Bearer ${metricsToken}`);
  /** Of digests, which are equally long, and in the same time whatever was sent. */
  const showsToken = ({ headers: { authorization = '' } }: FastifyRequest) =>
    wanted !== null && timingSafeEqual(digest(authorization), wanted);

  app.addHook('onClose', async () => metrics.end());
  app.get('/metrics', async (request, reply) => {
    if (!isOfThisMachine(request) && !showsToken(request)) throw refuse('not_found');
    const text = await metrics.text();
    return reply.header('cache-control', 'no-store').type(metrics.samples.registry.contentType).send(text);
  });
}
