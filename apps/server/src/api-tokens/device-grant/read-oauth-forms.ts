import type { FastifyInstance, FastifyRequest } from 'fastify';
import { OAuthError } from './oauth-error.ts';

const FORM = 'application/x-www-form-urlencoded';
const BODY_LIMIT_BYTES = 8_192;

/** OAuth clients send forms, and nothing else (RFC 6749, appendix B). */
export function readOAuthForms(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser(
    FORM,
    { parseAs: 'string', bodyLimit: BODY_LIMIT_BYTES },
    (_request, body, done) => done(null, new URLSearchParams(String(body))),
  );
}

/** @throws OAuthError for another type of body, or a repeated parameter (RFC 6749, section 3.2) */
export function formOf({ body }: Pick<FastifyRequest, 'body'>): URLSearchParams {
  if (!(body instanceof URLSearchParams)) {
    throw new OAuthError('invalid_request', `The body must be ${FORM}.`);
  }
  const names = [...body.keys()];
  if (new Set(names).size < names.length) {
    throw new OAuthError('invalid_request', 'A parameter is repeated.');
  }
  return body;
}

/** @throws OAuthError without the parameter */
export function required(form: URLSearchParams, name: string): string {
  const value = form.get(name);
  if (value === null || value === '') {
    throw new OAuthError('invalid_request', `${name} is missing.`);
  }
  return value;
}
