// The contract as an OpenAPI 3.1 document and as a page to read: both are derived.
import { z } from 'zod';
import { api, type Endpoint, type EndpointName, servesLooks } from '#contract/api.ts';
import { LAST_EVENT_ID_MAX } from '#contract/changes.ts';
import { type ErrorCode, errorCatalogue } from '#contract/errors.ts';
import { isPublic, waitsForPasswordChange } from '#contract/policy.ts';
import { FILE_COOKIE, OPENS_FILES } from './authenticate.ts';
import { describedSchema } from './json-schema.ts';
import { examples } from './openapi-examples.ts';
import { shapes } from './openapi-shapes.ts';

type Json = Record<string, unknown>;

type NounOf<Name extends string> = Name extends `${infer Noun}.${string}` ? Noun : never;
type Noun = NounOf<EndpointName>;

/** What the calls of a noun are about. */
const nouns: Record<Noun, string> = {
  session: 'Signing in and out, one’s own password and devices',
  factors: 'One’s own second factors, with SAFEGUARDS=on',
  users: 'People who sign in, and their access lists',
  roles: 'Roles',
  permissions: 'What roles may do, and who reaches what',
  clients: 'Client companies',
  'report-types': 'The kinds of report a firm files under',
  files: 'Reports and company documents',
  archives: 'ZIPs of many files, prepared in the background for oneself',
  batches: 'Files dropped together: separated into documents, matched to clients, reviewed, released and recalled',
  suggestions: 'Words that reviewers had remembered for their own batches, until they are the firm’s or declined',
  'firm-settings': 'What the firm has decided for everybody',
  completeness: 'What is expected of clients, and what of it is delivered, late or missing',
  holds: 'What is neither deleted nor purged nor replaced until its hold is lifted',
  requests: 'What staff ask clients for, item by item, what was sent for it, and whether that was accepted',
  retention: 'How long files are kept, which are due, and certificates of what was disposed of',
  trash: 'Deleted files and clients that can be restored',
  activity: 'The log of uploads, views, downloads and deletions',
  overview: 'Totals and the latest activity',
  changes: 'What changes, while it changes',
  jobs: 'Work in the background',
  mail: 'Mails that the portal sends',
  digests: 'What people hear of by mail',
  unopened: 'Reports that nobody has opened',
  system: 'How the portal itself fares',
  docs: 'This description',
};

const nounOf = (name: EndpointName) => name.slice(0, name.indexOf('.')) as Noun;

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
  description: 'Every refusal and every fault.',
  required: ['message', 'code', 'requestId'],
  properties: {
    message: { type: 'string', description: 'A sentence for people.' },
    code: { type: 'string', enum: Object.keys(errorCatalogue), description: 'For programs.' },
    requestId: { type: 'string', description: 'Names the request in the log of the server.' },
    fields: {
      type: 'object',
      additionalProperties: { type: 'string' },
      description: 'What is wrong with each field, by its path, such as `clientIds.2`.',
    },
    namedClient: {
      type: 'object',
      required: ['id', 'name'],
      properties: { id: { type: 'integer' }, name: { type: 'string' } },
      description: 'Of `names_another_client`: the client that is named, where it is one and within reach.',
    },
  },
  examples: [
    {
      message: errorCatalogue.invalid.sentence,
      code: 'invalid',
      requestId: 'req-1a',
      fields: { name: 'Name must be at least 2 characters' },
    },
  ],
};

const ANY_BYTES: Json = { contentMediaType: 'application/octet-stream' };

const idsByShape = z.registry<{ id: string }>();
for (const [id, shape] of shapes) idsByShape.add(shape, { id });

/** References to shapes, and the shapes that they lead to. */
class Components {
  readonly schemas: Record<string, Json> = { Error: errorBody };
  readonly responses: Record<string, Json> = {};

  /** The schema of what a caller sends or gets; what has a name is referred to by it. */
  describe(schema: z.ZodType, io: 'input' | 'output'): Json {
    const described = describedSchema(schema, io, idsByShape);
    for (const [name, shape] of Object.entries(described.shapes)) {
      const example = (examples as Record<string, unknown>)[name];
      const whole = { ...this.#refer(shape), ...(example === undefined ? {} : { examples: [example] }) };
      const known = this.schemas[name];
      if (known !== undefined && JSON.stringify(known) !== JSON.stringify(whole)) {
        throw new Error(`${name} is sent and answered in different forms: it needs a name for each`);
      }
      this.schemas[name] = whole;
    }
    return this.#refer(described.schema);
  }

  /** The answer that says one of `codes`, by reference. */
  refusal(status: number, codes: readonly ErrorCode[]): Json {
    const name = codes.join('.');
    this.responses[name] ??= {
      description: codes.map((code) => `\`${code}\``).join(', '),
      ...(status === 429 || status === 503
        ? { headers: { 'Retry-After': { description: 'Seconds to wait', schema: { type: 'integer' } } } }
        : {}),
      content: {
        'application/json': {
          schema: {
            allOf: [
              { $ref: '#/components/schemas/Error' },
              { type: 'object', required: ['code'], properties: { code: { type: 'string', enum: codes } } },
            ],
          },
        },
      },
    };
    return { $ref: `#/components/responses/${name}` };
  }

  #refer(schema: Json): Json {
    return JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/$defs/', '"$ref":"#/components/schemas/')) as Json;
  }
}

