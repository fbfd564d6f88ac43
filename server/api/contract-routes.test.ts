// The mounted routes against the contract: every endpoint is mounted once, and described as it is.
import diagnostics from 'node:diagnostics_channel';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { EndpointName } from '#contract/api.ts';
import { type ErrorBody, type ErrorCode, errorCatalogue } from '#contract/errors.ts';
import { compress } from '../platform/http/compress.ts';
import { endpointNames, endpointOf, OPENS_FILES } from '../testing/contract/endpoints.ts';
import { type Firm, makeFirm } from '../testing/firm.ts';
import { mailEnvironment } from '../testing/mail-server.ts';
import { startTestApp, type TestApp } from '../testing/test-app.ts';
import { ANY_DATABASE_KIND } from '../testing/test-database.ts';

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

describe.each(ANY_DATABASE_KIND)('the mounted contract on %s', (kind) => {
  let app: TestApp;
  let routes: MountedRoute[];
  let firm: Firm;
  beforeAll(async () => {
    [app, routes] = await startNotingRoutes(kind, mailEnvironment(25));
    firm = await makeFirm(app);
  });
  afterAll(() => app.close());

  describe(`routes on ${kind}`, () => {
    it('B1: are exactly those the contract names, each once', () => {
      const mounted = routes.filter(({ method, url }) => /^\/api(\/|$)/.test(url) && method !== 'HEAD');
      const named = endpointNames.map((name) => {
        const { method, path } = endpointOf(name);
        return `${method} ${path.replace('{id}', ':id')} ${name}`;
      });
      expect(mounted.map(({ method, url, endpoint }) => `${method} ${url} ${endpoint}`).sort()).toEqual(named.sort());
    });

    it('E16: compress what the contract says holds no secret, and nothing else', () => {
      const compressed = new Set(routes.filter(({ compresses }) => compresses).map(({ endpoint }) => endpoint));
      const secretFree = endpointNames.filter((name) => endpointOf(name).holdsNoSecret === true);
      expect(compressed).toEqual(new Set(secretFree));
      // Who signs in, confirms who they are or sets up a factor gets something that opens.
      const opening = endpointNames.filter((name) =>
        /^(session\.(login|second|password|reauth)|factors\.)|ticket/.test(name),
      );
      expect(opening.filter((name) => secretFree.includes(name))).toEqual([]);
    });

    it('say what their query may hold, where they answer GET, but for the description itself', () => {
      const silent = endpointNames.filter(
        (name) => endpointOf(name).method === 'GET' && endpointOf(name).query === undefined,
      );
      expect(silent).toEqual(['docs.openapi', 'docs.page']);
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

    it('take bodies as they are, and ask for that where one is compressed', async () => {
      const asked = async (path: string, type: string, coding: string) => {
        const headers = { 'content-type': type, 'content-encoding': coding };
        const answer = await app.admin.fetch(path, { method: 'POST', headers, body: '{}' });
        return { status: answer.status, accepts: answer.headers.get('accept-encoding'), body: await answer.json() };
      };
      for (const [path, type] of [
        ['/api/clients', 'application/json'],
        ['/api/files', 'multipart/form-data; boundary=x'],
      ] as const) {
        for (const coding of ['gzip', 'br', 'x']) {
          expect(await asked(path, type, coding)).toMatchObject({
            status: 415,
            accepts: 'identity',
            body: { code: 'unsupported_type', message: expect.stringContaining('send it uncompressed') },
          });
        }
        expect(await asked(path, type, 'identity')).toMatchObject({ status: 400, accepts: null });
      }
      // Who is not signed in is told that alone.
      const { status } = await app.anonymous.fetch('/api/clients', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
        body: '{}',
      });
      expect(status).toBe(401);
    });
  });

  describe(`the description on ${kind}`, () => {
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
      const wanted = endpointNames.map((name) => {
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

    it.each(endpointNames)('describes what %s takes and answers', (name) => {
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
      // Of SQLite its pages and the index of its log, PostgreSQL, and the disk that a log is flushed to.
      for (const fault of [{ errcode: 13 }, { errcode: 4874 }, { code: '53100' }, { code: 'ENOSPC' }]) {
        const full = Object.assign(new Error('no room'), fault);
        const log = vi.spyOn(app.context.services.accessLog, 'record').mockRejectedValueOnce(full);
        const { status, body } = await app.admin.get<ErrorBody>(`/api/files/${firm.files.f1.id}/view`);
        log.mockRestore();
        expect([fault, status, body.code]).toEqual([fault, 507, 'storage_full']);
        expect(body.message).toMatch(/^The server has no space left/);
      }
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
      for (const name of endpointNames) expect(body).toContain(`<tr id="${name}">`);
    });
  });
});
