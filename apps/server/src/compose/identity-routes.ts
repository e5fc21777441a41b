import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { IdentityService } from '@deviceportal/identity/identity-service';

/**
 * `/identity`: the protocols of user pool, identity pool and role sessions on one address (the target header tells
 * them apart, the last has none), and below the issuer its key set and discovery document. Where people sign in
 * elsewhere there is the identity pool alone.
 */
export function registerIdentityRoutes(
  app: FastifyInstance,
  identity: IdentityService,
  { hasUserPool }: { readonly hasUserPool: boolean },
): void {
  const { userPoolId } = identity.settings;
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    // The protocol answers malformed bodies itself, with its own error.
    scope.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) =>
      done(null, body),
    );
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
    // Some tools write a slash behind the endpoint they were given.
    scope.post('/identity', answer);
    scope.post('/identity/', answer);
    if (!hasUserPool) return;
    // Less than a new key is published before it signs: whoever keeps the set as long as it may knows the key in time.
    scope.get(`/identity/${userPoolId}/.well-known/jwks.json`, async (_request, reply) => {
      reply.header('cache-control', 'public, max-age=300');
      return identity.keySet();
    });
    scope.get(`/identity/${userPoolId}/.well-known/openid-configuration`, async () =>
      identity.openIdConfiguration(),
    );
  });
}
