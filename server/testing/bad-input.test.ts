// Hostile input to every field of every call of the contract: refused with a message, with nothing changed, on both engines.
import { request as httpRequest } from 'node:http';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { api, type EndpointName } from '#contract/api.ts';
import type { ErrorBody } from '#contract/errors.ts';
import { isPublic } from '#contract/policy.ts';
import { bodyLimitOf } from '../api/body-limit.ts';
import type { DatabaseKind } from '../platform/db/database.ts';
import { breadth } from './breadth.ts';
import { endpointOf, endpointNames as names } from './contract/endpoints.ts';
import { tableTexts } from './dump.ts';
import { clientInput, type Firm } from './firm.ts';
import { goodBodies, idFor, type NameWithBody, namesWithBody } from './good-requests.ts';
import { HOSTILE_IDS, HOSTILE_QUERY_TEXTS, HOSTILE_VALUES, NEVER_TAKEN, PROTOTYPE_KEYS } from './hostile-input.ts';
import { givesAway, refusalFault } from './refusal.ts';
import type { Answer, Caller, TestApp } from './test-app.ts';
import { DATABASE_KINDS } from './test-database.ts';
import { startTestFirm } from './test-firm.ts';

/** Requests on their way at the same time. */
const AT_ONCE = 8;

const REFUSED = [400, 404, 413, 415];
const MESSAGE_MAX = 2_000;

/** What is wrong with an answer that should be a refusal; null when nothing is. */
function faultOf(answer: Answer, statuses: readonly number[] = REFUSED): string | null {
  const { status, body, headers } = answer as Answer<ErrorBody>;
  if (!statuses.includes(status)) return `status ${status} ${JSON.stringify(body)?.slice(0, 120)}`;
  if (!headers.get('content-type')?.includes('application/json')) return 'is not JSON';
  return body.message?.length > MESSAGE_MAX ? `says ${body.message.slice(0, 80)}` : refusalFault(status, body);
}

/** Input is refused before an engine is asked: a part of it is tried on each, and all of it on both in `npm run test:full`. */
const EVERY: Record<DatabaseKind, number> = { sqlite: breadth(8, 1), postgres: breadth(16, 1) };
/** How many of the calls are tried, the first of as many. */
const CALLS_EVERY: Record<DatabaseKind, number> = { sqlite: breadth(3, 1), postgres: breadth(8, 1) };

const shown = (value: unknown) => (JSON.stringify(value) ?? String(value)).slice(0, 60);

/** Sends a body as it is, with or without a content type, which `fetch` would not leave out. */
async function sendRaw(
  caller: Caller,
  name: EndpointName,
  path: string,
  raw: string | Uint8Array,
  contentType: string | null,
) {
  const init: RequestInit = { method: api[name].method, body: raw as string };
  const response = await caller.fetch(
    path,
    contentType === null ? init : { ...init, headers: { 'content-type': contentType } },
  );
  const text = await response.text();
  const json = response.headers.get('content-type')?.includes('json') ?? false;
  return { status: response.status, headers: response.headers, body: json ? JSON.parse(text) : text } as Answer;
}

/** Sends a path exactly as written: `fetch` would tidy it first. */
function sendPath(app: TestApp, method: string, path: string): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const { hostname, port } = new URL(app.origin);
  const headers = { authorization: `Bearer ${app.admin.token}` };
  const outgoing = httpRequest({ hostname, port, method, path, headers, agent: false }, (incoming) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      const type = incoming.headers['content-type'] ?? '';
      const body: unknown = type.includes('json') ? JSON.parse(text) : text;
      resolve({ status: incoming.statusCode ?? 0, headers: new Headers({ 'content-type': type }), body });
    });
  });
  outgoing.on('error', reject);
  outgoing.end();
  return promise;
}

