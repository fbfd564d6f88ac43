// The contract as an OpenAPI 3.1 document, which is derived from it.
import { api, type Endpoint, type EndpointName } from '#contract/api.ts';
import { isPublic } from '#contract/policy.ts';
import { FILE_COOKIE, OPENS_FILES } from './authenticate.ts';
import { errorsByStatus, successOf } from './openapi-answers.ts';
import { Components, type Json } from './openapi-components.ts';
import { parametersOf, requestBodyOf } from './openapi-requests.ts';

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
