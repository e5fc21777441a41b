import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from '../../platform/logging.ts';
import { TokenBuckets } from '../../platform/token-buckets.ts';
import { noteUse } from '../data/scim/scim-connection-queries.ts';
import { addDiscoveryRoutes } from './discovery-routes.ts';
import { addGroupRoutes } from './groups/group-routes.ts';
import { authenticateConnection } from './authenticate-connection.ts';
import { connectionCaller } from './connection-caller.ts';
import { SCIM_TYPE } from './protocol/media-type.ts';
import { ScimError, scimErrorBody, scimErrorOf } from './protocol/scim-error.ts';
import type { ScimDeps } from './scim-deps.ts';
import { SCIM_PATH } from './scim-path.ts';
import { addUserRoutes } from './users/user-routes.ts';

const BODY_LIMIT_BYTES = 2_097_152;
/** Requests of one connection on one server. */
const REQUESTS = { perSecond: 50, burst: 500 };
/** How often the time of the last request is written. */
const NOTE_EVERY_MS = 5_000;

/** `/scim/v2`: a service provider of RFC 7643 and RFC 7644 for users and roles. */
export function registerScimRoutes(
  app: FastifyInstance,
  deps: ScimDeps & { readonly logger: Logger },
): void {
  const baseUrl = `${deps.publicUrl}${SCIM_PATH}`;
  app.register(
    async (scope) => {
      readScimBodies(scope);
      admitConnections(scope, deps);
      answerErrors(scope, deps);
      noteRequests(scope, deps);
      addDiscoveryRoutes(scope, baseUrl);
      addUserRoutes(scope, deps, baseUrl);
      addGroupRoutes(scope, deps, baseUrl);
      // Where the portal is built, its files would answer.
      scope.get('/*', rejectUnknown);
      scope.setNotFoundHandler(rejectUnknown);
    },
    { prefix: SCIM_PATH },
  );
}

function rejectUnknown(): never {
  throw new ScimError(404, 'There is no such endpoint.');
}

function readScimBodies(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser(
    ['application/scim+json', 'application/json'],
    { parseAs: 'string', bodyLimit: BODY_LIMIT_BYTES },
    (_request, body, done) => {
      try {
        done(null, body === '' ? undefined : (JSON.parse(String(body)) as unknown));
      } catch {
        done(new ScimError(400, 'The body is not valid JSON.', 'invalidSyntax'));
      }
    },
  );
}

function admitConnections(scope: FastifyInstance, deps: ScimDeps): void {
  const buckets = new TokenBuckets(REQUESTS);
  scope.addHook('onRequest', async (request, reply) => {
    const connection = await authenticateConnection(deps, request.headers.authorization);
    if (!buckets.of(connection.id).take()) {
      void reply.header('retry-after', '1');
      throw new ScimError(429, 'Too many requests. Try again in a second.');
    }
    request.scimCaller = connectionCaller(connection, {
      address: request.ip,
      requestId: request.id,
    });
  });
}

function answerErrors(scope: FastifyInstance, { logger }: { readonly logger: Logger }): void {
  scope.setErrorHandler(async (error: Error & { readonly statusCode?: number }, request, reply) => {
    const known = scimErrorOf(error) ?? clientError(error);
    if (known === undefined) {
      logger.error({ requestId: request.id, err: error }, 'SCIM request failed');
    }
    const answer = known ?? new ScimError(500, `The request failed: ${request.id}.`);
    if (answer.status === 401) void reply.header('www-authenticate', 'Bearer');
    return reply.code(answer.status).type(SCIM_TYPE).send(scimErrorBody(answer));
  });
}

/** Errors of Fastify: a body that is too large, or of another type. */
function clientError({
  statusCode,
  message,
}: {
  readonly statusCode?: number;
  readonly message: string;
}): ScimError | undefined {
  if (statusCode === undefined || statusCode < 400 || statusCode >= 500) return undefined;
  return new ScimError(statusCode, message);
}

/** For the screen of the connections: when the directory last asked, changed something, and was rejected. */
function noteRequests(
  scope: FastifyInstance,
  { database, logger }: Pick<ScimDeps, 'database'> & { readonly logger: Logger },
): void {
  const notedAt = new Map<string, number>();
  const note = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const id = request.scimCaller?.connection.id;
    if (id === undefined) return;
    const isChange = request.method !== 'GET';
    const isError = reply.statusCode >= 400 && reply.statusCode !== 404;
    const isDue = performance.now() - (notedAt.get(id) ?? -NOTE_EVERY_MS) >= NOTE_EVERY_MS;
    if (!isDue && !isError && !isChange) return;
    notedAt.set(id, performance.now());
    const error = isError
      ? `${reply.statusCode} ${request.method} ${endpointOf(request)}`
      : undefined;
    await noteUse(database.orm, { id, isChange, error });
  };
  scope.addHook('onResponse', (request, reply, done) => {
    note(request, reply).catch((error: unknown) =>
      logger.warn({ err: error }, 'use of a SCIM connection not recorded'),
    );
    done();
  });
}

/** Without identifiers: `/Users/:id`. */
const endpointOf = ({ routeOptions }: FastifyRequest): string =>
  (routeOptions.url ?? '').replace(SCIM_PATH, '');
