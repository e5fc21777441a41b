import type { FastifyInstance } from 'fastify';

const FORM = 'application/x-www-form-urlencoded';
const BODY_LIMIT_BYTES = 256 * 1_024;

/**
 * Bodies of HTML forms, as an object of texts; of a name that comes twice, the last counts.
 * Ours: @fastify/formbody makes a list of a name that comes twice, and with a parser of one's own it is these lines.
 */
export function readFormBodies(scope: FastifyInstance, bodyLimit = BODY_LIMIT_BYTES): void {
  if (scope.hasContentTypeParser(FORM)) return;
  scope.addContentTypeParser(FORM, { parseAs: 'string', bodyLimit }, (_request, body, done) =>
    done(null, Object.fromEntries(new URLSearchParams(String(body)))),
  );
}
