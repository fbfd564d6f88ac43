// The application without listening: plugins, routes of every feature, the web.
import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import cookie from '@fastify/cookie';
import { compile as compileTrust } from '@fastify/proxy-addr';
import underPressure from '@fastify/under-pressure';
import Fastify, { type FastifyInstance, type FastifyServerOptions } from 'fastify';
import { refuse } from '#contract/errors.ts';
import { answerInOrder } from './admission/connections.ts';
import { boundConnections } from './admission/open-connections.ts';
import { readInTurns } from './admission/read-in-turns.ts';
import { networkOf, sitePrefixOf } from './auth/network.ts';
import type { Context } from './context.ts';
import { activityRoutes } from './features/activity/activity.routes.ts';
import { archiveRoutes } from './features/archives/archives.routes.ts';
import { batchRoutes } from './features/batches/batches.routes.ts';
import { openChanges } from './features/changes/changes.routes.ts';
import { clientRoutes } from './features/clients/clients.routes.ts';
import { completenessRoutes } from './features/completeness/completeness.routes.ts';
import { digestRoutes } from './features/digests/digests.routes.ts';
import { docsRoutes } from './features/docs/docs.routes.ts';
import { fileRoutes } from './features/files/files.routes.ts';
import { firmSettingsRoutes } from './features/firm-settings/firm-settings.routes.ts';
import { holdRoutes } from './features/holds/holds.routes.ts';
import { jobRoutes } from './features/jobs/jobs.routes.ts';
import { mailRoutes } from './features/mail/mail.routes.ts';
import { overviewRoutes } from './features/overview/overview.routes.ts';
import { permissionRoutes } from './features/permissions/permissions.routes.ts';
import { reportTypeRoutes } from './features/report-types/report-types.routes.ts';
import { requestRoutes } from './features/requests/requests.routes.ts';
import { retentionRoutes } from './features/retention/retention.routes.ts';
import { roleRoutes } from './features/roles/roles.routes.ts';
import { factorRoutes } from './features/session/factors.routes.ts';
import { sessionRoutes } from './features/session/session.routes.ts';
import { suggestionRoutes } from './features/suggestions/suggestions.routes.ts';
import { systemRoutes } from './features/system/system.routes.ts';
import { trashRoutes } from './features/trash/trash.routes.ts';
import { unopenedRoutes } from './features/unopened/unopened.routes.ts';
import { userRoutes } from './features/users/users.routes.ts';
import { answerError, answerUnreadable } from './http/answer-errors.ts';
import { NO_BODY_BYTES } from './http/body-limit.ts';
import { limitBodies } from './http/body-pace.ts';
import { serveFirmLogo } from './http/firm-logo.ts';
import { serveHealth } from './http/health.ts';
import { leaveInOrder } from './http/leave.ts';
import { FaultLog, plainLogger } from './http/log-lines.ts';
import { serveMetrics } from './http/metrics.ts';
import { mount } from './http/mount.ts';
import { endQuietReader } from './http/quiet-readers.ts';
import { writeRequestLines } from './http/request-lines.ts';
import { RequestLog } from './http/request-log.ts';
import { RequestMetrics } from './http/request-metrics.ts';
import { securityHeaders } from './http/security-headers.ts';
import { serveWeb } from './http/web-files.ts';
import { WIRE_LIMITS, type WireLimits } from './http/wire-limits.ts';
import { Metrics } from './system/metrics.ts';

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
  const app = Fastify({
    logger: plainLogger(options.logger),
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
  });

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
    handlers: {
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
      ...changes.handlers,
      ...jobRoutes(services),
      ...mailRoutes(services),
      ...digestRoutes(services, context),
      ...unopenedRoutes(services),
      ...systemRoutes(services),
      ...docsRoutes(services),
    },
  });
  serveFirmLogo(app, services);
  await serveWeb(app, options.webRoot ?? WEB_ROOT, services);
  return app;
}
