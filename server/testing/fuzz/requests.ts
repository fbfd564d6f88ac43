// Odd requests to one endpoint, as recipes: most of each right and some of it not, so that it gets far before it is refused.
import fc from 'fast-check';
import { z } from 'zod';
import { api, type Endpoint, type EndpointName } from '#contract/api.ts';
import type { Firm } from '../firm.ts';
import { goodBodies, goodQueries, idFor, type NameWithBody } from '../good-requests.ts';
import { ODD_KEYS, oddText, oddValue } from './odd.ts';
import { ODD_HEADERS } from './odd-headers.ts';
import { BOUNDARY, type Body, ENCODINGS, FRAMINGS, type OddRequest, type Part } from './wire.ts';

/** What the requests are made against: a firm, and for some endpoints an id that works better than the usual one. */
export interface FuzzContext {
  readonly firm: Firm;
  readonly ids: Partial<Record<EndpointName, number>>;
}

const JSON_TYPE = 'application/json';
const FORM_TYPE = `multipart/form-data; boundary=${BOUNDARY}`;

const ODD_TYPES = [
  null,
  '',
  'application/json; charset=utf-16',
  'application/json; charset=x',
  'application/json;;;=',
  'APPLICATION/JSON',
  'application/json, text/plain',
  'application/problem+json',
  'application/octet-stream',
  'text/plain',
  'text/json',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  `multipart/mixed; boundary=${BOUNDARY}`,
  `multipart/form-data; boundary="${BOUNDARY}"; charset=x`,
  `multipart/form-data; boundary=${'b'.repeat(300)}`,
  '\u00e9/\u00ff',
  'x',
  JSON_TYPE,
  FORM_TYPE,
];

const ODD_IDS = [
  '0',
  '-1',
  '01',
  '+1',
  '1.0',
  '1e3',
  '1,2',
  '9007199254740991',
  '9007199254740992',
  '10000000000000000',
  '9223372036854775808',
  '%00',
  '1%00',
  '1%0a',
  '%D9%A1',
  '%F0%9F%98%80',
  '%ED%A0%80',
  '%ff%fe',
  '%',
  '%zz',
  '%2e%2e%2f1',
  '..',
  '.',
  '1;2',
  '1%3Fa=1',
  '[1]',
  '1/2',
  '',
  '__proto__',
  'constructor',
  '{id}',
  ':id',
  '*',
  'export',
  '\u00e9',
  '9'.repeat(199),
  '9'.repeat(201),
  'x'.repeat(8_000),
];

const BEHIND = [
  '/',
  '//',
  '/.',
  '/..',
  '/../..',
  ';x',
  '%2f',
  '%00',
  '.json',
  '#',
  '?',
  '?&',
  '??',
  '?=&=',
  '?%',
  '?a&a',
];

const METHODS = ['GET', 'HEAD', 'OPTIONS', 'TRACE', 'POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND', 'QUERY', 'PURGE'];

function shapeOf(schema: z.ZodType | undefined): Record<string, z.ZodType> {
  return schema instanceof z.ZodObject ? (schema.shape as Record<string, z.ZodType>) : {};
}

const ZONE = 'America/Argentina/ComodRivadavia';

/** The `nth` spelling of a zone in upper and lower case; it has a billion. */
export function spelledZone(nth: number): string {
  let letters = 0;
  return ZONE.replace(/[a-z]/gi, (letter) => {
    const upper = Math.floor(nth / 2 ** letters) % 2 === 1;
    letters += 1;
    return upper ? letter.toUpperCase() : letter.toLowerCase();
  });
}

const days = fc.constantFrom('1900-01-01', '2026-03-08', '2026-11-01', '2199-12-31', '2024-02-29');

/** What a query field mostly takes, so that an odd value next to it gets as far as the database. */
const takenBy: Readonly<Record<string, fc.Arbitrary<string>>> = {
  limit: fc.constantFrom('1', '50', '1000'),
  offset: fc.constantFrom('0', '1', '100000000'),
  q: fc.oneof(oddText, fc.constantFrom('a', 'f1', 'Harbor')),
  clientId: fc.constantFrom('1', '2', '3', '9007199254740991'),
  userId: fc.constantFrom('1', '2', '9007199254740991'),
  fileId: fc.constantFrom('1', '2', '9007199254740991'),
  reportTypeId: fc.constantFrom('1', '2', '9007199254740991'),
  fileType: fc.constantFrom('report', 'company_document'),
  documentType: fc.constantFrom('Correspondence', 'Other'),
  action: fc.constantFrom('upload', 'view', 'download', 'update', 'delete'),
  startDate: fc.oneof(
    days,
    fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
  ),
  endDate: fc.oneof(days, fc.constantFrom('2199-12-31T23:59:59.999999999+23:59', '0000-01-01T00:00:00Z')),
  timeZone: fc.oneof(fc.nat().map(spelledZone), fc.constantFrom('UTC', 'Asia/Kathmandu', '-00:00', '+14:00', 'GMT')),
  view: fc.constantFrom('true', 'false'),
  token: fc.constantFrom('x', 'A'.repeat(43)),
};

