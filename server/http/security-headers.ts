// The headers every answer carries, whatever it answers; files in place bring a policy of their own.
import type { FastifyHelmetOptions } from '@fastify/helmet';
import type { Config } from '../config.ts';

const YEAR_SECONDS = 31_536_000;

export function securityHeaders(config: Pick<Config, 'publicOrigin'>): FastifyHelmetOptions {
  const https = config.publicOrigin?.startsWith('https:') ?? false;
  return {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        // Mantine sets its variables in a style element.
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:', 'blob:'],
        connectSrc: ["'self'"],
        fontSrc: ["'self'"],
        workerSrc: ["'self'"],
        formAction: ["'self'"],
        baseUri: ["'none'"],
        frameAncestors: ["'none'"],
      },
    },
    crossOriginOpenerPolicy: { policy: 'same-origin' },
    crossOriginResourcePolicy: { policy: 'same-origin' },
    referrerPolicy: { policy: 'no-referrer' },
    hsts: https ? { maxAge: YEAR_SECONDS, includeSubDomains: true } : false,
  };
}
