import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { IdentityService } from '@deviceportal/identity/identity-service';
import { allowOrigins, type AllowedOrigins } from '../platform/http/allow-origins.ts';

/** Some tools append a slash to the endpoint. */
const PATHS = ['/identity', '/identity/'] as const;

/** Headers of the clients of AWS, unsigned (Amplify, SDK) and signed (cognito.md, section 1). */
const REQUEST_HEADERS = [
  ...['amz-sdk-invocation-id', 'amz-sdk-request', 'cache-control', 'content-type'],
  ...['x-amz-target', 'x-amz-user-agent'],
  ...['authorization', 'x-amz-content-sha256', 'x-amz-date', 'x-amz-security-token'],
] as const;

/**
 * `/identity`: the protocols of user pool, identity pool, and role sessions at one URL,
 * distinguished by the target header, which role sessions do not have. Below the issuer: its key
 * set and discovery document. If users sign in elsewhere, only the identity pool is served.
 */
export function registerIdentityRoutes(
  app: FastifyInstance,
  identity: IdentityService,
  { hasUserPool, origins }: { readonly hasUserPool: boolean; readonly origins: AllowedOrigins },
): void {
  const { userPoolId } = identity.settings;
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    // The protocol handles malformed bodies itself, with its own error.
    scope.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) =>
      done(null, body),
    );
    allowOrigins(scope, { origins, paths: PATHS, requestHeaders: REQUEST_HEADERS });
    const answer = async (request: FastifyRequest, reply: FastifyReply) => {
      const { status, headers, body } = await identity.handle({
        method: request.method,
        url: request.raw.url ?? '',
        headers: request.headers,
        body: typeof request.body === 'string' ? request.body : '',
        address: request.ip,
        requestId: request.id,
      });
      return reply.code(status).headers(headers).send(body);
    };
    for (const path of PATHS) scope.post(path, answer);
    if (!hasUserPool) return;
    // Shorter than the time for which a new key is published before use, so that cached key sets
    // contain it.
    scope.get(`/identity/${userPoolId}/.well-known/jwks.json`, async (_request, reply) => {
      reply.header('cache-control', 'public, max-age=300');
      return identity.keySet();
    });
    scope.get(`/identity/${userPoolId}/.well-known/openid-configuration`, async () =>
      identity.openIdConfiguration(),
    );
  });
}
