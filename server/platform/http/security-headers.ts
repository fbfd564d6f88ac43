// The headers that every answer carries; files shown in place have a policy of their own.
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import helmet from 'helmet';
import type { Config } from '../../config.ts';

const YEAR_SECONDS = 31_536_000;

/** Browser features that a page could ask for; this product needs none of them. */
const PERMISSIONS_POLICY = 'camera=(), geolocation=(), microphone=(), payment=(), usb=()';

/**
 * The headers as helmet sets them, computed once: they do not depend on the request, and computing them again took
 * a tenth of a small answer's time.
 */
export function securityHeaders(config: Pick<Config, 'publicOrigin'>): Readonly<Record<string, string>> {
  const https = config.publicOrigin?.startsWith('https:') ?? false;
  const set = helmet({
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
    strictTransportSecurity: https ? { maxAge: YEAR_SECONDS, includeSubDomains: true } : false,
    // For browsers older than any that runs the web application.
    xDownloadOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
    // The same as frame-ancestors, and less strict.
    xFrameOptions: false,
  });
  const request = new IncomingMessage(new Socket());
  const response = new ServerResponse(request);
  set(request, response, (error?: unknown) => {
    if (error) throw error;
  });
  const headers = Object.entries(response.getHeaders()).map(([name, value]): [string, string] => [name, String(value)]);
  return { 'permissions-policy': PERMISSIONS_POLICY, ...Object.fromEntries(headers) };
}
