// The versions that a request to change a row names as the ones it read.
import type { FastifyRequest } from 'fastify';
import type { ExpectedVersions } from '../people/access/versions.ts';

/** Null where any version will do: without the header, and for `*`. */
export function expectedVersions({ headers }: Pick<FastifyRequest, 'headers'>): ExpectedVersions {
  const named = headers['if-match']?.split(',').map((tag) => tag.trim().replace(/^(?:W\/)?"(.*)"$/, '$1'));
  return named === undefined || named.includes('*') ? null : named;
}
