import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { PUBLIC_API_PATH } from '@deviceportal/contract/api-tokens';
import { PortalError } from '@deviceportal/contract/errors';
import { publicOperations, type OperationId } from '@deviceportal/contract/public-api';
import type { PublicOperation } from '@deviceportal/contract/public-operation';
import { refuse } from '@deviceportal/contract/refuse';
import { TRPCError } from '@trpc/server';
import { MAX_NESTING } from '../check-request-shape.ts';
import { isNestedDeeperThan } from '../../platform/text/is-nested-deeper-than.ts';
import { portalErrorOf } from '../../platform/api.ts';
import { isTransientFault } from '../../platform/database/errors/database-fault.ts';
import { portalErrorOfStatus } from '../../platform/http/error-answer.ts';
import { portalErrorData } from '../../platform/portal-error-data.ts';
import { unavailable } from '../../platform/unavailable.ts';
import { createOperationAnswerer, type OperationDeps } from './answer-operation.ts';
import { openApiDocument } from './open-api-document.ts';

/** Large enough for a command on a hundred devices with long parameters. */
const BODY_LIMIT_BYTES = 262_144;

export interface PublicApiDeps extends OperationDeps {
  readonly publicUrl: string;
}

/**
 * `/api/v1`: plain JSON for scripts and applications, with API tokens. Every operation calls the procedures of the
 * portal, so permissions, scope, and records are the same. Pages of other origins cannot call it.
 */
export function registerPublicApi(app: FastifyInstance, deps: PublicApiDeps): void {
  app.register(
    async (scope) => {
      readJson(scope);
      answerErrors(scope);
      const answer = createOperationAnswerer(deps);
      for (const [id, operation] of Object.entries(publicOperations)) {
        addOperation(scope, operation, (request, reply) =>
          answer(id as OperationId, request, reply),
        );
      }
      const document = openApiDocument(deps.publicUrl);
      scope.get('/openapi.json', async (_request, reply) =>
        reply.header('cache-control', 'no-cache').send(document),
      );
      // Where the portal is built, its page would answer.
      scope.get('/*', rejectUnknown);
      scope.setNotFoundHandler(rejectUnknown);
    },
    { prefix: PUBLIC_API_PATH },
  );
}

type Answer = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;

function addOperation(scope: FastifyInstance, operation: PublicOperation, answer: Answer): void {
  const { method, path, status } = operation;
  scope.route({
    method: method === 'get' ? 'GET' : 'POST',
    url: path.replaceAll(/\{(\w+)\}/g, ':$1'),
    handler: async (request, reply) => {
      const output = await answer(request, reply);
      return reply.code(status).type('application/json; charset=utf-8').send(output);
    },
  });
}

function rejectUnknown(): never {
  throw new PortalError('notFound');
}

function readJson(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser(
    'application/json',
    { parseAs: 'string', bodyLimit: BODY_LIMIT_BYTES },
    (_request, body, done) => {
      if (isNestedDeeperThan(String(body), MAX_NESTING)) {
        done(refuse('input-too-deep'));
        return;
      }
      try {
        done(null, body === '' ? undefined : (JSON.parse(String(body)) as unknown));
      } catch (cause) {
        done(refuse('request-malformed', { cause }));
      }
    },
  );
}

function answerErrors(scope: FastifyInstance): void {
  scope.setErrorHandler(async (thrown: Error, request, reply) => {
    const error = errorOf(thrown);
    logUnexpected(request.log, error);
    if (error.httpStatus === 401) reply.header('www-authenticate', 'Bearer realm="Device Portal"');
    if (error.httpStatus === 429) reply.header('retry-after', String(secondsOf(error)));
    return reply
      .code(error.httpStatus)
      .type('application/json; charset=utf-8')
      .send({ error: portalErrorData(error, request.id) });
  });
}

/** When to retry a request that was not started. */
function secondsOf({ facts }: PortalError): number {
  const { seconds, retryAfterMs } = facts;
  if (typeof seconds === 'number') return seconds;
  return typeof retryAfterMs === 'number' ? Math.max(1, Math.ceil(retryAfterMs / 1_000)) : 1;
}

function errorOf(error: Error & { readonly statusCode?: number }): PortalError {
  if (error instanceof PortalError) return error;
  if (error instanceof TRPCError) return portalErrorOf(error);
  if (isTransientFault(error)) return unavailable({ cause: error });
  const { statusCode = 500 } = error;
  const isOfClient = statusCode >= 400 && statusCode < 500;
  if (!isOfClient) return new PortalError('unknown', { cause: error });
  const { errorName, message, reason } = portalErrorOfStatus(statusCode, error);
  return new PortalError(errorName, {
    ...{ message, httpStatus: statusCode, cause: error },
    ...(reason !== null && { reason }),
  });
}

function logUnexpected(log: FastifyBaseLogger, error: PortalError): void {
  if (error.errorName === 'unknown') log.error({ err: error.cause ?? error }, 'API request failed');
  else log.debug({ code: error.code, detail: error.detail }, 'API request refused');
}
