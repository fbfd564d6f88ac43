// Mounts the contract: every endpoint once, behind the same guards, read and answered the same way.

import multipart from '@fastify/multipart';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { api, type Endpoint, type EndpointName, servesLooks } from '#contract/api.ts';
import { Refusal, refuse } from '#contract/errors.ts';
import { guardRoute, isPublic } from '#contract/policy.ts';
import type { SecurityLog } from '../audit/security-events.ts';
import { sessionOf } from '../people/access/credential.ts';
import type { Principal } from '../people/access/principal.ts';
import type { ReadScope, Scopes } from '../people/access/scope.ts';
import { callerOf, type Viewer } from '../people/access/viewer.ts';
import type { SessionLookup } from '../people/auth/session-lookup.ts';
import type { Admission } from '../platform/admission/admission.ts';
import type { FairTurns } from '../platform/admission/fair-turns.ts';
import { KnownCallers } from '../platform/admission/known-callers.ts';
import type { NotePerson } from '../platform/admission/open-connections.ts';
import type { Clock } from '../platform/clock.ts';
import type { JsonPage, Page } from '../platform/db/list.ts';
import { hasBody } from '../platform/http/body-pace.ts';
import { compress } from '../platform/http/compress.ts';
import { abortOnRevocation } from './abort-on-revocation.ts';
import { authenticate, bearerToken } from './authenticate.ts';
import { bodyLimitOf } from './body-limit.ts';
import { noteDenied } from './note-denied.ts';
import { readInput } from './read-input.ts';
import { multipartOptions } from './receive-upload.ts';
import type { Handler } from './route.ts';
import { listInTurns, serializerOf } from './serializers.ts';

export type AllHandlers = { readonly [Name in EndpointName]: Handler<Name> };

/** A handler as the mount calls it: where it is written, the types bind it to its endpoint. */
type AnyHandler = (call: {
  input: unknown;
  request: FastifyRequest;
  reply: FastifyReply;
  viewer?: Viewer;
  read?: unknown;
  principal?: Principal;
  onlyWhile?: unknown;
}) => Promise<unknown>;

declare module 'fastify' {
  interface FastifyRequest {
    viewer: Viewer | null;
  }
  interface FastifyContextConfig {
    /** Absent for routes outside the contract. */
    endpoint?: EndpointName;
  }
}

const JSON_TYPE = 'application/json; charset=utf-8';

async function answer(endpoint: Endpoint, result: unknown, reply: FastifyReply): Promise<unknown> {
  switch (endpoint.answer) {
    case 'list': {
      const page = result as Page<unknown> | JsonPage;
      reply.header('x-total-count', page.total);
      if (page.more) reply.header('x-total-more', 'true');
      if ('json' in page) return reply.type(JSON_TYPE).send(page.json);
      if (endpoint.output === undefined) return page.rows;
      return reply.type(JSON_TYPE).send(await listInTurns(page.rows, serializerOf(endpoint.output)));
    }
    case 'nothing':
      return reply.status(204).send();
    case 'html':
      return reply.type('text/html; charset=utf-8').send(result);
    case 'bytes':
    case 'document':
      // The handler has sent them, and to wait for the reply is to wait until they are gone.
      return reply;
    case 'events':
      // The stream has begun. It may last for hours, and nothing waits for its end.
      return undefined;
    case 'value':
      reply.status(endpoint.status);
      return result;
  }
}

/**
 * What mail programs send for List-Unsubscribe (RFC 8058 asks for the second and lets them send the first); no other endpoint takes
 * it, since a page elsewhere may have a browser send it. By name the second would be an upload, which may take its time.
 */
const FORM = /^(?:application\/x-www-form-urlencoded|multipart\/form-data)(?:;|$)/;

/** Bodies are read as they come. Which coding is taken is in the answer, as RFC 9110 (15.5.16) has it. */
function refuseCodedBody(request: FastifyRequest, reply: FastifyReply): void {
  if (/^(?:identity)?$/i.test(request.headers['content-encoding'] ?? '') || !hasBody(request)) return;
  reply.header('accept-encoding', 'identity');
  throw new Refusal(
    'unsupported_type',
    'A body with a Content-Encoding is not accepted here. Please send it uncompressed.',
  );
}

/** Fastify asks for a schema before it asks for what writes by it. */
const writtenBy = (status: number, serialize: ReturnType<typeof serializerOf>) => ({
  schema: { response: { [status]: {} } },
  serializerCompiler: () => serialize,
});

/** Whether somebody may still do all that they could when the request came. */
function hasSameRights(before: Viewer, now: Viewer): boolean {
  const held = ({ capabilities }: Viewer) => [...capabilities].sort().join();
  return before.reach === now.reach && held(before) === held(now);
}

interface Call {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly input: unknown;
  readonly viewer: Viewer;
}

/** What must never wait behind what one's session, or somebody with its token, has ordered. */
const OF_SESSIONS: ReadonlySet<EndpointName> = new Set([
  'session.me',
  'session.logout',
  'session.end',
  'session.end-others',
]);

/** Where the work of an endpoint takes its place, once its person is known and its body is there. */
function shareOf(name: EndpointName, { answer: kind, upload }: Endpoint, admission: Admission): FairTurns {
  if (OF_SESSIONS.has(name)) return admission.sessions;
  if (upload) return admission.uploads;
  if (kind === 'bytes') return admission.files;
  return kind === 'document' ? admission.documents : admission.requests;
}

