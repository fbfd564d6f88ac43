// The firm's logo, for whoever opens the sign-in page: public, and kept by browsers until it is another one.

import type { FastifyInstance } from 'fastify';
import { refuse } from '#contract/errors.ts';
import type { FirmFace } from '../../people/access/firm-settings.ts';

/** `/firm-logo.png?v={id}`: under its id it never changes. */
export function serveFirmLogo(app: FastifyInstance, { face }: { readonly face: FirmFace }): void {
  app.get('/firm-logo.png', async (request, reply) => {
    const logo = await face.logo();
    if (logo === null) throw refuse('not_found');
    const etag = `"${logo.id}"`;
    const isNamed = (request.query as { readonly v?: unknown }).v === logo.id;
    reply
      .header('cache-control', isNamed ? 'public, max-age=31536000, immutable' : 'public, no-cache')
      .header('etag', etag);
    if (request.headers['if-none-match']?.split(/\s*,\s*/).includes(etag)) return reply.status(304).send();
    return reply.type('image/png').send(logo.png);
  });
}
