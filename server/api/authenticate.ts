// Who is calling: the token of a request becomes a viewer, or a refusal.
import type {} from '@fastify/cookie';
import type { FastifyRequest } from 'fastify';
import { api, type Endpoint, type EndpointName } from '#contract/api.ts';
import { refuse } from '#contract/errors.ts';
import { mayActBy } from '#contract/policy/credentials.ts';
import type { Viewer } from '../people/access/viewer.ts';
import type { SessionLookup } from '../people/auth/session-lookup.ts';

/** Opens files by GET and HEAD and does nothing else, so that a link or an image can show one. */
export const FILE_COOKIE = 'coffer_files';

/** Tokens are 43 characters; anything much longer is not looked at. */
const TOKEN_MAX = 200;

/** The token of a request's header, where it has one that could be a token. */
export function bearerToken(request: FastifyRequest): string | undefined {
  const header = request.headers.authorization;
  if (header === undefined || header.length > TOKEN_MAX + 7) return undefined;
  return /^Bearer ([A-Za-z0-9_-]+)$/i.exec(header)?.[1];
}

export const OPENS_FILES: ReadonlySet<EndpointName> = new Set([
  'files.open',
  'files.download',
  'files.view',
  'archives.open',
  'batches.open-file',
]);

async function byQueryToken(request: FastifyRequest, sessions: SessionLookup): Promise<Viewer | null> {
  const { view, token } = request.query as { view?: unknown; token?: unknown };
  if (view !== 'true' || typeof token !== 'string' || token.length > TOKEN_MAX) return null;
  const fileId = Number((request.params as { id?: string }).id);
  if (!Number.isSafeInteger(fileId)) return null;
  // HEAD sends none of the file: somebody who checks before they open must not use the ticket up.
  const uses = request.method !== 'HEAD';
  return (await sessions.byViewTicket(token, fileId, { uses })) ?? (await sessions.byToken(token));
}

/**
 * The viewer of a request, or the refusal `unauthenticated`. A bearer token works everywhere; the cookie on the
 * addresses that open a file; `?view=true&token=` with a view ticket or a token on GET /api/files/{id} only.
 */
export async function authenticate(
  request: FastifyRequest,
  endpoint: EndpointName,
  sessions: SessionLookup,
): Promise<Viewer> {
  const token = bearerToken(request);
  let viewer: Viewer | null = null;
  if (token !== undefined) {
    const { action, keepsNothingAlive }: Endpoint = api[endpoint];
    viewer = await sessions.byToken(token, { uses: keepsNothingAlive !== true });
    if (viewer === null && mayActBy('sign-in', action)) viewer = await sessions.byEnrolment(token);
  } else if (OPENS_FILES.has(endpoint)) {
    if (endpoint === 'files.open') viewer = await byQueryToken(request, sessions);
    // Further ranges of a file opened by a ticket are requested at the same address, and come by the cookie alone.
    if (viewer === null) {
      const cookie = request.server.parseCookie(request.headers.cookie ?? '')[FILE_COOKIE];
      if (cookie !== undefined && cookie.length <= TOKEN_MAX) viewer = await sessions.byFileCookie(cookie);
    }
  }
  if (viewer === null) throw refuse('unauthenticated');
  return viewer;
}
