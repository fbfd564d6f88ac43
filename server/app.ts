// The application without listening: plugins, routes of every feature, the web.
import { randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import { resolve } from 'node:path';
import cookie from '@fastify/cookie';
import { compile as compileTrust } from '@fastify/proxy-addr';
import underPressure from '@fastify/under-pressure';
import Fastify, { type FastifyHttpOptions, type FastifyInstance, type FastifyServerOptions } from 'fastify';
import { refuse } from '#contract/errors.ts';
import { answerError, answerUnreadable } from './api/answer-errors.ts';
import { NO_BODY_BYTES } from './api/body-limit.ts';
import { docsRoutes } from './api/docs.routes.ts';
import { mount } from './api/mount.ts';
import { writeRequestLines } from './api/request-lines.ts';
import { RequestLog } from './api/request-log.ts';
import { RequestMetrics } from './api/request-metrics.ts';
import { serveWeb } from './api/web-files.ts';
import { activityRoutes } from './audit/activity/activity.routes.ts';
import { openChanges } from './audit/changes/changes.routes.ts';
import { batchRoutes } from './batches/batches.routes.ts';
import { suggestionRoutes } from './batches/suggestions/suggestions.routes.ts';
import type { Config } from './config.ts';
import type { Context } from './context.ts';
import { archiveRoutes } from './files/archives/archives.routes.ts';
import { completenessRoutes } from './files/completeness/completeness.routes.ts';
import { fileRoutes } from './files/files.routes.ts';
import { holdRoutes } from './files/holds/holds.routes.ts';
import { retentionRoutes } from './files/retention/retention.routes.ts';
import { trashRoutes } from './files/trash/trash.routes.ts';
import { unopenedRoutes } from './files/unopened/unopened.routes.ts';
import { clientRoutes } from './firm/clients/clients.routes.ts';
import { overviewRoutes } from './firm/overview/overview.routes.ts';
import { reportTypeRoutes } from './firm/report-types/report-types.routes.ts';
import { serveFirmLogo } from './firm/settings/firm-logo.ts';
import { firmSettingsRoutes } from './firm/settings/firm-settings.routes.ts';
import { digestRoutes } from './mail/digests/digests.routes.ts';
import { mailRoutes } from './mail/sending/mail.routes.ts';
import { permissionRoutes } from './people/permissions/permissions.routes.ts';
import { roleRoutes } from './people/roles/roles.routes.ts';
import { factorRoutes } from './people/session/factors.routes.ts';
import { sessionRoutes } from './people/session/session.routes.ts';
import { userRoutes } from './people/users/users.routes.ts';
import { answerInOrder } from './platform/admission/connections.ts';
import { networkOf, sitePrefixOf } from './platform/admission/network.ts';
import { boundConnections } from './platform/admission/open-connections.ts';
import { readInTurns } from './platform/admission/read-in-turns.ts';
import { limitBodies } from './platform/http/body-pace.ts';
import { serveHealth } from './platform/http/health.ts';
import { leaveInOrder } from './platform/http/leave.ts';
import { FaultLog, plainLogger } from './platform/http/log-lines.ts';
import { endQuietReader } from './platform/http/quiet-readers.ts';
import { securityHeaders } from './platform/http/security-headers.ts';
import { WIRE_LIMITS, type WireLimits } from './platform/http/wire-limits.ts';
import { requestRoutes } from './requests/requests.routes.ts';
import { jobRoutes } from './system/jobs.routes.ts';
import { Metrics } from './system/metrics.ts';
import { serveMetrics } from './system/metrics-route.ts';
import { systemRoutes } from './system/system.routes.ts';

const WEB_ROOT = resolve(import.meta.dirname, '../dist/web');
/** When the event loop is later than this, new requests are refused at once. */
const LATE_LOOP_MS = 2_000;
/** Until so long after the server has begun to listen, a late loop is its start's and no reason to refuse a request. */
const START_MS = 5_000;

export async function buildApp(
  context: Context,
  options: {
    readonly logger?: FastifyServerOptions['logger'];
    readonly webRoot?: string;
    /** `WIRE_LIMITS` unless given. */
    readonly limits?: Partial<WireLimits>;
    /** `LATE_LOOP_MS` unless given. */
    readonly lateLoopMs?: number;
    /** Whether all that the start does is done: until then it is not ready. Unless given, it is. */
    readonly hasStarted?: () => boolean;
  } = {},
): Promise<FastifyInstance> {
  const { services, sessions, scopes, admission } = context;
  const { config, clock } = services;
  const headers = securityHeaders(config);
  const limits = { ...WIRE_LIMITS, ...options.limits };
  const app = Fastify(fastifyOptions(config, { logger: options.logger, headers, limits }));

  // An unknown expectation may be ignored (RFC 9110, 10.1.1); Node's own answer would lack all our headers.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  const isTrusted = config.trustProxy ? compileTrust([...config.trustProxy]) : () => false;
  const siteOf = (address: string) => (isTrusted(address, 0) ? null : sitePrefixOf(networkOf(address)));
  const notesOfPeople = [readInTurns(app.server, admission, siteOf), boundConnections(app.server, admission, siteOf)];
  answerInOrder(app.server);
  const changes = openChanges(services, context, {
    beatEveryMs: limits.beatEveryMs,
    tellEveryMs: limits.tellEveryMs,
    onFault: (err) => app.log.warn({ err }, 'changes could not be told'),
  });
  // Before all else: nobody waits for what ends by itself only.
  app.addHook('preClose', () => changes.end());
  leaveInOrder(app, config.drainMs, clock);
  const metrics = new Metrics({
    ...context.monitored,
    admission,
    clock,
    now: services.now,
    onFault: (err) => app.log.warn({ err }, 'what metrics tell of the stores could not be read'),
  });
  const requestMetrics = new RequestMetrics(metrics.samples.registry);
  writeRequestLines(app, clock, (...ended) => requestMetrics.note(...ended));
  app.setErrorHandler(answerError);
  app.removeContentTypeParser('text/plain');
  // Cookies are read only where one opens a file.
  await app.register(cookie, { hook: false });
  let begunMs = performance.now();
  app.addHook('onListen', async () => {
    begunMs = performance.now();
  });
  await app.register(underPressure, {
    maxEventLoopDelay: options.lateLoopMs ?? LATE_LOOP_MS,
    pressureHandler: async () => {
      if (performance.now() - begunMs > START_MS) throw refuse('busy');
    },
  });

  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(headers);
    endQuietReader(reply, clock);
    done();
  });
  app.addHook('preParsing', limitBodies(limits.bodyMs, clock));

  serveHealth(app, () => context.check(), options.hasStarted ?? (() => true));
  serveMetrics(app, config, metrics);
  mount(app, {
    sessions,
    scopes,
    admission,
    notePerson: (connection, personId) => {
      for (const note of notesOfPeople) note(connection, personId);
    },
    securityLog: services.securityLog,
    safeguards: config.safeguards,
    clock,
    handlers: handlersOf(context, changes.handlers),
  });
  serveFirmLogo(app, services);
  await serveWeb(app, options.webRoot ?? WEB_ROOT, services);
  return app;
}

