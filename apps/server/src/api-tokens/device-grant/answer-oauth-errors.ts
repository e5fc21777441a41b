import { PortalError } from '@deviceportal/contract/errors';
import type { FastifyInstance } from 'fastify';
import { isTransientFault } from '../../platform/database/errors/database-fault.ts';
import type { Logger } from '../../platform/logging.ts';
import { OAuthError } from './oauth-error.ts';

const RETRY_AFTER_SECONDS = '5';

/** Characters that a description can have (RFC 6749, section 5.2). */
const notPlain = /[^\u0020\u0021\u0023-\u005B\u005D-\u007E]/g;

/** Errors in the form of OAuth, and no response that a cache keeps. */
export function answerOAuthErrors(scope: FastifyInstance, logger: Logger): void {
  scope.addHook('onRequest', async (_request, reply) => {
    reply.header('cache-control', 'no-store').header('pragma', 'no-cache');
  });
  scope.setErrorHandler(async (thrown: Error, request, reply) => {
    const error = oauthErrorOf(thrown);
    if (error.code === 'server_error') {
      logger.error({ requestId: request.id, err: thrown }, 'OAuth request failed');
    }
    if (error.status === 429 || error.status === 503) {
      reply.header('retry-after', RETRY_AFTER_SECONDS);
    }
    return reply
      .code(error.status)
      .type('application/json; charset=utf-8')
      .send({ error: error.code, error_description: error.message.replace(notPlain, "'") });
  });
}

function oauthErrorOf(error: Error & { readonly statusCode?: number }): OAuthError {
  if (error instanceof OAuthError) return error;
  const { statusCode = 500 } = error;
  const isBusy = error instanceof PortalError && error.errorName === 'httpUnknown';
  if (isBusy || isTransientFault(error)) {
    return new OAuthError('temporarily_unavailable', 'Try again later.', {
      ...{ status: 503, cause: error },
    });
  }
  if (statusCode >= 400 && statusCode < 500) {
    return new OAuthError('invalid_request', error.message, { status: statusCode, cause: error });
  }
  return new OAuthError('server_error', 'The request failed.', { status: 500, cause: error });
}
