import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer as createPlainServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { parse as parseQuery } from 'node:querystring';
import { constants } from 'node:zlib';
import compress from '@fastify/compress';
import { PortalError } from '@deviceportal/contract/errors';
import {
  fastify,
  LogController,
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import type { Config } from '../config/config.ts';
import { isImpossibleText } from '../database/errors/data-exception.ts';
import type { Logger } from '../logging.ts';
import type { Metrics } from '../metrics.ts';
import type { ReadinessBoard } from '../readiness-board.ts';
import { traceRequests } from '../tracing/trace-requests.ts';
import { answerClientError } from './client-error.ts';
import { endedLinkPage } from './ended-link-page.ts';
import { endKeptConnections } from './end-kept-connections.ts';
import { endSlowClients } from './end-slow-clients.ts';
import { endUpgradedSockets } from './end-upgraded-sockets.ts';
import { portalErrorOfStatus, toErrorAnswer } from './error-answer.ts';
import { httpLimits, type HttpLimits } from './http-limits.ts';
import { limitConnections } from './limit-connections.ts';
import { limitHeads } from './limit-heads.ts';
import { limitRequests } from './limit-requests.ts';
import { providerOrigins } from '../config/provider-origins.ts';
import { tileOrigins } from '../config/choose-map.ts';
import { addOperationsRoutes } from './operations-routes.ts';
import { paceRefusals } from './pace-refusals.ts';
import { logRequests } from './request-log.ts';
import { requirePlainAddress } from './require-plain-address.ts';
import { addSecurityHeaders, securityHeadersOf } from './security-headers.ts';
import { sendInPieces } from './send-in-pieces.ts';
import { servePortal } from './serve-portal.ts';

export interface HttpServerOptions {
  readonly config: Pick<
    Config,
    | 'limits'
    | 'trustedProxies'
    | 'tls'
    | 'publicUrl'
    | 'providerSet'
    | 'operationsToken'
    | 'roles'
    | 'map'
    | 'signInLimits'
  >;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly readiness: ReadinessBoard;
  /** The built portal (`apps/portal/dist`). */
  readonly portalDir: string;
  readonly httpLimits?: HttpLimits;
}

/** A batch of 3,000 procedure names is one path parameter, because tRPC joins them with commas. */
const MAX_PARAM_LENGTH = 1_048_576;
/** As in Node's parser. */
const MAX_QUERY_FIELDS = 1_000;
/**
 * Slow bodies are ended by their rate. A large file on a slow connection can take long, but not
 * forever.
 */
const REQUEST_TIMEOUT_MS = 24 * 3_600_000;
/** Interval of the check for incomplete headers. */
const HEADERS_CHECK_MS = 5_000;

/**
 * Creates the HTTP server with everything common to all routes. Slices add routes before it
 * listens.
 */
export async function createHttpServer(options: HttpServerOptions): Promise<FastifyInstance> {
  const { config, logger, httpLimits: limits = httpLimits } = options;
  const headers = securityHeadersOf({
    connectSources: [...providerOrigins(config.providerSet), ...tileOrigins(config.map)],
    opensWindows: config.providerSet.kind === 'authing',
    // Also behind a proxy with TLS, the browser uses https.
    https: config.tls !== undefined || config.publicUrl?.startsWith('https:') === true,
  });
  const app = fastify({
    loggerInstance: logger as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: config.limits.requestBodyLimitBytes,
    trustProxy: config.trustedProxies.length > 0 && [...config.trustedProxies],
    forceCloseConnections: 'idle',
    return503OnClosing: true,
    routerOptions: {
      maxParamLength: MAX_PARAM_LENGTH,
      // The default parser accepts any number of fields, for every route and before any hook.
      querystringParser: (query) => parseQuery(query, '&', '=', { maxKeys: MAX_QUERY_FIELDS }),
    },
    genReqId: () => randomUUID(),
    // For a malformed URL, route hooks do not run.
    frameworkErrors: (error, request, reply) => {
      const status = error.statusCode ?? 400;
      const answer: unknown = toErrorAnswer(portalErrorOfStatus(status, error), status, request.id);
      const plain: FastifyReply = reply as never;
      void plain.headers(headers).code(status).send(answer);
    },
    serverFactory: (handler) => createServer(config, limits, handler),
    clientErrorHandler: (error, socket) => {
      const requestId = randomUUID();
      logger.debug({ requestId, err: error }, 'malformed HTTP request');
      answerClientError(error, socket, requestId);
    },
  });
  limitConnections(app.server, limits, config.trustedProxies);
  traceRequests(app, config.trustedProxies);
  endSlowClients(app.server, limits);
  endKeptConnections(app);
  endUpgradedSockets(app);
  translateErrors(app, options);
  // Before all hooks that reject requests.
  if (config.signInLimits) paceRefusals(app, limits);
  logRequests(app, logger, options.metrics);
  addSecurityHeaders(app, headers);
  requirePlainAddress(app);
  limitHeads(app);
  limitRequests(app, limits);
  await app.register(compress, {
    global: true,
    threshold: 1_024,
    encodings: ['br', 'gzip', 'identity'],
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } },
  });
  sendInPieces(app);
  addOperationsRoutes(app, { ...options, roles: config.roles, token: config.operationsToken });
  await servePortal(app, options.portalDir);
  return app;
}

function createServer(
  config: HttpServerOptions['config'],
  { headersTimeoutMs }: HttpLimits,
  handler: RequestListener,
): Server {
  const settings = {
    maxHeaderSize: config.limits.requestUrlLimitBytes,
    headersTimeout: headersTimeoutMs,
    connectionsCheckingInterval: Math.min(HEADERS_CHECK_MS, headersTimeoutMs),
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: 72_000,
  };
  if (config.tls === undefined) return createPlainServer(settings, handler);
  const cert = readFileSync(config.tls.certificateFile);
  const key = readFileSync(config.tls.keyFile);
  return createTlsServer({ ...settings, cert, key }, handler);
}

/**
 * Errors caused by the client: values that PostgreSQL cannot store, and clients that disconnected
 * during a request or response.
 */
const isOfTheClient = (error: FastifyError, { raw }: FastifyRequest): boolean =>
  isImpossibleText(error) || raw.errored === error || error.code === 'ERR_STREAM_PREMATURE_CLOSE';

function translateErrors(app: FastifyInstance, { logger, metrics }: HttpServerOptions): void {
  app.setErrorHandler(async (error: FastifyError | PortalError, request, reply) => {
    const isPortalError = error instanceof PortalError;
    const status = isPortalError
      ? error.httpStatus
      : (error.statusCode ?? (isOfTheClient(error, request) ? 400 : 500));
    const portalError = isPortalError ? error : portalErrorOfStatus(status, error);
    if (status >= 500) {
      metrics.logErrors.inc();
      logger.error({ requestId: request.id, err: error }, 'request failed');
    }
    const page = endedLinkPage(error, request.headers);
    if (page !== undefined) return reply.code(410).type('text/html; charset=utf-8').send(page);
    return reply
      .code(status)
      .type('application/json; charset=utf-8')
      .send(toErrorAnswer(portalError, status, request.id));
  });
}
