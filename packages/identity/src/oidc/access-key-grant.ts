import { errors, type KoaContextWithOIDC, type default as Provider } from 'oidc-provider';

const GRANT = 'client_credentials';

/**
 * Tokens for a pair of access keys (RFC 6749, section 4.4). In place of the library's own handler, which refuses no scope
 * that it does not know, and none at all for a pair that was made without scopes.
 */
export function registerAccessKeyGrant(provider: Provider): void {
  provider.registerGrantType(GRANT, (ctx) => grantToken(provider, ctx), ['scope']);
}

async function grantToken(provider: Provider, ctx: KoaContextWithOIDC): Promise<void> {
  const { client, params } = ctx.oidc;
  if (client === undefined) throw new errors.InvalidClient('client not found');
  const scope = scopesIn(params?.['scope']).join(' ');
  const held = new Set(scopesIn(client.scope));
  // RFC 6749, section 5.2: a scope that exceeds what was granted is refused, not left out.
  if (scopesIn(scope).some((each) => !held.has(each))) {
    throw new errors.InvalidScope('the access key does not have this scope', scope);
  }
  const granted = scope === '' ? {} : { scope };
  const token = new provider.ClientCredentials({ client, ...granted } as ConstructorParameters<
    typeof provider.ClientCredentials
  >[0]);
  ctx.oidc.entity('ClientCredentials', token);
  ctx.body = {
    access_token: await token.save(),
    expires_in: token.expiration,
    token_type: token.tokenType,
    ...granted,
  };
}

function scopesIn(text: unknown): string[] {
  return typeof text === 'string'
    ? [...new Set(text.split(' ').filter((each) => each !== ''))]
    : [];
}
