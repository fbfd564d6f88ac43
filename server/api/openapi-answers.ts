// What the calls of an OpenAPI document answer: success, and every refusal that may come instead.

import { z } from 'zod';
import { type Endpoint, servesLooks } from '#contract/api.ts';
import { type ErrorCode, errorCatalogue } from '#contract/errors.ts';
import { isPublic, waitsForPasswordChange } from '#contract/policy.ts';
import { ANY_BYTES, type Components, type Json } from './openapi-components.ts';

const ALWAYS: readonly ErrorCode[] = [
  'invalid',
  'too_large',
  'too_slow',
  'unsupported_type',
  'internal',
  'busy',
  'unavailable',
  'storage_full',
];

const fileHeaders: Json = {
  'Content-Disposition': { description: 'The name of the file', schema: { type: 'string' } },
  ETag: { description: 'The SHA-256 of the file', schema: { type: 'string' } },
};

export function successOf(endpoint: Endpoint, components: Components): Record<string, Json> {
  const success = (answer: Json) => ({ [endpoint.status]: answer });
  switch (endpoint.answer) {
    case 'nothing':
      return success({ description: 'Done' });
    case 'bytes': {
      const content = { '*/*': { schema: ANY_BYTES } };
      const range = { description: 'Which bytes of how many', schema: { type: 'string' } };
      return {
        ...success({ description: 'The bytes of the file', headers: fileHeaders, content }),
        206: { description: 'The part asked for', headers: { ...fileHeaders, 'Content-Range': range }, content },
      };
    }
    case 'document': {
      const schema = endpoint.contentType === 'text/csv' ? { type: 'string' } : ANY_BYTES;
      const { 'Content-Disposition': name } = fileHeaders;
      return success({
        description: 'Made for this answer, to be saved',
        headers: { 'Content-Disposition': name },
        content: {
          [endpoint.contentType ?? '*/*']: { schema },
          ...(endpoint.data ? { 'application/json': { schema: components.describe(endpoint.data, 'output') } } : {}),
        },
      });
    }
    case 'events': {
      const message = components.describe(endpoint.message ?? z.unknown(), 'output');
      return success({
        description:
          'Messages `ready`, `change`, `reset` and `used`, each with an `id`; the data of `change` is this JSON, that of the others is empty',
        content: {
          'text/event-stream': {
            schema: { type: 'string', contentMediaType: 'application/json', contentSchema: message },
          },
        },
      });
    }
    case 'html':
      return success({ description: 'A page', content: { 'text/html': { schema: { type: 'string' } } } });
    default: {
      const headers =
        endpoint.answer === 'list'
          ? {
              'X-Total-Count': { description: 'How many rows all pages hold', schema: { type: 'integer' } },
              'X-Total-More': {
                description: 'Sent as "true" where there are more rows than were counted',
                schema: { type: 'string', enum: ['true'] },
              },
            }
          : undefined;
      const schema = components.describe(endpoint.output ?? z.unknown(), 'output');
      return success({
        description: 'Success',
        ...(headers ? { headers } : {}),
        content: { 'application/json': { schema } },
      });
    }
  }
}

/** Every error code that `endpoint` may answer. */
export function errorCodesOf(endpoint: Endpoint): ReadonlySet<ErrorCode> {
  const signedIn: ErrorCode[] = isPublic(endpoint.action) ? [] : ['unauthenticated'];
  const waits: ErrorCode[] = waitsForPasswordChange(endpoint.action) ? ['password_change_required'] : [];
  if (!isPublic(endpoint.action) && !servesLooks(endpoint)) waits.push('look_reads_only');
  return new Set([...signedIn, ...waits, ...endpoint.errors, ...ALWAYS]);
}

export function errorsByStatus(endpoint: Endpoint): [number, ErrorCode[]][] {
  // In the order of the catalogue, so that the same codes are the same answer.
  const codes = errorCodesOf(endpoint);
  const inOrder = (Object.keys(errorCatalogue) as ErrorCode[]).filter((code) => codes.has(code));
  return [...Map.groupBy(inOrder, (code) => errorCatalogue[code].status)];
}
