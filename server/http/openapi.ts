// The contract as an OpenAPI 3.1 document and as a page to read: both are derived.
import { z } from 'zod';
import { api, type Endpoint } from '#contract/api.ts';
import { type ErrorCode, errorCatalogue } from '#contract/errors.ts';
import { isPublic } from '#contract/policy.ts';
import { describedSchema } from './json-schema.ts';

type Json = Record<string, unknown>;

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

const errorBody: Json = {
  type: 'object',
  required: ['message', 'code', 'requestId'],
  properties: {
    message: { type: 'string' },
    code: { type: 'string', enum: Object.keys(errorCatalogue) },
    requestId: { type: 'string' },
    fields: { type: 'object', additionalProperties: { type: 'string' } },
  },
};

function parametersOf(endpoint: Endpoint): Json[] {
  return (['params', 'query'] as const).flatMap((source) => {
    const schema = endpoint[source];
    if (schema === undefined) return [];
    const described = describedSchema(schema, 'input') as { properties?: Record<string, Json>; required?: string[] };
    return Object.entries(described.properties ?? {}).map(([name, property]) => ({
      name,
      in: source === 'params' ? 'path' : 'query',
      required: source === 'params' || (described.required?.includes(name) ?? false),
      schema: property,
    }));
  });
}

function requestBodyOf(endpoint: Endpoint): Json | undefined {
  if (endpoint.body) {
    return { required: true, content: { 'application/json': { schema: describedSchema(endpoint.body, 'input') } } };
  }
  if (!endpoint.upload) return undefined;
  const fields = describedSchema(endpoint.upload, 'input') as { properties?: Json; required?: string[] };
  const schema = {
    type: 'object',
    properties: { ...fields.properties, file: { type: 'string', format: 'binary' } },
    required: [...(fields.required ?? []), 'file'],
  };
  return { required: true, content: { 'multipart/form-data': { schema } } };
}

function successOf(endpoint: Endpoint): Json {
  switch (endpoint.answer) {
    case 'nothing':
      return { description: 'Done' };
    case 'bytes':
      return {
        description: 'The bytes of the file',
        content: { '*/*': { schema: { type: 'string', format: 'binary' } } },
      };
    case 'document':
      return {
        description: 'A CSV or ZIP, made for this answer',
        content: { '*/*': { schema: { type: 'string', format: 'binary' } } },
      };
    case 'html':
      return { description: 'A page', content: { 'text/html': { schema: { type: 'string' } } } };
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
      const schema = describedSchema(endpoint.output ?? z.unknown(), 'output');
      return { description: 'Success', ...(headers ? { headers } : {}), content: { 'application/json': { schema } } };
    }
  }
}

/** Every error code that `endpoint` may answer. */
export function errorCodesOf(endpoint: Endpoint): ReadonlySet<ErrorCode> {
  const signedIn: ErrorCode[] = isPublic(endpoint.action) ? [] : ['unauthenticated'];
  return new Set([...signedIn, ...endpoint.errors, ...ALWAYS]);
}

function errorsOf(endpoint: Endpoint): [string, Json][] {
  const byStatus = Map.groupBy(errorCodesOf(endpoint), (code) => errorCatalogue[code].status);
  return [...byStatus].map(([status, same]) => [
    String(status),
    {
      description: same.join(', '),
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
    },
  ]);
}

export function openApiDocument(productName: string): Json {
  const paths: Record<string, Json> = {};
  for (const [name, shape] of Object.entries(api)) {
    const endpoint: Endpoint = shape;
    const requestBody = requestBodyOf(endpoint);
    const operations = paths[endpoint.path] ?? {};
    operations[endpoint.method.toLowerCase()] = {
      operationId: name,
      summary: endpoint.summary,
      tags: [name.slice(0, name.indexOf('.'))],
      'x-action': endpoint.action,
      ...(isPublic(endpoint.action) ? { security: [] } : {}),
      parameters: parametersOf(endpoint),
      ...(requestBody ? { requestBody } : {}),
      responses: Object.fromEntries([[String(endpoint.status), successOf(endpoint)], ...errorsOf(endpoint)]),
    };
    paths[endpoint.path] = operations;
  }
  return {
    openapi: '3.1.0',
    info: { title: `${productName} API`, version: '1' },
    security: [{ token: [] }],
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
      schemas: { Error: errorBody },
    },
    paths,
  };
}

const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`);

/** The same as a page without scripts: every call with what it takes and answers. */
export function apiPage(productName: string): string {
  const rows = Object.entries(api).map(([name, shape]) => {
    const endpoint: Endpoint = shape;
    const inputs = [
      ...parametersOf(endpoint).map(({ name: key, in: place }) => `${key} (${place})`),
      ...(endpoint.body ? ['JSON body'] : []),
      ...(endpoint.upload ? ['multipart form'] : []),
    ];
    const cells = [
      endpoint.method,
      endpoint.path,
      endpoint.summary,
      inputs.join(', '),
      [endpoint.status, ...errorsOf(endpoint).map(([status]) => status)].join(' '),
      endpoint.action,
    ];
    return `<tr id="${escapeHtml(name)}">${cells.map((cell) => `<td>${escapeHtml(String(cell))}</td>`).join('')}</tr>`;
  });
  const title = escapeHtml(`${productName} API`);
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title><style>body{font:14px/1.5 system-ui,sans-serif;margin:2rem;color-scheme:light dark}table{border-collapse:collapse}th,td{text-align:left;padding:.35rem .75rem;border-bottom:1px solid #8884;vertical-align:top}td:nth-child(-n+2){font-family:ui-monospace,monospace}</style></head><body><h1>${title}</h1><p>The whole description is at <code>/api/openapi.json</code>.</p><table><thead><tr><th>Method</th><th>Path</th><th>What it does</th><th>Takes</th><th>Answers</th><th>Action</th></tr></thead><tbody>${rows.join('')}</tbody></table></body></html>`;
}
