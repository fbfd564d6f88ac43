// The mounted routes against the contract: every endpoint is mounted, described, guarded and answers as it says.
import { randomBytes } from 'node:crypto';
import diagnostics from 'node:diagnostics_channel';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { ZodType } from 'zod';
import { api, type Endpoint, type EndpointName } from '#contract/api.ts';
import { type ErrorBody, type ErrorCode, errorCatalogue } from '#contract/errors.ts';
import type { ViewTicket } from '#contract/file-opening.ts';
import type { JobState } from '#contract/job-states.ts';
import type { ItemState } from '#contract/request-words.ts';
import { endingLink } from '../mail/digests/ending.ts';
import { compress } from '../platform/http/compress.ts';
import { openSealer } from '../platform/sealed.ts';
import { breadth } from '../testing/breadth.ts';
import { addUser, clientInput, type Firm, makeFirm, PASSWORD } from '../testing/firm.ts';
import { mailEnvironment } from '../testing/mail-server.ts';
import { ADMIN_PASSWORD, type Answer, Caller, startTestApp, type TestApp } from '../testing/test-app.ts';
import { insertTestArchive } from '../testing/test-archive.ts';
import { insertTestBatch, lockedFile, type TestDocument } from '../testing/test-batch.ts';
import { ANY_DATABASE_KIND, DATABASE_KINDS } from '../testing/test-database.ts';
import { insertTestJob } from '../testing/test-job.ts';
import { insertTestMail } from '../testing/test-mail.ts';
import { insertTestRequest, insertTestTemplate } from '../testing/test-request.ts';
import { insertTestSuggestion } from '../testing/test-suggestion.ts';

const DAY_MS = 24 * 60 * 60_000;

const names = Object.keys(api) as EndpointName[];
const endpointOf = (name: EndpointName): Endpoint => api[name];

/** The only addresses that answer without a sign-in. */
const PUBLIC: readonly EndpointName[] = [
  'session.login',
  'session.second-factor',
  'session.second-factor-passkey',
  'session.invitation',
  'session.join',
  'session.forgotten',
  'digests.end-page',
  'digests.end',
];
/** What exists with SAFEGUARDS=on alone; its own tests check its answers. */
type SafeguardsName = {
  [Name in EndpointName]: (typeof api)[Name] extends { safeguardsOnly: true } ? Name : never;
}[EndpointName];
const everyGuarded = names.filter((name) => !PUBLIC.includes(name));
/** Each engine finds sessions by statements of its own, and every address asks the same ones: on PostgreSQL a part of them is tried. */
const isAsked = breadth(
  (kind: (typeof DATABASE_KINDS)[number], name: EndpointName, nth: number) =>
    kind === 'sqlite' || nth % 6 === 0 || OPENS_FILES.includes(name),
  () => true,
);

/** The addresses that the file cookie opens. */
const OPENS_FILES: readonly EndpointName[] = [
  'files.open',
  'files.download',
  'files.view',
  'archives.open',
  'batches.open-file',
];

/** Every method that reaches an endpoint: HEAD is answered wherever GET is. */
const methodsOf = (name: EndpointName) =>
  endpointOf(name).method === 'GET' ? ['GET', 'HEAD'] : [endpointOf(name).method];

interface MountedRoute {
  readonly method: string;
  readonly url: string;
  readonly endpoint: unknown;
  readonly compresses: boolean;
}

/** Starts the application and notes each route as Fastify mounts it. */
async function startNotingRoutes(...start: Parameters<typeof startTestApp>): Promise<[TestApp, MountedRoute[]]> {
  const routes: MountedRoute[] = [];
  const note = (message: unknown) => {
    const { fastify } = message as { fastify: FastifyInstance };
    fastify.addHook('onRoute', ({ method, url, config, onSend }) => {
      const compresses = [onSend].flat().includes(compress);
      for (const each of [method].flat()) {
        routes.push({ method: each, url, endpoint: Object(config).endpoint, compresses });
      }
    });
  };
  diagnostics.subscribe('fastify.initialization', note);
  try {
    return [await startTestApp(...start), routes];
  } finally {
    diagnostics.unsubscribe('fastify.initialization', note);
  }
}

/** Every key of a JSON value, at any depth. */
function keysOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = Array.isArray(value) ? [] : Object.keys(value);
  return [...own, ...Object.values(value).flatMap(keysOf)];
}

/** Every text in a JSON value, at any depth, without the digests of files. */
function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value.replace(/\b[0-9a-f]{64}\b/g, '')];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsOf);
}

/** How tokens, tickets, keys of authenticator apps and recovery codes look, whatever their field is called. */
const LOOKS_RANDOM = /(?=\S*\d)(?=\S*[a-z])[\w-]{40,}|[A-Z2-7]{26,}|\b[a-z0-9]{4,5}(-[a-z0-9]{4,5}){3,}\b/;

const isSecret = (key: string) =>
  /password|hash|secret|recovery/i.test(key) && !['sha256', 'mustChangePassword'].includes(key);

interface Described {
  openapi: string;
  security: unknown;
  components: { schemas: Record<string, unknown>; responses: Record<string, { description: string }> };
  paths: Record<string, Record<string, Operation>>;
}

interface Operation {
  operationId: string;
  'x-action': string;
  security?: unknown[];
  parameters: { name: string; in: string; required: boolean }[];
  requestBody?: { content: Record<string, unknown> };
  responses: Record<string, { $ref?: string }>;
}

