import { PortalError } from '@deviceportal/contract/errors';
import type { FastifyInstance } from 'fastify';
import type { ProviderContext } from '../provider-context.ts';
import { languageOf } from './caller-of.ts';
import { failure, toProviderError } from './envelope.ts';
import { wordsOf } from './provider-error.ts';
import { refusals } from './refusals.ts';

/**
 * Failures of REST calls answer HTTP 200 with another code than 200: that is what clients of the contract hand to their
 * error handler (identity-sdk.md, section 4). What Fastify itself, or the server around, refuses keeps its status.
 */
export function answerFailures(
  app: FastifyInstance,
  { onInternalError }: Pick<ProviderContext, 'onInternalError'>,
): void {
  app.setErrorHandler(async (error: Error & { readonly statusCode?: number }, request, reply) => {
    const language = languageOf(request);
    const status = error instanceof PortalError ? error.httpStatus : error.statusCode;
    if (status !== undefined && status >= 400 && status < 500) {
      const words = status === 429 ? refusals.tooManyRequests : refusals.invalidParameters;
      const message = wordsOf(words, language);
      return reply.code(status).send({ code: status, message });
    }
    if (toProviderError(error).refusal !== refusals.internal) {
      return reply.code(200).send(failure(error, language));
    }
    onInternalError(error, `${request.method} ${request.routeOptions.url ?? 'unknown route'}`);
    return reply.code(500).send(failure(error, language));
  });
  app.setNotFoundHandler(async (request, reply) => {
    const { code, ...words } = refusals.notFound;
    return reply
      .code(404)
      .send({ code, message: wordsOf({ code, ...words }, languageOf(request)) });
  });
}
