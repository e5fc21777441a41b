import type { FastifyInstance } from 'fastify';

const FORM = 'application/x-www-form-urlencoded';
const BODY_LIMIT_BYTES = 256 * 1_024;

/**
 * Bodies of HTML forms as an object of texts; for a repeated name, the last value is used. Own
 * code: @fastify/formbody creates a list for a repeated name, and with a custom parser it needs
 * these lines anyway.
 */
export function readFormBodies(scope: FastifyInstance, bodyLimit = BODY_LIMIT_BYTES): void {
  if (scope.hasContentTypeParser(FORM)) return;
  scope.addContentTypeParser(FORM, { parseAs: 'string', bodyLimit }, (_request, body, done) =>
    done(null, Object.fromEntries(new URLSearchParams(String(body)))),
  );
}
