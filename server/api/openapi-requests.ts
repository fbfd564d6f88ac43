// What the calls of an OpenAPI document take: parameters, headers and bodies.

import type { Endpoint } from '#contract/api.ts';
import { LAST_EVENT_ID_MAX } from '#contract/changes.ts';
import { ANY_BYTES, type Components, type Json, propertiesOf } from './openapi-components.ts';

const header = (name: string, description: string, schema: Json): Json => ({
  name,
  in: 'header',
  required: false,
  description,
  schema,
});

const keyHeaders: readonly Json[] = [
  header('Idempotency-Key', 'What is sent again with the same key is stored once.', {
    type: 'string',
    minLength: 1,
    maxLength: 200,
  }),
];

const uploadHeaders: readonly Json[] = [
  header('X-Content-SHA256', 'What the file is to be; one that arrives otherwise is refused.', {
    type: 'string',
    pattern: '^[0-9a-fA-F]{64}$',
  }),
];

const versionHeaders: readonly Json[] = [
  header('If-Match', 'The version of the row that is changed; where it has another one by now, nothing is changed.', {
    type: 'string',
    maxLength: 200,
  }),
];

const eventHeaders: readonly Json[] = [
  header('Last-Event-ID', 'The `id` of the last message that arrived: what has changed since is sent first.', {
    type: 'string',
    maxLength: LAST_EVENT_ID_MAX,
  }),
];

const rangeHeaders: readonly Json[] = [
  header('Range', 'A part of the file, such as `bytes=0-1023`.', { type: 'string' }),
  header('If-Range', 'The ETag of the parts that are there; where it is another one, the whole file is sent.', {
    type: 'string',
  }),
];

export function parametersOf(endpoint: Endpoint): Json[] {
  const fields = (['params', 'query'] as const).flatMap((source) => {
    const schema = endpoint[source];
    if (schema === undefined) return [];
    return propertiesOf(schema).map(([name, property, required]) => ({
      name,
      in: source === 'params' ? 'path' : 'query',
      required: source === 'params' || required,
      schema: property,
    }));
  });
  return [
    ...fields,
    ...(endpoint.doneOnce ? keyHeaders : []),
    ...(endpoint.upload ? uploadHeaders : []),
    ...(endpoint.matchesVersion ? versionHeaders : []),
    ...(endpoint.answer === 'bytes' ? rangeHeaders : []),
    ...(endpoint.answer === 'events' ? eventHeaders : []),
  ];
}

export function requestBodyOf(endpoint: Endpoint, components: Components): Json | undefined {
  if (endpoint.body) {
    const schema = components.describe(endpoint.body, 'input');
    return { required: endpoint.bodyMayBeAbsent !== true, content: { 'application/json': { schema } } };
  }
  if (!endpoint.upload) return undefined;
  const fields = propertiesOf(endpoint.upload);
  const schema = {
    type: 'object',
    properties: { ...Object.fromEntries(fields), file: ANY_BYTES },
    required: [...fields.flatMap(([name, _property, required]) => (required ? [name] : [])), 'file'],
    additionalProperties: false,
  };
  return { required: true, content: { 'multipart/form-data': { schema } } };
}