function queryOf(endpoint: Endpoint): fc.Arbitrary<OddRequest['query']> {
  const shape = shapeOf(endpoint.query);
  const fields = Object.keys(shape);
  const sorts = shape['sort'] instanceof z.ZodOptional ? shape['sort'].unwrap() : null;
  const sort = sorts instanceof z.ZodEnum ? fc.constantFrom(...sorts.options.map(String)) : fc.constant('name');
  const taken = (field: string) => (field === 'sort' ? sort : (takenBy[field] ?? oddText));
  const field = (name: string) =>
    fc.tuple(fc.constant(name), fc.oneof({ weight: 3, arbitrary: taken(name) }, { weight: 1, arbitrary: oddText }));
  const known = fields.length === 0 ? fc.tuple(fc.constant('t'), oddText) : fc.constantFrom(...fields).chain(field);
  const odd = fc.tuple(
    fc.oneof(
      fc.constantFrom(...ODD_KEYS),
      fc.constantFrom('', ...fields).map((name) => `${name}[]`),
      fc.constantFrom('', ...fields).map((name) => `${name}[__proto__][x]`),
      oddText,
    ),
    oddText,
  );
  const many = fc
    .tuple(fc.constantFrom(...fields, 'k'), fc.constantFrom(2, 100, 3_000), fc.boolean())
    .map(([name, times, same]) => Array.from({ length: times }, (_, nth) => [same ? name : name + nth, '1'] as const));
  return fc.oneof(
    { weight: 3, arbitrary: fc.constant([]) },
    { weight: 8, arbitrary: fc.uniqueArray(known, { maxLength: 4, selector: ([name]) => name }) },
    { weight: 3, arbitrary: fc.array(fc.oneof({ weight: 3, arbitrary: known }, odd), { maxLength: 4 }) },
    { weight: 1, arbitrary: many },
  );
}

const PART_HEADS = [
  'content-disposition: form-data; name="file"; filename="a.txt"',
  'content-disposition: form-data; name="file"; filename="a.txt"\r\ncontent-type: x',
  'content-disposition: form-data; name="file"; filename=""',
  'content-disposition: form-data; name="file"; filename="../\u00e9\u202e.pdf"',
  'content-disposition: form-data; name="file"; filename*=UTF-8\'\'%ff%00',
  `content-disposition: form-data; name="file"; filename="${'n'.repeat(3_000)}"`,
  'content-disposition: form-data; name="other"; filename="a.txt"',
  'content-disposition: form-data; name="clientId"',
  'content-disposition: form-data; name="fileType"',
  'content-disposition: form-data; name="__proto__"',
  'content-disposition: form-data; name=""',
  'content-disposition: form-data',
  'content-disposition: x; name="clientId"',
  'content-type: text/plain',
  `x: ${'h'.repeat(20_000)}`,
  '',
];

const goodParts = (firm: Firm): Part[] => [
  { head: 'content-disposition: form-data; name="clientId"', text: String(firm.clients[0]) },
  { head: 'content-disposition: form-data; name="fileType"', text: 'company_document' },
  { head: 'content-disposition: form-data; name="file"; filename="a.txt"', text: 'hello' },
];

function bodyOf(name: EndpointName, { firm }: FuzzContext): fc.Arbitrary<Body> {
  const endpoint: Endpoint = api[name];
  const fields = Object.keys(goodBodies[name as NameWithBody]?.(firm) ?? {});
  const change = fc.oneof(
    { weight: 6, arbitrary: oddValue },
    { weight: 1, arbitrary: fc.constant('left out' as const) },
  );
  const oneField = fc.dictionary(
    fc.oneof(
      { weight: 5, arbitrary: fc.constantFrom(...fields, ...Object.keys(shapeOf(endpoint.body)), 'id') },
      fc.constantFrom(...ODD_KEYS),
    ),
    change,
    { minKeys: 1, maxKeys: 2, noNullPrototype: true },
  );
  const part = fc.record({ head: fc.constantFrom(...PART_HEADS), text: oddText });
  const parts = fc.oneof(
    fc.array(part, { maxLength: 5 }),
    fc
      .tuple(fc.subarray(goodParts(firm), { minLength: 2 }), fc.array(part, { maxLength: 2 }))
      .map((both) => both.flat()),
    fc.constantFrom(20, 300).chain((times) => part.map((same) => Array.from({ length: times }, () => same))),
  );
  return fc.oneof(
    { weight: fields.length === 0 ? 6 : 1, arbitrary: fc.constant({ nothing: true } as const) },
    { weight: fields.length === 0 ? 0 : 10, arbitrary: oneField.map((good) => ({ good })) },
    { weight: 2, arbitrary: oddValue.map((whole) => ({ whole })) },
    { weight: 1, arbitrary: oddText.map((text) => ({ text })) },
    { weight: 1, arbitrary: fc.array(fc.tuple(oddText, oddText), { maxLength: 3 }).map((form) => ({ form })) },
    { weight: endpoint.upload === undefined ? 1 : 20, arbitrary: parts.map((some) => ({ parts: some })) },
  );
}

