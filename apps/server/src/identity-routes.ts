import type { FastifyInstance } from 'fastify';
import type { IdentityService } from '@deviceportal/identity-service/identity-service';

/**
 * `/identity`: the user pool's and the identity pool's protocol on one address (the target header tells them apart),
 * and below the issuer its key set and discovery document.
 */
export function registerIdentityRoutes(app: FastifyInstance, identity: IdentityService): void {
  const { userPoolId } = identity.settings;
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    // The protocol answers malformed bodies itself, with its own error.
    scope.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) =>
      done(null, body),
    );
    scope.post('/identity', async (request, reply) => {
      const answer = await identity.handle({
        method: request.method,
        headers: request.headers,
        body: typeof request.body === 'string' ? request.body : '',
        address: request.ip,
      });
      return reply.code(answer.status).headers(answer.headers).send(answer.body);
    });
    scope.get(`/identity/${userPoolId}/.well-known/jwks.json`, async () => identity.keySet());
    scope.get(`/identity/${userPoolId}/.well-known/openid-configuration`, async () =>
      identity.openIdConfiguration(),
    );
  });
}
