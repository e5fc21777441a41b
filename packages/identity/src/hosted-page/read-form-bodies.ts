import type { FastifyInstance } from 'fastify';

const BODY_LIMIT_BYTES = 256 * 1_024;

/** Bodies of HTML forms, as an object of texts; of a name that comes twice, the last counts. */
export function readFormBodies(scope: FastifyInstance): void {
  scope.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: BODY_LIMIT_BYTES },
    (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body)))),
  );
}