/** The properties of an object that is described in its place, whether it has a name or not. */
function propertiesOf(schema: z.ZodType): [name: string, property: Json, required: boolean][] {
  const { properties = {}, required = [] } = describedSchema(schema, 'input').schema as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, property]) => [name, property, required.includes(name)]);
}

const header = (name: string, description: string, schema: Json): Json => ({
  name,
  in: 'header',
  required: false,
  description,
  schema,
});

const uploadHeaders: readonly Json[] = [
  header('Idempotency-Key', 'An upload that is sent again with the same key is stored once.', {
    type: 'string',
    minLength: 1,
    maxLength: 200,
  }),
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

function parametersOf(endpoint: Endpoint): Json[] {
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
    ...(endpoint.upload ? uploadHeaders : []),
    ...(endpoint.matchesVersion ? versionHeaders : []),
    ...(endpoint.answer === 'bytes' ? rangeHeaders : []),
    ...(endpoint.answer === 'events' ? eventHeaders : []),
  ];
}

function requestBodyOf(endpoint: Endpoint, components: Components): Json | undefined {
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

const fileHeaders: Json = {
  'Content-Disposition': { description: 'The name of the file', schema: { type: 'string' } },
  ETag: { description: 'The SHA-256 of the file', schema: { type: 'string' } },
};

function successOf(endpoint: Endpoint, components: Components): Record<string, Json> {
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
          'Messages `ready`, `change` and `reset`, each with an `id`; the data of `change` is this JSON, that of the others is empty',
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

function errorsByStatus(endpoint: Endpoint): [number, ErrorCode[]][] {
  // In the order of the catalogue, so that the same codes are the same answer.
  const codes = errorCodesOf(endpoint);
  const inOrder = (Object.keys(errorCatalogue) as ErrorCode[]).filter((code) => codes.has(code));
  return [...Map.groupBy(inOrder, (code) => errorCatalogue[code].status)];
}

const securitySchemes = {
  token: { type: 'http', scheme: 'bearer', description: 'The token that a sign-in answers.' },
  fileCookie: {
    type: 'apiKey',
    in: 'cookie',
    name: FILE_COOKIE,
    description: 'Set by a sign-in; opens files by GET and does nothing else.',
  },
  fileTicket: {
    type: 'apiKey',
    in: 'query',
    name: 'token',
    description: 'A ticket for one file, or a token, together with `view=true`.',
  },
} as const satisfies Record<string, Json>;

/** How a call is let in, where that is not by a token alone. */
function securityOf(name: EndpointName, endpoint: Endpoint): { security?: Partial<Record<string, never[]>>[] } {
  if (isPublic(endpoint.action)) return { security: [] };
  if (!OPENS_FILES.has(name)) return {};
  const opens = [{ token: [] }, { fileCookie: [] }];
  return { security: name === 'files.open' ? [...opens, { fileTicket: [] }] : opens };
}

function operationOf(name: EndpointName, endpoint: Endpoint, components: Components): Json {
  const requestBody = requestBodyOf(endpoint, components);
  const refusals = errorsByStatus(endpoint).map(([status, codes]) => [status, components.refusal(status, codes)]);
  return {
    operationId: name,
    summary: endpoint.summary,
    ...(endpoint.safeguardsOnly
      ? { description: 'There with SAFEGUARDS=on alone; elsewhere it answers `not_found`.' }
      : {}),
    tags: [nounOf(name)],
    'x-action': endpoint.action,
    ...securityOf(name, endpoint),
    parameters: parametersOf(endpoint),
    ...(requestBody ? { requestBody } : {}),
    responses: { ...successOf(endpoint, components), ...Object.fromEntries(refusals) },
  };
}

/** The document; `origin` is where the server is reached, undefined where only its caller knows. */
export function openApiDocument(productName: string, origin?: string): Json {
  const components = new Components();
  const paths: Record<string, Json> = {};
  for (const [name, endpoint] of Object.entries(api) as [EndpointName, Endpoint][]) {
    paths[endpoint.path] = {
      ...paths[endpoint.path],
      [endpoint.method.toLowerCase()]: operationOf(name, endpoint, components),
    };
  }
  const { schemas, responses } = components;
  return {
    openapi: '3.1.0',
    info: {
      title: `${productName} API`,
      version: '1',
      description: 'Calls take and answer JSON, but for uploads, files and documents. Answers may get further fields.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: origin ?? '/', description: 'The server that answers this document' }],
    security: [{ token: [] }],
    tags: Object.entries(nouns).map(([name, description]) => ({ name, description })),
    components: { securitySchemes, schemas, responses },
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
      [endpoint.status, ...errorsByStatus(endpoint).map(([status]) => status)].join(' '),
      endpoint.action,
    ];
    return `<tr id="${escapeHtml(name)}">${cells.map((cell) => `<td>${escapeHtml(String(cell))}</td>`).join('')}</tr>`;
  });
  const title = escapeHtml(`${productName} API`);
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title><style>body{font:14px/1.5 system-ui,sans-serif;margin:2rem;color-scheme:light dark}table{border-collapse:collapse}th,td{text-align:left;padding:.35rem .75rem;border-bottom:1px solid #8884;vertical-align:top}td:nth-child(-n+2){font-family:ui-monospace,monospace}</style></head><body><h1>${title}</h1><p>The whole description is at <code>/api/openapi.json</code>.</p><table><thead><tr><th>Method</th><th>Path</th><th>What it does</th><th>Takes</th><th>Answers</th><th>Action</th></tr></thead><tbody>${rows.join('')}</tbody></table></body></html>`;
}
