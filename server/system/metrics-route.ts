// `GET /metrics`, for a monitor on this machine or with a token; for everybody else it is not there.
import { createHash, timingSafeEqual } from 'node:crypto';
import { BlockList } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { refuse } from '#contract/errors.ts';
import type { Config } from '../config.ts';
import type { Metrics } from './metrics.ts';

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/** By any of these a proxy says that it passes on what somebody else asked, whether it is trusted or not. */
const FORWARDED = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip'];

/** Whether this machine asks for itself: by the connection's own address, and not as a proxy for somebody. */
function isOfThisMachine({ raw: { socket }, headers }: FastifyRequest): boolean {
  const { remoteAddress: address, remoteFamily: family } = socket;
  if (address === undefined || FORWARDED.some((name) => headers[name] !== undefined)) return false;
  return loopback.check(address, family === 'IPv6' ? 'ipv6' : 'ipv4');
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
