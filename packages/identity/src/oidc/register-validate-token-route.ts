import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { unlessRefused } from '../tokens/unless-refused.ts';
import type { ProviderContext } from '../provider/provider-context.ts';
import type { OidcProviders } from './create-oidc-providers.ts';
import { findActiveUser } from './find-account.ts';

const querySchema = z.object({
  id_token: z.string().max(16_384).optional(),
  access_token: z.string().max(16_384).optional(),
});

/**
 * `GET /api/v2/oidc/validate_token?id_token=` or `?access_token=`: the claims of a valid token as
 * the whole body; 400 with `{code, message}` for an invalid one (identity-sdk.md, section 7).
 */
export function registerValidateTokenRoute(
  app: FastifyInstance,
  context: ProviderContext,
  providers: OidcProviders,
): void {
  app.get('/api/v2/oidc/validate_token', async (request, reply) => {
    const { id_token: idToken, access_token: accessToken } = querySchema.parse(request.query);
    reply.header('cache-control', 'no-store');
    const said =
      idToken === undefined
        ? await readAccessToken(context, providers, accessToken ?? '')
        : await readIdToken(context, idToken);
    if (said !== undefined) return said;
    const name = idToken === undefined ? 'access_token' : 'id_token';
    return reply.code(400).send({ code: 400, message: `${name} 不合法` });
  });
}

async function readAccessToken(
  context: ProviderContext,
  providers: OidcProviders,
  value: string,
): Promise<object | undefined> {
  // The token of a sign-in serves as an access token, too.
  if (value.split('.').length === 3) return readIdToken(context, value);
  const { oidc } = await providers.current();
  const token = await oidc.AccessToken.find(value);
  // Its grant may have been taken back.
  const grant = token?.grantId === undefined ? undefined : await oidc.Grant.find(token.grantId);
  if (token === undefined || grant === undefined) return undefined;
  if ((await findActiveUser(context, token.accountId)) === undefined) return undefined;
  return {
    sub: token.accountId,
    client_id: token.clientId,
    aud: token.clientId,
    scope: token.scope,
    iss: oidc.issuer,
    iat: token.iat,
    exp: token.exp,
  };
}

/** An ID token, or the token of an active session. */
async function readIdToken(context: ProviderContext, token: string): Promise<object | undefined> {
  const payload = await unlessRefused(context.tokens.check(token, 'provider-token'));
  if (payload === undefined) return undefined;
  if ((await findActiveUser(context, payload.sub ?? '')) === undefined) return undefined;
  if (typeof payload['sid'] !== 'string') return payload;
  return (await context.tokens.verify(token)) === undefined ? undefined : payload;
}