describe.each(DATABASE_KINDS)('the mounted contract on %s', (kind) => {
  /** What no statement decides. */
  const anyEngine = ANY_DATABASE_KIND.filter((one) => one === kind);
  const guarded = everyGuarded.filter((name, nth) => isAsked(kind, name, nth));
  let app: TestApp;
  let routes: MountedRoute[];
  let firm: Firm;
  beforeAll(async () => {
    [app, routes] = await startNotingRoutes(kind, mailEnvironment(25));
    firm = await makeFirm(app);
    const { body: me } = await app.admin.get<{ id: number }>('/api/auth/me');
    await insertTestArchive(app, { ownerId: me.id, fileIds: [1] });
    await insertTestBatch(app, { ownerId: me.id, state: 'review' });
  });
  afterAll(() => app.close());

  /** A well-formed request to `name`, on the first file, user, client … where the path names one. */
  function request(name: EndpointName, method: string, by: Caller, query = '', headers: Record<string, string> = {}) {
    const endpoint = endpointOf(name);
    const path = endpoint.path.replace('{id}', '1') + query;
    if (endpoint.upload) {
      const body = new FormData();
      body.append('clientId', String(firm.clients[0]));
      body.append('fileType', 'report');
      body.append('file', new Blob(['hello']), 'hello.txt');
      return by.fetch(path, { method, body, headers });
    }
    if (!endpoint.body) return by.fetch(path, { method, headers });
    return by.fetch(path, { method, body: '{}', headers: { 'content-type': 'application/json', ...headers } });
  }

  async function statusesFor(
    of: readonly EndpointName[],
    by: Caller,
    query = '',
    headers: Record<string, string> = {},
  ): Promise<Record<string, number>> {
    const statuses: Record<string, number> = {};
    for (const name of of) {
      for (const method of methodsOf(name)) {
        const response = await request(name, method, by, query, headers);
        const text = await response.text();
        statuses[`${method} ${name}`] = response.status;
        expect(response.headers.get('cache-control'), `${method} ${name}`).toContain('no-store');
        if (response.status === 401 && method !== 'HEAD') {
          expect(JSON.parse(text)).toEqual({
            message: errorCatalogue.unauthenticated.sentence,
            code: 'unauthenticated',
            requestId: expect.stringMatching(/./),
          });
        }
      }
    }
    return statuses;
  }

  const all401 = (of: readonly EndpointName[]) =>
    Object.fromEntries(of.flatMap((name) => methodsOf(name).map((method) => [`${method} ${name}`, 401])));

  /** The file cookie of a new sign-in of the Admin, as a browser would send it. */
  async function fileCookie(): Promise<string> {
    const credentials = JSON.stringify({ username: app.config.adminUsername, password: ADMIN_PASSWORD });
    const headers = { 'content-type': 'application/json' };
    const login = await app.anonymous.fetch('/api/auth/login', { method: 'POST', body: credentials, headers });
    const [written = ''] = login.headers.getSetCookie();
    expect(written).toMatch(/; HttpOnly/);
    expect(written).toMatch(/; SameSite=Strict/);
    return written.split(';', 1)[0] ?? '';
  }

  describe.each(anyEngine)('routes on %s', () => {
    it('B1: are exactly those the contract names, each once', () => {
      const mounted = routes.filter(({ method, url }) => /^\/api(\/|$)/.test(url) && method !== 'HEAD');
      const named = names.map((name) => {
        const { method, path } = endpointOf(name);
        return `${method} ${path.replace('{id}', ':id')} ${name}`;
      });
      expect(mounted.map(({ method, url, endpoint }) => `${method} ${url} ${endpoint}`).sort()).toEqual(named.sort());
    });

    it('E16: compress what the contract says holds no secret, and nothing else', () => {
      const compressed = new Set(routes.filter(({ compresses }) => compresses).map(({ endpoint }) => endpoint));
      const secretFree = names.filter((name) => endpointOf(name).holdsNoSecret === true);
      expect(compressed).toEqual(new Set(secretFree));
      // Who signs in, confirms who they are or sets up a factor gets something that opens.
      const opening = names.filter((name) => /^(session\.(login|second|password|reauth)|factors\.)|ticket/.test(name));
      expect(opening.filter((name) => secretFree.includes(name))).toEqual([]);
    });

    it('answer HEAD exactly where they answer GET', () => {
      const addresses = (wanted: string) =>
        routes.filter(({ method, url }) => method === wanted && url.startsWith('/api')).map(({ url }) => url);
      expect(addresses('HEAD').sort()).toEqual(addresses('GET').sort());
    });

    it('outside /api are health, metrics and the web, and none of them changes anything', () => {
      const others = routes.filter(({ url }) => !url.startsWith('/api'));
      expect(others.map(({ url }) => url)).toEqual(expect.arrayContaining(['/healthz', '/readyz', '/metrics']));
      expect(others.filter(({ method }) => method !== 'GET' && method !== 'HEAD')).toEqual([]);
    });

    it('are the only addresses under /api: every other is a JSON 404 for everybody', async () => {
      const addresses = [
        ['GET', '/api'],
        ['GET', '/api/'],
        ['GET', '/api/nothing'],
        ['GET', '/api/files/1/nothing'],
        ['GET', '/api/files/1/download/'],
        ['GET', '/api/Clients'],
        ['GET', '/api/auth/login'],
        ['GET', '/api/nothing.js'],
        ['POST', '/api/clients/1'],
        ['PUT', '/api/clients'],
        ['PATCH', '/api/clients/1'],
        ['DELETE', '/api/clients'],
        ['OPTIONS', '/api/clients'],
        ['DELETE', '/api/files'],
        ['DELETE', '/api/activity-logs'],
        ['DELETE', '/api/activity-logs/1'],
      ] as const;
      for (const [method, path] of addresses) {
        for (const by of [app.anonymous, app.admin]) {
          const answer = await by.send<ErrorBody>(method, path, method === 'GET' ? undefined : {});
          expect({ method, path, status: answer.status }).toEqual({ method, path, status: 404 });
          expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
          expect(answer.body).toEqual({ message: 'Not found.', code: 'not_found', requestId: expect.any(String) });
        }
      }
    });
  });

  describe.each(anyEngine)('the description on %s', () => {
    let document: Described;
    beforeAll(async () => {
      document = (await app.admin.get<Described>('/api/openapi.json')).body;
    });

    it('holds every endpoint once, with its name and its action', () => {
      const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
        Object.entries(methods).map(([method, operation]) => ({
          name: operation.operationId,
          at: `${method.toUpperCase()} ${path}`,
          action: operation['x-action'],
        })),
      );
      const wanted = names.map((name) => {
        const { method, path, action } = endpointOf(name);
        return { name, at: `${method} ${path}`, action };
      });
      const byName = (a: { name: string }, b: { name: string }) => a.name.localeCompare(b.name);
      expect(operations.sort(byName)).toEqual(wanted.sort(byName));
      expect(document.openapi).toMatch(/^3\.1/);
    });

    it('asks for a token everywhere but at the sign-in', () => {
      expect(document.security).toEqual([{ token: [] }]);
      const open = Object.values(document.paths)
        .flatMap((methods) => Object.values(methods))
        .filter((operation) => operation.security !== undefined);
      expect(open.map(({ operationId, security }) => ({ operationId, security }))).toEqual([
        { operationId: 'session.login', security: [] },
        { operationId: 'session.second-factor', security: [] },
        { operationId: 'session.second-factor-passkey', security: [] },
        { operationId: 'session.invitation', security: [] },
        { operationId: 'session.join', security: [] },
        { operationId: 'session.forgotten', security: [] },
        ...OPENS_FILES.map((operationId) => ({
          operationId,
          security: [{ token: [] }, { fileCookie: [] }, ...(operationId === 'files.open' ? [{ fileTicket: [] }] : [])],
        })),
        { operationId: 'digests.end-page', security: [] },
        { operationId: 'digests.end', security: [] },
      ]);
    });

    it.each(names)('describes what %s takes and answers', (name) => {
      const endpoint = endpointOf(name);
      const operation = document.paths[endpoint.path]?.[endpoint.method.toLowerCase()];
      const statusOf = (code: ErrorCode) => String(errorCatalogue[code].status);
      expect(Object.keys(operation?.responses ?? {})).toEqual(
        expect.arrayContaining([String(endpoint.status), ...endpoint.errors.map(statusOf)]),
      );
      // A link is a secret of its own: no session and no password is asked for.
      const links: readonly EndpointName[] = ['session.invitation', 'session.join', 'digests.end-page', 'digests.end'];
      const asksWho = name !== 'session.forgotten' && !links.includes(name);
      expect('401' in (operation?.responses ?? {})).toBe(asksWho);
      const inPath = operation?.parameters.filter((parameter) => parameter.in === 'path').map(({ name: key }) => key);
      expect(inPath).toEqual(endpoint.path.includes('{id}') ? ['id'] : []);
      const bodyType = endpoint.upload ? ['multipart/form-data'] : endpoint.body ? ['application/json'] : [];
      expect(Object.keys(operation?.requestBody?.content ?? {})).toEqual(bodyType);
    });

    it('declares that any call may find the database full', async () => {
      const full = Object.assign(new Error('database or disk is full'), { errcode: 13 });
      const log = vi.spyOn(app.context.services.accessLog, 'record').mockRejectedValueOnce(full);
      const { status, body } = await app.admin.get<ErrorBody>(`/api/files/${firm.files.f1.id}/view`);
      log.mockRestore();
      expect([status, body.code]).toEqual([507, 'storage_full']);
      const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
      expect(operations.filter(({ responses }) => !('507' in responses))).toEqual([]);
    });

    it.each([
      'users.create',
      'users.import',
      'users.update',
      'permissions.update',
      'clients.create',
      'clients.update',
      'clients.delete',
      'files.upload',
      'files.refile',
      'activity.announce',
    ] as const)('declares that %s may meet somebody else’s change', (name) => {
      const { path, method } = endpointOf(name);
      const { $ref = '' } = document.paths[path]?.[method.toLowerCase()]?.responses['409'] ?? {};
      const { description } = document.components.responses[$ref.split('/').at(-1) ?? ''] ?? { description: '' };
      expect(description).toContain('`gone_meanwhile`');
    });

    it('refers to nothing that is not in it', () => {
      const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(([, target]) => target);
      const known = Object.entries(document.components).flatMap(([part, named]) =>
        Object.keys(named).map((name) => `#/components/${part}/${name}`),
      );
      expect(references.length).toBeGreaterThan(0);
      expect([...new Set(references)].filter((target) => !known.includes(target ?? ''))).toEqual([]);
    });

    it('is also a page that names every endpoint', async () => {
      const { headers, body } = await app.admin.get<string>('/api/docs');
      expect(headers.get('content-type')).toMatch(/^text\/html/);
      for (const name of names) expect(body).toContain(`<tr id="${name}">`);
    });
  });

  describe('the route guard', () => {
    it('B1: is open without a token for the sign-in alone', async () => {
      expect(await statusesFor(guarded, app.anonymous)).toEqual(all401(guarded));
      const { status, body } = await app.anonymous.post('/api/auth/login', { username: 'cpa', password: PASSWORD });
      expect({ status, body }).toEqual({ status: 200, body: expect.objectContaining({ token: expect.any(String) }) });
    });

    it.each([
      ['garbage', 'garbage'],
      ['43 characters of garbage', 'x'.repeat(43)],
      ['a longer text than any token', 'x'.repeat(5_000)],
    ])('B1: is shut for %s', async (_what, token) => {
      expect(await statusesFor(guarded, new Caller(app.origin, token))).toEqual(all401(guarded));
    });

    it('is closed for other ways to write a header', async () => {
      const token = app.admin.token ?? '';
      for (const authorization of [token, `Basic ${token}`, `Bearer  ${token}`, `Bearer ${token} x`, 'Bearer', '']) {
        const answer = await app.anonymous.fetch('/api/clients', { headers: { authorization } });
        expect({ authorization, status: answer.status }).toEqual({ authorization, status: 401 });
      }
    });

    it('is shut for a session that was ended', async () => {
      const ended = await app.login('cpa', PASSWORD);
      expect((await ended.get('/api/auth/me')).status).toBe(200);
      expect((await ended.post('/api/auth/logout')).status).toBe(204);
      expect(await statusesFor(guarded, ended)).toEqual(all401(guarded));
    });

    it('B1: is shut for a session that ran out', async () => {
      const idle = await app.login('cpa', PASSWORD);
      app.advance(8 * DAY_MS);
      try {
        expect(await statusesFor(guarded, idle)).toEqual(all401(guarded));
      } finally {
        app.advance(-8 * DAY_MS);
      }
      expect((await idle.get('/api/auth/me')).status).toBe(200);
    });

    it('is shut for a deleted account', async () => {
      const { id, caller } = await addUser(app, 'leaver', firm.roles.cpa);
      expect((await app.admin.delete(`/api/users/${id}`)).status).toBe(204);
      expect(await statusesFor(guarded, caller)).toEqual(all401(guarded));
    });
  });

  describe.each(anyEngine)('a token in the address on %s', () => {
    const FILE_OPEN = { 'GET files.open': 200, 'HEAD files.open': 200 };

    it('A14: opens a file in place and nothing else', async () => {
      const statuses = await statusesFor(guarded, app.anonymous, `?view=true&token=${app.admin.token}`);
      expect(statuses).toEqual({ ...all401(guarded), ...FILE_OPEN });
    });

    it.each(['', 'view=false&', 'view=1&', 'view=TRUE&', 'view=true&view=true&'])(
      'A14: opens nothing with "%s"',
      async (view) => {
        const statuses = await statusesFor(guarded, app.anonymous, `?${view}token=${app.admin.token}`);
        expect(statuses).toEqual(all401(guarded));
      },
    );

    it('may be a ticket for that one file', async () => {
      const { body } = await app.admin.post<ViewTicket>('/api/files/1/view-ticket');
      const other = body.url.replace('/api/files/1?', '/api/files/2?');
      expect((await app.anonymous.fetch(other)).status).toBe(401);
      expect(await statusesFor(guarded, new Caller(app.origin, body.ticket))).toEqual(all401(guarded));
      // Once: HEAD comes after GET here, and finds the ticket used.
      const statuses = await statusesFor(guarded, app.anonymous, `?view=true&token=${body.ticket}`);
      expect(statuses).toEqual({ ...all401(guarded), 'GET files.open': 200 });
    });

    it('A14: is in no line of the log, and neither is the cookie', async () => {
      const { body } = await app.admin.post<ViewTicket>('/api/files/1/view-ticket');
      await app.anonymous.fetch(body.url).then((response) => response.text());
      await app.anonymous.fetch(`/api/files/1?view=true&token=${app.admin.token}`).then((response) => response.text());
      const cookie = await fileCookie();
      await app.anonymous.fetch('/api/files/1/view', { headers: { cookie } }).then((response) => response.text());
      // Refusals and faults have more detail.
      await app.anonymous.fetch(`/api/clients?token=${app.admin.token}`, { headers: { cookie } });
      await app.admin.fetch(`/api/clients/999999?token=${app.admin.token}`, { headers: { cookie } });
      const lines = JSON.stringify(app.log);
      expect(lines).toContain('/api/files/1');
      expect(lines).toContain('/api/clients/999999');
      for (const secret of [body.ticket, app.admin.token, cookie.slice(cookie.indexOf('=') + 1)]) {
        expect(lines).not.toContain(secret);
      }
    });
  });

  it('A15: the cookie of the sign-in opens files by GET and HEAD and does nothing else', async () => {
    const cookie = await fileCookie();
    const opened = OPENS_FILES.flatMap((name) => methodsOf(name).map((method) => [`${method} ${name}`, 200]));
    const statuses = await statusesFor(guarded, app.anonymous, '', { cookie });
    expect(statuses).toEqual({ ...all401(guarded), ...Object.fromEntries(opened) });
    const value = cookie.slice(cookie.indexOf('=') + 1);
    expect(await statusesFor(guarded, new Caller(app.origin, value))).toEqual(all401(guarded));
  });

  it('A15: the token as bearer is let in at every address', async () => {
    const { caller } = await addUser(app, 'everywhere', firm.roles.bookkeeper);
    const last: EndpointName = 'session.logout';
    for (const name of [...guarded.filter((each) => each !== last), last]) {
      for (const method of methodsOf(name)) {
        const { status } = await request(name, method, caller);
        expect(`${method} ${name} ${status}`).not.toMatch(/401$/);
      }
    }
    expect((await caller.get('/api/auth/me')).status).toBe(401);
  });

  describe('answers', () => {
    const id = async (answer: Promise<Answer<unknown>>) => (await answer).body as { id: number };
    const aClient = () => id(app.admin.post('/api/clients', clientInput('Short Lived LLC')));
    const aType = (name: string) => id(app.admin.post('/api/report-types', { name }));
    const aRole = (name: string) => id(app.admin.post('/api/roles', { name }));
    const person = (username: string, more = {}) => ({
      username,
      fullName: 'A Person',
      roleId: firm.roles.cpa,
      ...more,
    });
    const aUser = (username: string) => id(app.admin.post('/api/users', person(username, { password: PASSWORD })));
    const aFile = () => {
      const fields = { clientId: firm.clients[0], fileType: 'report', reportTypeId: firm.reportTypes[0] };
      return app.admin.upload<{ id: number }>({ fields });
    };

    /** An order for a file whose year is over. */
    const aDueFile = async () => {
      await app.admin.put('/api/retention/rules', { reportTypeId: firm.reportTypes[0], years: 1 });
      const fields = {
        clientId: firm.clients[0],
        fileType: 'report',
        reportTypeId: firm.reportTypes[0],
        period: '2001',
      };
      const { body } = await app.admin.upload<{ id: number }>({ fields });
      return { ids: [body.id], expected: 1 };
    };
    const aDisposal = async () =>
      (await app.admin.post<{ id: number }>('/api/retention/disposals', await aDueFile())).body.id;
    const aHold = async () =>
      app.admin.post<{ id: number }>('/api/holds', { kind: 'file', id: (await aFile()).body.id, reason: 'An audit' });

    const anArchive = async (state: 'ready' | 'failed') => {
      const { body: me } = await app.admin.get<{ id: number }>('/api/auth/me');
      return insertTestArchive(app, { ownerId: me.id, fileIds: [1], state });
    };
    const aBatch = async (state: 'adding' | 'review' | 'released' = 'review') => {
      const { body: me } = await app.admin.get<{ id: number }>('/api/auth/me');
      const place = { clientId: firm.clients[0], reportTypeId: firm.reportTypes[0] };
      const documents: Record<typeof state, TestDocument[]> = {
        adding: [],
        review: [
          { from: 1, to: 2, state: 'accepted', ...place },
          { from: 3, to: 4, state: 'toCheck', ...place },
        ],
        released: [{ from: 1, to: 4, state: 'released', releasedFileId: (await aFile()).body.id, ...place }],
      };
      return insertTestBatch(app, { ownerId: me.id, state, documents: documents[state] });
    };
    const aSuggestion = async (words: string) => {
      const { body: me } = await app.admin.get<{ id: number }>('/api/auth/me');
      return insertTestSuggestion(app, { kind: 'type', id: firm.reportTypes[0], ownerId: me.id, words });
    };
    const aRequest = (state: ItemState, closed = false) =>
      insertTestRequest(app, { clientId: firm.clients[0], states: [state], closed });
    const anItem = async (state: ItemState) => (await aRequest(state)).itemIds[0];
    const asked = { title: 'Year-end package', message: '', dueOn: null, items: [{ name: 'Forms W-9', note: '' }] };
    const template = (name: string) => ({ name, items: asked.items });
    const aLockedFile = async () => {
      const { body: me } = await app.admin.get<{ id: number }>('/api/auth/me');
      return insertTestBatch(app, { ownerId: me.id, state: 'review', ...(await lockedFile('sesame')) });
    };
    const ofDocument = async (nth: number, act: string, body: (id: number) => unknown) => {
      const { id: batchId, documentIds } = await aBatch();
      return app.admin.post(`/api/batches/${batchId}/documents/${act}`, body(documentIds[nth] ?? 0));
    };
    const expectationOf = ({ clients: [clientId], reportTypes: [reportTypeId] }: Firm) => ({
      clientId,
      reportTypeId,
      frequency: 'quarterly',
      dueDays: 31,
      starts: null,
    });
    const aJob = (state: JobState) => insertTestJob(app.database, { state });

    const invited = async (username: string) => {
      const invitation = randomBytes(32).toString('base64url');
      await app.admin.post('/api/users', person(username, { password: null, invitation }));
      return invitation;
    };

    /** What each call answers when it succeeds, as the tables of docs/behaviour.md say it, repeated here by hand. */
    const done: Record<
      Exclude<EndpointName, SafeguardsName>,
      readonly [status: number, call: () => Promise<Answer>]
    > = {
      'session.login': [200, () => app.anonymous.post('/api/auth/login', { username: 'cpa', password: PASSWORD })],
      'session.invitation': [
        200,
        async () => app.anonymous.post('/api/auth/invitation', { token: await invited('asker') }),
      ],
      'session.join': [
        200,
        async () =>
          app.anonymous.post('/api/auth/join', { token: await invited('joiner'), newPassword: 'one of my own' }),
      ],
      'session.forgotten': [204, () => app.anonymous.post('/api/auth/forgotten', { username: 'cpa' })],
      'session.logout': [204, async () => (await app.login('cpa', PASSWORD)).post('/api/auth/logout')],
      'session.me': [200, () => app.admin.get('/api/auth/me')],
      'session.preferences': [200, () => app.admin.put('/api/auth/preferences', { density: 'compact' })],
      'session.password': [
        200,
        async () => {
          await aUser('changer');
          const changer = await app.login('changer', PASSWORD);
          return changer.post('/api/auth/password', { currentPassword: PASSWORD, newPassword: 'another one' });
        },
      ],
      'session.events': [200, () => app.admin.get('/api/auth/events')],
      'session.jobs': [200, () => app.admin.get('/api/session/jobs')],
      'session.devices': [200, () => app.admin.get('/api/auth/sessions')],
      'session.end-others': [204, async () => (await app.login('cpa', PASSWORD)).delete('/api/auth/sessions')],
      'session.end': [
        204,
        async () => {
          const own = await app.login('clientB', PASSWORD);
          const { body } = await own.get<{ id: number; current: boolean }[]>('/api/auth/sessions');
          return own.delete(`/api/auth/sessions/${body.find(({ current }) => current)?.id}`);
        },
      ],
      'users.list': [200, () => app.admin.get('/api/users')],
      'users.get': [200, () => app.admin.get(`/api/users/${firm.users.cpa}`)],
      'users.create': [201, () => app.admin.post('/api/users', person('newcomer', { password: PASSWORD }))],
      'users.import': [
        200,
        () => {
          const row = { username: 'listed', fullName: 'Listed', role: 'CPA', password: PASSWORD };
          return app.admin.post('/api/users/import', { rows: [row] });
        },
      ],
      'users.update': [
        200,
        async () =>
          app.admin.put(`/api/users/${(await aUser('renamed')).id}`, person('renamed.once', { password: '' })),
      ],
      'users.delete': [204, async () => app.admin.delete(`/api/users/${(await aUser('deleted')).id}`)],
      'users.client-access': [200, () => app.admin.get(`/api/users/${firm.users.cpa}/client-access`)],
      'users.report-access': [200, () => app.admin.get(`/api/users/${firm.users.cpa}/report-access`)],
      'users.look': [201, () => app.admin.post(`/api/users/${firm.users.cpa}/look`)],
      'users.withdraw-invitation': [
        204,
        async () => {
          await invited('withdrawn');
          const { body } = await app.admin.get<{ id: number }[]>('/api/users?q=withdrawn');
          return app.admin.delete(`/api/users/${body[0]?.id}/invitation`);
        },
      ],
      'roles.list': [200, () => app.admin.get('/api/roles')],
      'roles.create': [201, () => app.admin.post('/api/roles', { name: 'Auditor' })],
      'roles.update': [
        200,
        async () => app.admin.put(`/api/roles/${(await aRole('Renamed')).id}`, { name: 'Renamed once' }),
      ],
      'roles.delete': [204, async () => app.admin.delete(`/api/roles/${(await aRole('Deleted')).id}`)],
      'permissions.list': [200, () => app.admin.get('/api/permissions')],
      'permissions.update': [
        200,
        async () => {
          const { id: roleId } = await aRole('Granted');
          return app.admin.put('/api/permissions', { roleId, capabilities: ['activity.read'], reach: 'all' });
        },
      ],
      'permissions.user': [200, () => app.admin.get(`/api/permissions/users/${firm.users.cpa}`)],
      'permissions.client': [200, () => app.admin.get(`/api/permissions/clients/${firm.clients[0]}`)],
      'clients.list': [200, () => app.admin.get('/api/clients')],
      'clients.get': [200, () => app.admin.get(`/api/clients/${firm.clients[0]}`)],
      'clients.create': [201, () => app.admin.post('/api/clients', clientInput('New Client LLC'))],
      'clients.import': [200, () => app.admin.post('/api/clients/import', { rows: [clientInput('Listed LLC')] })],
      'clients.update': [
        200,
        async () => app.admin.put(`/api/clients/${(await aClient()).id}`, clientInput('Renamed LLC')),
      ],
      'clients.removal': [200, () => app.admin.get(`/api/clients/${firm.clients[0]}/removal`)],
      'clients.delete': [204, async () => app.admin.delete(`/api/clients/${(await aClient()).id}`)],
      'clients.restore': [
        200,
        async () => {
          const { id: deleted } = await aClient();
          await app.admin.delete(`/api/clients/${deleted}`);
          return app.admin.post(`/api/clients/${deleted}/restore`);
        },
      ],
      'clients.purge': [
        204,
        async () => {
          const { id: deleted } = await aClient();
          await app.admin.delete(`/api/clients/${deleted}`);
          return app.admin.post(`/api/clients/${deleted}/purge`);
        },
      ],
      'report-types.list': [200, () => app.admin.get('/api/report-types')],
      'report-types.create': [201, () => app.admin.post('/api/report-types', { name: 'Form W-3' })],
      'report-types.import': [200, () => app.admin.post('/api/report-types/import', { rows: [{ name: 'Form 945' }] })],
      'report-types.update': [
        200,
        async () => app.admin.put(`/api/report-types/${(await aType('Misspelt')).id}`, { name: 'Spelt right' }),
      ],
      'report-types.save-phrases': [
        200,
        async () =>
          app.admin.put(`/api/report-types/${(await aType('Recognised')).id}/phrases`, { phrases: ['Hours by week'] }),
      ],
      'report-types.delete': [204, async () => app.admin.delete(`/api/report-types/${(await aType('Gone')).id}`)],
      'files.list': [200, () => app.admin.get('/api/files')],
      'files.export': [200, () => app.admin.get('/api/files/export')],
      'files.news': [200, () => app.admin.get('/api/files/news')],
      'files.archive': [200, () => app.admin.post('/api/files/archive', { ids: [1] })],
      'archives.list': [200, () => app.admin.get('/api/archives')],
      'archives.order': [201, () => app.admin.post('/api/archives', { ids: [1] })],
      'archives.open': [200, async () => app.admin.get(`/api/files/archives/${await anArchive('ready')}/download`)],
      'archives.retry': [200, async () => app.admin.post(`/api/archives/${await anArchive('failed')}/retry`)],
      'archives.delete': [204, async () => app.admin.delete(`/api/archives/${await anArchive('ready')}`)],
      'batches.list': [200, () => app.admin.get('/api/batches')],
      'batches.create': [201, () => app.admin.post('/api/batches', { name: 'Pay run' })],
      'batches.get': [200, async () => app.admin.get(`/api/batches/${(await aBatch()).id}`)],
      'batches.add-file': [
        201,
        async () => app.admin.upload({ path: `/api/batches/${(await aBatch('adding')).id}/files`, fields: {} }),
      ],
      'batches.leave-out': [
        200,
        async () =>
          app.admin.post(`/api/batches/${(await aBatch('adding')).id}/left-out`, {
            files: [{ name: 'a.txt', reason: 'empty' }],
          }),
      ],
      'batches.unlock-file': [
        200,
        async () => {
          const { id, fileId } = await aLockedFile();
          return app.admin.post(`/api/batches/${id}/files/password`, { fileId, password: 'sesame' });
        },
      ],
      'batches.read': [200, async () => app.admin.post(`/api/batches/${(await aBatch('adding')).id}/read`)],
      'batches.documents': [200, async () => app.admin.get(`/api/batches/${(await aBatch()).id}/documents`)],
      'batches.decide': [200, () => ofDocument(0, 'decide', (id) => ({ ids: [id], period: '2026' }))],
      'batches.split': [200, () => ofDocument(0, 'split', (documentId) => ({ documentId, page: 2 }))],
      'batches.join': [200, () => ofDocument(1, 'join', (documentId) => ({ documentId }))],
      'batches.open-file': [200, async () => app.admin.get(`/api/files/batches/${(await aBatch()).fileId}/content`)],
      'batches.release': [200, async () => app.admin.post(`/api/batches/${(await aBatch()).id}/release`, {})],
      'batches.recall': [
        200,
        async () => app.admin.post(`/api/batches/${(await aBatch('released')).id}/recall`, { reason: 'Wrong company' }),
      ],
      'batches.accesses': [200, async () => app.admin.get(`/api/batches/${(await aBatch('released')).id}/accesses`)],
      'batches.certificate': [
        200,
        async () => app.admin.get(`/api/batches/${(await aBatch('released')).id}/certificate`),
      ],
      'batches.discard': [204, async () => app.admin.delete(`/api/batches/${(await aBatch()).id}`)],
      'suggestions.list': [200, () => app.admin.get('/api/suggestions')],
      'suggestions.accept': [
        204,
        async () => app.admin.post(`/api/suggestions/${await aSuggestion('Hours of crews')}/accept`),
      ],
      'suggestions.remove': [
        204,
        async () => app.admin.delete(`/api/suggestions/${await aSuggestion('Hours of shifts')}`),
      ],
      'requests.list': [200, () => app.admin.get('/api/requests')],
      'requests.summary': [200, () => app.admin.get('/api/requests/summary')],
      'requests.create': [201, () => app.admin.post('/api/requests', { ...asked, clientIds: [firm.clients[0]] })],
      'requests.get': [200, async () => app.admin.get(`/api/requests/${(await aRequest('sent')).id}`)],
      'requests.update': [200, async () => app.admin.put(`/api/requests/${(await aRequest('open')).id}`, asked)],
      'requests.close': [200, async () => app.admin.post(`/api/requests/${(await aRequest('open')).id}/close`)],
      'requests.reopen': [200, async () => app.admin.post(`/api/requests/${(await aRequest('open', true)).id}/reopen`)],
      'requests.send-file': [
        201,
        async () =>
          firm.viewers.clientA.upload({ path: `/api/request-items/${await anItem('open')}/files`, fields: {} }),
      ],
      'requests.say-not': [
        200,
        async () =>
          firm.viewers.clientA.post(`/api/request-items/${await anItem('open')}/does-not-apply`, { note: '' }),
      ],
      'requests.decide': [
        200,
        async () => app.admin.post(`/api/request-items/${await anItem('sent')}/decide`, { decision: 'accept' }),
      ],
      'requests.templates': [200, () => app.admin.get('/api/request-templates')],
      'requests.create-template': [201, () => app.admin.post('/api/request-templates', template('Year-end'))],
      'requests.update-template': [
        200,
        async () =>
          app.admin.put(`/api/request-templates/${await insertTestTemplate(app, 'before')}`, template('After')),
      ],
      'requests.delete-template': [
        204,
        async () => app.admin.delete(`/api/request-templates/${await insertTestTemplate(app, 'gone')}`),
      ],
      'firm-settings.get': [200, () => app.admin.get('/api/firm-settings')],
      'firm-settings.update': [200, () => app.admin.put('/api/firm-settings', { fourEyes: false })],
      'completeness.board': [200, () => app.admin.get('/api/completeness?period=2026-Q3')],
      'completeness.export': [200, () => app.admin.get('/api/completeness/export?period=2026-09')],
      'completeness.summary': [200, () => app.admin.get('/api/completeness/summary?period=2026')],
      'completeness.propose': [200, () => app.admin.post('/api/completeness/proposals', {})],
      'completeness.save-many': [
        200,
        () => app.admin.post('/api/completeness/expectations', { expectations: [expectationOf(firm)] }),
      ],
      'completeness.list': [200, () => app.admin.get(`/api/clients/${firm.clients[0]}/expectations`)],
      'completeness.save': [
        200,
        () => app.admin.put(`/api/clients/${firm.clients[0]}/expectations`, { expectations: [] }),
      ],
      'files.marked': [200, () => app.admin.get('/api/files/marked')],
      'files.readers': [200, () => app.admin.get('/api/files/readers?ids=1')],
      'files.settle-mark': [
        204,
        async () => {
          const { id } = (await aFile()).body;
          const mark = { file_id: id, state: 'open' as const, created_at: 1 };
          await app.database.transaction((tx) => tx.insertInto('file_marks').values(mark).execute());
          return app.admin.post(`/api/files/${id}/settle-mark`);
        },
      ],
      'files.facts': [200, () => app.admin.get('/api/files/1/facts')],
      'files.already-there': [
        200,
        () =>
          app.admin.post('/api/files/already-there', {
            files: [{ clientId: firm.clients[0], fileType: 'company_document', name: 'Nothing.pdf', size: 1 }],
          }),
      ],
      'files.upload': [201, aFile],
      'files.search-inside': [200, () => app.admin.get('/api/files/inside?q=report')],
      'files.open': [200, () => app.admin.get('/api/files/1')],
      'files.download': [200, () => app.admin.get('/api/files/1/download')],
      'files.view': [200, () => app.admin.get('/api/files/1/view')],
      'files.view-ticket': [201, () => app.admin.post('/api/files/1/view-ticket')],
      'files.periods': [200, () => app.admin.get(`/api/files/periods?clientId=${firm.clients[0]}`)],
      'files.set-period': [
        200,
        async () => app.admin.put('/api/files/period', { ids: [(await aFile()).body.id], period: '2026-Q1' }),
      ],
      'files.refile': [
        200,
        async () => app.admin.put(`/api/files/${(await aFile()).body.id}`, { fileType: 'company_document' }),
      ],
      'files.delete': [204, async () => app.admin.delete(`/api/files/${(await aFile()).body.id}`)],
      'files.restore': [
        200,
        async () => {
          const { body } = await aFile();
          await app.admin.delete(`/api/files/${body.id}`);
          return app.admin.post(`/api/files/${body.id}/restore`);
        },
      ],
      'retention.list': [200, () => app.admin.get('/api/retention')],
      'retention.rules': [200, () => app.admin.get('/api/retention/rules')],
      'retention.save-rule': [200, () => app.admin.put('/api/retention/rules', { reportTypeId: null, years: null })],
      'retention.dispose': [201, async () => app.admin.post('/api/retention/disposals', await aDueFile())],
      'retention.disposals': [200, () => app.admin.get('/api/retention/disposals')],
      'retention.certificate': [
        200,
        async () => app.admin.get(`/api/retention/disposals/${await aDisposal()}/certificate`),
      ],
      'retention.export': [200, async () => app.admin.get(`/api/retention/disposals/${await aDisposal()}/export`)],
      'retention.decide-rest': [
        200,
        async () => {
          const disposal = await aDisposal();
          const { body } = await app.admin.get<{ id: number; kind: string }[]>('/api/jobs');
          await app.admin.post(`/api/jobs/${body.find(({ kind }) => kind === 'retention.dispose')?.id}/cancel`);
          return app.admin.post(`/api/retention/disposals/${disposal}/rest`, { decision: 'leave' });
        },
      ],
      'holds.list': [200, () => app.admin.get('/api/holds')],
      'holds.place': [201, aHold],
      'holds.lift': [204, async () => app.admin.post(`/api/holds/${(await aHold()).body.id}/lift`)],
      'files.purge': [
        204,
        async () => {
          const { body } = await aFile();
          await app.admin.delete(`/api/files/${body.id}`);
          return app.admin.post(`/api/files/${body.id}/purge`);
        },
      ],
      'trash.list': [200, () => app.admin.get('/api/trash')],
      'activity.list': [200, () => app.admin.get('/api/activity-logs')],
      'activity.export': [200, () => app.admin.get('/api/activity-logs/export')],
      'activity.announce': [201, () => app.admin.post('/api/activity-logs', { action: 'view', fileId: 1 })],
      'overview.get': [200, () => app.admin.get('/api/overview')],
      'overview.first-steps': [200, () => app.admin.get('/api/overview/first-steps')],
      'overview.dismiss-first-steps': [200, () => app.admin.put('/api/overview/first-steps', { dismissed: false })],
      'changes.follow': [200, () => app.admin.get('/api/events')],
      'jobs.list': [200, () => app.admin.get('/api/jobs')],
      'jobs.retry': [200, async () => app.admin.post(`/api/jobs/${(await aJob('failed')).id}/retry`)],
      'jobs.cancel': [200, async () => app.admin.post(`/api/jobs/${(await aJob('waiting')).id}/cancel`)],
      'mail.facts': [200, () => app.admin.get('/api/mail')],
      'mail.list': [200, () => app.admin.get('/api/mail/messages')],
      'mail.retry': [
        200,
        async () =>
          app.admin.post(`/api/mail/messages/${(await insertTestMail(app.database, { state: 'failed' })).id}/retry`),
      ],
      'system.facts': [200, () => app.admin.get('/api/system')],
      'mail.test': [201, () => app.admin.post('/api/mail/test', { to: 'rosa@example.com' })],
      'digests.own': [200, () => app.admin.get('/api/digests')],
      'digests.choose': [200, () => app.admin.put('/api/digests', { topic: 'reports', pace: 'daily' })],
      'digests.usual': [200, () => app.admin.get('/api/digests/usual')],
      'digests.set-usual': [200, () => app.admin.put('/api/digests/usual', { clients: { reports: 'daily' } })],
      'digests.end-page': [200, () => app.anonymous.get('/api/digests/end?token=reports.v1.nobody')],
      'digests.end': [
        204,
        async () => {
          const sealer = openSealer(app.config.secretsKeyFile);
          return app.anonymous.post(`/api/digests/end?token=${await endingLink(sealer, 'reports', firm.users.cpa)}`);
        },
      ],
      'unopened.list': [200, () => app.admin.get('/api/unopened')],
      'unopened.remind': [200, () => app.admin.post('/api/unopened/reminders', {})],
      'docs.openapi': [200, () => app.admin.get('/api/openapi.json')],
      'docs.page': [200, () => app.admin.get('/api/docs')],
    };

    it.each(Object.keys(done) as (keyof typeof done)[])(
      'A19: of %s are as the contract says, and hold no secret',
      async (name) => {
        const [status, call] = done[name];
        const answer = await call();
        expect({ status: answer.status, said: status === answer.status || answer.body }).toEqual({
          status,
          said: true,
        });
        expect(endpointOf(name).status).toBe(status);
        const { answer: kindOfAnswer } = endpointOf(name);
        const output: ZodType | undefined = endpointOf(name).output;
        switch (kindOfAnswer) {
          case 'nothing':
            expect(answer.body).toBeUndefined();
            break;
          case 'list':
            expect(Number(answer.headers.get('x-total-count'))).toBe((answer.body as unknown[]).length);
            break;
          case 'document':
            expect(answer.headers.get('content-type')?.split(';')[0]).toBe(endpointOf(name).contentType);
            break;
          default:
            expect(answer.body).toBeDefined();
        }
        // Parsing an answer with its schema changes nothing: nothing is missing and nothing is added.
        if (output) expect(output.parse(answer.body)).toEqual(answer.body);
        // The description names the fields that are sent, passwords among them; it holds none.
        if (name !== 'docs.openapi') expect(keysOf(answer.body).filter(isSecret)).toEqual([]);
        if (endpointOf(name).holdsNoSecret && !name.startsWith('docs.')) {
          expect(textsOf(answer.body).filter((text) => LOOKS_RANDOM.test(text))).toEqual([]);
        }
      },
    );

    it('of every kind of refusal hold a message, a code, a request id and at most the faulty fields', async () => {
      const refusals = [
        await app.anonymous.get('/api/clients'),
        await app.anonymous.post('/api/auth/login', { username: 'cpa', password: 'wrong' }),
        await app.admin.post('/api/users', { password: 'x', passwordHash: 'x' }),
        await firm.viewers.clientA.delete(`/api/users/${firm.users.cpa}`),
        await firm.viewers.clientA.get(`/api/files/${firm.files.f2.id}`),
        await app.admin.post('/api/roles', { name: 'admin' }),
        await app.admin.send('POST', '/api/roles', 'not an object'),
      ];
      expect(refusals.map(({ status }) => status)).toEqual([401, 401, 400, 403, 404, 409, 400]);
      for (const { body, headers } of refusals) {
        const { message, code, requestId, fields, ...more } = body as ErrorBody;
        expect(more).toEqual({});
        expect(errorCatalogue[code]).toBeDefined();
        expect(message).toMatch(/\S/);
        expect(requestId).toMatch(/\S/);
        expect(headers.get('content-type')).toMatch(/^application\/json/);
        for (const fault of Object.values(fields ?? {})) expect(fault).toMatch(/\S/);
        expect(JSON.stringify(body)).not.toMatch(/argon2|\bat .+:\d+:\d+/);
      }
    });
  });
});