/** What every feature does about the endpoints of its noun. */
function handlersOf(context: Context, changes: ReturnType<typeof openChanges>['handlers']) {
  const { services } = context;
  return {
    ...sessionRoutes(services, context),
    ...factorRoutes(services, context),
    ...userRoutes(services, context),
    ...roleRoutes(services),
    ...permissionRoutes(services),
    ...clientRoutes(services),
    ...reportTypeRoutes(services),
    ...fileRoutes(services),
    ...archiveRoutes(services),
    ...batchRoutes(services),
    ...suggestionRoutes(services),
    ...completenessRoutes(services),
    ...requestRoutes(services),
    ...firmSettingsRoutes(services),
    ...trashRoutes(services),
    ...holdRoutes(services),
    ...retentionRoutes(services),
    ...activityRoutes(services),
    ...overviewRoutes(services),
    ...changes,
    ...jobRoutes(services),
    ...mailRoutes(services),
    ...digestRoutes(services, context),
    ...unopenedRoutes(services),
    ...systemRoutes(services),
    ...docsRoutes(services),
  };
}

function fastifyOptions(
  config: Config,
  {
    logger,
    headers,
    limits,
  }: {
    readonly logger: FastifyServerOptions['logger'];
    readonly headers: ReturnType<typeof securityHeaders>;
    readonly limits: WireLimits;
  },
) {
  return {
    logger: plainLogger(logger),
    logController: new FaultLog(),
    trustProxy: config.trustProxy ? [...config.trustProxy] : false,
    // For routes outside the contract; each endpoint has a limit of its own.
    bodyLimit: NO_BODY_BYTES,
    // Addresses that cannot be read are refused before any route, in the same words as the rest.
    // What is not HTTP never gets that far.
    clientErrorHandler: answerUnreadable(headers),
    frameworkErrors: (error, request, reply) => answerError(error, request, reply.headers(headers)),
    genReqId: () => randomUUID(),
    childLoggerFactory: (logger, bindings, options) => new RequestLog(() => logger.child(bindings, options)),
    forceCloseConnections: 'idle',
    // Who asks on a connection while the server ends is answered, and the connection closed.
    return503OnClosing: false,
    http: { headersTimeout: limits.headersMs, connectionsCheckingInterval: limits.headersLookMs },
    connectionTimeout: limits.quietLookMs,
    // An upload may take hours over a slow line.
    requestTimeout: 0,
    routerOptions: { maxParamLength: 200 },
  } satisfies FastifyHttpOptions<Server>;
}
