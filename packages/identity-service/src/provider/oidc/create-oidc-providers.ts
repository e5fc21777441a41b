import Provider from 'oidc-provider';
import { sameBytes } from '../../secrets/secret-hash.ts';
import { endBrowserSignIn } from '../hosted-page/browser-sign-in.ts';
import type { ProviderContext } from '../provider-context.ts';
import { SECRET_HASH } from './client-metadata.ts';
import { oidcConfiguration, SCOPES, type OidcProtocol } from './oidc-configuration.ts';
import { registerUserTokenGrant } from './user-token-grant.ts';

/** OpenID Connect below `/oidc`, and plain OAuth 2 below `/oauth`. */
export type OidcProviders = Readonly<Record<OidcProtocol, Provider>>;

export function createOidcProviders(context: ProviderContext): OidcProviders {
  return { oidc: createOne(context, 'oidc'), oauth: createOne(context, 'oauth') };
}

function createOne(context: ProviderContext, protocol: OidcProtocol): Provider {
  const issuer = `${context.settings.baseUrl}/${protocol}`;
  const provider = new Provider(issuer, oidcConfiguration(context, protocol));
  // Behind a proxy the addresses are still those of the settings: mount-oidc.ts says them in these headers.
  provider.proxy = true;
  compareHashedSecrets(provider, context);
  registerUserTokenGrant(provider, context, new Set(SCOPES[protocol]));
  provider.on('server_error', (_ctx, error) => context.onInternalError(error, protocol));
  provider.on('end_session.success', (ctx) => {
    void endBrowserSignIn(context, ctx.headers).catch((error: unknown) =>
      context.onInternalError(error, 'end of a sign-in'),
    );
  });
  return provider;
}

/** The secrets of access keys are kept as hashes only. */
function compareHashedSecrets(provider: Provider, { hash }: Pick<ProviderContext, 'hash'>): void {
  const compare = provider.Client.prototype.compareClientSecret;
  provider.Client.prototype.compareClientSecret = function compareClientSecret(actual) {
    const expected: unknown = this[SECRET_HASH];
    if (typeof expected !== 'string') return compare.call(this, actual);
    const presented = hash('provider-access-key', this.clientId, actual);
    return sameBytes(presented, Buffer.from(expected, 'hex'));
  };
}