const typeFor = (body: Body): string =>
  'parts' in body ? FORM_TYPE : 'form' in body ? 'application/x-www-form-urlencoded' : JSON_TYPE;

/** The ids of the firm that a path may name, of the viewer's own client and of others. */
const goodId = (name: EndpointName, { firm, ids }: FuzzContext) => String(ids[name] ?? idFor(api[name].path, firm));

function idsOf(name: EndpointName, context: FuzzContext): fc.Arbitrary<string> {
  if (!api[name].path.includes('{id}')) return fc.constant('');
  const near = Array.from({ length: 8 }, (_, nth) => String(nth + 1));
  return fc.oneof(
    { weight: 4, arbitrary: fc.constant(goodId(name, context)) },
    { weight: 3, arbitrary: fc.constantFrom(...near) },
    { weight: 3, arbitrary: fc.constantFrom(...ODD_IDS) },
  );
}

/** Odd requests to the endpoint `name`. */
export function oddRequests(name: EndpointName, context: FuzzContext): fc.Arbitrary<OddRequest> {
  const endpoint: Endpoint = api[name];
  const header = fc
    .constantFrom(...Object.keys(ODD_HEADERS))
    .chain((key) => fc.tuple(fc.constant(key), fc.constantFrom(...(ODD_HEADERS[key] ?? []))));
  const headers = fc.oneof(
    { weight: 3, arbitrary: fc.constant({}) },
    { weight: 2, arbitrary: fc.array(header, { maxLength: 3 }).map((some) => Object.fromEntries(some)) },
  );
  return fc
    .record({
      method: fc.oneof({ weight: 9, arbitrary: fc.constant<string>(endpoint.method) }, fc.constantFrom(...METHODS)),
      id: idsOf(name, context),
      behind: fc.oneof({ weight: 12, arbitrary: fc.constant('') }, fc.constantFrom(...BEHIND)),
      query: queryOf(endpoint),
      headers,
      body: bodyOf(name, context),
      oddType: fc.oneof({ weight: 8, arbitrary: fc.constant(undefined) }, fc.constantFrom(...ODD_TYPES)),
      encoding: fc.oneof({ weight: 10, arbitrary: fc.constant('utf8' as const) }, fc.constantFrom(...ENCODINGS)),
      framing: fc.oneof({ weight: 12, arbitrary: fc.constant('length' as const) }, fc.constantFrom(...FRAMINGS)),
    })
    .map(({ oddType, ...request }) => ({
      ...request,
      type: oddType === undefined ? typeFor(request.body) : oddType,
    }));
}

/** A request that `name` accepts. */
export function goodRequest(name: EndpointName, context: FuzzContext): OddRequest {
  const endpoint: Endpoint = api[name];
  const body: Body = endpoint.upload
    ? { parts: goodParts(context.firm).filter(({ head }) => name === 'files.upload' || head.includes('filename')) }
    : name in goodBodies
      ? { good: {} }
      : { nothing: true };
  return {
    method: endpoint.method,
    id: endpoint.path.includes('{id}') ? goodId(name, context) : '',
    behind: '',
    query: goodQueries[name] ?? [],
    headers: {},
    body,
    type: 'nothing' in body ? null : typeFor(body),
    encoding: 'utf8',
    framing: 'length',
  };
}

/** Requests that were once answered wrongly, for every endpoint. */
export function knownFaults(name: EndpointName, context: FuzzContext): OddRequest[] {
  const good = goodRequest(name, context);
  // Node answers this by itself.
  const expecting = { ...good, headers: { expect: '200-ok' } };
  if (!(name in goodBodies)) return [expecting];
  const [field = ''] = Object.keys(goodBodies[name as NameWithBody](context.firm));
  const bodies: Body[] = [
    { whole: { keys: 100_000, named: '', distinct: true } },
    { good: { [field]: { entries: 150_000, of: '"1"' } } },
    { good: { [field]: { deep: 100_000, of: '[' } } },
    { good: { [field]: { times: 1_000_000, of: 'a' } } },
  ];
  return [...bodies.map((body) => ({ ...good, body })), expecting];
}
