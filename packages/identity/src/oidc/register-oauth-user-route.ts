import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { ProviderContext } from '../provider/provider-context.ts';
import { bearerOf } from '../provider/wire/caller-of.ts';
import { readFormBodies } from '../provider/wire/read-form-bodies.ts';
import { CLAIMS_OF_SCOPE } from './account-claims.ts';
import type { OidcProviders } from './create-oidc-providers.ts';
import { findActiveUser, readClaims } from './find-account.ts';

const placesSchema = z.object({ access_token: z.string().max(512).optional() }).catch({});

/**
 * `GET` and `POST /oauth/me`: the person of an access token, in the header, the query or the body. Plain OAuth has no such
 * call of its own (RFC 6749), so oidc-provider leaves it out; the contract has it (identity-sdk.md, section 8). Scope
 * `user` opens everything.
 */
export function registerOauthUserRoute(
  app: FastifyInstance,
  context: ProviderContext,
  providers: OidcProviders,
): void {
  void app.register(async (scope) => {
    readFormBodies(scope);
    scope.route({
      method: ['GET', 'POST'],
      url: '/oauth/me',
      handler: async (request, reply) => {
        const { oauth } = await providers.current();
        const token = await oauth.AccessToken.find(tokenOf(request));
        const user = token && (await findActiveUser(context, token.accountId));
        // The token's grant may have been taken back.
        const grant =
          token?.grantId === undefined ? undefined : await oauth.Grant.find(token.grantId);
        reply.header('cache-control', 'no-store');
        if (token === undefined || user === undefined || grant === undefined) {
          const words = { error: 'invalid_token', error_description: 'invalid token provided' };
          return reply
            .code(401)
            .header('www-authenticate', 'Bearer error="invalid_token"')
            .send(words);
        }
        const claims = await readClaims(context, user);
        return token.scopes.has('user') ? claims : only(claims, claimsOfScopes(token.scopes));
      },
    });
  });
}

function tokenOf(request: FastifyRequest): string {
  const inQuery = placesSchema.parse(request.query).access_token;
  const inBody = placesSchema.parse(request.body ?? {}).access_token;
  return bearerOf(request) ?? inBody ?? inQuery ?? '';
}

function claimsOfScopes(scopes: ReadonlySet<string>): ReadonlySet<string> {
  const opened = Object.entries(CLAIMS_OF_SCOPE).filter(([scope]) => scopes.has(scope));
  return new Set(['sub', ...opened.flatMap(([, claims]) => [...claims])]);
}

function only(claims: Readonly<Record<string, unknown>>, names: ReadonlySet<string>): object {
  return Object.fromEntries(Object.entries(claims).filter(([name]) => names.has(name)));
}