export function mount(
  app: FastifyInstance,
  guards: {
    readonly handlers: AllHandlers;
    readonly sessions: SessionLookup;
    readonly scopes: Scopes;
    readonly admission: Admission;
    readonly notePerson: NotePerson;
    readonly securityLog: SecurityLog;
    readonly safeguards: boolean;
    readonly clock: Clock;
  },
): void {
  app.decorateRequest('viewer', null);
  const { admission } = guards;
  const known = new KnownCallers();
  for (const name of Object.keys(api) as EndpointName[]) {
    const described: Endpoint = api[name];
    const { strictBody } = described;
    const endpoint: Endpoint = guards.safeguards && strictBody ? { ...described, body: strictBody } : described;
    const absent = endpoint.safeguardsOnly === true && !guards.safeguards;
    const handler = guards.handlers[name] as AnyHandler;
    const open = isPublic(endpoint.action);
    const sendsBytes = endpoint.answer === 'bytes' || endpoint.answer === 'document';
    const share = shareOf(name, endpoint, admission);
    /** Who is calling, as of now; refuses anyone who may not try. */
    const identify = async (request: FastifyRequest): Promise<Viewer> => {
      const viewer = await authenticate(request, name, guards.sessions);
      known.remember(bearerToken(request));
      guards.notePerson(request.raw.socket, callerOf(viewer).id);
      // Also for refused callers: the refusal is recorded against them.
      request.viewer = viewer;
      if (viewer.look !== null && !servesLooks(endpoint)) throw refuse('look_reads_only', viewer.look);
      guardRoute(viewer, endpoint.action);
      return viewer;
    };
    const admit = (request: FastifyRequest): Promise<Viewer> =>
      admission.arrivals.run(known.keyOf(bearerToken(request), request.ip), request.raw.socket, () =>
        identify(request),
      );
    /** Once more, from a place: where there are few of them, whoever has one waits for nobody who has only come. */
    const admitAgain = share === admission.requests || share === admission.sessions ? identify : admit;
    const serve = async ({ request, reply, input, viewer }: Call) => {
      let holds = async ({ viewer: now }: ReadScope) => hasSameRights(viewer, now);
      if (sendsBytes) {
        abortOnRevocation(reply, guards.clock, async () => {
          const now = await guards.sessions.bySession(sessionOf(viewer).sessionId);
          return now !== null && holds(guards.scopes.read(now));
        });
      }
      const result = await handler({
        input,
        request,
        reply,
        viewer,
        read: guards.scopes.read(viewer),
        principal: {
          read: async () => guards.scopes.read(await admit(request)),
          change: (action, work) => guards.scopes.change(viewer, action, work),
        },
        onlyWhile: (condition: typeof holds) => {
          holds = condition;
        },
      });
      return answer(endpoint, result, reply);
    };
    const route: RouteOptions = {
      method: endpoint.answer === 'bytes' ? [endpoint.method, 'HEAD'] : endpoint.method,
      url: endpoint.path.replace('{id}', ':id'),
      exposeHeadRoute: endpoint.answer !== 'bytes',
      config: { endpoint: name },
      bodyLimit: bodyLimitOf(endpoint),
      ...(endpoint.output ? writtenBy(endpoint.status, serializerOf(endpoint.output)) : {}),
      ...(endpoint.holdsNoSecret ? { onSend: compress } : {}),
      // Before the body is read: a refused caller costs nothing more.
      onRequest: async (request, reply) => {
        reply.header('cache-control', 'no-store');
        if (!open) await admit(request);
        refuseCodedBody(request, reply);
      },
      handler: async (request, reply) => {
        const input = await readInput(endpoint, request);
        if (absent) throw refuse('not_found');
        const admitted = request.viewer;
        if (admitted === null) return answer(endpoint, await handler({ input, request, reply }), reply);
        const answered = await share.run(`${callerOf(admitted).id}`, request.raw.socket, async (waited) => {
          // Rights may have ended while the body came, at the sender's pace, or while others had their turns. That of an upload comes to
          // its handler, whose act looks again once it is there.
          const viewer = (hasBody(request) && !endpoint.upload) || waited ? await admitAgain(request) : admitted;
          return serve({ request, reply, input, viewer });
        });
        return endpoint.answer === 'events' ? reply : answered;
      },
    };
    // An absent endpoint does not exist, so nothing was tried.
    const mounted = absent ? route : noteDenied(route, name, guards.securityLog);
    register(app, mounted, endpoint);
  }
}

/** Gives the route what reads its body, which no other route gets. */
function register(app: FastifyInstance, route: RouteOptions, endpoint: Endpoint): void {
  if (endpoint.upload) {
    // The reader of forms looks at every request of whatever it is registered on, so it gets this route alone.
    app.register(async (scope) => {
      await scope.register(multipart, multipartOptions);
      scope.route(route);
    });
  } else if (endpoint.takesForm) {
    app.register(async (scope) => {
      scope.addContentTypeParser(FORM, { parseAs: 'buffer' }, (_request, _body, done) => done(null, undefined));
      scope.route(route);
    });
  } else {
    app.route(route);
  }
}