function shapeOf(schema: z.ZodType | undefined): Record<string, z.ZodType> {
  if (!(schema instanceof z.ZodObject)) throw new Error('The input of an endpoint is an object');
  return schema.shape as Record<string, z.ZodType>;
}

describe.each(DATABASE_KINDS)('bad input on %s', (kind) => {
  const some = <Name>(all: readonly Name[]) => all.filter((_name, nth) => nth % CALLS_EVERY[kind] === 0);
  let app: TestApp;
  let firm: Firm;
  beforeAll(async () => {
    ({ app, firm } = await startTestFirm(kind));
  });
  afterAll(() => app.close());

  const pathOf = (name: EndpointName) => {
    const { path } = api[name];
    return path.includes('{id}') ? path.replace('{id}', String(idFor(path, firm))) : path;
  };
  const callerOf = (name: EndpointName) => {
    const { action } = api[name];
    if (isPublic(action)) return app.anonymous;
    // What clients are asked for, they alone answer.
    return action === 'requests.answer' ? firm.viewers.clientA : app.admin;
  };

  /** All rows except those that record refusals. */
  async function rows() {
    const { security_events: _told, ...tables } = await tableTexts(app.database);
    return tables;
  }

  /** Runs every case, and then asserts that none was answered wrongly and no row has changed. */
  async function refusesAll(
    cases: Iterable<readonly [what: string, answer: () => Promise<Answer>, statuses?: readonly number[]]>,
  ) {
    const before = await rows();
    const faults: string[] = [];
    const waiting = [...cases].filter((_case, nth) => nth % EVERY[kind] === 0);
    while (waiting.length > 0) {
      const batch = waiting.splice(0, AT_ONCE).map(async ([what, answer, statuses]) => {
        const fault = faultOf(await answer(), statuses);
        if (fault !== null) faults.push(`${what}: ${fault}`);
      });
      await Promise.all(batch);
    }
    expect(faults).toEqual([]);
    expect(await rows()).toEqual(before);
  }

  describe.each(some(namesWithBody))('the body of %s', (name) => {
    const { body: schema, method } = endpointOf(name);
    const limit = bodyLimitOf(endpointOf(name));
    const good = () => goodBodies[name](firm) as Record<string, unknown>;
    const send = (body: unknown) => () => callerOf(name).send(method, pathOf(name), body);
    const raw = (text: string | Uint8Array, type: string | null) => () =>
      sendRaw(callerOf(name), name, pathOf(name), text, type);

    it('is a good one in these tests', () => {
      expect(schema?.safeParse(good()).error).toBeUndefined();
    });

    it('must hold every field, each as it should be', async () => {
      const cases: [string, () => Promise<Answer>, number[]][] = [];
      for (const [field, fieldSchema] of Object.entries(shapeOf(schema))) {
        const { [field]: _left, ...without } = good();
        if (!fieldSchema.safeParse(undefined).success) cases.push([`${field} missing`, send(without), [400]]);
        const refused = HOSTILE_VALUES.filter((value) => !fieldSchema.safeParse(value).success);
        // A password may hold any character; every other field refuses control characters.
        const passwords = /^(?!must).*password/i.test(field);
        const yesOrNo = fieldSchema.safeParse(true).success;
        const mustRefuse: readonly unknown[] = passwords
          ? NEVER_TAKEN
          : [...NEVER_TAKEN, 'ab\u0000cdefgh', 'over\u202eride', 'lone \ud800 surrogate'];
        // A switch takes true.
        const isSwitch = fieldSchema.safeParse(true).success;
        for (const value of new Set([...refused, ...mustRefuse.filter((one) => !(isSwitch && one === true))])) {
          const body = { ...good(), [field]: value };
          if (yesOrNo && typeof value === 'boolean') continue;
          const isTooLong = Buffer.byteLength(JSON.stringify(body)) > limit;
          cases.push([`${field} = ${shown(value)}`, send(body), [isTooLong ? 413 : 400]]);
        }
      }
      await refusesAll(cases);
    });

    it('names every faulty field at once', async () => {
      const fields = Object.keys(shapeOf(schema));
      const wrong = Object.fromEntries(fields.map((field) => [field, { wrong: true }]));
      const { status, body } = await callerOf(name).send<ErrorBody>(method, pathOf(name), wrong);
      expect(status).toBe(400);
      const named = Object.keys(body.fields ?? {}).map((field) => field.split('.', 1)[0]);
      expect([...new Set(named)].sort()).toEqual(fields.sort());
    });

    it('may hold no other field, also none that every object has', async () => {
      const keys = ['id', 'isAdmin', 'createdAt', 'x'.repeat(500), ...PROTOTYPE_KEYS];
      const withKey = (key: string) => `${JSON.stringify(good()).slice(0, -1)},${JSON.stringify(key)}:{"polluted":1}}`;
      await refusesAll(
        keys.map((key) => [`key ${key.slice(0, 20)}`, raw(withKey(key), 'application/json'), [400]] as const),
      );
      expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
    });

    it('must be a JSON object of bearable size and depth', async () => {
      const json = 'application/json';
      const nested = '['.repeat(8_000) + ']'.repeat(8_000);
      const [firstField = ''] = Object.keys(shapeOf(schema));
      const padded = (size: number) => `{"${firstField}":"${'x'.repeat(size - firstField.length - 7)}"}`;
      expect(Buffer.byteLength(padded(limit))).toBe(limit);
      await refusesAll([
        ['nothing', raw('', json), [400]],
        ['broken', raw('{"name": ', json), [400]],
        ['cut', raw(JSON.stringify(good()).slice(0, -1), json), [400]],
        ['two values', raw(`${JSON.stringify(good())}{}`, json), [400]],
        ['not UTF-8', raw(new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]), json), [400]],
        ...['null', '[]', '[1]', '"text"', '1', 'true'].map((text) => [text, raw(text, json), [400]] as const),
        // Where every field may be left out, nothing is missing.
        ...(schema?.safeParse({}).success ? [] : [['{}', raw('{}', json), [400]] as const]),
        ['8,000 nested arrays', raw(nested, json), [400]],
        ['8,000 nested arrays in a field', raw(`{"${firstField}":${nested}}`, json), [400]],
        ['as long as it may be', raw(padded(limit), json), [400]],
        ['a byte longer', raw(padded(limit + 1), json), [413]],
        ['a byte longer with spaces', raw(JSON.stringify(good()).padEnd(limit + 1), json), [413]],
      ]);
    });

    it('must come as application/json', async () => {
      const text = JSON.stringify(good());
      const types = [
        'text/plain',
        'text/html',
        'application/xml',
        'application/x-www-form-urlencoded',
        'application/jsonp',
        'garbage',
      ];
      await refusesAll([
        ...types.map((type) => [type, raw(text, type), [415]] as const),
        ['multipart', raw(text, 'multipart/form-data; boundary=x'), [400, 415]],
        ['no content type', raw(new TextEncoder().encode(text), null), [400, 415]],
      ]);
    });
  });

  describe.each(some(names.filter((name) => endpointOf(name).query !== undefined)))('the query of %s', (name) => {
    const endpoint = endpointOf(name);
    const call = (query: string) => () => app.admin.send(endpoint.method, `${pathOf(name)}?${query}`);
    const fields = Object.entries(shapeOf(endpoint.query));

    it('refuses what a field may not be, and accepts the rest without a fault', async () => {
      const cases: [string, () => Promise<Answer>, number[]][] = [];
      const taken: string[] = [];
      for (const [field, schema] of fields) {
        for (const text of HOSTILE_QUERY_TEXTS) {
          const decoded = text.includes('%') ? decodeLeniently(text) : text;
          if (schema.safeParse(decoded).success) taken.push(`${field}=${text}`);
          else cases.push([`${field}=${shown(text)}`, call(`${field}=${text}`), [400]]);
        }
        cases.push([`${field} of 5,000 characters`, call(`${field}=${'1'.repeat(5_000)}`), [400]]);
      }
      await refusesAll(cases);
      // Opening a file is an access and would be in the log.
      // There is no batch: its documents are missing, whatever is asked of them.
      const answered = name === 'batches.documents' ? 404 : 200;
      for (const query of endpoint.answer === 'bytes' ? [] : taken) {
        const { status } = await call(query)();
        expect([query, status]).toEqual([query, answered]);
      }
    });

    it('accepts a field once, unnested, and no other', async () => {
      const forms = fields.flatMap(([field]) => [
        `${field}=1&${field}=2`,
        `${field}[]=2`,
        `${field}[0]=2`,
        `${field}[$ne]=1`,
        `${field}.x=1`,
        `${field}%00=1`,
      ]);
      const keys = ['zzz', 'password', 'orderBy', ...PROTOTYPE_KEYS, '__proto__[x]', 'constructor.prototype.x'];
      await refusesAll(
        [...forms, ...keys.map((key) => `${key}=1`)].map((query) => [query, call(query), [400]] as const),
      );
    });
  });

  // Answering what a client is asked for is for the client's people, whom no Admin is one of: they are refused before the id is read.
  const askedOfAdmins = names.filter(
    (name) => api[name].path.includes('{id}') && api[name].action !== 'requests.answer',
  );
  describe.each(some(askedOfAdmins))('the id of %s', (name) => {
    const { method, path } = api[name];

    it('must be a positive whole number', async () => {
      await refusesAll(
        HOSTILE_IDS.map(
          (id) => [id.slice(0, 30), () => sendPath(app, method, path.replace('{id}', id)), [400, 404, 413]] as const,
        ),
      );
    });

    it('of nothing that exists is not found', async () => {
      const good = name in goodBodies ? goodBodies[name as NameWithBody](firm) : undefined;
      const missing = ['999999999', '9007199254740991'];
      await refusesAll(
        missing.map((id) => [id, () => app.admin.send(method, path.replace('{id}', id), good), [404]] as const),
      );
    });
  });

  describe('the form of an upload', () => {
    const good = () => ({ clientId: firm.clients[0], fileType: 'report', reportTypeId: firm.reportTypes[0] });
    const upload = (fields: Record<string, string | number>, fileFirst: boolean) => () =>
      app.admin.upload({ fields, fileFirst });

    it.each([
      ['before', false],
      ['after', true],
    ])('refuses every bad field standing %s the file', async (_where, fileFirst) => {
      const texts = [...HOSTILE_VALUES.filter((value) => typeof value === 'string'), 'x'.repeat(2_049), '999999999'];
      const cases: [string, () => Promise<Answer>, number[]][] = [];
      for (const [field, schema] of Object.entries(shapeOf(api['files.upload'].upload))) {
        const { [field]: _left, ...without } = good() as Record<string, string | number>;
        if (!schema.safeParse(undefined).success) cases.push([`${field} missing`, upload(without, fileFirst), [400]]);
        for (const text of texts) {
          // A sentence of one's own may say anything; in a form, what is no letter of its encoding arrives as another.
          const isSentence = field === 'keepBecause' || field === 'replacedBecause';
          if (isSentence && (schema.safeParse(text).success || text.includes('\ud800'))) continue;
          // In a form, text that is empty means a field that is not set.
          if (schema.safeParse(text).success && (text === '' || !/\d/.test(text))) continue;
          cases.push([`${field} = ${shown(text)}`, upload({ ...good(), [field]: text }, fileFirst), [400, 404]]);
        }
      }
      for (const key of ['id', 'uploadedById', 'sha256', ...PROTOTYPE_KEYS, 'x'.repeat(101)]) {
        cases.push([`key ${key.slice(0, 20)}`, upload({ ...good(), [key]: 'x' }, fileFirst), [400]]);
      }
      cases.push(['a report with a document type', upload({ ...good(), documentType: 'Other' }, fileFirst), [400]]);
      cases.push([
        'a document with a report type',
        upload({ ...good(), fileType: 'company_document' }, fileFirst),
        [400],
      ]);
      await refusesAll(cases);
    });

    it('must be a form', async () => {
      const text = JSON.stringify(good());
      const post = (type: string) => () => sendRaw(app.admin, 'files.upload', '/api/files', text, type);
      const boundary = 'multipart/form-data; boundary=';
      await refusesAll([
        ...['application/json', 'text/plain', 'application/pdf', 'application/x-www-form-urlencoded', 'garbage'].map(
          (type) => [type, post(type), [415]] as const,
        ),
        ['without boundary', post('multipart/form-data'), [400, 415]],
        ['an empty boundary', post(boundary), [400, 415]],
        ['another boundary', post(`${boundary}abc`), [400]],
        ['a mixed multipart', post('multipart/mixed; boundary=abc'), [400, 415]],
      ]);
    });
  });

  it('answers an address or method that no call has with 404, in the same form', async () => {
    const known = new Set(names.map((name) => `${api[name].method} ${api[name].path}`));
    const paths = [...new Set(names.map((name) => api[name].path))];
    const calls = paths.flatMap((path) =>
      ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND']
        .filter((method) => !known.has(`${method} ${path}`))
        .map((method) => [method, path.replace('{id}', '1')] as const),
    );
    for (const path of ['/api', '/api/', '/api/none', '/api/users/1/none', '/api/v1/users', '/api/%2e%2e/users']) {
      calls.push(['GET', path]);
    }
    await refusesAll(
      calls.map(([method, path]) => [`${method} ${path}`, () => sendPath(app, method, path), [400, 404]] as const),
    );
  });

  it('never fails on text that the contract accepts', { timeout: 180_000 }, async () => {
    // Text from all of Unicode, with what databases, patterns and markup treat specially.
    const special = fc.constantFrom(
      '%',
      '_',
      '\\',
      "'",
      '"',
      ';--',
      '<img src=x>',
      '{{x}}',
      '\u{1F600}',
      'ﷺ',
      'İ',
      'ß',
      'ΑΣ',
      'e\u0301',
      '\u00a0',
    );
    const text = fc
      .array(fc.oneof(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'binary' }), special), { maxLength: 12 })
      .map((parts) => parts.join(''));
    const whole = fc.oneof(
      { weight: 4, arbitrary: text },
      { weight: 1, arbitrary: text.map((part) => part.repeat(40).slice(0, 200)) },
    );
    const sentences = new Set<string>();
    await fc.assert(
      fc.asyncProperty(whole, whole, fc.uuid(), async (first, second, unique) => {
        const created = await app.admin.post(
          '/api/clients',
          clientInput(first, { address: second, stateId: `${unique} ${first}`.slice(0, 64) }),
        );
        const role = await app.admin.post('/api/roles', { name: second });
        const type = await app.admin.post('/api/report-types', { name: first });
        const found = ['clients', 'users', 'roles', 'report-types', 'files', 'activity-logs'].map((list) =>
          app.admin.get(`/api/${list}?q=${encodeURIComponent(first.toWellFormed())}`),
        );
        for (const { status, body } of [created, role, type, ...(await Promise.all(found))]) {
          expect([200, 201, 400, 409], JSON.stringify(body)).toContain(status);
          if (status === 400) sentences.add((body as ErrorBody).message);
        }
        if (created.status === 201) {
          expect(created.body).toMatchObject({ name: first.trim(), address: second.trim() });
        }
      }),
      { numRuns: breadth(15, 40) },
    );
    expect([...sentences].filter(givesAway)).toEqual([]);
  });
});

function decodeLeniently(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
